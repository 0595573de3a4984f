/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/perfusion/study/perfusion-study.h"
/* Fits by the model and the solver of the settings, on the CPU. */
G_BEGIN_DECLS

/* The doubles of scratch that vg_perfusion_solve needs. */
gsize vg_perfusion_solve_scratch (const VgPerfusionStudy *study);
/* Fits a batch of curves, as vg_perfusion_fit_batch. */
void vg_perfusion_solve (const VgPerfusionStudy *study, const double *curves, int count,
                         double *scratch, double *values);
/* Computes the fitted curve, n values, from FIT_VALUES values of the MEASURED curve. */
void vg_perfusion_solution (const VgPerfusionStudy *study, const double *measured,
                            const double *values, double *curve);

G_END_DECLS
