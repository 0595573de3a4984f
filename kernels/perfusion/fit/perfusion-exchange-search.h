/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/perfusion/fit/perfusion-exchange-error.h"
/* The search of the exchange model, for both backends: from vg_perfusion_search_begin until its
 * phase is VG_PERFUSION_SEARCH_OVER.  Before VG_PERFUSION_SEARCH_PASSES it needs the products of a
 * pass (vg_perfusion_search_take), otherwise a decision (vg_perfusion_search_decide). */

/* Takes PRODUCTS, of the pass at self->at.  POINTS: the grid of initial values.  DUAL and DELAYS
 * are constants at each call on the GPU. */
VG_PERFUSION_WITHIN void
vg_perfusion_search_take (const VgPerfusionTask *task, const double *points,
                          const VgPerfusionProducts *products, const int dual, const int delays,
                          VgPerfusionSearch *self)
{
  const VgPerfusionSearchPhase phase = self->phase;
  const int alone = phase == VG_PERFUSION_SEARCH_ALONE || phase == VG_PERFUSION_SEARCH_OWN;
  VgPerfusionReal d[VG_PERFUSION_ALL], along[VG_PERFUSION_ALL], cost = self->yy, own;
  VgPerfusionSystem s;

  vg_perfusion_exchange_fill (task, self->at, products, self->yy,
                              phase == VG_PERFUSION_SEARCH_DESCEND ||
                                  phase == VG_PERFUSION_SEARCH_SLICE,
                              !alone, dual, delays, &s);
  if (phase == VG_PERFUSION_SEARCH_DESCEND)
    {
      vg_perfusion_search_take_descent (task, points, &s, self);
      return;
    }
  if (phase == VG_PERFUSION_SEARCH_SLICE)
    {
      vg_perfusion_search_take_slice (task, &s, self);
      return;
    }
  own = s.m[0] > 0 ? cost - s.g[0] * s.g[0] / s.m[0] : cost;
  VG_PERFUSION_UNROLL
  for (int q = 0; q < VG_PERFUSION_ALL; q++)
    {
      d[q] = s.g[q];
      along[q] = q == 1;
    }
  vg_perfusion_decompose (s.m);
  vg_perfusion_substitute (s.m, d);
  VG_PERFUSION_UNROLL
  for (int q = 0; q < VG_PERFUSION_ALL; q++)
    cost -= d[q] * s.g[q];
  if (phase == VG_PERFUSION_SEARCH_LOOK)
    vg_perfusion_search_take_look (task, d, cost, self);
  else if (phase == VG_PERFUSION_SEARCH_ALONE)
    vg_perfusion_search_take_alone (task, d, own, cost, self);
  else if (phase == VG_PERFUSION_SEARCH_OWN)
    vg_perfusion_search_take_own (task, s.m, d[0], self);
  else
    {
      vg_perfusion_substitute (s.m, along);
      vg_perfusion_search_take_beside (task, d, along, cost, self);
    }
}

/* Decides what follows when no pass is needed. */
VG_PERFUSION_NOINLINE void
vg_perfusion_search_decide (const VgPerfusionTask *task, VgPerfusionSearch *self)
{
  const VgPerfusionSystem *lowest = &self->lowest;
  const VgPerfusionReal alone = !task->dual ? VG_PERFUSION_AS_WELL
                                : vg_perfusion_moves (task, VG_PERFUSION_TA)
                                    ? VG_PERFUSION_AS_WELL_DUAL_DELAYS
                                    : VG_PERFUSION_AS_WELL_DUAL;
  VgPerfusionReal *error = self->results.error, missed;
  int free = 2;

  switch (self->phase)
    {
    case VG_PERFUSION_SEARCH_FOUND:
      self->passes += self->looks / 2; /* Examining a rate costs half a pass. */
      vg_perfusion_general_results (task, self->best, lowest, self->used, &self->results);
      for (int q = 0; q < VG_PERFUSION_UNKNOWNS; q++)
        free += vg_perfusion_moves (task, q);
      self->variance = self->used > free ? lowest->cost / (self->used - free)
                                         : (VgPerfusionReal) NAN;
      if (lowest->a > 0 && lowest->b > 0 && self->variance > 0)
        vg_perfusion_search_alone (self);
      else
        {
          self->unknown = VG_PERFUSION_EXCHANGE_UNKNOWN;
          self->phase = VG_PERFUSION_SEARCH_OVER;
        }
      break;
    case VG_PERFUSION_SEARCH_TOLD:
      for (int k = 0; k < VG_PERFUSION_GENERAL_VALUES; k++)
        {
          self->error[k] = error[k];
          self->sum[k] = 0;
        }
      self->weights = 0;
      self->next = 0;
      if (self->least < lowest->cost + alone * self->variance)
        {
          self->unknown = VG_PERFUSION_EXCHANGE_UNKNOWN;
          vg_perfusion_search_beside (task, self);
        }
      else
        vg_perfusion_search_spread (
            task, self->best[0] > self->best[1] ? VG_PERFUSION_LOG_K1 : VG_PERFUSION_LOG_K2, self);
      break;
    case VG_PERFUSION_SEARCH_SPREAD:
      if (task->dual && self->held != VG_PERFUSION_SHARE)
        {
          vg_perfusion_search_spread (task, VG_PERFUSION_SHARE, self);
          break;
        }
      for (int k = 0; k < VG_PERFUSION_GENERAL_VALUES; k++)
        if (k != VG_PERFUSION_FIT_TAU_A)
          error[k] = self->error[k] > error[k] ? self->error[k] : error[k];
      vg_perfusion_search_conclude (task, self);
      break;
    case VG_PERFUSION_SEARCH_MIXED:
      missed = fabs (self->flow - self->results.value[VG_PERFUSION_FIT_FLOW]) / 2;
      if (error[VG_PERFUSION_FIT_FLOW] < missed)
        error[VG_PERFUSION_FIT_FLOW] = missed;
      vg_perfusion_search_conclude (task, self);
      break;
    default:
      break;
    }
}
