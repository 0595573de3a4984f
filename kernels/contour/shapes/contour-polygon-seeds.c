/* SPDX-License-Identifier: MIT */
#include "kernels/contour/shapes/contour-geojson.h"
#include <math.h>
/* Where in a polygon a seed lies. */

enum { LINES = 15 }; /* looked along where the centroid lies outside */

typedef struct
{
  const VgContourPoint *points;
  const guint *ends; /* of rings; the polygon's are FIRST to LAST - 1 */
  guint first, last;
} Polygon;

static guint
ring_start (const Polygon *self, guint ring)
{
  return ring > 0 ? self->ends[ring - 1] : 0;
}

static int
by_value (gconstpointer a, gconstpointer b)
{
  const double *p = a, *q = b;

  return (*p > *q) - (*p < *q);
}

/* X at which rings cross the line at Y, sorted. */
static void
cross (const Polygon *self, double y, GArray *crossings)
{
  g_array_set_size (crossings, 0);
  for (guint r = self->first; r < self->last; r++)
    for (guint start = ring_start (self, r), i = start; i < self->ends[r]; i++)
      {
        const VgContourPoint *a = &self->points[i],
                             *b = &self->points[i + 1 < self->ends[r] ? i + 1 : start];
        double x;

        if ((a->y <= y) == (b->y <= y))
          continue;
        x = a->x + (y - a->y) / (b->y - a->y) * (b->x - a->x);
        g_array_append_val (crossings, x);
      }
  g_array_sort (crossings, by_value);
}

static gboolean
is_inside (const Polygon *self, const VgContourPoint *point, GArray *crossings)
{
  guint left = 0;

  cross (self, point->y, crossings);
  while (left < crossings->len && g_array_index (crossings, double, left) < point->x)
    left++;
  return left % 2 == 1;
}

/* The middle of the widest stretch inside on some lines across the outline. */
static gboolean
find_inside (const Polygon *self, VgContourPoint *point, GArray *crossings)
{
  double low = INFINITY, high = -INFINITY, widest = 0.0;

  for (guint i = ring_start (self, self->first); i < self->ends[self->first]; i++)
    {
      low = MIN (low, self->points[i].y);
      high = MAX (high, self->points[i].y);
    }
  for (int k = 1; k <= LINES; k++)
    {
      double y = low + (high - low) * k / (LINES + 1);

      cross (self, y, crossings);
      for (guint i = 0; i + 1 < crossings->len; i += 2)
        {
          double a = g_array_index (crossings, double, i),
                 b = g_array_index (crossings, double, i + 1);

          if (b - a <= widest)
            continue;
          widest = b - a;
          *point = (VgContourPoint){ (a + b) / 2.0, y };
        }
    }
  return widest > 0.0;
}

/* FALSE: no area. */
static gboolean
centroid (const Polygon *self, VgContourPoint *point)
{
  const VgContourPoint *origin = &self->points[ring_start (self, self->first)];
  double area = 0.0, sx = 0.0, sy = 0.0;

  for (guint r = self->first; r < self->last; r++)
    {
      double ring = 0.0, rx = 0.0, ry = 0.0, sign;

      for (guint start = ring_start (self, r), i = start; i < self->ends[r]; i++)
        {
          /* from the first point: no digits are lost far from the origin */
          const VgContourPoint *a = &self->points[i],
                               *b = &self->points[i + 1 < self->ends[r] ? i + 1 : start];
          double ax = a->x - origin->x, ay = a->y - origin->y, bx = b->x - origin->x,
                 by = b->y - origin->y, twice = ax * by - bx * ay;

          ring += twice;
          rx += twice * (ax + bx) / 3.0;
          ry += twice * (ay + by) / 3.0;
        }
      sign = (ring < 0.0) == (r == self->first) ? -1.0 : 1.0;
      area += sign * ring;
      sx += sign * rx;
      sy += sign * ry;
    }
  if (!(area > 1e-9))
    return FALSE;
  *point = (VgContourPoint){ origin->x + sx / area, origin->y + sy / area };
  return TRUE;
}

guint
vg_contour_shape_seeds (const VgContourShape *self, GArray *points)
{
  g_autoptr (GArray) crossings = g_array_new (FALSE, FALSE, sizeof (double));
  Polygon polygon = { (const VgContourPoint *) (gconstpointer) self->points->data,
                      (const guint *) (gconstpointer) self->ring_ends->data, 0, 0 };
  guint without = 0;

  for (guint k = 0; k < self->polygon_ends->len; k++)
    {
      VgContourPoint point;

      polygon.first = polygon.last;
      polygon.last = g_array_index (self->polygon_ends, guint, k);
      if (polygon.first < polygon.last && centroid (&polygon, &point) &&
          (is_inside (&polygon, &point, crossings) || find_inside (&polygon, &point, crossings)))
        g_array_append_val (points, point);
      else
        without++;
    }
  return without;
}
