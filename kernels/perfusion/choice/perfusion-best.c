/* SPDX-License-Identifier: MIT */
#include "kernels/perfusion/choice/perfusion-best.h"
#include "kernels/perfusion/fit/perfusion-general-cpu.h"

void
vg_perfusion_fit_best (const VgPerfusionModels *models, const VgPerfusionFitOptions *options,
                       const double *curves, int count, double *scratch, double *values)
{
  enum { ALL = VG_PERFUSION_FIT_VALUES * VG_PERFUSION_LANES };
  const VgPerfusionProblem *problem = models->problems[0];
  double fits[VG_PERFUSION_CANDIDATES * ALL];

  vg_perfusion_fit_batch (problem, models->dictionary, options, curves, count, scratch, fits);
  for (int l = 0; l < count; l++)
    {
      double cost[VG_PERFUSION_CANDIDATES];
      VgPerfusionChoice choice;

      for (int m = 0; m < VG_PERFUSION_CANDIDATES; m++)
        {
          double residual;

          if (m > 0)
            vg_perfusion_general_fit (models->problems[m], models->grids[m], options, curves + l,
                                      VG_PERFUSION_LANES, fits + m * ALL + l);
          residual = fits[m * ALL + VG_PERFUSION_FIT_RESIDUAL * VG_PERFUSION_LANES + l];
          cost[m] = residual * residual * problem->weight_sum;
        }
      choice = vg_perfusion_choose (cost, problem->used, problem->dual, problem->bounds.delays,
                                    models->significance);
      for (int i = 0; i < VG_PERFUSION_FIT_VALUES; i++)
        values[i * VG_PERFUSION_LANES + l] = fits[choice.model * ALL + i * VG_PERFUSION_LANES + l];
      values[VG_PERFUSION_FIT_MODEL * VG_PERFUSION_LANES + l] = choice.model;
      values[VG_PERFUSION_FIT_WEIGHT * VG_PERFUSION_LANES + l] = choice.weight;
      values[VG_PERFUSION_FIT_CHANCE * VG_PERFUSION_LANES + l] = choice.chance;
    }
}
