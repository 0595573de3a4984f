/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/contour/model/contour-grey.h"
#include "kernels/contour/net/contour-network.h"
#include "kernels/core/vg-operation.h"
/* The network's maps of a whole image, of any size and magnification. */
G_BEGIN_DECLS

typedef struct
{
  float *nucleus, *distance;        /* per pixel, 0..1 */
  VgContourWindow window;           /* where they are wanted; they are 0 further outside */
  const VgContourNetDevice *device; /* runs the network; NULL: the CPU */
} VgContourMaps;

/* Maps of IMAGE, whose nuclei have a typical RADIUS (px).  The colours are used if the settings
 * choose haematoxylin, else the grey plane with SCALE, which must be known, and without automatic
 * smoothing, because the network was trained on sharp images.  For a part of a larger image, the
 * result equals that of the complete image except in a margin.  FALSE with
 * VG_OPERATION_ERROR_MEMORY, or if CONTEXT is stopped, without error. */
gboolean vg_contour_maps_init (VgContourMaps *self, const VgContourNet *net, const VgImage *image,
                               const VgContourParams *params, const VgContourScale *scale,
                               double radius, const VgContext *context, GError **error);
void vg_contour_maps_clear (VgContourMaps *self);
/* Bytes that the network needs for an image of so many PIXELS, at most. */
gsize vg_contour_maps_bytes (gsize pixels);
/* The same on a GPU for an image of any size; they are freed before contours start. */
gsize vg_contour_maps_device_bytes (void);
/* The factor by which an image is enlarged (2) or reduced (0.5, 0.25, ...) for the network. */
double vg_contour_maps_zoom (double radius);

G_END_DECLS
