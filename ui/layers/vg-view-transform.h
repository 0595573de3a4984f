/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/base/vg-plane.h"
#include "app/session/vg-session.h"
/* Where image points are on the screen: the session's view (zoom, middle) on
 * a widget of a certain size.  Three kinds of coordinates: image pixels (their
 * corners at whole numbers), device pixels (what the screen has) and widget
 * pixels (device pixels divided by the scale factor). */
G_BEGIN_DECLS

/* The part of the image plane that a picture covers. */
typedef struct
{
  double left, right, bottom; /* left is -right when mirrored */
  double aspect;              /* an image pixel's height over its width on the screen; 0: 1 */
  double top;                 /* 0, but on a slide */
  gboolean slide;             /* that goes on about the plane: left and top are its edges */
} VgExtent;

typedef struct
{
  int width, height; /* of the widget */
  int scale;         /* device pixels per widget pixel */
  /* widget pixels kept free when the picture is fitted */
  int margin_left, margin_right, margin_top, margin_bottom;
} VgViewport;

typedef struct
{
  double zoom;   /* device pixels per image pixel, along x */
  double zoom_y; /* and along y */
  /* of image point 0, 0 in device pixels; whole, so that pixels are crisp */
  double origin_x, origin_y;
  double scale;
  /* a slice seen the other way round: where its image point 0 is, its width or height; 0: as it is
   */
  double turn_x, turn_y;
  gboolean swapped; /* the slice's y is seen across, its x down */
} VgViewTransform;

VgExtent vg_extent_of_plane (const VgPlane *plane);
/* With the proportions that the plane's pixels have, where their size is known
 * and one side is less than 20 times the other: more would leave a thread. */
void vg_extent_set_proportions (VgExtent *self, const VgPlane *plane);
double vg_viewport_fit_zoom (const VgViewport *self, const VgExtent *extent);
void vg_view_transform_init (VgViewTransform *self, const VgView *view, const VgExtent *extent,
                             const VgViewport *viewport);
/* From a point of the slice as it is seen to the slice's own, in place. */
void vg_view_transform_to_slice (const VgViewTransform *self, double *x, double *y);
void vg_view_transform_to_image (const VgViewTransform *self, double x, double y, double *image_x,
                                 double *image_y);
void vg_view_transform_to_widget (const VgViewTransform *self, double image_x, double image_y,
                                  double *x, double *y);
/* Sets zoom and middle of VIEW so that the image point under widget point X, Y
 * stays there. */
void vg_view_zoom_at (VgView *view, const VgViewTransform *transform, const VgExtent *extent,
                      const VgViewport *viewport, double x, double y, double zoom);
/* Sets zoom and middle of VIEW so that AREA fills what the viewport's margins leave free. */
void vg_view_show_area (VgView *view, const VgExtent *area, const VgViewport *viewport);
/* Moves the picture by widget pixels. */
void vg_view_pan (VgView *view, const VgViewTransform *transform, const VgExtent *extent,
                  const VgViewport *viewport, double dx, double dy);

G_END_DECLS
