/* SPDX-License-Identifier: MIT */
/* The plot widget: gestures and keys; the drawing is in vg-plot-scene.c. */
#include "ui/plot/vg-plot-view.h"
#include "ui/common/vg-object.h"
#include "ui/words/vg-translation.h"
#include <math.h>

enum { GRAB_PX = 6, MIN_BOX_PX = 8 };
/* Natural height of a plot in lines of text, without and with a strip below. */
enum { LINES = 11, LINES_WITH_STRIP = 19 };
typedef enum { DRAG_NONE, DRAG_ZOOM, DRAG_FROM, DRAG_TO, DRAG_SPAN } Drag;

struct _VgPlotView
{
  GtkWidget parent_instance;
  VgPlotScene scene;
  VgCurves *curves;
  VgPlotColor *colors;
  PangoFontDescription *font;
  char *name, *empty_text;
  gboolean titled;
  Drag drag;
  double press_x, press_y, now_x, now_y, span[2];
};

G_DEFINE_FINAL_TYPE (VgPlotView, vg_plot_view, GTK_TYPE_WIDGET)

static gboolean
is_dark (GtkWidget *widget)
{
  GdkRGBA color;

  gtk_style_context_get_color (gtk_widget_get_style_context (widget), &color);
  return color.red + color.green + color.blue > 1.5;
}

static void
vg_plot_view_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  VgPlotView *self = VG_PLOT_VIEW (widget);
  int width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);
  graphene_rect_t bounds = GRAPHENE_RECT_INIT (0, 0, width, height);
  cairo_t *cr = gtk_snapshot_append_cairo (snapshot, &bounds);

  self->scene.dark = is_dark (widget);
  pango_font_description_free (self->font);
  self->font = pango_font_description_copy (
      pango_context_get_font_description (gtk_widget_get_pango_context (widget)));
  self->scene.font = self->font;
  vg_plot_scene_draw (&self->scene, cr, width, height);
  if (self->drag == DRAG_ZOOM)
    {
      cairo_rectangle (cr, self->press_x, self->press_y, self->now_x - self->press_x,
                       self->now_y - self->press_y);
      cairo_set_source_rgba (cr, 0.21, 0.52, 0.89, 0.25);
      cairo_fill_preserve (cr);
      cairo_set_source_rgb (cr, 0.21, 0.52, 0.89);
      cairo_set_line_width (cr, 1);
      cairo_stroke (cr);
    }
  cairo_destroy (cr);
}

static void
vg_plot_view_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                      int *natural, int *minimum_baseline, int *natural_baseline)
{
  PangoContext *context = gtk_widget_get_pango_context (widget);
  PangoFontMetrics *metrics = pango_context_get_metrics (context, NULL, NULL);
  int lines = vg_plot_scene_has_strip (&VG_PLOT_VIEW (widget)->scene) ? LINES_WITH_STRIP : LINES;

  *minimum = *natural = 0;
  if (orientation == GTK_ORIENTATION_VERTICAL)
    *natural = PANGO_PIXELS_CEIL (lines * pango_font_metrics_get_height (metrics));
  pango_font_metrics_unref (metrics);
}

static gboolean
has_data (VgPlotView *self)
{
  return self->scene.x.end > self->scene.x.start;
}

static void
on_motion (GtkEventControllerMotion *motion, double x, double y, VgPlotView *self)
{
  if (!has_data (self))
    return;
  self->scene.cursor = x < self->scene.x.start || x > self->scene.x.end
                           ? NAN
                           : vg_plot_axis_to_value (&self->scene.x, x);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
on_leave (GtkEventControllerMotion *motion, VgPlotView *self)
{
  self->scene.cursor = NAN;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static Drag
drag_at (VgPlotView *self, double x)
{
  double from = vg_plot_scene_get_end (&self->scene, 0),
         to = vg_plot_scene_get_end (&self->scene, 1);

  if (isnan (self->scene.baseline[0]) ||
      (self->curves->span_label && !self->curves->span_params[0] && !self->curves->span_output))
    return DRAG_ZOOM;
  if (fabs (x - to) <= GRAB_PX)
    return DRAG_TO;
  if (fabs (x - from) <= GRAB_PX)
    return DRAG_FROM;
  /* a span of nearly all would leave no place to begin a zoom at */
  return x > from && x < to && to - from < 0.5 * (self->scene.x.end - self->scene.x.start)
             ? DRAG_SPAN
             : DRAG_ZOOM;
}

static void
on_drag_begin (GtkGestureDrag *gesture, double x, double y, VgPlotView *self)
{
  gtk_widget_grab_focus (GTK_WIDGET (self));
  if (!has_data (self))
    return;
  self->drag = drag_at (self, x);
  self->press_x = self->now_x = x;
  self->press_y = self->now_y = y;
  for (int i = 0; i < 2; i++) /* from where it is seen to be */
    self->span[i] = isnan (self->scene.baseline[0])
                        ? NAN
                        : vg_plot_axis_to_value (&self->scene.x,
                                                 vg_plot_scene_get_end (&self->scene, i));
}

static void
on_drag_update (GtkGestureDrag *gesture, double dx, double dy, VgPlotView *self)
{
  VgPlotBox box = vg_plot_scene_get_box (&self->scene, gtk_widget_get_width (GTK_WIDGET (self)),
                                         gtk_widget_get_height (GTK_WIDGET (self)));
  double moved = vg_plot_axis_to_value (&self->scene.x, self->press_x + dx) -
                 vg_plot_axis_to_value (&self->scene.x, self->press_x);

  self->now_x = CLAMP (self->press_x + dx, box.x, box.x + box.width);
  self->now_y = CLAMP (self->press_y + dy, box.y, box.y + box.height);
  if (self->drag == DRAG_FROM || self->drag == DRAG_SPAN)
    self->scene.baseline[0] = self->span[0] + moved;
  if (self->drag == DRAG_TO || self->drag == DRAG_SPAN)
    self->scene.baseline[1] = self->span[1] + moved;
  if (self->scene.baseline[0] > self->scene.baseline[1])
    self->scene.baseline[self->drag == DRAG_FROM ? 0 : 1] =
        self->scene.baseline[self->drag == DRAG_FROM ? 1 : 0];
  if (self->drag > DRAG_ZOOM)
    g_signal_emit_by_name (self, "baseline-changed");
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* What the curves mark is as they say, unless it is being dragged. */
static void
take_span (VgPlotView *self, gboolean had_span)
{
  gboolean has_span = self->curves && self->curves->span_label;

  for (int i = 0; i < 2 && (has_span || had_span) && self->drag <= DRAG_ZOOM; i++)
    self->scene.baseline[i] = has_span ? self->curves->span[i] : NAN;
}

static void
on_drag_end (GtkGestureDrag *gesture, double dx, double dy, VgPlotView *self)
{
  VgPlotAxis *x = &self->scene.x, *y = &self->scene.y;

  if (self->drag == DRAG_ZOOM && fabs (dx) >= MIN_BOX_PX && fabs (dy) >= MIN_BOX_PX)
    {
      double x0 = vg_plot_axis_to_value (x, MIN (self->press_x, self->now_x)),
             x1 = vg_plot_axis_to_value (x, MAX (self->press_x, self->now_x));
      double y0 = vg_plot_axis_to_value (y, MAX (self->press_y, self->now_y)),
             y1 = vg_plot_axis_to_value (y, MIN (self->press_y, self->now_y));
      vg_plot_axis_fit (x, x0, x1, x->log_scale, FALSE);
      vg_plot_axis_fit (y, y0, y1, y->log_scale, FALSE);
      self->scene.zoomed = TRUE;
      g_signal_emit_by_name (self, "zoom-changed");
    }
  self->drag = DRAG_NONE;
  take_span (self, FALSE);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
on_pressed (GtkGestureClick *click, int n_press, double x, double y, VgPlotView *self)
{
  if (n_press == 2)
    vg_plot_view_reset_zoom (self);
}

static gboolean
on_key (GtkEventControllerKey *key, guint value, guint code, GdkModifierType state,
        VgPlotView *self)
{
  VgPlotAxis *x = &self->scene.x;
  double step = state & GDK_CONTROL_MASK ? 20 : 2, pixel;

  if (!has_data (self) || (value != GDK_KEY_Left && value != GDK_KEY_Right))
    return GDK_EVENT_PROPAGATE;
  pixel = isnan (self->scene.cursor) ? (x->start + x->end) / 2
                                     : vg_plot_axis_to_pixel (x, self->scene.cursor);
  pixel = CLAMP (pixel + (value == GDK_KEY_Left ? -step : step), x->start, x->end);
  self->scene.cursor = vg_plot_axis_to_value (x, pixel);
  gtk_widget_queue_draw (GTK_WIDGET (self));
  return GDK_EVENT_STOP;
}

/* Unless it only says again what the plot is called. */
static void
show_title (VgPlotView *self)
{
  const char *title = self->curves ? self->curves->title : NULL;

  self->scene.titled = self->titled && g_strcmp0 (vg_translate (title), self->name) != 0;
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  self->scene.titled && title ? vg_translate (title) : "", -1);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
vg_plot_view_set_curves (VgPlotView *self, VgCurves *curves, const VgPlotColor *colors,
                         guint n_colors)
{
  gboolean had_span = self->curves && self->curves->span_label,
           had_strip = vg_plot_scene_has_strip (&self->scene);

  g_clear_pointer (&self->curves, vg_curves_free);
  g_clear_pointer (&self->colors, g_free);
  self->curves = curves;
  self->colors = g_memdup2 (colors, n_colors * sizeof *colors);
  self->scene.curves = curves;
  self->scene.colors = self->colors;
  self->scene.n_colors = n_colors;
  take_span (self, had_span);
  show_title (self);
  if (vg_plot_scene_has_strip (&self->scene) != had_strip)
    gtk_widget_queue_resize (GTK_WIDGET (self));
}

const VgCurves *
vg_plot_view_get_curves (VgPlotView *self)
{
  return self->curves;
}

void
vg_plot_view_set_frame (VgPlotView *self, int frame)
{
  const VgSeries *series;
  double x = NAN;

  if (self->curves != NULL && self->curves->by_frame && self->curves->series->len > 0)
    {
      series = g_ptr_array_index (self->curves->series, 0);
      x = frame > 0 && frame <= series->n ? series->x[frame - 1] : NAN;
    }
  if (x == self->scene.frame || (isnan (x) && isnan (self->scene.frame)))
    return;
  self->scene.frame = x;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
vg_plot_view_set_moment (VgPlotView *self, double x)
{
  vg_plot_scene_set_moment (&self->scene, x);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
vg_plot_view_set_empty_text (VgPlotView *self, const char *text)
{
  if (g_strcmp0 (text, self->empty_text) == 0)
    return;
  g_free (self->empty_text);
  self->empty_text = g_strdup (text);
  self->scene.empty_text = self->empty_text;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
vg_plot_view_set_span (VgPlotView *self, double from, double to)
{
  if (self->curves == NULL)
    return;
  self->curves->span[0] = from;
  self->curves->span[1] = to;
  take_span (self, FALSE);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

gboolean
vg_plot_view_get_baseline (VgPlotView *self, double *from, double *to)
{
  *from = self->scene.baseline[0];
  *to = self->scene.baseline[1];
  return !isnan (*from) && !isnan (*to);
}

gboolean
vg_plot_view_is_zoomed (VgPlotView *self)
{
  return self->scene.zoomed;
}

void
vg_plot_view_reset_zoom (VgPlotView *self)
{
  self->scene.zoomed = FALSE;
  gtk_widget_queue_draw (GTK_WIDGET (self));
  g_signal_emit_by_name (self, "zoom-changed");
}

const VgPlotScene *
vg_plot_view_get_scene (VgPlotView *self)
{
  return &self->scene;
}

static void
vg_plot_view_finalize (GObject *object)
{
  VgPlotView *self = VG_PLOT_VIEW (object);

  g_clear_pointer (&self->curves, vg_curves_free);
  g_free (self->colors);
  pango_font_description_free (self->font);
  g_free (self->name);
  g_free (self->empty_text);
  G_OBJECT_CLASS (vg_plot_view_parent_class)->finalize (object);
}

static void
vg_plot_view_class_init (VgPlotViewClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->finalize = vg_plot_view_finalize;
  widget_class->snapshot = vg_plot_view_snapshot;
  widget_class->measure = vg_plot_view_measure;
  gtk_widget_class_set_css_name (widget_class, "plot");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
  vg_signal_new (VG_TYPE_PLOT_VIEW, "baseline-changed", 0);
  vg_signal_new (VG_TYPE_PLOT_VIEW, "zoom-changed", 0);
}

static void
vg_plot_view_init (VgPlotView *self)
{
  GtkEventController *motion = gtk_event_controller_motion_new (),
                     *key = gtk_event_controller_key_new ();
  GtkGesture *drag = gtk_gesture_drag_new (), *click = gtk_gesture_click_new ();

  vg_plot_scene_init (&self->scene);
  g_signal_connect (motion, "motion", G_CALLBACK (on_motion), self);
  g_signal_connect (motion, "leave", G_CALLBACK (on_leave), self);
  g_signal_connect (key, "key-pressed", G_CALLBACK (on_key), self);
  g_signal_connect (drag, "drag-begin", G_CALLBACK (on_drag_begin), self);
  g_signal_connect (drag, "drag-update", G_CALLBACK (on_drag_update), self);
  g_signal_connect (drag, "drag-end", G_CALLBACK (on_drag_end), self);
  g_signal_connect (click, "pressed", G_CALLBACK (on_pressed), self);
  gtk_widget_add_controller (GTK_WIDGET (self), motion);
  gtk_widget_add_controller (GTK_WIDGET (self), key);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drag));
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_set_hexpand (GTK_WIDGET (self), TRUE);
  gtk_widget_set_vexpand (GTK_WIDGET (self), TRUE);
}

GtkWidget *
vg_plot_view_new (const char *accessible_name, const char *empty_text)
{
  VgPlotView *self = g_object_new (VG_TYPE_PLOT_VIEW, NULL);

  self->name = g_strdup (accessible_name);
  self->empty_text = g_strdup (empty_text);
  self->scene.empty_text = self->empty_text;
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  accessible_name, -1);
  return GTK_WIDGET (self);
}

void
vg_plot_view_set_titled (VgPlotView *self, gboolean titled)
{
  self->titled = titled;
  show_title (self);
}
