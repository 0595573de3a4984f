/* SPDX-License-Identifier: MIT */
#include "ui/correct/vg-stroke-layer.h"
#include "ui/common/vg-object.h"
#include "ui/words/vg-translation.h"
#include <math.h>

enum { SLOP = 4, MOST_POINTS = 10000 };

struct _VgStrokeLayer
{
  GtkWidget parent_instance;
  VgViewTransform transform;
  int width, height; /* of the image; 0: there is none */
  GArray *line;      /* of VgPoint, px of the image */
  VgPoint press;     /* on the widget */
  gboolean active, moved;
};

G_DEFINE_FINAL_TYPE (VgStrokeLayer, vg_stroke_layer, GTK_TYPE_WIDGET)

static VgPoint
to_image (VgStrokeLayer *self, double x, double y)
{
  VgPoint at;

  vg_view_transform_to_image (&self->transform, x, y, &at.x, &at.y);
  return at;
}

static void
on_begin (VgStrokeLayer *self, double x, double y, GtkGesture *gesture)
{
  if (self->width <= 0 || !(self->transform.zoom > 0))
    return;
  gtk_gesture_set_state (gesture, GTK_EVENT_SEQUENCE_CLAIMED);
  gtk_widget_grab_focus (gtk_widget_get_parent (GTK_WIDGET (self)));
  self->press = (VgPoint){ x, y };
  self->moved = FALSE;
  vg_stroke_layer_clear (self);
}

static void
on_update (VgStrokeLayer *self, double dx, double dy)
{
  VgPoint at = to_image (self, self->press.x + dx, self->press.y + dy);

  if (self->width <= 0 || (!self->moved && hypot (dx, dy) < SLOP) || self->line->len >= MOST_POINTS)
    return;
  if (!self->moved)
    {
      VgPoint first = to_image (self, self->press.x, self->press.y);

      g_array_append_val (self->line, first);
    }
  self->moved = TRUE;
  g_array_append_val (self->line, at);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
on_end (VgStrokeLayer *self, double dx, double dy)
{
  VgPoint at = to_image (self, self->press.x, self->press.y);

  if (self->width <= 0)
    return;
  on_update (self, dx, dy);
  if (self->moved)
    g_signal_emit_by_name (self, "stroke");
  else
    g_signal_emit_by_name (self, "click", at.x, at.y);
}

static gboolean
on_key (VgStrokeLayer *self, guint key, guint code, GdkModifierType state)
{
  switch (key)
    {
    case GDK_KEY_n:
    case GDK_KEY_N:
    case GDK_KEY_Return:
    case GDK_KEY_Delete:
    case GDK_KEY_Escape:
      break;
    case GDK_KEY_KP_Enter:
    case GDK_KEY_ISO_Enter:
      key = GDK_KEY_Return;
      break;
    case GDK_KEY_KP_Delete:
    case GDK_KEY_BackSpace:
      key = GDK_KEY_Delete;
      break;
    default:
      return FALSE;
    }
  if (!self->active || self->width <= 0 || (state & (GDK_CONTROL_MASK | GDK_ALT_MASK)) != 0)
    return FALSE;
  g_signal_emit_by_name (self, "key", key);
  return TRUE;
}

static void
vg_stroke_layer_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  VgStrokeLayer *self = VG_STROKE_LAYER (widget);
  cairo_t *cr;

  if (self->line->len < 2 || !(self->transform.zoom > 0))
    return;
  cr = gtk_snapshot_append_cairo (
      snapshot,
      &GRAPHENE_RECT_INIT (0, 0, gtk_widget_get_width (widget), gtk_widget_get_height (widget)));
  for (guint i = 0; i < self->line->len; i++)
    {
      const VgPoint *p = &g_array_index (self->line, VgPoint, i);
      double x, y;

      vg_view_transform_to_widget (&self->transform, p->x, p->y, &x, &y);
      cairo_line_to (cr, x, y);
    }
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  cairo_set_source_rgb (cr, 0, 0, 0);
  cairo_set_line_width (cr, 4);
  cairo_stroke_preserve (cr);
  cairo_set_source_rgb (cr, 1, 0.85, 0.1);
  cairo_set_line_width (cr, 2);
  cairo_stroke (cr);
  cairo_destroy (cr);
}

void
vg_stroke_layer_set_active (VgStrokeLayer *self, gboolean active)
{
  self->active = active;
  vg_stroke_layer_clear (self);
  gtk_widget_set_can_target (GTK_WIDGET (self), active);
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), active ? "crosshair" : NULL);
}

void
vg_stroke_layer_set_plane (VgStrokeLayer *self, const VgPlane *plane,
                           const VgViewTransform *transform)
{
  self->transform = *transform;
  if (plane == NULL || plane->width != self->width || plane->height != self->height)
    vg_stroke_layer_clear (self);
  self->width = plane != NULL ? plane->width : 0;
  self->height = plane != NULL ? plane->height : 0;
  if (self->line->len > 0)
    gtk_widget_queue_draw (GTK_WIDGET (self));
}

const VgPoint *
vg_stroke_layer_get_line (VgStrokeLayer *self, guint *n)
{
  *n = self->line->len;
  return (const VgPoint *) (gconstpointer) self->line->data;
}

void
vg_stroke_layer_clear (VgStrokeLayer *self)
{
  if (self->line->len > 0)
    gtk_widget_queue_draw (GTK_WIDGET (self));
  g_array_set_size (self->line, 0);
}

static void
vg_stroke_layer_finalize (GObject *object)
{
  g_array_unref (VG_STROKE_LAYER (object)->line);
  G_OBJECT_CLASS (vg_stroke_layer_parent_class)->finalize (object);
}

static void
vg_stroke_layer_class_init (VgStrokeLayerClass *class)
{
  GType type = G_TYPE_FROM_CLASS (class);

  G_OBJECT_CLASS (class)->finalize = vg_stroke_layer_finalize;
  GTK_WIDGET_CLASS (class)->snapshot = vg_stroke_layer_snapshot;
  vg_signal_new (type, "stroke", 0);
  vg_signal_new (type, "click", 2, G_TYPE_DOUBLE, G_TYPE_DOUBLE);
  vg_signal_new (type, "key", 1, G_TYPE_UINT);
}

static void
vg_stroke_layer_init (VgStrokeLayer *self)
{
  self->line = g_array_new (FALSE, FALSE, sizeof (VgPoint));
  gtk_widget_set_can_target (GTK_WIDGET (self), FALSE);
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
}

GtkWidget *
vg_stroke_layer_new (GtkWidget *view)
{
  VgStrokeLayer *self = g_object_new (VG_TYPE_STROKE_LAYER, NULL);
  GtkGesture *drag = gtk_gesture_drag_new ();
  GtkEventController *key = gtk_event_controller_key_new ();

  g_signal_connect_object (drag, "drag-begin", G_CALLBACK (on_begin), self, G_CONNECT_SWAPPED);
  vg_connect (drag, "drag-update", on_update, self);
  vg_connect (drag, "drag-end", on_end, self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drag));
  /* before the view's own keys */
  gtk_event_controller_set_propagation_phase (key, GTK_PHASE_CAPTURE);
  vg_connect (key, "key-pressed", on_key, self);
  gtk_widget_add_controller (view, key);
  return GTK_WIDGET (self);
}
