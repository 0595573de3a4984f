/* SPDX-License-Identifier: MIT */
/* Keyboard of the image view. */
#include "ui/picture/vg-image-view-private.h"
#include "ui/picture/vg-stack-layer.h"

enum { PAN_STEP = 48, PAN_FAR = 240 };

static gboolean
press_arrow (VgImageView *self, int dx, int dy, GdkModifierType state)
{
  int step = (state & GDK_SHIFT_MASK) != 0 ? PAN_FAR : PAN_STEP;

  /* in the slice */
  int along_x = self->tile.swapped ? dy : dx, along_y = self->tile.swapped ? dx : dy;

  along_x = self->tile.turn_x > 0 ? -along_x : along_x;
  along_y = self->tile.turn_y > 0 ? -along_y : along_y;

  if ((state & GDK_CONTROL_MASK) != 0 && vg_image_input_sets_points (self))
    return vg_point_drawing_nudge (self->points, along_x, along_y);
  if ((state & GDK_CONTROL_MASK) != 0 && (state & GDK_SHIFT_MASK) != 0)
    return vg_region_drawing_nudge (self->drawing, self->tile.swapped ? dy : dx,
                                    self->tile.swapped ? dx : dy, TRUE);
  if ((state & GDK_CONTROL_MASK) != 0)
    return vg_region_drawing_nudge (self->drawing, along_x, along_y, FALSE);
  vg_image_view_pan_from (self, &self->transform, -dx * step, -dy * step);
  return vg_image_view_has_picture (self);
}

static gboolean
press_enter (VgImageView *self)
{
  VgPoint middle = { 0.5 * self->viewport.width, 0.5 * self->viewport.height }, at;
  int slice;
  double size = 0.25 * MIN (self->viewport.width, self->viewport.height) * self->transform.scale /
                self->transform.zoom;

  if (!vg_image_view_has_picture (self))
    return FALSE;
  if (vg_image_input_sets_points (self))
    return vg_image_input_set_point (self, vg_image_view_to_image (self, middle));
  if (vg_region_drawing_finish (self->drawing))
    return TRUE;
  vg_image_view_enter_tile (self, self->pointer_inside &&
                                          vg_region_drawing_get_tool (self->drawing) == VG_TOOL_PAN
                                      ? self->pointer
                                      : middle);
  at = vg_image_view_to_image (self, middle);
  if (vg_region_drawing_add_at (self->drawing, at, size))
    return TRUE;
  if (vg_image_view_probe_point (self, &at, &slice))
    vg_image_view_choose_pixel (self, at);
  return TRUE;
}

static gboolean
press_zoom (VgImageView *self, double factor)
{
  VgPoint middle = { 0.5 * self->viewport.width, 0.5 * self->viewport.height };

  vg_image_view_zoom_at (self, self->pointer_inside ? self->pointer : middle,
                         self->transform.zoom * factor);
  return TRUE;
}

static gboolean
press_plain (VgImageView *self, guint key)
{
  switch (key)
    {
    case GDK_KEY_space:
      self->input.space = TRUE;
      vg_image_input_update_cursor (self);
      return TRUE;
    case GDK_KEY_l:
    case GDK_KEY_L:
      return vg_image_panes_hold_lens (self, TRUE);
    case GDK_KEY_plus:
    case GDK_KEY_equal:
    case GDK_KEY_KP_Add:
      return press_zoom (self, vg_image_zoom_step);
    case GDK_KEY_minus:
    case GDK_KEY_KP_Subtract:
      return press_zoom (self, 1 / vg_image_zoom_step);
    case GDK_KEY_1:
    case GDK_KEY_KP_1:
      vg_image_view_zoom_to (self, 1);
      return TRUE;
    case GDK_KEY_0:
    case GDK_KEY_KP_0:
    case GDK_KEY_f:
    case GDK_KEY_F:
      vg_image_view_zoom_fit (self);
      return TRUE;
    case GDK_KEY_n:
      return vg_image_input_sets_points (self) ? vg_point_drawing_select_next (self->points, 1)
                                               : vg_region_drawing_select_next (self->drawing, 1);
    case GDK_KEY_N:
      return vg_image_input_sets_points (self) ? vg_point_drawing_select_next (self->points, -1)
                                               : vg_region_drawing_select_next (self->drawing, -1);
    case GDK_KEY_Delete:
    case GDK_KEY_KP_Delete:
    case GDK_KEY_BackSpace:
      if (vg_image_input_sets_points (self) ? vg_point_drawing_remove (self->points)
                                            : vg_region_drawing_remove (self->drawing))
        return TRUE;
      return vg_image_view_remove_object (self);
    case GDK_KEY_Return:
    case GDK_KEY_KP_Enter:
    case GDK_KEY_ISO_Enter:
      return self->input.entered || press_enter (self);
    case GDK_KEY_Escape:
      if (vg_stack_layer_cancel (VG_STACK_LAYER (self->stack)))
        return TRUE;
      return vg_image_input_sets_points (self) ? vg_point_drawing_cancel (self->points)
                                               : vg_region_drawing_cancel (self->drawing);
    default:
      return FALSE;
    }
}

static gboolean
on_key_pressed (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state,
                VgImageView *self)
{
  state &= GDK_SHIFT_MASK | GDK_CONTROL_MASK | GDK_ALT_MASK;
  if ((state & GDK_ALT_MASK) != 0)
    return FALSE;
  if (key != GDK_KEY_Return && key != GDK_KEY_KP_Enter && key != GDK_KEY_ISO_Enter)
    self->input.entered = FALSE;
  switch (key)
    {
    case GDK_KEY_Left:
    case GDK_KEY_KP_Left:
      return press_arrow (self, -1, 0, state);
    case GDK_KEY_Right:
    case GDK_KEY_KP_Right:
      return press_arrow (self, 1, 0, state);
    case GDK_KEY_Up:
    case GDK_KEY_KP_Up:
      return press_arrow (self, 0, -1, state);
    case GDK_KEY_Down:
    case GDK_KEY_KP_Down:
      return press_arrow (self, 0, 1, state);
    default:
      return (state & GDK_CONTROL_MASK) == 0 && press_plain (self, key);
    }
}

/* What is held no longer is. */
static void
release_keys (VgImageView *self)
{
  self->input.space = self->input.entered = FALSE;
  vg_image_input_update_cursor (self);
  vg_image_panes_hold_lens (self, FALSE);
}

static void
on_key_released (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state,
                 VgImageView *self)
{
  if (key == GDK_KEY_space || key == GDK_KEY_l || key == GDK_KEY_L)
    release_keys (self);
}

static void
on_focus_changed (GtkEventControllerFocus *controller, VgImageView *self)
{
  release_keys (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
  vg_image_view_queue_probe (self);
}

gboolean
vg_image_view_enter (VgImageView *self)
{
  if (!gtk_widget_grab_focus (GTK_WIDGET (self)))
    return FALSE;
  self->input.entered = TRUE;
  return TRUE;
}

void
vg_image_keys_connect (VgImageView *self)
{
  GtkEventController *key = gtk_event_controller_key_new ();
  GtkEventController *focus = gtk_event_controller_focus_new ();

  g_signal_connect (key, "key-pressed", G_CALLBACK (on_key_pressed), self);
  g_signal_connect (key, "key-released", G_CALLBACK (on_key_released), self);
  g_signal_connect (focus, "enter", G_CALLBACK (on_focus_changed), self);
  g_signal_connect (focus, "leave", G_CALLBACK (on_focus_changed), self);
  gtk_widget_add_controller (GTK_WIDGET (self), key);
  gtk_widget_add_controller (GTK_WIDGET (self), focus);
}
