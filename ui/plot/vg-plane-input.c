/* SPDX-License-Identifier: MIT */
/* Pointer, wheel and keys over a plane. */
#include "ui/plot/vg-plane-view-private.h"
#include <math.h>

enum { REACH_PX = 7 };

/* The topmost ellipse there; the selected one's handles come first. */
static VgEllipsePart
part_at (VgPlaneView *self, double x, double y, int *i)
{
  double reach = REACH_PX / self->scene.scale, knob = VG_PLANE_KNOB_PX / self->scene.scale, px, py;
  VgEllipsePart part = VG_ELLIPSE_OUTSIDE;

  vg_plane_scene_to_plane (&self->scene, x, y, &px, &py);
  *i = self->scene.selected;
  if (vg_plane_view_ellipse_at (self, *i))
    part = vg_ellipse_hit (vg_plane_view_ellipse_at (self, *i), px, py, reach, knob, TRUE);
  if (part != VG_ELLIPSE_OUTSIDE)
    return part;
  for (*i = (int) self->ellipses->len - 1; *i >= 0; --*i)
    if ((part = vg_ellipse_hit (vg_plane_view_ellipse_at (self, *i), px, py, reach, knob, FALSE)) !=
        VG_ELLIPSE_OUTSIDE)
      return part;
  return VG_ELLIPSE_OUTSIDE;
}

static const char *
cursor_of (VgEllipsePart part)
{
  switch (part)
    {
    case VG_ELLIPSE_INSIDE:
      return "move";
    case VG_ELLIPSE_EDGE:
    case VG_ELLIPSE_A:
    case VG_ELLIPSE_B:
      return "nwse-resize";
    case VG_ELLIPSE_KNOB:
      return "grab";
    case VG_ELLIPSE_OUTSIDE:
    default:
      return "default";
    }
}

static void
on_motion (GtkEventControllerMotion *motion, double x, double y, VgPlaneView *self)
{
  const double *box = self->scene.box;
  int i;

  if (self->picture == NULL || self->scene.scale == 0)
    return;
  self->scene.pointer[0] = self->scene.pointer[1] = NAN;
  if (x >= box[0] && x <= box[0] + box[2] && y >= box[1] && y <= box[1] + box[3])
    vg_plane_scene_to_plane (&self->scene, x, y, &self->scene.pointer[0], &self->scene.pointer[1]);
  if (!self->dragging)
    gtk_widget_set_cursor_from_name (GTK_WIDGET (self), cursor_of (part_at (self, x, y, &i)));
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
on_leave (GtkEventControllerMotion *motion, VgPlaneView *self)
{
  self->scene.pointer[0] = self->scene.pointer[1] = NAN;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
on_drag_begin (GtkGestureDrag *gesture, double x, double y, VgPlaneView *self)
{
  int i;

  gtk_widget_grab_focus (GTK_WIDGET (self));
  if (self->picture == NULL || self->scene.scale == 0)
    return;
  self->part = part_at (self, x, y, &i);
  vg_plane_view_choose (self, self->part == VG_ELLIPSE_OUTSIDE ? -1 : i);
  if (self->part != VG_ELLIPSE_OUTSIDE)
    self->start = *vg_plane_view_ellipse_at (self, i);
  self->press[0] = x;
  self->press[1] = y;
  self->start_middle[0] = self->scene.middle[0];
  self->start_middle[1] = self->scene.middle[1];
  self->dragging = TRUE;
}

static void
on_drag_update (GtkGestureDrag *gesture, double dx, double dy, VgPlaneView *self)
{
  VgEllipse *ellipse = vg_plane_view_ellipse_at (self, self->scene.selected);
  double from[2], to[2];

  if (!self->dragging || (fabs (dx) < 2 && fabs (dy) < 2))
    return;
  if (self->part == VG_ELLIPSE_OUTSIDE)
    {
      self->scene.middle[0] = self->start_middle[0] - dx / self->scene.scale;
      self->scene.middle[1] = self->start_middle[1] + dy / self->scene.scale;
      vg_plane_view_zoomed (self);
      return;
    }
  if (ellipse == NULL)
    return;
  self->scene.zoomed = TRUE; /* the ground does not follow what is dragged over it */
  vg_plane_scene_to_plane (&self->scene, self->press[0], self->press[1], &from[0], &from[1]);
  vg_plane_scene_to_plane (&self->scene, self->press[0] + dx, self->press[1] + dy, &to[0], &to[1]);
  *ellipse = vg_ellipse_drag (&self->start, self->part, from[0], from[1], to[0], to[1],
                              VG_PLANE_LEAST_RADIUS, VG_PLANE_LARGEST_RADIUS);
  vg_plane_view_changed (self, FALSE);
}

static void
on_drag_end (GtkGestureDrag *gesture, double dx, double dy, VgPlaneView *self)
{
  gboolean moved = self->dragging && self->part != VG_ELLIPSE_OUTSIDE &&
                   (fabs (dx) >= 2 || fabs (dy) >= 2);

  self->dragging = FALSE;
  if (moved)
    {
      vg_plane_view_zoomed (self);
      vg_plane_view_changed (self, TRUE);
    }
}

static void
on_pressed (GtkGestureClick *click, int n_press, double x, double y, VgPlaneView *self)
{
  double px, py;
  int i;

  if (n_press != 2 || self->picture == NULL || part_at (self, x, y, &i) != VG_ELLIPSE_OUTSIDE)
    return;
  vg_plane_scene_to_plane (&self->scene, x, y, &px, &py);
  if (self->max > 0)
    vg_plane_view_add_at (self, px, py);
  else
    vg_plane_view_zoom_fit (self);
}

static gboolean
on_scroll (GtkEventControllerScroll *scroll, double dx, double dy, VgPlaneView *self)
{
  double factor = pow (1.2, -dy), x = self->scene.pointer[0], y = self->scene.pointer[1];

  if (self->picture == NULL || isnan (x))
    return GDK_EVENT_PROPAGATE;
  factor = CLAMP (self->scene.scale * factor, 20, 1e5) / self->scene.scale;
  self->scene.middle[0] = x + (self->scene.middle[0] - x) / factor;
  self->scene.middle[1] = y + (self->scene.middle[1] - y) / factor;
  self->scene.scale *= factor;
  vg_plane_view_zoomed (self);
  return GDK_EVENT_STOP;
}

/* FALSE: the key means nothing here. */
static gboolean
change_by_key (VgEllipse *ellipse, guint value, double step)
{
  switch (value)
    {
    case GDK_KEY_Left:
    case GDK_KEY_Right:
      ellipse->x += value == GDK_KEY_Left ? -step : step;
      return TRUE;
    case GDK_KEY_Up:
    case GDK_KEY_Down:
      ellipse->y += value == GDK_KEY_Down ? -step : step;
      return TRUE;
    case GDK_KEY_plus:
    case GDK_KEY_KP_Add:
    case GDK_KEY_minus:
    case GDK_KEY_KP_Subtract:
      {
        double factor = value == GDK_KEY_plus || value == GDK_KEY_KP_Add ? 1.05 : 1 / 1.05;

        ellipse->a = CLAMP (ellipse->a * factor, VG_PLANE_LEAST_RADIUS, VG_PLANE_LARGEST_RADIUS);
        ellipse->b = CLAMP (ellipse->b * factor, VG_PLANE_LEAST_RADIUS, VG_PLANE_LARGEST_RADIUS);
        return TRUE;
      }
    case GDK_KEY_bracketleft:
    case GDK_KEY_bracketright:
      ellipse->angle = remainder (ellipse->angle + (value == GDK_KEY_bracketleft ? 5 : -5), 360);
      return TRUE;
    default:
      return FALSE;
    }
}

static gboolean
on_key (GtkEventControllerKey *key, guint value, guint code, GdkModifierType state,
        VgPlaneView *self)
{
  VgEllipse *ellipse = vg_plane_view_ellipse_at (self, self->scene.selected);

  if (ellipse == NULL || state & (GDK_CONTROL_MASK | GDK_ALT_MASK))
    return GDK_EVENT_PROPAGATE;
  if (value == GDK_KEY_Delete || value == GDK_KEY_BackSpace)
    {
      vg_plane_view_remove_selected (self);
      return GDK_EVENT_STOP;
    }
  if (!change_by_key (ellipse, value, state & GDK_SHIFT_MASK ? 0.001 : 0.01))
    return GDK_EVENT_PROPAGATE;
  vg_plane_view_changed (self, TRUE);
  return GDK_EVENT_STOP;
}

void
vg_plane_view_add_controllers (VgPlaneView *self)
{
  GtkEventController *motion = gtk_event_controller_motion_new (),
                     *key = gtk_event_controller_key_new ();
  GtkEventController *scroll = gtk_event_controller_scroll_new (
      GTK_EVENT_CONTROLLER_SCROLL_VERTICAL);
  GtkGesture *drag = gtk_gesture_drag_new (), *click = gtk_gesture_click_new ();

  g_signal_connect (motion, "motion", G_CALLBACK (on_motion), self);
  g_signal_connect (motion, "leave", G_CALLBACK (on_leave), self);
  g_signal_connect (key, "key-pressed", G_CALLBACK (on_key), self);
  g_signal_connect (scroll, "scroll", G_CALLBACK (on_scroll), self);
  g_signal_connect (drag, "drag-begin", G_CALLBACK (on_drag_begin), self);
  g_signal_connect (drag, "drag-update", G_CALLBACK (on_drag_update), self);
  g_signal_connect (drag, "drag-end", G_CALLBACK (on_drag_end), self);
  g_signal_connect (click, "pressed", G_CALLBACK (on_pressed), self);
  gtk_widget_add_controller (GTK_WIDGET (self), motion);
  gtk_widget_add_controller (GTK_WIDGET (self), key);
  gtk_widget_add_controller (GTK_WIDGET (self), scroll);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drag));
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
}
