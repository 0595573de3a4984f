/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/contour/shapes/contour-geojson.h"
#include "kernels/contour/evolve/contour-scene.h"
/* The zero level line of one object, between pixels. */
G_BEGIN_DECLS

/* Closed rings in pixels of the image (pixel centres at i + 1/2), linear
 * between samples; the image's edge closes them.  The longest ring is the
 * first of the one polygon, holes follow.  NULL when nothing is inside. */
VgContourShape *vg_contour_outline (const VgContourObject *object, int width, int height);
/* Of pixels with this width and height. */
double vg_contour_perimeter (const VgContourShape *shape, double width, double height);
/* Of all rings by the even-odd rule of the rings' winding. */
double vg_contour_shape_area (const VgContourShape *shape);
/* That area over the area of the convex hull of all rings, 0 to 1. */
double vg_contour_solidity (const VgContourShape *shape);

/* Which of a closed RING's N points to keep (KEPT, N of them), so that none of the others lies
 * farther than TOLERANCE from what is left. */
void vg_contour_simplify (const VgContourPoint *ring, guint n, double tolerance, gboolean *kept);

/* The area of an object's outline; 0: it has none. */
double vg_contour_outline_area (const VgContourObject *object, int width, int height);

G_END_DECLS
