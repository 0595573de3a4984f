/* SPDX-License-Identifier: MIT */
#include "ui/compare/vg-wipe-handle.h"
#include "ui/words/vg-translation.h"
#include "ui/common/vg-widgets.h"
#include <math.h>

enum { REACH_PX = 6, KNOB_PX = 15 };

struct _VgWipeHandle
{
  GtkScale parent_instance;
  double start; /* where the line was when the drag began, px */
};

G_DEFINE_FINAL_TYPE (VgWipeHandle, vg_wipe_handle, GTK_TYPE_SCALE)

/* The line's distance from the left edge, px. */
static double
line_of (VgWipeHandle *self)
{
  return gtk_range_get_value (GTK_RANGE (self)) / 100 * gtk_widget_get_width (GTK_WIDGET (self));
}

static gboolean
vg_wipe_handle_contains (GtkWidget *widget, double x, double y)
{
  double across = fabs (x - line_of (VG_WIPE_HANDLE (widget))),
         height = gtk_widget_get_height (widget);

  return y >= 0 && y < height &&
         (across <= REACH_PX || hypot (across, y - 0.5 * height) <= KNOB_PX);
}

static void
append_knob (GtkSnapshot *snapshot, float x, float y, float radius, const GdkRGBA *color)
{
  GskRoundedRect shape;

  gsk_rounded_rect_init_from_rect (
      &shape, &GRAPHENE_RECT_INIT (x - radius, y - radius, 2 * radius, 2 * radius), radius);
  gtk_snapshot_push_rounded_clip (snapshot, &shape);
  gtk_snapshot_append_color (snapshot, color, &shape.bounds);
  gtk_snapshot_pop (snapshot);
}

static void
vg_wipe_handle_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  static const GdkRGBA dark = { 0.06f, 0.06f, 0.08f, 0.8f }, light = { 1, 1, 1, 0.95f },
                       accent = { 0.38f, 0.63f, 0.95f, 1 };
  const GdkRGBA *color = gtk_widget_has_visible_focus (widget) ? &accent : &light;
  float x = (float) lrint (line_of (VG_WIPE_HANDLE (widget))),
        height = (float) gtk_widget_get_height (widget), y = floorf (0.5f * height);

  gtk_snapshot_append_color (snapshot, &dark, &GRAPHENE_RECT_INIT (x - 2, 0, 4, height));
  gtk_snapshot_append_color (snapshot, color, &GRAPHENE_RECT_INIT (x - 1, 0, 2, height));
  append_knob (snapshot, x, y, KNOB_PX, color);
  append_knob (snapshot, x, y, KNOB_PX - 2, &dark);
  for (int side = -1; side <= 1; side += 2) /* an arrow to either side */
    for (int i = 0; i < 5; i++)
      gtk_snapshot_append_color (snapshot, color,
                                 &GRAPHENE_RECT_INIT (x + (float) side * (float) (9 - i) - 0.5f,
                                                      y - (float) i, 1.2f, 2 * (float) i + 1));
}

/* ---- the pointer ---- */

static void
on_drag_begin (GtkGestureDrag *gesture, double x, double y, VgWipeHandle *self)
{
  self->start = line_of (self);
  gtk_widget_grab_focus (GTK_WIDGET (self));
  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
}

static void
on_drag_update (GtkGestureDrag *gesture, double dx, double dy, VgWipeHandle *self)
{
  int width = MAX (gtk_widget_get_width (GTK_WIDGET (self)), 1);

  gtk_range_set_value (GTK_RANGE (self), 100 * (self->start + dx) / width);
}

static void
vg_wipe_handle_class_init (VgWipeHandleClass *class)
{
  GTK_WIDGET_CLASS (class)->contains = vg_wipe_handle_contains;
  GTK_WIDGET_CLASS (class)->snapshot = vg_wipe_handle_snapshot;
}

static void
vg_wipe_handle_init (VgWipeHandle *self)
{
  GtkWidget *widget = GTK_WIDGET (self), *rail = gtk_widget_get_first_child (widget);
  GtkGesture *drag = gtk_gesture_drag_new ();
  g_autoptr (GdkCursor) cursor = gdk_cursor_new_from_name ("ew-resize", NULL);

  gtk_range_set_round_digits (GTK_RANGE (self), -1);
  gtk_widget_set_can_target (rail, FALSE); /* it would be beside the line */
  gtk_widget_set_cursor (widget, cursor);
  vg_widget_leave_wheel (widget);
  vg_widget_describe (widget, _ ("Position of the wipe, %"), NULL);
  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (drag), GTK_PHASE_CAPTURE);
  g_signal_connect (drag, "drag-begin", G_CALLBACK (on_drag_begin), self);
  g_signal_connect (drag, "drag-update", G_CALLBACK (on_drag_update), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (drag));
}

GtkWidget *
vg_wipe_handle_new (void)
{
  return g_object_new (VG_TYPE_WIPE_HANDLE, "adjustment", gtk_adjustment_new (50, 0, 100, 1, 10, 0),
                       NULL);
}
