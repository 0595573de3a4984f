/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/flow/model/flow-cuda.cuh"
#include "kernels/flow/pulse/flow-pulse-trace.h"
/* The averaged beat of each pixel on the GPU, with the same steps as flow-pulse.c. */

/* Adds the pulse to SELF. */
gboolean flow_pulse_new (FlowState *self, GError **error);
void flow_pulse_free (FlowPulse *self);
/* NULL for NULL. */
VgFlowTrace *flow_pulse_get_trace (FlowPulse *self);
/* Adds the newest contrast map, of the frame at TIME_S.  Waits for its mean. */
gboolean flow_pulse_add (FlowState *self, double time_s, GError **error);
/* Writes an index of each pixel into `extra`. */
gboolean flow_pulse_map (FlowState *self, VgFlowBeatIndex which, GError **error);
