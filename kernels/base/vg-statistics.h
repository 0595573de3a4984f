/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/base/vg-plane.h"
#include "kernels/base/vg-region.h"
/* Range and histogram of a plane, and moments of a region.  NaN and infinite
 * samples are counted as invalid and enter nothing else. */
G_BEGIN_DECLS

/* as often at most do bins draw in on what is counted */
enum { VG_HISTOGRAM_BINS = 256, VG_STATISTICS_LOOKS = 5 };

typedef struct
{
  double min, max; /* NaN when nothing is valid */
  double mean;
  guint64 valid, invalid;
  guint64 histogram[VG_HISTOGRAM_BINS]; /* min..max, equal bins, the last closed */
  /* The same bins by brightness, and their sum; 0: not weighed.  What is hardly seen says as little
   * of the quantiles. */
  guint64 weighed[VG_HISTOGRAM_BINS], weight;
  double weighed_min, weighed_max; /* their own range, the end bins open; equal: min..max */
  double most;                     /* of the plane (VgPlane.most), filled in by who asks */
} VgStatistics;

typedef struct
{
  double mean, sd, min, max; /* sd with n-1 */
  guint64 valid, invalid;
} VgRegionStatistics;

/* Host planes; the CUDA module has the twins.  THREADS 0: all cores; the
 * result does not depend on it. */
void vg_statistics_compute (VgStatistics *self, const VgPlane *plane, int slice, int threads);
/* Adds the weights of the samples of which SELF are the statistics: each counts by the square of
 * LIGHT at its place, 0 from LIMITS[0] down and 255^2 from LIMITS[1] on (vg_statistics_weight). All
 * are 0 when LIGHT is of another size, or the limits are no range. */
void vg_statistics_weigh (VgStatistics *self, const VgPlane *plane, const VgPlane *light, int slice,
                          const double limits[2], int threads);
/* Weights that are 1 where LABELS, of the same size, is 1 and else 0, in bins over where most of
 * them lie; none when they are not a tenth of the valid samples. */
void vg_statistics_count_labelled (VgStatistics *self, const VgPlane *plane, const VgPlane *labels,
                                   int slice, int threads);
/* For it and its twin: after a count of WEIGHED between LOW and HIGH, the range that most of it
 * lies in; FALSE: no finer one is wanted. */
gboolean vg_statistics_narrow (VgStatistics *self, double *low, double *high);
/* Value below which a fraction Q of the valid samples lies, from the histogram: of their weight,
 * when they are weighed. */
double vg_statistics_quantile (const VgStatistics *self, double q);
/* Of the pixels of the box that MASK (vg_region_mask of the same box; NULL:
 * all) holds; without a valid one all but the counts are NaN, with one sd is. */
void vg_region_statistics_compute (VgRegionStatistics *self, const VgPlane *plane,
                                   const guint8 *mask, int x0, int y0, int x1, int y1, int slice);
/* One byte per pixel of the box (x1-x0)*(y1-y0): inside or not. */
guint8 *vg_region_mask (const VgRegion *region, int x0, int y0, int x1, int y1);

G_END_DECLS
