/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/base/vg-plane.h"
/* Outlines of many objects on one picture, each the zero level of a field of
 * its own (positive inside, in samples, a distance near 0), so that objects
 * may overlap.  Fields lie in one pool; what is beyond a tile is outside. */
G_BEGIN_DECLS

typedef struct
{
  int x, y, width, height; /* the tile's place on the picture */
  guint32 offset, stride;  /* of its first sample in the pool; from row to row */
  guint32 id;              /* the object's number; its colour goes by it */
  gboolean resting;        /* does not move any more */
} VgOutline;

typedef struct
{
  const VgOutline *items; /* host memory; borrowed as the values */
  guint n;
  VgPlane values;    /* the pool as one row */
  int width, height; /* of the picture */
  gboolean plain;    /* thin and white, whatever the object: of what is compared with */
} VgOutlines;

/* Every tile lies in the pool and has a size; what came from elsewhere is
 * checked before it is drawn. */
static inline gboolean
vg_outlines_fit (const VgOutlines *self)
{
  for (guint i = 0; i < self->n; i++)
    {
      const VgOutline *item = &self->items[i];

      if (item->width < 1 || item->height < 1 || item->stride < (guint32) item->width ||
          (guint64) item->offset + (guint64) item->stride * (guint64) (item->height - 1) +
                  (guint64) item->width >
              (guint64) self->values.width)
        return FALSE;
    }
  return TRUE;
}

G_END_DECLS
