/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/contour/engine/contour-run.h"
/* The seeds of a run, and the contours that start from them. */
G_BEGIN_DECLS

/* Read the seeds from the seed file, or for a tile of a slide from the slide calibration, into
 * run->base.  FALSE with an error if the file is invalid or holds too many seeds. */
gboolean vg_contour_seeds_load (VgContourRun *run, const VgContext *context, GError **error);
/* Finds seeds in the image and adds them to run->base.  FALSE with VG_OPERATION_ERROR_MEMORY. */
gboolean vg_contour_seeds_find (VgContourRun *run, const VgContext *context, GError **error);
/* Adds a contour for each seed and begins the evolution.  FALSE with
 * VG_OPERATION_ERROR_MEMORY. */
gboolean vg_contour_place_seeds (VgContourRun *run, GError **error);
/* Removes the contours of removed seeds and adds contours for new ones; the others stay.
 * FALSE: out of memory; the run must be freed. */
gboolean vg_contour_update_seeds (VgContourRun *run);
/* TRUE if the seed of OBJECT has not been removed. */
gboolean vg_contour_has_seed (const VgContourRun *run, const VgContourObject *object);
/* TRUE if the user set the seed of OBJECT by hand or in a file. */
gboolean vg_contour_is_user_seed (const VgContourRun *run, const VgContourObject *object);

G_END_DECLS
