/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/lifetime/plan/lifetime-plan.h"
#include "kernels/tables/vg-curves.h"
#include "kernels/base/vg-region.h"
/* The decay of a region with its fit and residuals, for both engines. */
G_BEGIN_DECLS

/* Fits COUNTS, the sum of PIXELS pixels in each bin, by the method of the plan with its range and
 * IRF.  Returns NULL if memory is short. */
VgCurves *vg_lifetime_region_curves (const VgLifetimePlan *plan, const double *counts,
                                     double pixels);
/* The number of pixels in REGION.  MASK (width x height, or NULL) receives 1 for each. */
double vg_lifetime_region_pixels (const VgRegion *region, int width, int height, guint8 *mask);

G_END_DECLS
