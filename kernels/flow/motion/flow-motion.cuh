/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/flow/model/flow-cuda.cuh"
#include "kernels/flow/motion/flow-motion.h"
/* Motion correction on the GPU, with the same steps as flow-motion.c.  The host waits only when it
 * is asked for the shifts. */

/* Adds the correction to SELF, whose ring has one slot more than `slots`: frames are uploaded to
 * it. */
gboolean flow_motion_new (FlowState *self, GError **error);
void flow_motion_free (FlowMotion *self);
/* Finds the shift of FRAME, which is in the last slot, and moves it back into SLOT. */
gboolean flow_motion_align (FlowState *self, const VgFrame *frame, int slot, GError **error);
/* Lets the upload stream wait until the last slot has been read. */
gboolean flow_motion_order_upload (FlowState *self, GError **error);
/* Sets contrast and index to NaN where a window contains a sample from outside a frame. */
gboolean flow_motion_mask (FlowState *self, GError **error);
/* NULL without motion correction; waits for the newest shift.  NULL and an error: a CUDA error. */
const VgFlowMotionLog *flow_motion_get_log (FlowState *self, GError **error);
