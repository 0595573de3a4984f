/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/flow/model/flow-formula.h"
/* Tables that turn contrast into correlation time; built on the host for both
 * backends, whenever model, beta, dynamic fraction or exposure change. */
G_BEGIN_DECLS

enum {
  VG_FLOW_TABLE_FLOATS = VG_FLOW_TABLE_SIZE + 1,
  VG_FLOW_RHO_TABLE_FLOATS = (VG_FLOW_TABLE_RHO + 1) * (VG_FLOW_TABLE_SIZE + 1)
};

/* x = T / tau at which the exact MODEL gives K^2 / beta = Y; (1-rho)^2 < Y < 1. */
double vg_flow_model_solve (int model, double y, double rho);

/* Fills INVERSION, and TABLE: VG_FLOW_RHO_TABLE_FLOATS floats when static
 * scattering is measured, else VG_FLOW_TABLE_FLOATS. */
void vg_flow_inversion_build (VgFlowInversion *inversion, float *table, const VgFlowParams *params);
/* Whether A and B need different tables; FALSE: inversion_refresh is enough. */
gboolean vg_flow_inversion_same_table (const VgFlowParams *a, const VgFlowParams *b);
void vg_flow_inversion_refresh (VgFlowInversion *inversion, const VgFlowParams *params);

/* Share of K^2 that the windows of PARAMS see of speckle SPECKLE_SIZE pixels wide at half maximum;
 * 1 when that is not known. */
double vg_flow_window_share (const VgFlowParams *params, double speckle_size);
/* The coherence factor to compare K^2 with: that of PARAMS, and of what a window sees where its
 * bias is corrected. */
float vg_flow_effective_beta (const VgFlowParams *params, double speckle_size);
/* How far the correlation time of contrast K reads from what a large window would give: -0.2 is 20
 * % low, 0 when corrected. NaN: not known, or the coherence factor was measured, with that window
 * as its help asks. */
double vg_flow_window_bias (const VgFlowParams *params, double k, double speckle_size);

G_END_DECLS
