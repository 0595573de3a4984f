/* SPDX-License-Identifier: MIT */
#include "perfusion-general.h"
#include "perfusion-general-fit.h"
#include "perfusion-general-start.h"
#include "perfusion-fit.h"
#include "perfusion-general-cpu.h"
/* The models with a plasma space on the CPU, a voxel at a time. */

VgPerfusionTask
vg_perfusion_task (const VgPerfusionProblem *problem)
{
  return (VgPerfusionTask) { (int) problem->model, problem->dual, problem->n, problem->even, problem->step_s, problem->times_s,
                             problem->artery, problem->portal, problem->weights, vg_perfusion_range (&problem->bounds) };
}

enum { MAX_GRID = 24 };

typedef struct
{
  int rates, delays, shares;
  double log_k[MAX_GRID], delay[MAX_GRID], share[MAX_GRID];
} Grid;

static Grid
make_grid (const VgPerfusionProblem *problem)
{
  static const double shares[] = { 0.1, 0.4, 0.8 };
  const VgPerfusionBounds *bounds = &problem->bounds;
  /* exchange: blood passes in seconds, so rates go further up */
  gboolean dual = problem->dual, two = problem->model == VG_PERFUSION_EXCHANGE;
  double low = log (MAX (bounds->k_min, 1.0 / VG_PERFUSION_RATE)), high = log (bounds->k_max);
  Grid grid = { two ? (dual ? 9 : 14) : problem->model == VG_PERFUSION_PATLAK ? 1 : dual ? 12 : 24, dual ? 4 : 12, dual ? 3 : 1, { 0 }, { 0 }, { 0 } };

  for (int i = 0; i < grid.rates; i++)
    grid.log_k[i] = low + (high - low) * (i + 0.5) / grid.rates;
  if (bounds->delays == VG_PERFUSION_DELAYS_NONE)
    grid.delays = 1;
  for (int i = 0; i < grid.delays; i++)
    grid.delay[i] = grid.delays == 1 ? 0 : bounds->delay_min + pow ((double) i / (grid.delays - 1), 1.3) * (bounds->delay_max - bounds->delay_min);
  for (int i = 0; i < grid.shares; i++)
    grid.share[i] = dual ? shares[i] : 1;
  return grid;
}

static void
add_place (VgPerfusionPlaces *self,
           double             log_k1,
           double             log_k2,
           double             ta,
           double             tp,
           double             share)
{
  double *place = self->places[self->count++];

  place[VG_PERFUSION_LOG_K1] = log_k1;
  place[VG_PERFUSION_LOG_K2] = log_k2;
  place[VG_PERFUSION_TA] = ta;
  place[VG_PERFUSION_TP] = tp;
  place[VG_PERFUSION_SHARE] = share;
}

static void
list_places (VgPerfusionPlaces        *self,
             const VgPerfusionProblem *problem)
{
  Grid grid = make_grid (problem);
  gboolean two = problem->model == VG_PERFUSION_EXCHANGE, apart = problem->dual && problem->bounds.delays == VG_PERFUSION_DELAYS_FREE;
  int pairs = two ? grid.rates * (grid.rates - 1) / 2 : grid.rates;

  self->group = (problem->model == VG_PERFUSION_PATLAK ? 1 : grid.delays) * (apart ? grid.delays : 1) * grid.shares;
  self->places = g_malloc_n ((gsize) (pairs * grid.delays * grid.delays * grid.shares), sizeof *self->places);
  for (int k1 = 0; k1 < grid.rates; k1++)
    for (int k2 = two ? 0 : k1; two ? k2 < k1 : k2 == k1; k2++)
      for (int a = 0; a < grid.delays; a++)
        for (int p = apart ? 0 : a; apart ? p < grid.delays : p == a; p++)
          for (int s = 0; s < grid.shares; s++)
            add_place (self, grid.log_k[k1], grid.log_k[k2], grid.delay[a], grid.delay[p], grid.share[s]);
}

static void
make_curves (VgPerfusionPlaces        *self,
             const VgPerfusionProblem *problem,
             int                       threads)
{
  VgPerfusionTask task = vg_perfusion_task (problem);

#pragma omp parallel for num_threads (threads)
  for (int c = 0; c < self->count; c++)
    {
      VgPerfusionPair pair = vg_perfusion_pair (&task, self->places[c]);
      float *u = self->u + (gsize) c * (gsize) self->n, *v = self->v + (gsize) c * (gsize) self->n;
      double uu = 0, vv = 0, uv = 0;

      for (int i = 0; i < self->n; i++)
        {
          double a, b;

          vg_perfusion_pair_next (&task, &pair, i);
          a = vg_perfusion_pair_u (&pair);
          b = vg_perfusion_pair_v (&pair);
          uu += problem->weights[i] * a * a;
          vv += problem->weights[i] * b * b;
          uv += problem->weights[i] * a * b;
          u[i] = (float) (problem->weights[i] * a);
          v[i] = (float) (problem->weights[i] * b);
        }
      for (int i = 0; i < self->n; i++)
        {
          u[i] = uu > 0 ? (float) (u[i] / sqrt (uu)) : 0;
          v[i] = vv > 0 ? (float) (v[i] / sqrt (vv)) : 0;
        }
      uv = uu > 0 && vv > 0 ? uv / sqrt (uu * vv) : 0;
      self->overlap[c] = (float) uv;
      self->inverse[c] = (float) (1 / MAX (1 - uv * uv, 1e-5));
    }
}

VgPerfusionPlaces *
vg_perfusion_places_new (const VgPerfusionProblem *problem,
                         int                       threads)
{
  VgPerfusionPlaces *self = g_new0 (VgPerfusionPlaces, 1);
  gsize size;

  self->n = problem->n;
  list_places (self, problem);
  g_assert (self->count % self->group == 0 && self->count / self->group <= VG_PERFUSION_MAX_GROUPS);
  size = (gsize) self->count * (gsize) self->n;
  self->u = g_new (float, size);
  self->v = g_new (float, size);
  self->overlap = g_new (float, self->count);
  self->inverse = g_new (float, self->count);
  make_curves (self, problem, threads);
  return self;
}

void
vg_perfusion_places_free (VgPerfusionPlaces *self)
{
  if (self == NULL)
    return;
  g_free (self->places);
  g_free (self->u);
  g_free (self->v);
  g_free (self->overlap);
  g_free (self->inverse);
  g_free (self);
}

/* The best place of each group. */
static void
score_places (const VgPerfusionPlaces *places,
              const double            *curve,
              int                      stride,
              float                   *scores,
              int                     *where)
{
  for (int c = 0; c < places->count; c++)
    {
      const float *u = places->u + (gsize) c * (gsize) places->n, *v = places->v + (gsize) c * (gsize) places->n;
      int group = c / places->group;
      double a = 0, b = 0;
      float score;

      for (int i = 0; i < places->n; i++)
        {
          a += u[i] * curve[i * stride];
          b += v[i] * curve[i * stride];
        }
      score = vg_perfusion_pair_score ((float) a, (float) b, places->overlap[c], places->inverse[c]);
      if (c % places->group == 0 || score > scores[group])
        {
          scores[group] = score;
          where[group] = c;
        }
    }
}

void
vg_perfusion_general_values_put (int model, gboolean dual, const double *value, const double *error, double *values, int stride)
{
  for (int i = 0; i < VG_PERFUSION_FIT_PARAMETERS; i++)
    {
      gboolean rate = i == VG_PERFUSION_FIT_FLOW || i == VG_PERFUSION_FIT_EXCHANGE;
      gboolean there = i == VG_PERFUSION_FIT_EXCHANGE ? model >= VG_PERFUSION_UPTAKE
                       : i == VG_PERFUSION_FIT_INTERSTITIUM ? model == VG_PERFUSION_EXTENDED_TOFTS || model == VG_PERFUSION_EXCHANGE
                       : i == VG_PERFUSION_FIT_TAU_P || i == VG_PERFUSION_FIT_FRACTION ? dual : TRUE;

      values[i * stride] = there ? value[i] * (rate ? VG_PERFUSION_RATE : 1) : NAN;
      values[(VG_PERFUSION_FIT_ERRORS + i) * stride] = there ? error[i] * (rate ? VG_PERFUSION_RATE : 1) : NAN;
    }
}

void
vg_perfusion_general_fit (const VgPerfusionProblem    *problem,
                          const VgPerfusionPlaces     *places,
                          const VgPerfusionFitOptions *options,
                          const double                *curve,
                          int                          stride,
                          double                      *values)
{
  VgPerfusionTask task = vg_perfusion_task (problem);
  VgPerfusionDescent descent = { options->iterations, options->tolerance };
  double x[VG_PERFUSION_UNKNOWNS], yy = 0, sum = 0, spread;
  VgPerfusionSystem system;
  VgPerfusionGeneral general;
  float scores[VG_PERFUSION_MAX_GROUPS];
  int where[VG_PERFUSION_MAX_GROUPS], starts[2], n, passes;
  gboolean bound = FALSE;

  for (int i = 0; i < problem->n; i++)
    {
      yy += problem->weights[i] * curve[i * stride] * curve[i * stride];
      sum += problem->weights[i] * curve[i * stride];
    }
  spread = yy - sum * sum / problem->weight_sum;
  score_places (places, curve, stride, scores, where);
  n = vg_perfusion_general_starts (&task, places->places[0], places->count / places->group, scores, where, starts);
  passes = vg_perfusion_general_minimum (&task, &descent, curve, stride, yy, places->places[0], starts, MIN (n, options->starts), x, &system);
  vg_perfusion_general_results (&task, x, &system, problem->used, &general);
  vg_perfusion_general_values_put (problem->model, problem->dual, general.value, general.error, values, stride);
  for (int q = 0; q < VG_PERFUSION_UNKNOWNS; q++)
    bound |= vg_perfusion_moves (&task, q)
             && (x[q] <= vg_perfusion_general_bound (&task, q, 0) || x[q] >= vg_perfusion_general_bound (&task, q, 1));
  bound |= !(system.a > 0) || !(system.b > 0);
  values[VG_PERFUSION_FIT_RESIDUAL * stride] = sqrt (system.cost / problem->weight_sum);
  values[VG_PERFUSION_FIT_R2 * stride] = spread > 0 ? 1 - system.cost / spread : NAN;
  values[VG_PERFUSION_FIT_ITERATIONS * stride] = ABS (passes);
  values[VG_PERFUSION_FIT_STATUS * stride] = !(system.a > 0) && !(system.b > 0) ? VG_PERFUSION_NO_CURVE
                                             : passes < 0 ? VG_PERFUSION_NOT_CONVERGED : bound ? VG_PERFUSION_AT_BOUND : VG_PERFUSION_FITTED;
}

/* Amounts and rates back from what the maps hold. */
void
vg_perfusion_general_curve (const VgPerfusionProblem *problem,
                            const double             *values,
                            double                   *curve)
{
  VgPerfusionTask task = vg_perfusion_task (problem);
  double flow = values[VG_PERFUSION_FIT_FLOW] / VG_PERFUSION_RATE, ps = values[VG_PERFUSION_FIT_EXCHANGE] / VG_PERFUSION_RATE;
  double vp = values[VG_PERFUSION_FIT_PLASMA], ve = values[VG_PERFUSION_FIT_INTERSTITIUM], a = flow, b = vp, x[VG_PERFUSION_UNKNOWNS] = { 0 };
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
      double sum = (flow + ps) / vp + (ve > 0 ? ps / ve : 0), product = ve > 0 ? flow * ps / (vp * ve) : 0;
      double root = sqrt (MAX (sum * sum / 4 - product, 0)), k1 = sum / 2 + root, k2 = MAX (product / k1, 1e-12);

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
