/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/flow/model/flow-state.h"
/* New frames of the CPU engine, and the mask of bad samples. */
G_BEGIN_DECLS

/* Adds the current frame to the ring, the sums and the counts of bad samples.  FALSE and an error
 * if it has samples that are not finite, and the settings do not mask them. */
gboolean vg_flow_add_frame (VgFlowState *self, GError **error);
/* Sets contrast and flow index to NaN where the window contains a bad sample. */
void vg_flow_mask_bad (VgFlowState *self);

G_END_DECLS
