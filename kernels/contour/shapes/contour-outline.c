/* SPDX-License-Identifier: MIT */
#include "kernels/contour/shapes/contour-outline.h"
#include <math.h>
/* Marching squares (Lorensen and Cline's idea in two dimensions) with inside
 * on the left.  Cells lie between sample centres, one row and column beyond
 * the box on every side.  In a saddle the inside stays connected. */

typedef struct
{
  const VgContourObject *object;
  int width, height; /* of the image */
  int columns, rows; /* of cells */
  guint8 *in;        /* 1: a sample is inside; one more of them than of cells on each axis */
  /* segments of a cell that are still to be walked, by the side they leave by */
  guint8 *left;
} Walk;

enum { TOP, RIGHT, BOTTOM, LEFT };

/* phi at a sample of the box extended by one; beyond the tile it is outside. */
static float
value (const Walk *self, int x, int y)
{
  const VgContourObject *object = self->object;
  int tx = object->state.box.x + x - 1, ty = object->state.box.y + y - 1;

  if (tx < 0 || ty < 0 || tx >= object->tile.width || ty >= object->tile.height)
    return -0.5f;
  return object->phi[(gsize) ty * (gsize) object->tile.width + (gsize) tx];
}

/* Sets `in`. */
static void
find_inside (Walk *self)
{
  for (int y = 0; y <= self->rows; y++)
    for (int x = 0; x <= self->columns; x++)
      self->in[y * (self->columns + 1) + x] = value (self, x, y) > 0.0f;
}

/* The side by which the segment that enters cell (X, Y) by ENTER leaves it;
 * -1: none enters there.  Inside is on the left. */
static int
leave_by (const Walk *self, int x, int y, int enter)
{
  const guint8 *above = self->in + y * (self->columns + 1) + x, *below = above + self->columns + 1;
  const guint8 corner[4] = { above[0], above[1], below[1], below[0] };

  /* corners k and k + 1 bound side k, clockwise on the screen; a segment
   * enters where the corner after the side, clockwise, is outside */
  if (!corner[enter] || corner[(enter + 1) % 4])
    return -1;
  for (int k = 1; k < 4; k++)
    {
      int side = (enter + k) % 4;

      if (!corner[side] && corner[(side + 1) % 4])
        return side;
    }
  return -1;
}

static void
add_crossing (const Walk *self, VgContourShape *shape, int x, int y, int side)
{
  int ax = x + (side == RIGHT), ay = y + (side == BOTTOM),
      bx = ax + (side == TOP || side == BOTTOM), by = ay + (side == LEFT || side == RIGHT);
  double a = value (self, ax, ay), b = value (self, bx, by), t = a / (a - b);
  const VgContourObject *object = self->object;
  VgContourPoint point = { object->tile.x + object->state.box.x + ax - 0.5 + t * (bx - ax),
                           object->tile.y + object->state.box.y + ay - 0.5 + t * (by - ay) };

  point.x = CLAMP (point.x, 0.0, (double) self->width);
  point.y = CLAMP (point.y, 0.0, (double) self->height);
  g_array_append_val (shape->points, point);
}

static void
walk_ring (Walk *self, VgContourShape *shape, int x, int y, int enter)
{
  for (;;)
    {
      int side = leave_by (self, x, y, enter);

      self->left[y * self->columns + x] &= (guint8) ~(1 << enter);
      add_crossing (self, shape, x, y, side);
      x += (side == RIGHT) - (side == LEFT);
      y += (side == BOTTOM) - (side == TOP);
      enter = (side + 2) % 4;
      if ((self->left[y * self->columns + x] & (1 << enter)) == 0)
        break;
    }
  vg_contour_shape_end_ring (shape);
}

static double
ring_area (const VgContourShape *shape, guint ring)
{
  const VgContourPoint *p = &g_array_index (shape->points, VgContourPoint, 0);
  guint start = vg_contour_shape_ring_start (shape, ring),
        end = vg_contour_shape_ring_start (shape, ring + 1);
  double twice = 0.0;

  for (guint i = start; i < end; i++)
    {
      const VgContourPoint *a = &p[i], *b = &p[i + 1 < end ? i + 1 : start];

      twice += (a->x - p[start].x) * (b->y - p[start].y) -
               (b->x - p[start].x) * (a->y - p[start].y);
    }
  return 0.5 * twice;
}

/* Finds the segments of all cells. */
static void
find_segments (Walk *self)
{
  for (int y = 0; y < self->rows; y++)
    for (int x = 0; x < self->columns; x++)
      {
        const guint8 *above = self->in + y * (self->columns + 1) + x,
                     *below = above + self->columns + 1;

        if (above[0] + above[1] + below[0] + below[1] == 0 ||
            above[0] + above[1] + below[0] + below[1] == 4)
          continue;
        for (int side = 0; side < 4; side++)
          if (leave_by (self, x, y, side) >= 0)
            self->left[y * self->columns + x] |= (guint8) (1 << side);
      }
}

/* The ring with the largest area, then the holes in it: rings of the other turn. */
static VgContourShape *
outer_first (VgContourShape *found)
{
  VgContourShape *shape = vg_contour_shape_new ();
  guint outer = 0;

  for (guint r = 1; r < found->ring_ends->len; r++)
    if (fabs (ring_area (found, r)) > fabs (ring_area (found, outer)))
      outer = r;
  for (guint k = 0; k <= found->ring_ends->len; k++)
    {
      guint r = k == 0 ? outer : k - 1, start, end;

      if (k > 0 && (r == outer || ring_area (found, r) * ring_area (found, outer) > 0.0))
        continue;
      start = vg_contour_shape_ring_start (found, r);
      end = vg_contour_shape_ring_start (found, r + 1);
      g_array_append_vals (shape->points, &g_array_index (found->points, VgContourPoint, start),
                           end - start);
      vg_contour_shape_end_ring (shape);
    }
  g_array_append_val (shape->polygon_ends, shape->ring_ends->len);
  vg_contour_shape_free (found);
  return shape;
}

VgContourShape *
vg_contour_outline (const VgContourObject *object, int width, int height)
{
  Walk self = { .object = object,
                .width = width,
                .height = height,
                .columns = object->state.box.width + 1,
                .rows = object->state.box.height + 1 };
  VgContourShape *shape;

  if (object->state.box.width == 0)
    return NULL;
  self.left = g_malloc0 ((gsize) self.columns * (gsize) self.rows);
  self.in = g_malloc ((gsize) (self.columns + 1) * (gsize) (self.rows + 1));
  shape = vg_contour_shape_new ();
  find_inside (&self);
  find_segments (&self);
  for (int y = 0; y < self.rows; y++)
    for (int x = 0; x < self.columns; x++)
      for (int side = 0; self.left[y * self.columns + x] != 0 && side < 4; side++)
        if (self.left[y * self.columns + x] & (1 << side))
          walk_ring (&self, shape, x, y, side);
  g_free (self.left);
  g_free (self.in);
  if (shape->ring_ends->len > 0)
    return outer_first (shape);
  vg_contour_shape_free (shape);
  return NULL;
}

double
vg_contour_perimeter (const VgContourShape *shape, double width, double height)
{
  const VgContourPoint *p = &g_array_index (shape->points, VgContourPoint, 0);
  guint start = 0;
  double sum = 0.0;

  for (guint r = 0; r < shape->ring_ends->len; r++)
    {
      guint end = g_array_index (shape->ring_ends, guint, r);

      for (guint i = start; i < end; i++)
        sum += hypot (width * (p[i + 1 < end ? i + 1 : start].x - p[i].x),
                      height * (p[i + 1 < end ? i + 1 : start].y - p[i].y));
      start = end;
    }
  return sum;
}

double
vg_contour_shape_area (const VgContourShape *shape)
{
  double sum = 0.0;

  for (guint r = 0; r < shape->ring_ends->len; r++)
    sum += ring_area (shape, r);
  return fabs (sum);
}

/* ---- Convex hull ---- */

static int
by_x (gconstpointer a, gconstpointer b)
{
  const VgContourPoint *p = a, *q = b;

  return p->x != q->x ? (p->x > q->x) - (p->x < q->x) : (p->y > q->y) - (p->y < q->y);
}

/* Twice the area of a triangle, by its winding. */
static double
turn (const VgContourPoint *a, const VgContourPoint *b, const VgContourPoint *c)
{
  return (b->x - a->x) * (c->y - a->y) - (b->y - a->y) * (c->x - a->x);
}

/* Its points by x, then the lower and the upper chain (Andrew 1979). */
double
vg_contour_solidity (const VgContourShape *shape)
{
  g_autoptr (GArray) sorted = g_array_copy (shape->points);
  const VgContourPoint *p = (const VgContourPoint *) (const void *) sorted->data;
  g_autofree VgContourPoint *hull = g_new (VgContourPoint, 2 * sorted->len + 1);
  double area = 0.0;
  guint n = 0, lower;

  g_array_sort (sorted, by_x);
  for (guint i = 0; i < sorted->len; i++)
    {
      while (n >= 2 && turn (&hull[n - 2], &hull[n - 1], &p[i]) <= 0.0)
        n--;
      hull[n++] = p[i];
    }
  lower = n + 1;
  for (guint i = sorted->len - 1; i-- > 0;)
    {
      while (n >= lower && turn (&hull[n - 2], &hull[n - 1], &p[i]) <= 0.0)
        n--;
      hull[n++] = p[i];
    }
  for (guint i = 1; i + 1 < n; i++)
    area += 0.5 * turn (&hull[0], &hull[i], &hull[i + 1]);
  return area > 0.0 ? MIN (vg_contour_shape_area (shape) / area, 1.0) : 0.0;
}

double
vg_contour_outline_area (const VgContourObject *object, int width, int height)
{
  VgContourShape *outline = vg_contour_outline (object, width, height);
  double area = outline != NULL ? vg_contour_shape_area (outline) : 0.0;

  g_clear_pointer (&outline, vg_contour_shape_free);
  return area;
}
