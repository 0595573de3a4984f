/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/contour/engine/contour-report.h"
#include "kernels/contour/engine/contour-run.h"
#include "kernels/contour/shapes/contour-places.h"
/* Finished nuclei: of one image, or of a whole slide, collected from its tiles. */
G_BEGIN_DECLS

typedef struct
{
  guint id;
  int tile;
  VgContourMask mask; /* of the whole */
  float *depth;       /* phi inside, else 0, of the mask's box; NULL: not needed */
  VgContourRow row;
  VgContourShape *outline; /* of the tile's image; NULL: written */
  VgContourPosition place; /* that image's */
  gboolean written;
} VgContourNucleus;

/* Makes a nucleus from MASK, of an object of RUN.  RUN's image is a tile whose corner is pixel (X0,
 * Y0) of the slide, whose position is WHOLE; or, with 0 and 0, the whole image.  NULL: the object
 * has no outline. */
VgContourNucleus *vg_contour_nucleus_new (const VgContourRun *run, const VgContourMask *mask,
                                          int x0, int y0, const VgContourPosition *whole);
/* Keeps the depth inside OBJECT, for maps of a slide. */
void vg_contour_nucleus_keep_depth (VgContourNucleus *self, const VgContourObject *object);
void vg_contour_nucleus_free (gpointer self);
/* The nuclei (of VgContourNucleus) that RUN, of a whole image, has now.  They are measured once and
 * valid until the contours or the settings change.  NULL: the device failed, or memory is short. */
const GPtrArray *vg_contour_run_nuclei (VgContourRun *run, GError **error);

/* Initialises PLACES with the boxes of the masks of SELF (of VgContourNucleus), for the functions
 * below.  FALSE: there is not enough memory. */
gboolean vg_contour_nuclei_place (const GPtrArray *self, VgContourPlaces *places);
/* TRUE: SELF contains the nucleus with MASK, found by a tile other than TILE. */
gboolean vg_contour_nuclei_has (const GPtrArray *self, const VgContourPlaces *places,
                                const VgContourMask *mask, int tile);
/* Draws the labels, the number of overlapping nuclei and the deepest phi of the block at pixel (X,
 * Y) of the slide; each plane has VG_TILE_BLOCK squared samples. */
void vg_contour_nuclei_draw (const GPtrArray *self, const VgContourPlaces *places, int x, int y,
                             float *labels, float *overlap, float *deepest);
/* Appends NUCLEI to the CSV table and the GeoJSON text; either may be NULL.  SELF must contain all
 * nuclei that overlap them.  FIRST: these are the first rows. */
void vg_contour_nuclei_write (const GPtrArray *self, const VgContourPlaces *places,
                              const GPtrArray *nuclei, const VgContourPosition *whole,
                              gboolean first, GString *table, GString *json);

G_END_DECLS
