/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/contour/evolve/contour-scene.h"
/* The end of an evolution: split, vanished and merged contours. */
G_BEGIN_DECLS

/* How many met which fate. */
typedef struct
{
  guint split, vanished, faint, merged, large, ragged;
} VgContourLosses;

void vg_contour_losses_add (VgContourLosses *self, const VgContourObject *object);

/* By PARAMS: areas are of a disc of the scene's radius.  FALSE: no memory; to be done again. */
gboolean vg_contour_finalise (VgContourScene *scene, const VgContourParams *params,
                              VgContourLosses *losses);

G_END_DECLS
