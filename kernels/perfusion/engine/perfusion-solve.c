/* SPDX-License-Identifier: MIT */
#include "kernels/perfusion/engine/perfusion-solve.h"
#include "kernels/perfusion/choice/perfusion-best.h"
#include "kernels/perfusion/fit/perfusion-general-cpu.h"
#include "kernels/perfusion/paper/perfusion-paper-error.h"
#include "kernels/perfusion/paper/perfusion-paper.h"

gsize
vg_perfusion_solve_scratch (const VgPerfusionStudy *study)
{
  gsize own = vg_perfusion_fit_scratch (study->problem),
        paper = study->paper != NULL ? vg_perfusion_paper_scratch (study->paper) : 0,
        responses = study->deconvolution != NULL
                        ? vg_perfusion_deconvolution_scratch (study->deconvolution)
                        : 0;

  return MAX (own, MAX (paper, responses));
}

/* Converts the best vertex of the simplex to FIT_VALUES values, STRIDE apart. */
static void
set_paper_values (const VgPerfusionProblem *problem, const VgSimplex *simplex, double yy,
                  double y_mean, double *values, int stride)
{
  double spread = yy - problem->weight_sum * y_mean * y_mean;

  for (int i = 0; i < VG_PERFUSION_FIT_RESIDUAL; i++)
    values[i * stride] = i < VG_SIMPLEX_N ? simplex->x[0][i] : NAN;
  if (!problem->dual)
    values[VG_PERFUSION_FIT_KP * stride] = values[VG_PERFUSION_FIT_TAU_P * stride] = NAN;
  values[VG_PERFUSION_FIT_RESIDUAL * stride] = sqrt (simplex->f[0] / problem->weight_sum);
  values[VG_PERFUSION_FIT_R2 * stride] = spread > 0 ? 1 - simplex->f[0] / spread : NAN;
  values[VG_PERFUSION_FIT_ITERATIONS * stride] = simplex->iterations;
  values[VG_PERFUSION_FIT_REMARKS * stride] = 0;
  values[VG_PERFUSION_FIT_STATUS * stride] = vg_perfusion_paper_status (
      simplex->x[0], simplex->iterations, problem->dual,
      problem->times_s[problem->n - 1] - problem->times_s[0]);
}

static void
solve_paper (const VgPerfusionStudy *study, const double *curve, double *scratch, double *values)
{
  const VgPerfusionProblem *problem = study->problem;
  double sum = 0, squares = 0, error[VG_PERFUSION_PAPER_ERRORS];
  VgSimplex simplex;

  for (int i = 0; i < problem->n; i++)
    {
      double y = curve[i * VG_PERFUSION_LANES];

      sum += problem->weights[i] * y;
      squares += problem->weights[i] * y * y;
    }
  vg_perfusion_paper_fit (study->paper, curve, VG_PERFUSION_LANES, &simplex, scratch);
  set_paper_values (problem, &simplex, squares, sum / problem->weight_sum, values,
                    VG_PERFUSION_LANES);
  vg_perfusion_paper_error (study->paper, simplex.x[0], simplex.f[0], error);
  for (int i = 0; i < VG_PERFUSION_PAPER_ERRORS; i++)
    values[vg_perfusion_paper_slot (i) * VG_PERFUSION_LANES] = error[i];
}

static void
solve_best (const VgPerfusionStudy *study, const VgPerfusionFitOptions *options,
            const double *curves, int count, double *scratch, double *values)
{
  VgPerfusionModels models = { .dictionary = study->dictionary,
                               .significance = study->params->significance };

  models.problems[0] = study->problem;
  for (int m = 1; m < VG_PERFUSION_CANDIDATES; m++)
    {
      models.problems[m] = study->others[m];
      models.grids[m] = study->other_grids[m];
    }
  vg_perfusion_fit_best (&models, options, curves, count, scratch, values);
}

void
vg_perfusion_solve (const VgPerfusionStudy *study, const double *curves, int count, double *scratch,
                    double *values)
{
  const VgPerfusionParams *params = study->params;
  VgPerfusionFitOptions options = { params->iterations, params->tolerance, params->starts };

  for (int i = 0; i < VG_PERFUSION_FIT_VALUES * VG_PERFUSION_LANES; i++)
    values[i] = NAN;
  if (params->model == VG_PERFUSION_BEST)
    {
      solve_best (study, &options, curves, count, scratch, values);
      return;
    }
  if (study->paper != NULL)
    {
      for (int l = 0; l < count; l++)
        solve_paper (study, curves + l, scratch, values + l);
      return;
    }
  if (study->deconvolution != NULL)
    {
      vg_perfusion_deconvolve_batch (study->deconvolution, study->problem, curves, count, scratch,
                                     values, NULL);
      return;
    }
  if (params->model != VG_PERFUSION_COMPARTMENT)
    {
      for (int l = 0; l < count; l++)
        vg_perfusion_general_fit (study->problem, study->grid, &options, curves + l,
                                  VG_PERFUSION_LANES, values + l);
      return;
    }
  vg_perfusion_fit_batch (study->problem, study->dictionary, &options, curves, count, scratch,
                          values);
}

static void
add_curve (const VgPerfusionProblem *problem, const double *input, double amount, double k,
           double delay, double *curve)
{
  g_autofree double *part = g_new (double, problem->n);

  if (!(amount > 0))
    return;
  vg_perfusion_curve (problem, input, VG_PERFUSION_EXPONENTIAL, k / VG_PERFUSION_RATE, delay, part,
                      NULL, NULL);
  for (int i = 0; i < problem->n; i++)
    curve[i] += amount / VG_PERFUSION_RATE * part[i];
}

/* Deconvolves MEASURED again, because the values do not hold the impulse response. */
static void
fit_response (const VgPerfusionStudy *study, const double *measured, double *curve)
{
  gsize n = (gsize) study->n * VG_PERFUSION_LANES;
  g_autofree double *lanes = g_new0 (double, n), *fitted = g_new0 (double, n);
  g_autofree double *scratch = g_new (double, vg_perfusion_solve_scratch (study));
  double values[VG_PERFUSION_FIT_VALUES * VG_PERFUSION_LANES];

  for (int i = 0; i < study->n; i++)
    lanes[i * VG_PERFUSION_LANES] = measured[i];
  vg_perfusion_deconvolve_batch (study->deconvolution, study->problem, lanes, 1, scratch, values,
                                 fitted);
  for (int i = 0; i < study->n; i++)
    curve[i] = fitted[i * VG_PERFUSION_LANES];
}

void
vg_perfusion_solution (const VgPerfusionStudy *study, const double *measured, const double *values,
                       double *curve)
{
  double chosen = values[VG_PERFUSION_FIT_MODEL];
  int model = study->params->model;

  for (int i = 0; i < study->n; i++)
    curve[i] = 0;
  if (model == VG_PERFUSION_BEST)
    {
      if (!(chosen >= 0 && chosen < VG_PERFUSION_CANDIDATES))
        return;
      model = (int) chosen;
    }
  if (study->deconvolution != NULL)
    {
      fit_response (study, measured, curve);
      return;
    }
  if (model != VG_PERFUSION_COMPARTMENT)
    {
      vg_perfusion_general_curve (model < VG_PERFUSION_CANDIDATES && study->others[model] != NULL
                                      ? study->others[model]
                                      : study->problem,
                                  values, curve);
      return;
    }
  if (study->paper != NULL)
    {
      g_autofree double *scratch = g_new (double, vg_perfusion_paper_scratch (study->paper));
      double x[VG_SIMPLEX_N];

      for (int i = 0; i < VG_SIMPLEX_N; i++)
        x[i] = isnan (values[i]) ? 0 : values[i];
      vg_perfusion_paper_curve (study->paper, x, curve, scratch);
      return;
    }
  add_curve (study->problem, study->problem->artery, values[VG_PERFUSION_FIT_KA],
             values[VG_PERFUSION_FIT_KL], values[VG_PERFUSION_FIT_TAU_A], curve);
  if (study->problem->dual)
    add_curve (study->problem, study->problem->portal, values[VG_PERFUSION_FIT_KP],
               values[VG_PERFUSION_FIT_KL], values[VG_PERFUSION_FIT_TAU_P], curve);
}
