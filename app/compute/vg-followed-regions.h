/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/core/vg-cuda.h"
#include "kernels/base/vg-statistics.h"
/* Regions whose statistics are taken again and again: their masks are made
 * once for a size of plane.  One thread at a time. */
G_BEGIN_DECLS

typedef struct _VgFollowedRegions VgFollowedRegions;

VgFollowedRegions *vg_followed_regions_new (const VgRegion *regions, guint n);
void vg_followed_regions_free (VgFollowedRegions *self);
guint vg_followed_regions_n (VgFollowedRegions *self);
const VgRegion *vg_followed_regions_get (VgFollowedRegions *self, guint i);
/* Of region I on PLANE, in host memory or on CUDA's device; a region that has
 * no pixel there has no valid sample and NaN moments.  If MOMENT is the same as in the
 * last call, PLANE and its numerator must have the same samples; 0: not known. */
gboolean vg_followed_regions_compute (VgFollowedRegions *self, guint i, const VgPlane *plane,
                                      const VgCuda *cuda, guint moment,
                                      VgRegionStatistics *statistics, GError **error);
/* For a PLANE that is a ratio with this NUMERATOR, of the same size: sets the mean in STATISTICS,
 * which vg_followed_regions_compute has just set for PLANE, to the ratio of sums.  Of planes in
 * device memory each row is copied once for all regions of a moment. */
gboolean vg_followed_regions_set_ratio (VgFollowedRegions *self, guint i, const VgPlane *plane,
                                        const VgPlane *numerator, const VgCuda *cuda,
                                        VgRegionStatistics *statistics, GError **error);
/* Adds the median and the quartiles to STATISTICS, which vg_followed_regions_compute has just set
 * for the same region and PLANE.  EXACT: uses all samples, not only a part of them; else a large
 * region in device memory gets the quartiles of some of its rows.  MAY_BE_STALE: the values
 * computed last may be used. */
gboolean vg_followed_regions_add_quartiles (VgFollowedRegions *self, guint i, const VgPlane *plane,
                                            const VgCuda *cuda, gboolean exact,
                                            gboolean may_be_stale, VgRegionStatistics *statistics,
                                            GError **error);

G_END_DECLS
