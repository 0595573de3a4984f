/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/contour/engine/contour-report.h"
#include "kernels/contour/engine/contour-run.h"
/* Nuclei of a whole image that came in tiles. */
G_BEGIN_DECLS

typedef struct
{
  guint id;
  int tile;
  VgContourMask mask; /* of the whole */
  float *depth;       /* phi inside, else 0, of the mask's box */
  VgContourRow row;
  VgContourShape *outline; /* of the tile's image; NULL: written */
  VgContourPosition place; /* that image's */
  gboolean written;
} VgContourNucleus;

/* OBJECT with its MASK of a tile whose image starts at (X0, Y0) of WHOLE; NULL: it has no
 * outline. */
VgContourNucleus *vg_contour_nucleus_new (const VgContourRun *run, const VgContourObject *object,
                                          const VgContourMask *mask, int x0, int y0,
                                          const VgContourPosition *whole);
void vg_contour_nucleus_free (gpointer self);

/* Arrays of VgContourNucleus.  MASK is one of those of other tiles. */
gboolean vg_contour_nuclei_has (const GPtrArray *self, const VgContourMask *mask, int tile);
/* A block's labels, how many overlap and how deep the deepest lies, at (X, Y) of the whole;
 * VG_TILE_BLOCK squared samples each. */
void vg_contour_nuclei_draw (const GPtrArray *self, int x, int y, float *labels, float *overlap,
                             float *deepest);
/* Rows and features of NUCLEI, of which all partners are in SELF; FIRST: none were written before.
 */
void vg_contour_nuclei_write (const GPtrArray *self, const GPtrArray *nuclei,
                              const VgContourPosition *whole, gboolean first, GString *table,
                              GString *json);

static inline gboolean
vg_contour_boxes_meet (const VgContourBox *a, const VgContourBox *b)
{
  return a->x < b->x + b->width && b->x < a->x + a->width && a->y < b->y + b->height &&
         b->y < a->y + a->height;
}

G_END_DECLS
