/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/perfusion/fit/perfusion-exchange.h"
#include "kernels/perfusion/fit/perfusion-fit.h"
/* What the data determine in the exchange model, for both backends.  The curvature at the minimum
 * gives the errors if the cost is parabolic.  Here it is not along the faster rate, where other
 * minima may exist.  Therefore:
 *  - If one exponential fits as well, exchange and the two volumes are not determined.  The
 * errors of flow, delays and arterial fraction are their changes by a second exponential that is
 * as likely.
 *  - Otherwise errors include the spread of the values along the faster rate, weighted by
 * likelihood, in place of the parabola's; with two inputs, along the arterial fraction if that is
 * larger.
 *  - Two standard errors include every other end of a descent whose cost is nearly as low. */

/* In variances of the noise: below this difference one exponential fits as well, or another end
 * is as good.  With two inputs, and more so with fitted delays, noise can imitate a second
 * exponential in more ways. */
#define VG_PERFUSION_AS_WELL 9
#define VG_PERFUSION_AS_WELL_DUAL 16
#define VG_PERFUSION_AS_WELL_DUAL_DELAYS 25
/* The largest steps along a parameter that is held fixed, of the logarithm of the faster rate and
 * of the arterial fraction; and the error below which the cost counts as parabolic. */
#define VG_PERFUSION_ALONG_RATE 0.5
#define VG_PERFUSION_ALONG_SHARE 0.1
#define VG_PERFUSION_PARABOLA_RATE 0.03
#define VG_PERFUSION_PARABOLA_SHARE 0.005
/* The weight of no second exponential relative to one, whose amounts have weights exp (-t^2 / 2)
 * for t from -2 to 2, with a sum of 2.5: the same weight, and for the flow twice that, as it has
 * no bound if the other exponential is fast.  Two standard errors then have the right coverage in
 * simulated tissue (docs/perfusion.md). */
#define VG_PERFUSION_ALONE_WEIGHT 2.5
#define VG_PERFUSION_ALONE_WEIGHT_FLOW 5
#define VG_PERFUSION_SLICES 5
#define VG_PERFUSION_ALONE_STEPS 8

/* The values that depend on the second exponential, in the order of VG_PERFUSION_FIT_*. */
enum {
  VG_PERFUSION_EXCHANGE_UNKNOWN = 1 << VG_PERFUSION_FIT_EXCHANGE | 1 << VG_PERFUSION_FIT_PLASMA |
                                  1 << VG_PERFUSION_FIT_INTERSTITIUM
};

/* Begins the search for the least cost of one exponential, from the one with the same flow and
 * volume. */
VG_SCALAR void
vg_perfusion_search_alone (VgPerfusionSearch *self)
{
  const VgPerfusionSystem *lowest = &self->lowest;
  VgPerfusionReal volume = lowest->a / exp (self->best[0]) + lowest->b / exp (self->best[1]);

  self->flow = lowest->a + lowest->b;
  vg_perfusion_copy_unknowns (self->at, self->best);
  self->at[VG_PERFUSION_LOG_K1] = log (self->flow / volume);
  vg_perfusion_copy_unknowns (self->least_x, self->at);
  self->least = (VgPerfusionReal) INFINITY;
  self->next = 0;
  self->phase = VG_PERFUSION_SEARCH_ALONE;
}

/* One exponential has the cost OWN, and COST to first order with amount and changes D. */
VG_SCALAR void
vg_perfusion_search_take_alone (const VgPerfusionTask *task, const VgPerfusionReal *d,
                                VgPerfusionReal own, VgPerfusionReal cost, VgPerfusionSearch *self)
{
  const VgPerfusionReal lowest = self->lowest.cost, variance = self->variance;
  VgPerfusionReal promised = !(d[0] > 0) ? (VgPerfusionReal) INFINITY
                             : cost > 0  ? cost
                                         : 0,
                  here = own < promised ? own : promised, moves[VG_PERFUSION_UNKNOWNS];
  int i = self->next++;

  if (own < self->least)
    {
      self->least = own;
      self->flow = d[0];
      vg_perfusion_copy_unknowns (self->least_x, self->at);
    }
  /* It is far from as good, or at its minimum. */
  if ((i > 3 && !(here < lowest + 64 * variance)) ||
      own - promised < (VgPerfusionReal) 0.1 * variance ||
      self->least < lowest + VG_PERFUSION_AS_WELL * variance ||
      self->next == VG_PERFUSION_ALONE_STEPS)
    {
      self->phase = VG_PERFUSION_SEARCH_TOLD;
      return;
    }
  for (int q = 0; q < VG_PERFUSION_UNKNOWNS; q++)
    moves[q] = d[q + 2] / d[0];
  vg_perfusion_move (task, self->at, moves, 1, 2, (VgPerfusionReal) 0.5);
}

/* Errors of flow, delays and arterial fraction, if one exponential fits as well: its own errors,
 * and the spread of the values with a second exponential of any rate and non-negative amount,
 * weighted by likelihood.  A single exponential means that blood mixes with all of the tissue at
 * once, and its curvature cannot show anything else.  Proceeds to the next second exponential. */
VG_SCALAR void
vg_perfusion_search_beside (const VgPerfusionTask *task, VgPerfusionSearch *self)
{
  vg_perfusion_copy_unknowns (self->at, self->least_x);
  while (self->next < VG_PERFUSION_EXAMINED_RATES)
    {
      VgPerfusionReal log_k = vg_perfusion_examined (task, self->next++);

      if (log_k < task->bounds.log_k_min ||
          fabs (log_k - self->least_x[VG_PERFUSION_LOG_K1]) < (VgPerfusionReal) VG_PERFUSION_MERGED)
        continue;
      self->at[VG_PERFUSION_LOG_K2] = log_k;
      self->phase = VG_PERFUSION_SEARCH_BESIDE;
      return;
    }
  self->phase = VG_PERFUSION_SEARCH_OWN;
}

/* The parameters whose errors one exponential gives: their values and unknowns (the first is an
 * amount). */
#define VG_PERFUSION_SINGLE_VALUES 4

VG_SCALAR int
vg_perfusion_single_value (int k)
{
  return k == 0   ? VG_PERFUSION_FIT_FLOW
         : k == 1 ? VG_PERFUSION_FIT_TAU_A
         : k == 2 ? VG_PERFUSION_FIT_TAU_P
                  : VG_PERFUSION_FIT_FRACTION;
}

VG_SCALAR int
vg_perfusion_single_unknown (int k)
{
  return k == 1 ? VG_PERFUSION_TA : k == 2 ? VG_PERFUSION_TP : VG_PERFUSION_SHARE;
}

/* With the second exponential at its rate, amounts and changes are D at the least cost COST to
 * first order; ALONG: column of the second amount in the inverse of the normal matrix. */
VG_SCALAR void
vg_perfusion_search_take_beside (const VgPerfusionTask *task, const VgPerfusionReal *d,
                                 const VgPerfusionReal *along, VgPerfusionReal cost,
                                 VgPerfusionSearch *self)
{
  const VgPerfusionReal variance = self->variance, lowest = self->lowest.cost;

  if (self->phase == VG_PERFUSION_SEARCH_BESIDE && d[0] > 0)
    {
      /* Expand to first order again at that point. */
      VgPerfusionReal moves[VG_PERFUSION_UNKNOWNS];

      for (int q = 0; q < VG_PERFUSION_UNKNOWNS; q++)
        moves[q] = q == VG_PERFUSION_LOG_K2 ? 0 : d[q + 2] / d[0];
      vg_perfusion_move (task, self->at, moves, (VgPerfusionReal) 0.5, 2, (VgPerfusionReal) 0.3);
      self->phase = VG_PERFUSION_SEARCH_BESIDE_AGAIN;
      return;
    }
  VG_PERFUSION_LOOP
  for (int t = -2; t <= 2 && along[1] > 0; t++)
    {
      /* The second amount at this number of deviations from its best, and the others that
       * follow from it. */
      VgPerfusionReal move = t * sqrt (variance / along[1]), first = d[0] + move * along[0],
                      second = d[1] + move * along[1], likely;

      if (!(first > 0) || !(second > 0))
        continue;
      likely = exp (-(VgPerfusionReal) 0.5 *
                    (t * t + (cost > lowest ? (cost - lowest) / variance : 0)));
      self->weights += likely;
      VG_PERFUSION_UNROLL
      for (int k = 0; k < VG_PERFUSION_SINGLE_VALUES; k++)
        {
          const int q = vg_perfusion_single_unknown (k);
          VgPerfusionReal apart = k == 0 ? first + second
                                         : vg_perfusion_moved (task, self->at, q,
                                                               (d[q + 2] + move * along[q + 2]) /
                                                                   first);

          apart -= self->results.value[vg_perfusion_single_value (k)];
          self->sum[k] += likely * apart * apart;
        }
    }
  vg_perfusion_search_beside (task, self);
}

/* The errors of one exponential with the factored normal matrix M and amount D. */
VG_SCALAR void
vg_perfusion_search_take_own (const VgPerfusionTask *task, const VgPerfusionReal *m,
                              VgPerfusionReal d, VgPerfusionSearch *self)
{
  VgPerfusionReal *error = self->results.error;

  VG_PERFUSION_LOOP
  for (int k = 0; k < VG_PERFUSION_SINGLE_VALUES; k++)
    {
      const int unknown = vg_perfusion_single_unknown (k), at = k > 0 ? unknown + 2 : 0;
      VgPerfusionReal along[VG_PERFUSION_ALL],
          own = 0,
          all = self->weights + (VgPerfusionReal) (k > 0 ? VG_PERFUSION_ALONE_WEIGHT
                                                         : VG_PERFUSION_ALONE_WEIGHT_FLOW);

      if (k > 0 && !vg_perfusion_moves (task, unknown))
        continue;
      VG_PERFUSION_UNROLL
      for (int q = 0; q < VG_PERFUSION_ALL; q++)
        along[q] = q == at;
      vg_perfusion_substitute (m, along);
      VG_PERFUSION_UNROLL
      for (int q = 0; q < VG_PERFUSION_ALL; q++)
        own = q == at ? along[q] : own;
      own /= k > 0 ? d * d : 1;
      if (own > 0) /* FALSE: it has no effect */
        error[vg_perfusion_single_value (k)] = sqrt (self->variance * own + self->sum[k] / all);
    }
  if (task->dual && task->bounds.delays == VG_PERFUSION_DELAYS_SHARED)
    error[VG_PERFUSION_FIT_TAU_P] = error[VG_PERFUSION_FIT_TAU_A];
  self->phase = VG_PERFUSION_SEARCH_MIXED;
}

/* Proceeds to the next slice. */
VG_SCALAR void
vg_perfusion_search_slice (const VgPerfusionTask *task, VgPerfusionSearch *self)
{
  VG_PERFUSION_UNROLL
  for (int q = 0; q < VG_PERFUSION_UNKNOWNS; q++)
    {
      VgPerfusionReal move = self->path[q];

      move = q == self->held                 ? self->side * self->step
             : move > (VgPerfusionReal) 0.5  ? (VgPerfusionReal) 0.5
             : move < (VgPerfusionReal) -0.5 ? (VgPerfusionReal) -0.5
                                             : move;
      self->at[q] = vg_perfusion_moved (task, self->at, q, move);
    }
  if (task->dual && task->bounds.delays == VG_PERFUSION_DELAYS_SHARED)
    self->at[VG_PERFUSION_TP] = self->at[VG_PERFUSION_TA];
  self->phase = VG_PERFUSION_SEARCH_SLICE;
}

VG_SCALAR void
vg_perfusion_search_side (const VgPerfusionTask *task, int side, VgPerfusionSearch *self)
{
  self->side = side;
  self->next = 0;
  for (int q = 0; q < VG_PERFUSION_UNKNOWNS; q++)
    {
      self->at[q] = self->best[q];
      self->path[q] = side * self->step * self->along[q + 2];
    }
  vg_perfusion_search_slice (task, self);
}

/* The errors that the spread along `held` replaces. */
VG_SCALAR VgPerfusionReal *
vg_perfusion_search_errors (VgPerfusionSearch *self)
{
  return self->held == VG_PERFUSION_SHARE ? self->error : self->results.error;
}

/* Begins to replace errors, which come from the curvature, by those with the actual cost along the
 * parameter HELD: the faster rate or the arterial fraction. */
VG_SCALAR void
vg_perfusion_search_spread (const VgPerfusionTask *task, int held, VgPerfusionSearch *self)
{
  enum { N = VG_PERFUSION_ALL, VALUES = VG_PERFUSION_GENERAL_VALUES };
  const int rate = held <= VG_PERFUSION_LOG_K2;
  const VgPerfusionReal h = (VgPerfusionReal) 1e-3,
                        most = rate ? (VgPerfusionReal) VG_PERFUSION_ALONG_RATE
                                    : (VgPerfusionReal) VG_PERFUSION_ALONG_SHARE;
  const VgPerfusionSystem *lowest = &self->lowest;
  VgPerfusionReal m[VG_PERFUSION_HALF], up[VALUES], down[VALUES], at[VG_PERFUSION_UNKNOWNS],
      deviation, *along = self->along;

  self->held = held;
  self->phase = VG_PERFUSION_SEARCH_SPREAD;
  for (int q = 0; q < VG_PERFUSION_HALF; q++)
    m[q] = lowest->m[q];
  for (int q = 0; q < N; q++)
    along[q] = q == held + 2;
  vg_perfusion_decompose (m);
  vg_perfusion_substitute (m, along);
  if (!(along[held + 2] > 0))
    return;
  deviation = sqrt (self->variance * along[held + 2]);
  self->step = (VgPerfusionReal) 0.7 * deviation < most ? (VgPerfusionReal) 0.7 * deviation : most;
  if (!(self->step >
        (VgPerfusionReal) (rate ? VG_PERFUSION_PARABOLA_RATE : VG_PERFUSION_PARABOLA_SHARE)))
    return; /* The cost is a parabola. */
  for (int q = 0; q < N; q++)
    along[q] /= deviation * deviation / self->variance;
  for (int q = 0; q < VG_PERFUSION_UNKNOWNS; q++)
    at[q] = self->best[q] + h * along[q + 2];
  vg_perfusion_general_values (task->model, lowest->a + h * along[0], lowest->b + h * along[1], at,
                               up);
  for (int q = 0; q < VG_PERFUSION_UNKNOWNS; q++)
    at[q] = self->best[q] - h * along[q + 2];
  vg_perfusion_general_values (task->model, lowest->a - h * along[0], lowest->b - h * along[1], at,
                               down);
  for (int k = 0; k < VALUES; k++)
    {
      /* the part of the error that is along the rate */
      self->own[k] = (up[k] - down[k]) / (2 * h) * deviation;
      self->sum[k] = 0;
    }
  self->weights = 1;
  vg_perfusion_search_side (task, -1, self);
}

/* Takes the equations S of a slice: the least cost to first order with `held` fixed, and the
 * model's values there. */
VG_SCALAR void
vg_perfusion_search_take_slice (const VgPerfusionTask *task, VgPerfusionSystem *s,
                                VgPerfusionSearch *self)
{
  enum { VALUES = VG_PERFUSION_GENERAL_VALUES };
  const int held = self->held, rate = held <= VG_PERFUSION_LOG_K2, both = s->a > 0 && s->b > 0;
  const VgPerfusionReal lowest = self->lowest.cost,
                        end = held == VG_PERFUSION_LOG_K1   ? self->at[VG_PERFUSION_LOG_K2]
                              : held == VG_PERFUSION_LOG_K2 ? self->at[VG_PERFUSION_LOG_K1]
                                                            : 0;
  const int last = self->at[held] >= vg_perfusion_general_bound (task, held, 1) ||
                   self->at[held] <= end;
  VgPerfusionReal cost = s->cost, value[VALUES], d[VG_PERFUSION_ALL], apart, likely;

  if (both)
    {
      VG_PERFUSION_UNROLL
      for (int q = 0; q < VG_PERFUSION_ALL; q++)
        d[q] = s->g[q];
      VG_PERFUSION_UNROLL
      for (int q = 0; q < VG_PERFUSION_UNKNOWNS; q++)
        vg_perfusion_hold (s->m, d, q + 2,
                           q == held || vg_perfusion_blocked (task, self->at, q, d[q + 2]));
      vg_perfusion_decompose (s->m);
      vg_perfusion_substitute (s->m, d);
      VG_PERFUSION_UNROLL
      for (int q = 0; q < VG_PERFUSION_UNKNOWNS; q++)
        {
          VgPerfusionReal step = q == held || !vg_perfusion_moves (task, q) ? 0 : d[q + 2];

          cost -= step * s->g[q + 2];
          step = step > (VgPerfusionReal) 0.5    ? (VgPerfusionReal) 0.5
                 : step < (VgPerfusionReal) -0.5 ? (VgPerfusionReal) -0.5
                                                 : step;
          self->path[q] += step;
          if (step != 0)
            self->at[q] = vg_perfusion_moved (task, self->at, q, step);
        }
      vg_perfusion_general_values (task->model, s->a + d[0] > 0 ? s->a + d[0] : s->a,
                                   s->b + d[1] > 0 ? s->b + d[1] : s->b, self->at, value);
    }
  if (cost < (VgPerfusionReal) 0.98 * lowest)
    cost = s->cost;
  apart = cost > lowest ? (cost - lowest) / self->variance : 0;
  if (both && !last)
    {
      likely = exp (-apart / 2);
      self->weights += likely;
      for (int k = 0; k < VALUES; k++)
        self->sum[k] += likely * (value[k] - self->results.value[k]) *
                        (value[k] - self->results.value[k]);
      if (!(apart > 12) && ++self->next < VG_PERFUSION_SLICES)
        {
          vg_perfusion_search_slice (task, self);
          return;
        }
    }
  else
    /* Along the rate the values have no bound there. */
    for (int k = VG_PERFUSION_FIT_FLOW; rate && k <= VG_PERFUSION_FIT_PLASMA && apart < 4; k++)
      self->sum[k] = (VgPerfusionReal) INFINITY;
  if (self->side < 0)
    {
      vg_perfusion_search_side (task, 1, self);
      return;
    }
  for (int k = 0; k < VALUES; k++)
    {
      VgPerfusionReal *error = vg_perfusion_search_errors (self) + k,
                      rest = *error * *error - self->own[k] * self->own[k];

      if (*error < (VgPerfusionReal) INFINITY) /* only of fitted parameters */
        *error = sqrt ((rest > 0 ? rest : 0) + self->sum[k] / self->weights);
    }
  self->phase = VG_PERFUSION_SEARCH_SPREAD;
}

/* The last decisions: errors include other ends, and which parameters are not determined. */
VG_SCALAR void
vg_perfusion_search_conclude (const VgPerfusionTask *task, VgPerfusionSearch *self)
{
  enum {
    FLOW = VG_PERFUSION_FIT_FLOW,
    PS = VG_PERFUSION_FIT_EXCHANGE,
    VP = VG_PERFUSION_FIT_PLASMA,
    VE = VG_PERFUSION_FIT_INTERSTITIUM
  };
  const VgPerfusionReal *value = self->results.value, flow = value[FLOW];
  VgPerfusionReal *error = self->results.error, other[VG_PERFUSION_GENERAL_VALUES], part, high, low;

  for (int e = 0; e < self->ends.count; e++)
    {
      const VgPerfusionEnd *end = &self->ends.end[e];

      if (!(end->cost > self->lowest.cost) ||
          !(end->cost < self->lowest.cost + VG_PERFUSION_AS_WELL * self->variance) ||
          !(end->a > 0) || !(end->b > 0))
        continue;
      vg_perfusion_general_values (task->model, end->a, end->b, end->x, other);
      for (int k = 0; k < VG_PERFUSION_GENERAL_VALUES; k++)
        if (error[k] < fabs (other[k] - value[k]) / 2)
          error[k] = fabs (other[k] - value[k]) / 2;
    }
  /* The error of the extraction PS / (F + PS) is nearly symmetric.  With a single compartment the
   * extraction is 1. */
  part = value[PS] / (value[PS] + flow);
  high = part + 2 * error[PS] * flow / ((value[PS] + flow) * (value[PS] + flow));
  low = 2 * part - high > 0 ? 2 * part - high : 0;
  if (!(high < 1))
    /* The parts of the volume are not determined either. */
    self->unknown |= VG_PERFUSION_EXCHANGE_UNKNOWN;
  else
    {
      high = flow * high / (1 - high) - value[PS];
      low = value[PS] - flow * low / (1 - low);
      error[PS] = (high > low ? high : low) / 2;
    }
  /* The extraction is a fraction of the flow, so it is not determined without the flow. */
  if (!(error[FLOW] < flow / 2))
    self->unknown |= 1 << FLOW | 1 << PS | (task->dual ? 1 << VP : 0);
  if (!(error[VP] < value[VP] / 2) && !(error[VP] < (VgPerfusionReal) 0.05))
    self->unknown |= 1 << VP;
  /* For the interstitium the error of the logarithm is symmetric. */
  if (error[VE] < value[VE])
    error[VE] = value[VE] * (exp (2 * error[VE] / value[VE]) - 1) / 2;
  if (!(error[VE] < value[VE] / 2))
    self->unknown |= 1 << VE;
  if (task->dual && !(error[VG_PERFUSION_FIT_FRACTION] < (VgPerfusionReal) 0.288675135))
    self->unknown |= 1 << VG_PERFUSION_FIT_FRACTION;
  self->phase = VG_PERFUSION_SEARCH_OVER;
}
