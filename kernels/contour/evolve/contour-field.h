/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/contour/evolve/contour-scene.h"
/* The field that objects share, and the end of a period. */
G_BEGIN_DECLS

/* The sample of a pixel of the tile, and of the image there. */
static inline gsize
vg_contour_at (const VgContourObject *object, int x, int y)
{
  return (gsize) y * (gsize) object->tile.width + (gsize) x;
}

static inline gsize
vg_contour_in_image (const VgContourScene *self, const VgContourObject *object, int x, int y)
{
  return (gsize) (object->tile.y + y) * (gsize) self->width + (gsize) (object->tile.x + x);
}

/* Brings the object's H in BOX, and the field, up to date; SHARED: others do so at the same time.
 */
void vg_contour_update_field (VgContourScene *self, VgContourObject *object,
                              const VgContourBox *box, gboolean shared);
/* How far the front came since it was last reinitialised, and whether it rests. */
void vg_contour_end_period (const VgContourScene *self, VgContourObject *object,
                            const VgContourBox *box);
void vg_contour_measure_energy (const VgContourScene *self, VgContourObject *object);
/* A moment of the history, from the objects' energies. */
void vg_contour_note_period (VgContourScene *self, guint64 iteration);

G_END_DECLS
