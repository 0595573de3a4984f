/* SPDX-License-Identifier: MIT */
#include "app/events/vg-event-average.h"
#include <math.h>
#include "kernels/base/vg-error.h"
#include "kernels/base/vg-text.h"

enum { MOST_STEPS = 4096 };

const VgEventWindow vg_event_window_usual = { 5, 20 };

/* The mean time between two points; 0: there are fewer. */
static double
find_step (const VgSeries *series)
{
  return series->n > 1 ? (series->x[series->n - 1] - series->x[0]) / (series->n - 1) : 0;
}

static gboolean
is_within (const VgSeries *series, double event, const VgEventWindow *window)
{
  double slack = find_step (series);

  return series->n > 1 && event - window->before_s >= series->x[0] - slack &&
         event + window->after_s <= series->x[series->n - 1] + slack;
}

/* What one event adds to a series: the mean of the values in each step of time. */
static void
add_event (const VgSeries *series, double event, const VgEventWindow *window, double step, int n,
           double *sums, double *squares, int *counts)
{
  g_autofree double *own = g_new0 (double, n);
  g_autofree int *points = g_new0 (int, n);

  for (int i = 0; i < series->n; i++)
    {
      double at = (series->x[i] - event + window->before_s) / step;

      if (!isfinite (series->y[i]) || !(at > -0.5 && at < n - 0.5))
        continue;
      own[(int) floor (at + 0.5)] += series->y[i];
      points[(int) floor (at + 0.5)]++;
    }
  for (int k = 0; k < n; k++)
    if (points[k] > 0)
      {
        double mean = own[k] / points[k];

        sums[k] += mean;
        squares[k] += mean * mean;
        counts[k]++;
      }
}

/* TRUE: at least one event counts. */
static gboolean
average_series (VgCurves *to, const VgSeries *series, const GArray *events,
                const VgEventWindow *window)
{
  double step = find_step (series);
  int n = step > 0
              ? (int) CLAMP (floor ((window->before_s + window->after_s) / step) + 1, 2, MOST_STEPS)
              : 0,
      kept = 0;
  g_autofree double *sums = g_new0 (double, n + 1), *squares = g_new0 (double, n + 1);
  g_autofree int *counts = g_new0 (int, n + 1);
  VgSeries *average;

  if (n == 0)
    return FALSE;
  step = (window->before_s + window->after_s) / (n - 1);
  for (guint i = 0; i < events->len; i++)
    if (is_within (series, g_array_index (events, double, i), window))
      add_event (series, g_array_index (events, double, i), window, step, n, sums, squares, counts);
  for (int k = 0; k < n; k++)
    kept += counts[k] > 0;
  if (kept == 0)
    return FALSE;
  average = vg_curves_add (to, series->name, VG_SERIES_LINE, kept);
  average->color = series->color;
  average->error = g_new0 (double, kept);
  kept = 0;
  for (int k = 0; k < n; k++)
    if (counts[k] > 0)
      {
        double mean = sums[k] / counts[k], spread = fmax (squares[k] / counts[k] - mean * mean, 0);

        average->x[kept] = k * step - window->before_s;
        average->y[kept] = mean;
        average->error[kept++] = counts[k] > 1 ? sqrt (spread / (counts[k] - 1)) : 0;
      }
  return TRUE;
}

VgCurves *
vg_event_average_new (const VgCurves *curves, const GArray *events, const VgEventWindow *window)
{
  g_autoptr (VgCurves) average = vg_curves_new (curves->title, "Time from the event",
                                                curves->x_unit, curves->y_label, curves->y_unit);
  gboolean any = FALSE;

  for (guint i = 0; i < curves->series->len; i++)
    any |= average_series (average, curves->series->pdata[i], events, window);
  return any ? g_steal_pointer (&average) : NULL;
}

GArray *
vg_event_average_marks (const VgCurves *curves)
{
  GArray *events = g_array_new (FALSE, FALSE, sizeof (double));

  for (guint i = 0; curves->marks != NULL && i < curves->marks->len; i++)
    g_array_append_val (events, g_array_index (curves->marks, VgCurveMark, i).x);
  return events;
}

/* Reads numbers that are separated by commas into VALUES. */
static gboolean
read_numbers (const char *text, GArray *values)
{
  g_auto (GStrv) words = g_strsplit (text, ",", -1);

  for (guint i = 0; words[i] != NULL; i++)
    {
      char *end;
      double value = g_ascii_strtod (words[i], &end);

      if (end == words[i] || *end != '\0' || !isfinite (value))
        return FALSE;
      g_array_append_val (values, value);
    }
  return values->len > 0;
}

GArray *
vg_event_average_parse (const char *text, VgEventWindow *window, GError **error)
{
  g_auto (GStrv) parts = g_strsplit (text, ":", 2);
  g_autoptr (GArray) events = g_array_new (FALSE, FALSE, sizeof (double)),
                     sides = g_array_new (FALSE, FALSE, sizeof (double));
  g_autofree char *quoted = NULL;

  *window = vg_event_window_usual;
  if (parts[0] != NULL && read_numbers (parts[0], events) &&
      (parts[1] == NULL ||
       (read_numbers (parts[1], sides) && sides->len == 2 &&
        g_array_index (sides, double, 0) >= 0 && g_array_index (sides, double, 1) > 0)))
    {
      if (sides->len == 2)
        *window = (VgEventWindow){ g_array_index (sides, double, 0),
                                   g_array_index (sides, double, 1) };
      return g_steal_pointer (&events);
    }
  quoted = vg_text_quote (text);
  g_set_error (error, VG_USAGE_ERROR, 0,
               "%s is not a list of times; write T1,T2,... in seconds, and the seconds before and "
               "after each if you like, such as 10,40,70:5,20",
               quoted);
  return NULL;
}
