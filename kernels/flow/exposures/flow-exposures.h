/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/flow/exposures/flow-exposures-formula.h"
#include "kernels/base/vg-image.h"
/* Multi-exposure speckle imaging on the CPU: frames in a cycle of exposure times. */
G_BEGIN_DECLS

typedef struct _VgFlowExposures VgFlowExposures;

/* Fills FIT from the exposures of PARAMS. */
void vg_flow_exposures_fit (const VgFlowParams *params, VgFlowExposureFit *fit);
/* Number of the exposure that frame INDEX has. */
int vg_flow_exposures_number (const VgFlowParams *params, gint64 index);
/* Weight of exposure NUMBER's new map; COUNTS has the number of maps of each so far. */
float vg_flow_exposures_share (const VgFlowParams *params, int *counts, int number);

/* Bytes that vg_flow_exposures_new() takes; 0 without exposures in PARAMS. */
gsize vg_flow_exposures_bytes (const VgFlowParams *params, const VgImageInfo *info);
/* NULL and VG_OPERATION_ERROR_MEMORY if memory is short. */
VgFlowExposures *vg_flow_exposures_new (const VgFlowParams *params, const VgImageInfo *info,
                                        int threads, GError **error);
void vg_flow_exposures_free (VgFlowExposures *self);
/* Forgets all maps. */
void vg_flow_exposures_restart (VgFlowExposures *self);
/* Adds the map CONTRAST of frame INDEX. */
void vg_flow_exposures_add (VgFlowExposures *self, const VgFlowParams *params,
                            const float *contrast, gint64 index);
/* Fits each pixel and writes one of the values to MAP. */
void vg_flow_exposures_map (const VgFlowExposures *self, const VgFlowParams *params,
                            VgFlowFitValue which, float *map);

G_END_DECLS
