/* SPDX-License-Identifier: MIT */
#include "app/figure/vg-curves-figure.h"
#include <math.h>
#include "app/figure/vg-ticks.h"

#define FONT 7.0
#define MARGIN 3.0
#define LINE 0.5
#define TICK 2.5
#define DOT 0.9        /* half the side of a point */
#define RESIDUALS 0.25 /* height of the strip */

enum { MOST_POINTS = 4000, MOST_ERRORS = 300, MARK_LINES = 3 };

/* An axis in values, or in their logarithms. */
typedef struct
{
  double low, high;
  gboolean log_scale;
} Axis;

typedef struct
{
  const VgCurves *curves;
  VgFigure *figure;
  Axis x, y;
  gboolean below; /* the panel of the residuals */
  double left, top, width, height;
} Panel;

/* NaN: not on the axis. */
static double
to_axis (const Axis *self, double value)
{
  double at = self->log_scale ? (value > 0 ? log (value) : NAN) : value;

  return isfinite (at) ? at : NAN;
}

static void
widen (Axis *self, double value)
{
  double at = to_axis (self, value);

  if (isnan (at))
    return;
  self->low = MIN (self->low, at);
  self->high = MAX (self->high, at);
}

/* Room around the values; FALSE: there are none. */
static gboolean
settle (Axis *self, double margin)
{
  double room;

  if (!(self->high >= self->low))
    return FALSE;
  room = self->high > self->low ? margin * (self->high - self->low)
                                : MAX (fabs (self->high) * 0.05, 1e-12);
  self->low -= room;
  self->high += room;
  return TRUE;
}

/* Half a bar beyond the first and the last, and zero. */
static void
widen_for_bars (Panel *self, const VgSeries *series)
{
  double half = series->n > 1 ? fabs (series->x[1] - series->x[0]) / 2 : 0;

  if (series->n > 0 && !self->x.log_scale)
    {
      widen (&self->x, series->x[0] - half);
      widen (&self->x, series->x[series->n - 1] + half);
    }
  if (series->below == self->below && !self->y.log_scale)
    widen (&self->y, 0);
}

static gboolean
set_ranges (Panel *self)
{
  self->x = (Axis){ G_MAXDOUBLE, -G_MAXDOUBLE, self->curves->log_x };
  self->y = (Axis){ G_MAXDOUBLE, -G_MAXDOUBLE, self->curves->log_y && !self->below };
  for (guint i = 0; i < self->curves->series->len; i++)
    {
      const VgSeries *series = self->curves->series->pdata[i];

      for (int k = 0; k < series->n; k++)
        {
          widen (&self->x, series->x[k]);
          if (series->below == self->below && !isnan (to_axis (&self->x, series->x[k])))
            widen (&self->y, series->y[k]);
        }
      if (series->style == VG_SERIES_BARS)
        widen_for_bars (self, series);
    }
  return settle (&self->x, 0) && settle (&self->y, 0.05);
}

static double
x_of (const Panel *self, double value)
{
  return self->left +
         (to_axis (&self->x, value) - self->x.low) / (self->x.high - self->x.low) * self->width;
}

static double
y_of (const Panel *self, double value)
{
  double t = (to_axis (&self->y, value) - self->y.low) / (self->y.high - self->y.low);

  return self->top + (1 - CLAMP (t, 0, 1)) * self->height;
}

static gint32
color_of (const VgSeries *series, guint i)
{
  static const gint32 colors[] = { 0x0072b2, 0xd55e00, 0x009e73, 0xcc79a7,
                                   0xe69f00, 0x56b4e9, 0x8c6bb1, 0x7f7f7f };
  guint index = series->color > 0 ? (guint) series->color - 1 : i;

  return series->rgb != 0 ? (gint32) series->rgb : colors[index % G_N_ELEMENTS (colors)];
}

/* The index of the next sample of SERIES after K that is drawn: every STRIDE-th, and each missing
 * one, because a line ends there. */
static int
find_next (const VgSeries *series, int k, int stride)
{
  const int end = k + stride;

  for (k++; k < end && k < series->n && !isnan (series->y[k]);)
    k++;
  return k;
}

/* A line ends where a value is missing. */
static void
add_line (const Panel *self, const VgSeries *series, gint32 color)
{
  g_autoptr (GArray) points = g_array_new (FALSE, FALSE, sizeof (double));
  const VgFigureStyle style = { .fill = -1, .stroke = color, .width = 1 };
  int stride = MAX (1, series->n / MOST_POINTS);

  for (int k = 0; k <= series->n; k = find_next (series, k, stride))
    {
      double at[2] = { NAN, NAN };

      if (k < series->n)
        {
          at[0] = x_of (self, series->x[k]);
          at[1] = y_of (self, series->y[k]);
        }
      if (k < series->n && isfinite (at[0]) && !isnan (to_axis (&self->y, series->y[k])))
        g_array_append_vals (points, at, 2);
      else if (points->len > 2)
        vg_figure_add_path (self->figure, (const double *) (gpointer) points->data,
                            (int) points->len / 2, &style);
      if (isnan (at[0]) || isnan (at[1]))
        g_array_set_size (points, 0);
    }
  if (points->len > 2)
    vg_figure_add_path (self->figure, (const double *) (gpointer) points->data,
                        (int) points->len / 2, &style);
}

static void
add_points (const Panel *self, const VgSeries *series, gint32 color)
{
  int stride = MAX (1, series->n / MOST_POINTS);

  for (int k = 0; k < series->n; k += stride)
    {
      double x = x_of (self, series->x[k]), y = y_of (self, series->y[k]);

      if (!isfinite (x) || isnan (to_axis (&self->y, series->y[k])))
        continue;
      vg_figure_add_box (self->figure, x - DOT, y - DOT, 2 * DOT, 2 * DOT,
                         &(VgFigureStyle){ .fill = color, .stroke = -1, .opacity = 1 });
    }
}

static void
add_bars (const Panel *self, const VgSeries *series, gint32 color)
{
  for (int k = 0; k < series->n; k++)
    {
      int other = k + 1 < series->n ? k + 1 : k - 1;
      double x = x_of (self, series->x[k]), y = y_of (self, series->y[k]),
             base = self->y.log_scale ? self->top + self->height : y_of (self, 0),
             width = other >= 0 ? fabs (x_of (self, series->x[other]) - x) * 0.9 : self->width / 4;

      if (!isfinite (x) || !isfinite (width) || isnan (to_axis (&self->y, series->y[k])))
        continue;
      x = CLAMP (x - width / 2, self->left, self->left + self->width - width);
      vg_figure_add_box (self->figure, x, MIN (y, base), width, fabs (base - y),
                         &(VgFigureStyle){ .fill = color, .stroke = -1, .opacity = 0.8 });
    }
}

static void
add_errors (const Panel *self, const VgSeries *series)
{
  for (int k = 0; series->error != NULL && k < series->n && series->n <= MOST_ERRORS; k++)
    {
      double x = x_of (self, series->x[k]), low = y_of (self, series->y[k] - series->error[k]),
             high = y_of (self, series->y[k] + series->error[k]);

      if (isfinite (x) && isfinite (low) && isfinite (high))
        vg_figure_add_line (self->figure, x, low, x, high, LINE);
    }
}

static guint
make_ticks (const Axis *axis, guint wanted, VgTick ticks[VG_TICKS_MOST])
{
  return vg_ticks_make (axis->log_scale ? exp (axis->low) : axis->low,
                        axis->log_scale ? exp (axis->high) : axis->high, axis->log_scale, wanted,
                        ticks);
}

static void
add_frame (const Panel *self)
{
  double bottom = self->top + self->height;
  VgTick ticks[VG_TICKS_MOST];
  guint n = make_ticks (&self->y, (guint) CLAMP (self->height / 24, 2, 6), ticks);

  vg_figure_add_box (self->figure, self->left, self->top, self->width, self->height,
                     &(VgFigureStyle){ .fill = -1, .stroke = 0, .width = LINE });
  for (guint i = 0; i < n; i++)
    {
      double y = y_of (self, ticks[i].value);

      vg_figure_add_line (self->figure, self->left - TICK, y, self->left, y, LINE);
      vg_figure_add_text (self->figure, ticks[i].label, self->left - TICK - 2, y + 2.5, FONT,
                          VG_FIGURE_RIGHT, FALSE, 0);
    }
  n = make_ticks (&self->x, 6, ticks);
  for (guint i = 0; i < n; i++)
    vg_figure_add_line (self->figure, x_of (self, ticks[i].value), bottom,
                        x_of (self, ticks[i].value), bottom + TICK, LINE);
}

static void
draw_panel (const Panel *self)
{
  add_frame (self);
  for (guint i = 0; i < self->curves->series->len; i++)
    {
      const VgSeries *series = self->curves->series->pdata[i];
      gint32 color = color_of (series, i);

      if (series->below != self->below || series->n < 1)
        continue;
      if (series->style == VG_SERIES_BARS)
        add_bars (self, series, color);
      else if (series->style == VG_SERIES_LINE)
        add_line (self, series, color);
      else
        add_points (self, series, color);
      add_errors (self, series);
    }
}

/* The marks of the x axis: a line through the panel with its text beside the upper end, in the
 * first line of text where it covers none of a mark before. */
static void
add_marks (const Panel *self)
{
  const GArray *marks = self->curves->marks;
  double end[MARK_LINES] = { -INFINITY, -INFINITY, -INFINITY };

  for (guint i = 0; marks != NULL && i < marks->len; i++)
    {
      const VgCurveMark *mark = &g_array_index (marks, VgCurveMark, i);
      double x = x_of (self, mark->x), width, at;
      guint line = 0;

      if (!(x >= self->left) || !(x <= self->left + self->width))
        continue;
      vg_figure_add_line (self->figure, x, self->top, x, self->top + self->height, LINE);
      width = mark->label != NULL ? vg_figure_measure (mark->label, FONT, FALSE) : 0;
      at = x + width + 4 > self->figure->width ? x - width - 2 : x + 2;
      while (line < MARK_LINES && at - 2 < end[line])
        line++;
      if (width == 0 || line == MARK_LINES)
        continue;
      vg_figure_add_text (self->figure, mark->label, at, self->top + (line + 1) * FONT, FONT,
                          VG_FIGURE_LEFT, FALSE, 0);
      end[line] = at + width + 2;
    }
}

static char *
make_title (const char *label, const char *unit)
{
  const char *name = label != NULL ? label : "";

  return unit != NULL && *unit != '\0' ? g_strdup_printf ("%s (%s)", name, unit) : g_strdup (name);
}

/* The numbers and the title of the x axis, and the names of the series in a row below. */
static void
add_foot (const Panel *panel, double y)
{
  g_autofree char *title = make_title (panel->curves->x_label, panel->curves->x_unit);
  VgTick ticks[VG_TICKS_MOST];
  guint n = make_ticks (&panel->x, 6, ticks);
  double x = panel->left;

  for (guint i = 0; i < n; i++)
    vg_figure_add_text (panel->figure, ticks[i].label, x_of (panel, ticks[i].value),
                        y + TICK + FONT, FONT, VG_FIGURE_MIDDLE, FALSE, 0);
  vg_figure_add_text (panel->figure, title, panel->left + panel->width, y + TICK + 2 * FONT + 3,
                      FONT, VG_FIGURE_RIGHT, FALSE, 0);
  y += TICK + 3 * FONT + 7;
  for (guint i = 0; i < panel->curves->series->len; i++)
    {
      const VgSeries *series = panel->curves->series->pdata[i];
      g_autofree char *name = series->divisor > 1
                                  ? g_strdup_printf ("%s ÷ %g", series->name, series->divisor)
                                  : g_strdup (series->name != NULL ? series->name : "");
      double width = vg_figure_measure (name, FONT, FALSE);

      if (*name == '\0' || x + width + 8 > panel->figure->width)
        continue;
      vg_figure_add_box (
          panel->figure, x, y - 5, 5, 5,
          &(VgFigureStyle){ .fill = color_of (series, i), .stroke = -1, .opacity = 1 });
      vg_figure_add_text (panel->figure, name, x + 7, y, FONT, VG_FIGURE_LEFT, FALSE, 0);
      x += width + 16;
    }
}

/* Room for the numbers at the left of both panels. */
static double
measure_left (const Panel *panels, guint n_panels)
{
  double widest = 0;

  for (guint p = 0; p < n_panels; p++)
    for (guint wanted = 2; wanted <= 6; wanted++)
      {
        VgTick ticks[VG_TICKS_MOST];
        guint n = make_ticks (&panels[p].y, wanted, ticks);

        for (guint i = 0; i < n; i++)
          widest = MAX (widest, vg_figure_measure (ticks[i].label, FONT, FALSE));
      }
  return MARGIN + widest + TICK + 2;
}

VgFigure *
vg_curves_figure_new (const VgCurves *curves, double width_mm, double height_mm)
{
  double width = width_mm * VG_FIGURE_POINTS_PER_MM, height = height_mm * VG_FIGURE_POINTS_PER_MM,
         top = MARGIN + FONT + 5, inner = height - top - 4 * FONT - 10, bottom = top + inner, left;
  Panel panels[2] = { { .curves = curves }, { .curves = curves, .below = TRUE } };
  g_autofree char *title = make_title (curves->y_label, curves->y_unit);
  guint n = 1;

  if (!set_ranges (&panels[0]))
    return NULL;
  n += set_ranges (&panels[1]);
  left = measure_left (panels, n);
  for (guint p = 0; p < n; p++)
    {
      Panel *panel = &panels[p];

      panel->figure = p == 0 ? vg_figure_new (width, height) : panels[0].figure;
      panel->left = left;
      panel->width = width - left - 4 * MARGIN;
      panel->height = n == 1 ? inner : p == 0 ? inner * (1 - RESIDUALS) - 4 : inner * RESIDUALS;
      panel->top = p == 0 ? top : bottom - panel->height;
      draw_panel (panel);
      add_marks (panel);
    }
  panels[0].figure->title = g_strdup (curves->title);
  vg_figure_add_text (panels[0].figure, title, MARGIN, top - 4, FONT, VG_FIGURE_LEFT, FALSE, 0);
  add_foot (&panels[0], bottom);
  return panels[0].figure;
}
