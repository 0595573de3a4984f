/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/contour/shapes/contour-mask.h"
/* Finds the boxes that meet another one without a look at all of them. */
G_BEGIN_DECLS

typedef struct
{
  VgContourBox *boxes;
  VgContourBox cells;    /* of the grid that covers them, in cells */
  guint *starts, *items; /* of each cell in ITEMS, the boxes that meet it; one start more */
} VgContourPlaces;

/* The boxes of MASKS (of VgContourMask); none is empty.  FALSE: no memory. */
gboolean vg_contour_places_init (VgContourPlaces *self, const GPtrArray *masks);
void vg_contour_places_clear (VgContourPlaces *self);
/* Sets INDICES (of guint) to the boxes that share a pixel with BOX, in order.  Several threads may
 * call it. */
void vg_contour_places_find (const VgContourPlaces *self, const VgContourBox *box, GArray *indices);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (VgContourPlaces, vg_contour_places_clear)

G_END_DECLS
