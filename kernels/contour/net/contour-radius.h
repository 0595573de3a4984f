/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/contour/net/contour-learned.h"
#include "kernels/contour/seeds/contour-seeds.h"
/* The foreground of an image, with a radius of its nuclei that the network confirms. */
G_BEGIN_DECLS

/* Like vg_contour_foreground_new with the radius of PARAMS and no LIKE, on STAIN, the grey plane of
 * IMAGE.  If the force is learned and the estimated radius is so large that the network would
 * reduce the image, the network also looks for nuclei at finer scales, in the part of the image
 * with the most contrast, to check the radius.  DEVICE runs the network; NULL: the CPU.  NULL with
 * an error.  The result is incomplete if CONTEXT is stopped. */
VgContourForeground *vg_contour_find_foreground (const VgImage *image,
                                                 const VgContourParams *params,
                                                 const VgContourScale *scale, const float *stain,
                                                 const VgContourNetDevice *device,
                                                 const VgContext *context, GError **error);

G_END_DECLS
