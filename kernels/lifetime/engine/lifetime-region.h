/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/lifetime/plan/lifetime-plan.h"
#include "kernels/base/vg-curves.h"
#include "kernels/base/vg-region.h"
/* The decay of a region, its fit and residuals; for both engines. */
G_BEGIN_DECLS

/* COUNTS by bin over PIXELS pixels, fitted by the method of the plan with its
 * range and response.  NULL: no memory. */
VgCurves *vg_lifetime_region_curves (const VgLifetimePlan *plan, const double *counts,
                                     double pixels);
/* How many pixels lie in REGION; MASK (width x height, may be NULL) gets 1 in each. */
double vg_lifetime_region_pixels (const VgRegion *region, int width, int height, guint8 *mask);

G_END_DECLS
