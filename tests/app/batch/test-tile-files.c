/* SPDX-License-Identifier: MIT */
/* The files of a tiled run, without the run. */
#include "tests/support/io/tiff-fixture.h"
#include "app/export/vg-export-private.h"
#include "app/batch/vg-tile-rings.h"
#include "app/batch/vg-tile-run.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 200, HEIGHT = 130 }; /* two by two blocks, which reach beyond it */

static char *folder;

/* Labels of up to MOST; where they come to lie. */
static char *
write_labels (float most)
{
  const VgOperation *operation = vg_operation_find ("contour");
  const VgTiling tiling = { .whole = { .type = VG_U8,
                                       .width = WIDTH,
                                       .height = HEIGHT,
                                       .channels = 3,
                                       .bins = 1,
                                       .slices = 1,
                                       .frames = 1 },
                            .core = 256,
                            .halo = 64,
                            .columns = 1,
                            .rows = 1 };
  const VgExportInfo info = { 0 };
  g_autofree float *samples = g_new0 (float, VG_TILE_BLOCK *VG_TILE_BLOCK);
  g_autoptr (GError) error = NULL;
  g_autoptr (VgStaging) staging = vg_staging_new (folder, &error);
  g_autoptr (VgTileFiles) files = NULL;
  VgTileSink sink;

  g_assert_no_error (error);
  files = vg_tile_files_new (staging, "", operation, &tiling, FALSE, &sink, &error);
  g_assert_no_error (error);
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
  static const struct
  {
    float most;
    VgType type;
  } cases[] = { { 3, VG_U16 }, { 65535, VG_U16 }, { 65536, VG_U32 } };

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
      g_assert_cmpfloat (vg_image_sample (image, VG_TILE_BLOCK * WIDTH + VG_TILE_BLOCK + 1), ==,
                         VG_TILE_BLOCK + 1);
      g_assert_cmpfloat (vg_image_sample (image, 2), ==, 0);
    }
}

/* Outlines in the sample: lines where a ring lies, a dot where it is smaller than a pixel, and
 * nothing elsewhere. */
static void
test_rings (void)
{
  enum { SIDE = 60, FACTOR = 10 };
  guint8 rgb[3 * SIDE * SIDE];
  VgTileRings *rings = vg_tile_rings_new (SIDE, SIDE, FACTOR);
  double circle[2 * 64], dot[2 * 64], beyond[2 * 64];
  int changed = 0;

  for (int i = 0; i < 64; i++)
    for (int k = 0; k < 2; k++)
      {
        double at = k == 0 ? cos (i * G_PI / 32) : sin (i * G_PI / 32);

        circle[2 * i + k] = 205 + 100 * at;
        dot[2 * i + k] = 505 + 3 * at;
        beyond[2 * i + k] = -500 + 100 * at;
      }
  vg_tile_rings_add (rings, 1, circle, 64);
  vg_tile_rings_add (rings, 2, dot, 64);
  vg_tile_rings_add (rings, 3, beyond, 64);
  vg_tile_rings_add (rings, 4, circle, 0);
  memset (rgb, 128, sizeof rgb);
  vg_tile_rings_lay (rings, rgb);
  for (int y = 0; y < SIDE; y++)
    for (int x = 0; x < SIDE; x++)
      {
        const guint8 *at = rgb + 3 * (y * SIDE + x);
        double line = fabs (hypot (x + 0.5 - 20.5, y + 0.5 - 20.5) - 10),
               point = hypot (x - 50, y - 50);
        gboolean is = abs (at[0] - 128) + abs (at[1] - 128) + abs (at[2] - 128) > 30;

        if (line < 0.5 || point == 0)
          g_assert_true (is);
        else if (line > 3 && point > 3)
          g_assert_false (is);
        changed += is;
      }
  g_assert_cmpint (changed, >, 60);
  vg_tile_rings_free (rings);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  folder = fixture_folder ();
  g_test_add_func ("/tile-files/labels", test_labels);
  g_test_add_func ("/tile-files/rings", test_rings);
  status = g_test_run ();
  fixture_remove_folder (folder);
  return status;
}
