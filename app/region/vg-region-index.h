/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/base/vg-region.h"
/* A region that is tested against many points, such as a lasso: its box excludes most of them, and
 * a table gives the edges at the height of the others. */
G_BEGIN_DECLS

typedef struct _VgRegionIndex VgRegionIndex;

/* SHAPE, in any unit, is copied; NULL: nothing can be inside it. */
VgRegionIndex *vg_region_index_new (const VgRegion *shape);
void vg_region_index_free (VgRegionIndex *self);
/* The same answer as vg_region_contains. */
gboolean vg_region_index_contains (const VgRegionIndex *self, double x, double y);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgRegionIndex, vg_region_index_free)

G_END_DECLS
