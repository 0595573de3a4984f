/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/flow/model/flow-state.h"
/* Maps of speckle contrast and flow index on the CPU. */
G_BEGIN_DECLS

/* Replaces the WIDTH + 2 RADIUS values of COLUMNS, zeros at both ends, by intermediate sums, and
 * writes the WIDTH sums over 2 RADIUS + 1 neighbours into OUT. */
void vg_flow_box_row (double *columns, double *out, int width, int radius);
/* Row Y of a frame in DN, dark level subtracted; samples that are not finite are 0. */
void vg_flow_sample_row (const VgFlowState *self, const void *frame, int y, double *row);

/* Computes both maps of the window's frames, for all settings and sample types. */
void vg_flow_contrast_window (VgFlowState *self);
/* Does the same, faster, for spatial contrast of 8 and 16-bit frames without camera noise.  FALSE
 * if settings or samples rule it out; then nothing is computed. */
gboolean vg_flow_contrast_fast (VgFlowState *self);

G_END_DECLS
