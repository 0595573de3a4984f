/* SPDX-License-Identifier: MIT */
#include "kernels/contour/shapes/contour-places.h"

enum { CELL = 64 };

static int
cell_of (int x)
{
  return x >= 0 ? x / CELL : -((-x + CELL - 1) / CELL);
}

/* The cells that BOX meets. */
static VgContourBox
cells_of (const VgContourBox *box)
{
  int x = cell_of (box->x), y = cell_of (box->y);

  return (VgContourBox){ x, y, cell_of (box->x + box->width - 1) - x + 1,
                         cell_of (box->y + box->height - 1) - y + 1 };
}

static void
enlarge (VgContourBox *self, const VgContourBox *by)
{
  int x1 = MAX (self->x + self->width, by->x + by->width),
      y1 = MAX (self->y + self->height, by->y + by->height);

  self->x = MIN (self->x, by->x);
  self->y = MIN (self->y, by->y);
  self->width = x1 - self->x;
  self->height = y1 - self->y;
}

static gsize
at (const VgContourPlaces *self, int x, int y)
{
  return (gsize) (y - self->cells.y) * (gsize) self->cells.width + (gsize) (x - self->cells.x);
}

/* Counts the N boxes of each cell; or, with ITEMS, enters them from each cell's end on, so that the
 * end becomes its start. */
static void
visit_cells (VgContourPlaces *self, guint n, guint *items)
{
  for (guint i = n; i-- > 0;)
    {
      VgContourBox cells = cells_of (&self->boxes[i]);

      for (int y = cells.y; y < cells.y + cells.height; y++)
        for (int x = cells.x; x < cells.x + cells.width; x++)
          {
            guint *end = &self->starts[at (self, x, y)];

            if (items == NULL)
              ++*end;
            else
              items[--*end] = i;
          }
    }
}

gboolean
vg_contour_places_init (VgContourPlaces *self, const GPtrArray *masks)
{
  gsize n, sum = 0;

  *self = (VgContourPlaces){ .boxes = g_try_new (VgContourBox, masks->len + 1) };
  if (self->boxes == NULL)
    return FALSE;
  for (guint i = 0; i < masks->len; i++)
    {
      VgContourBox cells;

      self->boxes[i] = vg_contour_mask_at (masks, i)->box;
      cells = cells_of (&self->boxes[i]);
      if (i == 0)
        self->cells = cells;
      else
        enlarge (&self->cells, &cells);
    }
  n = (gsize) self->cells.width * (gsize) self->cells.height;
  self->starts = g_try_new0 (guint, n + 1);
  if (self->starts == NULL)
    return FALSE;
  visit_cells (self, masks->len, NULL);
  for (gsize k = 0; k <= n; k++)
    {
      sum += self->starts[k];
      self->starts[k] = (guint) sum;
    }
  if (sum > G_MAXUINT || (self->items = g_try_new (guint, sum + 1)) == NULL)
    return FALSE;
  visit_cells (self, masks->len, self->items);
  return TRUE;
}

void
vg_contour_places_clear (VgContourPlaces *self)
{
  g_clear_pointer (&self->boxes, g_free);
  g_clear_pointer (&self->starts, g_free);
  g_clear_pointer (&self->items, g_free);
}

static int
compare_indices (gconstpointer a, gconstpointer b)
{
  guint i = *(const guint *) a, j = *(const guint *) b;

  return (i > j) - (i < j);
}

void
vg_contour_places_find (const VgContourPlaces *self, const VgContourBox *box, GArray *indices)
{
  const VgContourBox *grid = &self->cells, wanted = cells_of (box);

  g_array_set_size (indices, 0);
  for (int y = MAX (wanted.y, grid->y); y < MIN (wanted.y + wanted.height, grid->y + grid->height);
       y++)
    for (int x = MAX (wanted.x, grid->x); x < MIN (wanted.x + wanted.width, grid->x + grid->width);
         x++)
      for (guint k = self->starts[at (self, x, y)]; k < self->starts[at (self, x, y) + 1]; k++)
        {
          guint i = self->items[k];
          const VgContourBox *other = &self->boxes[i];

          /* Once, although both may share several cells: in that of their first common pixel. */
          if (vg_contour_boxes_meet (other, box, 0) && cell_of (MAX (other->x, box->x)) == x &&
              cell_of (MAX (other->y, box->y)) == y)
            g_array_append_val (indices, i);
        }
  g_array_sort (indices, compare_indices);
}
