/* SPDX-License-Identifier: MIT */
/* Range, mean and histogram of a host plane, in two passes over blocks of
 * fixed size.  The blocks' sums are added in order, so that the result does
 * not depend on the number of threads. */
#include "kernels/base/vg-statistics.h"
#include "kernels/base/vg-statistics-formula.h"
#include <math.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

enum { BLOCK = 1 << 15 };

typedef struct
{
  double sum;
  gsize valid;
  float min, max;
} Block;

/* At most as many threads as blocks: waking a thread takes longer than a block
 * does, above all on a busy machine. */
static int
count_threads (int threads, gsize n)
{
#ifdef _OPENMP
  gsize n_blocks = MAX ((n + BLOCK - 1) / BLOCK, 1);

  return (int) MIN ((gsize) (threads > 0 ? threads : omp_get_max_threads ()), n_blocks);
#else
  return 1;
#endif
}

static Block
scan_block (const float *values, gsize n)
{
  float min = INFINITY, max = -INFINITY;
  double sum = 0;
  gsize valid = 0;

#pragma omp simd reduction(min : min) reduction(max : max) reduction(+ : sum, valid)
  for (gsize i = 0; i < n; i++)
    {
      float v = values[i];
      gboolean ok = vg_statistics_is_valid (v);

      min = ok && v < min ? v : min;
      max = ok && v > max ? v : max;
      sum += ok ? (double) v : 0;
      valid += ok ? 1 : 0;
    }
  return (Block){ sum, valid, min, max };
}

static void
count_bins (VgStatistics *self, const float *values, gsize n, int threads)
{
  double min = self->min, scale = vg_statistics_scale (self->min, self->max);
  guint64 *histogram = self->histogram;

#pragma omp parallel for schedule(static) num_threads(threads) \
    reduction(+ : histogram[:VG_HISTOGRAM_BINS])
  for (gsize i = 0; i < n; i++)
    if (vg_statistics_is_valid (values[i]))
      histogram[vg_statistics_bin (values[i], min, scale)]++;
}

void
vg_statistics_compute (VgStatistics *self, const VgPlane *plane, int slice, int threads)
{
  gsize n = (gsize) plane->width * (gsize) plane->height;
  const float *values = plane->data + n * (gsize) slice;
  gsize n_blocks = (n + BLOCK - 1) / BLOCK;
  g_autofree Block *blocks = g_new (Block, MAX (n_blocks, 1));
  int team = count_threads (threads, n);
  double sum = 0;

  memset (self, 0, sizeof *self);
  self->min = INFINITY;
  self->max = -INFINITY;
#pragma omp parallel for schedule(static) num_threads(team)
  for (gsize i = 0; i < n_blocks; i++)
    blocks[i] = scan_block (values + i * BLOCK, MIN ((gsize) BLOCK, n - i * BLOCK));
  for (gsize i = 0; i < n_blocks; i++)
    {
      sum += blocks[i].sum;
      self->valid += blocks[i].valid;
      self->min = MIN (self->min, (double) blocks[i].min);
      self->max = MAX (self->max, (double) blocks[i].max);
    }
  self->invalid = n - self->valid;
  if (self->valid == 0)
    {
      self->min = self->max = self->mean = NAN;
      return;
    }
  self->mean = sum / (double) self->valid;
  count_bins (self, values, n, team);
}

void
vg_statistics_count_octaves (VgStatistics *self, const VgPlane *plane, int slice, int threads)
{
  gsize n = (gsize) plane->width * (gsize) plane->height;
  const float *values = plane->data + n * (gsize) slice;
  int top = vg_statistics_eighth ((float) self->max);
  guint64 *octaves = self->octaves;

  memset (self->octaves, 0, sizeof self->octaves);
  if (self->valid == 0 || !(self->max > 0))
    return;
#pragma omp parallel for schedule(static) num_threads(count_threads (threads, n)) \
    reduction(+ : octaves[:VG_HISTOGRAM_BINS])
  for (gsize i = 0; i < n; i++)
    if (vg_statistics_has_octave (values[i]))
      octaves[vg_statistics_octave_bin (values[i], top)]++;
}

void
vg_statistics_weigh (VgStatistics *self, const VgPlane *plane, const VgPlane *light, int slice,
                     const double limits[2], int threads)
{
  gsize n = (gsize) plane->width * (gsize) plane->height;
  const float *values = plane->data + n * (gsize) slice, *lights = light->data + n * (gsize) slice;
  double min = self->min, scale = vg_statistics_scale (self->min, self->max);
  double low = limits[0], light_scale = vg_statistics_scale (limits[0], limits[1]);
  guint64 *weighed = self->weighed;

  memset (self->weighed, 0, sizeof self->weighed);
  self->weight = 0;
  if (self->valid == 0 || light_scale == 0 || light->width != plane->width ||
      light->height != plane->height || light->slices != plane->slices)
    return;
#pragma omp parallel for schedule(static) num_threads(count_threads (threads, n)) \
    reduction(+ : weighed[:VG_HISTOGRAM_BINS])
  for (gsize i = 0; i < n; i++)
    if (vg_statistics_is_valid (values[i]))
      weighed[vg_statistics_bin (values[i], min, scale)] += vg_statistics_weight (lights[i], low,
                                                                                  light_scale);
  for (int i = 0; i < VG_HISTOGRAM_BINS; i++)
    self->weight += self->weighed[i];
}

/* The bin in which so many of the weights are reached. */
static int
bin_of (const guint64 *bins, guint64 target)
{
  guint64 below = 0;

  for (int i = 0; i < VG_HISTOGRAM_BINS; i++)
    if ((below += bins[i]) >= target)
      return i;
  return VG_HISTOGRAM_BINS - 1;
}

gboolean
vg_statistics_narrow (VgStatistics *self, double *low, double *high)
{
  double width = (*high - *low) / VG_HISTOGRAM_BINS;
  int first, last;

  self->weight = 0;
  for (int i = 0; i < VG_HISTOGRAM_BINS; i++)
    self->weight += self->weighed[i];
  self->weighed_min = *low;
  self->weighed_max = *high;
  if (self->weight < MAX (self->valid / 100, 20))
    self->weight = 0;
  first = bin_of (self->weighed, MAX (self->weight / 500, 1));
  last = bin_of (self->weighed, self->weight - self->weight / 500);
  if (self->weight == 0 || last - first >= VG_HISTOGRAM_BINS / 4 || !(width > 0))
    return FALSE;
  *high = *low + width * (last + 1);
  *low += width * first;
  return TRUE;
}

/* The range of the bins shrinks to the values between the outermost 0.2 %, because a noisy voxel
 * may be thousands of times larger than the others. */
void
vg_statistics_count_labelled (VgStatistics *self, const VgPlane *plane, const VgPlane *labels,
                              int slice, int threads)
{
  gsize n = (gsize) plane->width * (gsize) plane->height;
  const float *values = plane->data + n * (gsize) slice, *marks = labels->data + n * (gsize) slice;
  double low = self->min, high = self->max;
  guint64 *weighed = self->weighed;
  int team = count_threads (threads, n), left = VG_STATISTICS_LOOKS;

  self->weight = 0;
  if (self->valid == 0 || labels->width != plane->width || labels->height != plane->height ||
      labels->slices != plane->slices)
    return;
  do
    {
      double scale = vg_statistics_scale (low, high);

      memset (self->weighed, 0, sizeof self->weighed);
#pragma omp parallel for schedule(static) num_threads(team) \
    reduction(+ : weighed[:VG_HISTOGRAM_BINS])
      for (gsize i = 0; i < n; i++)
        if (marks[i] == 1 && vg_statistics_is_valid (values[i]))
          weighed[vg_statistics_open_bin (values[i], low, high, scale)]++;
    }
  while (vg_statistics_narrow (self, &low, &high) && --left > 0);
}

double
vg_statistics_quantile (const VgStatistics *self, double q)
{
  const guint64 *histogram = self->weight > 0 ? self->weighed : self->histogram;
  double target = CLAMP (q, 0, 1) * (double) (self->weight > 0 ? self->weight : self->valid);
  gboolean own = self->weight > 0 && self->weighed_max > self->weighed_min;
  double low = own ? self->weighed_min : self->min, high = own ? self->weighed_max : self->max;
  double width = (high - low) / VG_HISTOGRAM_BINS;
  double below = 0;

  if (self->valid == 0 || isnan (q))
    return NAN;
  if (q >= 1)
    return self->max;
  for (int i = 0; i < VG_HISTOGRAM_BINS; i++)
    {
      double count = (double) histogram[i];

      if (count > 0 && below + count >= target)
        return MIN (low + width * (i + MAX (target - below, 0) / count), self->max);
      below += count;
    }
  return self->max;
}

double
vg_statistics_octave_start (const VgStatistics *self, int i)
{
  union
  {
    int bits;
    float value;
  } u = { MAX (vg_statistics_eighth ((float) self->max) - (VG_HISTOGRAM_BINS - 1) + i, 0) << 20 };

  return u.value;
}

/* A value for Q in a range that is not positive is replaced by the width of a bin, the least
 * difference that the equal bins tell. */
static double
positive_quantile (const VgStatistics *self, double q)
{
  double value = vg_statistics_quantile (self, q);

  return value > 0 ? value : (self->max - MIN (self->min, 0)) / VG_HISTOGRAM_BINS;
}

double
vg_statistics_log_quantile (const VgStatistics *self, double q)
{
  guint64 positive = 0;
  double below = 0, target;

  if (self->valid == 0 || !(self->max > 0) || isnan (q))
    return NAN;
  for (int i = 0; i < VG_HISTOGRAM_BINS; i++)
    positive += self->octaves[i];
  if (positive == 0 || self->weight > 0)
    return positive_quantile (self, q);
  target = CLAMP (q, 0, 1) * (double) positive;
  for (int i = 0; i < VG_HISTOGRAM_BINS && q < 1; i++)
    {
      double count = (double) self->octaves[i];

      if (count > 0 && below + count >= target)
        {
          double start = MAX (vg_statistics_octave_start (self, i), self->min),
                 end = MIN (vg_statistics_octave_start (self, i + 1), self->max);

          return start + (end - start) * MAX (target - below, 0) / count;
        }
      below += count;
    }
  return self->max;
}
