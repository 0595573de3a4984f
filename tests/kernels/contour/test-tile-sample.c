/* SPDX-License-Identifier: MIT */
/* The look at a slide: the same picture repeated over slides of any size is
 * measured alike, though it is seen in patches only. */
#include "kernels/contour/engine/contour-engine.h"
#include "kernels/contour/engine/contour-calibration.h"
#include "app/compute/vg-tile-sample.h"
#include <math.h>
#include <string.h>

enum { BASE_WIDTH = 1000, BASE_HEIGHT = 720 };

static guint8 *base;

/* Nuclei of 5 to 12 px: larger ones to the right, so that it matters what is looked at. */
static void
draw_base (void)
{
  base = g_malloc (3 * BASE_WIDTH * BASE_HEIGHT);
  for (int i = 0; i < BASE_WIDTH * BASE_HEIGHT; i++)
    {
      int x = i % BASE_WIDTH, y = i / BASE_WIDTH, column = x / 40, row = y / 40;
      double radius = 5.0 + 7.0 * (column + (row * 7 + column * 5) % 18 / 18.0) / (BASE_WIDTH / 40),
             dx = x % 40 - 20 - (row * 7 + column * 3) % 9 + 4,
             dy = y % 40 - 20 - (column * 5 + row) % 7 + 3;
      gboolean in = hypot (dx, dy) < radius;
      int noise = (int) ((guint32) i * 2654435761u >> 28);

      base[3 * i] = (guint8) ((in ? 90 : 225) + noise);
      base[3 * i + 1] = (guint8) ((in ? 70 : 185) + noise);
      base[3 * i + 2] = (guint8) ((in ? 150 : 215) + noise);
    }
}

static gboolean
read_region (VgSource *self, int level, gint64 x, gint64 y, int width, int height, guint8 *rgb,
             GError **error)
{
  for (int j = 0; j < height; j++)
    for (int i = 0; i < width; i++)
      memcpy (rgb + 3 * ((gsize) j * (gsize) width + (gsize) i),
              base + 3 * ((y + j) % BASE_HEIGHT * BASE_WIDTH + (x + i) % BASE_WIDTH), 3);
  return TRUE;
}

static double
radius_of (int side)
{
  static const VgSourceClass class = { .read_region = read_region };
  VgLevel level = { side, side, 1.0, 256, 256 };
  const VgPyramid pyramid = { .levels = &level, .n_levels = 1 };
  VgSource source = { .class = &class,
                      .pyramid = &pyramid,
                      .name = (char *) "mosaic",
                      .info = { .width = side,
                                .height = side,
                                .channels = 3,
                                .frames = 1,
                                .slices = 1,
                                .bins = 1,
                                .type = VG_U8 } };
  g_autoptr (VgImage) sample = vg_tile_sample (&source, NULL);
  VgContourParams *params = vg_params_new (&vg_contour_operation.params);
  VgContourScale scale = { .known = FALSE };
  VgContourForeground *foreground = vg_contour_calibrate (
      sample, params, &(VgContext){ .params = params, .image = sample }, &scale, NULL);
  double radius = foreground->radius;

  vg_contour_foreground_free (foreground);
  vg_params_free (&vg_contour_operation.params, params);
  return radius;
}

static void
test_repeated (void)
{
  static const int sides[] = { 5120, 10240, 20480 };
  double low = INFINITY, high = 0.0;

  draw_base ();
  for (guint i = 0; i < G_N_ELEMENTS (sides); i++)
    {
      double radius = radius_of (sides[i]);

      g_test_message ("%d px: a radius of %.3f px", sides[i], radius);
      low = MIN (low, radius);
      high = MAX (high, radius);
    }
  g_free (base);
  /* Of slides from 5120 to 40960 px the radii scatter by 1.5 % (standard deviation): three of them
   * lie within 3.3 such in 95 of 100 cases, 5 %.  For 2 % the patches would have to be six times as
   * many. */
  g_assert_cmpfloat (high, <, 1.05 * low);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/tile-sample/repeated", test_repeated);
  return g_test_run ();
}
