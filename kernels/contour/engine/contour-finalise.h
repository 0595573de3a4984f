/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/contour/evolve/contour-scene.h"
/* The end of an evolution: split, vanished and merged contours. */
G_BEGIN_DECLS

/* How many met which fate. */
typedef struct
{
  guint split, vanished, faint, merged, large, ragged;
} VgContourSettled;

void vg_contour_settled_add (VgContourSettled *self, const VgContourObject *object);

/* By PARAMS: areas are of a disc of the scene's radius.  FALSE: no memory; to be done again. */
gboolean vg_contour_settle (VgContourScene *scene, const VgContourParams *params,
                            VgContourSettled *settled);

G_END_DECLS
