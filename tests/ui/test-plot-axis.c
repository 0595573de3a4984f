/* SPDX-License-Identifier: MIT */
/* Axes of plots: their ticks and their words. */
#include <math.h>
#include <string.h>
#include "ui/plot/vg-plot-scene.h"

static void
test_axis (void)
{
  VgPlotAxis axis = { .start = 10, .end = 110 };
  VgPlotTick ticks[VG_PLOT_MAX_TICKS];
  guint n;

  vg_plot_axis_fit (&axis, 0, 100, FALSE, FALSE);
  g_assert_cmpfloat (vg_plot_axis_to_pixel (&axis, 50), ==, 60);
  g_assert_cmpfloat (vg_plot_axis_to_value (&axis, 60), ==, 50);
  n = vg_plot_axis_ticks (&axis, 5, ticks);
  g_assert_cmpuint (n, >=, 5);
  g_assert_cmpstr (ticks[0].label, ==, "0");
  g_assert_cmpstr (ticks[n - 1].label, ==, "100");
  vg_plot_axis_fit (&axis, 0.01, 1000, TRUE, FALSE);
  g_assert_cmpfloat_with_epsilon (vg_plot_axis_to_pixel (&axis, 1), 50, 1e-9);
  g_assert_true (isnan (vg_plot_axis_to_pixel (&axis, -1)));
  n = vg_plot_axis_ticks (&axis, 10, ticks);
  g_assert_cmpuint (n, ==, 6);
  g_assert_cmpfloat_with_epsilon (ticks[0].value, 0.01, 1e-12);
}

/* What is counted has no ticks between its numbers, and a large number is written as in print. */
static void
test_whole_axis (void)
{
  VgPlotAxis axis = { .min = -3.2, .max = 0.2, .start = 0, .end = 900 };
  VgPlotTick ticks[VG_PLOT_MAX_TICKS];

  g_assert_cmpuint (vg_plot_axis_ticks (&axis, 11, ticks), >, 4);
  axis.whole = TRUE;
  g_assert_cmpuint (vg_plot_axis_ticks (&axis, 11, ticks), ==, 4);
  g_assert_cmpstr (ticks[0].label, ==, "-3");
  axis.min = 0;
  axis.max = 5e7;
  vg_plot_axis_ticks (&axis, 5, ticks);
  g_assert_cmpstr (ticks[2].label, ==, "2×10⁷");
}

/* Decades when there are many, 1, 2 and 5 of each when there is room, and the
 * values between for short ticks. */
static void
test_log_ticks (void)
{
  VgPlotAxis axis = { .min = 0.08, .max = 30, .log_scale = TRUE, .start = 300, .end = 0 };
  static const char *const want[] = { "0.1", "0.2", "0.5", "1", "2", "5", "10", "20" };
  VgPlotTick ticks[VG_PLOT_MAX_TICKS];
  double minor[VG_PLOT_MAX_MINOR];
  guint n = vg_plot_axis_ticks (&axis, 9, ticks);

  g_assert_cmpuint (n, ==, G_N_ELEMENTS (want));
  for (guint i = 0; i < n; i++)
    g_assert_cmpstr (ticks[i].label, ==, want[i]);
  n = vg_plot_axis_minor_ticks (&axis, minor);
  g_assert_cmpuint (n, ==, 2 + 8 + 8 + 2); /* 0.08 0.09, 0.2..0.9, 2..9, 20 30 */
  for (guint i = 1; i < n; i++)
    g_assert_cmpfloat (minor[i], >, minor[i - 1]);
  axis.max = 3e5; /* numbers of one axis are written in one way */
  n = vg_plot_axis_ticks (&axis, 9, ticks);
  g_assert_cmpstr (ticks[0].label, ==, "0.1");
  g_assert_cmpstr (ticks[n - 1].label, ==, "100\342\200\257000");
  axis.max = 3e7;
  n = vg_plot_axis_ticks (&axis, 9, ticks);
  g_assert_cmpstr (ticks[0].label, ==, "10⁻¹");
  g_assert_cmpstr (ticks[n - 1].label, ==, "10⁷");
  axis.max = 1e20;
  g_assert_cmpuint (vg_plot_axis_minor_ticks (&axis, minor), ==, 0);
  axis.log_scale = FALSE;
  g_assert_cmpuint (vg_plot_axis_minor_ticks (&axis, minor), ==, 0);
}

/* Within a decade no two numbers are on top of each other, and there are some. */
static void
test_short_log_axis (void)
{
  static const double ranges[][2] = {
    { 90000, 420000 }, { 1, 7.5 }, { 0.97, 1.04 }, { 0.6, 1.7 }, { 250000, 400000 }
  };

  for (guint i = 0; i < G_N_ELEMENTS (ranges); i++)
    {
      VgPlotAxis axis = {
        .min = ranges[i][0], .max = ranges[i][1], .log_scale = TRUE, .start = 200, .end = 0
      };
      VgPlotTick ticks[VG_PLOT_MAX_TICKS];
      guint n = vg_plot_axis_ticks (&axis, 8, ticks);

      g_assert_cmpuint (n, >=, 3);
      for (guint k = 1; k < n; k++)
        g_assert_cmpfloat (vg_plot_axis_to_pixel (&axis, ticks[k - 1].value) -
                               vg_plot_axis_to_pixel (&axis, ticks[k].value),
                           >, 14);
    }
}

/* Whatever the data are, the range is one that can be drawn. */
static void
test_axis_extremes (void)
{
  const double ranges[][2] = {
    { NAN, NAN },       { 0, 0 },          { 5, 5 },        { -3, -3 }, { INFINITY, -INFINITY },
    { 1e-300, 2e-300 }, { -1e300, 1e300 }, { 1, 1 + 1e-15 }
  };

  for (guint i = 0; i < G_N_ELEMENTS (ranges); i++)
    for (int log_scale = 0; log_scale < 2; log_scale++)
      {
        VgPlotAxis axis = { .start = 0, .end = 300 };
        VgPlotTick ticks[VG_PLOT_MAX_TICKS];
        guint n;
        vg_plot_axis_fit (&axis, ranges[i][0], ranges[i][1], log_scale, TRUE);
        g_assert_true (isfinite (axis.min) && isfinite (axis.max) && axis.max > axis.min);
        g_assert_true (!axis.log_scale || axis.min > 0);
        n = vg_plot_axis_ticks (&axis, 6, ticks);
        g_assert_cmpuint (n, <=, VG_PLOT_MAX_TICKS);
        for (guint k = 0; k < n; k++)
          g_assert_true (isfinite (ticks[k].value));
      }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/plot/axis", test_axis);
  g_test_add_func ("/plot/whole-axis", test_whole_axis);
  g_test_add_func ("/plot/log-ticks", test_log_ticks);
  g_test_add_func ("/plot/short-log-axis", test_short_log_axis);
  g_test_add_func ("/plot/axis-extremes", test_axis_extremes);
  return g_test_run ();
}
