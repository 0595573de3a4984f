/* SPDX-License-Identifier: MIT */
/* Region statistics with cached masks. */
#include "app/compute/vg-followed-regions.h"

#include <math.h>

typedef struct
{
  VgRegion region;
  int width, height; /* of the plane the mask is for; 0: none yet */
  gboolean inside;   /* some pixel of the plane may be in the region */
  int x0, y0, x1, y1;
  guint8 *mask;
  double median; /* the one computed last */
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
    self->items[i] = (Followed){ .region = regions[i], .median = NAN };
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

  *statistics = (VgRegionStatistics){
    .mean = NAN, .sd = NAN, .min = NAN, .max = NAN, .median = NAN
  };
  fit (item, plane->width, plane->height);
  if (!item->inside)
    return TRUE;
  if (plane->place == VG_DEVICE)
    return cuda->region_statistics (plane, item->mask, item->x0, item->y0, item->x1, item->y1,
                                    slice, statistics, error);
  vg_region_statistics_compute (statistics, plane, item->mask, item->x0, item->y0, item->x1,
                                item->y1, slice);
  return TRUE;
}

gboolean
vg_followed_regions_add_median (VgFollowedRegions *self, guint i, const VgPlane *plane,
                                const VgCuda *cuda, gboolean may_be_stale,
                                VgRegionStatistics *statistics, GError **error)
{
  Followed *item = &self->items[i];
  int slice = CLAMP (item->region.slice, 0, MAX (plane->slices, 1) - 1);

  if (statistics->valid == 0)
    return TRUE;
  if (may_be_stale && !isnan (item->median))
    {
      statistics->median = item->median;
      return TRUE;
    }
  if (plane->place != VG_DEVICE)
    vg_region_statistics_add_median (statistics, plane, item->mask, item->x0, item->y0, item->x1,
                                     item->y1, slice);
  else if (!cuda->region_median (plane, item->mask, item->x0, item->y0, item->x1, item->y1, slice,
                                 statistics, error))
    return FALSE;
  item->median = statistics->median;
  return TRUE;
}
