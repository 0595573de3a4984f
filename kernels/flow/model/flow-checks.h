/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/flow/model/flow-state.h"
#include "kernels/core/vg-operation.h"
/* Checks of the settings against each other, the input and memory, and values that follow from
 * settings and input.  Both engines use them. */
G_BEGIN_DECLS

/* FALSE and VG_USAGE_ERROR if the dark level is not below the saturation level. */
gboolean vg_flow_validate (const void *params, GError **error);
/* Whether the file states an exposure time from 1 us to 100 s. */
gboolean vg_flow_has_exposure (const VgImageInfo *info);
/* Copies the file's exposure time into the settings. */
void vg_flow_adopt (void *params, const VgImageInfo *info);
/* Earlier frames that a map depends on. */
int vg_flow_history (const void *params);
/* Adds FRAME to the HISTORY of a state with PARAMS.  A map of frames that do not belong together is
 * no part of a baseline. */
void vg_flow_add_to_history (VgFrameHistory *history, const VgFlowParams *params,
                             const VgFrame *frame);
/* Bytes that an engine needs in host memory, or on the device. */
void vg_flow_memory (const void *params, const VgImageInfo *info, gsize *host, gsize *device);

/* Whether A and B give different K^2 maps of the same frames. */
gboolean vg_flow_contrast_differs (const VgFlowParams *a, const VgFlowParams *b);
/* Whether an engine prepared with NOW can continue with NEXT; else it has to be prepared anew. */
gboolean vg_flow_can_update (const VgFlowParams *now, const VgFlowParams *next);
/* FALSE and VG_OPERATION_ERROR_INPUT if the frames have no size or more than one channel, time bin
 * or slice. */
gboolean vg_flow_check_input (const VgContext *context, GError **error);
/* Sets the error for FRAME, of which COUNT samples are not finite; FIRST is the index of the first
 * one, in row order. */
void vg_flow_refuse_invalid (const VgFrame *frame, guint64 count, guint64 first, GError **error);
/* The grey level, in DN, from which a sample counts as saturated; HUGE_VAL: none does. */
double vg_flow_full_scale (const VgFlowParams *params, const VgImageInfo *info);
/* The grey level, in DN, from which a sample is masked; HUGE_VAL if none is. */
double vg_flow_saturation (const VgFlowParams *params, const VgImageInfo *info);
/* Number of maps in a baseline: as set, else one second of frames. */
int vg_flow_baseline_length (const VgFlowParams *params, const VgImageInfo *info);
/* The dark frame in DN, width x height floats, owned by the caller: the mean of the file's pages.
 * NULL without an error if there is no dark file.  *WHOLE: all values are whole numbers. */
float *vg_flow_load_dark (const VgContext *context, gboolean *whole, GError **error);

G_END_DECLS
