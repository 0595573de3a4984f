/* SPDX-License-Identifier: MIT */
/* The files of a tiled run, without the run. */
#include "tiff-fixture.h"
#include "vg-export-private.h"
#include "vg-tile-run.h"

enum { WIDTH = 200, HEIGHT = 130 };   /* two by two blocks, which reach beyond it */

static char *folder;

/* Labels of up to MOST; where they come to lie. */
static char *
write_labels (float most)
{
  const VgOperation *operation = vg_operation_find ("contour");
  const VgTiling tiling = { .whole = { .type = VG_U8, .width = WIDTH, .height = HEIGHT, .channels = 3, .bins = 1, .slices = 1, .frames = 1 },
                            .core = 256, .halo = 64, .columns = 1, .rows = 1 };
  const VgExportInfo info = { 0 };
  g_autofree float *samples = g_new0 (float, VG_TILE_BLOCK * VG_TILE_BLOCK);
  g_autoptr (GError) error = NULL;
  g_autoptr (VgStaging) staging = vg_staging_new (folder, &error);
  g_autoptr (VgTileFiles) files = NULL;
  VgTileSink sink;

  g_assert_no_error (error);
  files = vg_tile_files_new (staging, operation, &tiling, &sink);
  for (int y = 0; y < HEIGHT; y += VG_TILE_BLOCK)
    for (int x = 0; x < WIDTH; x += VG_TILE_BLOCK)
      {
        samples[0] = most;
        samples[1] = (float) x + 1;
        g_assert_true (sink.block (sink.data, 0, x, y, samples, &error));
      }
  g_assert_true (vg_tile_files_finish_maps (files, &info, &error));
  g_assert_no_error (error);
  g_assert_true (vg_staging_commit (staging, &error));
  return g_build_filename (folder, "labels.tif", NULL);
}

/* Whole numbers in 16 bits, and in 32 where one of them does not fit. */
static void
test_labels (void)
{
  static const struct { float most; VgType type; } cases[] = { { 3, VG_U16 }, { 65535, VG_U16 }, { 65536, VG_U32 } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = write_labels (cases[i].most);
      g_autoptr (GError) error = NULL;
      g_autoptr (VgImage) image = vg_image_load (path, VG_FILE_IMAGE, NULL, &error);

      g_assert_no_error (error);
      g_assert_cmpint (image->info.type, ==, cases[i].type);
      g_assert_cmpint (image->info.width, ==, WIDTH);
      g_assert_cmpint (image->info.height, ==, HEIGHT);
      g_assert_cmpfloat (vg_image_sample (image, 0), ==, cases[i].most);
      g_assert_cmpfloat (vg_image_sample (image, VG_TILE_BLOCK * WIDTH + VG_TILE_BLOCK + 1), ==, VG_TILE_BLOCK + 1);
      g_assert_cmpfloat (vg_image_sample (image, 2), ==, 0);
    }
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  folder = fixture_folder ();
  g_test_add_func ("/tile-files/labels", test_labels);
  status = g_test_run ();
  fixture_remove_folder (folder);
  return status;
}
