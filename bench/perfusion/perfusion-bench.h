/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/core/vg-bench.h"
#include "kernels/perfusion/model/perfusion-problem.h"
#include "kernels/core/vg-operation.h"
G_BEGIN_DECLS

/* Two minutes in N frames with the population AIF and its dispersed portal curve; contrast
 * arrives at 10 s. */
VgPerfusionProblem *vg_perfusion_bench_problem (int n);
/* Liver-like curves with noise at a contrast-to-noise ratio of 30: n frames of VOXELS, of which
 * some thousands differ. */
void vg_perfusion_bench_volume (const VgPerfusionProblem *problem, gsize voxels, int threads,
                                float *samples);
/* 48 frames of 128 x 128 x SLICES voxels that move by 4 voxels within slices and by 2.4 slices. */
VgImage *vg_perfusion_bench_breathing (int slices);
/* The CPU rows of `vivograph bench`. */
void vg_perfusion_bench (const VgContext *context, VgBench *bench);

G_END_DECLS
