/* SPDX-License-Identifier: MIT */
/* The baseline span, the marks and the cursor.  What is around the data is in vg-plot-frame.c, the
 * series themselves in vg-plot-layer.c. */
#include "ui/plot/vg-plot-scene-private.h"
#include "ui/words/vg-translation.h"
#include <math.h>
#include "ui/common/vg-widgets.h"
#include "ui/common/vg-number-format.h"

#define END_PART 0.01 /* of the length of the curves */

enum { MARK_LINES = 3, MARK_LINE_PX = 15, MOMENT_PX = 4 };
enum { FONT_PX = 11 }; /* of a picture that belongs to no widget */

/* Okabe and Ito's palette without its yellow: told apart by the colour-blind. */
static const VgPlotColor palette[] = {
  { 0.00, 0.45, 0.70 }, { 0.84, 0.37, 0.00 }, { 0.00, 0.62, 0.45 },
  { 0.80, 0.47, 0.65 }, { 0.34, 0.71, 0.91 }, { 0.90, 0.62, 0.00 },
};

void
vg_plot_scene_init (VgPlotScene *self)
{
  *self = (VgPlotScene){ .cursor = NAN, .frame = NAN, .baseline = { NAN, NAN } };
}

const VgSeries *
vg_plot_scene_get_series (const VgPlotScene *self, guint i)
{
  return g_ptr_array_index (self->curves->series, i);
}

guint
vg_plot_scene_count (const VgPlotScene *self)
{
  return self->curves ? self->curves->series->len : 0;
}

/* Between the lines above and below. */
static double
inner_height (const VgPlotScene *self, int height)
{
  return MAX (height - self->top - self->bottom, 1);
}

gboolean
vg_plot_scene_has_strip (const VgPlotScene *self)
{
  for (guint i = 0; i < vg_plot_scene_count (self); i++)
    if (vg_plot_scene_get_series (self, i)->below)
      return TRUE;
  return FALSE;
}

/* Of the strip below and the gap above it; 0: there is none. */
static double
strip_height (const VgPlotScene *self, int height)
{
  double inner = inner_height (self, height);

  return vg_plot_scene_has_strip (self) ? MAX (0.3 * inner, MIN (44, 0.5 * inner)) : 0;
}

VgPlotBox
vg_plot_scene_get_box (const VgPlotScene *self, int width, int height)
{
  return (VgPlotBox){ self->left, self->top, MAX (width - self->left - self->right, 1),
                      MAX (inner_height (self, height) - strip_height (self, height), 1) };
}

VgPlotColor
vg_plot_scene_get_color (const VgPlotScene *self, guint series)
{
  const double lift = self->dark ? 0.2 : 0; /* its blue is hard to see on what is dark */
  guint own = series < vg_plot_scene_count (self) &&
                      vg_plot_scene_get_series (self, series)->color > 0
                  ? (guint) vg_plot_scene_get_series (self, series)->color - 1
                  : series;
  VgPlotColor color = palette[own % G_N_ELEMENTS (palette)];

  if (self->colors && series < self->n_colors)
    return self->colors[series];
  if (series < vg_plot_scene_count (self) && vg_plot_scene_get_series (self, series)->rgb != 0)
    {
      guint32 rgb = vg_plot_scene_get_series (self, series)->rgb;

      return (VgPlotColor){ (rgb >> 16 & 255) / 255.0, (rgb >> 8 & 255) / 255.0,
                            (rgb & 255) / 255.0 };
    }
  return (VgPlotColor){ color.red + lift * (1 - color.red), color.green + lift * (1 - color.green),
                        color.blue + lift * (1 - color.blue) };
}

char *
vg_plot_scene_name (const VgPlotScene *self, guint i)
{
  const VgSeries *series = vg_plot_scene_get_series (self, i);
  const char *name = vg_translate (series->name);

  return series->divisor > 1 ? g_strdup_printf ("%s / %.0f", name, series->divisor)
                             : g_strdup (name);
}

char *
vg_plot_scene_read (const VgPlotScene *self, guint i)
{
  const VgSeries *series = vg_plot_scene_get_series (self, i);
  int k = isnan (self->cursor) ? -1 : vg_plot_layer_nearest (series, self->cursor);
  double divisor = series->divisor > 0 ? series->divisor : 1;
  g_autofree char *value = NULL;

  if (isnan (self->cursor))
    return vg_plot_scene_name (self, i);
  value = k < 0 ? g_strdup ("–") : vg_format_number (divisor * series->y[k]);
  return g_strdup_printf ("%s: %s", vg_translate (series->name), value);
}

static void
fit_axes (VgPlotScene *self)
{
  double x0 = INFINITY, x1 = -INFINITY, y0 = INFINITY, y1 = -INFINITY;
  gboolean pad_x = FALSE, log_x = self->curves && self->curves->log_x,
           log_y = self->curves && self->curves->log_y;
  gboolean whole_x = TRUE, whole_y = TRUE;

  for (guint i = 0; i < vg_plot_scene_count (self); i++)
    {
      const VgSeries *series = vg_plot_scene_get_series (self, i);
      for (int k = 0; k < series->n && !series->below; k++)
        {
          double x = series->x[k], y = series->y[k];
          if (!isfinite (x) || !isfinite (y) || (log_x && x <= 0) || (log_y && y <= 0))
            continue;
          double half = series->style == VG_SERIES_BARS && !log_x
                            ? vg_plot_layer_bar_pitch (series, k) / 2
                            : 0;
          double error = series->error && isfinite (series->error[k]) ? series->error[k] : 0;
          whole_x = whole_x && x == floor (x);
          whole_y = whole_y && y == floor (y);
          x0 = fmin (x0, x - half);
          x1 = fmax (x1, x + half);
          y0 = fmin (y0, log_y ? y : y - error);
          y1 = fmax (y1, y + error);
          pad_x |= series->style == VG_SERIES_POINTS; /* marks at the edge are seen whole */
          if (series->style == VG_SERIES_BARS && !log_y)
            y0 = fmin (y0, 0);
        }
    }
  if (self->density != NULL)
    {
      vg_plot_axis_fit (&self->x, self->density->low[0], self->density->high[0], FALSE, FALSE);
      vg_plot_axis_fit (&self->y, self->density->low[1], self->density->high[1], FALSE, FALSE);
      self->x.whole = self->y.whole = FALSE;
      return;
    }
  if (!log_x && x0 > 0 && x0 < 0.05 * x1)
    x0 = 0; /* bins have their sample in the middle, the first of them half a bin from 0 */
  vg_plot_axis_fit (&self->x, x0, x1, log_x, pad_x);
  vg_plot_axis_fit (&self->y, y0, y1, log_y, TRUE);
  self->x.whole = whole_x;
  self->y.whole = whole_y;
}

/* What of series BELOW is largest, of at least 3: a residual of chance is rarely more. */
static double
strip_reach (const VgPlotScene *self)
{
  double reach = 3;

  for (guint i = 0; i < vg_plot_scene_count (self); i++)
    {
      const VgSeries *series = vg_plot_scene_get_series (self, i);

      for (int k = 0; series->below && k < series->n; k++)
        if (isfinite (series->y[k]))
          reach = MAX (reach, fabs (series->y[k]));
    }
  return reach;
}

static void
draw_strip (VgPlotScene *self, VgPlotPen *pen, VgPlotBox box, int height)
{
  double all = strip_height (self, height), gap = MIN (8, 0.3 * all),
         reach = 1.1 * strip_reach (self), zero;
  VgPlotAxis y = { .min = -reach, .max = reach, .start = pen->foot, .end = pen->foot - all + gap };
  cairo_t *cr = pen->cr;
  g_autofree char *top = NULL;

  if (all <= 0)
    return;
  zero = floor (vg_plot_axis_to_pixel (&y, 0)) + 0.5;
  cairo_set_line_width (cr, 1);
  vg_plot_pen_set_grey (pen, 0.35);
  cairo_rectangle (cr, box.x + 0.5, floor (y.end) + 0.5, box.width - 1, y.start - y.end - 1);
  cairo_move_to (cr, box.x, zero);
  cairo_line_to (cr, box.x + box.width, zero);
  cairo_stroke (cr);
  vg_plot_pen_set_grey (pen, 0.85);
  vg_plot_pen_draw (pen, "0", box.x - 5, zero, 1, 0.5);
  top = g_strdup_printf ("%.3g", floor (reach));
  vg_plot_pen_draw (pen, top, box.x - 5, y.end, 1, 0);
  cairo_save (cr);
  cairo_rectangle (cr, box.x, y.end, box.width, y.start - y.end);
  cairo_clip (cr);
  for (guint i = 0; i < vg_plot_scene_count (self); i++)
    if (vg_plot_scene_get_series (self, i)->below)
      vg_plot_layer_draw (vg_plot_scene_get_series (self, i), &self->x, &y,
                          vg_plot_scene_get_color (self, i), cr);
  cairo_restore (cr);
}

double
vg_plot_scene_get_end (const VgPlotScene *self, int i)
{
  double x = vg_plot_axis_to_pixel (&self->x, self->baseline[i]);

  if (self->curves == NULL || self->curves->span_output == NULL || isnan (x))
    return x;
  return CLAMP (x, self->x.start + 1, self->x.end - 1);
}

static void
draw_baseline (VgPlotScene *self, VgPlotPen *pen, VgPlotBox box)
{
  double x0 = vg_plot_scene_get_end (self, 0), x1 = vg_plot_scene_get_end (self, 1);

  if (!isfinite (x0) || !isfinite (x1))
    return;
  cairo_set_source_rgba (pen->cr, 0.21, 0.52, 0.89, 0.18);
  cairo_rectangle (pen->cr, x0, box.y, x1 - x0, box.height);
  cairo_fill (pen->cr);
  cairo_set_source_rgba (pen->cr, 0.21, 0.52, 0.89, 0.9);
  cairo_set_line_width (pen->cr, 2);
  cairo_move_to (pen->cr, x0, box.y);
  cairo_line_to (pen->cr, x0, box.y + box.height);
  cairo_move_to (pen->cr, x1, box.y);
  cairo_line_to (pen->cr, x1, box.y + box.height);
  cairo_stroke (pen->cr);
}

/* Over the series, on a ground of its own; the cursor's own words are at the foot. */
static void
draw_baseline_name (VgPlotScene *self, VgPlotPen *pen, VgPlotBox box)
{
  const char *text = vg_translate (self->curves->span_label);
  double x0 = vg_plot_scene_get_end (self, 0), x1 = vg_plot_scene_get_end (self, 1), width, x;

  if (!isfinite (x0) || !isfinite (x1))
    return;
  width = vg_plot_pen_measure (pen, text);
  x = MAX (MIN (x0 + 4, box.x + box.width - width - 2), box.x + 2);
  cairo_set_source_rgba (pen->cr, 1 - pen->grey, 1 - pen->grey, 1 - pen->grey, 0.75);
  cairo_rectangle (pen->cr, round (x) - 2, box.y + 2, width + 4, pen->line + 2);
  cairo_fill (pen->cr);
  vg_plot_pen_set_grey (pen, 0.9);
  vg_plot_pen_draw (pen, text, x, box.y + 3, 0, 0);
}

/* The moment that is shown: an unbroken line that stands on a triangle, as a mark does not. */
static void
draw_moment (VgPlotScene *self, VgPlotPen *pen, VgPlotBox box)
{
  double x = floor (vg_plot_axis_to_pixel (&self->x, self->frame)) + 0.5, foot = box.y + box.height;

  if (!(x >= box.x && x <= box.x + box.width))
    return;
  vg_plot_pen_set_grey (pen, 0.9);
  cairo_set_line_width (pen->cr, 1);
  cairo_move_to (pen->cr, x, box.y);
  cairo_line_to (pen->cr, x, foot);
  cairo_stroke (pen->cr);
  cairo_move_to (pen->cr, x - MOMENT_PX, foot);
  cairo_line_to (pen->cr, x, foot - 1.5 * MOMENT_PX);
  cairo_line_to (pen->cr, x + MOMENT_PX, foot);
  cairo_close_path (pen->cr);
  cairo_fill (pen->cr);
}

/* A dashed line where x is VALUE; its pixel, NaN: not in sight. */
static double
draw_dashed (VgPlotScene *self, VgPlotPen *pen, VgPlotBox box, double value)
{
  static const double dashes[] = { 4, 3 };
  double x = floor (vg_plot_axis_to_pixel (&self->x, value)) + 0.5;

  if (!(x >= box.x && x <= box.x + box.width))
    return NAN;
  vg_plot_pen_set_grey (pen, 0.7);
  cairo_set_line_width (pen->cr, 1);
  cairo_set_dash (pen->cr, dashes, G_N_ELEMENTS (dashes), 0);
  cairo_move_to (pen->cr, x, box.y);
  cairo_line_to (pen->cr, x, box.y + box.height);
  cairo_stroke (pen->cr);
  cairo_set_dash (pen->cr, NULL, 0, 0);
  return x;
}

void
vg_plot_scene_set_moment (VgPlotScene *self, double x)
{
  self->frame = NAN;
  for (guint i = 0; self->curves != NULL && i < self->curves->series->len; i++)
    {
      const VgSeries *series = vg_plot_scene_get_series (self, i);

      if (series->n > 0 &&
          series->x[series->n - 1] - x > END_PART * (series->x[series->n - 1] - series->x[0]))
        self->frame = x;
    }
}

/* A label stands in the first line where those before leave room. */
static void
draw_marks (VgPlotScene *self, VgPlotPen *pen, VgPlotBox box)
{
  double free_from[MARK_LINES] = { box.x, box.x, box.x };

  for (guint i = 0; self->curves->marks != NULL && i < self->curves->marks->len; i++)
    {
      const VgCurveMark *mark = &g_array_index (self->curves->marks, VgCurveMark, i);
      double x = draw_dashed (self, pen, box, mark->x);

      double width = vg_plot_pen_measure (pen, mark->label);
      gboolean right = x + 4 + width <= box.x + box.width;
      guint line = 0;

      vg_plot_pen_set_grey (pen, 0.9);
      while (line < MARK_LINES && !(x - (right ? 0 : 4 + width) >= free_from[line]))
        line++;
      if (line == MARK_LINES)
        continue;
      vg_plot_pen_draw (pen, mark->label, x + (right ? 4 : -4), box.y + 3 + line * MARK_LINE_PX,
                        right ? 0 : 1, 0);
      free_from[line] = x + (right ? width + 12 : 0);
    }
}

static void
draw_cursor (VgPlotScene *self, VgPlotPen *pen, VgPlotBox box)
{
  double x = vg_plot_axis_to_pixel (&self->x, self->cursor);
  g_autofree char *text = NULL;
  gboolean right; /* there is room */

  if (!(x >= box.x && x <= box.x + box.width))
    return;
  vg_plot_pen_set_grey (pen, 0.6);
  cairo_set_line_width (pen->cr, 1);
  cairo_move_to (pen->cr, floor (x) + 0.5, box.y);
  cairo_line_to (pen->cr, floor (x) + 0.5, box.y + box.height);
  cairo_stroke (pen->cr);
  text = g_strdup_printf ("%.5g %s", self->cursor,
                          self->curves->x_unit ? self->curves->x_unit : "");
  right = x + 4 + vg_plot_pen_measure (pen, text) <= box.x + box.width;
  vg_plot_pen_set_grey (pen, 1);
  vg_plot_pen_draw (pen, text, x + (right ? 4 : -4), box.y + box.height - 3, right ? 0 : 1, 1);
}

static void
draw_density (const VgPlotScene *self, cairo_t *cr)
{
  const VgPlotDensity *density = self->density;
  double x = vg_plot_axis_to_pixel (&self->x, density->low[0]),
         y = vg_plot_axis_to_pixel (&self->y, density->high[1]),
         width = vg_plot_axis_to_pixel (&self->x, density->high[0]) - x,
         height = vg_plot_axis_to_pixel (&self->y, density->low[1]) - y;

  cairo_save (cr);
  cairo_translate (cr, x, y);
  cairo_scale (cr, width / cairo_image_surface_get_width (density->image),
               height / cairo_image_surface_get_height (density->image));
  cairo_set_source_surface (cr, density->image, 0, 0);
  cairo_pattern_set_filter (cairo_get_source (cr), CAIRO_FILTER_NEAREST);
  cairo_paint (cr);
  cairo_restore (cr);
}

static gboolean
is_empty (const VgPlotScene *self)
{
  if (self->density != NULL)
    return FALSE;
  for (guint i = 0; i < vg_plot_scene_count (self); i++)
    if (vg_plot_scene_get_series (self, i)->n > 0)
      return FALSE;
  return TRUE;
}

void
vg_plot_scene_draw (VgPlotScene *self, cairo_t *cr, int width, int height)
{
  g_autoptr (PangoLayout) layout = pango_cairo_create_layout (cr);
  g_autoptr (PangoFontDescription) plain = pango_font_description_from_string ("Sans");
  VgPlotPen pen = { cr, layout, self->dark ? 0.95 : 0.12, 0, 0 };
  VgPlotBox box;
  int line;

  pango_font_description_set_absolute_size (plain, FONT_PX * PANGO_SCALE);
  pango_layout_set_font_description (layout, self->font ? self->font : plain);
  pango_layout_get_pixel_size (layout, NULL, &line);
  pen.line = line;
  if (is_empty (self))
    {
      vg_plot_pen_set_grey (&pen, 0.72);
      pango_layout_set_width (layout, MAX (width - 40, 1) * PANGO_SCALE);
      pango_layout_set_alignment (layout, PANGO_ALIGN_CENTER);
      vg_plot_pen_draw (&pen, self->empty_text ? self->empty_text : "", 20, height / 2.0, 0, 0.5);
      return;
    }
  if (!self->zoomed)
    fit_axes (self);
  vg_plot_frame_measure (self, &pen, width, height);
  box = vg_plot_scene_get_box (self, width, height);
  pen.foot = box.y + box.height + strip_height (self, height);
  self->x.start = box.x;
  self->x.end = box.x + box.width;
  self->y.start = box.y + box.height;
  self->y.end = box.y;
  vg_plot_frame_draw (self, &pen, width, height);
  draw_strip (self, &pen, box, height);
  cairo_save (cr);
  cairo_rectangle (cr, box.x, box.y, box.width, box.height);
  cairo_clip (cr);
  if (self->density != NULL && self->density->image != NULL)
    draw_density (self, cr);
  draw_baseline (self, &pen, box);
  for (guint i = 0; i < vg_plot_scene_count (self); i++)
    if (!vg_plot_scene_get_series (self, i)->below)
      vg_plot_layer_draw (vg_plot_scene_get_series (self, i), &self->x, &self->y,
                          vg_plot_scene_get_color (self, i), cr);
  draw_baseline_name (self, &pen, box);
  draw_marks (self, &pen, box);
  draw_moment (self, &pen, box);
  draw_cursor (self, &pen, box);
  cairo_restore (cr);
}
