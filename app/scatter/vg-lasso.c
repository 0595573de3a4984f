/* SPDX-License-Identifier: MIT */
#include "app/scatter/vg-lasso.h"
#include <math.h>

enum { ROWS = 512 };

struct _VgLasso
{
  VgRegion shape;
  double low, per_row;    /* the lowest y, and the height of a row */
  guint starts[ROWS + 1]; /* where the edges of a row begin in `edges` */
  guint16 *edges;         /* index of the point at the end of the edge */
};

static int
find_row (const VgLasso *self, double y)
{
  return (int) CLAMP ((y - self->low) / self->per_row, 0, ROWS - 1);
}

/* The rows that the edge from point J to point I may cross. */
static void
find_rows (const VgLasso *self, int i, int j, int *first, int *last)
{
  *first = find_row (self, MIN (self->shape.y[i], self->shape.y[j]));
  *last = find_row (self, MAX (self->shape.y[i], self->shape.y[j]));
}

static void
list_edges (VgLasso *self)
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

VgLasso *
vg_lasso_new (const VgRegion *shape)
{
  VgLasso *self;
  double high = -INFINITY;

  if (shape->kind == VG_REGION_NONE || shape->n_points < 2)
    return NULL;
  self = g_new0 (VgLasso, 1);
  self->shape = *shape;
  self->low = INFINITY;
  for (int i = 0; i < shape->n_points && shape->kind == VG_REGION_POLYGON; i++)
    {
      self->low = fmin (self->low, shape->y[i]);
      high = fmax (high, shape->y[i]);
    }
  self->per_row = (high - self->low) / ROWS;
  if (shape->kind == VG_REGION_POLYGON && !(self->per_row > 0))
    g_clear_pointer (&self, vg_lasso_free);
  else if (shape->kind == VG_REGION_POLYGON)
    list_edges (self);
  return self;
}

void
vg_lasso_free (VgLasso *self)
{
  if (self == NULL)
    return;
  g_free (self->edges);
  g_free (self);
}

gboolean
vg_lasso_contains (const VgLasso *self, double x, double y)
{
  const VgRegion *shape = &self->shape;
  gboolean inside = FALSE;
  int row;

  if (shape->kind != VG_REGION_POLYGON)
    return vg_region_contains (shape, x, y);
  if (!(y >= self->low && y <= self->low + ROWS * self->per_row))
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
