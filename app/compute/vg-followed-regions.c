/* SPDX-License-Identifier: MIT */
/* Region statistics with cached masks. */
#include "app/compute/vg-followed-regions.h"

#include <math.h>

/* the largest numbers of samples from which inexact quartiles are estimated, and that are copied
 * from the device at once, and of rows that are copied one by one */
enum { MOST_SAMPLES = 1 << 18, MOST_COPIED = 1 << 22, MOST_ROWS = 512 };

typedef struct
{
  VgRegion region;
  int width, height, slices; /* of the plane the mask is for; 0: none yet */
  gboolean mirrored;         /* that plane is */
  gboolean inside;           /* some pixel of the plane may be in the region */
  int x0, y0, x1, y1;
  guint8 *mask;
  double quartiles[3]; /* Q1, median and Q3 as last computed */
  double sums[2];      /* of numerators and of denominators, as last computed */
} Followed;

/* A copy of rows in device memory. */
typedef struct
{
  float *values;
  gsize capacity, n;
  const float *from; /* first of their N samples; NULL: none */
} Rows;

struct _VgFollowedRegions
{
  guint n;
  Followed *items;
  guint moment; /* of the copies and the sums; 0: it is not known */
  Rows rows, numerators;
  const float *ratio, *numerator; /* the planes of the sums of all regions; NULL: none */
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

/* FALSE: there is no memory for the mask. */
static gboolean
fit (Followed *self, const VgPlane *plane, GError **error)
{
  VgRegionCover cover;

  if (self->width == plane->width && self->height == plane->height &&
      self->slices == plane->slices && self->mirrored == plane->mirrored)
    return TRUE;
  g_clear_pointer (&self->mask, g_free);
  self->width = plane->width;
  self->height = plane->height;
  self->slices = plane->slices;
  self->mirrored = plane->mirrored;
  self->inside = vg_region_cover (&self->region, plane, &cover);
  self->x0 = cover.x0;
  self->y0 = cover.y0;
  self->x1 = cover.x1;
  self->y1 = cover.y1;
  self->mask = cover.mask;
  if (!self->inside || self->mask != NULL)
    return TRUE;
  self->width = 0; /* tried again the next time */
  g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_MEMORY,
               "there is not enough memory for a region of %d x %d pixels; close other programs",
               self->x1 - self->x0, self->y1 - self->y0);
  return FALSE;
}

/* Rows of a region in all slices are counted over all of them, as in vg_region_plane. */
static int
slice_of (const Followed *item, const VgPlane *plane)
{
  return CLAMP (item->region.slice, 0, MAX (plane->slices, 1) - 1);
}

gboolean
vg_followed_regions_compute (VgFollowedRegions *self, guint i, const VgPlane *plane,
                             const VgCuda *cuda, guint moment, VgRegionStatistics *statistics,
                             GError **error)
{
  Followed *item = &self->items[i];
  VgPlane whole = vg_region_plane (&item->region, plane);
  int slice = slice_of (item, plane);

  *statistics = VG_REGION_STATISTICS_NONE;
  if (moment == 0 || moment != self->moment) /* the same memory may have other samples */
    self->rows.from = self->numerators.from = self->ratio = self->numerator = NULL;
  self->moment = moment;
  if (!fit (item, plane, error))
    return FALSE;
  if (!item->inside)
    return TRUE;
  if (plane->place == VG_DEVICE)
    return cuda->region_statistics (&whole, item->mask, item->x0, item->y0, item->x1, item->y1,
                                    slice, statistics, error);
  vg_region_statistics_compute (statistics, &whole, item->mask, item->x0, item->y0, item->x1,
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

static gboolean
has_rows (const Rows *self, const float *from, gsize n)
{
  return self->from != NULL && (guintptr) from >= (guintptr) self->from &&
         (guintptr) (from + n) <= (guintptr) (self->from + self->n);
}

/* Reduces PLANE to its rows FIRST to LAST - 1, counted over all slices, in host memory.  SELF keeps
 * their copy if they were in device memory, so that they are copied once for the ratio and the
 * quartiles. */
static gboolean
take_rows (Rows *self, VgPlane *plane, const VgCuda *cuda, int first, int last, GError **error)
{
  gsize n = (gsize) plane->width * (gsize) (last - first);

  plane->data += (gsize) first * (gsize) plane->width;
  plane->height = last - first;
  plane->slices = 1;
  if (plane->place != VG_DEVICE)
    return TRUE;
  if (!has_rows (self, plane->data, n))
    {
      if (!reserve (self, n, error) || !cuda->download (plane, self->values, error))
        return FALSE;
      self->from = plane->data;
      self->n = n;
    }
  plane->data = self->values + (plane->data - self->from);
  plane->place = VG_HOST;
  return TRUE;
}

/* The first row of ITEM, and the row behind its last, counted over all slices. */
static int
top_of (const Followed *item, const VgPlane *plane)
{
  return slice_of (item, plane) * plane->height + item->y0;
}

static int
bottom_of (const Followed *item, const VgPlane *plane)
{
  return slice_of (item, plane) * plane->height + item->y1;
}

/* Sets *FIRST and *LAST to the next rows, from *LAST on and at most MOST, each of which belongs to
 * one of N ITEMS; FALSE: there are none. */
static gboolean
find_next_rows (const Followed *items, guint n, const VgPlane *plane, int most, int *first,
                int *last)
{
  const int from = *last;
  int end = G_MAXINT;
  gboolean grows = TRUE;

  for (guint i = 0; i < n; i++)
    if (items[i].inside && bottom_of (&items[i], plane) > from)
      end = MIN (end, MAX (top_of (&items[i], plane), from));
  if (end == G_MAXINT)
    return FALSE;
  *first = end;
  while (grows)
    {
      grows = FALSE;
      for (guint i = 0; i < n; i++)
        if (items[i].inside && top_of (&items[i], plane) <= end &&
            bottom_of (&items[i], plane) > end)
          {
            end = bottom_of (&items[i], plane);
            grows = TRUE;
          }
    }
  *last = MIN (end, *first + most);
  return TRUE;
}

/* Finds the sums of N ITEMS.  Each row is copied from the device once, and the copies are small. */
static gboolean
find_sums (VgFollowedRegions *self, Followed *items, guint n, const VgPlane *plane,
           const VgPlane *numerator, const VgCuda *cuda, GError **error)
{
  int most = MAX (MOST_COPIED / plane->width, 1), first = 0, last = 0;

  for (guint i = 0; i < n; i++)
    {
      if (!fit (&items[i], plane, error))
        return FALSE;
      items[i].sums[0] = items[i].sums[1] = 0;
    }
  while (find_next_rows (items, n, plane, most, &first, &last))
    {
      VgPlane ratio = *plane, above = *numerator;

      if (!take_rows (&self->rows, &ratio, cuda, first, last, error) ||
          !take_rows (&self->numerators, &above, cuda, first, last, error))
        return FALSE;
      for (guint i = 0; i < n; i++)
        {
          Followed *item = &items[i];
          int top = top_of (item, plane), y0 = MAX (top, first),
              y1 = MIN (bottom_of (item, plane), last);

          if (item->inside && y0 < y1)
            vg_region_statistics_add_to_ratio (
                &ratio, &above, item->mask + (gsize) (y0 - top) * (gsize) (item->x1 - item->x0),
                item->x0, y0 - first, item->x1, y1 - first, 0, item->sums);
        }
    }
  return TRUE;
}

gboolean
vg_followed_regions_set_ratio (VgFollowedRegions *self, guint i, const VgPlane *plane,
                               const VgPlane *numerator, const VgCuda *cuda,
                               VgRegionStatistics *statistics, GError **error)
{
  Followed *item = &self->items[i];
  gboolean all = self->moment != 0 && plane->place == VG_DEVICE;

  if (statistics->valid == 0)
    return TRUE;
  if (!all || self->ratio != plane->data || self->numerator != numerator->data)
    {
      self->ratio = self->numerator = NULL;
      if (!find_sums (self, all ? self->items : item, all ? self->n : 1, plane, numerator, cuda,
                      error))
        return FALSE;
      self->ratio = all ? plane->data : NULL;
      self->numerator = all ? numerator->data : NULL;
    }
  statistics->mean = item->sums[1] != 0 ? item->sums[0] / item->sums[1] : NAN;
  return TRUE;
}

/* Whether the rows of ITEM are too many for a copy. */
static gboolean
is_large (const Followed *item, const VgPlane *plane)
{
  return plane->place == VG_DEVICE &&
         (gsize) plane->width * (gsize) (item->y1 - item->y0) > MOST_COPIED;
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
    return cuda->region_quartiles (plane, item->mask, item->x0, item->y0, item->x1, item->y1, slice,
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
    return cuda->region_quartiles (plane, item->mask, item->x0, item->y0, item->x1, item->y1, slice,
                                   statistics, error);
  if (is_large (item, plane))
    return find_in_some_rows (&self->rows, item, plane, cuda, slice, most, statistics, error);
  if (!take_rows (&self->rows, &rows, cuda, top_of (item, plane), bottom_of (item, plane), error))
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
  const VgPlane whole = vg_region_plane (&item->region, plane);
  int slice = slice_of (item, plane);
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
    vg_region_statistics_add_quartiles (statistics, &whole, item->mask, item->x0, item->y0,
                                        item->x1, item->y1, slice, most);
  else if (!find_quartiles (self, item, &whole, cuda, slice, most, statistics, error))
    return FALSE;
  item->quartiles[0] = statistics->q25;
  item->quartiles[1] = statistics->median;
  item->quartiles[2] = statistics->q75;
  return TRUE;
}
