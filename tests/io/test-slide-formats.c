/* SPDX-License-Identifier: MIT */
/* Which files OpenSlide is asked for, and slides of several files.  Needs OpenSlide. */
#include "io/source/vg-source-private.h"
#include "tests/support/io/tiff-fixture.h"
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#ifdef VG_HAVE_JPEG
#include <jpeglib.h>
#endif

enum { TILE_WIDTH = 322, WIDTH_TAG = 256, NDPI = 65420 };

static char *folder;

/* The child is a vivograph-decode that cannot be started. */
static gboolean
is_asked (const char *path)
{
  static const VgSourceOptions options = { .colour = TRUE };
  static const VgReadOptions read_options = { 0 };
  g_autoptr (GError) error = NULL;
  VgSourceFile file = { .fd = open (path, O_RDONLY | O_CLOEXEC),
                        .name = path,
                        .path = path,
                        .options = &options,
                        .read_options = &read_options };

  g_assert_cmpint (file.fd, >=, 0);
  file.size = lseek (file.fd, 0, SEEK_END);
  g_setenv ("VIVOGRAPH_MODULE_DIR", folder, TRUE);
  g_assert_null (vg_slide_source_open (&file, &error));
  g_unsetenv ("VIVOGRAPH_MODULE_DIR");
  close (file.fd);
  if (error != NULL)
    fixture_assert_message (error, "cannot be started");
  return error != NULL;
}

static void
assert_asked (const char *name, const void *bytes, gsize length, gboolean expected)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);

  g_test_message ("%s", name);
  g_assert_true (g_file_set_contents (path, bytes, (gssize) length, NULL));
  g_assert_cmpint (is_asked (path), ==, expected);
}

static void
add_number (GByteArray *bytes, guint64 value, guint size, gboolean swap)
{
  for (guint i = 0; i < size; i++)
    g_byte_array_append (bytes, &(guint8){ (guint8) (value >> 8 * (swap ? size - 1 - i : i)) }, 1);
}

/* A TIFF of N directories with one entry each; the last one leads to directory BACK, if it is not
 * negative. */
static GByteArray *
make_tiff (gboolean big, gboolean swap, const guint *tags, guint n, int back)
{
  GByteArray *bytes = g_byte_array_new ();
  guint wide = big ? 8 : 4, head = big ? 16 : 8, count = big ? 8 : 2,
        size = count + 4 + 2 * wide + wide;

  g_byte_array_append (bytes, (const guint8 *) (swap ? "MM" : "II"), 2);
  add_number (bytes, big ? 43 : 42, 2, swap);
  if (big)
    add_number (bytes, swap ? 8 << 16 : 8, 4, swap);
  add_number (bytes, head, wide, swap);
  for (guint i = 0; i < n; i++)
    {
      add_number (bytes, 1, count, swap);
      add_number (bytes, tags[i], 2, swap);
      add_number (bytes, 4, 2, swap);
      add_number (bytes, 1, wide, swap);
      add_number (bytes, 1, wide, swap);
      add_number (bytes,
                  i + 1 < n   ? head + (i + 1) * size
                  : back >= 0 ? head + (guint) back * size
                              : 0,
                  wide, swap);
    }
  return bytes;
}

static void
test_tiff (void)
{
  static const struct
  {
    guint tags[3], n;
    int back;
    gboolean asked;
  } cases[] = {
    { { WIDTH_TAG }, 1, -1, FALSE },
    { { TILE_WIDTH }, 1, -1, TRUE },
    { { WIDTH_TAG, WIDTH_TAG, TILE_WIDTH }, 3, -1, TRUE },
    { { NDPI, WIDTH_TAG }, 2, -1, TRUE },
    { { WIDTH_TAG, NDPI }, 2, -1, FALSE },
    { { WIDTH_TAG, WIDTH_TAG, WIDTH_TAG }, 3, 0, FALSE },
    { { WIDTH_TAG, WIDTH_TAG, WIDTH_TAG }, 3, 1, FALSE },
    { { WIDTH_TAG, WIDTH_TAG, WIDTH_TAG }, 3, 9, FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (int kind = 0; kind < 4; kind++)
      {
        g_autofree char *name = g_strdup_printf ("%u-%d.tif", i, kind);
        g_autoptr (GByteArray)
            tiff = make_tiff (kind & 1, kind >> 1, cases[i].tags, cases[i].n, cases[i].back);

        assert_asked (name, tiff->data, tiff->len, cases[i].asked);
      }
}

/* The first directory of a large file of Hamamatsu lies beyond 4 GB, and the header has 64 bits. */
static void
test_large_ndpi (void)
{
  const guint64 at = (G_GUINT64_CONSTANT (1) << 32) + 16;

  for (int kind = 0; kind < 2; kind++)
    {
      g_autoptr (GByteArray)
          tiff = make_tiff (FALSE, FALSE, &(guint){ kind ? NDPI : WIDTH_TAG }, 1, -1);
      g_autofree char *path = g_build_filename (folder, "large.ndpi", NULL);
      int fd = open (path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
      guint8 head[12] = "II*";

      for (int i = 0; i < 8; i++)
        head[4 + i] = (guint8) (at >> 8 * i);
      g_assert_cmpint (pwrite (fd, head, sizeof head, 0), ==, sizeof head);
      g_assert_cmpint (pwrite (fd, tiff->data + 8, tiff->len - 8, (off_t) at), ==, tiff->len - 8);
      g_assert_cmpint (ftruncate (fd, (off_t) at + 1000), ==, 0);
      close (fd);
      g_assert_cmpint (is_asked (path), ==, kind);
      g_assert_cmpint (unlink (path), ==, 0);
    }
}

static void
test_others (void)
{
  static const char vms[] = "# a comment\n[Virtual Microscope Specimen]\n",
                    vmu[] = "[Uncompressed Virtual Microscope Specimen]\n";
  g_autofree char *blanks = g_strnfill (1 << 16, ' '), *late = g_strconcat (blanks, vms, NULL);

  assert_asked ("a.vms", vms, strlen (vms), TRUE);
  assert_asked ("a.vmu", vmu, strlen (vmu), TRUE);
  assert_asked ("late.vms", late, strlen (late), FALSE);
  assert_asked ("a.svslide", "SQLite format 3", 16, TRUE);
  assert_asked ("a.mrxs", "\xff\xd8\xff\xe0", 4, TRUE);
  assert_asked ("a.jpg", "\xff\xd8\xff\xe0", 4, FALSE);
  assert_asked ("a.png", "\211PNG\r\n\032\n", 8, FALSE);
  assert_asked ("a.txt", "time,signal\n0,1\n", 16, FALSE);
}

#ifdef VG_HAVE_JPEG
/* With restart markers, which a .vms slide needs. */
static void
write_jpeg (const char *name, int width, int height)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autofree guint8 *row = g_malloc (3 * (gsize) width);
  struct jpeg_compress_struct jpeg;
  struct jpeg_error_mgr errors;
  FILE *file = fopen (path, "wb");

  jpeg.err = jpeg_std_error (&errors);
  jpeg_create_compress (&jpeg);
  jpeg_stdio_dest (&jpeg, file);
  jpeg.image_width = (JDIMENSION) width;
  jpeg.image_height = (JDIMENSION) height;
  jpeg.input_components = 3;
  jpeg.in_color_space = JCS_RGB;
  jpeg_set_defaults (&jpeg);
  jpeg.comp_info[0].h_samp_factor = jpeg.comp_info[0].v_samp_factor = 1;
  jpeg.restart_interval = 8;
  jpeg_start_compress (&jpeg, TRUE);
  for (int y = 0; y < height; y++)
    {
      for (int i = 0; i < 3 * width; i++)
        row[i] = (guint8) (i / 3 + y);
      jpeg_write_scanlines (&jpeg, &(JSAMPROW){ row }, 1);
    }
  jpeg_finish_compress (&jpeg);
  jpeg_destroy_compress (&jpeg);
  fclose (file);
}

/* OpenSlide reads several files in two threads; the pixels are those without the fence. */
static void
test_vms (void)
{
  static const char text[] =
      "[Virtual Microscope Specimen]\nNoLayers=1\nNoJpegColumns=2\nNoJpegRows=1\n"
      "ImageFile=left.jpg\nImageFile(1,0)=right.jpg\nMapFile=map.jpg\nSourceLens=20\n";
  g_autofree char *path = g_build_filename (folder, "whole.vms", NULL);
  guint8 parts[2][3 * 200 * 100];

  write_jpeg ("left.jpg", 512, 256);
  write_jpeg ("right.jpg", 512, 256);
  write_jpeg ("map.jpg", 128, 64);
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  for (int here = 0; here < 2; here++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (VgSource) source = NULL;

      if (here)
        g_setenv ("VIVOGRAPH_FENCE", "off", TRUE);
      source = vg_source_open (path, &(VgSourceOptions){ .colour = TRUE }, &error);
      g_unsetenv ("VIVOGRAPH_FENCE");
      g_assert_no_error (error);
      g_assert_cmpint (source->info.width, ==, 1024);
      g_assert_cmpint (source->info.height, ==, 256);
      g_assert_nonnull (strstr (source->details, "hamamatsu, objective 20x"));
      g_assert_true (vg_source_read_region (source, 0, 450, 100, 200, 100, parts[here], &error));
    }
  for (int c = 0; c < 3; c++) /* the pixel (450, 100) */
    g_assert_cmpint (ABS (parts[0][c] - (450 + 100) % 256), <, 8);
  g_assert_cmpmem (parts[0], sizeof parts[0], parts[1], sizeof parts[1]);
}
#endif

int
main (int argc, char **argv)
{
  g_autofree char *program = NULL;
  int status;

  g_test_init (&argc, &argv, NULL);
  g_unsetenv ("VIVOGRAPH_FENCE");
  folder = fixture_folder ();
  program = g_build_filename (folder, "vivograph-decode", NULL);
  g_assert_true (g_file_set_contents (program, "", 0, NULL));
#ifdef VG_HAVE_JPEG
  g_test_add_func ("/slide-formats/vms", test_vms);
#endif
  g_test_add_func ("/slide-formats/tiff", test_tiff);
  g_test_add_func ("/slide-formats/large-ndpi", test_large_ndpi);
  g_test_add_func ("/slide-formats/others", test_others);
  status = g_test_run ();
  fixture_remove_folder (folder);
  return status;
}
