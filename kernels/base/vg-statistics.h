/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/base/vg-plane.h"
#include "kernels/base/vg-region.h"
/* Range and histogram of a plane, and statistics of a region.  NaN and infinite samples are counted
 * as invalid and otherwise ignored. */
G_BEGIN_DECLS

/* the bins of weighted samples are narrowed at most VG_STATISTICS_LOOKS times */
enum { VG_HISTOGRAM_BINS = 256, VG_STATISTICS_LOOKS = 5 };

typedef struct
{
  double min, max; /* NaN if no sample is valid */
  double mean;
  guint64 valid, invalid;
  guint64 histogram[VG_HISTOGRAM_BINS]; /* equal bins from min to max */
  /* Positive samples by eighths of an octave, the last that of the maximum: 32 octaves.  Equal bins
   * would put most of a logarithmic map into one.  All 0: not counted. */
  guint64 octaves[VG_HISTOGRAM_BINS];
  /* Weighted histogram and the sum of its weights; 0: not weighted.  Dim pixels have little weight
   * in the quantiles. */
  guint64 weighed[VG_HISTOGRAM_BINS], weight;
  double weighed_min,
      weighed_max; /* range of its bins, where the end bins are open; equal: min..max */
  double most;     /* VgPlane.most, filled in by the caller */
} VgStatistics;

typedef struct
{
  double mean, sd, min, max; /* sd: with n - 1 */
  guint64 valid, invalid;
  double q25, median, q75; /* NaN until vg_region_statistics_add_quartiles */
} VgRegionStatistics;

/* The statistics of no samples. */
#define VG_REGION_STATISTICS_NONE                                                                  \
  ((VgRegionStatistics){                                                                           \
      .mean = NAN, .sd = NAN, .min = NAN, .max = NAN, .q25 = NAN, .median = NAN, .q75 = NAN })

/* Statistics of slice SLICE of a host plane; the CUDA module has the same for device planes.
 * THREADS 0: all cores; the result does not depend on it. */
void vg_statistics_compute (VgStatistics *self, const VgPlane *plane, int slice, int threads);
/* Counts OCTAVES of a plane whose other statistics SELF has: for maps that are usually shown on a
 * logarithmic scale. */
void vg_statistics_count_octaves (VgStatistics *self, const VgPlane *plane, int slice, int threads);
/* Weights the samples of SELF by the square of LIGHT at the same pixel: 0 up to LIMITS[0], 255^2
 * from LIMITS[1] on (vg_statistics_weight).  All weights are 0 if LIGHT has another size or LIMITS
 * are empty. */
void vg_statistics_weigh (VgStatistics *self, const VgPlane *plane, const VgPlane *light, int slice,
                          const double limits[2], int threads);
/* Weights the samples with 1 where LABELS (same size) is 1, else 0, and narrows the bins to where
 * most of them lie.  No weights if fewer than 1 % of the valid samples, or than 20,
 * are labelled. */
void vg_statistics_count_labelled (VgStatistics *self, const VgPlane *plane, const VgPlane *labels,
                                   int slice, int threads);
/* After counting WEIGHED between *LOW and *HIGH: sets the range with most of the weight.  FALSE: no
 * finer range is needed. */
gboolean vg_statistics_narrow (VgStatistics *self, double *low, double *high);
/* Value below which a fraction Q of the valid samples (or of their weight) lies, from the
 * histogram. */
double vg_statistics_quantile (const VgStatistics *self, double q);
/* Where bin I (0 to VG_HISTOGRAM_BINS, which is the end of the last) of OCTAVES starts.  The
 * maximum must be positive. */
double vg_statistics_octave_start (const VgStatistics *self, int i);
/* The same of the positive samples, for a logarithmic scale, where the others have no place: from
 * OCTAVES if they were counted and the samples have no weights, else from the equal bins. Positive,
 * or NaN without a positive sample. */
double vg_statistics_log_quantile (const VgStatistics *self, double q);
/* A pixel of a mirrored plane, in host memory, is a ring about the axis: the mean, the standard
 * deviation and the quartiles of its regions are weighted by volume. */

/* Statistics of the box x0..x1-1, y0..y1-1, restricted to MASK (vg_region_mask of the same box;
 * NULL: all).  Without a valid sample all but the counts are NaN; with a single one sd is NaN. */
void vg_region_statistics_compute (VgRegionStatistics *self, const VgPlane *plane,
                                   const guint8 *mask, int x0, int y0, int x1, int y1, int slice);
/* Adds the samples that PART describes to ALL: counts, mean and standard deviation. */
void vg_region_statistics_pool (VgRegionStatistics *all, const VgRegionStatistics *part);
/* Adds the median and the quartiles of the same box, MASK and slice, interpolated between two
 * samples.  They are computed from at most MOST samples at equal distances (0: from all).  They
 * stay NaN without a valid sample or without memory for a copy of the samples. */
void vg_region_statistics_add_quartiles (VgRegionStatistics *self, const VgPlane *plane,
                                         const guint8 *mask, int x0, int y0, int x1, int y1,
                                         int slice, gsize most);
/* Whether median and quartiles describe the samples better than mean and standard deviation.  This
 * is so for at least 20 samples if the standard deviation is more than 1.5 times that of a normal
 * distribution with the same quartiles, which outliers cause, or if mean and median differ by more
 * than a quarter of the interquartile range.  FALSE if the quartiles are not known, or equal. */
gboolean vg_region_statistics_is_skewed (const VgRegionStatistics *self);
/* The ratio of sums of RATIO over the same box, MASK and slice: the sum of the samples of
 * NUMERATOR, a plane of the same size, divided by the sum of NUMERATOR / RATIO.  It equals the
 * ratio of the two means, and noise does not bias it, unlike the mean of the ratios.  Pixels count
 * if both planes have a value there and the ratio is not 0.  NaN: no pixel counts. */
double vg_region_statistics_get_ratio (const VgPlane *ratio, const VgPlane *numerator,
                                       const guint8 *mask, int x0, int y0, int x1, int y1,
                                       int slice);
/* Adds the two sums of the same box, MASK and slice to SUMS, in the order of the rows: the sums of
 * parts of a region, from the top, are those of the whole, bit for bit. */
void vg_region_statistics_add_to_ratio (const VgPlane *ratio, const VgPlane *numerator,
                                        const guint8 *mask, int x0, int y0, int x1, int y1,
                                        int slice, double sums[2]);
/* New mask with one byte for each of the (x1-x0)*(y1-y0) pixels: 1 inside REGION, else 0; NULL: no
 * memory. */
guint8 *vg_region_mask (const VgRegion *region, int x0, int y0, int x1, int y1);

/* The pixels of a plane in a region: a box and its mask, owned. */
typedef struct
{
  int x0, y0, x1, y1;
  guint8 *mask; /* NULL: no memory */
} VgRegionCover;
/* Of a mirrored plane those of both sides of the axis; of a region in every slice, rows of
 * vg_region_plane.  FALSE: there are none. */
gboolean vg_region_cover (const VgRegion *region, const VgPlane *plane, VgRegionCover *cover);
/* The plane to which the cover of REGION belongs: that of a region in every slice has all slices of
 * PLANE below each other in one. */
VgPlane vg_region_plane (const VgRegion *region, const VgPlane *plane);

G_END_DECLS
