/* SPDX-License-Identifier: MIT */
/* The frame, the grid, the ticks, the legend with the read-out, the baseline
 * span and the cursor; the series themselves are in vg-plot-layer.c. */
#include "ui/plot/vg-plot-scene.h"
#include <math.h>

/* Okabe and Ito's palette without its yellow: told apart by the colour-blind. */
static const VgPlotColor palette[] = {
  { 0.00, 0.45, 0.70 }, { 0.84, 0.37, 0.00 }, { 0.00, 0.62, 0.45 },
  { 0.80, 0.47, 0.65 }, { 0.34, 0.71, 0.91 }, { 0.90, 0.62, 0.00 },
};
enum { LEFT = 62, TITLE = 18, RIGHT = 14, TOP = 26, BOTTOM = 34, LINE = 14, FONT_PX = 11 };

void
vg_plot_scene_init (VgPlotScene *self)
{
  *self = (VgPlotScene){
    .left = LEFT, .bottom = BOTTOM, .cursor = NAN, .frame = NAN, .baseline = { NAN, NAN }
  };
}

static const VgSeries *
get_series (const VgPlotScene *self, guint i)
{
  return g_ptr_array_index (self->curves->series, i);
}

static guint
count_series (const VgPlotScene *self)
{
  return self->curves ? self->curves->series->len : 0;
}

/* Between the lines above and below. */
static double
inner_height (const VgPlotScene *self, int height)
{
  return MAX (height - TOP - self->bottom, 1);
}

/* Of the strip below and the gap above it; 0: there is none. */
static double
strip_height (const VgPlotScene *self, int height)
{
  double inner = inner_height (self, height);

  for (guint i = 0; i < count_series (self); i++)
    if (get_series (self, i)->below)
      return MAX (0.3 * inner, MIN (44, 0.5 * inner));
  return 0;
}

VgPlotBox
vg_plot_scene_get_box (const VgPlotScene *self, int width, int height)
{
  return (VgPlotBox){ self->left, TOP, MAX (width - self->left - RIGHT, 1),
                      MAX (inner_height (self, height) - strip_height (self, height), 1) };
}

VgPlotColor
vg_plot_scene_get_color (const VgPlotScene *self, guint series)
{
  const double lift = self->dark ? 0.2 : 0; /* its blue is hard to see on what is dark */
  guint own = series < count_series (self) && get_series (self, series)->color > 0
                  ? (guint) get_series (self, series)->color - 1
                  : series;
  VgPlotColor color = palette[own % G_N_ELEMENTS (palette)];

  if (self->colors && series < self->n_colors)
    return self->colors[series];
  if (series < count_series (self) && get_series (self, series)->rgb != 0)
    {
      guint32 rgb = get_series (self, series)->rgb;

      return (VgPlotColor){ (rgb >> 16 & 255) / 255.0, (rgb >> 8 & 255) / 255.0,
                            (rgb & 255) / 255.0 };
    }
  return (VgPlotColor){ color.red + lift * (1 - color.red), color.green + lift * (1 - color.green),
                        color.blue + lift * (1 - color.blue) };
}

char *
vg_plot_scene_read (const VgPlotScene *self, guint i)
{
  const VgSeries *series = get_series (self, i);
  int k = isnan (self->cursor) ? -1 : vg_plot_layer_nearest (series, self->cursor);
  double divisor = series->divisor > 0 ? series->divisor : 1;

  if (k < 0)
    return divisor > 1 ? g_strdup_printf ("%s / %.0f", series->name, divisor)
                       : g_strdup (series->name);
  return g_strdup_printf ("%s: %.4g", series->name, divisor * series->y[k]);
}

static void
fit_axes (VgPlotScene *self)
{
  double x0 = INFINITY, x1 = -INFINITY, y0 = INFINITY, y1 = -INFINITY;
  gboolean pad_x = FALSE, log_x = self->curves && self->curves->log_x,
           log_y = self->curves && self->curves->log_y;

  for (guint i = 0; i < count_series (self); i++)
    {
      const VgSeries *series = get_series (self, i);
      for (int k = 0; k < series->n && !series->below; k++)
        {
          double x = series->x[k], y = series->y[k];
          if (!isfinite (x) || !isfinite (y) || (log_x && x <= 0) || (log_y && y <= 0))
            continue;
          double half = series->style == VG_SERIES_BARS && !log_x
                            ? vg_plot_layer_bar_pitch (series, k) / 2
                            : 0;
          double error = series->error && isfinite (series->error[k]) ? series->error[k] : 0;
          x0 = fmin (x0, x - half);
          x1 = fmax (x1, x + half);
          y0 = fmin (y0, log_y ? y : y - error);
          y1 = fmax (y1, y + error);
          pad_x |= series->style == VG_SERIES_POINTS; /* marks at the edge are seen whole */
          if (series->style == VG_SERIES_BARS && !log_y)
            y0 = fmin (y0, 0);
        }
    }
  if (!log_x && x0 > 0 && x0 < 0.05 * x1)
    x0 = 0; /* bins have their sample in the middle, the first of them half a bin from 0 */
  vg_plot_axis_fit (&self->x, x0, x1, log_x, pad_x);
  vg_plot_axis_fit (&self->y, y0, y1, log_y, TRUE);
}

typedef struct
{
  cairo_t *cr;
  PangoLayout *layout;
  double grey; /* of text and frame */
  double foot; /* where the lowest frame ends */
} Pen;

/* ALIGN_X, ALIGN_Y: 0 the point is left/top of the text, 1 right/bottom. */
static double
draw_text (Pen *pen, const char *text, double x, double y, double align_x, double align_y)
{
  int width, height;

  pango_layout_set_text (pen->layout, text, -1);
  pango_layout_get_pixel_size (pen->layout, &width, &height);
  cairo_move_to (pen->cr, round (x - align_x * width), round (y - align_y * height));
  pango_cairo_show_layout (pen->cr, pen->layout);
  return width;
}

static void
set_grey (Pen *pen, double alpha)
{
  cairo_set_source_rgba (pen->cr, pen->grey, pen->grey, pen->grey, alpha);
}

static char *
axis_title (const char *label, const char *unit)
{
  return unit && *unit ? g_strdup_printf ("%s (%s)", label ? label : "", unit)
                       : g_strdup (label ? label : "");
}

/* Bars one apart stand for things that are counted: no ticks between them. */
static int
count_ticks (VgPlotScene *self, VgPlotBox box)
{
  int wanted = MAX (3, (int) (box.width / 80));

  for (guint i = 0; i < count_series (self); i++)
    if (get_series (self, i)->style == VG_SERIES_BARS && get_series (self, i)->n > 0 &&
        vg_plot_layer_bar_pitch (get_series (self, i), 0) == 1)
      return CLAMP ((int) (self->x.max - self->x.min), 1, wanted);
  return wanted;
}

static int
count_y_ticks (VgPlotBox box)
{
  return MAX (3, (int) (box.height / 24));
}

/* Room for the numbers of the y axis beside its title. */
static double
find_left (VgPlotScene *self, PangoLayout *layout, VgPlotBox box)
{
  VgPlotTick ticks[VG_PLOT_MAX_TICKS];
  guint n = vg_plot_axis_ticks (&self->y, count_y_ticks (box), ticks);
  int widest = 0;

  for (guint i = 0; i < n; i++)
    {
      int width;

      pango_layout_set_text (layout, ticks[i].label, -1);
      pango_layout_get_pixel_size (layout, &width, NULL);
      widest = MAX (widest, width);
    }
  return MAX (LEFT, TITLE + widest + 9);
}

static void
draw_axes (VgPlotScene *self, Pen *pen, VgPlotBox box)
{
  VgPlotTick ticks[VG_PLOT_MAX_TICKS];
  cairo_t *cr = pen->cr;
  guint n;

  cairo_set_line_width (cr, 1);
  n = vg_plot_axis_ticks (&self->x, count_ticks (self, box), ticks);
  for (guint i = 0; i < n; i++)
    {
      double x = floor (vg_plot_axis_to_pixel (&self->x, ticks[i].value)) + 0.5;
      set_grey (pen, 0.12);
      cairo_move_to (cr, x, box.y);
      cairo_line_to (cr, x, box.y + box.height);
      cairo_stroke (cr);
      set_grey (pen, 0.85);
      draw_text (pen, ticks[i].label, x, pen->foot + 3, 0.5, 0);
    }
  n = vg_plot_axis_ticks (&self->y, count_y_ticks (box), ticks);
  for (guint i = 0; i < n; i++)
    {
      double y = floor (vg_plot_axis_to_pixel (&self->y, ticks[i].value)) + 0.5;
      set_grey (pen, 0.12);
      cairo_move_to (cr, box.x, y);
      cairo_line_to (cr, box.x + box.width, y);
      cairo_stroke (cr);
      set_grey (pen, 0.85);
      draw_text (pen, ticks[i].label, box.x - 5, y, 1, 0.5);
    }
  set_grey (pen, 0.35);
  cairo_rectangle (cr, box.x + 0.5, box.y + 0.5, box.width - 1, box.height - 1);
  cairo_stroke (cr);
}

/* What of series BELOW is largest, of at least 3: a residual of chance is rarely more. */
static double
strip_reach (const VgPlotScene *self)
{
  double reach = 3;

  for (guint i = 0; i < count_series (self); i++)
    for (int k = 0; get_series (self, i)->below && k < get_series (self, i)->n; k++)
      if (isfinite (get_series (self, i)->y[k]))
        reach = MAX (reach, fabs (get_series (self, i)->y[k]));
  return reach;
}

static void
draw_strip (VgPlotScene *self, Pen *pen, VgPlotBox box, int height)
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
  set_grey (pen, 0.35);
  cairo_rectangle (cr, box.x + 0.5, floor (y.end) + 0.5, box.width - 1, y.start - y.end - 1);
  cairo_move_to (cr, box.x, zero);
  cairo_line_to (cr, box.x + box.width, zero);
  cairo_stroke (cr);
  set_grey (pen, 0.85);
  draw_text (pen, "0", box.x - 5, zero, 1, 0.5);
  top = g_strdup_printf ("%.3g", floor (reach));
  draw_text (pen, top, box.x - 5, y.end, 1, 0);
  cairo_save (cr);
  cairo_rectangle (cr, box.x, y.end, box.width, y.start - y.end);
  cairo_clip (cr);
  for (guint i = 0; i < count_series (self); i++)
    if (get_series (self, i)->below)
      vg_plot_layer_draw (get_series (self, i), &self->x, &y, vg_plot_scene_get_color (self, i),
                          cr);
  cairo_restore (cr);
}

static gboolean
has_title (const VgPlotScene *self)
{
  return self->titled && self->curves->title != NULL;
}

/* The title into LAYOUT, on two lines where one is too short; returns how many it takes. */
static int
lay_out_title (const VgPlotScene *self, PangoLayout *layout, VgPlotBox box)
{
  g_autofree char *x_title = axis_title (self->curves->x_label, self->curves->x_unit);
  int width;

  pango_layout_set_text (layout, x_title, -1);
  pango_layout_get_pixel_size (layout, &width, NULL);
  pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_END);
  pango_layout_set_height (layout, -2);
  pango_layout_set_width (layout, (int) MAX (box.width - width - 20, 1) * PANGO_SCALE);
  pango_layout_set_text (layout, self->curves->title, -1);
  return pango_layout_get_line_count (layout);
}

static double
find_bottom (const VgPlotScene *self, PangoLayout *layout, VgPlotBox box)
{
  g_autoptr (PangoLayout) own = pango_layout_copy (layout);

  return BOTTOM + (has_title (self) && lay_out_title (self, own, box) > 1 ? LINE : 0);
}

static void
draw_titles (VgPlotScene *self, Pen *pen, VgPlotBox box)
{
  g_autofree char *x_title = axis_title (self->curves->x_label, self->curves->x_unit);
  g_autofree char *y_title = axis_title (self->curves->y_label, self->curves->y_unit);

  set_grey (pen, 0.85);
  draw_text (pen, x_title, box.x + box.width, pen->foot + 17, 1, 0);
  if (has_title (self))
    {
      g_autoptr (PangoLayout) layout = pango_layout_copy (pen->layout);

      lay_out_title (self, layout, box);
      cairo_move_to (pen->cr, round (box.x), round (pen->foot + 17));
      pango_cairo_show_layout (pen->cr, layout);
    }
  cairo_save (pen->cr);
  cairo_translate (pen->cr, 4, box.y + box.height / 2);
  cairo_rotate (pen->cr, -G_PI / 2);
  draw_text (pen, y_title, 0, 0, 0.5, 0);
  cairo_restore (pen->cr);
}

static void
draw_legend (VgPlotScene *self, Pen *pen, VgPlotBox box)
{
  double x = box.x, limit = box.x + box.width;

  for (guint i = 0; i < count_series (self); i++)
    {
      g_autofree char *text = vg_plot_scene_read (self, i);
      VgPlotColor color = vg_plot_scene_get_color (self, i);
      int width, height;

      pango_layout_set_text (pen->layout, text, -1);
      pango_layout_get_pixel_size (pen->layout, &width, &height);
      if (x + width + 16 > limit)
        {
          set_grey (pen, 0.85);
          draw_text (pen, "…", x, box.y - 5, 0, 1);
          return;
        }
      cairo_set_source_rgb (pen->cr, color.red, color.green, color.blue);
      cairo_rectangle (pen->cr, x, box.y - 14, 10, 4);
      cairo_fill (pen->cr);
      set_grey (pen, 1);
      x += 14 + draw_text (pen, text, x + 14, box.y - 5, 0, 1) + 14;
    }
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
draw_baseline (VgPlotScene *self, Pen *pen, VgPlotBox box)
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
draw_baseline_name (VgPlotScene *self, Pen *pen, VgPlotBox box)
{
  const char *text = self->curves->span_label;
  double x0 = vg_plot_scene_get_end (self, 0), x1 = vg_plot_scene_get_end (self, 1),
         x = CLAMP (x0 + 4, box.x + 2, box.x + box.width);
  int width, height;

  if (!isfinite (x0) || !isfinite (x1))
    return;
  pango_layout_set_text (pen->layout, text, -1);
  pango_layout_get_pixel_size (pen->layout, &width, &height);
  cairo_set_source_rgba (pen->cr, 1 - pen->grey, 1 - pen->grey, 1 - pen->grey, 0.75);
  cairo_rectangle (pen->cr, round (x) - 2, box.y + 2, width + 4, height + 2);
  cairo_fill (pen->cr);
  set_grey (pen, 0.9);
  draw_text (pen, text, x, box.y + 3, 0, 0);
}

/* A dashed line where x is VALUE; its pixel, NaN: not in sight. */
static double
draw_dashed (VgPlotScene *self, Pen *pen, VgPlotBox box, double value)
{
  static const double dashes[] = { 4, 3 };
  double x = floor (vg_plot_axis_to_pixel (&self->x, value)) + 0.5;

  if (!(x >= box.x && x <= box.x + box.width))
    return NAN;
  set_grey (pen, 0.7);
  cairo_set_line_width (pen->cr, 1);
  cairo_set_dash (pen->cr, dashes, G_N_ELEMENTS (dashes), 0);
  cairo_move_to (pen->cr, x, box.y);
  cairo_line_to (pen->cr, x, box.y + box.height);
  cairo_stroke (pen->cr);
  cairo_set_dash (pen->cr, NULL, 0, 0);
  return x;
}

/* Each mark's label stands where the one before leaves room. */
static void
draw_marks (VgPlotScene *self, Pen *pen, VgPlotBox box)
{
  double free_from = box.x;

  for (guint i = 0; self->curves->marks != NULL && i < self->curves->marks->len; i++)
    {
      const VgCurveMark *mark = &g_array_index (self->curves->marks, VgCurveMark, i);
      double x = draw_dashed (self, pen, box, mark->x);

      set_grey (pen, 0.9);
      if (x >= free_from)
        free_from = x + draw_text (pen, mark->label, x + 4, box.y + 3, 0, 0) + 8;
    }
}

static void
draw_cursor (VgPlotScene *self, Pen *pen, VgPlotBox box)
{
  double x = vg_plot_axis_to_pixel (&self->x, self->cursor);
  g_autofree char *text = NULL;

  if (!(x >= box.x && x <= box.x + box.width))
    return;
  set_grey (pen, 0.6);
  cairo_set_line_width (pen->cr, 1);
  cairo_move_to (pen->cr, floor (x) + 0.5, box.y);
  cairo_line_to (pen->cr, floor (x) + 0.5, box.y + box.height);
  cairo_stroke (pen->cr);
  text = g_strdup_printf ("%.5g %s", self->cursor,
                          self->curves->x_unit ? self->curves->x_unit : "");
  set_grey (pen, 1);
  draw_text (pen, text, x + (x > box.x + box.width - 70 ? -4 : 4), box.y + box.height - 3,
             x > box.x + box.width - 70, 1);
}

static gboolean
is_empty (const VgPlotScene *self)
{
  for (guint i = 0; i < count_series (self); i++)
    if (get_series (self, i)->n > 0)
      return FALSE;
  return TRUE;
}

void
vg_plot_scene_draw (VgPlotScene *self, cairo_t *cr, int width, int height)
{
  VgPlotBox box = vg_plot_scene_get_box (self, width, height);
  g_autoptr (PangoLayout) layout = pango_cairo_create_layout (cr);
  g_autoptr (PangoFontDescription) font = pango_font_description_from_string ("Sans");
  Pen pen = { cr, layout, self->dark ? 0.95 : 0.12, 0 };

  pango_font_description_set_absolute_size (font, FONT_PX * PANGO_SCALE);
  pango_layout_set_font_description (layout, font);
  if (is_empty (self))
    {
      set_grey (&pen, 0.6);
      pango_layout_set_width (layout, MAX (width - 40, 1) * PANGO_SCALE);
      pango_layout_set_alignment (layout, PANGO_ALIGN_CENTER);
      draw_text (&pen, self->empty_text ? self->empty_text : "", 20, height / 2.0, 0, 0.5);
      return;
    }
  if (!self->zoomed)
    fit_axes (self);
  self->left = find_left (self, layout, box);
  self->bottom = find_bottom (self, layout, vg_plot_scene_get_box (self, width, height));
  box = vg_plot_scene_get_box (self, width, height);
  pen.foot = box.y + box.height + strip_height (self, height);
  self->x.start = box.x;
  self->x.end = box.x + box.width;
  self->y.start = box.y + box.height;
  self->y.end = box.y;
  draw_axes (self, &pen, box);
  draw_titles (self, &pen, box);
  draw_legend (self, &pen, box);
  draw_strip (self, &pen, box, height);
  cairo_save (cr);
  cairo_rectangle (cr, box.x, box.y, box.width, box.height);
  cairo_clip (cr);
  draw_baseline (self, &pen, box);
  for (guint i = 0; i < count_series (self); i++)
    if (!get_series (self, i)->below)
      vg_plot_layer_draw (get_series (self, i), &self->x, &self->y,
                          vg_plot_scene_get_color (self, i), cr);
  draw_baseline_name (self, &pen, box);
  draw_marks (self, &pen, box);
  draw_dashed (self, &pen, box, self->frame); /* the frame in view */
  draw_cursor (self, &pen, box);
  cairo_restore (cr);
}
