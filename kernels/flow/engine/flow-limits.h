/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/flow/model/flow-params.h"
#include "kernels/base/vg-frame.h"
#include "kernels/core/vg-operation.h"
/* What the settings ask of each other, of the data and of memory. */
G_BEGIN_DECLS

gboolean vg_flow_validate (const void *params, GError **error);
/* The file gives an exposure, and the value is possible. */
gboolean vg_flow_says_exposure (const VgImageInfo *info);
void vg_flow_adopt (void *params, const VgImageInfo *info);
int vg_flow_history (const void *params);
void vg_flow_memory (const void *params, const VgImageInfo *info, gsize *host, gsize *device);

/* Checks that an engine can take such frames; both backends. */
gboolean vg_flow_check_input (const VgContext *context, GError **error);
/* Why FRAME is refused: COUNT of its samples are not numbers, the first in row
 * order is number FIRST. */
void vg_flow_refuse_invalid (const VgFrame *frame, guint64 count, guint64 first, GError **error);
/* The grey level from which a sample counts as saturated; HUGE_VAL: none does. */
double vg_flow_full_scale (const VgFlowParams *params, const VgImageInfo *info);
/* The one from which it is masked: the same, or HUGE_VAL without a mask. */
double vg_flow_saturation (const VgFlowParams *params, const VgImageInfo *info);
/* Maps that a baseline is the mean of: as set, or a second of frames like INFO's. */
int vg_flow_baseline_length (const VgFlowParams *params, const VgImageInfo *info);
/* The dark frame of CONTEXT, its pages averaged: width * height floats, newly
 * allocated; NULL without error: there is none.  *WHOLE: all are integers. */
float *vg_flow_load_dark (const VgContext *context, gboolean *whole, GError **error);

G_END_DECLS
