/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/contour/model/contour-grey.h"
/* Where an image shows glass, tissue and artefacts, by colour and optical density at low
 * resolution. */
G_BEGIN_DECLS

/* In the order of the categories of the map. */
typedef enum {
  VG_CONTOUR_GLASS,
  VG_CONTOUR_TISSUE,
  VG_CONTOUR_INK,   /* of a pen, or of the dye that marks margins: black, blue or green */
  VG_CONTOUR_DENSE, /* much denser than the tissue in both stains: a fold, or keratin */
  VG_CONTOUR_MATTERS,
} VgContourMatter;

typedef struct
{
  int cell;          /* side of a cell, px: about half the radius of a nucleus */
  int x, y;          /* the image's corner in the first cell, px */
  int width, height; /* in cells */
  guint8 *matters;   /* VgContourMatter of each cell; NULL: no colours, or no transmitted light */
} VgContourArtefacts;

/* Measures in IMAGE what tissue typically absorbs (SCALE->typical); of SCALE `full` and `zero` are
 * used.  RADIUS: of a nucleus, px.  FALSE: no memory. */
gboolean vg_contour_artefacts_calibrate (const VgImage *image, float radius, VgContourScale *scale);
/* Classifies IMAGE.  SCALE->typical is used if it is known, else measured.  The image's corner lies
 * at pixel X, Y of the image that cells begin with, so that tiles have the same cells.  NULL: no
 * memory. */
VgContourArtefacts *vg_contour_artefacts_new (const VgImage *image, float radius, int x, int y,
                                              VgContourScale *scale);
void vg_contour_artefacts_free (VgContourArtefacts *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgContourArtefacts, vg_contour_artefacts_free)

static inline VgContourMatter
vg_contour_artefacts_at (const VgContourArtefacts *self, int x, int y)
{
  return self->matters == NULL
             ? VG_CONTOUR_GLASS
             : (VgContourMatter)
                   self->matters[(gsize) ((y + self->y) / self->cell) * (gsize) self->width +
                                 (gsize) ((x + self->x) / self->cell)];
}

/* Draws a rectangle of the image, at X, Y, into PLANE, whose rows are STRIDE samples long. */
void vg_contour_artefacts_draw (const VgContourArtefacts *self, int x, int y, int width, int height,
                                float *plane, gsize stride);
/* Adds the pixels of each matter in a rectangle of the image to COUNTS. */
void vg_contour_artefacts_count (const VgContourArtefacts *self, int x, int y, int width,
                                 int height, gint64 counts[VG_CONTOUR_MATTERS]);

G_END_DECLS
