/* SPDX-License-Identifier: MIT */
/* Every TIFF file of tests/data and $VIVOGRAPH_DATA opens, and its pages are
 * what libtiff's row-by-row interface gives. */
#include "tests/support/data-file.h"
#include "tests/support/io/tiff-fixture.h"
#include <string.h>
#include <tiffio.h>

static guint n_files, n_compared;

/* Row by row where that is defined: grey strips of plain samples. */
static void
compare_page (VgSource *source, const char *path, gint64 page, const guint8 *frame)
{
  TIFF *tiff = TIFFOpen (path, "r");
  gsize row_bytes = vg_image_info_page_bytes (&source->info) / (gsize) source->info.height;
  g_autofree guint8 *row = g_malloc (MAX (row_bytes, (gsize) 1));

  g_assert_true (TIFFSetDirectory (tiff, (tdir_t) page));
  if (!TIFFIsTiled (tiff) && (gsize) TIFFScanlineSize (tiff) == row_bytes &&
      source->info.bins * source->info.slices == 1 && source->info.channels == 1)
    {
      for (int y = 0; y < source->info.height; y++)
        {
          g_assert_cmpint (TIFFReadScanline (tiff, row, (guint32) y, 0), ==, 1);
          g_assert_cmpmem (row, row_bytes, frame + (gsize) y * row_bytes, row_bytes);
        }
      n_compared++;
    }
  TIFFClose (tiff);
}

static void
check_file (const char *path)
{
  g_autoptr (VgSource) source = fixture_open (path, TRUE);
  gsize bytes = vg_image_info_frame_bytes (&source->info);
  g_autofree guint8 *frame = g_malloc (bytes);
  g_autoptr (GError) error = NULL;

  n_files++;
  g_assert_cmpint (source->info.frames, >=, 1);
  for (int i = 0; i < 3; i++)
    {
      gint64 k = i * (source->info.frames - 1) / 2;

      g_assert_true (vg_source_read (source, k, frame, &error));
      g_assert_no_error (error);
      compare_page (source, path, k, frame);
    }
}

static void
check_folder (const char *folder, int depth)
{
  GDir *dir = g_dir_open (folder, 0, NULL);

  for (const char *name; dir && (name = g_dir_read_name (dir));)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      if (g_file_test (path, G_FILE_TEST_IS_DIR) && depth < 3)
        check_folder (path, depth + 1);
      else if (g_str_has_suffix (name, ".tif") || g_str_has_suffix (name, ".tiff"))
        check_file (path);
    }
  if (dir)
    g_dir_close (dir);
}

static void
test_files (void)
{
  g_auto (GStrv) more = data_folders ();
  g_autofree char *ours = g_test_build_filename (G_TEST_DIST, "data", NULL);

  check_folder (ours, 0);
  for (guint i = 0; more[i] != NULL; i++)
    check_folder (more[i], 0);
  g_test_message ("%u files, %u pages compared", n_files, n_compared);
  g_assert_cmpuint (n_files, >, 0);
  g_assert_cmpuint (n_compared, >, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  TIFFSetWarningHandler (NULL);
  g_test_add_func ("/data/tiff", test_files);
  return g_test_run ();
}
