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

/* The least cost of one exponential, starting from the one with the same flow and volume.  FLOW
 * receives its amount, AT its parameters. */
VG_PERFUSION_NOINLINE VgPerfusionReal
vg_perfusion_exchange_single (const VgPerfusionTask *task, const VgPerfusionReal *x,
                              const VgPerfusionSystem *system, const VG_PERFUSION_SAMPLE *y,
                              long stride, VgPerfusionReal yy, VgPerfusionReal variance,
                              VgPerfusionReal *flow, VgPerfusionReal *at)
{
  VgPerfusionReal from[VG_PERFUSION_UNKNOWNS], to[VG_PERFUSION_UNKNOWNS],
      best = (VgPerfusionReal) INFINITY, own, here, amount;
  VgPerfusionReal volume = system->a / exp (x[0]) + system->b / exp (x[1]);

  vg_perfusion_copy_unknowns (from, x);
  from[VG_PERFUSION_LOG_K1] = log ((system->a + system->b) / volume);
  *flow = system->a + system->b;
  vg_perfusion_copy_unknowns (at, from);
  for (int i = 0; i < VG_PERFUSION_ALONE_STEPS; i++)
    {
      VgPerfusionReal promised = vg_perfusion_exchange_examine (task, from, 0, y, stride, yy, &own,
                                                                &amount, to);

      here = own < promised ? own : promised;
      if (own < best)
        {
          best = own;
          *flow = amount;
          vg_perfusion_copy_unknowns (at, from);
        }
      /* It is far from as good, or at its minimum. */
      if ((i > 3 && !(here < system->cost + 64 * variance)) ||
          own - promised < (VgPerfusionReal) 0.1 * variance ||
          best < system->cost + VG_PERFUSION_AS_WELL * variance)
        break;
      vg_perfusion_copy_unknowns (from, to);
    }
  return best;
}

/* The least cost near X to first order (vg_perfusion_exchange_beside).  BEST receives its
 * parameters, and ALONG the column COLUMN of the inverse of its normal matrix, which is 0 if that
 * parameter has no effect.  Changes of the parameters are multiplied by best[0]. */
VG_SCALAR VgPerfusionReal
vg_perfusion_exchange_solve (const VgPerfusionTask *task, const VgPerfusionReal *x, int second,
                             const VG_PERFUSION_SAMPLE *y, long stride, VgPerfusionReal yy,
                             int column, VgPerfusionReal *best, VgPerfusionReal *along)
{
  enum { N = VG_PERFUSION_ALL };
  VgPerfusionReal m[N * N], cost = yy;
  VgPerfusionSystem s;

  vg_perfusion_exchange_beside (task, x, second, y, stride, &s);
  for (int q = 0; q < N * N; q++)
    m[q] = s.m[q];
  for (int q = 0; q < N; q++)
    {
      best[q] = s.g[q];
      along[q] = q == column;
    }
  vg_perfusion_eliminate (m, best, N, N);
  vg_perfusion_eliminate (s.m, along, N, N);
  for (int q = 0; q < N; q++)
    cost -= best[q] * s.g[q];
  return cost;
}

/* Errors of flow, delays and arterial fraction at X, if one exponential fits as well: its own
 * errors, and the spread of the values with a second exponential of any rate and non-negative
 * amount, weighted by likelihood.  A single exponential means that blood mixes with all of the
 * tissue at once, and its curvature cannot show anything else. */
VG_PERFUSION_NOINLINE void
vg_perfusion_exchange_mixed (const VgPerfusionTask *task, const VgPerfusionReal *x,
                             const VG_PERFUSION_SAMPLE *y, long stride, VgPerfusionReal yy,
                             VgPerfusionReal lowest, VgPerfusionReal variance,
                             const VgPerfusionReal *value, VgPerfusionReal *error)
{
  const int which[4] = { VG_PERFUSION_FIT_FLOW, VG_PERFUSION_FIT_TAU_A, VG_PERFUSION_FIT_TAU_P,
                         VG_PERFUSION_FIT_FRACTION };
  const int unknown[4] = { 0, VG_PERFUSION_TA, VG_PERFUSION_TP, VG_PERFUSION_SHARE };
  VgPerfusionReal from[VG_PERFUSION_UNKNOWNS], d[VG_PERFUSION_ALL], along[VG_PERFUSION_ALL],
      sum[4] = { 0 }, weights = 0;

  for (int c = 0; c < VG_PERFUSION_EXAMINED_RATES; c++)
    {
      VgPerfusionReal cost, log_k = task->bounds.log_k_max -
                                    (VgPerfusionReal) VG_PERFUSION_EXAMINED_FIRST -
                                    c * (VgPerfusionReal) VG_PERFUSION_LOOK_STEP;

      if (log_k < task->bounds.log_k_min ||
          fabs (log_k - x[VG_PERFUSION_LOG_K1]) < (VgPerfusionReal) VG_PERFUSION_MERGED)
        continue;
      vg_perfusion_copy_unknowns (from, x);
      from[VG_PERFUSION_LOG_K2] = log_k;
      cost = vg_perfusion_exchange_solve (task, from, 1, y, stride, yy, 1, d, along);
      if (d[0] > 0)
        {
          /* Expand to first order again at that point. */
          for (int q = 0; q < VG_PERFUSION_UNKNOWNS; q++)
            {
              VgPerfusionReal move = d[q + 2] / d[0],
                              most = q <= VG_PERFUSION_LOG_K2 ? (VgPerfusionReal) 0.5
                                     : q <= VG_PERFUSION_TP   ? 2
                                                              : (VgPerfusionReal) 0.3;

              if (q != VG_PERFUSION_LOG_K2)
                from[q] = vg_perfusion_moved (task, from, q,
                                              move > most    ? most
                                              : move < -most ? -most
                                                             : move);
            }
          if (task->dual && task->bounds.delays == VG_PERFUSION_DELAYS_SHARED)
            from[VG_PERFUSION_TP] = from[VG_PERFUSION_TA];
          cost = vg_perfusion_exchange_solve (task, from, 1, y, stride, yy, 1, d, along);
        }
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
          weights += likely;
          for (int k = 0; k < 4; k++)
            {
              VgPerfusionReal apart = first + second;

              if (k > 0)
                apart = vg_perfusion_moved (task, from, unknown[k],
                                            (d[unknown[k] + 2] + move * along[unknown[k] + 2]) /
                                                first);
              apart -= value[which[k]];
              sum[k] += likely * apart * apart;
            }
        }
    }
  for (int k = 0; k < 4; k++)
    {
      int at = k > 0 ? unknown[k] + 2 : 0;
      VgPerfusionReal own,
          all = weights + (VgPerfusionReal) (k > 0 ? VG_PERFUSION_ALONE_WEIGHT
                                                   : VG_PERFUSION_ALONE_WEIGHT_FLOW);

      if (k > 0 && !vg_perfusion_moves (task, unknown[k]))
        continue;
      vg_perfusion_exchange_solve (task, x, 0, y, stride, yy, at, d, along);
      own = along[at] / (k > 0 ? d[0] * d[0] : 1);
      if (own > 0) /* FALSE: it has no effect */
        error[which[k]] = sqrt (variance * own + sum[k] / all);
    }
  if (task->dual && task->bounds.delays == VG_PERFUSION_DELAYS_SHARED)
    error[VG_PERFUSION_FIT_TAU_P] = error[VG_PERFUSION_FIT_TAU_A];
}

/* The least cost to first order with X's rate FAST fixed.  Moves X there.  PATH accumulates the
 * change, and VALUE receives the model's values there. */
VG_SCALAR VgPerfusionReal
vg_perfusion_exchange_slice (const VgPerfusionTask *task, int fast, const VG_PERFUSION_SAMPLE *y,
                             long stride, VgPerfusionReal *x, VgPerfusionReal *path,
                             VgPerfusionReal yy, VgPerfusionSystem *s, VgPerfusionReal *value)
{
  VgPerfusionReal d[VG_PERFUSION_ALL], cost, a, b;

  vg_perfusion_exchange_system (task, x, y, stride, yy, s);
  if (!(s->a > 0) || !(s->b > 0))
    return s->cost;
  for (int q = 0; q < VG_PERFUSION_ALL; q++)
    d[q] = s->g[q];
  for (int q = 0; q < VG_PERFUSION_UNKNOWNS; q++)
    {
      int at = q + 2;

      if (q != fast && !(x[q] <= vg_perfusion_general_bound (task, q, 0) && d[at] < 0) &&
          !(x[q] >= vg_perfusion_general_bound (task, q, 1) && d[at] > 0))
        continue;
      for (int r = 0; r < VG_PERFUSION_ALL; r++)
        s->m[at * VG_PERFUSION_ALL + r] = s->m[r * VG_PERFUSION_ALL + at] = 0;
      d[at] = 0;
    }
  vg_perfusion_eliminate (s->m, d, VG_PERFUSION_ALL, VG_PERFUSION_ALL);
  cost = s->cost;
  for (int q = 0; q < VG_PERFUSION_UNKNOWNS; q++)
    {
      VgPerfusionReal step = q == fast || !vg_perfusion_moves (task, q) ? 0 : d[q + 2];

      cost -= step * s->g[q + 2];
      step = step > (VgPerfusionReal) 0.5    ? (VgPerfusionReal) 0.5
             : step < (VgPerfusionReal) -0.5 ? (VgPerfusionReal) -0.5
                                             : step;
      path[q] += step;
      if (step != 0)
        x[q] = vg_perfusion_moved (task, x, q, step);
    }
  a = s->a + d[0];
  b = s->b + d[1];
  vg_perfusion_general_values (task->model, a > 0 ? a : s->a, b > 0 ? b : s->b, x, value);
  return cost;
}

/* Replaces errors of VALUE in ERROR, which come from the curvature, by those with the actual cost
 * along the parameter HELD: the faster rate or the arterial fraction. */
VG_PERFUSION_NOINLINE void
vg_perfusion_exchange_spread (const VgPerfusionTask *task, int held, const VgPerfusionReal *x,
                              const VgPerfusionSystem *system, const VG_PERFUSION_SAMPLE *y,
                              long stride, VgPerfusionReal yy, VgPerfusionReal variance,
                              const VgPerfusionReal *value, VgPerfusionReal *error)
{
  enum { N = VG_PERFUSION_ALL, VALUES = VG_PERFUSION_GENERAL_VALUES };
  const int rate = held <= VG_PERFUSION_LOG_K2;
  const VgPerfusionReal h = (VgPerfusionReal) 1e-3,
                        most = rate ? (VgPerfusionReal) VG_PERFUSION_ALONG_RATE
                                    : (VgPerfusionReal) VG_PERFUSION_ALONG_SHARE;
  VgPerfusionReal along[N], sum[VALUES], own[VALUES], up[VALUES], down[VALUES],
      at[VG_PERFUSION_UNKNOWNS], path[VG_PERFUSION_UNKNOWNS];
  VgPerfusionReal weights = 1, deviation, step;
  VgPerfusionSystem s = *system;

  for (int q = 0; q < N; q++)
    along[q] = q == held + 2;
  vg_perfusion_eliminate (s.m, along, N, N);
  if (!(along[held + 2] > 0))
    return;
  deviation = sqrt (variance * along[held + 2]);
  step = (VgPerfusionReal) 0.7 * deviation < most ? (VgPerfusionReal) 0.7 * deviation : most;
  if (!(step > (VgPerfusionReal) (rate ? VG_PERFUSION_PARABOLA_RATE : VG_PERFUSION_PARABOLA_SHARE)))
    return; /* The cost is a parabola. */
  for (int q = 0; q < N; q++)
    along[q] /= deviation * deviation / variance;
  for (int q = 0; q < VG_PERFUSION_UNKNOWNS; q++)
    at[q] = x[q] + h * along[q + 2];
  vg_perfusion_general_values (task->model, system->a + h * along[0], system->b + h * along[1], at,
                               up);
  for (int q = 0; q < VG_PERFUSION_UNKNOWNS; q++)
    at[q] = x[q] - h * along[q + 2];
  vg_perfusion_general_values (task->model, system->a - h * along[0], system->b - h * along[1], at,
                               down);
  for (int k = 0; k < VALUES; k++)
    {
      /* the part of the error that is along the rate */
      own[k] = (up[k] - down[k]) / (2 * h) * deviation;
      sum[k] = 0;
    }
  for (int side = -1; side <= 1; side += 2)
    {
      for (int q = 0; q < VG_PERFUSION_UNKNOWNS; q++)
        {
          at[q] = x[q];
          path[q] = side * step * along[q + 2];
        }
      for (int i = 0; i < VG_PERFUSION_SLICES; i++)
        {
          VgPerfusionReal cost, apart, likely;
          int last;

          for (int q = 0; q < VG_PERFUSION_UNKNOWNS; q++)
            {
              VgPerfusionReal move = path[q];

              move = q == held                       ? side * step
                     : move > (VgPerfusionReal) 0.5  ? (VgPerfusionReal) 0.5
                     : move < (VgPerfusionReal) -0.5 ? (VgPerfusionReal) -0.5
                                                     : move;
              at[q] = vg_perfusion_moved (task, at, q, move);
            }
          if (task->dual && task->bounds.delays == VG_PERFUSION_DELAYS_SHARED)
            at[VG_PERFUSION_TP] = at[VG_PERFUSION_TA];
          last = at[held] >= vg_perfusion_general_bound (task, held, 1) ||
                 at[held] <= (rate ? at[1 - held] : 0);
          cost = vg_perfusion_exchange_slice (task, held, y, stride, at, path, yy, &s, up);
          if (cost < (VgPerfusionReal) 0.98 * system->cost)
            cost = s.cost;
          apart = cost > system->cost ? (cost - system->cost) / variance : 0;
          if (!(s.a > 0) || !(s.b > 0) || last)
            {
              /* Along the rate the values have no bound there. */
              for (int k = VG_PERFUSION_FIT_FLOW; rate && k <= VG_PERFUSION_FIT_PLASMA && apart < 4;
                   k++)
                sum[k] = (VgPerfusionReal) INFINITY;
              break;
            }
          likely = exp (-apart / 2);
          weights += likely;
          for (int k = 0; k < VALUES; k++)
            sum[k] += likely * (up[k] - value[k]) * (up[k] - value[k]);
          if (apart > 12)
            break;
        }
    }
  for (int k = 0; k < VALUES; k++)
    {
      VgPerfusionReal rest = error[k] * error[k] - own[k] * own[k];

      if (error[k] < (VgPerfusionReal) INFINITY) /* only of fitted parameters */
        error[k] = sqrt ((rest > 0 ? rest : 0) + sum[k] / weights);
    }
}

/* Replaces the errors from the curvature in OUT.  Returns the parameters that are not determined,
 * bits by VG_PERFUSION_FIT_*. */
VG_SCALAR int
vg_perfusion_exchange_errors (const VgPerfusionTask *task, const VgPerfusionReal *x,
                              const VgPerfusionSystem *system, const VG_PERFUSION_SAMPLE *y,
                              long stride, VgPerfusionReal yy, const VgPerfusionEnds *ends,
                              int used, VgPerfusionGeneral *out)
{
  enum {
    FLOW = VG_PERFUSION_FIT_FLOW,
    PS = VG_PERFUSION_FIT_EXCHANGE,
    VP = VG_PERFUSION_FIT_PLASMA,
    VE = VG_PERFUSION_FIT_INTERSTITIUM
  };
  VgPerfusionReal other[VG_PERFUSION_GENERAL_VALUES], one[VG_PERFUSION_UNKNOWNS], variance, flow,
      low, high, part;
  const VgPerfusionReal alone = !task->dual ? VG_PERFUSION_AS_WELL
                                : vg_perfusion_moves (task, VG_PERFUSION_TA)
                                    ? VG_PERFUSION_AS_WELL_DUAL_DELAYS
                                    : VG_PERFUSION_AS_WELL_DUAL;
  int free = 2, unknown = 0;

  for (int q = 0; q < VG_PERFUSION_UNKNOWNS; q++)
    free += vg_perfusion_moves (task, q);
  variance = used > free ? system->cost / (used - free) : (VgPerfusionReal) NAN;
  if (!(system->a > 0) || !(system->b > 0) || !(variance > 0))
    return VG_PERFUSION_EXCHANGE_UNKNOWN;
  if (vg_perfusion_exchange_single (task, x, system, y, stride, yy, variance, &flow, one) <
      system->cost + alone * variance)
    {
      unknown = VG_PERFUSION_EXCHANGE_UNKNOWN;
      vg_perfusion_exchange_mixed (task, one, y, stride, yy, system->cost, variance, out->value,
                                   out->error);
      if (out->error[FLOW] < fabs (flow - out->value[FLOW]) / 2)
        out->error[FLOW] = fabs (flow - out->value[FLOW]) / 2;
    }
  else
    {
      for (int k = 0; k < VG_PERFUSION_GENERAL_VALUES; k++)
        other[k] = out->error[k];
      vg_perfusion_exchange_spread (task, x[0] > x[1] ? VG_PERFUSION_LOG_K1 : VG_PERFUSION_LOG_K2,
                                    x, system, y, stride, yy, variance, out->value, out->error);
      if (task->dual)
        vg_perfusion_exchange_spread (task, VG_PERFUSION_SHARE, x, system, y, stride, yy, variance,
                                      out->value, other);
      for (int k = 0; k < VG_PERFUSION_GENERAL_VALUES; k++)
        if (k != VG_PERFUSION_FIT_TAU_A)
          out->error[k] = other[k] > out->error[k] ? other[k] : out->error[k];
    }
  for (int e = 0; e < ends->count; e++)
    {
      const VgPerfusionEnd *end = &ends->end[e];

      if (!(end->cost > system->cost) ||
          !(end->cost < system->cost + VG_PERFUSION_AS_WELL * variance) || !(end->a > 0) ||
          !(end->b > 0))
        continue;
      vg_perfusion_general_values (task->model, end->a, end->b, end->x, other);
      for (int k = 0; k < VG_PERFUSION_GENERAL_VALUES; k++)
        if (out->error[k] < fabs (other[k] - out->value[k]) / 2)
          out->error[k] = fabs (other[k] - out->value[k]) / 2;
    }
  /* The error of the extraction PS / (F + PS) is nearly symmetric.  With a single compartment the
   * extraction is 1. */
  flow = out->value[FLOW];
  part = out->value[PS] / (out->value[PS] + flow);
  high = part + 2 * out->error[PS] * flow / ((out->value[PS] + flow) * (out->value[PS] + flow));
  low = 2 * part - high > 0 ? 2 * part - high : 0;
  if (!(high < 1))
    /* The parts of the volume are not determined either. */
    unknown |= VG_PERFUSION_EXCHANGE_UNKNOWN;
  else
    {
      high = flow * high / (1 - high) - out->value[PS];
      low = out->value[PS] - flow * low / (1 - low);
      out->error[PS] = (high > low ? high : low) / 2;
    }
  /* The extraction is a fraction of the flow, so it is not determined without the flow. */
  if (!(out->error[FLOW] < out->value[FLOW] / 2))
    unknown |= 1 << FLOW | 1 << PS | (task->dual ? 1 << VP : 0);
  if (!(out->error[VP] < out->value[VP] / 2) && !(out->error[VP] < (VgPerfusionReal) 0.05))
    unknown |= 1 << VP;
  /* For the interstitium the error of the logarithm is symmetric. */
  if (out->error[VE] < out->value[VE])
    out->error[VE] = out->value[VE] * (exp (2 * out->error[VE] / out->value[VE]) - 1) / 2;
  if (!(out->error[VE] < out->value[VE] / 2))
    unknown |= 1 << VE;
  if (task->dual && !(out->error[VG_PERFUSION_FIT_FRACTION] < (VgPerfusionReal) 0.288675135))
    unknown |= 1 << VG_PERFUSION_FIT_FRACTION;
  return unknown;
}
