/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/flow/motion/flow-motion-log.h"
#include "kernels/base/vg-image.h"
/* Motion correction on the CPU: each frame is moved back to where the tissue was in the reference
 * frame.  Samples are moved, not interpolated, as interpolation would smooth the speckle and lower
 * its contrast. */
G_BEGIN_DECLS

typedef struct _VgFlowMotion VgFlowMotion;

/* The tiles of frames of WIDTH x HEIGHT that the displacement is found in, and those for the
 * rotation; side 0: the frames are too small. */
VgFlowMotionGrid vg_flow_motion_grid (int width, int height, gboolean rotation);

/* Bytes that vg_flow_motion_new() takes; 0 if PARAMS turn the correction off. */
gsize vg_flow_motion_bytes (const VgFlowParams *params, const VgImageInfo *info);
/* NULL and VG_OPERATION_ERROR_MEMORY if memory is short. */
VgFlowMotion *vg_flow_motion_new (const VgFlowParams *params, const VgImageInfo *info, int threads,
                                  GError **error);
/* Every frame that SELF gave must have been released. */
void vg_flow_motion_free (VgFlowMotion *self);
/* Finds the shift of FRAME and returns it moved back, a new reference.  At most three of these
 * frames may be in use at a time. */
VgFrame *vg_flow_motion_align (VgFlowMotion *self, VgFrame *frame);
/* Sets the maps to NaN where a window of RADIUS over the last DEPTH frames contains a sample from
 * outside a frame. */
void vg_flow_motion_mask (const VgFlowMotion *self, int depth, int radius, float *contrast,
                          float *index);
/* SELF may be NULL: then there is no log. */
const VgFlowMotionLog *vg_flow_motion_get_log (const VgFlowMotion *self);

G_END_DECLS
