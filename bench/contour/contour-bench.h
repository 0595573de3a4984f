/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/core/vg-bench.h"
#include "kernels/contour/evolve/contour-scene.h"
#include "kernels/core/vg-operation.h"
/* What both benches measure. */
G_BEGIN_DECLS

void vg_contour_bench (const VgContext *context, VgBench *bench);

/* PAPER: whole grids, fixed step, re-initialised every 50 iterations. */
void vg_contour_bench_params (VgContourParams *params, gboolean paper);
/* N nuclei in an image; *GREY is the caller's to free after the scene. */
VgContourScene *vg_contour_bench_scene (VgContourParams *params, int width, int height, int n,
                                        int threads, guint16 **grey);

G_END_DECLS
