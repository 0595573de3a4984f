/* SPDX-License-Identifier: MIT */
#include "kernels/perfusion/fit/perfusion-fit-private.h"
#include <string.h>
/* Levenberg and Marquardt's method for a batch, with all lanes in step: each pass over the frames
 * evaluates one point in every lane that has not ended. */

VgPerfusionFitOptions
vg_perfusion_fit_options_default (void)
{
  return (VgPerfusionFitOptions){ 60, 3e-4, 2 };
}

gsize
vg_perfusion_fit_scratch (const VgPerfusionProblem *problem)
{
  return vg_perfusion_products_scratch (problem) + VG_PERFUSION_PRODUCTS * VG_PERFUSION_LANES;
}

typedef struct
{
  const VgPerfusionProblem *problem;
  const VgPerfusionFitOptions *options;
  VgPerfusionRange range;
  double yy[VG_PERFUSION_LANES], y_mean[VG_PERFUSION_LANES];
  VgPerfusionStart trial, best;
  VgPerfusionNormal normal[VG_PERFUSION_LANES];
  double lambda[VG_PERFUSION_LANES];
  VgPerfusionSecant last[VG_PERFUSION_LANES]; /* 0 before the final steps */
  gboolean moving[VG_PERFUSION_LANES];
  int passes[VG_PERFUSION_LANES];
} Batch;

static void
sum_curves (Batch *self, const double *curves)
{
  const double *weights = self->problem->weights;

  for (int l = 0; l < VG_PERFUSION_LANES; l++)
    {
      double sum = 0, squares = 0;

      for (int i = 0; i < self->problem->n; i++)
        {
          double y = curves[i * VG_PERFUSION_LANES + l];

          sum += weights[i] * y;
          squares += weights[i] * y * y;
        }
      self->yy[l] = squares;
      self->y_mean[l] = self->problem->weight_sum > 0 ? sum / self->problem->weight_sum : 0;
    }
}

static void
copy_place (VgPerfusionStart *to, const VgPerfusionStart *from, int lane)
{
  to->log_k[lane] = from->log_k[lane];
  to->k[lane] = from->k[lane];
  to->ta[lane] = from->ta[lane];
  to->tp[lane] = from->tp[lane];
}

/* Computes the next point from the best one.  Returns FALSE if the predicted decrease is below
 * TOLERANCE of the cost. */
static gboolean
propose (Batch *self, int lane, double tolerance)
{
  VgPerfusionStart *trial = &self->trial;
  double gain;

  copy_place (trial, &self->best, lane);
  vg_perfusion_step (vg_perfusion_corrected (self->normal[lane], &self->last[lane]), &self->range,
                     self->lambda[lane], &trial->log_k[lane], &trial->ta[lane], &trial->tp[lane],
                     &gain);
  trial->k[lane] = exp (trial->log_k[lane]);
  return gain > tolerance * self->normal[lane].cost + 1e-14 * self->yy[lane];
}

static void
evaluate (Batch *self, const double *products, int lane, gboolean first)
{
  VgPerfusionNormal normal = vg_perfusion_project (products + lane, VG_PERFUSION_LANES,
                                                   self->yy[lane], self->trial.k[lane]);

  self->passes[lane]++;
  if (first || normal.cost < self->normal[lane].cost)
    {
      copy_place (&self->best, &self->trial, lane);
      self->normal[lane] = normal;
      self->lambda[lane] = first ? 1e-3 : MAX (self->lambda[lane] * 0.1, 1e-9);
    }
  else
    self->lambda[lane] = MAX (self->lambda[lane], 1e-4) * 10;
  /* With such damping there is no better point nearby. */
  self->moving[lane] = propose (self, lane, self->options->tolerance) &&
                       self->lambda[lane] < VG_PERFUSION_LAMBDA_MAX;
}

/* Descends from START until no step predicts a decrease, in all lanes. */
static void
descend (Batch *self, const double *curves, const VgPerfusionStart *start, int count,
         double *scratch)
{
  double *products = scratch + vg_perfusion_products_scratch (self->problem);
  gboolean any = TRUE;

  self->trial = *start;
  for (int l = 0; l < VG_PERFUSION_LANES; l++)
    self->moving[l] = l < count;
  for (int pass = 0; any && pass <= self->options->iterations; pass++)
    {
      any = FALSE;
      vg_perfusion_products (self->problem, curves, &self->trial, scratch, products);
      for (int l = 0; l < count; l++)
        {
          if (self->moving[l])
            evaluate (self, products, l, pass == 0);
          any |= self->moving[l];
        }
    }
}

/* Evaluates the last step of a lane. */
static void
evaluate_last (Batch *self, const double *products, int lane)
{
  const VgPerfusionStart *to = &self->trial, *from = &self->best;
  VgPerfusionNormal normal = vg_perfusion_project (products + lane, VG_PERFUSION_LANES,
                                                   self->yy[lane], to->k[lane]);

  self->passes[lane]++;
  if (normal.cost < self->normal[lane].cost)
    {
      self->last[lane] = vg_perfusion_secant (
          &self->normal[lane], &normal, to->log_k[lane] - from->log_k[lane],
          to->ta[lane] - from->ta[lane], to->tp[lane] - from->tp[lane]);
      copy_place (&self->best, &self->trial, lane);
      self->normal[lane] = normal;
      self->lambda[lane] /= 10;
    }
  else
    self->lambda[lane] = MAX (self->lambda[lane], 0.1) * 10;
}

/* The final steps (VG_PERFUSION_FINAL_*).  If the minimum is flat a descent ends a tenth of a
 * standard error or more from it, and the two backends would end at different points.  A lane
 * counts as not converged if a step still predicts the decrease that the descent requires. */
static void
finalise (Batch *self, const double *curves, int count, double *scratch)
{
  double *products = scratch + vg_perfusion_products_scratch (self->problem);
  gboolean moving[VG_PERFUSION_LANES], any = TRUE;

  for (int l = 0; l < count; l++)
    {
      self->lambda[l] = 0;
      moving[l] = TRUE;
    }
  for (int i = 0; any && i < VG_PERFUSION_FINAL_STEPS; i++)
    {
      any = FALSE;
      for (int l = 0; l < count; l++)
        {
          moving[l] = moving[l] && propose (self, l, VG_PERFUSION_FINAL_TOLERANCE);
          any |= moving[l];
        }
      if (any)
        vg_perfusion_products (self->problem, curves, &self->trial, scratch, products);
      for (int l = 0; l < count; l++)
        if (moving[l])
          evaluate_last (self, products, l);
    }
  for (int l = 0; l < count; l++)
    self->moving[l] = self->moving[l] && propose (self, l, self->options->tolerance);
}

static void
put_values (const Batch *self, int lane, double *values)
{
  const VgPerfusionNormal *normal = &self->normal[lane];
  const VgPerfusionProblem *problem = self->problem;
  double spread = self->yy[lane] - problem->weight_sum * self->y_mean[lane] * self->y_mean[lane];
  VgPerfusionFitError error = vg_perfusion_fit_error (*normal, &self->range, problem->dual,
                                                      self->best.log_k[lane], self->best.ta[lane],
                                                      self->best.tp[lane], problem->used);
  gboolean empty = !(normal->a > 0) && !(normal->p > 0);
  int remarks = vg_perfusion_remarks (&self->range, problem->dual, normal->a, normal->p,
                                      self->best.log_k[lane], self->best.ta[lane],
                                      self->best.tp[lane]);

#define PUT(i, x) values[(VG_PERFUSION_FIT_##i) * VG_PERFUSION_LANES + lane] = (x)
  PUT (KA, normal->a * VG_PERFUSION_RATE);
  PUT (KP, problem->dual ? normal->p * VG_PERFUSION_RATE : NAN);
  PUT (KL, empty ? NAN : self->best.k[lane] * VG_PERFUSION_RATE);
  PUT (TAU_A, normal->a > 0 ? self->best.ta[lane] : NAN);
  PUT (TAU_P, normal->p > 0 ? self->best.tp[lane] : NAN);
  PUT (ERRORS + VG_PERFUSION_FIT_KA, error.a * VG_PERFUSION_RATE);
  PUT (ERRORS + VG_PERFUSION_FIT_KP, error.p * VG_PERFUSION_RATE);
  PUT (ERRORS + VG_PERFUSION_FIT_KL, error.k * VG_PERFUSION_RATE);
  PUT (ERRORS + VG_PERFUSION_FIT_TAU_A, error.ta);
  PUT (ERRORS + VG_PERFUSION_FIT_TAU_P, error.tp);
  PUT (INFLOW_ERROR, error.total * VG_PERFUSION_RATE);
  PUT (FRACTION_ERROR, error.fraction);
  PUT (VOLUME_ERROR, error.volume);
  PUT (RESIDUAL, sqrt (normal->cost / problem->weight_sum));
  PUT (R2, spread > 0 ? 1 - normal->cost / spread : NAN);
  PUT (ITERATIONS, self->passes[lane]);
  PUT (STATUS, empty                                  ? VG_PERFUSION_NO_CURVE
               : self->moving[lane]                   ? VG_PERFUSION_NOT_CONVERGED
               : remarks & VG_PERFUSION_REMARK_BOUNDS ? VG_PERFUSION_AT_BOUND
                                                      : VG_PERFUSION_FITTED);
  PUT (REMARKS, remarks);
#undef PUT
}

/* Stores the better of two results in SELF. */
static void
store_better (Batch *self, const Batch *other, int count)
{
  for (int l = 0; l < count; l++)
    {
      int passes = self->passes[l] + other->passes[l];

      if (other->normal[l].cost < self->normal[l].cost)
        {
          copy_place (&self->best, &other->best, l);
          self->normal[l] = other->normal[l];
          self->moving[l] = other->moving[l];
        }
      self->passes[l] = passes;
    }
}

void
vg_perfusion_fit_batch (const VgPerfusionProblem *problem, const VgPerfusionDictionary *dictionary,
                        const VgPerfusionFitOptions *options, const double *curves, int count,
                        double *scratch, double *values)
{
  VgPerfusionStart starts[2];
  Batch batch = { .problem = problem, .options = options };

  batch.range = vg_perfusion_range (&problem->bounds);
  sum_curves (&batch, curves);
  vg_perfusion_find_starts (dictionary, curves, options->starts, starts);
  memset (values, 0, sizeof (double) * VG_PERFUSION_FIT_VALUES * VG_PERFUSION_LANES);
  for (int i = 0; i < VG_PERFUSION_FIT_RESIDUAL * VG_PERFUSION_LANES; i++)
    values[i] = NAN;
  if (options->starts > 1)
    {
      Batch other = batch;

      descend (&other, curves, &starts[1], count, scratch);
      descend (&batch, curves, &starts[0], count, scratch);
      store_better (&batch, &other, count);
    }
  else
    descend (&batch, curves, &starts[0], count, scratch);
  finalise (&batch, curves, count, scratch);
  for (int l = 0; l < count; l++)
    put_values (&batch, l, values);
}
