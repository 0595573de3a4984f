/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/perfusion/fit/perfusion-exchange-pass.h"
#include "kernels/perfusion/fit/perfusion-general-fit.h"
#include "kernels/perfusion/model/perfusion-problem.h"
/* The fit of the exchange model, for both backends.  If flow limits the exchange, the two
 * exponentials are nearly equal: the cost is a curved valley along which the faster rate has
 * little effect, with a minimum at either end.  Therefore:
 *  - The damping follows the ratio of actual and predicted decrease, and a descent ends only if
 * an undamped step predicts none.
 *  - At its end, other values of each rate are examined with all else to first order, and a
 * second descent starts from the best.
 * The fit is a search that states where it needs its next pass over the frames.  It then takes
 * the products of that pass (perfusion-exchange-search.h).  The GPU can thus make passes for many
 * voxels together, whatever each of them searches for. */

/* The end of a descent. */
typedef struct
{
  VgPerfusionReal x[VG_PERFUSION_UNKNOWNS], a, b, cost;
} VgPerfusionEnd;

enum { VG_PERFUSION_MAX_ENDS = 3 };

typedef struct
{
  int count;
  VgPerfusionEnd end[VG_PERFUSION_MAX_ENDS];
} VgPerfusionEnds;

/* What a search needs next. */
typedef enum {
  /* a pass at `at`: */
  VG_PERFUSION_SEARCH_DESCEND,
  VG_PERFUSION_SEARCH_LOOK,         /* at another rate */
  VG_PERFUSION_SEARCH_ALONE,        /* of one exponential */
  VG_PERFUSION_SEARCH_BESIDE,       /* of a second exponential beside it */
  VG_PERFUSION_SEARCH_BESIDE_AGAIN, /* the same with the parameters that follow from it */
  VG_PERFUSION_SEARCH_OWN,          /* for the errors of one exponential */
  VG_PERFUSION_SEARCH_SLICE,        /* along a parameter */
  VG_PERFUSION_SEARCH_PASSES,
  /* no pass, but a decision: */
  VG_PERFUSION_SEARCH_FOUND = VG_PERFUSION_SEARCH_PASSES, /* the minimum */
  VG_PERFUSION_SEARCH_TOLD,                               /* whether one exponential fits as well */
  VG_PERFUSION_SEARCH_SPREAD,                             /* of the values along a parameter */
  VG_PERFUSION_SEARCH_MIXED, /* the errors of one exponential as well */
  VG_PERFUSION_SEARCH_OVER,
} VgPerfusionSearchPhase;

typedef struct
{
  VgPerfusionSearchPhase phase;
  VgPerfusionReal at[VG_PERFUSION_UNKNOWNS]; /* where the next pass is needed */
  VgPerfusionDescent descent;
  VgPerfusionReal yy; /* the sum of squares of the curve */
  int starts[2], n_starts, started, looked, used;
  /* The present descent: its last accepted point. */
  VgPerfusionReal x[VG_PERFUSION_UNKNOWNS], lambda, grow, gain;
  VgPerfusionSystem system;
  int steps;
  /* The lowest end. */
  VgPerfusionReal best[VG_PERFUSION_UNKNOWNS];
  VgPerfusionSystem lowest;
  VgPerfusionEnds ends;
  int passes, moving, looks;
  /* A list of rates or slices: which is next, of which side. */
  int next, side, held;
  /* The least cost of a list, and its parameters. */
  VgPerfusionReal least, least_x[VG_PERFUSION_UNKNOWNS];
  /* Values and errors, and what the data do not determine: bits by VG_PERFUSION_FIT_*. */
  VgPerfusionGeneral results;
  VgPerfusionReal variance, flow, error[VG_PERFUSION_GENERAL_VALUES];
  int unknown;
  VgPerfusionReal along[VG_PERFUSION_ALL], path[VG_PERFUSION_UNKNOWNS], step, weights,
      sum[VG_PERFUSION_GENERAL_VALUES], own[VG_PERFUSION_GENERAL_VALUES];
} VgPerfusionSearch;

/* The rates that are examined: their number, the distance of the highest from its bound in
 * logarithms, and their spacing. */
#define VG_PERFUSION_EXAMINED_RATES 9
#define VG_PERFUSION_EXAMINED_FIRST 0.5
#define VG_PERFUSION_LOOK_STEP 0.8
/* A starting point is used if its predicted cost is below this times the present cost. */
#define VG_PERFUSION_EXAMINED_FACTOR 1.3
/* Two exponentials count as one if the logarithms of their rates differ by less. */
#define VG_PERFUSION_MERGED 0.3

VG_SCALAR void
vg_perfusion_copy_unknowns (VgPerfusionReal *to, const VgPerfusionReal *from)
{
  VG_PERFUSION_UNROLL
  for (int q = 0; q < VG_PERFUSION_UNKNOWNS; q++)
    to[q] = from[q];
}

/* The logarithm of an examined rate. */
VG_SCALAR VgPerfusionReal
vg_perfusion_examined (const VgPerfusionTask *task, int i)
{
  return task->bounds.log_k_max - (VgPerfusionReal) VG_PERFUSION_EXAMINED_FIRST -
         i * (VgPerfusionReal) VG_PERFUSION_LOOK_STEP;
}

VG_SCALAR void
vg_perfusion_search_descend (VgPerfusionSearch *self, const VgPerfusionReal *from)
{
  vg_perfusion_copy_unknowns (self->at, from);
  self->steps = 0;
  self->phase = VG_PERFUSION_SEARCH_DESCEND;
}

VG_SCALAR void
vg_perfusion_search_start (VgPerfusionSearch *self, const double *points)
{
  const double *from = points + self->starts[self->started++] * VG_PERFUSION_UNKNOWNS;
  VgPerfusionReal x[VG_PERFUSION_UNKNOWNS];

  for (int q = 0; q < VG_PERFUSION_UNKNOWNS; q++)
    x[q] = (VgPerfusionReal) from[q];
  vg_perfusion_search_descend (self, x);
}

/* Begins the search for the lowest minimum from the N best of STARTS: with one input the first;
 * with two inputs, whose arterial fraction has minima of its own, both.  From the best end it
 * examines other rates.  N 1: from the first start alone.  USED: the number of frames with a
 * weight. */
VG_SCALAR void
vg_perfusion_search_begin (VgPerfusionSearch *self, const VgPerfusionDescent *descent,
                           const double *points, const int *starts, int n, VgPerfusionReal yy,
                           int used)
{
  self->descent = *descent;
  self->yy = yy;
  self->starts[0] = starts[0];
  self->starts[1] = starts[1];
  self->n_starts = n;
  self->used = used;
  self->started = self->looked = self->passes = self->moving = self->looks = self->unknown = 0;
  self->ends.count = 0;
  vg_perfusion_search_start (self, points);
}

/* Proceeds to the next rate to examine: the slower rate of the lowest end is retained, and the
 * faster one if it has the larger amount.  FALSE if there is none. */
VG_SCALAR int
vg_perfusion_search_look (const VgPerfusionTask *task, VgPerfusionSearch *self)
{
  const VgPerfusionReal a = self->lowest.a, b = self->lowest.b;
  const int first_slow = self->best[0] < self->best[1],
            one = fabs (self->best[0] - self->best[1]) < VG_PERFUSION_MERGED || !(a > 0) ||
                  !(b > 0);
  const VgPerfusionReal slow = first_slow ? self->best[0] : self->best[1],
                        fast = first_slow ? self->best[1] : self->best[0];
  const int sides = one || !(first_slow ? b > a : a > b) ? 1 : 2;

  for (; self->side < sides; self->side++, self->next = 0)
    {
      VgPerfusionReal kept = self->side ? fast : slow, other = self->side ? slow : fast;

      if (one && a + b > 0)
        kept = (a * self->best[0] + b * self->best[1]) / (a + b);
      while (self->next < VG_PERFUSION_EXAMINED_RATES)
        {
          VgPerfusionReal log_k = vg_perfusion_examined (task, self->next++);

          if (log_k < task->bounds.log_k_min || fabs (log_k - kept) < (VgPerfusionReal) 0.5 ||
              (!one && ((self->side ? log_k > kept : log_k < kept) ||
                        fabs (log_k - other) < (VgPerfusionReal) (VG_PERFUSION_LOOK_STEP / 2))))
            continue;
          vg_perfusion_copy_unknowns (self->at, self->best);
          self->at[VG_PERFUSION_LOG_K1] = kept;
          self->at[VG_PERFUSION_LOG_K2] = log_k;
          self->phase = VG_PERFUSION_SEARCH_LOOK;
          return 1;
        }
    }
  return 0;
}

/* The minimum is found, unless the best examined rate is worth a descent. */
VG_SCALAR void
vg_perfusion_search_looked (VgPerfusionSearch *self)
{
  self->phase = VG_PERFUSION_SEARCH_FOUND;
  if (self->least < (VgPerfusionReal) VG_PERFUSION_EXAMINED_FACTOR * self->lowest.cost)
    vg_perfusion_search_descend (self, self->least_x);
}

/* A descent ends; a second end of equal cost confirms the minimum. */
VG_SCALAR void
vg_perfusion_search_end (const VgPerfusionTask *task, const double *points, int moving,
                         VgPerfusionSearch *self)
{
  VgPerfusionEnd *end = &self->ends.end[self->ends.count++];
  const VgPerfusionReal cost = self->system.cost, tolerance = self->descent.tolerance;

  self->passes += self->steps;
  vg_perfusion_copy_unknowns (end->x, self->x);
  end->a = self->system.a;
  end->b = self->system.b;
  end->cost = cost;
  if (self->ends.count == 1 || cost < self->lowest.cost * (1 - tolerance))
    {
      self->lowest = self->system;
      vg_perfusion_copy_unknowns (self->best, self->x);
      self->moving = moving;
    }
  else if (!moving && cost <= self->lowest.cost * (1 + tolerance))
    self->moving = 0;
  if (self->started < (task->dual ? self->n_starts : 1))
    {
      vg_perfusion_search_start (self, points);
      return;
    }
  self->phase = VG_PERFUSION_SEARCH_FOUND;
  if (self->n_starts < 2 || self->looked)
    return;
  self->looked = 1;
  self->next = self->side = 0;
  self->least = (VgPerfusionReal) INFINITY;
  vg_perfusion_search_look (task, self);
}

/* Accepts or rejects the trial of a descent, whose equations are NEXT, and proposes another
 * (damping after Nielsen). */
VG_SCALAR void
vg_perfusion_search_take_descent (const VgPerfusionTask *task, const double *points,
                                  const VgPerfusionSystem *next, VgPerfusionSearch *self)
{
  const VgPerfusionReal floor_part = (VgPerfusionReal) 1e-14;
  const int first = self->steps == 0;

  if (first)
    {
      self->lambda = (VgPerfusionReal) 1e-3;
      self->grow = 2;
    }
  if (first || next->cost < self->system.cost)
    {
      if (!first)
        {
          VgPerfusionReal kept = 2 * (self->system.cost - next->cost) / self->gain - 1,
                          factor = 1 - kept * kept * kept;

          self->lambda *= factor > 2                       ? 2
                          : factor > (VgPerfusionReal) 0.1 ? factor
                                                           : (VgPerfusionReal) 0.1;
          self->grow = 2;
        }
      self->system = *next;
      vg_perfusion_copy_unknowns (self->x, self->at);
    }
  else
    {
      self->lambda *= self->grow;
      self->grow *= 2;
    }
  if (++self->steps > self->descent.iterations)
    {
      vg_perfusion_search_end (task, points, 1, self);
      return;
    }
  vg_perfusion_copy_unknowns (self->at, self->x);
  self->gain = vg_perfusion_general_step (task, &self->system, 0, self->at);
  if (!(self->gain > self->descent.tolerance * self->system.cost + floor_part * self->yy) ||
      self->lambda > 1e8)
    {
      vg_perfusion_search_end (task, points, 0, self);
      return;
    }
  vg_perfusion_copy_unknowns (self->at, self->x);
  self->gain = vg_perfusion_general_step (task, &self->system, self->lambda, self->at);
}

/* The least cost at another rate to first order is COST, with amounts and changes D (times the
 * first amount). */
VG_SCALAR void
vg_perfusion_search_take_look (const VgPerfusionTask *task, const VgPerfusionReal *d,
                               VgPerfusionReal cost, VgPerfusionSearch *self)
{
  self->looks++;
  cost = cost > 0 ? cost : 0;
  if (d[0] > 0 && d[1] > 0 && cost < self->least)
    {
      VgPerfusionReal moves[VG_PERFUSION_UNKNOWNS];

      for (int q = 0; q < VG_PERFUSION_UNKNOWNS; q++)
        moves[q] = d[q + 2] / d[0];
      self->least = cost;
      vg_perfusion_copy_unknowns (self->least_x, self->at);
      vg_perfusion_move (task, self->least_x, moves, 1, 2, (VgPerfusionReal) 0.5);
    }
  if (!vg_perfusion_search_look (task, self))
    vg_perfusion_search_looked (self);
}
