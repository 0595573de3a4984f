/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/base/vg-region.h"
/* A lasso that is tested against millions of points: a table gives the edges at the height of a
 * point, so they need not be searched. */
G_BEGIN_DECLS

typedef struct _VgLasso VgLasso;

/* SHAPE, in any unit, is copied; NULL: nothing can be inside it. */
VgLasso *vg_lasso_new (const VgRegion *shape);
void vg_lasso_free (VgLasso *self);
/* The same answer as vg_region_contains. */
gboolean vg_lasso_contains (const VgLasso *self, double x, double y);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgLasso, vg_lasso_free)

G_END_DECLS
