/* SPDX-License-Identifier: MIT */
/* Values along a line, against a map whose values are known everywhere. */
#include "app/profile/vg-line-profile.h"
#include <math.h>

enum { WIDTH = 30, HEIGHT = 20, SLICES = 2 };

/* A plane 3 x + 2 y at image point x, y in its second slice, and 0 in its first. */
static void
fill (VgPlane *plane, float *values)
{
  *plane = (VgPlane){
    .place = VG_HOST, .data = values, .width = WIDTH, .height = HEIGHT, .slices = SLICES
  };
  for (int i = 0; i < WIDTH * HEIGHT; i++)
    {
      values[i] = 0;
      values[WIDTH * HEIGHT + i] = (float) (3 * (i % WIDTH + 0.5) + 2 * (i / WIDTH + 0.5));
    }
}

/* Bilinear values of a plane are exact, however wide and in whatever direction the line is. */
static void
test_plane (void)
{
  float values[WIDTH * HEIGHT * SLICES];
  VgPlane plane;

  fill (&plane, values);
  for (int width = 1; width <= 5; width += 2)
    {
      VgProfileLine line = { { 4.3, 20.1 }, { 5.2, 14.9 }, 1, width };
      g_autoptr (VgCurves) curves = vg_line_profile_new (&plane, &line, "Map", "ns", 1, FALSE);
      const VgSeries *series = curves->series->pdata[0];
      double length = hypot (15.8, 9.7);

      g_assert_cmpint (series->n, ==, (int) round (length) + 1);
      g_assert_cmpfloat_with_epsilon (series->x[series->n - 1], length, 1e-9);
      g_assert_cmpstr (curves->x_unit, ==, "px");
      for (int i = 0; i < series->n; i++)
        {
          double at = (double) i / (series->n - 1);

          g_assert_cmpfloat_with_epsilon (series->y[i],
                                          3 * (4.3 + 15.8 * at) + 2 * (5.2 + 9.7 * at), 1e-4);
        }
    }
}

/* The distance is in the plane's unit, also where pixels are not square. */
static void
test_unit (void)
{
  float values[WIDTH * HEIGHT * SLICES];
  VgProfileLine line = { { 2, 5 }, { 2, 6 }, 0, 1 };
  g_autoptr (VgCurves) curves = NULL;
  const VgSeries *series;
  VgPlane plane;

  fill (&plane, values);
  plane.pixel_size[0] = 1;
  plane.pixel_size[1] = -1;
  g_strlcpy (plane.unit, "mm", sizeof plane.unit);
  curves = vg_line_profile_new (&plane, &line, "Map", "ns", 1, FALSE);
  series = curves->series->pdata[0];
  g_assert_cmpstr (curves->x_unit, ==, "mm");
  g_assert_cmpfloat_with_epsilon (series->x[series->n - 1], 5, 1e-12);
}

/* Along labels each value is that of a pixel, however wide the line is, and no width is told. */
static void
test_labels (void)
{
  float values[WIDTH * HEIGHT * SLICES];
  VgProfileLine line = { { 0.5, 15.3 }, { 0.5, 9.8 }, 0, 7 };
  g_autoptr (VgCurves) curves = NULL;
  const VgSeries *series;
  int steps = 0;
  VgPlane plane;

  fill (&plane, values);
  for (int i = 0; i < WIDTH * HEIGHT; i++)
    values[i] = i % WIDTH >= 6 && i % WIDTH < 9 ? 4 : 1;
  curves = vg_line_profile_new (&plane, &line, "Map", "", 1, TRUE);
  series = curves->series->pdata[0];
  for (int i = 0; i < series->n; i++)
    {
      g_assert_true (series->y[i] == 1 || series->y[i] == 4);
      steps += i > 0 && series->y[i] != series->y[i - 1];
    }
  g_assert_cmpint (steps, ==, 2);
  g_assert_null (curves->metrics);
}

/* Missing values and points outside are left out; a line of no length is refused. */
static void
test_gaps (void)
{
  float values[WIDTH * HEIGHT * SLICES];
  VgProfileLine line = { { -3, 7 }, { 0.5, 0.5 }, 1, 1 };
  double along[11];
  VgPlane plane;

  fill (&plane, values);
  values[WIDTH * HEIGHT + 4] = NAN;
  vg_line_profile_sample (&plane, &line, 11, along);
  for (int i = 0; i < 11; i++)
    g_assert_cmpint (isnan (along[i]), ==, i < 3); /* at -3, -2 and -1 */
  g_assert_cmpfloat_with_epsilon (along[4], 3 * 1.0 + 1, 1e-5);
  g_assert_true (isfinite (along[7])); /* at 4, between a pixel and the missing one */
  line.x[0] = line.x[1] = 4.5;
  line.y[1] = line.y[0];
  g_assert_null (vg_line_profile_new (&plane, &line, "Map", "", 1, FALSE));
  line.x[1] = NAN;
  g_assert_null (vg_line_profile_new (&plane, &line, "Map", "", 1, FALSE));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/profile/plane", test_plane);
  g_test_add_func ("/profile/unit", test_unit);
  g_test_add_func ("/profile/gaps", test_gaps);
  g_test_add_func ("/profile/labels", test_labels);
  return g_test_run ();
}
