/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/contour/evolve/contour-scene.h"
/* The field, which is the sum of H over all objects, and the measures taken at the end of a
 * reinitialisation period. */
G_BEGIN_DECLS

/* Index of pixel (X, Y) of an object's tile in its samples. */
static inline gsize
vg_contour_at (const VgContourObject *object, int x, int y)
{
  return (gsize) y * (gsize) object->tile.width + (gsize) x;
}

/* Index of the same pixel in the image's planes. */
static inline gsize
vg_contour_in_image (const VgContourScene *self, const VgContourObject *object, int x, int y)
{
  return (gsize) (object->tile.y + y) * (gsize) self->width + (gsize) (object->tile.x + x);
}

/* Computes H from phi in BOX of the tile and adds the change to the field.  SHARED: other threads
 * add to the field at the same time, so the additions are atomic. */
void vg_contour_update_field (VgContourScene *self, VgContourObject *object,
                              const VgContourBox *box, gboolean shared);
/* Measures the mean displacement (px) in BOX since the last reinitialisation and stops an object
 * that has converged. */
void vg_contour_end_period (const VgContourScene *self, VgContourObject *object,
                            const VgContourBox *box);
/* Sets the object's energy terms, in units of 1 / VG_CONTOUR_UNIT. */
void vg_contour_measure_energy (const VgContourScene *self, VgContourObject *object);
/* Appends the sum of the objects' energies to the history. */
void vg_contour_note_period (VgContourScene *self, guint64 iteration);

G_END_DECLS
