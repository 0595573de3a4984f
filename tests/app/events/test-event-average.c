/* SPDX-License-Identifier: MIT */
/* Averages around events of a course whose values are known. */
#include "app/events/vg-event-average.h"
#include <math.h>
#include <string.h>
#include "kernels/base/vg-error.h"

enum { POINTS = 600 };

static const double step_s = 0.1;
static const double events_s[] = { 10, 20, 30, 59.5 };

/* Two series: after each event the first rises as 1, 2, 3 times its time from the event; the second
 * is 5 everywhere. */
static VgCurves *
make_course (void)
{
  VgCurves *curves = vg_curves_new ("Flow", "Time", "s", "Flow", "1/s");

  for (int k = 0; k < 2; k++)
    {
      VgSeries *series = vg_curves_add (curves, k == 0 ? "a" : "b", VG_SERIES_LINE, POINTS);

      for (int i = 0; i < POINTS; i++)
        {
          double t = i * step_s, value = 0;

          for (int e = 0; e < 3; e++)
            if (t >= events_s[e] && t < events_s[e] + 5)
              value = (e + 1) * (t - events_s[e]);
          series->x[i] = t;
          series->y[i] = k == 0 ? value : 5;
        }
      series->y[0] = NAN;
    }
  for (guint e = 0; e < G_N_ELEMENTS (events_s); e++)
    vg_curves_mark (curves, events_s[e], "stimulus");
  return curves;
}

/* The last event is too near to the end to count. */
static void
test_average (void)
{
  g_autoptr (VgCurves) course = make_course ();
  g_autoptr (GArray) marks = vg_event_average_marks (course);
  const VgEventWindow window = { 2, 4 };
  g_autoptr (VgCurves) average = vg_event_average_new (course, marks, &window);
  const VgSeries *first, *second;

  g_assert_nonnull (average);
  g_assert_cmpint (average->series->len, ==, 2);
  first = average->series->pdata[0];
  second = average->series->pdata[1];
  g_assert_cmpint (first->n, ==, 61);
  g_assert_cmpfloat_with_epsilon (first->x[0], -2, 1e-9);
  g_assert_cmpfloat_with_epsilon (first->x[60], 4, 1e-9);
  for (int i = 0; i < first->n; i++)
    {
      double t = fmax (first->x[i], 0), spread = t * sqrt (2.0 / 3);

      g_assert_cmpfloat_with_epsilon (first->y[i], 2 * t, 1e-6);
      g_assert_cmpfloat_with_epsilon (first->error[i], spread / sqrt (2), 1e-6);
      g_assert_cmpfloat_with_epsilon (second->y[i], 5, 1e-12);
      g_assert_cmpfloat_with_epsilon (second->error[i], 0, 1e-6);
    }
}

static void
test_none (void)
{
  g_autoptr (VgCurves) course = make_course ();
  g_autoptr (GArray) none = g_array_new (FALSE, FALSE, sizeof (double));
  const VgEventWindow window = { 2, 100 };
  g_autoptr (GArray) marks = vg_event_average_marks (course);

  g_assert_null (vg_event_average_new (course, none, &window));
  g_assert_null (vg_event_average_new (course, marks, &window));
}

static void
test_parse (void)
{
  static const char *const wrong[] = {
    "", "a", "1,", "1:2", "1:-1,2", "1:2,0", "1,nan", "1:2,3,4"
  };
  VgEventWindow window;
  g_autoptr (GArray) events = vg_event_average_parse ("10,40.5:5,20", &window, NULL);
  g_autoptr (GArray) plain = NULL;

  g_assert_cmpint (events->len, ==, 2);
  g_assert_cmpfloat (g_array_index (events, double, 1), ==, 40.5);
  g_assert_cmpfloat (window.before_s, ==, 5);
  g_assert_cmpfloat (window.after_s, ==, 20);
  plain = vg_event_average_parse ("3", &window, NULL);
  g_assert_cmpfloat (window.after_s, ==, vg_event_window_usual.after_s);
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (vg_event_average_parse (wrong[i], &window, &error));
      g_assert_error (error, VG_USAGE_ERROR, 0);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/event-average/average", test_average);
  g_test_add_func ("/event-average/none", test_none);
  g_test_add_func ("/event-average/parse", test_parse);
  return g_test_run ();
}
