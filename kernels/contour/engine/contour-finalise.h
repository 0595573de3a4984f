/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/contour/evolve/contour-scene.h"
#include "kernels/contour/model/contour-artefacts.h"
/* The last stage of an evolution: removes split, dissolved, merged and rejected contours. */
G_BEGIN_DECLS

/* Number of lost objects for each reason, and of objects that lost parts (split). */
typedef struct
{
  guint split, vanished, faint, merged, large, ragged, spoilt;
} VgContourLosses;

/* Adds the reasons of OBJECT (VgContourLoss bits) to the counts. */
void vg_contour_losses_add (VgContourLosses *self, const VgContourObject *object);

/* Applies the size, contrast and solidity criteria of PARAMS; areas are relative to a disc of the
 * scene's radius.  If PARAMS say so, objects in ARTEFACTS are lost, except those of added seeds.
 * Lost objects move to scene->dropped.  FALSE: no memory; it can be repeated. */
gboolean vg_contour_finalise (VgContourScene *scene, const VgContourParams *params,
                              const VgContourArtefacts *artefacts, VgContourLosses *losses);

G_END_DECLS
