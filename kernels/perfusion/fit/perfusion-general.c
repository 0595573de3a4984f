/* SPDX-License-Identifier: MIT */
#include "kernels/perfusion/fit/perfusion-general.h"
#include "kernels/perfusion/fit/perfusion-exchange-search.h"
#include "kernels/perfusion/fit/perfusion-general-fit.h"
#include "kernels/perfusion/fit/perfusion-general-start.h"
#include "kernels/perfusion/fit/perfusion-fit.h"
#include "kernels/perfusion/fit/perfusion-general-cpu.h"
/* The models with a plasma space on the CPU, one voxel at a time. */

VgPerfusionTask
vg_perfusion_task (const VgPerfusionProblem *problem)
{
  return (VgPerfusionTask){ (int) problem->model,
                            problem->dual,
                            problem->n,
                            problem->even,
                            problem->step_s,
                            problem->times_s,
                            problem->artery,
                            problem->portal,
                            problem->weights,
                            vg_perfusion_general_range ((int) problem->model,
                                                        vg_perfusion_range (&problem->bounds)) };
}

/* Converts results in 1/s to the values of the maps; NaN for parameters that the model does not
 * have. */
static void
set_values (int model, gboolean dual, const double *value, const double *error, double *values,
            int stride)
{
  for (int i = 0; i < VG_PERFUSION_FIT_PARAMETERS; i++)
    {
      gboolean rate = i == VG_PERFUSION_FIT_FLOW || i == VG_PERFUSION_FIT_EXCHANGE;
      gboolean there = i == VG_PERFUSION_FIT_EXCHANGE ? model >= VG_PERFUSION_UPTAKE
                       : i == VG_PERFUSION_FIT_INTERSTITIUM
                           ? model == VG_PERFUSION_EXTENDED_TOFTS || model == VG_PERFUSION_EXCHANGE
                       : i == VG_PERFUSION_FIT_TAU_P || i == VG_PERFUSION_FIT_FRACTION ? dual
                                                                                       : TRUE;

      values[i * stride] = there ? value[i] * (rate ? VG_PERFUSION_RATE : 1) : NAN;
      values[(VG_PERFUSION_FIT_ERRORS + i) * stride] = there ? error[i] *
                                                                   (rate ? VG_PERFUSION_RATE : 1)
                                                             : NAN;
    }
}

/* Searches until there is nothing more to find. */
static void
search (const VgPerfusionTask *task, const VgPerfusionGrid *grid, const double *curve, int stride,
        VgPerfusionSearch *self)
{
  VgPerfusionProducts products;

  while (self->phase != VG_PERFUSION_SEARCH_OVER)
    if (self->phase < VG_PERFUSION_SEARCH_PASSES)
      {
        vg_perfusion_exchange_products (task, self->at, curve, stride, &products);
        vg_perfusion_search_take (task, grid->points[0], &products, task->dual,
                                  task->bounds.delays != VG_PERFUSION_DELAYS_NONE, self);
      }
    else
      vg_perfusion_search_decide (task, self);
}

void
vg_perfusion_general_fit (const VgPerfusionProblem *problem, const VgPerfusionGrid *grid,
                          const VgPerfusionFitOptions *options, const double *curve, int stride,
                          double *values)
{
  VgPerfusionTask task = vg_perfusion_task (problem);
  VgPerfusionDescent descent = { options->iterations, options->tolerance };
  double x[VG_PERFUSION_UNKNOWNS], yy = 0, sum = 0, spread;
  VgPerfusionSystem system;
  VgPerfusionGeneral general;
  float scores[VG_PERFUSION_MAX_GROUPS];
  int where[VG_PERFUSION_MAX_GROUPS], starts[2], n, passes;
  int bound, unknown = 0;

  for (int i = 0; i < problem->n; i++)
    {
      yy += problem->weights[i] * curve[i * stride] * curve[i * stride];
      sum += problem->weights[i] * curve[i * stride];
    }
  spread = yy - sum * sum / problem->weight_sum;
  vg_perfusion_grid_score (grid, curve, stride, scores, where);
  n = vg_perfusion_general_starts (&task, grid->points[0], grid->count / grid->group, scores, where,
                                   starts);
  if (problem->model == VG_PERFUSION_EXCHANGE)
    {
      VgPerfusionSearch exchange;

      vg_perfusion_search_begin (&exchange, &descent, grid->points[0], starts,
                                 MIN (n, options->starts), yy, problem->used);
      search (&task, grid, curve, stride, &exchange);
      passes = exchange.moving ? -exchange.passes : exchange.passes;
      memcpy (x, exchange.best, sizeof x);
      system = exchange.lowest;
      general = exchange.results;
      unknown = exchange.unknown;
    }
  else
    {
      passes = vg_perfusion_general_minimum (&task, &descent, curve, stride, yy, grid->points[0],
                                             starts, MIN (n, options->starts), x, &system);
      vg_perfusion_general_results (&task, x, &system, problem->used, &general);
    }
  set_values (problem->model, problem->dual, general.value, general.error, values, stride);
  bound = vg_perfusion_general_remarks (&task, x, &system);
  values[VG_PERFUSION_FIT_RESIDUAL * stride] = sqrt (system.cost / problem->weight_sum);
  values[VG_PERFUSION_FIT_R2 * stride] = spread > 0 ? 1 - system.cost / spread : NAN;
  values[VG_PERFUSION_FIT_ITERATIONS * stride] = ABS (passes);
  values[VG_PERFUSION_FIT_STATUS * stride] = !(system.a > 0) && !(system.b > 0)
                                                 ? VG_PERFUSION_NO_CURVE
                                             : passes < 0 ? VG_PERFUSION_NOT_CONVERGED
                                             : bound & VG_PERFUSION_REMARK_BOUNDS
                                                 ? VG_PERFUSION_AT_BOUND
                                                 : VG_PERFUSION_FITTED;
  values[VG_PERFUSION_FIT_REMARKS * stride] = bound | unknown << VG_PERFUSION_REMARK_UNKNOWN;
}

/* Recovers amounts and rates from the values of the maps. */
void
vg_perfusion_general_curve (const VgPerfusionProblem *problem, const double *values, double *curve)
{
  VgPerfusionTask task = vg_perfusion_task (problem);
  double flow = values[VG_PERFUSION_FIT_FLOW] / VG_PERFUSION_RATE,
         ps = values[VG_PERFUSION_FIT_EXCHANGE] / VG_PERFUSION_RATE;
  double vp = values[VG_PERFUSION_FIT_PLASMA], ve = values[VG_PERFUSION_FIT_INTERSTITIUM], a = flow,
         b = vp, x[VG_PERFUSION_UNKNOWNS] = { 0 };
  VgPerfusionPair pair;

  x[VG_PERFUSION_TA] = values[VG_PERFUSION_FIT_TAU_A];
  x[VG_PERFUSION_TP] = problem->dual ? values[VG_PERFUSION_FIT_TAU_P] : 0;
  x[VG_PERFUSION_SHARE] = problem->dual ? values[VG_PERFUSION_FIT_FRACTION] : 1;
  x[VG_PERFUSION_LOG_K1] = ve > 0 && flow > 0 ? log (flow / ve) : 0;
  if (problem->model == VG_PERFUSION_UPTAKE)
    {
      x[VG_PERFUSION_LOG_K1] = log ((flow + ps) / vp);
      a = flow * flow / (flow + ps);
      b = flow - a;
    }
  else if (problem->model == VG_PERFUSION_EXCHANGE)
    {
      double sum = (flow + ps) / vp + (ve > 0 ? ps / ve : 0),
             product = ve > 0 ? flow * ps / (vp * ve) : 0;
      double root = sqrt (MAX (sum * sum / 4 - product, 0)), k1 = sum / 2 + root,
             k2 = MAX (product / k1, 1e-12);

      x[VG_PERFUSION_LOG_K1] = log (k1);
      x[VG_PERFUSION_LOG_K2] = log (k2);
      /* a + b = F, a k1 + b k2 = F^2 / vp */
      a = k1 > k2 ? (flow * flow / vp - flow * k2) / (k1 - k2) : flow;
      b = flow - a;
    }
  pair = vg_perfusion_pair (&task, x);
  for (int i = 0; i < problem->n; i++)
    {
      vg_perfusion_pair_next (&task, &pair, i);
      curve[i] = a * vg_perfusion_pair_u (&pair) + b * vg_perfusion_pair_v (&pair);
    }
}
