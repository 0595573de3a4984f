/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/flow/model/flow-state.h"
#include "kernels/flow/motion/flow-motion.h"
#include "kernels/core/vg-operation.h"
/* The parts of the CPU engine that are off by default: they exist only if the settings turn them
 * on. */
G_BEGIN_DECLS

/* Bytes of the state with its parts; VgMemory.estimate. */
void vg_flow_parts_memory (const void *params, const VgImageInfo *info, gsize *host, gsize *device);
/* Adds the parts to SELF; FALSE and an error if memory is short. */
gboolean vg_flow_parts_add (VgFlowState *self, GError **error);
/* Frees SELF and its parts; SELF is a VgFlowState or NULL. */
void vg_flow_parts_free (gpointer self);
/* VgEngine.text */
char *vg_flow_parts_text (gpointer self, guint i, char **file_name, GError **error);

G_END_DECLS
