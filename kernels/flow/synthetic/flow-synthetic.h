/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/core/vg-operation.h"
/* The flow phantoms, recorded by a 12-bit camera: vessels on tissue (flow-vessels.h), and four
 * stripes of known correlation time in slower tissue.  In a live source the flow pulses. */
G_BEGIN_DECLS

extern const VgSynthetic vg_flow_phantom;

/* VgSyntheticSize.sample */
enum { VG_FLOW_SAMPLE_VESSELS, VG_FLOW_SAMPLE_STRIPES };

/* Tissues of the stripes, and their correlation times. */
enum { VG_FLOW_PHANTOM_TISSUES = 5 };
extern const double vg_flow_phantom_tau_ms[VG_FLOW_PHANTOM_TISSUES];
/* Index of the tissue at pixel (x, y) of WIDTH x HEIGHT stripes; 0: outside the vessels. */
int vg_flow_phantom_tissue (int x, int y, int width, int height);

G_END_DECLS
