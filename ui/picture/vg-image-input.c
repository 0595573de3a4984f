/* SPDX-License-Identifier: MIT */
/* Mouse and touch of the image view.  A primary press belongs to a
 * region or a point when the drawing takes it, else it pans; the middle button and space
 * with any button always pan.  Whatever the mouse does has a key. */
#include "ui/picture/vg-image-view-private.h"
#include "ui/picture/vg-stack-layer.h"
#include <math.h>

enum { REACH = 7, CLICK_SLOP = 4 };

static double
reach_in_image (VgImageView *self)
{
  return self->transform.zoom > 0 ? REACH * self->transform.scale / self->transform.zoom : 0;
}

gboolean
vg_image_input_sets_points (VgImageView *self)
{
  return vg_region_drawing_get_tool (self->drawing) == VG_TOOL_POINT;
}

/* The handles' arrows, as the slice is seen. */
static const char *
turn_cursor (VgImageView *self, const char *name)
{
  if (name != NULL && self->tile.swapped &&
      (g_str_equal (name, "ns-resize") || g_str_equal (name, "ew-resize")))
    return *name == 'n' ? "ew-resize" : "ns-resize";
  if (name == NULL || (self->tile.turn_x > 0) == (self->tile.turn_y > 0))
    return name;
  return g_str_equal (name, "nwse-resize")   ? "nesw-resize"
         : g_str_equal (name, "nesw-resize") ? "nwse-resize"
                                             : name;
}

/* Of the rows of a table that lie in the image: the hand can move it. */
static gboolean
is_over_boundary (VgImageView *self, VgPoint at)
{
  return vg_region_drawing_get_tool (self->drawing) == VG_TOOL_PAN &&
         vg_stack_layer_is_over (VG_STACK_LAYER (self->stack), at);
}

void
vg_image_input_update_cursor (VgImageView *self)
{
  const char *name = NULL;

  if (self->input.panning)
    name = "grabbing";
  else if (self->input.stacking)
    name = turn_cursor (self, "ns-resize");
  else if (self->input.space)
    name = "grab";
  else if (vg_image_view_has_picture (self) && !self->input.editing)
    {
      VgPoint at = vg_image_view_to_image (self, self->pointer);

      name = vg_image_input_sets_points (self) &&
                     vg_point_drawing_is_over (self->points, at, reach_in_image (self))
                 ? "move"
                 : turn_cursor (
                       self, vg_region_drawing_cursor (self->drawing, at, reach_in_image (self)));
      if (name == NULL && is_over_boundary (self, self->pointer))
        name = turn_cursor (self, "ns-resize");
    }
  if (!self->input.editing)
    gtk_widget_set_cursor_from_name (GTK_WIDGET (self), name);
}

/* --- pointer --- */

static void
on_motion (GtkEventControllerMotion *controller, double x, double y, VgImageView *self)
{
  self->pointer = vg_image_panes_enter (self, x, y);
  if (!self->pointer_inside && gtk_widget_has_visible_focus (GTK_WIDGET (self)))
    gtk_widget_queue_draw (GTK_WIDGET (self));
  self->pointer_inside = TRUE;
  if (!self->input.editing && !self->input.panning)
    vg_region_drawing_hover (self->drawing, vg_image_view_to_image (self, self->pointer));
  vg_image_input_update_cursor (self);
  vg_image_view_queue_probe (self);
  if (vg_session_get_view (self->session)->lens)
    vg_image_panes_update (self); /* it follows the pointer */
  if (vg_image_panes_count (self) > 1)
    gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
on_enter (GtkEventControllerMotion *controller, double x, double y, VgImageView *self)
{
  on_motion (controller, x, y, self);
}

static void
on_leave (GtkEventControllerMotion *controller, VgImageView *self)
{
  self->pointer_inside = FALSE;
  if (gtk_widget_has_visible_focus (GTK_WIDGET (self)))
    gtk_widget_queue_draw (GTK_WIDGET (self));
  vg_image_view_queue_probe (self);
}

/* Counts presses that follow each other as fast and as near as the desktop
 * calls a double click. */
static void
count_presses (VgImageView *self, GtkGesture *gesture, double x, double y)
{
  VgImageInput *input = &self->input;
  guint32 time = gtk_event_controller_get_current_event_time (GTK_EVENT_CONTROLLER (gesture));
  int interval, distance;

  g_object_get (gtk_widget_get_settings (GTK_WIDGET (self)), "gtk-double-click-time", &interval,
                "gtk-double-click-distance", &distance, NULL);
  if (time - input->last_press_time <= (guint32) interval &&
      fabs (x - input->press.x) <= distance && fabs (y - input->press.y) <= distance)
    input->n_press++;
  else
    input->n_press = 1;
  input->last_press_time = time;
  input->entered = FALSE;
  input->press = (VgPoint){ x, y };
}

/* A button or an entry over the picture, such as the lock and the limits of the colour bar, gets
 * its presses and the keyboard itself. */
static gboolean
is_over_control (VgImageView *self, double x, double y)
{
  GtkWidget *at = gtk_widget_pick (GTK_WIDGET (self), x, y, GTK_PICK_DEFAULT);

  return at != NULL && (gtk_widget_get_ancestor (at, GTK_TYPE_BUTTON) != NULL ||
                        gtk_widget_get_ancestor (at, GTK_TYPE_SPIN_BUTTON) != NULL);
}

static void
on_drag_begin (GtkGestureDrag *gesture, double x, double y, VgImageView *self)
{
  guint button = gtk_gesture_single_get_current_button (GTK_GESTURE_SINGLE (gesture));
  VgImageInput *input = &self->input;
  gboolean control;
  VgPoint at;

  control = is_over_control (self, x, y);
  if ((button != GDK_BUTTON_PRIMARY && button != GDK_BUTTON_MIDDLE) ||
      !vg_image_view_has_picture (self) || control)
    {
      input->n_press = 0; /* "drag-end" follows at once, of a press that was not taken */
      gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_DENIED);
      /* A control gets the release; without this reset the next press would be lost.  Elsewhere it
       * would end the drag of the right button. */
      if (control)
        gtk_event_controller_reset (GTK_EVENT_CONTROLLER (gesture));
      return;
    }
  gtk_widget_grab_focus (GTK_WIDGET (self));
  at = vg_image_panes_enter (self, x, y);
  count_presses (self, GTK_GESTURE (gesture), at.x, at.y);
  input->moved = FALSE;
  input->pan_start = self->transform;
  if (vg_region_drawing_get_tool (self->drawing) != VG_TOOL_PAN &&
      vg_region_drawing_get_draft (self->drawing) == NULL)
    /* what is drawn belongs to the slice where it began */
    vg_image_view_enter_tile (self, input->press);
  input->pointing = button == GDK_BUTTON_PRIMARY && !input->space &&
                    vg_image_input_sets_points (self) &&
                    vg_point_drawing_press (self->points,
                                            vg_image_view_to_image (self, input->press),
                                            reach_in_image (self));
  input->editing = button == GDK_BUTTON_PRIMARY && !input->space &&
                   !vg_image_input_sets_points (self) &&
                   vg_region_drawing_press (self->drawing,
                                            vg_image_view_to_image (self, input->press),
                                            reach_in_image (self));
  input->stacking = button == GDK_BUTTON_PRIMARY && !input->space && !input->editing &&
                    is_over_boundary (self, input->press) &&
                    vg_stack_layer_press (VG_STACK_LAYER (self->stack), input->press);
  input->panning = !input->editing && !input->pointing && !input->stacking;
  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
}

static gboolean
wants_square (GtkGesture *gesture)
{
  return (gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (gesture)) &
          GDK_SHIFT_MASK) != 0;
}

static void
on_drag_update (GtkGestureDrag *gesture, double dx, double dy, VgImageView *self)
{
  VgImageInput *input = &self->input;

  if (!input->moved && hypot (dx, dy) < CLICK_SLOP)
    return;
  input->moved = TRUE;
  if (input->editing)
    vg_region_drawing_drag (
        self->drawing,
        vg_image_view_to_image (self, (VgPoint){ input->press.x + dx, input->press.y + dy }),
        wants_square (GTK_GESTURE (gesture)));
  else if (input->pointing)
    vg_point_drawing_drag (
        self->points,
        vg_image_view_to_image (self, (VgPoint){ input->press.x + dx, input->press.y + dy }));
  else if (input->stacking)
    vg_stack_layer_drag (VG_STACK_LAYER (self->stack),
                         (VgPoint){ input->press.x + dx, input->press.y + dy });
  else if (input->panning)
    {
      vg_image_input_update_cursor (self);
      vg_image_view_pan_from (self, &input->pan_start, dx, dy);
    }
}

/* A click of the hand, which has moved nothing, chooses the pixel, inside of regions too; at its
 * outline, or with a second press inside, it selects the region. */
static void
click (VgImageView *self, VgPoint on_widget)
{
  VgPoint at;

  vg_image_view_enter_tile (self, on_widget);
  at = vg_image_view_to_image (self, on_widget);
  if (vg_region_drawing_select_outline (self->drawing, at, reach_in_image (self)))
    return;
  if (vg_region_drawing_get_selected (self->drawing) >= 0)
    vg_session_select_region (self->session, -1);
  vg_stack_layer_choose_at (VG_STACK_LAYER (self->stack), on_widget);
  vg_image_view_choose_pixel (self, at);
}

gboolean
vg_image_view_is_held (VgImageView *self)
{
  return self->input.editing || self->input.pointing || self->input.stacking || self->input.panning;
}

/* Beside the part of a slide that is worked on nothing would come of it. */
gboolean
vg_image_input_set_point (VgImageView *self, VgPoint at)
{
  return !vg_image_slide_refuses (self, at) && vg_point_drawing_add (self->points, at);
}

static void
on_drag_end (GtkGestureDrag *gesture, double dx, double dy, VgImageView *self)
{
  VgImageInput *input = &self->input;
  VgPoint on_widget = { input->press.x + dx, input->press.y + dy };
  guint button = gtk_gesture_single_get_current_button (GTK_GESTURE_SINGLE (gesture));
  gboolean editing = input->editing, panning = input->panning || input->stacking;

  if (input->n_press == 0)
    return;
  if (input->pointing)
    vg_point_drawing_release (self->points, input->moved);
  else if (!input->moved && button == GDK_BUTTON_PRIMARY && !input->space &&
           vg_image_input_sets_points (self))
    vg_image_input_set_point (self, vg_image_view_to_image (self, on_widget));
  if (input->stacking)
    vg_stack_layer_release (VG_STACK_LAYER (self->stack));
  input->editing = input->panning = input->pointing = input->stacking = FALSE;
  if (editing)
    vg_region_drawing_release (self->drawing, vg_image_view_to_image (self, on_widget),
                               reach_in_image (self), input->moved, input->n_press);
  if (!input->moved && button == GDK_BUTTON_PRIMARY && !input->space &&
      vg_region_drawing_get_tool (self->drawing) == VG_TOOL_PAN)
    {
      if (input->n_press == 2 && self->layer != NULL)
        {
          VgPoint at = vg_image_view_to_image (self, on_widget);

          g_signal_emit_by_name (self, "double-clicked", at.x, at.y);
        }
      else if (input->n_press == 2 && !vg_region_drawing_select_at (
                                          self->drawing, vg_image_view_to_image (self, on_widget)))
        vg_image_view_zoom_fit (self);
      else if (input->n_press != 2 && (panning || editing))
        click (self, on_widget);
    }
  vg_image_input_update_cursor (self);
}

static void
on_drag_cancel (GtkGesture *gesture, GdkEventSequence *sequence, VgImageView *self)
{
  if (self->input.editing)
    vg_region_drawing_cancel (self->drawing);
  if (self->input.pointing)
    vg_point_drawing_cancel (self->points);
  if (self->input.stacking)
    vg_stack_layer_cancel (VG_STACK_LAYER (self->stack));
  self->input.editing = self->input.panning = self->input.pointing = self->input.stacking = FALSE;
}

static gboolean
on_scroll (GtkEventControllerScroll *controller, double dx, double dy, VgImageView *self)
{
  GdkModifierType state = gtk_event_controller_get_current_event_state (
      GTK_EVENT_CONTROLLER (controller));
  VgPoint middle = { 0.5 * self->viewport.width, 0.5 * self->viewport.height };
  double clicks = gtk_event_controller_scroll_get_unit (controller) == GDK_SCROLL_UNIT_SURFACE
                      ? dy / 60
                      : dy;

  /* shift and wheel is the window's: next and previous frame */
  if ((state & GDK_SHIFT_MASK) != 0 || dy == 0)
    return FALSE;
  vg_image_view_zoom_at (self, self->pointer_inside ? self->pointer : middle,
                         self->transform.zoom * pow (vg_image_zoom_step, -clicks));
  return TRUE;
}

static void
on_pinch_begin (GtkGesture *gesture, GdkEventSequence *sequence, VgImageView *self)
{
  self->input.pinch_zoom = self->transform.zoom;
}

static void
on_pinch (GtkGestureZoom *gesture, double scale, VgImageView *self)
{
  VgPoint at;

  if (gtk_gesture_get_bounding_box_center (GTK_GESTURE (gesture), &at.x, &at.y) && scale > 0)
    vg_image_view_zoom_at (self, vg_image_panes_enter (self, at.x, at.y),
                           self->input.pinch_zoom * scale);
}

void
vg_image_input_connect (VgImageView *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkEventController *scroll = gtk_event_controller_scroll_new (
      GTK_EVENT_CONTROLLER_SCROLL_VERTICAL);
  GtkGesture *drag = gtk_gesture_drag_new ();
  GtkGesture *pinch = gtk_gesture_zoom_new ();

  g_signal_connect (motion, "enter", G_CALLBACK (on_enter), self);
  g_signal_connect (motion, "motion", G_CALLBACK (on_motion), self);
  g_signal_connect (motion, "leave", G_CALLBACK (on_leave), self);
  g_signal_connect (scroll, "scroll", G_CALLBACK (on_scroll), self);
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (drag), 0);
  g_signal_connect (drag, "drag-begin", G_CALLBACK (on_drag_begin), self);
  g_signal_connect (drag, "drag-update", G_CALLBACK (on_drag_update), self);
  g_signal_connect (drag, "drag-end", G_CALLBACK (on_drag_end), self);
  g_signal_connect (drag, "cancel", G_CALLBACK (on_drag_cancel), self);
  g_signal_connect (pinch, "begin", G_CALLBACK (on_pinch_begin), self);
  g_signal_connect (pinch, "scale-changed", G_CALLBACK (on_pinch), self);
  gtk_widget_add_controller (widget, motion);
  gtk_widget_add_controller (widget, scroll);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (drag));
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (pinch));
}
