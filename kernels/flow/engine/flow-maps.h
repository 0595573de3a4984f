/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/flow/model/flow-state.h"
/* Maps of the CPU engine that are computed on request, into the plane `extra`. */
G_BEGIN_DECLS

/* Returns the coherence factor of the window.  The speckle size is measured anew in each frame, so
 * that a map depends only on its own frames. */
float vg_flow_find_beta (const VgFlowState *self);
/* Returns the contrast map converted to the exposure time of the baseline's frames.  It is in
 * `extra` if the current frame has another exposure time. */
const float *vg_flow_map_comparable (VgFlowState *self);
/* Correlation time in ms; BETA: coherence factor of the window. */
void vg_flow_map_correlation_time (VgFlowState *self, float beta);
/* Flow in % of the baseline. */
void vg_flow_map_relative (VgFlowState *self);
/* Flow in % between the two flow indices of the calibration. */
void vg_flow_map_perfusion (VgFlowState *self);
/* Static fraction, 0 to 1, from pairs of frames; NaN with fewer than two. */
void vg_flow_map_static (VgFlowState *self, float beta);
/* The current frame in DN, dark level subtracted. */
void vg_flow_map_intensity (VgFlowState *self);

G_END_DECLS
