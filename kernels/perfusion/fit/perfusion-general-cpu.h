/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/perfusion/fit/perfusion-fit.h"
#include "kernels/perfusion/fit/perfusion-general-start.h"
#include <string.h>
G_BEGIN_DECLS

/* The problem for the general fits; borrows its arrays. */
VgPerfusionTask vg_perfusion_task (const VgPerfusionProblem *problem);

/* Fits one curve, n values STRIDE apart.  VALUES receives FIT_VALUES values, STRIDE apart. */
void vg_perfusion_general_fit (const VgPerfusionProblem *problem, const VgPerfusionGrid *grid,
                               const VgPerfusionFitOptions *options, const double *curve,
                               int stride, double *values);
/* Computes the curve of FIT_VALUES values. */
void vg_perfusion_general_curve (const VgPerfusionProblem *problem, const double *values,
                                 double *curve);

G_END_DECLS
