/* SPDX-License-Identifier: MIT */
/* What is under the pointer, and the pixel that a click chooses. */
#include "ui/picture/vg-image-view-private.h"
#include "ui/common/vg-object.h"
#include <math.h>

enum { INTERVAL_US = 30000 };

void
vg_image_probe_add_signals (GType type)
{
  vg_signal_new (type, "probe", 5, G_TYPE_DOUBLE, G_TYPE_DOUBLE, G_TYPE_INT, G_TYPE_DOUBLE,
                 G_TYPE_BOOLEAN);
  vg_signal_new (type, "pixel-chosen", 2, G_TYPE_DOUBLE, G_TYPE_DOUBLE);
}

static gboolean
is_inside (VgImageView *self, VgPoint at)
{
  const VgExtent *extent = &self->tile_extent;

  return at.x >= extent->left && at.x < extent->right && at.y >= 0 && at.y < extent->bottom;
}

gboolean
vg_image_view_probe_point (VgImageView *self, VgPoint *at, int *slice)
{
  VgPoint middle = { 0.5 * self->viewport.width, 0.5 * self->viewport.height };
  const VgPoint *look = self->pointer_inside ? &self->pointer : &middle;
  double x, y;

  *slice = self->slice;
  if (self->result == NULL ||
      (!self->pointer_inside &&
       (self->input.entered || !gtk_widget_has_visible_focus (GTK_WIDGET (self)))))
    return FALSE;
  vg_view_transform_to_image (&self->transform, look->x, look->y, &at->x, &at->y);
  if (self->scene.mosaic.slices > 0)
    {
      *slice = vg_mosaic_slice_at (&self->scene.mosaic, at->x, at->y);
      vg_mosaic_corner (&self->scene.mosaic, MAX (*slice, 0), &x, &y);
      at->x -= x;
      at->y -= y;
    }
  vg_view_transform_to_slice (&self->tile, &at->x, &at->y);
  return *slice >= 0 && is_inside (self, *at);
}

static gboolean
on_probe_tick (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  VgImageView *self = (VgImageView *) widget;
  gint64 now = gdk_frame_clock_get_frame_time (clock);
  VgPoint at = { 0, 0 };
  float value = NAN;
  gboolean inside;
  int slice;

  if (now - self->probe_time < INTERVAL_US)
    return G_SOURCE_CONTINUE;
  self->probe_time = now;
  self->probe_tick = 0;
  inside = vg_image_view_probe_point (self, &at, &slice);
  if (inside)
    {
      int x = (int) floor (at.x);

      inside = vg_result_probe (self->result, x < 0 ? -1 - x : x, (int) floor (at.y), slice,
                                &value);
    }
  g_signal_emit_by_name (self, "probe", at.x, at.y, slice, (double) value, inside);
  return G_SOURCE_REMOVE;
}

/* The value comes with a later tick of the frame clock, so that a fast mouse
 * or a fast camera asks the GPU no more than thirty times a second. */
void
vg_image_view_queue_probe (VgImageView *self)
{
  if (self->probe_tick == 0 && gtk_widget_get_mapped (GTK_WIDGET (self)))
    self->probe_tick = gtk_widget_add_tick_callback (GTK_WIDGET (self), on_probe_tick, NULL, NULL);
}

void
vg_image_view_choose_pixel (VgImageView *self, VgPoint at)
{
  if (self->result == NULL || self->layer != NULL || !is_inside (self, at))
    return;
  self->has_chosen = TRUE;
  self->chosen = (VgPoint){ floor (at.x) + 0.5, floor (at.y) + 0.5 };
  self->chosen_slice = self->slice;
  gtk_widget_queue_draw (GTK_WIDGET (self));
  /* of a mirrored plane either side is of the same pixel */
  g_signal_emit_by_name (self, "pixel-chosen", fabs (at.x), at.y);
}
