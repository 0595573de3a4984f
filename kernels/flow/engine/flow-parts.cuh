/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/flow/exposures/flow-exposures.cuh"
#include "kernels/flow/motion/flow-motion.cuh"
#include "kernels/flow/pulse/flow-pulse.cuh"
/* The parts of the CUDA engine that are off by default, as in flow-parts.c. */

/* Adds to SELF what its settings turn on. */
gboolean flow_parts_add (FlowState *self, GError **error);
void flow_parts_free (FlowState *self);
/* Adopts changed settings; RESTART: maps are different from now on.  FALSE on a CUDA error. */
gboolean flow_parts_update (FlowState *self, gboolean restart);
/* Adopts the exposure time of the newest frame, if it has one of its own. */
void flow_parts_begin (FlowState *self);
/* Adds the maps of a new frame. */
gboolean flow_parts_step (FlowState *self, GError **error);
/* Writes the map of output I into `extra`; FALSE without an error: these settings do not compute
 * it. */
gboolean flow_parts_map (FlowState *self, guint i, GError **error);
gboolean flow_parts_results (FlowState *self, VgMetrics *metrics, GError **error);

/* VgEngine.text and VgEngineCurves.plot */
char *flow_parts_text (gpointer self, guint i, char **file_name, GError **error);
VgCurves *flow_parts_plot (gpointer self, guint i, GError **error);
