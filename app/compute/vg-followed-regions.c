/* SPDX-License-Identifier: MIT */
/* Region statistics with cached masks. */
#include "app/compute/vg-followed-regions.h"

#include <math.h>

/* the largest numbers of samples from which inexact quartiles are estimated, and that are copied
 * from the device for this */
enum { MOST_SAMPLES = 1 << 18, MOST_COPIED = 1 << 22 };

typedef struct
{
  VgRegion region;
  int width, height; /* of the plane the mask is for; 0: none yet */
  gboolean inside;   /* some pixel of the plane may be in the region */
  int x0, y0, x1, y1;
  guint8 *mask;
  double quartiles[3]; /* Q1, median and Q3 as last computed */
} Followed;

struct _VgFollowedRegions
{
  guint n;
  Followed *items;
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

/* Reduces PLANE to rows Y0 to Y1 - 1 of slice SLICE, in host memory.  *OWNED is their copy if they
 * were in device memory. */
static gboolean
take_rows (VgPlane *plane, const VgCuda *cuda, int y0, int y1, int slice, float **owned,
           GError **error)
{
  plane->data += ((gsize) slice * (gsize) plane->height + (gsize) y0) * (gsize) plane->width;
  plane->height = y1 - y0;
  plane->slices = 1;
  if (plane->place != VG_DEVICE)
    return TRUE;
  *owned = g_new (float, (gsize) plane->width *(gsize) plane->height);
  if (!cuda->download (plane, *owned, error))
    return FALSE;
  plane->data = *owned;
  plane->place = VG_HOST;
  return TRUE;
}

gboolean
vg_followed_regions_set_ratio (VgFollowedRegions *self, guint i, const VgPlane *plane,
                               const VgPlane *numerator, const VgCuda *cuda,
                               VgRegionStatistics *statistics, GError **error)
{
  Followed *item = &self->items[i];
  int slice = CLAMP (item->region.slice, 0, MAX (plane->slices, 1) - 1);
  g_autofree float *ratios = NULL, *numerators = NULL;
  VgPlane above = *numerator, ratio = *plane;

  if (statistics->valid == 0)
    return TRUE;
  if (!take_rows (&ratio, cuda, item->y0, item->y1, slice, &ratios, error) ||
      !take_rows (&above, cuda, item->y0, item->y1, slice, &numerators, error))
    return FALSE;
  statistics->mean = vg_region_statistics_get_ratio (&ratio, &above, item->mask, item->x0, 0,
                                                     item->x1, item->y1 - item->y0, 0);
  return TRUE;
}

/* The quartiles of a region of PLANE in device memory. */
static gboolean
find_quartiles (Followed *item, const VgPlane *plane, const VgCuda *cuda, int slice, gsize most,
                VgRegionStatistics *statistics, GError **error)
{
  g_autofree float *owned = NULL;
  VgPlane rows = *plane;

  if ((gsize) plane->width * (gsize) (item->y1 - item->y0) > MOST_COPIED)
    return cuda->region_median (plane, item->mask, item->x0, item->y0, item->x1, item->y1, slice,
                                statistics, error);
  if (!take_rows (&rows, cuda, item->y0, item->y1, slice, &owned, error))
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
  else if (!find_quartiles (item, plane, cuda, slice, most, statistics, error))
    return FALSE;
  item->quartiles[0] = statistics->q25;
  item->quartiles[1] = statistics->median;
  item->quartiles[2] = statistics->q75;
  return TRUE;
}
