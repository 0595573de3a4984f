/* SPDX-License-Identifier: MIT */
/* Series to paths.  A line with more samples than pixels is drawn as the
 * range of each pixel column, so an hour of points costs as much as a minute
 * and no peak is lost. */
#include "ui/plot/vg-plot-layer.h"
#include <math.h>

static gboolean
place (const VgSeries *series, int i, const VgPlotAxis *x, const VgPlotAxis *y, double *px,
       double *py)
{
  *px = vg_plot_axis_to_pixel (x, series->x[i]);
  *py = vg_plot_axis_to_pixel (y, series->y[i]);
  /* Far outside is kept near: cairo's coordinates are 24.8 fixed point. */
  *py = CLAMP (*py, -1e5, 1e5);
  *px = CLAMP (*px, -1e5, 1e5);
  return isfinite (*px) && isfinite (*py);
}

static void
line_exact (const VgSeries *series, const VgPlotAxis *x, const VgPlotAxis *y, cairo_t *cr)
{
  gboolean pen_down = FALSE;

  for (int i = 0; i < series->n; i++)
    {
      double px, py;
      if (!place (series, i, x, y, &px, &py))
        {
          pen_down = FALSE;
          continue;
        }
      if (pen_down)
        cairo_line_to (cr, px, py);
      else
        cairo_move_to (cr, px, py);
      pen_down = TRUE;
    }
}

/* Samples between gaps, which a line passes over. */
static void
draw_alone (const VgSeries *series, const VgPlotAxis *x, const VgPlotAxis *y, cairo_t *cr)
{
  gboolean before = FALSE, here = FALSE;
  double px = 0, py = 0;

  for (int i = 0; i <= series->n; i++)
    {
      double next_x = 0, next_y = 0;
      gboolean next = i < series->n && place (series, i, x, y, &next_x, &next_y);

      if (here && !before && !next)
        {
          cairo_new_sub_path (cr);
          cairo_arc (cr, px, py, 1.6, 0, 2 * G_PI);
        }
      before = here;
      here = next;
      px = next_x;
      py = next_y;
    }
  cairo_fill (cr);
}

/* First, lowest, highest and last sample of each pixel column.  A missing value breaks the line. */
static void
line_decimated (const VgSeries *series, const VgPlotAxis *x, const VgPlotAxis *y, cairo_t *cr)
{
  double column = NAN, low = 0, high = 0, last = 0;
  gboolean pen_down = FALSE;

  for (int i = 0; i < series->n; i++)
    {
      double px, py;
      gboolean there = place (series, i, x, y, &px, &py);

      if (there && floor (px) == column)
        {
          low = fmax (low, py);
          high = fmin (high, py);
          last = py;
          continue;
        }
      if (pen_down)
        {
          cairo_line_to (cr, column, low);
          cairo_line_to (cr, column, high);
          cairo_line_to (cr, column, last);
        }
      if (!there)
        {
          column = NAN;
          pen_down = FALSE;
          continue;
        }
      column = floor (px);
      if (pen_down)
        cairo_line_to (cr, column, py);
      else
        cairo_move_to (cr, column, py);
      pen_down = TRUE;
      low = high = last = py;
    }
  if (pen_down)
    {
      cairo_line_to (cr, column, low);
      cairo_line_to (cr, column, high);
      cairo_line_to (cr, column, last);
    }
}

static void
draw_points (const VgSeries *series, const VgPlotAxis *x, const VgPlotAxis *y, cairo_t *cr)
{
  double last_x = NAN, last_y = NAN;

  for (int i = 0; i < series->n; i++)
    {
      double px, py;
      if (!place (series, i, x, y, &px, &py) ||
          (fabs (px - last_x) < 0.5 && fabs (py - last_y) < 0.5))
        continue;
      cairo_new_sub_path (cr);
      cairo_arc (cr, px, py, 2.2, 0, 2 * G_PI);
      last_x = px;
      last_y = py;
    }
  cairo_fill (cr);
}

double
vg_plot_layer_bar_pitch (const VgSeries *series, int i)
{
  int j = i > 0 ? i - 1 : MIN (i + 1, series->n - 1);

  return i == j ? 1 : fabs (series->x[i] - series->x[j]);
}

static void
draw_bars (const VgSeries *series, const VgPlotAxis *x, const VgPlotAxis *y, VgPlotColor color,
           cairo_t *cr)
{
  double base = vg_plot_axis_to_pixel (y, y->log_scale ? y->min : CLAMP (0, y->min, y->max));

  for (int i = 0; i < series->n; i++)
    {
      double pitch = vg_plot_layer_bar_pitch (series, i), px, py;
      double width = 0.8 * fabs (vg_plot_axis_to_pixel (x, series->x[i] + pitch) -
                                 vg_plot_axis_to_pixel (x, series->x[i]));
      if (!place (series, i, x, y, &px, &py))
        continue;
      width = isfinite (width) && width > 1 ? width : 1;
      cairo_rectangle (cr, px - width / 2, MIN (py, base), width, fabs (py - base));
    }
  cairo_set_source_rgba (cr, color.red, color.green, color.blue, 0.6);
  cairo_fill (cr);
}

/* From Y - error to Y + error of sample I; FALSE: nothing that can be drawn. */
static gboolean
place_error (const VgSeries *series, int i, const VgPlotAxis *x, const VgPlotAxis *y, double *px,
             double *top, double *bottom)
{
  *px = CLAMP (vg_plot_axis_to_pixel (x, series->x[i]), -1e5, 1e5);
  *top = CLAMP (vg_plot_axis_to_pixel (y, series->y[i] + series->error[i]), -1e5, 1e5);
  *bottom = CLAMP (vg_plot_axis_to_pixel (y, series->y[i] - series->error[i]), -1e5, 1e5);
  if (!isfinite (*bottom) && isfinite (*top))
    *bottom = y->start; /* below a log axis */
  return isfinite (*px) && isfinite (*top) && isfinite (*bottom);
}

/* The samples from FIRST to LAST, there and back. */
static void
trace_band (const VgSeries *series, int first, int last, const VgPlotAxis *x, const VgPlotAxis *y,
            cairo_t *cr)
{
  double px, top, bottom;

  cairo_new_sub_path (cr); /* else it hangs on to where the band before was closed */
  for (int i = first; i <= last; i++)
    if (place_error (series, i, x, y, &px, &top, &bottom))
      cairo_line_to (cr, px, top);
  for (int i = last; i >= first; i--)
    if (place_error (series, i, x, y, &px, &top, &bottom))
      cairo_line_to (cr, px, bottom);
  cairo_close_path (cr);
}

/* A light band behind a line: bars of its own colour would hide it. */
static void
draw_band (const VgSeries *series, const VgPlotAxis *x, const VgPlotAxis *y, VgPlotColor color,
           cairo_t *cr)
{
  int first = -1;

  for (int i = 0; i <= series->n; i++)
    {
      double px, top, bottom;
      gboolean placed = i < series->n && place_error (series, i, x, y, &px, &top, &bottom);

      if (placed && first < 0)
        first = i;
      if (placed || first < 0)
        continue;
      trace_band (series, first, i - 1, x, y, cr);
      first = -1;
    }
  cairo_set_source_rgba (cr, color.red, color.green, color.blue, 0.28);
  cairo_fill (cr);
}

/* With caps, for points and columns. */
static void
draw_errors (const VgSeries *series, const VgPlotAxis *x, const VgPlotAxis *y, cairo_t *cr)
{
  enum { CAP = 3 };

  for (int i = 0; i < series->n; i++)
    {
      double px, top, bottom;

      if (!place_error (series, i, x, y, &px, &top, &bottom))
        continue;
      cairo_move_to (cr, px, top);
      cairo_line_to (cr, px, bottom);
      cairo_move_to (cr, px - CAP, top);
      cairo_line_to (cr, px + CAP, top);
      cairo_move_to (cr, px - CAP, bottom);
      cairo_line_to (cr, px + CAP, bottom);
    }
  cairo_set_line_width (cr, 1);
  cairo_stroke (cr);
}

void
vg_plot_layer_draw (const VgSeries *series, const VgPlotAxis *x, const VgPlotAxis *y,
                    VgPlotColor color, cairo_t *cr)
{
  static const double dashes[] = { 5, 4 };
  gboolean line = series->style == VG_SERIES_LINE && series->n > 1;

  cairo_save (cr);
  if (series->error && line)
    draw_band (series, x, y, color, cr);
  cairo_set_source_rgb (cr, color.red, color.green, color.blue);
  cairo_set_line_width (cr, 1.5);
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_BEVEL);
  if (series->reference)
    cairo_set_source_rgba (cr, color.red, color.green, color.blue, 0.75);
  if (series->reference && line)
    cairo_set_dash (cr, dashes, G_N_ELEMENTS (dashes), 0);
  if (series->style == VG_SERIES_BARS)
    draw_bars (series, x, y, color, cr);
  else if (!line)
    draw_points (series, x, y, cr);
  else
    {
      if (series->n > 4 * fabs (x->end - x->start))
        line_decimated (series, x, y, cr);
      else
        line_exact (series, x, y, cr);
      cairo_stroke (cr);
      draw_alone (series, x, y, cr);
    }
  cairo_set_source_rgb (cr, color.red, color.green, color.blue);
  if (series->error && !line)
    draw_errors (series, x, y, cr);
  cairo_restore (cr);
}

int
vg_plot_layer_nearest (const VgSeries *series, double x)
{
  double best = INFINITY;
  int nearest = -1, beside;

  for (int i = 0; i < series->n; i++)
    {
      double distance = fabs (series->x[i] - x);
      if (distance < best)
        {
          best = distance;
          nearest = i;
        }
    }
  if (nearest < 0 || !isfinite (series->y[nearest]))
    return -1;
  beside = nearest > 0 ? nearest - 1 : MIN (1, series->n - 1);
  return beside == nearest || best <= fabs (series->x[nearest] - series->x[beside]) ? nearest : -1;
}
