/* SPDX-License-Identifier: MIT */
#include "kernels/contour/shapes/contour-truth.h"
#include "kernels/contour/model/contour-memory.h"
#include "kernels/base/vg-error.h"
#include <string.h>

/* A pixel in more objects than this is no tissue's, and their pairs would be too many. */
enum { MOST_DEEP = 200 };
enum { CELL = 64, TOUCH_PX = 2, MOST_SAMPLES = 1 << 26 };

/* ---- Objects by place ---- */

/* The first and last column and row. */
static void
find_cells (const VgContourBox *box, int cells[4])
{
  cells[0] = box->x / CELL;
  cells[1] = (box->x + box->width - 1) / CELL;
  cells[2] = box->y / CELL;
  cells[3] = (box->y + box->height - 1) / CELL;
}

/* Counts the objects of each cell; or, with ITEMS, enters them from each cell's end on, so that the
 * end becomes its start. */
static void
visit_cells (VgContourTruth *self, guint *items)
{
  for (guint i = self->masks->len; i-- > 0;)
    {
      int cells[4];

      find_cells (&vg_contour_mask_at (self->masks, i)->box, cells);
      for (int y = cells[2]; y <= cells[3]; y++)
        for (int x = cells[0]; x <= cells[1]; x++)
          {
            guint *end = &self->cell_starts[(gsize) y * (gsize) self->columns + (gsize) x];

            if (items == NULL)
              ++*end;
            else
              items[--*end] = i;
          }
    }
}

static gboolean
fill_cells (VgContourTruth *self)
{
  gsize n, sum = 0;

  self->columns = (self->width + CELL - 1) / CELL;
  n = (gsize) self->columns * (gsize) ((self->height + CELL - 1) / CELL);
  self->cell_starts = g_try_new0 (guint, n + 1);
  if (self->cell_starts == NULL)
    return FALSE;
  visit_cells (self, NULL);
  for (gsize k = 0; k <= n; k++)
    {
      sum += self->cell_starts[k];
      self->cell_starts[k] = (guint) sum;
    }
  if (sum > G_MAXUINT || (self->cell_items = g_try_new (guint, sum + 1)) == NULL)
    return FALSE;
  visit_cells (self, self->cell_items);
  return TRUE;
}

void
vg_contour_truth_find (const VgContourTruth *self, const VgContourBox *box, guint *seen, guint mark,
                       GArray *indices)
{
  int cells[4];

  find_cells (box, cells);
  for (int y = cells[2]; y <= cells[3]; y++)
    for (int x = cells[0]; x <= cells[1]; x++)
      {
        const guint *starts = &self->cell_starts[(gsize) y * (gsize) self->columns + (gsize) x];

        for (guint k = starts[0]; k < starts[1]; k++)
          {
            guint i = self->cell_items[k];

            if (seen[i] == mark)
              continue;
            seen[i] = mark;
            if (vg_contour_boxes_meet (&vg_contour_mask_at (self->masks, i)->box, box, 0))
              g_array_append_val (indices, i);
          }
      }
}

/* ---- What stays the same ---- */

static gboolean
find_touching (VgContourTruth *self)
{
  g_autofree guint *seen = g_try_new0 (guint, self->masks->len + 1);
  g_autoptr (GArray) near = g_array_new (FALSE, FALSE, sizeof (guint));

  if (seen == NULL)
    return FALSE;
  self->touching = g_array_new (FALSE, FALSE, sizeof (VgContourTouch));
  for (guint a = 0; a < self->masks->len; a++)
    {
      const VgContourMask *mask = vg_contour_mask_at (self->masks, a);
      int x = MAX (mask->box.x - TOUCH_PX, 0), y = MAX (mask->box.y - TOUCH_PX, 0),
          x1 = MIN (mask->box.x + mask->box.width + TOUCH_PX, self->width),
          y1 = MIN (mask->box.y + mask->box.height + TOUCH_PX, self->height);

      g_array_set_size (near, 0);
      vg_contour_truth_find (self, &(VgContourBox){ x, y, x1 - x, y1 - y }, seen, a + 1, near);
      for (guint k = 0; k < near->len; k++)
        {
          VgContourTouch touch = { a, g_array_index (near, guint, k) };

          if (touch.b > a &&
              vg_contour_mask_touches (mask, vg_contour_mask_at (self->masks, touch.b), TOUCH_PX))
            g_array_append_val (self->touching, touch);
        }
    }
  return TRUE;
}

static guint8 *
covered_at (const VgContourTruth *self, const VgContourMask *mask, int x, int y)
{
  return &self->covered[(gsize) (mask->box.y + y) * (gsize) self->width +
                        (gsize) (mask->box.x + x)];
}

/* Marks the pixels of the objects.  FALSE and an error: no memory, or too many objects lie over
 * each other. */
static gboolean
cover (VgContourTruth *self, GError **error)
{
  gsize n = (gsize) self->width * (gsize) self->height;
  gboolean deep = FALSE;

  self->covered = g_try_malloc0 (n);
  for (guint i = 0; i < self->masks->len && self->covered != NULL; i++)
    {
      const VgContourMask *mask = vg_contour_mask_at (self->masks, i);

      for (int y = 0; y < mask->box.height; y++)
        for (int x = 0; x < mask->box.width; x++)
          {
            guint8 *at = covered_at (self, mask, x, y);
            guint8 bit = mask->bits[(gsize) y * (gsize) mask->box.width + (gsize) x];

            self->area += bit != 0 && *at == 0;
            *at += bit;
            deep |= *at > MOST_DEEP;
          }
      if (deep)
        {
          g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
                       "more than %d objects of the truth cover the same pixel; choose a file with "
                       "one outline for each nucleus",
                       MOST_DEEP);
          return FALSE;
        }
    }
  /* pixels outside the boxes are not touched: those of a slide would fill the memory */
  for (guint i = 0; i < self->masks->len && self->covered != NULL; i++)
    {
      const VgContourMask *mask = vg_contour_mask_at (self->masks, i);

      for (int y = 0; y < mask->box.height; y++)
        for (int x = 0; x < mask->box.width; x++)
          {
            guint8 *at = covered_at (self, mask, x, y);

            *at = MIN (*at, 1);
          }
    }
  return self->covered != NULL || vg_contour_no_memory (self->width, self->height, error);
}

VgContourTruth *
vg_contour_truth_new (GPtrArray *masks, guint beyond, int width, int height, GError **error)
{
  g_autoptr (VgContourTruth) self = g_new0 (VgContourTruth, 1);

  self->masks = masks;
  self->beyond = beyond;
  self->width = width;
  self->height = height;
  if (!cover (self, error))
    return NULL;
  if (fill_cells (self) && find_touching (self))
    return g_steal_pointer (&self);
  vg_contour_no_memory (width, height, error);
  return NULL;
}

VgContourTruth *
vg_contour_truth_of_file (const VgImage *file, const VgImageInfo *info, GError **error)
{
  guint beyond = 0;
  GPtrArray *masks = vg_contour_masks_of_file (file, info, &beyond, error);

  return masks != NULL ? vg_contour_truth_new (masks, beyond, info->width, info->height, error)
                       : NULL;
}

void
vg_contour_truth_free (VgContourTruth *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->masks);
  g_clear_pointer (&self->touching, g_array_unref);
  g_free (self->cell_starts);
  g_free (self->cell_items);
  g_free (self->covered);
  g_free (self->items);
  g_free (self->values);
  g_free (self);
}

/* ---- Outlines ---- */

/* Boxes with a margin of one pixel inside the image.  FALSE: too many samples. */
static gboolean
take_items (VgContourTruth *self)
{
  self->items = g_new0 (VgOutline, self->masks->len + 1);
  for (guint i = 0; i < self->masks->len; i++)
    {
      const VgContourMask *mask = vg_contour_mask_at (self->masks, i);
      int x = MAX (mask->box.x - 1, 0), y = MAX (mask->box.y - 1, 0),
          x1 = MIN (mask->box.x + mask->box.width + 1, self->width),
          y1 = MIN (mask->box.y + mask->box.height + 1, self->height);

      self->items[i] = (VgOutline){ .x = x,
                                    .y = y,
                                    .width = x1 - x,
                                    .height = y1 - y,
                                    .offset = (guint32) self->n_values,
                                    .stride = (guint32) (x1 - x),
                                    .id = mask->number,
                                    .converged = TRUE };
      self->n_values += (gsize) (x1 - x) * (gsize) (y1 - y);
      if (self->n_values > MOST_SAMPLES)
        return FALSE;
    }
  return TRUE;
}

static gboolean
make_outlines (VgContourTruth *self)
{
  if (!take_items (self) || (self->values = g_try_new (float, self->n_values + 1)) == NULL)
    return FALSE;
  for (guint i = 0; i < self->masks->len; i++)
    {
      const VgContourMask *mask = vg_contour_mask_at (self->masks, i);
      const VgOutline *item = &self->items[i];
      float *value = self->values + item->offset;

      for (int y = item->y; y < item->y + item->height; y++)
        for (int x = item->x; x < item->x + item->width; x++)
          *value++ = vg_contour_mask_has (mask, x, y) ? 0.5f : -0.5f;
    }
  return TRUE;
}

gboolean
vg_contour_truth_outlines (VgContourTruth *self, VgOutlines *outlines)
{
  if (self->items == NULL && !make_outlines (self))
    g_clear_pointer (&self->values, g_free);
  if (self->values == NULL)
    return FALSE;
  memset (outlines, 0, sizeof *outlines);
  outlines->items = self->items;
  outlines->n = self->masks->len;
  outlines->values = (VgPlane){
    .place = VG_HOST, .data = self->values, .width = (int) self->n_values, .height = 1, .slices = 1
  };
  outlines->width = self->width;
  outlines->height = self->height;
  outlines->plain = TRUE;
  return TRUE;
}
