/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/base/vg-plane.h"
/* Outlines of many objects on one image.  Each is the zero level of a signed
 * distance field of its own, in pixels and positive inside, so that objects may
 * overlap.  The fields share one pool of samples; beyond its tile an object is
 * outside. */
G_BEGIN_DECLS

/* How an object compares with a ground truth, or the class of its stain: its colour, and the dashes
 * of its line. */
typedef enum {
  VG_OUTLINE_NUMBERED, /* there is none: the colour follows from the number */
  VG_OUTLINE_CORRECT,  /* the object matches a true one */
  VG_OUTLINE_FALSE,    /* it matches none */
  VG_OUTLINE_MISSED,   /* a true object without a match */
  VG_OUTLINE_MERGED,   /* one object over several true ones, and these */
  VG_OUTLINE_SPLIT,    /* several objects in one true one, and this */
  VG_OUTLINE_TRUE,     /* a true object with a match */
  VG_OUTLINE_NEGATIVE, /* hardly stained; three degrees of stain follow */
  VG_OUTLINE_WEAK,
  VG_OUTLINE_MODERATE,
  VG_OUTLINE_STRONG,
  VG_OUTLINE_LOOKS,
} VgOutlineLook;

typedef struct
{
  int x, y, width, height; /* the tile's rectangle in the image, pixels */
  guint32 offset, stride;  /* of the first sample in the pool; between rows */
  guint32 id;              /* the object's number, which selects its colour */
  gboolean converged;      /* the contour has converged */
  VgOutlineLook look;
} VgOutline;

typedef struct
{
  const VgOutline *items; /* in host memory, borrowed like the values */
  guint n;
  VgPlane values;    /* the pool, as one row */
  int width, height; /* of the image */
  gboolean plain;    /* to compare with: solid lines are thin and white */
} VgOutlines;

/* Whether every tile has a size and lies in the pool.  Outlines that were read from a file are
 * checked before they are drawn. */
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
