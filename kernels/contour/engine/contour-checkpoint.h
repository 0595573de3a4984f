/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/contour/engine/contour-run.h"
/* A checkpoint holds the contours of a run bit for bit.  A session needs it because contours that
 * were edited while they moved do not follow from the settings alone. */
G_BEGIN_DECLS

/* RUN is a VgContourRun.  NULL: too large for a session or out of memory. */
GBytes *vg_contour_checkpoint_new (gpointer run);
/* Restores CHECKPOINT into RUN, which must be new.  FALSE: the checkpoint is damaged or belongs to
 * other settings or data; RUN is unchanged. */
gboolean vg_contour_checkpoint_restore (VgContourRun *run, GBytes *checkpoint);

G_END_DECLS
