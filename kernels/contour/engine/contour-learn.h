/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/contour/engine/contour-run.h"
/* Seeds and force from the network's maps. */
G_BEGIN_DECLS

/* With the learned force, fills run->maps.  Without the network's weights the force is the
 * classical one, and run->without_net says why.  FALSE with an error, or without one if CONTEXT is
 * stopped. */
gboolean vg_contour_learn (VgContourRun *run, const VgContext *context, GError **error);
/* Finds seeds in the maps, with their areas, and adds them to run->base.  FALSE with
 * VG_OPERATION_ERROR_MEMORY. */
gboolean vg_contour_learned_seeds (VgContourRun *run, GError **error);
/* Gives the seeds of run->base, which come from a file, their areas of the maps.  FALSE as above.
 */
gboolean vg_contour_learned_areas (VgContourRun *run, GError **error);

G_END_DECLS
