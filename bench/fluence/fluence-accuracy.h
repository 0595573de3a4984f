/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/core/vg-bench.h"
#include "kernels/fluence/files/fluence-report.h"
#include "kernels/core/vg-operation.h"
/* Exact results, and rows of the bench with the deviations of a simulation from them. */
G_BEGIN_DECLS

void vg_fluence_bench (const VgContext *context, VgBench *bench);

/* van de Hulst's slab (albedo 0.9, depth 2, g 0.75, matched), by matrix doubling. */
#define VG_FLUENCE_VDH_RD 0.0973946
#define VG_FLUENCE_VDH_TT 0.6609577

/* chi^2 per bin of Rd and Tt by angle, of a report of that slab with 30
 * angles.  Errors are from the bound that weights are at most 1, so that it
 * is some way below 1. */
void vg_fluence_vdh_angles (const VgFluenceReport *report, double *reflected, double *transmitted);
/* The largest relative deviation of A(z) at ten depths, of 100 bins of 0.0002 cm. */
double vg_fluence_vdh_depths (const VgFluenceReport *report);
/* Relative |difference| of A_rz from EXPECTED (nr x nz, z fastest), integrated over the volume
 * without the last bins, in which other programs include light outside the grid. */
double vg_fluence_map_distance (const VgFluenceReport *report, const float *expected);

/* The grid of the published map of seven-layer skin: 500 bins of 0.002 cm (z) by 200 of 0.01 cm
 * (r). */
void vg_fluence_bench_grid (VgFluenceParams *params);
/* Rows SUFFIX ("cpu", "cuda") of a run of each case on ENGINE. */
void vg_fluence_bench_accuracy (const VgEngine *engine, const VgContext *context, VgBench *bench,
                                const char *suffix);

G_END_DECLS
