/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/core/vg-cuda.h"
#include "io/source/vg-source.h"
/* A bounded number of frames of one size that are reused, in page-locked memory if there is a CUDA
 * module.  Any thread may use it; it is freed after the last frame has been released. */
G_BEGIN_DECLS

typedef struct _VgFramePool VgFramePool;

/* At most MAX frames, allocated when first needed and freed when long not needed.  CUDA: NULL for
 * ordinary memory.  NULL and VG_OPERATION_ERROR when INFO has no size. */
VgFramePool *vg_frame_pool_new (const VgImageInfo *info, guint max, const VgCuda *cuda,
                                GError **error);
/* A frame with one reference; NULL without error when all are in use, NULL
 * and an error when there is no memory for the first. */
VgFrame *vg_frame_pool_take (VgFramePool *self, GError **error);
/* Reads frame INDEX of SOURCE, of a live source the next one, into FRAME, with its number and
 * times.  Where the source knows no times, time_s is INDEX times the frame interval. */
gboolean vg_frame_read (VgFrame *frame, VgSource *source, gint64 index, GError **error);
/* Waits at most TIMEOUT_US for a frame to come back. */
void vg_frame_pool_wait (VgFramePool *self, gint64 timeout_us);
/* Frames allocated now. */
guint vg_frame_pool_size (VgFramePool *self);
void vg_frame_pool_unref (VgFramePool *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgFramePool, vg_frame_pool_unref)

G_END_DECLS
