/* SPDX-License-Identifier: MIT */
#pragma once
#include "perfusion-exchange.h"
#include "perfusion-fit.h"
/* What a fit of exchange knows, for both backends.  Curvature at the minimum
 * says it where the cost is a parabola; here it is one against everything but
 * the faster rate, along which there may be other minima.  So
 *   - where one exponential fits as well, exchange and the two volumes are not
 *     known;
 *   - else errors have the spread of the values along the faster rate, each
 *     weighted by its likelihood, in the place of the parabola's;
 *   - two errors reach every other end of a descent that is nearly as low. */

/* In variances of the noise: one exponential fits as well, or another end is as good, below this. */
#define VG_PERFUSION_AS_WELL 9
/* With two inputs noise has more ways to look like a second one. */
#define VG_PERFUSION_AS_WELL_DUAL 12
#define VG_PERFUSION_SLICES 5
#define VG_PERFUSION_ALONE_STEPS 8

/* Values that the spread of one parameter is about, in the order of VG_PERFUSION_FIT_*. */
enum { VG_PERFUSION_EXCHANGE_UNKNOWN = 1 << VG_PERFUSION_FIT_EXCHANGE | 1 << VG_PERFUSION_FIT_PLASMA | 1 << VG_PERFUSION_FIT_INTERSTITIUM };

/* The least cost of one exponential, from the one with the same flow and
 * volume; FLOW: its amount. */
VG_SCALAR VgPerfusionReal
vg_perfusion_exchange_alone (const VgPerfusionTask *task, const VgPerfusionReal *x, const VgPerfusionSystem *system, const VG_PERFUSION_SAMPLE *y,
                             long stride, VgPerfusionReal yy, VgPerfusionReal variance, VgPerfusionReal *flow)
{
  VgPerfusionReal from[VG_PERFUSION_UNKNOWNS], to[VG_PERFUSION_UNKNOWNS], best = (VgPerfusionReal) INFINITY, own, here, amount;
  VgPerfusionReal volume = system->a / exp (x[0]) + system->b / exp (x[1]);

  vg_perfusion_place_copy (from, x);
  from[VG_PERFUSION_LOG_K1] = log ((system->a + system->b) / volume);
  *flow = system->a + system->b;
  for (int i = 0; i < VG_PERFUSION_ALONE_STEPS; i++)
    {
      VgPerfusionReal promised = vg_perfusion_exchange_look (task, from, 0, y, stride, yy, &own, &amount, to);

      here = own < promised ? own : promised;
      if (own < best)
        {
          best = own;
          *flow = amount;
        }
      /* far from as good, or there */
      if ((i > 3 && !(here < system->cost + 64 * variance)) || own - promised < (VgPerfusionReal) 0.1 * variance
          || best < system->cost + VG_PERFUSION_AS_WELL * variance)
        break;
      vg_perfusion_place_copy (from, to);
    }
  return best;
}

/* The others' least cost with X's rate FAST held, to first order from X: moves
 * X there, PATH: by how much, added up.  VALUE: of the parameters there. */
VG_SCALAR VgPerfusionReal
vg_perfusion_exchange_slice (const VgPerfusionTask *task, int fast, const VG_PERFUSION_SAMPLE *y, long stride, VgPerfusionReal *x,
                             VgPerfusionReal *path, VgPerfusionReal yy, VgPerfusionSystem *s, VgPerfusionReal *value)
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

      if (q != fast && !(x[q] <= vg_perfusion_general_bound (task, q, 0) && d[at] < 0) && !(x[q] >= vg_perfusion_general_bound (task, q, 1) && d[at] > 0))
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
      VgPerfusionReal low = vg_perfusion_general_bound (task, q, 0), high = vg_perfusion_general_bound (task, q, 1);

      cost -= step * s->g[q + 2];
      step = step > (VgPerfusionReal) 0.5 ? (VgPerfusionReal) 0.5 : step < (VgPerfusionReal) -0.5 ? (VgPerfusionReal) -0.5 : step;
      path[q] += step;
      if (step != 0)
        x[q] = x[q] + step < low ? low : x[q] + step > high ? high : x[q] + step;
    }
  a = s->a + d[0];
  b = s->b + d[1];
  vg_perfusion_general_values (task->model, a > 0 ? a : s->a, b > 0 ? b : s->b, x, value);
  return cost;
}

/* Errors of VALUE and ERROR (of the curvature) along the faster rate. */
VG_SCALAR void
vg_perfusion_exchange_spread (const VgPerfusionTask *task, const VgPerfusionReal *x, const VgPerfusionSystem *system, const VG_PERFUSION_SAMPLE *y,
                              long stride, VgPerfusionReal yy, VgPerfusionReal variance, const VgPerfusionReal *value, VgPerfusionReal *error)
{
  enum { N = VG_PERFUSION_ALL, VALUES = VG_PERFUSION_GENERAL_VALUES };
  const VgPerfusionReal h = (VgPerfusionReal) 1e-3;
  const int fast = x[VG_PERFUSION_LOG_K1] > x[VG_PERFUSION_LOG_K2] ? VG_PERFUSION_LOG_K1 : VG_PERFUSION_LOG_K2;
  VgPerfusionReal along[N], sum[VALUES], own[VALUES], up[VALUES], down[VALUES], at[VG_PERFUSION_UNKNOWNS], path[VG_PERFUSION_UNKNOWNS];
  VgPerfusionReal weights = 1, deviation, step;
  VgPerfusionSystem s = *system;

  for (int q = 0; q < N; q++)
    along[q] = q == fast + 2;
  vg_perfusion_eliminate (s.m, along, N, N);
  if (!(along[fast + 2] > 0))
    return;
  deviation = sqrt (variance * along[fast + 2]);
  step = (VgPerfusionReal) 0.7 * deviation < (VgPerfusionReal) 0.5 ? (VgPerfusionReal) 0.7 * deviation : (VgPerfusionReal) 0.5;
  if (!(step > (VgPerfusionReal) 0.03))
    return;   /* a parabola */
  for (int q = 0; q < N; q++)
    along[q] /= deviation * deviation / variance;
  for (int q = 0; q < VG_PERFUSION_UNKNOWNS; q++)
    at[q] = x[q] + h * along[q + 2];
  vg_perfusion_general_values (task->model, system->a + h * along[0], system->b + h * along[1], at, up);
  for (int q = 0; q < VG_PERFUSION_UNKNOWNS; q++)
    at[q] = x[q] - h * along[q + 2];
  vg_perfusion_general_values (task->model, system->a - h * along[0], system->b - h * along[1], at, down);
  for (int k = 0; k < VALUES; k++)
    {
      own[k] = (up[k] - down[k]) / (2 * h) * deviation;   /* the part of the error that is along the rate */
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
              VgPerfusionReal low = vg_perfusion_general_bound (task, q, 0), high = vg_perfusion_general_bound (task, q, 1), move = path[q];

              move = q == fast ? side * step : move > (VgPerfusionReal) 0.5 ? (VgPerfusionReal) 0.5 : move < (VgPerfusionReal) -0.5 ? (VgPerfusionReal) -0.5 : move;
              if (vg_perfusion_moves (task, q))
                at[q] = at[q] + move < low ? low : at[q] + move > high ? high : at[q] + move;
            }
          if (task->dual && task->bounds.delays == VG_PERFUSION_DELAYS_SHARED)
            at[VG_PERFUSION_TP] = at[VG_PERFUSION_TA];
          last = at[fast] >= task->bounds.log_k_max || at[fast] <= at[1 - fast];
          cost = vg_perfusion_exchange_slice (task, fast, y, stride, at, path, yy, &s, up);
          if (cost < (VgPerfusionReal) 0.98 * system->cost)
            cost = s.cost;
          apart = cost > system->cost ? (cost - system->cost) / variance : 0;
          if (!(s.a > 0) || !(s.b > 0) || last)
            {
              /* the values have no bound there */
              for (int k = VG_PERFUSION_FIT_FLOW; k <= VG_PERFUSION_FIT_PLASMA && apart < 4; k++)
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

      error[k] = sqrt ((rest > 0 ? rest : 0) + sum[k] / weights);   /* NaN stays */
    }
}

/* Replaces the errors from the curvature in OUT.  Returns the parameters that are not determined, bits by
 * VG_PERFUSION_FIT_*. */
VG_SCALAR int
vg_perfusion_exchange_errors (const VgPerfusionTask *task, const VgPerfusionReal *x, const VgPerfusionSystem *system, const VG_PERFUSION_SAMPLE *y,
                              long stride, VgPerfusionReal yy, const VgPerfusionEnds *ends, int used, VgPerfusionGeneral *out)
{
  enum { FLOW = VG_PERFUSION_FIT_FLOW, PS = VG_PERFUSION_FIT_EXCHANGE, VP = VG_PERFUSION_FIT_PLASMA, VE = VG_PERFUSION_FIT_INTERSTITIUM };
  VgPerfusionReal other[VG_PERFUSION_GENERAL_VALUES], variance, flow, low, high, part;
  const VgPerfusionReal alone = task->dual ? VG_PERFUSION_AS_WELL_DUAL : VG_PERFUSION_AS_WELL;
  int free = 2, unknown = 0;

  for (int q = 0; q < VG_PERFUSION_UNKNOWNS; q++)
    free += vg_perfusion_moves (task, q);
  variance = used > free ? system->cost / (used - free) : (VgPerfusionReal) NAN;
  if (!(system->a > 0) || !(system->b > 0) || !(variance > 0))
    return VG_PERFUSION_EXCHANGE_UNKNOWN;
  if (vg_perfusion_exchange_alone (task, x, system, y, stride, yy, variance, &flow) < system->cost + alone * variance)
    {
      unknown = VG_PERFUSION_EXCHANGE_UNKNOWN;
      if (out->error[FLOW] < fabs (flow - out->value[FLOW]) / 2)
        out->error[FLOW] = fabs (flow - out->value[FLOW]) / 2;
    }
  else
    vg_perfusion_exchange_spread (task, x, system, y, stride, yy, variance, out->value, out->error);
  for (int e = 0; e < ends->count; e++)
    {
      const VgPerfusionEnd *end = &ends->end[e];

      if (!(end->cost > system->cost) || !(end->cost < system->cost + VG_PERFUSION_AS_WELL * variance) || !(end->a > 0) || !(end->b > 0))
        continue;
      vg_perfusion_general_values (task->model, end->a, end->b, end->x, other);
      for (int k = 0; k < VG_PERFUSION_GENERAL_VALUES; k++)
        if (out->error[k] < fabs (other[k] - out->value[k]) / 2)
          out->error[k] = fabs (other[k] - out->value[k]) / 2;
    }
  /* the error of the extraction PS / (F + PS) is nearly symmetric; with only one compartment the extraction
   * is 1 */
  flow = out->value[FLOW];
  part = out->value[PS] / (out->value[PS] + flow);
  high = part + 2 * out->error[PS] * flow / ((out->value[PS] + flow) * (out->value[PS] + flow));
  low = 2 * part - high > 0 ? 2 * part - high : 0;
  if (!(high < 1))
    unknown |= 1 << PS;
  else
    {
      high = flow * high / (1 - high) - out->value[PS];
      low = out->value[PS] - flow * low / (1 - low);
      out->error[PS] = (high > low ? high : low) / 2;
    }
  /* the extraction is a share of the flow, so it is not determined without the flow */
  if (!(out->error[FLOW] < out->value[FLOW] / 2))
    unknown |= 1 << FLOW | 1 << PS;
  if (!(out->error[VP] < out->value[VP] / 2) && !(out->error[VP] < (VgPerfusionReal) 0.05))
    unknown |= 1 << VP;
  if (!(out->error[VE] < out->value[VE] / 2) && !(out->error[VE] < (VgPerfusionReal) 0.05))
    unknown |= 1 << VE;
  if (task->dual && !(out->error[VG_PERFUSION_FIT_FRACTION] < (VgPerfusionReal) 0.288675135))
    unknown |= 1 << VG_PERFUSION_FIT_FRACTION;
  return unknown;
}
