/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/contour/seeds/contour-level.h"
#include "kernels/contour/seeds/contour-seeds.h"
/* Nuclei as areas of the image: each at the grey level at which it looks
 * most like a nucleus. */
G_BEGIN_DECLS

#define VG_CONTOUR_AREA_BYTES 20

/* GREY within 0..1.  An array of VgContourPeak, the surest first, a pixel of each area; *LABELS
 * (new) has the areas, numbered from 1 in the array's order.  NULL: no memory.  Needs about
 * VG_CONTOUR_AREA_BYTES per pixel for each thread at work; see vg_contour_areas_threads. */
GArray *vg_contour_areas (const float *grey, const VgContourForeground *foreground,
                          float sensitivity, const VgContext *context, gint32 **labels);
/* As many as there are processors and an image of so many pixels has memory for, at most 16. */
int vg_contour_areas_threads (gsize pixels);

G_END_DECLS
