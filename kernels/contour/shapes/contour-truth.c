/* SPDX-License-Identifier: MIT */
#include "kernels/contour/shapes/contour-truth.h"
#include "kernels/contour/model/contour-memory.h"
#include "kernels/base/vg-error.h"
#include <string.h>

/* A pixel in more objects than this is no tissue's, and their pairs would be too many. */
enum { MOST_DEEP = 200 };
enum { TOUCH_PX = 2, MOST_SAMPLES = 1 << 26 };

/* ---- What stays the same ---- */

static void
find_touching (VgContourTruth *self)
{
  g_autoptr (GArray) near = g_array_new (FALSE, FALSE, sizeof (guint));

  self->touching = g_array_new (FALSE, FALSE, sizeof (VgContourTouch));
  for (guint a = 0; a < self->masks->len; a++)
    {
      const VgContourMask *mask = vg_contour_mask_at (self->masks, a);
      VgContourBox about = { mask->box.x - TOUCH_PX, mask->box.y - TOUCH_PX,
                             mask->box.width + 2 * TOUCH_PX, mask->box.height + 2 * TOUCH_PX };

      vg_contour_places_find (&self->places, &about, near);
      for (guint k = 0; k < near->len; k++)
        {
          VgContourTouch touch = { a, g_array_index (near, guint, k) };

          if (touch.b > a &&
              vg_contour_mask_touches (mask, vg_contour_mask_at (self->masks, touch.b), TOUCH_PX))
            g_array_append_val (self->touching, touch);
        }
    }
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
                       "more than %d objects of the truth cover the same pixel; give one "
                       "outline for each nucleus",
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
  if (!vg_contour_places_init (&self->places, masks))
    {
      vg_contour_no_memory (width, height, error);
      return NULL;
    }
  find_touching (self);
  return g_steal_pointer (&self);
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
  vg_contour_places_clear (&self->places);
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
