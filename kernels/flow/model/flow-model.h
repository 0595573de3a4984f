/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/flow/model/flow-formula.h"
/* Tables that convert contrast to correlation time, and the bias of small windows.  Both engines
 * use them; the tables depend on model, coherence factor, dynamic fraction and exposure time. */
G_BEGIN_DECLS

enum {
  VG_FLOW_TABLE_FLOATS = VG_FLOW_TABLE_SIZE + 1,
  VG_FLOW_RHO_TABLE_FLOATS = (VG_FLOW_TABLE_RHO + 1) * (VG_FLOW_TABLE_SIZE + 1)
};

/* x = T / tau at which the exact MODEL gives K^2 / beta = Y; (1 - rho)^2 < Y < 1. */
double vg_flow_model_solve (int model, double y, double rho);

/* Floats in the table: more with static scattering measured per pixel. */
gsize vg_flow_table_floats (const VgFlowParams *params);
/* Fills INVERSION and the vg_flow_table_floats() floats of TABLE. */
void vg_flow_inversion_build (VgFlowInversion *inversion, float *table, const VgFlowParams *params);
/* Whether A and B share a table, so that vg_flow_inversion_refresh() suffices. */
gboolean vg_flow_inversion_same_table (const VgFlowParams *a, const VgFlowParams *b);
/* Fills INVERSION alone. */
void vg_flow_inversion_refresh (VgFlowInversion *inversion, const VgFlowParams *params);

/* |mu|^2, the squared field correlation of fully developed speckle behind a circular pupil, at
 * DISTANCE pixels.  SPECKLE: wavelength times f-number, in pixels. */
double vg_flow_field_correlation (double distance, double speckle);
/* Fraction of the full K^2 that a window of RADIUS over FRAMES independent frames measures:
 * neighbouring pixels correlate. */
double vg_flow_field_window_factor (int radius, int frames, double speckle);
/* The coherence factor of PARAMS; times the window's factor if the window bias is corrected. */
float vg_flow_effective_beta (const VgFlowParams *params, double speckle_size);
/* Bias of the correlation time at contrast K against a large window, as a fraction: -0.2 is 20 %
 * low, 0 if corrected.  NaN if unknown, or if beta is below 1: then it was measured with the same
 * window. */
double vg_flow_window_bias (const VgFlowParams *params, double k, double speckle_size);

G_END_DECLS
