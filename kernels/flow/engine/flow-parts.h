/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/flow/model/flow-state.h"
#include "kernels/flow/exposures/flow-exposures.h"
#include "kernels/flow/motion/flow-motion.h"
#include "kernels/flow/pulse/flow-pulse.h"
#include "kernels/core/vg-operation.h"
/* The parts of the CPU engine that are off by default: they exist only if the settings turn them
 * on. */
G_BEGIN_DECLS

/* Bytes of the parts. */
gsize vg_flow_parts_bytes (const VgFlowParams *params, const VgImageInfo *info);
/* Bytes of the state with its parts; VgMemory.estimate. */
void vg_flow_parts_memory (const void *params, const VgImageInfo *info, gsize *host, gsize *device);
/* Adds the parts to SELF; FALSE and an error if memory is short. */
gboolean vg_flow_parts_add (VgFlowState *self, GError **error);
/* Frees SELF and its parts; SELF is a VgFlowState or NULL. */
void vg_flow_parts_free (gpointer self);
/* Adopts changed settings; RESTART: maps are different from now on. */
void vg_flow_parts_update (VgFlowState *self, gboolean restart);
/* Adopts the exposure time of the current frame, if it has one of its own. */
void vg_flow_parts_begin (VgFlowState *self);
/* Adds the maps of a new frame. */
void vg_flow_parts_step (VgFlowState *self);
/* Writes the map of output I into `extra`; FALSE: these settings do not compute it. */
gboolean vg_flow_parts_map (VgFlowState *self, guint i);
void vg_flow_parts_results (VgFlowState *self, VgMetrics *metrics);
/* Plot I of the parts; NULL: it is none of theirs. */
VgCurves *vg_flow_parts_plot (VgFlowState *self, guint i);
/* VgEngine.text */
char *vg_flow_parts_text (gpointer self, guint i, char **file_name, GError **error);

G_END_DECLS
