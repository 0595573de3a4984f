/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/base/vg-frame.h"
/* What a user who sets a camera up needs to know of a frame. */
G_BEGIN_DECLS

typedef struct
{
  double saturated; /* fraction of the samples at the largest value, 0 to 1; NaN: not known */
  double focus;     /* mean square of the differences of neighbours over the square of the mean */
} VgFrameLook;

/* Of grey frames of integers; large frames are looked at in some of their rows. */
VgFrameLook vg_frame_look (const VgFrame *frame);
/* The value of a saturated sample; 0: samples do not saturate. */
guint32 vg_frame_saturation (const VgImageInfo *info);
/* Colours of a picture with at most MOST pixels along each axis: opaque RED, 8-bit RGBA, where a
 * sample of FRAME is saturated, else clear.  Owned; NULL: none is. */
guint8 *vg_frame_saturated_pixels (const VgFrame *frame, int most, int *width, int *height);

G_END_DECLS
