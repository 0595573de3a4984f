/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/core/vg-operation.h"
/* The built-in phantom: four tubes of known correlation time in slower
 * tissue, as a 12-bit camera would see them.  Live ones pulse like a heart. */
G_BEGIN_DECLS

extern const VgSynthetic vg_flow_phantom;

/* Speckle size and tissues of the phantom, for tests. */
enum { VG_FLOW_PHANTOM_TISSUES = 5 };
extern const double vg_flow_phantom_tau_ms[VG_FLOW_PHANTOM_TISSUES];
/* Which tissue pixel (x, y) of a width x height phantom belongs to; 0: background. */
int vg_flow_phantom_tissue (int x, int y, int width, int height);

G_END_DECLS
