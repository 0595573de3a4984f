/* SPDX-License-Identifier: MIT */
#include "kernels/contour/shapes/contour-geojson.h"
#include "kernels/base/vg-sort.h"
#include <math.h>
/* Crossings of a polygon with a line, and where in it a seed lies. */

enum { LINES = 15 }; /* looked along where the centroid lies outside */

typedef struct
{
  const VgContourShape *shape;
  const VgContourPoint *points;
  guint first, last; /* its rings are FIRST to LAST - 1 */
} Polygon;

static guint
ring_start (const Polygon *self, guint ring)
{
  return vg_contour_shape_ring_start (self->shape, ring);
}

void
vg_contour_shape_cross (const VgContourShape *self, guint first, guint end, double y,
                        GArray *crossings)
{
  const VgContourPoint *points = (const VgContourPoint *) (gconstpointer) self->points->data;

  g_array_set_size (crossings, 0);
  for (guint r = first; r < end; r++)
    {
      guint start = vg_contour_shape_ring_start (self, r),
            stop = vg_contour_shape_ring_start (self, r + 1);

      for (guint i = start; i < stop; i++)
        {
          const VgContourPoint *a = &points[i], *b = &points[i + 1 < stop ? i + 1 : start];
          double x;

          if ((a->y <= y) == (b->y <= y))
            continue;
          x = a->x + (y - a->y) / (b->y - a->y) * (b->x - a->x);
          g_array_append_val (crossings, x);
        }
    }
  if (crossings->len > 0)
    vg_sort_doubles ((double *) (gpointer) crossings->data, crossings->len);
}

static gboolean
is_inside (const Polygon *self, const VgContourPoint *point, GArray *crossings)
{
  guint left = 0;

  vg_contour_shape_cross (self->shape, self->first, self->last, point->y, crossings);
  while (left < crossings->len && g_array_index (crossings, double, left) < point->x)
    left++;
  return left % 2 == 1;
}

/* The middle of the widest stretch inside on some lines across the outline. */
static gboolean
find_inside (const Polygon *self, VgContourPoint *point, GArray *crossings)
{
  double low = INFINITY, high = -INFINITY, widest = 0.0;

  for (guint i = ring_start (self, self->first); i < ring_start (self, self->first + 1); i++)
    {
      low = MIN (low, self->points[i].y);
      high = MAX (high, self->points[i].y);
    }
  for (int k = 1; k <= LINES; k++)
    {
      double y = low + (high - low) * k / (LINES + 1);

      vg_contour_shape_cross (self->shape, self->first, self->last, y, crossings);
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

      for (guint start = ring_start (self, r), i = start; i < ring_start (self, r + 1); i++)
        {
          /* from the first point: no digits are lost far from the origin */
          const VgContourPoint *a = &self->points[i],
                               *b = &self->points[i + 1 < ring_start (self, r + 1) ? i + 1 : start];
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
  Polygon polygon = { .shape = self,
                      .points = (const VgContourPoint *) (gconstpointer) self->points->data };
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
