/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/contour/engine/contour-run.h"
/* Images of a run under settings that were left: who goes back to these, by
 * undoing an edit, finds exactly what was there. */
G_BEGIN_DECLS

VgContourEdits *vg_contour_edits_new (void);
void vg_contour_edits_free (VgContourEdits *self);
/* Keeps RUN as it is, under PARAMS; samples that did not change since are shared, those of a store
 * stay there, which is taken.  When there are many, or little memory, those go whose settings stood
 * least. */
void vg_contour_edits_save (VgContourEdits *self, VgContourRun *run, const VgContourParams *params);
gboolean vg_contour_edits_has (const VgContourEdits *self, const VgContourParams *params);
/* RUN's objects, seeds and counts become those kept under PARAMS; FALSE: there are none, or
 * no memory, and nothing is changed.  Settings and weights are the caller's to take. */
gboolean vg_contour_edits_restore (const VgContourEdits *self, VgContourRun *run,
                                   const VgContourParams *params);

G_END_DECLS
