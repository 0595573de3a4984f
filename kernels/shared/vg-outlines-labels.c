/* SPDX-License-Identifier: MIT */
#include "kernels/shared/vg-outlines-labels.h"

#define MOST_LABEL 16777216.0f /* whole numbers end there */
enum { MOST_SAMPLES = 1 << 26 };

/* 0: background, or no number. */
static guint32
label_at (const VgPlane *labels, int x, int y)
{
  float value = labels->data[(gsize) y * (gsize) labels->width + (gsize) x];

  return value >= 1.0f && value < MOST_LABEL ? (guint32) value : 0;
}

/* The extents of all labels by number; a label that is absent has no size. */
static VgOutline *
find_extents (const VgPlane *labels, guint32 *most)
{
  VgOutline *extents;

  *most = 0;
  for (int y = 0; y < labels->height; y++)
    for (int x = 0; x < labels->width; x++)
      *most = MAX (*most, label_at (labels, x, y));
  extents = *most == 0 ? NULL : g_try_new0 (VgOutline, (gsize) *most + 1);
  for (int y = 0; y < labels->height && extents != NULL; y++)
    for (int x = 0; x < labels->width; x++)
      {
        guint32 id = label_at (labels, x, y);
        VgOutline *extent = &extents[id];
        int x1 = extent->x + extent->width;

        if (id == 0)
          continue;
        if (extent->width == 0)
          *extent = (VgOutline){
            .x = x, .y = y, .width = 1, .height = 1, .id = id, .converged = TRUE
          };
        extent->x = MIN (extent->x, x);
        extent->width = MAX (x1, x + 1) - extent->x;
        extent->height = y + 1 - extent->y;
      }
  return extents;
}

/* Adds an outline for each label present, with a margin of one pixel inside the image; returns the
 * number of samples, 0 if they are too many. */
static gsize
take_items (VgLabelOutlines *self, const VgPlane *labels, const VgOutline *extents, guint32 most)
{
  gsize samples = 0;

  self->items = g_new (VgOutline, (gsize) most + 1);
  for (guint32 id = 1; id <= most; id++)
    {
      VgOutline item = extents[id];
      int x1 = MIN (item.x + item.width + 1, labels->width),
          y1 = MIN (item.y + item.height + 1, labels->height);

      if (item.width == 0)
        continue;
      item.x = MAX (item.x - 1, 0);
      item.y = MAX (item.y - 1, 0);
      item.width = x1 - item.x;
      item.height = y1 - item.y;
      item.offset = (guint32) samples;
      item.stride = (guint32) item.width;
      samples += (gsize) item.width * (gsize) item.height;
      if (samples > MOST_SAMPLES)
        return 0;
      self->items[self->outlines.n++] = item;
    }
  return samples;
}

VgLabelOutlines *
vg_label_outlines_new (const VgPlane *labels)
{
  g_autoptr (VgLabelOutlines) self = g_new0 (VgLabelOutlines, 1);
  guint32 most;
  g_autofree VgOutline *extents = find_extents (labels, &most);
  gsize samples = extents == NULL ? 0 : take_items (self, labels, extents, most);

  if (samples == 0 || (self->values = g_try_new (float, samples)) == NULL)
    return NULL;
  for (guint i = 0; i < self->outlines.n; i++)
    {
      const VgOutline *item = &self->items[i];
      float *row = self->values + item->offset;

      for (int y = item->y; y < item->y + item->height; y++, row += item->stride)
        for (int x = 0; x < item->width; x++)
          row[x] = label_at (labels, item->x + x, y) == item->id ? 0.5f : -0.5f;
    }
  self->outlines.items = self->items;
  self->outlines.values = (VgPlane){
    .place = VG_HOST, .data = self->values, .width = (int) samples, .height = 1, .slices = 1
  };
  self->outlines.width = labels->width;
  self->outlines.height = labels->height;
  self->outlines.plain = TRUE;
  return g_steal_pointer (&self);
}

void
vg_label_outlines_free (VgLabelOutlines *self)
{
  if (self == NULL)
    return;
  g_free (self->items);
  g_free (self->values);
  g_free (self);
}
