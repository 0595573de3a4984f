/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/core/vg-operation.h"
/* The flow phantom: four vessels of known correlation time in slower tissue, recorded by a 12-bit
 * camera.  In a live source their flow pulses. */
G_BEGIN_DECLS

extern const VgSynthetic vg_flow_phantom;

/* Tissues of the phantom, and their correlation times. */
enum { VG_FLOW_PHANTOM_TISSUES = 5 };
extern const double vg_flow_phantom_tau_ms[VG_FLOW_PHANTOM_TISSUES];
/* Index of the tissue at pixel (x, y) of a WIDTH x HEIGHT phantom; 0: outside the vessels. */
int vg_flow_phantom_tissue (int x, int y, int width, int height);

G_END_DECLS
