/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/contour/engine/contour-run.h"
/* Where contours start: a run's seeds, and the objects made of them. */
G_BEGIN_DECLS

/* From the file, or from what was found in the whole image, to the run's base. */
gboolean vg_contour_seeds_load (VgContourRun *run, const VgContext *context, GError **error);
/* Those found in the image, or in the part of a larger one that CONTEXT says it is.  FALSE and
 * VG_OPERATION_ERROR_MEMORY. */
gboolean vg_contour_seeds_find (VgContourRun *run, const VgContext *context, GError **error);
/* An object for each seed that is wanted; the evolution begins. */
gboolean vg_contour_place_seeds (VgContourRun *run, GError **error);
/* Objects of seeds that are gone go, new seeds join; the others go on.  *ANY: there were any.
 * FALSE: no memory, and the run is of no use. */
gboolean vg_contour_update_seeds (VgContourRun *run, gboolean *any);
/* The seed of OBJECT is still wanted; it was set by hand or given, not found. */
gboolean vg_contour_has_seed (const VgContourRun *run, const VgContourObject *object);
gboolean vg_contour_is_user_seed (const VgContourRun *run, const VgContourObject *object);

G_END_DECLS
