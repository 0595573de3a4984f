/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/core/vg-bench.h"
#include "kernels/perfusion/model/perfusion-problem.h"
#include "kernels/core/vg-operation.h"
G_BEGIN_DECLS

/* Two minutes in N frames with the population's artery and its dispersed
 * portal curve, contrast at 10 s. */
VgPerfusionProblem *vg_perfusion_bench_problem (int n);
/* Liver-like curves with noise at a contrast-to-noise ratio of 30: n frames of
 * VOXELS, some thousands of different ones. */
void vg_perfusion_bench_volume (const VgPerfusionProblem *problem, gsize voxels, int threads,
                                float *samples);
/* Rows of the CPU. */
void vg_perfusion_bench (const VgContext *context, VgBench *bench);

G_END_DECLS
