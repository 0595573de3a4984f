/* SPDX-License-Identifier: MIT */
#include "ui/scatter/vg-scatter-view.h"
#include <math.h>
#include "ui/common/vg-object.h"
#include "ui/words/vg-translation.h"
#include "ui/plot/vg-plot-export.h"

enum { LEAST_STEP_PX = 2, LEAST_POINTS = 3, SAVED_WIDTH = 600, SAVED_HEIGHT = 450 };

struct _VgScatterView
{
  GtkWidget parent_instance;
  VgPlotScene scene;
  VgPlotDensity density;
  VgCurves *curves;
  char *empty_text;
  VgRegion lasso; /* of kind NONE: there is none */
  GArray *trail;  /* of double, x and y on the widget, while the lasso is drawn; NULL */
  double press_x, press_y;
};

G_DEFINE_FINAL_TYPE (VgScatterView, vg_scatter_view, GTK_TYPE_WIDGET)

static gboolean
has_plot (VgScatterView *self)
{
  return self->density.image != NULL && self->scene.x.end > self->scene.x.start;
}

/* ---- drawing ---- */

static void
trace_lasso (const VgScatterView *self, const VgPlotScene *scene, cairo_t *cr)
{
  const VgRegion *lasso = &self->lasso;

  for (int i = 0; i < lasso->n_points; i++)
    cairo_line_to (cr, CLAMP (vg_plot_axis_to_pixel (&scene->x, lasso->x[i]), -1e5, 1e5),
                   CLAMP (vg_plot_axis_to_pixel (&scene->y, lasso->y[i]), -1e5, 1e5));
  cairo_close_path (cr);
}

static void
trace_trail (const VgScatterView *self, cairo_t *cr)
{
  for (guint i = 0; i + 1 < self->trail->len; i += 2)
    cairo_line_to (cr, g_array_index (self->trail, double, i),
                   g_array_index (self->trail, double, i + 1));
}

static void
draw (VgScatterView *self, VgPlotScene *scene, cairo_t *cr, int width, int height)
{
  const GdkRGBA *color = &vg_scatter_accent;
  VgPlotBox box;

  vg_plot_scene_draw (scene, cr, width, height);
  if (self->density.image == NULL || (self->trail == NULL && self->lasso.kind == VG_REGION_NONE))
    return;
  box = vg_plot_scene_get_box (scene, width, height);
  cairo_save (cr);
  cairo_rectangle (cr, box.x, box.y, box.width, box.height);
  cairo_clip (cr);
  if (self->trail != NULL)
    trace_trail (self, cr);
  else
    trace_lasso (self, scene, cr);
  cairo_set_source_rgba (cr, (double) color->red, (double) color->green, (double) color->blue,
                         0.15);
  cairo_fill_preserve (cr);
  cairo_set_source_rgb (cr, (double) color->red, (double) color->green, (double) color->blue);
  cairo_set_line_width (cr, 2);
  cairo_stroke (cr);
  cairo_restore (cr);
}

static void
vg_scatter_view_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  VgScatterView *self = VG_SCATTER_VIEW (widget);
  int width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);
  cairo_t *cr = gtk_snapshot_append_cairo (snapshot, &GRAPHENE_RECT_INIT (0, 0, width, height));
  GdkRGBA text;

  gtk_style_context_get_color (gtk_widget_get_style_context (widget), &text);
  self->scene.dark = text.red + text.green + text.blue > 1.5;
  self->scene.font = pango_context_get_font_description (gtk_widget_get_pango_context (widget));
  draw (self, &self->scene, cr, width, height);
  cairo_destroy (cr);
}

static void
draw_saved (gpointer data, cairo_t *cr, int width, int height)
{
  VgScatterView *self = data;
  VgPlotScene scene = self->scene;

  scene.dark = FALSE;
  scene.font = NULL;
  draw (self, &scene, cr, width, height);
}

gboolean
vg_scatter_view_save (VgScatterView *self, const char *path, GError **error)
{
  return vg_plot_export_drawing (draw_saved, self, path, SAVED_WIDTH, SAVED_HEIGHT, error);
}

/* ---- the lasso ---- */

const VgRegion *
vg_scatter_view_get_lasso (VgScatterView *self)
{
  return &self->lasso;
}

void
vg_scatter_view_set_lasso (VgScatterView *self, const VgRegion *lasso)
{
  const VgRegion none = { .kind = VG_REGION_NONE };

  if (vg_region_equal (&self->lasso, lasso != NULL ? lasso : &none))
    return;
  self->lasso = lasso != NULL ? *lasso : none;
  gtk_widget_queue_draw (GTK_WIDGET (self));
  g_signal_emit_by_name (self, "lasso-changed");
}

/* The trail in the units of the axes, of at most as many points as a region has. */
static VgRegion
make_lasso (VgScatterView *self)
{
  guint n = self->trail->len / 2, kept = MIN (n, VG_REGION_MAX_POINTS);
  VgRegion lasso = { .kind = VG_REGION_POLYGON, .n_points = (int) kept };

  for (guint i = 0; i < kept; i++)
    {
      guint from = 2 * (guint) ((guint64) i * n / kept);

      lasso.x[i] = vg_plot_axis_to_value (&self->scene.x,
                                          g_array_index (self->trail, double, from));
      lasso.y[i] = vg_plot_axis_to_value (&self->scene.y,
                                          g_array_index (self->trail, double, from + 1));
    }
  return lasso;
}

static void
add_to_trail (VgScatterView *self, double x, double y)
{
  guint n = self->trail->len;
  VgPlotBox box = vg_plot_scene_get_box (&self->scene, gtk_widget_get_width (GTK_WIDGET (self)),
                                         gtk_widget_get_height (GTK_WIDGET (self)));

  x = CLAMP (x, box.x, box.x + box.width);
  y = CLAMP (y, box.y, box.y + box.height);
  if (n > 0 && hypot (x - g_array_index (self->trail, double, n - 2),
                      y - g_array_index (self->trail, double, n - 1)) < LEAST_STEP_PX)
    return;
  g_array_append_val (self->trail, x);
  g_array_append_val (self->trail, y);
}

static void
on_drag_begin (VgScatterView *self, double x, double y)
{
  gtk_widget_grab_focus (GTK_WIDGET (self));
  if (!has_plot (self))
    return;
  self->press_x = x;
  self->press_y = y;
  g_clear_pointer (&self->trail, g_array_unref);
  self->trail = g_array_new (FALSE, FALSE, sizeof (double));
  add_to_trail (self, x, y);
}

static void
on_drag_update (VgScatterView *self, double dx, double dy)
{
  if (self->trail == NULL)
    return;
  add_to_trail (self, self->press_x + dx, self->press_y + dy);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* A click, which draws no line, removes the lasso. */
static void
on_drag_end (VgScatterView *self)
{
  VgRegion lasso;

  if (self->trail == NULL)
    return;
  lasso = make_lasso (self);
  g_clear_pointer (&self->trail, g_array_unref);
  vg_scatter_view_set_lasso (self, lasso.n_points >= LEAST_POINTS ? &lasso : NULL);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static gboolean
on_key (VgScatterView *self, guint key)
{
  gboolean removes = key == GDK_KEY_Delete || key == GDK_KEY_KP_Delete;

  if (!removes || self->lasso.kind == VG_REGION_NONE)
    return FALSE;
  vg_scatter_view_set_lasso (self, NULL);
  return TRUE;
}

/* ---- the widget ---- */

void
vg_scatter_view_set (VgScatterView *self, const VgScatterDrawing *drawing, VgCurves *curves)
{
  g_clear_pointer (&self->curves, vg_curves_free);
  g_clear_pointer (&self->density.image, cairo_surface_destroy);
  self->curves = curves;
  self->scene.curves = curves;
  self->scene.density = drawing != NULL ? &self->density : NULL;
  if (drawing != NULL)
    {
      self->density.image = cairo_surface_reference (drawing->image);
      for (int k = 0; k < 2; k++)
        {
          self->density.low[k] = drawing->scatter->range.low[k];
          self->density.high[k] = drawing->scatter->range.high[k];
        }
    }
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
vg_scatter_view_set_empty_text (VgScatterView *self, const char *text)
{
  g_free (self->empty_text);
  self->empty_text = g_strdup (text);
  self->scene.empty_text = self->empty_text;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
vg_scatter_view_finalize (GObject *object)
{
  VgScatterView *self = VG_SCATTER_VIEW (object);

  g_clear_pointer (&self->curves, vg_curves_free);
  g_clear_pointer (&self->density.image, cairo_surface_destroy);
  g_clear_pointer (&self->trail, g_array_unref);
  g_free (self->empty_text);
  G_OBJECT_CLASS (vg_scatter_view_parent_class)->finalize (object);
}

static void
vg_scatter_view_class_init (VgScatterViewClass *class)
{
  G_OBJECT_CLASS (class)->finalize = vg_scatter_view_finalize;
  GTK_WIDGET_CLASS (class)->snapshot = vg_scatter_view_snapshot;
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (class), "plot");
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (class), GTK_ACCESSIBLE_ROLE_IMG);
  vg_signal_new (VG_TYPE_SCATTER_VIEW, "lasso-changed", 0);
}

static void
vg_scatter_view_init (VgScatterView *self)
{
  GtkGesture *drag = gtk_gesture_drag_new ();
  GtkEventController *key = gtk_event_controller_key_new ();

  vg_plot_scene_init (&self->scene);
  vg_connect (drag, "drag-begin", on_drag_begin, self);
  vg_connect (drag, "drag-update", on_drag_update, self);
  vg_connect (drag, "drag-end", on_drag_end, self);
  vg_connect (key, "key-pressed", on_key, self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drag));
  gtk_widget_add_controller (GTK_WIDGET (self), key);
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_set_hexpand (GTK_WIDGET (self), TRUE);
  gtk_widget_set_vexpand (GTK_WIDGET (self), TRUE);
  gtk_widget_set_size_request (GTK_WIDGET (self), 160, 120);
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), "crosshair");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Scatter plot"), -1);
}

GtkWidget *
vg_scatter_view_new (void)
{
  return g_object_new (VG_TYPE_SCATTER_VIEW, NULL);
}
