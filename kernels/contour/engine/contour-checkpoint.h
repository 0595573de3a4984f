/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/contour/engine/contour-run.h"
/* A run's contours to the bit, for a session file: what edits made of them
 * while they moved does not follow from the settings. */
G_BEGIN_DECLS

/* The host's samples have to be up to date. */
GBytes *vg_contour_checkpoint_new (const VgContourRun *run);
/* FALSE: OUTCOME is of other settings or data, or broken; RUN stays as it is. */
gboolean vg_contour_checkpoint_restore (VgContourRun *run, GBytes *checkpoint);

G_END_DECLS
