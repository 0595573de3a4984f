/* SPDX-License-Identifier: MIT */
#include "app/region/vg-region-index.h"
#include <float.h>
#include <math.h>

enum { ROWS = 512 };

struct _VgRegionIndex
{
  double left, right;     /* nothing beyond them is inside; only of polygons */
  double low, per_row;    /* the lowest y, and the height of a row */
  guint starts[ROWS + 1]; /* where the edges of a row begin in `edges` */
  guint16 *edges;         /* index of the point at the end of the edge */
  VgRegion shape;
};

static int
find_row (const VgRegionIndex *self, double y)
{
  return (int) CLAMP ((y - self->low) / self->per_row, 0, ROWS - 1);
}

/* The rows that the edge from point J to point I may cross. */
static void
find_rows (const VgRegionIndex *self, int i, int j, int *first, int *last)
{
  *first = find_row (self, MIN (self->shape.y[i], self->shape.y[j]));
  *last = find_row (self, MAX (self->shape.y[i], self->shape.y[j]));
}

static void
list_edges (VgRegionIndex *self)
{
  int n = self->shape.n_points, first, last;
  guint filled[ROWS] = { 0 };

  for (int i = 0, j = n - 1; i < n; j = i++)
    {
      find_rows (self, i, j, &first, &last);
      for (int row = first; row <= last; row++)
        self->starts[row + 1]++;
    }
  for (int row = 0; row < ROWS; row++)
    self->starts[row + 1] += self->starts[row];
  self->edges = g_new (guint16, self->starts[ROWS] + 1);
  for (int i = 0, j = n - 1; i < n; j = i++)
    {
      find_rows (self, i, j, &first, &last);
      for (int row = first; row <= last; row++)
        self->edges[self->starts[row] + filled[row]++] = (guint16) i;
    }
}

/* FALSE: nothing can be inside. */
static gboolean
index_polygon (VgRegionIndex *self)
{
  double high = -INFINITY, rounding; /* of where an edge crosses a line */

  self->left = self->low = INFINITY;
  self->right = -INFINITY;
  for (int i = 0; i < self->shape.n_points; i++)
    {
      self->left = fmin (self->left, self->shape.x[i]);
      self->right = fmax (self->right, self->shape.x[i]);
      self->low = fmin (self->low, self->shape.y[i]);
      high = fmax (high, self->shape.y[i]);
    }
  rounding = 4 * DBL_EPSILON * fmax (fabs (self->left), fabs (self->right));
  self->left -= rounding;
  self->right += rounding;
  self->per_row = (high - self->low) / ROWS;
  if (!(self->per_row > 0))
    return FALSE;
  list_edges (self);
  return TRUE;
}

VgRegionIndex *
vg_region_index_new (const VgRegion *shape)
{
  g_autoptr (VgRegionIndex) self = NULL;

  if (shape->kind == VG_REGION_NONE || shape->n_points < 2)
    return NULL;
  self = g_new0 (VgRegionIndex, 1);
  self->shape = *shape;
  return shape->kind != VG_REGION_POLYGON || index_polygon (self) ? g_steal_pointer (&self) : NULL;
}

void
vg_region_index_free (VgRegionIndex *self)
{
  if (self == NULL)
    return;
  g_free (self->edges);
  g_free (self);
}

gboolean
vg_region_index_contains (const VgRegionIndex *self, double x, double y)
{
  const VgRegion *shape = &self->shape;
  gboolean inside = FALSE;
  int row;

  if (shape->kind != VG_REGION_POLYGON)
    return vg_region_contains (shape, x, y);
  if (!(y >= self->low && y <= self->low + ROWS * self->per_row && x >= self->left &&
        x <= self->right))
    return FALSE;
  row = find_row (self, y);
  for (guint k = self->starts[row]; k < self->starts[row + 1]; k++)
    {
      int i = self->edges[k], j = i > 0 ? i - 1 : shape->n_points - 1;

      if ((shape->y[i] > y) != (shape->y[j] > y))
        inside ^= shape->x[i] + (shape->x[j] - shape->x[i]) *
                                    ((y - shape->y[i]) / (shape->y[j] - shape->y[i])) >
                  x;
    }
  return inside;
}
