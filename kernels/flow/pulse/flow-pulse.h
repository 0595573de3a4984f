/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/flow/pulse/flow-pulse-trace.h"
#include "kernels/base/vg-image.h"
/* The averaged beat of each pixel, on the CPU. */
G_BEGIN_DECLS

typedef struct _VgFlowPulse VgFlowPulse;

/* Bytes that vg_flow_pulse_new() takes; 0 if PARAMS turn the pulse off. */
gsize vg_flow_pulse_bytes (const VgFlowParams *params, const VgImageInfo *info);
/* NULL and VG_OPERATION_ERROR_MEMORY if memory is short. */
VgFlowPulse *vg_flow_pulse_new (const VgFlowParams *params, const VgImageInfo *info, int threads,
                                GError **error);
void vg_flow_pulse_free (VgFlowPulse *self);
/* The trace of the whole image; NULL for NULL. */
VgFlowTrace *vg_flow_pulse_get_trace (VgFlowPulse *self);
/* Adds the map CONTRAST of the frame at TIME_S. */
void vg_flow_pulse_add (VgFlowPulse *self, const float *contrast, double time_s);
/* Writes an index of each pixel to MAP. */
void vg_flow_pulse_map (const VgFlowPulse *self, VgFlowBeatIndex which, float *map);

G_END_DECLS
