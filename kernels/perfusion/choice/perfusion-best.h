/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/perfusion/model/perfusion-choice.h"
#include "kernels/perfusion/fit/perfusion-fit.h"
#include "kernels/perfusion/fit/perfusion-general-start.h"
/* The fits of all models and the choice among them, on the CPU. */
G_BEGIN_DECLS

/* The problem and the grid of each model; the first has a dictionary in place of a grid. */
typedef struct
{
  const VgPerfusionProblem *problems[VG_PERFUSION_CANDIDATES];
  const VgPerfusionGrid *grids[VG_PERFUSION_CANDIDATES];
  const VgPerfusionDictionary *dictionary;
  double significance; /* see vg_perfusion_choose */
} VgPerfusionModels;

/* As vg_perfusion_fit_batch; keeps the values of the preferred model of each curve. */
void vg_perfusion_fit_best (const VgPerfusionModels *models, const VgPerfusionFitOptions *options,
                            const double *curves, int count, double *scratch, double *values);

G_END_DECLS
