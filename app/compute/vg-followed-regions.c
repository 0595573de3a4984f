/* SPDX-License-Identifier: MIT */
/* Region statistics with cached masks. */
#include "app/compute/vg-followed-regions.h"

#include <math.h>

/* the largest numbers of samples from which inexact quartiles are estimated, and that are copied
 * from the device for a region, and of rows that are copied one by one */
enum { MOST_SAMPLES = 1 << 18, MOST_COPIED = 1 << 22, MOST_ROWS = 512 };

typedef struct
{
  VgRegion region;
  int width, height; /* of the plane the mask is for; 0: none yet */
  gboolean inside;   /* some pixel of the plane may be in the region */
  int x0, y0, x1, y1;
  guint8 *mask;
  double quartiles[3]; /* Q1, median and Q3 as last computed */
} Followed;

/* A copy of rows in device memory. */
typedef struct
{
  float *values;
  gsize capacity, n;
  const float *from; /* first of N samples of the plane that was computed last; NULL: none */
} Rows;

struct _VgFollowedRegions
{
  guint n;
  Followed *items;
  Rows rows, numerators;
};

VgFollowedRegions *
vg_followed_regions_new (const VgRegion *regions, guint n)
{
  VgFollowedRegions *self = g_new0 (VgFollowedRegions, 1);

  self->n = n;
  self->items = g_new0 (Followed, MAX (n, 1));
  for (guint i = 0; i < n; i++)
    self->items[i] = (Followed){ .region = regions[i], .quartiles = { NAN, NAN, NAN } };
  return self;
}

void
vg_followed_regions_free (VgFollowedRegions *self)
{
  if (!self)
    return;
  for (guint i = 0; i < self->n; i++)
    g_free (self->items[i].mask);
  g_free (self->items);
  g_free (self->rows.values);
  g_free (self->numerators.values);
  g_free (self);
}

guint
vg_followed_regions_n (VgFollowedRegions *self)
{
  return self ? self->n : 0;
}

const VgRegion *
vg_followed_regions_get (VgFollowedRegions *self, guint i)
{
  return &self->items[i].region;
}

static void
fit (Followed *self, int width, int height)
{
  if (self->width == width && self->height == height)
    return;
  g_clear_pointer (&self->mask, g_free);
  self->width = width;
  self->height = height;
  self->inside = vg_region_bounds (&self->region, width, height, &self->x0, &self->y0, &self->x1,
                                   &self->y1);
  if (self->inside)
    self->mask = vg_region_mask (&self->region, self->x0, self->y0, self->x1, self->y1);
}

gboolean
vg_followed_regions_compute (VgFollowedRegions *self, guint i, const VgPlane *plane,
                             const VgCuda *cuda, VgRegionStatistics *statistics, GError **error)
{
  Followed *item = &self->items[i];
  int slice = CLAMP (item->region.slice, 0, MAX (plane->slices, 1) - 1);

  *statistics = VG_REGION_STATISTICS_NONE;
  self->rows.from = self->numerators.from = NULL; /* the same memory may have other samples */
  fit (item, plane->width, plane->height);
  if (!item->inside)
    return TRUE;
  if (plane->place == VG_DEVICE)
    {
      gboolean ok = cuda->region_statistics (plane, item->mask, item->x0, item->y0, item->x1,
                                             item->y1, slice, statistics, error);

      statistics->q25 = statistics->median = statistics->q75 = NAN;
      return ok;
    }
  vg_region_statistics_compute (statistics, plane, item->mask, item->x0, item->y0, item->x1,
                                item->y1, slice);
  return TRUE;
}

static gboolean
reserve (Rows *self, gsize n, GError **error)
{
  self->from = NULL;
  if (n <= self->capacity)
    return TRUE;
  g_free (self->values);
  self->values = g_try_new (float, n);
  self->capacity = self->values != NULL ? n : 0;
  if (self->values == NULL)
    g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_MEMORY,
                 "there is not enough memory for a copy of the %" G_GSIZE_FORMAT
                 " samples of a region; close other programs",
                 n);
  return self->values != NULL;
}

/* Reduces PLANE to rows Y0 to Y1 - 1 of slice SLICE, in host memory.  SELF keeps their copy if they
 * were in device memory, so that they are copied once for the ratio and the quartiles. */
static gboolean
take_rows (Rows *self, VgPlane *plane, const VgCuda *cuda, int y0, int y1, int slice,
           GError **error)
{
  gsize n = (gsize) plane->width * (gsize) (y1 - y0);

  plane->data += ((gsize) slice * (gsize) plane->height + (gsize) y0) * (gsize) plane->width;
  plane->height = y1 - y0;
  plane->slices = 1;
  if (plane->place != VG_DEVICE)
    return TRUE;
  if (self->from != plane->data || self->n != n)
    {
      if (!reserve (self, n, error) || !cuda->download (plane, self->values, error))
        return FALSE;
      self->from = plane->data;
      self->n = n;
    }
  plane->data = self->values;
  plane->place = VG_HOST;
  return TRUE;
}

/* Whether the rows of ITEM are too many for a copy. */
static gboolean
is_large (const Followed *item, const VgPlane *plane)
{
  return plane->place == VG_DEVICE &&
         (gsize) plane->width * (gsize) (item->y1 - item->y0) > MOST_COPIED;
}

gboolean
vg_followed_regions_set_ratio (VgFollowedRegions *self, guint i, const VgPlane *plane,
                               const VgPlane *numerator, const VgCuda *cuda,
                               VgRegionStatistics *statistics, GError **error)
{
  Followed *item = &self->items[i];
  int slice = CLAMP (item->region.slice, 0, MAX (plane->slices, 1) - 1);
  VgPlane above = *numerator, ratio = *plane;

  if (statistics->valid == 0 || is_large (item, plane) || is_large (item, numerator))
    return TRUE;
  if (!take_rows (&self->rows, &ratio, cuda, item->y0, item->y1, slice, error) ||
      !take_rows (&self->numerators, &above, cuda, item->y0, item->y1, slice, error))
    return FALSE;
  statistics->mean = vg_region_statistics_get_ratio (&ratio, &above, item->mask, item->x0, 0,
                                                     item->x1, item->y1 - item->y0, 0);
  return TRUE;
}

/* The quartiles of rows at equal distances of a region in device memory. */
static gboolean
find_in_some_rows (Rows *self, const Followed *item, const VgPlane *plane, const VgCuda *cuda,
                   int slice, gsize most, VgRegionStatistics *statistics, GError **error)
{
  int width = item->x1 - item->x0, height = item->y1 - item->y0,
      most_rows = CLAMP (MOST_COPIED / width, 1, MOST_ROWS),
      /* odd, so that it falls on the rows of both directions of a scan */
      step = ((height - 1) / most_rows + 1) | 1, n = (height - 1) / step + 1;
  VgPlane row = *plane;
  VgRegionStatistics some;

  if (!reserve (self, (gsize) n * (gsize) width, error))
    return FALSE;
  row.width = width;
  row.height = row.slices = 1;
  for (int k = 0; k < n; k++)
    {
      float *values = self->values + (gsize) k * (gsize) width;
      const guint8 *mask = item->mask + (gsize) k * (gsize) step * (gsize) width;

      row.data = plane->data + item->x0 +
                 ((gsize) slice * (gsize) plane->height + (gsize) (item->y0 + k * step)) *
                     (gsize) plane->width;
      if (!cuda->download (&row, values, error))
        return FALSE;
      for (int x = 0; x < width; x++)
        values[x] = mask[x] ? values[x] : NAN;
    }
  row.data = self->values;
  row.place = VG_HOST;
  row.height = n;
  vg_region_statistics_compute (&some, &row, NULL, 0, 0, width, n, 0);
  if (some.valid == 0)
    return cuda->region_median (plane, item->mask, item->x0, item->y0, item->x1, item->y1, slice,
                                statistics, error);
  vg_region_statistics_add_quartiles (&some, &row, NULL, 0, 0, width, n, 0, most);
  statistics->q25 = some.q25;
  statistics->median = some.median;
  statistics->q75 = some.q75;
  return TRUE;
}

/* The quartiles of a region of PLANE in device memory. */
static gboolean
find_quartiles (VgFollowedRegions *self, const Followed *item, const VgPlane *plane,
                const VgCuda *cuda, int slice, gsize most, VgRegionStatistics *statistics,
                GError **error)
{
  VgPlane rows = *plane;

  if (is_large (item, plane) && most == 0)
    return cuda->region_median (plane, item->mask, item->x0, item->y0, item->x1, item->y1, slice,
                                statistics, error);
  if (is_large (item, plane))
    return find_in_some_rows (&self->rows, item, plane, cuda, slice, most, statistics, error);
  if (!take_rows (&self->rows, &rows, cuda, item->y0, item->y1, slice, error))
    return FALSE;
  vg_region_statistics_add_quartiles (statistics, &rows, item->mask, item->x0, 0, item->x1,
                                      item->y1 - item->y0, 0, most);
  return TRUE;
}

gboolean
vg_followed_regions_add_quartiles (VgFollowedRegions *self, guint i, const VgPlane *plane,
                                   const VgCuda *cuda, gboolean exact, gboolean may_be_stale,
                                   VgRegionStatistics *statistics, GError **error)
{
  Followed *item = &self->items[i];
  int slice = CLAMP (item->region.slice, 0, MAX (plane->slices, 1) - 1);
  gsize most = exact ? 0 : MOST_SAMPLES;

  if (statistics->valid == 0)
    return TRUE;
  if (may_be_stale && !isnan (item->quartiles[1]))
    {
      statistics->q25 = item->quartiles[0];
      statistics->median = item->quartiles[1];
      statistics->q75 = item->quartiles[2];
      return TRUE;
    }
  if (plane->place != VG_DEVICE)
    vg_region_statistics_add_quartiles (statistics, plane, item->mask, item->x0, item->y0, item->x1,
                                        item->y1, slice, most);
  else if (!find_quartiles (self, item, plane, cuda, slice, most, statistics, error))
    return FALSE;
  item->quartiles[0] = statistics->q25;
  item->quartiles[1] = statistics->median;
  item->quartiles[2] = statistics->q75;
  return TRUE;
}
