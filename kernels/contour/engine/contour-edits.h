/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/contour/engine/contour-run.h"
/* The edit history: snapshots of the contours under earlier settings.  Undoing an edit restores a
 * snapshot bit for bit. */
G_BEGIN_DECLS

VgContourEdits *vg_contour_edits_new (void);
void vg_contour_edits_free (VgContourEdits *self);
/* Saves a snapshot of RUN under PARAMS.  Snapshots share unchanged samples; run->store is moved
 * into the snapshot.  Above 64 snapshots or 128 MiB, those whose settings were in force for the
 * fewest iterations are deleted. */
void vg_contour_edits_save (VgContourEdits *self, VgContourRun *run, const VgContourParams *params);
gboolean vg_contour_edits_has (const VgContourEdits *self, const VgContourParams *params);
/* Restores the contours, seeds and counts that were saved under PARAMS.  The caller sets the
 * parameters and weights of RUN.  FALSE: no such snapshot or out of memory; RUN is unchanged. */
gboolean vg_contour_edits_restore (const VgContourEdits *self, VgContourRun *run,
                                   const VgContourParams *params);

G_END_DECLS
