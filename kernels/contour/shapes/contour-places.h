/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/contour/shapes/contour-mask.h"
/* Grid of boxes, to find those that overlap another box without comparing it with all of them. */
G_BEGIN_DECLS

typedef struct
{
  VgContourBox *boxes;
  VgContourBox cells;    /* extent of the grid that covers them, in cells */
  guint *starts, *items; /* first item of each cell, and the end; the boxes that meet the cell */
} VgContourPlaces;

/* Stores the boxes of MASKS (of VgContourMask), none of which is empty.  FALSE: there is not enough
 * memory. */
gboolean vg_contour_places_init (VgContourPlaces *self, const GPtrArray *masks);
void vg_contour_places_clear (VgContourPlaces *self);
/* Sets INDICES (of guint) to the boxes that share a pixel with BOX, in ascending order.  Several
 * threads may call it at the same time. */
void vg_contour_places_find (const VgContourPlaces *self, const VgContourBox *box, GArray *indices);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (VgContourPlaces, vg_contour_places_clear)

G_END_DECLS
