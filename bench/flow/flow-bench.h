/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/core/vg-bench.h"
#include "kernels/core/vg-operation.h"
/* Rows of `vivograph bench flow` on the CPU, and what they need. */
G_BEGIN_DECLS

void vg_flow_bench (const VgContext *context, VgBench *bench);

/* The paper's CPU algorithm (appendix B) on one thread, with rolling column and row sums of 64
 * bits: the paper's 32 bits overflow beyond 12-bit samples.  SCRATCH: 2 * WIDTH. */
void vg_flow_roll (const guint16 *frame, int width, int height, int radius, double index_scale,
                   float *contrast, float *index, gint64 *scratch);

G_END_DECLS
