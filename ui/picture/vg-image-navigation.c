/* SPDX-License-Identifier: MIT */
/* Zoom, pan and positions of the image view: each changes the session's view, and the scene follows
 * from that. */
#include "ui/picture/vg-image-view-private.h"
#include "ui/picture/vg-picture.h"
#include <math.h>

enum { SMALLEST_PX = 160 }; /* side of an image view with bars */

/* relative difference from the zoom of the fit below which a zoom counts as the fit */
#define SAME_ZOOM 0.01

gboolean
vg_image_view_has_picture (VgImageView *self)
{
  return self->result != NULL || vg_image_slide_is_known (self);
}

gboolean
vg_image_view_has_bars (VgImageView *self)
{
  return vg_image_view_has_picture (self) &&
         gtk_widget_get_width (GTK_WIDGET (self)) >= SMALLEST_PX &&
         gtk_widget_get_height (GTK_WIDGET (self)) >= SMALLEST_PX;
}

VgPoint
vg_image_view_to_image (VgImageView *self, VgPoint at)
{
  VgPoint point = { 0, 0 };

  if (self->tile.zoom > 0)
    vg_view_transform_to_image (&self->tile, at.x, at.y, &point.x, &point.y);
  return point;
}

void
vg_image_view_enter_tile (VgImageView *self, VgPoint at)
{
  VgView view = *vg_session_get_view (self->session);
  double x, y;

  if (self->scene.mosaic.slices == 0 || !(self->transform.zoom > 0))
    return;
  vg_view_transform_to_image (&self->transform, at.x, at.y, &x, &y);
  if (vg_mosaic_slice_at (&self->scene.mosaic, x, y) < 0)
    return;
  view.slice = vg_mosaic_slice_at (&self->scene.mosaic, x, y);
  vg_session_set_view (self->session, &view);
}

/* A fitted image is visible as a whole, so it cannot be moved. */
static gboolean
shows_all (VgImageView *self)
{
  return !(self->fit.right > self->fit.left);
}

gboolean
vg_image_view_is_fitted (VgImageView *self)
{
  return !(vg_session_get_view (self->session)->zoom > 0);
}

/* SNAPS: a zoom that comes near to the fit becomes the fit.  One that leaves the fit does not, so
 * that small steps add up. */
static void
set_zoom (VgImageView *self, VgPoint at, double zoom, gboolean snaps)
{
  VgView view = *vg_session_get_view (self->session);
  double fit = vg_viewport_fit_zoom (&self->viewport, &self->extent);

  if (!vg_image_view_has_picture (self))
    return;
  vg_view_zoom_at (&view, &self->transform, &self->extent, &self->viewport, at.x, at.y, zoom);
  if (snaps && shows_all (self) && fabs (view.zoom / fit - 1) < SAME_ZOOM &&
      fabs (view.zoom - fit) < fabs (self->transform.zoom - fit))
    view.zoom = 0;
  vg_session_set_view (self->session, &view);
}

void
vg_image_view_zoom_at (VgImageView *self, VgPoint at, double zoom)
{
  set_zoom (self, at, zoom, TRUE);
}

void
vg_image_view_pan_from (VgImageView *self, const VgViewTransform *start, double dx, double dy)
{
  VgView view = *vg_session_get_view (self->session);

  if (!vg_image_view_has_picture (self) || (vg_image_view_is_fitted (self) && shows_all (self)))
    return;
  vg_view_pan (&view, start, &self->extent, &self->viewport, dx, dy);
  vg_session_set_view (self->session, &view);
}

void
vg_image_view_zoom_fit (VgImageView *self)
{
  VgView view = *vg_session_get_view (self->session);

  if (vg_image_view_is_fitted (self) && self->layer == NULL &&
      (self->fits_all || !shows_all (self)))
    {
      self->fits_all = !self->fits_all;
      gtk_widget_queue_allocate (GTK_WIDGET (self)); /* which updates what is shown */
    }
  view.zoom = 0;
  vg_session_set_view (self->session, &view);
}

static VgPoint
middle_of (VgImageView *self)
{
  return (VgPoint){ 0.5 * self->viewport.width, 0.5 * self->viewport.height };
}

void
vg_image_view_zoom_by (VgImageView *self, double factor)
{
  set_zoom (self, middle_of (self), self->transform.zoom * factor, TRUE);
}

void
vg_image_view_zoom_to (VgImageView *self, double zoom)
{
  set_zoom (self, middle_of (self), zoom, FALSE);
}

const VgViewTransform *
vg_image_view_get_transform (VgImageView *self)
{
  return &self->transform;
}

void
vg_image_view_show_area (VgImageView *self, const VgExtent *area)
{
  VgView view = *vg_session_get_view (self->session);
  VgExtent fit = *area;

  fit.aspect = self->extent.aspect;
  vg_view_show_area (&view, &fit, &self->viewport);
  vg_session_set_view (self->session, &view);
}

double
vg_image_view_get_zoom (VgImageView *self)
{
  return self->transform.zoom;
}

gboolean
vg_image_view_remove_object (VgImageView *self)
{
  if (self->scene.selected == 0)
    return FALSE;
  g_signal_emit_by_name (self, "remove-object");
  return TRUE;
}

void
vg_image_view_choose_object (VgImageView *self, guint32 number)
{
  self->scene.selected = number;
  vg_image_panes_update (self);
}

VgPoint
vg_image_view_locate (VgImageView *self, VgPoint at)
{
  VgPoint point, corner = vg_image_panes_corner (self, -1);

  vg_view_transform_to_widget (&self->tile, at.x, at.y, &point.x, &point.y);
  return (VgPoint){ point.x + corner.x, point.y + corner.y };
}
