/* SPDX-License-Identifier: MIT */
#include "app/scatter/vg-scatter.h"
#include "app/region/vg-region-index.h"
#include "kernels/base/vg-statistics.h"
#include <math.h>
#include <stdlib.h>

enum { MOST_SAMPLED = 1 << 16 };

/* Of the samples, beyond each end of an axis. */
static const double tail = 0.001;
/* Axes that are this much longer than needed are found again. */
static const double most_idle = 0.5;

/* Sums of values less the first one, so that squares of large values lose no digits. */
typedef struct
{
  guint64 n;
  double first[2], sum[2], squares[2], products;
} Sums;

static void
add (Sums *self, double x, double y)
{
  double dx, dy;

  if (self->n++ == 0)
    {
      self->first[0] = x;
      self->first[1] = y;
    }
  dx = x - self->first[0];
  dy = y - self->first[1];
  self->sum[0] += dx;
  self->sum[1] += dy;
  self->squares[0] += dx * dx;
  self->squares[1] += dy * dy;
  self->products += dx * dy;
}

static VgScatterSummary
summarise (const Sums *sums)
{
  VgScatterSummary self = { sums->n, { NAN, NAN }, { NAN, NAN }, NAN };
  double n = (double) sums->n, spread[2], both;

  if (sums->n == 0)
    return self;
  for (int k = 0; k < 2; k++)
    {
      double shift = sums->sum[k] / n;

      self.mean[k] = sums->first[k] + shift;
      spread[k] = fmax (sums->squares[k] - n * shift * shift, 0);
      self.sd[k] = sums->n > 1 ? sqrt (spread[k] / (n - 1)) : 0;
    }
  both = sums->products - sums->sum[0] * sums->sum[1] / n;
  if (spread[0] > 0 && spread[1] > 0)
    self.correlation = CLAMP (both / sqrt (spread[0] * spread[1]), -1, 1);
  return self;
}

/* ---- the axes ---- */

static int
compare (const void *a, const void *b)
{
  float x = *(const float *) a, y = *(const float *) b;

  return (x > y) - (x < y);
}

/* The ends that leave `tail` of the samples outside at each side, from some of them, evenly spread.
 */
static void
find_ends (const float *values, const float *others, gsize n, double *low, double *high)
{
  gsize every = MAX (n / MOST_SAMPLED, 1), k = 0;
  g_autofree float *sorted = g_new (float, n / every + 1);
  double room;

  for (gsize i = every / 2; i < n; i += every)
    if (isfinite (values[i]) && isfinite (others[i]))
      sorted[k++] = values[i];
  *low = 0;
  *high = 1;
  if (k == 0)
    return;
  qsort (sorted, k, sizeof *sorted, compare);
  *low = (double) sorted[(gsize) (tail * (double) (k - 1))];
  *high = (double) sorted[k - 1 - (gsize) (tail * (double) (k - 1))];
  room = *high > *low ? 0.03 * (*high - *low) : fmax (0.5 * fabs (*low), 0.5);
  *low -= room;
  *high += room;
}

VgScatterRange
vg_scatter_find_range (const VgMapPair *pair, const VgScatterRange *before)
{
  gsize n = (gsize) pair->width * (gsize) pair->height;
  VgScatterRange self;

  find_ends (pair->x, pair->y, n, &self.low[0], &self.high[0]);
  find_ends (pair->y, pair->x, n, &self.low[1], &self.high[1]);
  for (int k = 0; k < 2 && before != NULL; k++)
    {
      double length = self.high[k] - self.low[k], held = before->high[k] - before->low[k];

      if (self.low[k] >= before->low[k] - 0.02 * held &&
          self.high[k] <= before->high[k] + 0.02 * held && length >= most_idle * held)
        {
          self.low[k] = before->low[k];
          self.high[k] = before->high[k];
        }
    }
  return self;
}

/* ---- the bins ---- */

/* What pixels are checked against. */
typedef struct
{
  const VgMapPair *pair;
  VgScatter *scatter;
  VgRegionIndex *lasso; /* NULL: nothing is inside */
  guint8 *mask;         /* of the region, in its box; NULL: none */
  int x0, y0, x1, y1;   /* the box */
  int shrink;           /* pixels of the maps along one of the tint */
  guint32 *inside;      /* how many pixels of the maps are inside, for each of the tint; NULL */
  Sums all, within;
} Binning;

static gboolean
find_bin (const VgScatterRange *range, int k, double value, int *bin)
{
  double at = (value - range->low[k]) / (range->high[k] - range->low[k]) * VG_SCATTER_SIDE;

  if (!(at >= 0 && at < VG_SCATTER_SIDE))
    return FALSE;
  *bin = (int) at;
  return TRUE;
}

/* Counts a pixel at its bin, and in the summaries. */
static void
count_pixel (Binning *self, int column, int row, double x, double y)
{
  VgScatter *scatter = self->scatter;
  int i, j;
  gboolean in_sight = find_bin (&scatter->range, 0, x, &i) && find_bin (&scatter->range, 1, y, &j);

  add (&self->all, x, y);
  if (in_sight)
    scatter->counts[j * VG_SCATTER_SIDE + i]++;
  else
    scatter->outside++;
  if (in_sight && self->mask != NULL && column >= self->x0 && column < self->x1 &&
      row >= self->y0 && row < self->y1 &&
      self->mask[(gsize) (row - self->y0) * (gsize) (self->x1 - self->x0) +
                 (gsize) (column - self->x0)])
    scatter->in_region[j * VG_SCATTER_SIDE + i]++;
}

/* All pixels of an object are tinted, and one is counted. */
static void
add_pixel (Binning *self, int column, int row, double x, double y)
{
  const guint8 *counted = self->pair->counted;
  gboolean inside = self->lasso != NULL && vg_region_index_contains (self->lasso, x, y),
           counts = counted == NULL ||
                    counted[(gsize) row * (gsize) self->pair->width + (gsize) column];

  if (counts)
    count_pixel (self, column, row, x, y);
  if (counts && inside)
    add (&self->within, x, y);
  if (inside)
    self->inside[(gsize) (row / self->shrink) * (gsize) self->scatter->tint_width +
                 (gsize) (column / self->shrink)]++;
}

static void
add_pixels (Binning *self)
{
  const VgMapPair *pair = self->pair;

  for (int row = 0; row < pair->height; row++)
    for (int column = 0; column < pair->width; column++)
      {
        gsize i = (gsize) row * (gsize) pair->width + (gsize) column;

        if (isfinite (pair->x[i]) && isfinite (pair->y[i]))
          add_pixel (self, column, row, (double) pair->x[i], (double) pair->y[i]);
      }
}

static void
begin_tint (Binning *self)
{
  VgScatter *scatter = self->scatter;
  int side = MAX (self->pair->width, self->pair->height);

  self->shrink = MAX ((side + VG_SCATTER_MOST_TINT - 1) / VG_SCATTER_MOST_TINT, 1);
  scatter->tint_width = (self->pair->width + self->shrink - 1) / self->shrink;
  scatter->tint_height = (self->pair->height + self->shrink - 1) / self->shrink;
  self->inside = g_new0 (guint32, (gsize) scatter->tint_width * (gsize) scatter->tint_height);
}

/* A pixel of the tint stands for as many of the maps as lie below it. */
static void
finish_tint (Binning *self)
{
  VgScatter *scatter = self->scatter;
  gsize n = (gsize) scatter->tint_width * (gsize) scatter->tint_height;

  scatter->tint = g_new (guint8, n);
  for (gsize i = 0; i < n; i++)
    scatter->tint[i] = (guint8) MIN (
        255 * self->inside[i] / (guint32) (self->shrink * self->shrink), 255);
}

VgScatter *
vg_scatter_new (const VgMapPair *pair, const VgScatterRange *range, const VgRegion *region,
                const VgRegion *lasso)
{
  VgScatter *self = g_new0 (VgScatter, 1);
  Binning binning = { .pair = pair, .scatter = self };

  self->range = *range;
  self->counts = g_new0 (guint32, VG_SCATTER_SIDE * VG_SCATTER_SIDE);
  if (region != NULL && vg_region_bounds (region, pair->width, pair->height, &binning.x0,
                                          &binning.y0, &binning.x1, &binning.y1))
    {
      binning.mask = vg_region_mask (region, binning.x0, binning.y0, binning.x1, binning.y1);
      if (binning.mask != NULL)
        self->in_region = g_new0 (guint32, VG_SCATTER_SIDE * VG_SCATTER_SIDE);
    }
  if (lasso != NULL)
    {
      begin_tint (&binning);
      binning.lasso = vg_region_index_new (lasso);
    }
  add_pixels (&binning);
  if (lasso != NULL)
    finish_tint (&binning);
  self->all = summarise (&binning.all);
  self->inside = summarise (&binning.within);
  vg_region_index_free (binning.lasso);
  g_free (binning.mask);
  g_free (binning.inside);
  return self;
}

void
vg_scatter_free (VgScatter *self)
{
  if (self == NULL)
    return;
  g_free (self->counts);
  g_free (self->in_region);
  g_free (self->tint);
  g_free (self);
}
