/* SPDX-License-Identifier: MIT */
#include "kernels/contour/net/contour-parts.h"
#include "kernels/contour/model/contour-filter.h"
#include "kernels/contour/model/contour-memory.h"
#include <string.h>
/* A watershed with persistence: pixels are taken from the highest to the lowest.  One without a
 * taken neighbour begins a basin; where two basins meet, the lower is part of the higher unless
 * both rise enough above the place where they meet. */

enum { LEVELS = 4096 };

typedef struct
{
  gint32 parent, size;
  gint32 pixel; /* its highest */
  guint16 top;
  gint64 sum; /* of the probabilities, in 1/LEVELS */
} Basin;

typedef struct
{
  int width, height;
  const float *nucleus;
  guint16 *value;       /* distance, 1 to LEVELS; 0: outside */
  gint32 *owner;        /* basin + 1, 0: not taken */
  VgContourList basins; /* of Basin */
  int depth, peak, mean;
} Flood;

static Basin *
basin_at (const Flood *self, gint32 k)
{
  return (Basin *) self->basins.items + k;
}

static gint32
root_of (const Flood *self, gint32 k)
{
  while (basin_at (self, k)->parent != k)
    {
      basin_at (self, k)->parent = basin_at (self, basin_at (self, k)->parent)->parent;
      k = basin_at (self, k)->parent;
    }
  return k;
}

/* The pixels inside, the highest first, and of equal ones in their order; NULL: no memory. */
static gint32 *
sorted (const Flood *self, gsize n, gsize *count)
{
  gsize first[LEVELS + 2] = { 0 };
  gint32 *order;

  for (gsize i = 0; i < n; i++)
    first[LEVELS - self->value[i] + 1]++;
  *count = n - first[LEVELS + 1];
  for (int k = 1; k <= LEVELS; k++)
    first[k] += first[k - 1];
  order = g_try_new (gint32, MAX (*count, 1));
  for (gsize i = 0; i < n && order != NULL; i++)
    if (self->value[i] > 0)
      order[first[LEVELS - self->value[i]]++] = (gint32) i;
  return order;
}

/* The basins about pixel P, the highest first; returns their number. */
static int
basins_about (const Flood *self, gint32 p, gint32 found[4])
{
  const int x = p % self->width, y = p / self->width;
  const gint32 near[4] = { x > 0 ? p - 1 : -1, x + 1 < self->width ? p + 1 : -1,
                           y > 0 ? p - self->width : -1,
                           y + 1 < self->height ? p + self->width : -1 };
  int n = 0;

  for (int i = 0; i < 4; i++)
    {
      gint32 k = near[i] >= 0 && self->owner[near[i]] > 0 ? root_of (self, self->owner[near[i]] - 1)
                                                          : -1;
      int at = n;

      for (int j = 0; j < n && k >= 0; j++)
        k = found[j] == k ? -1 : k;
      if (k < 0)
        continue;
      for (; at > 0 && (basin_at (self, found[at - 1])->top < basin_at (self, k)->top ||
                        (basin_at (self, found[at - 1])->top == basin_at (self, k)->top &&
                         found[at - 1] > k));
           at--)
        found[at] = found[at - 1];
      found[at] = k;
      n++;
    }
  return n;
}

/* FALSE: no memory. */
static gboolean
take_pixel (Flood *self, gint32 p)
{
  gint32 found[4];
  int n = basins_about (self, p, found), value = self->value[p];
  gint64 probability = (gint64) (self->nucleus[p] * LEVELS);

  if (n == 0)
    {
      gint32 k = (gint32) self->basins.n;
      Basin *basin = vg_contour_list_add (&self->basins);

      if (basin == NULL)
        return FALSE;
      *basin = (Basin){
        .parent = k, .size = 1, .pixel = p, .top = self->value[p], .sum = probability
      };
      self->owner[p] = k + 1;
      return TRUE;
    }
  self->owner[p] = found[0] + 1;
  basin_at (self, found[0])->size++;
  basin_at (self, found[0])->sum += probability;
  for (int i = 1; i < n; i++)
    {
      Basin *lower = basin_at (self, found[i]);

      if (lower->top - value >= self->depth && lower->top >= self->peak &&
          lower->size >= VG_CONTOUR_PART_LEAST)
        continue;
      lower->parent = found[0];
      basin_at (self, found[0])->size += lower->size;
      basin_at (self, found[0])->sum += lower->sum;
    }
  return TRUE;
}

/* Numbers the basins that are nuclei; the others' pixels are background. */
static GArray *
number (Flood *self, gsize n)
{
  GArray *peaks = g_array_new (FALSE, FALSE, sizeof (VgContourPeak));
  g_autofree gint32 *numbers = g_try_new0 (gint32, MAX (self->basins.n, 1));

  if (numbers == NULL)
    {
      g_array_unref (peaks);
      return NULL;
    }
  for (gint32 k = 0; k < (gint32) self->basins.n; k++)
    {
      const Basin *basin = basin_at (self, k);
      VgContourPeak peak = { (float) (basin->pixel % self->width) + 0.5f,
                             (float) (basin->pixel / self->width) + 0.5f,
                             (float) basin->top / LEVELS };

      if (basin->parent != k || basin->top < self->peak || basin->size < VG_CONTOUR_PART_LEAST ||
          basin->sum < (gint64) self->mean * basin->size)
        continue;
      g_array_append_val (peaks, peak);
      numbers[k] = (gint32) peaks->len;
    }
  for (gsize i = 0; i < n; i++)
    if (self->owner[i] > 0)
      self->owner[i] = numbers[root_of (self, self->owner[i] - 1)];
  return peaks;
}

GArray *
vg_contour_parts (const float *nucleus, const float *distance, int width, int height, float level,
                  float peak, float mean, gint32 **labels)
{
  const gsize n = (gsize) width * (gsize) height;
  Flood flood = { .width = width,
                  .height = height,
                  .nucleus = nucleus,
                  .value = g_try_new (guint16, n),
                  .owner = g_try_new0 (gint32, n),
                  .basins = { .size = sizeof (Basin) },
                  .depth = (int) (VG_CONTOUR_PART_DEPTH * LEVELS),
                  .peak = (int) (peak * LEVELS),
                  .mean = (int) (mean * LEVELS) };
  g_autofree gint32 *order = NULL;
  gsize count = 0;
  GArray *peaks = NULL;

  if (flood.value != NULL && flood.owner != NULL)
    {
      gboolean good;

      for (gsize i = 0; i < n; i++)
        flood.value[i] = nucleus[i] > level
                             ? (guint16) (1.0f + CLAMP (distance[i], 0.0f, 1.0f) * (LEVELS - 1))
                             : 0;
      order = sorted (&flood, n, &count);
      good = order != NULL;
      for (gsize i = 0; i < count && good; i++)
        good = take_pixel (&flood, order[i]);
      if (good)
        peaks = number (&flood, n);
    }
  g_free (flood.value);
  vg_contour_list_clear (&flood.basins);
  *labels = peaks != NULL ? g_steal_pointer (&flood.owner) : NULL;
  g_free (flood.owner);
  return peaks;
}
