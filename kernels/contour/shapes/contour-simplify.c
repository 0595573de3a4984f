/* SPDX-License-Identifier: MIT */
#include "kernels/contour/shapes/contour-outline.h"
#include <math.h>
#include <string.h>
/* Fewer points that say the same: Douglas and Peucker, Cartographica 10, 112 (1973). */

/* From the stretch A to B. */
static double
distance_from (const VgContourPoint *p, const VgContourPoint *a, const VgContourPoint *b)
{
  double dx = b->x - a->x, dy = b->y - a->y, square = dx * dx + dy * dy;
  double t = square > 0.0 ? CLAMP (((p->x - a->x) * dx + (p->y - a->y) * dy) / square, 0.0, 1.0)
                          : 0.0;

  return hypot (p->x - a->x - t * dx, p->y - a->y - t * dy);
}

static guint
farthest (const VgContourPoint *ring, guint n, guint first, guint last, double *most)
{
  guint at = first;

  *most = 0.0;
  for (guint i = first + 1; i < last; i++)
    {
      double d = distance_from (&ring[i % n], &ring[first % n], &ring[last % n]);

      if (d <= *most)
        continue;
      *most = d;
      at = i;
    }
  return at;
}

void
vg_contour_simplify (const VgContourPoint *ring, guint n, double tolerance, gboolean *kept)
{
  g_autoptr (GArray) open = g_array_new (FALSE, FALSE, sizeof (guint));
  guint ends[] = { 0, n }, opposite;
  double most;

  memset (kept, 0, n * sizeof *kept);
  if (n == 0)
    return;
  kept[0] = TRUE;
  opposite = farthest (ring, n, 0, n, &most);
  kept[opposite % n] = TRUE;
  g_array_append_vals (open, (guint[]){ ends[0], opposite, opposite, ends[1] }, 4);
  while (open->len > 0)
    {
      guint last = g_array_index (open, guint, open->len - 1),
            first = g_array_index (open, guint, open->len - 2), at;

      g_array_set_size (open, open->len - 2);
      at = farthest (ring, n, first, last, &most);
      if (most <= tolerance || at <= first || at >= last)
        continue;
      kept[at] = TRUE;
      g_array_append_vals (open, (guint[]){ first, at, at, last }, 4);
    }
}
