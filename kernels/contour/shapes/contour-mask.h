/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/contour/shapes/contour-geojson.h"
#include "kernels/contour/evolve/contour-scene.h"
#include "kernels/base/vg-image.h"
#include <string.h>
/* Objects as sets of pixels, which may overlap. */
G_BEGIN_DECLS

typedef struct
{
  VgContourBox box; /* of the image */
  guint8 *bits;     /* of the box, 1 inside */
  gint64 area;
  guint number; /* of a file's object: its label, or its place among the polygons, from 1 */
  const VgContourObject *object; /* of a scene, borrowed; else NULL */
} VgContourMask;

void vg_contour_mask_free (gpointer self);

/* All return a GPtrArray of VgContourMask, none of them empty. NULL: no memory, with
 * VG_OPERATION_ERROR_MEMORY where there is an error. */
GPtrArray *vg_contour_masks_of_scene (const VgContourScene *scene);
/* LABELS of the image's size; 0 is background. */
/* NULL and an error too for labels that number no nuclei: too many, or scattered over the image. */
GPtrArray *vg_contour_masks_of_labels (const gint32 *labels, int width, int height, GError **error);
GPtrArray *vg_contour_masks_of_shapes (const GPtrArray *shapes, int width, int height,
                                       GError **error);
/* Of a truth file: labels, or GeoJSON polygons in pixels of a slide's finest level, for an image
 * as INFO says.  NULL and VG_OPERATION_ERROR_INPUT for another size or none at all.  *BEYOND (or
 * NULL): polygons that lie beyond the image. */
GPtrArray *vg_contour_masks_of_file (const VgImage *file, const VgImageInfo *info, guint *beyond,
                                     GError **error);
/* Whole samples as labels; new.  NULL and an error for another size. */
gint32 *vg_contour_labels_of_file (const VgImage *file, int width, int height, GError **error);
VgContourPoint vg_contour_mask_centroid (const VgContourMask *self); /* px */
gint64 vg_contour_mask_common (const VgContourMask *a, const VgContourMask *b);
/* So much of the smaller one lies in the other that both are the same nucleus. */
gboolean vg_contour_mask_is_same (const VgContourMask *a, const VgContourMask *b);
/* A pixel of A is within REACH pixels (along both axes) of one of B. */
gboolean vg_contour_mask_touches (const VgContourMask *a, const VgContourMask *b, int reach);

/* Less than REACH pixels lie between the boxes; REACH 0: they share a pixel. */
static inline gboolean
vg_contour_boxes_meet (const VgContourBox *a, const VgContourBox *b, int reach)
{
  return a->x < b->x + b->width + reach && b->x < a->x + a->width + reach &&
         a->y < b->y + b->height + reach && b->y < a->y + a->height + reach;
}

/* Eight pixels at once, of which each is a byte: all ones, the bytes at AT, and the sum of bytes
 * that are 0 or 1. */
#define VG_CONTOUR_ONES G_GUINT64_CONSTANT (0x0101010101010101)

static inline guint64
vg_contour_load8 (const guint8 *at)
{
  guint64 word;

  memcpy (&word, at, sizeof word);
  return word;
}

static inline int
vg_contour_sum8 (guint64 word)
{
  return (int) ((word * VG_CONTOUR_ONES) >> 56);
}

static inline const VgContourMask *
vg_contour_mask_at (const GPtrArray *masks, guint i)
{
  return (VgContourMask *) masks->pdata[i];
}

static inline gboolean
vg_contour_mask_has (const VgContourMask *self, int x, int y)
{
  x -= self->box.x;
  y -= self->box.y;
  return x >= 0 && y >= 0 && x < self->box.width && y < self->box.height &&
         self->bits[(gsize) y * (gsize) self->box.width + (gsize) x];
}

G_END_DECLS
