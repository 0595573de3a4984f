/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/contour/shapes/contour-mask.h"
/* How likely an outline is wrong, so that the user looks at such nuclei first. */
G_BEGIN_DECLS

/* From 0 (none) to 1, for MASK on the plane GREY (0 to VG_CONTOUR_UNIT, WIDTH x HEIGHT) on which
 * contours evolve.  LEARNED: it is a probability.  SHAPE: the area over that of the ellipse with
 * the same moments. */
double vg_contour_doubt (const VgContourMask *mask, const guint16 *grey, int width, int height,
                         gboolean learned, double shape);

G_END_DECLS
