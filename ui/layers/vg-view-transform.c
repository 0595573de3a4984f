/* SPDX-License-Identifier: MIT */
/* Zoom and pan.  The origin is rounded to a device pixel: at whole zooms every
 * sample then covers the same number of pixels. */
#include "ui/layers/vg-view-transform.h"
#include <math.h>

static const double zoom_max = 256, most_aspect = 20;

VgExtent
vg_extent_of_plane (const VgPlane *plane)
{
  return (VgExtent){ plane->mirrored ? -plane->width : 0, plane->width, plane->height, 1 };
}

void
vg_extent_set_proportions (VgExtent *self, const VgPlane *plane)
{
  double aspect = fabs (plane->pixel_size[1] / plane->pixel_size[0]);

  self->aspect = isfinite (aspect) && aspect > 1 / most_aspect && aspect < most_aspect ? aspect : 1;
}

static double
aspect_of (const VgExtent *extent)
{
  return extent->aspect > 0 ? extent->aspect : 1;
}

double
vg_viewport_fit_zoom (const VgViewport *self, const VgExtent *extent)
{
  double width = MAX (self->width - self->margin_left - self->margin_right, 16) *
                 (double) self->scale;
  double height = MAX (self->height - self->margin_top - self->margin_bottom, 16) *
                  (double) self->scale;
  double zoom = MIN (width / MAX (extent->right - extent->left, 1),
                     height / (aspect_of (extent) * MAX (extent->bottom - extent->top, 1)));

  return MIN (zoom, zoom_max);
}

static double
clamp_zoom (const VgViewport *viewport, const VgExtent *extent, double zoom)
{
  return CLAMP (zoom, MIN (vg_viewport_fit_zoom (viewport, extent), 1) / 4, zoom_max);
}

void
vg_view_show_area (VgView *view, const VgExtent *area, const VgViewport *viewport)
{
  double zoom = vg_viewport_fit_zoom (viewport, area);

  view->zoom = zoom;
  view->center_x = 0.5 * (area->left + area->right) -
                   0.5 * (viewport->margin_left - viewport->margin_right) * viewport->scale / zoom;
  view->center_y = 0.5 * (area->top + area->bottom) -
                   0.5 * (viewport->margin_top - viewport->margin_bottom) * viewport->scale /
                       (zoom * aspect_of (area));
}

void
vg_view_transform_init (VgViewTransform *self, const VgView *view, const VgExtent *extent,
                        const VgViewport *viewport)
{
  double middle_x = view->center_x, middle_y = view->center_y;
  double shift_x = 0, shift_y = 0;

  self->scale = viewport->scale;
  self->turn_x = self->turn_y = 0;
  self->swapped = FALSE;
  self->zoom = view->zoom;
  if (!(view->zoom > 0))
    {
      self->zoom = vg_viewport_fit_zoom (viewport, extent);
      middle_x = 0.5 * (extent->left + extent->right);
      middle_y = 0.5 * (extent->top + extent->bottom);
      shift_x = 0.5 * (viewport->margin_left - viewport->margin_right) * viewport->scale;
      shift_y = 0.5 * (viewport->margin_top - viewport->margin_bottom) * viewport->scale;
    }
  self->zoom_y = self->zoom * aspect_of (extent);
  self->origin_x = round (0.5 * viewport->width * viewport->scale + shift_x -
                          middle_x * self->zoom);
  self->origin_y = round (0.5 * viewport->height * viewport->scale + shift_y -
                          middle_y * self->zoom_y);
}

void
vg_view_transform_to_slice (const VgViewTransform *self, double *x, double *y)
{
  double across = *x, down = *y;

  *x = self->swapped ? down : across;
  *y = self->swapped ? across : down;
  if (self->turn_x > 0)
    *x = self->turn_x - *x;
  if (self->turn_y > 0)
    *y = self->turn_y - *y;
}

void
vg_view_transform_to_image (const VgViewTransform *self, double x, double y, double *image_x,
                            double *image_y)
{
  *image_x = (x * self->scale - self->origin_x) / self->zoom;
  *image_y = (y * self->scale - self->origin_y) / self->zoom_y;
  vg_view_transform_to_slice (self, image_x, image_y);
}

void
vg_view_transform_to_widget (const VgViewTransform *self, double image_x, double image_y, double *x,
                             double *y)
{
  if (self->turn_x > 0)
    image_x = self->turn_x - image_x;
  if (self->turn_y > 0)
    image_y = self->turn_y - image_y;
  *x = ((self->swapped ? image_y : image_x) * self->zoom + self->origin_x) / self->scale;
  *y = ((self->swapped ? image_x : image_y) * self->zoom_y + self->origin_y) / self->scale;
}

/* Image point IMAGE_X, IMAGE_Y comes to device point X, Y. */
static void
place (VgView *view, const VgExtent *extent, const VgViewport *viewport, double image_x,
       double image_y, double x, double y, double zoom)
{
  view->zoom = zoom;
  view->center_x = image_x + (0.5 * viewport->width * viewport->scale - x) / zoom;
  view->center_y = image_y +
                   (0.5 * viewport->height * viewport->scale - y) / (zoom * aspect_of (extent));
  /* never lose sight of the picture */
  view->center_x = CLAMP (view->center_x, extent->left, extent->right);
  view->center_y = CLAMP (view->center_y, extent->top, extent->bottom);
}

void
vg_view_zoom_at (VgView *view, const VgViewTransform *transform, const VgExtent *extent,
                 const VgViewport *viewport, double x, double y, double zoom)
{
  double image_x, image_y;

  vg_view_transform_to_image (transform, x, y, &image_x, &image_y);
  place (view, extent, viewport, image_x, image_y, x * transform->scale, y * transform->scale,
         clamp_zoom (viewport, extent, zoom));
}

void
vg_view_pan (VgView *view, const VgViewTransform *transform, const VgExtent *extent,
             const VgViewport *viewport, double dx, double dy)
{
  place (view, extent, viewport, 0, 0, transform->origin_x + dx * transform->scale,
         transform->origin_y + dy * transform->scale, transform->zoom);
}
