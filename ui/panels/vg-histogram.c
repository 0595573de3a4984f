/* SPDX-License-Identifier: MIT */
/* Counts are drawn as the logarithm of 1 + n: a few bright vessels among
 * many dark pixels stay visible. */
#include "ui/panels/vg-histogram.h"
#include "ui/words/vg-translation.h"
#include <math.h>
#include "ui/common/vg-widgets.h"
#include "ui/common/vg-object.h"

enum { STRIP = 10, HANDLE = 6, HEIGHT = 96 };
typedef enum { GRAB_NONE, GRAB_LOW, GRAB_HIGH } Grab;

struct _VgHistogram
{
  GtkWidget parent_instance;
  /* of values (their logarithms, on a log scale) between the edges; per width of an even bin, since
   * logarithmic ones differ in it */
  double counts[VG_HISTOGRAM_BINS], edges[VG_HISTOGRAM_BINS + 1];
  VgColoring coloring;
  gboolean filled;
  double from, to; /* at the left and right edge, as FIRST and LAST */
  Grab grab;
  double grab_x;
};

G_DEFINE_FINAL_TYPE (VgHistogram, vg_histogram, GTK_TYPE_WIDGET)

/* Values are told apart by it. */
static double
field (VgHistogram *self, double value)
{
  return !self->coloring.log_scale ? value : value > 0 ? log (value) : -INFINITY;
}

static double
place (VgHistogram *self, double at)
{
  double width = gtk_widget_get_width (GTK_WIDGET (self)) - 2 * HANDLE;

  return HANDLE + CLAMP ((at - self->from) / (self->to - self->from), 0, 1) * width;
}

static double
to_x (VgHistogram *self, double value)
{
  return place (self, field (self, value));
}

static double
to_value (VgHistogram *self, double x)
{
  double width = gtk_widget_get_width (GTK_WIDGET (self)) - 2 * HANDLE;
  double at = self->from + CLAMP ((x - HANDLE) / MAX (width, 1), 0, 1) * (self->to - self->from);

  return self->coloring.log_scale ? exp (at) : at;
}

static void
draw_bars (VgHistogram *self, cairo_t *cr, const GdkRGBA *color, double bottom)
{
  double highest = 1;

  for (int i = 0; i < VG_HISTOGRAM_BINS; i++)
    highest = fmax (highest, log1p (self->counts[i]));
  cairo_move_to (cr, place (self, self->edges[0]), bottom);
  for (int i = 0; i < VG_HISTOGRAM_BINS; i++)
    {
      double y = bottom - (bottom - 4) * log1p (self->counts[i]) / highest;
      cairo_line_to (cr, place (self, self->edges[i]), y);
      cairo_line_to (cr, place (self, self->edges[i + 1]), y);
    }
  cairo_line_to (cr, place (self, self->edges[VG_HISTOGRAM_BINS]), bottom);
  cairo_close_path (cr);
  cairo_set_source_rgba (cr, color->red, color->green, color->blue, 0.45);
  cairo_fill (cr);
}

static void
draw_strip (VgHistogram *self, cairo_t *cr, double y)
{
  int width = gtk_widget_get_width (GTK_WIDGET (self)) - 2 * HANDLE;

  for (int x = 0; x < width; x++)
    {
      float value = (float) to_value (self, HANDLE + x + 0.5);
      guint8 rgba[4];
      vg_coloring_apply (&self->coloring, &value, 1, rgba);
      cairo_set_source_rgb (cr, rgba[0] / 255.0, rgba[1] / 255.0, rgba[2] / 255.0);
      cairo_rectangle (cr, HANDLE + x, y, 1, STRIP);
      cairo_fill (cr);
    }
}

static void
draw_handle (VgHistogram *self, cairo_t *cr, const GdkRGBA *color, double value, double bottom)
{
  double x = floor (to_x (self, value)) + 0.5;

  cairo_set_source_rgb (cr, color->red, color->green, color->blue);
  cairo_set_line_width (cr, 1.5);
  cairo_move_to (cr, x, 0);
  cairo_line_to (cr, x, bottom);
  cairo_stroke (cr);
  cairo_move_to (cr, x, bottom);
  cairo_line_to (cr, x - HANDLE, bottom + STRIP);
  cairo_line_to (cr, x + HANDLE, bottom + STRIP);
  cairo_close_path (cr);
  cairo_fill_preserve (cr);
  cairo_set_source_rgba (cr, 1 - color->red, 1 - color->green, 1 - color->blue, 0.8);
  cairo_stroke (cr);
}

static void
vg_histogram_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  VgHistogram *self = VG_HISTOGRAM (widget);
  int width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);
  graphene_rect_t bounds = GRAPHENE_RECT_INIT (0, 0, width, height);
  double bottom = height - 2 * STRIP - 2;
  cairo_t *cr;
  GdkRGBA color;

  if (!self->filled)
    return;
  cr = gtk_snapshot_append_cairo (snapshot, &bounds);
  gtk_style_context_get_color (gtk_widget_get_style_context (widget), &color);
  draw_bars (self, cr, &color, bottom);
  draw_strip (self, cr, bottom + 1);
  draw_handle (self, cr, &color, MIN (self->coloring.low, self->coloring.high), bottom + STRIP / 2);
  draw_handle (self, cr, &color, MAX (self->coloring.low, self->coloring.high), bottom + STRIP / 2);
  cairo_destroy (cr);
}

static double
even_edge (const VgStatistics *statistics, int i)
{
  return statistics->min + (statistics->max - statistics->min) * i / VG_HISTOGRAM_BINS;
}

/* By eighths of octaves where these were counted, else by the equal bins; from the first that has
 * any, but not from what noise leaves of zero. */
static void
count_logarithms (VgHistogram *self, const VgStatistics *statistics)
{
  const double most = log (1e9);
  double last = log (statistics->max), first = last;
  gboolean octaves = FALSE;

  for (int i = 0; i < VG_HISTOGRAM_BINS && !octaves; i++)
    octaves = statistics->octaves[i] > 0;
  for (int i = VG_HISTOGRAM_BINS; i >= 0; i--)
    {
      double edge = octaves ? vg_statistics_octave_start (statistics, i)
                            : even_edge (statistics, i),
             count = i == VG_HISTOGRAM_BINS ? 0
                     : octaves              ? (double) statistics->octaves[i]
                                            : (double) statistics->histogram[i];

      self->edges[i] = fmax (edge > 0 ? fmin (log (edge), last) : -INFINITY, last - most);
      if (i == VG_HISTOGRAM_BINS)
        continue;
      self->counts[i] = edge > 0 && self->edges[i + 1] > self->edges[i]
                            ? count / (self->edges[i + 1] - self->edges[i])
                            : 0;
      if (self->counts[i] > 0)
        first = self->edges[i];
    }
  for (int i = 0; i <= VG_HISTOGRAM_BINS; i++)
    {
      self->edges[i] = fmax (self->edges[i], first);
      if (i < VG_HISTOGRAM_BINS)
        self->counts[i] *= (last - first) / VG_HISTOGRAM_BINS;
    }
}

void
vg_histogram_set (VgHistogram *self, const VgStatistics *statistics, const VgColoring *coloring)
{
  double low = MIN (coloring->low, coloring->high), high = MAX (coloring->low, coloring->high);
  gboolean other = self->coloring.log_scale != coloring->log_scale;
  double from, to;

  self->filled = isfinite (statistics->min) && isfinite (low) && isfinite (high) &&
                 (!coloring->log_scale || (statistics->max > 0 && high > 0));
  self->coloring = *coloring;
  gtk_widget_queue_draw (GTK_WIDGET (self));
  if (!self->filled)
    return;
  if (coloring->log_scale)
    count_logarithms (self, statistics);
  else
    for (int i = 0; i <= VG_HISTOGRAM_BINS; i++)
      {
        self->edges[i] = even_edge (statistics, i);
        if (i < VG_HISTOGRAM_BINS)
          self->counts[i] = (double) statistics->histogram[i];
      }
  if (self->grab != GRAB_NONE && !other)
    return;
  from = low > 0 || !coloring->log_scale ? fmin (self->edges[0], field (self, low))
                                         : self->edges[0];
  to = fmax (self->edges[VG_HISTOGRAM_BINS], field (self, high));
  if (!(to > from))
    to = from + 1;
  /* The scale follows at once when it must grow, and only in larger steps
   * when it could shrink: live data must not make it tremble. */
  if (other || from < self->from || to > self->to || to - from < 0.6 * (self->to - self->from))
    {
      self->from = from;
      self->to = to;
    }
}

static void
on_drag_begin (GtkGestureDrag *gesture, double x, double y, VgHistogram *self)
{
  double low = to_x (self, MIN (self->coloring.low, self->coloring.high));
  double high = to_x (self, MAX (self->coloring.low, self->coloring.high));

  if (!self->filled)
    return;
  self->grab = fabs (x - low) < fabs (x - high) || (low == high && x < low) ? GRAB_LOW : GRAB_HIGH;
  self->grab_x = x;
}

static void
on_drag_update (GtkGestureDrag *gesture, double dx, double dy, VgHistogram *self)
{
  double low = MIN (self->coloring.low, self->coloring.high),
         high = MAX (self->coloring.low, self->coloring.high);
  double value = to_value (self, self->grab_x + dx);

  if (self->grab == GRAB_LOW)
    low = MIN (value, high);
  else if (self->grab == GRAB_HIGH)
    high = MAX (value, low);
  else
    return;
  g_signal_emit_by_name (self, "limits-changed", low, high);
}

static void
on_drag_end (GtkGestureDrag *gesture, double dx, double dy, VgHistogram *self)
{
  if (self->grab != GRAB_NONE)
    g_signal_emit_by_name (self, "limits-done");
  self->grab = GRAB_NONE;
}

static void
on_pressed (GtkGestureClick *click, int n_press, double x, double y, VgHistogram *self)
{
  if (n_press == 2)
    g_signal_emit_by_name (self, "limits-auto");
}

static void
vg_histogram_class_init (VgHistogramClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  widget_class->snapshot = vg_histogram_snapshot;
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
  vg_signal_new (VG_TYPE_HISTOGRAM, "limits-changed", 2, G_TYPE_DOUBLE, G_TYPE_DOUBLE);
  vg_signal_new (VG_TYPE_HISTOGRAM, "limits-done", 0);
  vg_signal_new (VG_TYPE_HISTOGRAM, "limits-auto", 0);
}

static void
vg_histogram_init (VgHistogram *self)
{
  GtkGesture *click = gtk_gesture_click_new ();
  GtkGesture *drag = gtk_gesture_drag_new ();

  g_signal_connect (drag, "drag-begin", G_CALLBACK (on_drag_begin), self);
  g_signal_connect (drag, "drag-update", G_CALLBACK (on_drag_update), self);
  g_signal_connect (drag, "drag-end", G_CALLBACK (on_drag_end), self);
  g_signal_connect (click, "pressed", G_CALLBACK (on_pressed), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drag));
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
  gtk_widget_set_size_request (GTK_WIDGET (self), -1, HEIGHT);
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), "ew-resize");
  vg_widget_set_tooltip (GTK_WIDGET (self), _ ("Values in the shown map. Drag the handles to set "
                                               "the limits; double-click for automatic limits"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Histogram of the shown values"), -1);
}

GtkWidget *
vg_histogram_new (void)
{
  return g_object_new (VG_TYPE_HISTOGRAM, NULL);
}
