/* SPDX-License-Identifier: MIT */
/* Moments and quartiles of a region of a host plane, and the mask of a region.  Two passes,
 * mean first; rows are added in order, so that the result does not depend on
 * the number of threads.  A pixel of a mirrored plane is a ring, whose volume grows with its
 * radius. */
#include "kernels/base/vg-statistics.h"
#include "kernels/base/vg-statistics-formula.h"
#include "kernels/base/vg-sort.h"
#include <math.h>
#include <string.h>

typedef struct
{
  const float *values; /* the first of the box */
  gsize stride;
  const guint8 *mask; /* of the box, or NULL: all */
  gsize mask_stride;
  int width, height;
  double radius; /* of the centre of the first column, in pixels; 0: the pixels weigh the same */
} Box;

typedef struct
{
  double sum, sum2; /* sum2: of the squared deviations from the mean */
  double weight;
  double min, max;
  guint64 valid, invalid;
} Row;

static inline gboolean
is_inside (const Box *box, int x, int y)
{
  return box->mask == NULL || box->mask[(gsize) y * box->mask_stride + (gsize) x] != 0;
}

static inline double
weight_of (const Box *box, int x)
{
  return box->radius > 0 ? box->radius + x : 1;
}

static Row
scan_row (const Box *box, int y)
{
  const float *values = box->values + (gsize) y * box->stride;
  Row row = { .min = INFINITY, .max = -INFINITY };

  for (int x = 0; x < box->width; x++)
    {
      double v = values[x];

      if (!is_inside (box, x, y))
        continue;
      if (!vg_statistics_is_valid (values[x]))
        {
          row.invalid++;
          continue;
        }
      row.valid++;
      row.sum += weight_of (box, x) * v;
      row.weight += weight_of (box, x);
      row.min = MIN (row.min, v);
      row.max = MAX (row.max, v);
    }
  return row;
}

static double
scan_deviations (const Box *box, int y, double mean)
{
  const float *values = box->values + (gsize) y * box->stride;
  double sum = 0;

  for (int x = 0; x < box->width; x++)
    if (is_inside (box, x, y) && vg_statistics_is_valid (values[x]))
      sum += weight_of (box, x) * ((double) values[x] - mean) * ((double) values[x] - mean);
  return sum;
}

static void
add_rows (VgRegionStatistics *self, const Box *box, Row *rows)
{
  double sum = 0, sum2 = 0, weight = 0, n;
  gboolean large G_GNUC_UNUSED = (gsize) box->width * (gsize) box->height > 1 << 16;

#pragma omp parallel for schedule(static) if (large)
  for (int y = 0; y < box->height; y++)
    rows[y] = scan_row (box, y);
  for (int y = 0; y < box->height; y++)
    {
      sum += rows[y].sum;
      weight += rows[y].weight;
      self->valid += rows[y].valid;
      self->invalid += rows[y].invalid;
      self->min = isnan (self->min) || rows[y].min < self->min ? rows[y].min : self->min;
      self->max = isnan (self->max) || rows[y].max > self->max ? rows[y].max : self->max;
    }
  if (self->valid == 0)
    {
      self->min = self->max = NAN;
      return;
    }
  self->mean = sum / weight;
#pragma omp parallel for schedule(static) if (large)
  for (int y = 0; y < box->height; y++)
    rows[y].sum2 = scan_deviations (box, y, self->mean);
  for (int y = 0; y < box->height; y++)
    sum2 += rows[y].sum2;
  n = (double) self->valid;
  if (self->valid > 1)
    self->sd = sqrt (sum2 / (weight * (n - 1) / n));
}

/* FALSE: no pixel of the plane is in the box. */
static gboolean
find_box (Box *box, const VgPlane *plane, const guint8 *mask, int x0, int y0, int x1, int y1,
          int slice)
{
  int left = MAX (x0, 0), top = MAX (y0, 0), right = MIN (x1, plane->width),
      bottom = MIN (y1, plane->height);

  if (left >= right || top >= bottom)
    return FALSE;
  box->stride = (gsize) plane->width;
  box->values = plane->data + ((gsize) slice * (gsize) plane->height + (gsize) top) * box->stride +
                left;
  box->mask_stride = (gsize) x1 - (gsize) x0;
  box->mask = mask != NULL ? mask + (gsize) (top - y0) * box->mask_stride + (left - x0) : NULL;
  box->radius = plane->mirrored ? left + 0.5 : 0;
  box->width = right - left;
  box->height = bottom - top;
  return TRUE;
}

void
vg_region_statistics_compute (VgRegionStatistics *self, const VgPlane *plane, const guint8 *mask,
                              int x0, int y0, int x1, int y1, int slice)
{
  g_autofree Row *rows = NULL;
  Box box;

  *self = VG_REGION_STATISTICS_NONE;
  if (!find_box (&box, plane, mask, x0, y0, x1, y1, slice))
    return;
  rows = g_new (Row, box.height);
  add_rows (self, &box, rows);
}

void
vg_region_statistics_add_to_ratio (const VgPlane *ratio, const VgPlane *numerator,
                                   const guint8 *mask, int x0, int y0, int x1, int y1, int slice,
                                   double sums[2])
{
  g_autofree double *rows = NULL; /* of each row: of numerators, of denominators */
  Box box, other;

  if (!find_box (&box, ratio, mask, x0, y0, x1, y1, slice) ||
      !find_box (&other, numerator, mask, x0, y0, x1, y1, slice) || box.width != other.width ||
      box.height != other.height)
    return;
  rows = g_new0 (double, 2 * (gsize) box.height);
#pragma omp parallel for schedule(static) if (box.width * (gsize) box.height > 1 << 16)
  for (int y = 0; y < box.height; y++)
    for (int x = 0; x < box.width; x++)
      {
        float value = box.values[(gsize) y * box.stride + (gsize) x],
              part = other.values[(gsize) y * other.stride + (gsize) x];

        if (!is_inside (&box, x, y) || !vg_statistics_is_valid (value) ||
            !vg_statistics_is_valid (part) || value == 0)
          continue;
        rows[2 * y] += (double) part;
        rows[2 * y + 1] += (double) part / (double) value;
      }
  for (int y = 0; y < box.height; y++)
    {
      sums[0] += rows[2 * y];
      sums[1] += rows[2 * y + 1];
    }
}

double
vg_region_statistics_get_ratio (const VgPlane *ratio, const VgPlane *numerator, const guint8 *mask,
                                int x0, int y0, int x1, int y1, int slice)
{
  double sums[2] = { 0 };

  vg_region_statistics_add_to_ratio (ratio, numerator, mask, x0, y0, x1, y1, slice, sums);
  return sums[1] != 0 ? sums[0] / sums[1] : NAN;
}

/* The sample of rank K, from 0, of N samples, which are reordered: Hoare's selection.  The pivots
 * are pseudo-random, because images have ramps and peaks that make a fixed choice quadratic. */
static float
select_rank (float *values, gssize n, gssize k)
{
  gssize low = 0, high = n - 1;
  guint32 random = 1;

  while (low < high)
    {
      gssize i = low, j = high;
      float pivot;

      random = random * 1664525u + 1013904223u;
      pivot = values[low + (gssize) (((guint64) random * (guint64) (high - low + 1)) >> 32)];
      do
        {
          while (values[i] < pivot)
            i++;
          while (pivot < values[j])
            j--;
          if (i <= j)
            {
              float swapped = values[i];

              values[i++] = values[j];
              values[j--] = swapped;
            }
        }
      while (i <= j);
      if (j < k)
        low = i;
      if (k < i)
        high = j;
    }
  return values[k];
}

/* The value below which a fraction Q of the N VALUES lies; reorders them. */
static double
find_quantile (float *values, gssize n, double q)
{
  double at = q * (double) (n - 1), above = INFINITY;
  gssize k = (gssize) at;
  double below = select_rank (values, n, k), part = at - (double) k;

  if (part == 0)
    return below;
  for (gssize i = k + 1; i < n; i++) /* the smallest value after K */
    above = fmin (above, (double) values[i]);
  return (1 - part) * below + part * above;
}

typedef struct
{
  float value, weight;
} Weighed;

static int
compare_weighed (const void *a, const void *b)
{
  const Weighed *one = a, *two = b;

  return (one->value > two->value) - (one->value < two->value);
}

/* The quartiles of N samples by their weights, as find_quantile has them where all weigh the same.
 * Between two neighbours lies half the weight of both. */
static void
find_weighed (Weighed *samples, gsize n, double quartiles[3])
{
  double total = 0, at = 0;
  int found = 0;

  qsort (samples, n, sizeof *samples, compare_weighed);
  for (gsize k = 1; k < n; k++)
    total += 0.5 * (double) (samples[k - 1].weight + samples[k].weight);
  for (gsize k = 1; k < n; k++)
    {
      double step = 0.5 * (double) (samples[k - 1].weight + samples[k].weight);

      for (; found < 3 && 0.25 * (found + 1) * total <= at + step; found++)
        {
          double part = (0.25 * (found + 1) * total - at) / step;

          quartiles[found] = (1 - part) * (double) samples[k - 1].value +
                             part * (double) samples[k].value;
        }
      at += step;
    }
  for (; found < 3; found++)
    quartiles[found] = (double) samples[n - 1].value;
}

/* Of every STEPth valid pixel, at most N, of a box whose pixels are rings. */
static void
add_ring_quartiles (VgRegionStatistics *self, const Box *box, gsize step, gsize n)
{
  g_autofree Weighed *samples = g_try_new (Weighed, n);
  double quartiles[3];
  gsize seen = 0, filled = 0;

  for (int y = 0; samples != NULL && y < box->height; y++)
    for (int x = 0; x < box->width && filled < n; x++)
      {
        float value = box->values[(gsize) y * box->stride + (gsize) x];

        if (is_inside (box, x, y) && vg_statistics_is_valid (value) && seen++ % step == 0)
          samples[filled++] = (Weighed){ value, (float) weight_of (box, x) };
      }
  if (filled == 0)
    return;
  find_weighed (samples, filled, quartiles);
  self->q25 = quartiles[0];
  self->median = quartiles[1];
  self->q75 = quartiles[2];
}

void
vg_region_statistics_add_quartiles (VgRegionStatistics *self, const VgPlane *plane,
                                    const guint8 *mask, int x0, int y0, int x1, int y1, int slice,
                                    gsize most)
{
  /* odd, so that the samples come from all columns if the width is even */
  gsize step = most > 0 ? ((gsize) self->valid + most - 1) / most | 1 : 1;
  gssize n = (gssize) ((gsize) self->valid / step) + 1, filled = 0;
  g_autofree float *values = NULL;
  gsize seen = 0;
  Box box;

  if (self->valid == 0 || !find_box (&box, plane, mask, x0, y0, x1, y1, slice))
    return;
  if (box.radius > 0)
    {
      add_ring_quartiles (self, &box, step, (gsize) n);
      return;
    }
  values = g_try_new (float, n);
  if (values == NULL)
    return;
  for (int y = 0; y < box.height; y++)
    for (int x = 0; x < box.width && filled < n; x++)
      {
        float value = box.values[(gsize) y * box.stride + (gsize) x];

        if (is_inside (&box, x, y) && vg_statistics_is_valid (value) && seen++ % step == 0)
          values[filled++] = value;
      }
  if (filled == 0)
    return;
  self->median = find_quantile (values, filled, 0.5);
  self->q25 = find_quantile (values, filled, 0.25);
  self->q75 = find_quantile (values, filled, 0.75);
}

void
vg_region_statistics_pool (VgRegionStatistics *all, const VgRegionStatistics *part)
{
  double n = (double) all->valid, m = (double) part->valid, apart = part->mean - all->mean,
         squares = (n > 1 ? (n - 1) * all->sd * all->sd : 0) +
                   (m > 1 ? (m - 1) * part->sd * part->sd : 0);

  all->invalid += part->invalid;
  if (part->valid == 0)
    return;
  squares += n > 0 ? apart * apart * n * m / (n + m) : 0;
  all->mean = n > 0 ? all->mean + apart * m / (n + m) : part->mean;
  all->valid += part->valid;
  all->sd = all->valid > 1 ? sqrt (squares / (n + m - 1)) : NAN;
}

gboolean
vg_region_statistics_is_skewed (const VgRegionStatistics *self)
{
  const double range = self->q75 - self->q25, normal_sd = range / 1.349;

  return self->valid >= 20 && range > 0 &&
         (self->sd > 1.5 * normal_sd || fabs (self->mean - self->median) > range / 4);
}

/* The same rule as vg_region_contains, a row at a time. */
static void
fill_polygon_row (const VgRegion *region, int x0, int x1, int y, guint8 *row)
{
  double crossings[VG_REGION_MAX_POINTS];
  int n = vg_region_crossings (region, y + 0.5, crossings), passed = 0;

  vg_sort_doubles (crossings, (gsize) n);
  for (int x = x0; x < x1; x++)
    {
      while (passed < n && crossings[passed] <= x + 0.5)
        passed++;
      row[x - x0] = (n - passed) & 1;
    }
}

guint8 *
vg_region_mask (const VgRegion *region, int x0, int y0, int x1, int y1)
{
  gsize width, height;
  guint8 *mask;

  g_return_val_if_fail (x0 < x1 && y0 < y1, NULL);
  width = (gsize) ((gint64) x1 - x0);
  height = (gsize) ((gint64) y1 - y0);
  mask = g_try_malloc (width * height);
  for (int y = y0; y < y1 && mask != NULL; y++)
    {
      guint8 *row = mask + (gsize) (y - y0) * width;

      if (region->kind == VG_REGION_POLYGON)
        fill_polygon_row (region, x0, x1, y, row);
      else
        for (int x = x0; x < x1; x++)
          row[x - x0] = (guint8) vg_region_contains (region, x + 0.5, y + 0.5);
    }
  return mask;
}

/* REGION on the other side of the axis. */
static VgRegion
mirror (const VgRegion *region)
{
  VgRegion other = *region;
  int n = region->kind == VG_REGION_ELLIPSE ? 1 : region->n_points;

  for (int i = 0; i < n; i++)
    other.x[i] = -region->x[i];
  if (region->kind == VG_REGION_RECTANGLE)
    {
      other.x[0] = -region->x[1];
      other.x[1] = -region->x[0];
    }
  return other;
}

/* Of one slice. */
static gboolean
cover_slice (const VgRegion *region, const VgPlane *plane, VgRegionCover *cover)
{
  g_autofree guint8 *of_other = NULL;
  gboolean inside;
  VgRegion other;
  int x0, y0, x1, y1;

  *cover = (VgRegionCover){ 0 };
  inside = vg_region_bounds (region, plane->width, plane->height, &cover->x0, &cover->y0,
                             &cover->x1, &cover->y1);
  other = plane->mirrored ? mirror (region) : *region;
  if (!plane->mirrored ||
      !vg_region_bounds (&other, plane->width, plane->height, &x0, &y0, &x1, &y1))
    {
      if (inside)
        cover->mask = vg_region_mask (region, cover->x0, cover->y0, cover->x1, cover->y1);
      return inside;
    }
  cover->x0 = inside ? MIN (cover->x0, x0) : x0;
  cover->y0 = inside ? MIN (cover->y0, y0) : y0;
  cover->x1 = inside ? MAX (cover->x1, x1) : x1;
  cover->y1 = inside ? MAX (cover->y1, y1) : y1;
  cover->mask = vg_region_mask (region, cover->x0, cover->y0, cover->x1, cover->y1);
  of_other = vg_region_mask (&other, cover->x0, cover->y0, cover->x1, cover->y1);
  if (of_other == NULL)
    g_clear_pointer (&cover->mask, g_free);
  for (gsize i = 0;
       cover->mask != NULL && i < (gsize) (cover->x1 - cover->x0) * (gsize) (cover->y1 - cover->y0);
       i++)
    cover->mask[i] |= of_other[i];
  return TRUE;
}

VgPlane
vg_region_plane (const VgRegion *region, const VgPlane *plane)
{
  VgPlane whole = *plane;

  if (region->slice != VG_REGION_EVERY_SLICE)
    return whole;
  whole.height *= MAX (whole.slices, 1);
  whole.slices = 1;
  return whole;
}

gboolean
vg_region_cover (const VgRegion *region, const VgPlane *plane, VgRegionCover *cover)
{
  gsize step, n;
  guint8 *all;

  if (!cover_slice (region, plane, cover))
    return FALSE;
  if (region->slice != VG_REGION_EVERY_SLICE || plane->slices <= 1 || cover->mask == NULL)
    return TRUE;
  step = (gsize) plane->height * (gsize) (cover->x1 - cover->x0);
  n = (gsize) (cover->y1 - cover->y0) * (gsize) (cover->x1 - cover->x0);
  all = g_try_malloc0 (step * (gsize) (plane->slices - 1) + n);
  for (int z = 0; z < plane->slices && all != NULL; z++)
    memcpy (all + (gsize) z * step, cover->mask, n);
  g_free (cover->mask);
  cover->mask = all;
  cover->y1 += (plane->slices - 1) * plane->height;
  return TRUE;
}
