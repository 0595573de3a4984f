/* SPDX-License-Identifier: MIT */
/* Colour maps by their published end points and their lightness, and the way
 * from a value to a colour. */
#include "kernels/shared/vg-colormap.h"
#include "kernels/shared/vg-coloring-formula.h"
#include <math.h>
#include <string.h>

static double
linear (guint8 c)
{
  double v = c / 255.0;

  return v <= 0.04045 ? v / 12.92 : pow ((v + 0.055) / 1.055, 2.4);
}

/* CIE L* of an sRGB triple. */
static double
lightness (const guint8 *rgb)
{
  double y = 0.2126 * linear (rgb[0]) + 0.7152 * linear (rgb[1]) + 0.0722 * linear (rgb[2]);

  return y > 216.0 / 24389 ? 116 * cbrt (y) - 16 : y * 24389 / 27;
}

static void
test_maps (void)
{
  const char *ids[] = { "viridis", "magma", "inferno",  "cividis",
                        "turbo",   "gray",  "coolwarm", "categories" };
  const guint8 ends[][6] = {
    { 68, 1, 84, 253, 231, 37 }, { 0, 0, 4, 252, 253, 191 },       { 0, 0, 4, 252, 255, 164 },
    { 0, 34, 78, 254, 232, 56 }, { 48, 18, 59, 122, 4, 3 },        { 0, 0, 0, 255, 255, 255 },
    { 59, 76, 192, 180, 4, 38 }, { 190, 190, 190, 180, 255, 160 },
  };
  guint n;
  const VgColormap *maps = vg_colormaps (&n);

  g_assert_cmpuint (n, ==, G_N_ELEMENTS (ids));
  for (guint i = 0; i < n; i++)
    {
      g_assert_true (vg_colormap_find (ids[i]) == &maps[i]);
      g_assert_cmpstr (maps[i].id, ==, ids[i]);
      for (int c = 0; c < 3; c++)
        {
          g_assert_cmpint (abs (maps[i].rgb[0][c] - ends[i][c]), <=, 1);
          g_assert_cmpint (abs (maps[i].rgb[255][c] - ends[i][3 + c]), <=, 1);
        }
    }
  g_assert_null (vg_colormap_find ("jet"));
  g_assert_null (vg_colormap_find (NULL));
}

/* Sequential maps get lighter all the way, the diverging one up to its middle
 * and then darker; none jumps. */
static void
test_lightness (void)
{
  guint n;
  const VgColormap *maps = vg_colormaps (&n);

  for (guint i = 0; i < n && !g_str_equal (maps[i].id, "categories"); i++)
    for (int k = 1; k < 256; k++)
      {
        double step = lightness (maps[i].rgb[k]) - lightness (maps[i].rgb[k - 1]);

        g_assert_cmpfloat (fabs (step), <, 2.5);
        if (g_str_equal (maps[i].id, "turbo"))
          continue;
        if (!maps[i].diverging || k < 124)
          g_assert_cmpfloat (step, >, -0.35);
        else if (k > 132)
          g_assert_cmpfloat (step, <, 0.35);
      }
}

/* A label has its own colour, and the one that the map with limits 0 and 15 gives it. */
static void
test_categories (void)
{
  const VgColoring coloring = {
    .colormap = vg_colormap_find ("categories"), .low = 0, .high = 15, .gamma = 1
  };
  guint8 rgb[16][3];

  for (guint i = 0; i < 16; i++)
    {
      float label = (float) i;
      guint8 rgba[4];

      vg_colormap_category (i, rgb[i]);
      vg_coloring_apply (&coloring, &label, 1, rgba);
      g_assert_cmpmem (rgba, 3, rgb[i], 3);
      for (guint k = 0; k < i; k++)
        g_assert_cmpint (abs (rgb[i][0] - rgb[k][0]) + abs (rgb[i][1] - rgb[k][1]) +
                             abs (rgb[i][2] - rgb[k][2]),
                         >, 60);
    }
}

static VgColoring
make_coloring (double low, double high, double gamma, gboolean log_scale)
{
  return (VgColoring){
    .colormap = vg_colormap_find ("viridis"),
    .low = low,
    .high = high,
    .gamma = gamma,
    .log_scale = log_scale,
    .invalid_rgb = { 1, 2, 3 },
  };
}

static void
test_position (void)
{
  for (int i = 0; i < 5000; i++)
    {
      double low = g_test_rand_double_range (-50, 50), high = g_test_rand_double_range (-50, 50);
      double gamma = g_test_rand_double_range (0.2, 5), value = g_test_rand_double_range (-60, 60);
      VgColoring coloring = make_coloring (low, high, gamma, FALSE);
      double t = fmin (fmax ((value - low) / (high - low), 0), 1);

      g_assert_cmpfloat_with_epsilon (vg_coloring_position (&coloring, value), pow (t, gamma),
                                      1e-12);
      coloring.log_scale = TRUE;
      coloring.low = exp (low / 5);
      coloring.high = exp (high / 5);
      g_assert_cmpfloat_with_epsilon (vg_coloring_position (&coloring, exp (value / 5)),
                                      pow (t, gamma), 1e-9);
    }
}

static void
test_edges (void)
{
  VgColoring straight = make_coloring (2, 4, 1, FALSE), reversed = make_coloring (4, 2, 1, FALSE);
  VgColoring equal = make_coloring (3, 3, 1, FALSE), logarithmic = make_coloring (0, 100, 1, TRUE);
  VgColoring back = make_coloring (100, 1, 1, TRUE), hopeless = make_coloring (-5, -1, 1, TRUE);

  g_assert_true (isnan (vg_coloring_position (&straight, NAN)));
  g_assert_true (isnan (vg_coloring_position (&straight, INFINITY)));
  g_assert_true (isnan (vg_coloring_position (&logarithmic, -INFINITY)));
  g_assert_cmpfloat (vg_coloring_position (&straight, 3.4e38), ==, 1);
  g_assert_cmpfloat (vg_coloring_position (&straight, -3.4e38), ==, 0);
  g_assert_cmpfloat (vg_coloring_position (&reversed, 2.5), ==, 0.75);
  g_assert_cmpfloat (vg_coloring_position (&reversed, 9), ==, 0);
  g_assert_cmpfloat (vg_coloring_position (&equal, 2.9), ==, 0);
  g_assert_cmpfloat (vg_coloring_position (&equal, 3), ==, 0.5);
  g_assert_cmpfloat (vg_coloring_position (&equal, 3.1), ==, 1);
  /* six decades below the limit that is given */
  g_assert_cmpfloat_with_epsilon (vg_coloring_position (&logarithmic, 0.1), 0.5, 1e-12);
  g_assert_cmpfloat (vg_coloring_position (&logarithmic, 0), ==, 0);
  g_assert_cmpfloat (vg_coloring_position (&logarithmic, -7), ==, 0);
  g_assert_cmpfloat (vg_coloring_position (&back, -7), ==, 1);
  g_assert_cmpfloat_with_epsilon (vg_coloring_position (&back, 10), 0.5, 1e-12);
  g_assert_cmpfloat_with_epsilon (vg_coloring_position (&hopeless, 1e-3), 0.5, 1e-12);
}

static void
test_apply (void)
{
  enum { N = 70001 };
  g_autofree float *values = g_new (float, N);
  g_autofree guint8 *rgba = g_new (guint8, 4 * N);
  VgColoring coloring = make_coloring (0.2, 0.9, 0.7, FALSE);

  for (int i = 0; i < N; i++)
    values[i] = i % 17 == 0 ? NAN : (float) g_test_rand_double ();
  vg_coloring_apply (&coloring, values, N, rgba);
  for (int i = 0; i < N; i++)
    {
      double t = fmin (fmax ((values[i] - 0.2) / (0.9 - 0.2), 0), 1);
      const guint8 *rgb = isnan (values[i])
                              ? coloring.invalid_rgb
                              : coloring.colormap->rgb[(int) floor (pow (t, 0.7) * 255 + 0.5)];

      g_assert_cmpmem (rgba + 4 * i, 3, rgb, 3);
      g_assert_cmpint (rgba[4 * i + 3], ==, 255);
    }
  g_assert_cmpint (vg_coloring_index (0), ==, 0);
  g_assert_cmpint (vg_coloring_index (1), ==, 255);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/colormap/maps", test_maps);
  g_test_add_func ("/colormap/categories", test_categories);
  g_test_add_func ("/colormap/lightness", test_lightness);
  g_test_add_func ("/colormap/position", test_position);
  g_test_add_func ("/colormap/edges", test_edges);
  g_test_add_func ("/colormap/apply", test_apply);
  return g_test_run ();
}
