/* SPDX-License-Identifier: MIT */
/* Curves to plot, and their CSV form: a column of x, then one of y for each
 * series that shares it; a series with another x brings its own column. */
#include "kernels/tables/vg-curves.h"
#include "kernels/base/vg-text.h"
#include <math.h>
#include <string.h>

static void
free_series (gpointer data)
{
  VgSeries *series = data;

  g_free (series->name);
  g_free (series->x);
  g_free (series->y);
  g_free (series->error);
  g_free (series);
}

VgCurves *
vg_curves_new (const char *title, const char *x_label, const char *x_unit, const char *y_label,
               const char *y_unit)
{
  VgCurves *self = g_new0 (VgCurves, 1);

  self->title = g_strdup (title);
  self->x_label = g_strdup (x_label);
  self->x_unit = g_strdup (x_unit);
  self->y_label = g_strdup (y_label);
  self->y_unit = g_strdup (y_unit);
  self->series = g_ptr_array_new_with_free_func (free_series);
  self->span[0] = self->span[1] = NAN;
  self->place[0] = self->place[1] = NAN;
  return self;
}

VgSeries *
vg_curves_add (VgCurves *self, const char *name, VgSeriesStyle style, int n)
{
  VgSeries *series;

  g_return_val_if_fail (n >= 0, NULL);
  series = g_new0 (VgSeries, 1);
  series->name = g_strdup (name);
  series->style = style;
  series->n = n;
  series->x = g_new0 (double, MAX (n, 1));
  series->y = g_new0 (double, MAX (n, 1));
  g_ptr_array_add (self->series, series);
  return series;
}

void
vg_curves_in_length (VgCurves *self, VgLength length)
{
  double factor;
  const char *unit = vg_length_convert (self->x_unit, length, &factor);
  char *text;

  if (isfinite (self->place[0]) && isfinite (self->place[1]))
    {
      text = g_strdup_printf ("%s %.4g, %s %.4g %s%s", self->place_names[0],
                              factor * self->place[0], self->place_names[1],
                              factor * self->place[1], unit, self->title);
      g_free (self->title);
      self->title = text;
      self->place[0] = self->place[1] = NAN;
    }
  if (factor == 1 || isfinite (self->span[0]))
    return;
  for (guint i = 0; i < self->series->len; i++)
    {
      VgSeries *series = self->series->pdata[i];

      for (int k = 0; k < series->n; k++)
        series->x[k] *= factor;
    }
  text = g_strdup (unit);
  g_free (self->x_unit);
  self->x_unit = text;
}

gboolean
vg_curve_marks_add (GArray *marks, double x, const char *label)
{
  const VgCurveMark mark = { x, label };
  guint at = marks->len;

  if (!isfinite (x))
    return FALSE;
  while (at > 0 && g_array_index (marks, VgCurveMark, at - 1).x > x)
    at--;
  for (guint i = at; i > 0 && g_array_index (marks, VgCurveMark, i - 1).x >= x; i--)
    if (g_array_index (marks, VgCurveMark, i - 1).label == label)
      return FALSE;
  g_array_insert_val (marks, at, mark);
  if (marks->len > VG_CURVES_MOST_MARKS)
    g_array_remove_index (marks, 0);
  return TRUE;
}

double
vg_series_get_mean (const VgSeries *self, double end, double span, int *n)
{
  double sum = 0;
  int found = 0;

  for (int i = 0; i < self->n; i++)
    if (isfinite (self->y[i]) && self->x[i] > end - span && self->x[i] <= end)
      {
        sum += self->y[i];
        found++;
      }
  if (n != NULL)
    *n = found;
  return found > 0 ? sum / found : NAN;
}

void
vg_curves_mark (VgCurves *self, double x, const char *label)
{
  if (self->marks == NULL)
    self->marks = g_array_new (FALSE, FALSE, sizeof (VgCurveMark));
  vg_curve_marks_add (self->marks, x, label);
}

char *
vg_curve_marks_between (const GArray *marks, double from, double to)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; marks != NULL && i < marks->len; i++)
    {
      const VgCurveMark *mark = &g_array_index (marks, VgCurveMark, i);

      if (mark->x > from && mark->x <= to)
        g_string_append_printf (text, "%s%s", text->len > 0 ? "; " : "", mark->label);
    }
  return text->len > 0 ? g_strdup (text->str) : NULL;
}

static void
append_text_cell (GString *csv, const char *text, const char *unit, const char *suffix)
{
  g_autofree char *whole = NULL;

  if (csv->len > 0)
    g_string_append_c (csv, ',');
  if (unit != NULL && *unit != '\0')
    whole = g_strdup_printf ("%s (%s)%s", text != NULL ? text : "", unit, suffix);
  else
    whole = g_strconcat (text != NULL ? text : "", suffix, NULL);
  vg_text_append_cell (csv, whole);
}

/* An empty cell where there is no value.  Times and samples come from single
 * precision: digits beyond it, as in 1.850000023841858, say nothing. */
static void
append_number_cell (GString *csv, const double *values, double factor, int n, int i, gboolean first)
{
  if (!first)
    g_string_append_c (csv, ',');
  if (i < n && isfinite (values[i]) && fabs (factor * values[i]) < 1e6)
    vg_text_append_float (csv, (float) (factor * values[i]));
  else if (i < n && isfinite (values[i]))
    vg_text_append_number (csv, factor * values[i]);
}

static gboolean
shares_x (const VgCurves *self, guint i)
{
  const VgSeries *a, *b;

  if (i == 0)
    return FALSE;
  a = self->series->pdata[i - 1];
  b = self->series->pdata[i];
  return a->n == b->n && (a->n == 0 || memcmp (a->x, b->x, sizeof (double) * (gsize) a->n) == 0);
}

/* Appends the texts of the marks after the previous row of SERIES and up to ROW. */
static void
append_mark_cell (GString *csv, const GArray *marks, const VgSeries *series, int row)
{
  g_autofree char *text = NULL;

  if (row < series->n)
    text = vg_curve_marks_between (
        marks, row > 0 ? series->x[row - 1] : nextafter (series->x[0], -INFINITY), series->x[row]);
  g_string_append_c (csv, ',');
  if (text != NULL)
    vg_text_append_cell (csv, text);
}

static gboolean
has_marks (const VgCurves *self)
{
  return self->marks != NULL && self->marks->len > 0 && self->series->len > 0;
}

/* Each column of times has one of marks, after the last of its series. */
static gboolean
ends_times (const VgCurves *self, guint i)
{
  const VgSeries *series = self->series->pdata[i];

  return has_marks (self) && series->n > 0 &&
         (i + 1 == self->series->len || !shares_x (self, i + 1));
}

/* What the values of SERIES are: "Region 1: Flow index, mean". */
static char *
name_values (const VgCurves *self, const VgSeries *series)
{
  if (self->y_label == NULL || *self->y_label == '\0' ||
      g_strcmp0 (series->name, self->y_label) == 0)
    return g_strdup (series->name);
  return g_strdup_printf ("%s: %s", series->name, self->y_label);
}

char *
vg_curves_to_csv (const VgCurves *self)
{
  GString *csv = g_string_new (NULL);
  const VgSeries *longest = NULL; /* another may be empty, as that of a region without values */

  for (guint i = 0; i < self->series->len; i++)
    {
      const VgSeries *series = self->series->pdata[i];
      g_autofree char *name = name_values (self, series);

      if (!shares_x (self, i))
        append_text_cell (csv, self->x_label, self->x_unit, "");
      append_text_cell (csv, name, self->y_unit, "");
      if (series->error != NULL)
        append_text_cell (csv, name, self->y_unit, " error");
      if (ends_times (self, i))
        append_text_cell (csv, "Mark", NULL, "");
      if (longest == NULL || series->n > longest->n)
        longest = series;
    }
  g_string_append_c (csv, '\n');
  for (int row = 0; longest != NULL && row < longest->n; row++)
    {
      for (guint i = 0; i < self->series->len; i++)
        {
          const VgSeries *series = self->series->pdata[i];
          double factor = series->divisor > 0 ? series->divisor : 1;

          if (!shares_x (self, i))
            append_number_cell (csv, series->x, 1, series->n, row, i == 0);
          append_number_cell (csv, series->y, factor, series->n, row, FALSE);
          if (series->error != NULL)
            append_number_cell (csv, series->error, factor, series->n, row, FALSE);
          if (ends_times (self, i))
            append_mark_cell (csv, self->marks, series, row);
        }
      g_string_append_c (csv, '\n');
    }
  return g_string_free (csv, FALSE);
}

void
vg_curves_free (VgCurves *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->marks, g_array_unref);
  g_free (self->outputs);
  g_free (self->found);
  g_clear_pointer (&self->metrics, vg_metrics_free);
  g_free (self->title);
  g_free (self->x_label);
  g_free (self->x_unit);
  g_free (self->y_label);
  g_free (self->y_unit);
  g_ptr_array_unref (self->series);
  g_free (self);
}
