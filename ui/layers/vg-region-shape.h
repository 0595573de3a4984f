/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/base/vg-region.h"
/* The geometry of drawing and changing a region by hand: its handles, and what
 * dragging one does.  Image coordinates throughout; no widgets. */
G_BEGIN_DECLS

typedef struct
{
  double x, y;
} VgPoint;

/* Eight for rectangle and ellipse (clockwise from the upper left), else the
 * vertices.  HANDLES holds VG_REGION_MAX_POINTS. */
int vg_region_shape_handles (const VgRegion *self, VgPoint *handles);
/* The shape between two corners; SQUARE makes it as wide as high.  Rounded to
 * whole pixels. */
void vg_region_shape_from_corners (VgRegion *self, VgRegionKind kind, VgPoint from, VgPoint to,
                                   gboolean square);
/* SELF becomes START with one handle at TO. */
void vg_region_shape_move_handle (VgRegion *self, const VgRegion *start, int handle, VgPoint to,
                                  gboolean square);
void vg_region_shape_translate (VgRegion *self, double dx, double dy);
/* Moves right and lower edge (of a polygon: scales about the upper left). */
void vg_region_shape_grow (VgRegion *self, double dx, double dy);
/* The box around all points. */
void vg_region_shape_box (const VgRegion *self, VgPoint *low, VgPoint *high);
/* How far a handle reaches to AT, of REACH: less inside a small region, whose middle half moves it.
 * ASPECT: a pixel's height over its width; 0: unknown. */
double vg_region_shape_reach (const VgRegion *self, VgPoint at, double aspect, double reach);

G_END_DECLS
