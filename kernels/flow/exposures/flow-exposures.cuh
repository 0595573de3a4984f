/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/flow/model/flow-cuda.cuh"
#include "kernels/flow/exposures/flow-exposures.h"
/* Multi-exposure speckle imaging on the GPU, with the same steps as flow-exposures.c. */

/* Adds the exposures to SELF. */
gboolean flow_exposures_new (FlowState *self, GError **error);
void flow_exposures_free (FlowExposures *self);
/* Forgets all maps. */
gboolean flow_exposures_restart (FlowState *self, GError **error);
/* Adds the newest contrast map, of frame INDEX. */
gboolean flow_exposures_add (FlowState *self, gint64 index, GError **error);
/* Fits each pixel and writes one of the values into `extra`. */
gboolean flow_exposures_map (FlowState *self, VgFlowFitValue which, GError **error);
