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
 * second descent starts from the best. */

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
  for (int q = 0; q < VG_PERFUSION_UNKNOWNS; q++)
    to[q] = from[q];
}

/* X with MOVE added to its parameter Q, within the bounds. */
VG_SCALAR VgPerfusionReal
vg_perfusion_moved (const VgPerfusionTask *task, const VgPerfusionReal *x, int q,
                    VgPerfusionReal move)
{
  VgPerfusionReal low = vg_perfusion_general_bound (task, q, 0),
                  high = vg_perfusion_general_bound (task, q, 1);

  return !vg_perfusion_moves (task, q) ? x[q]
         : x[q] + move < low           ? low
         : x[q] + move > high          ? high
                                       : x[q] + move;
}

/* As vg_perfusion_general_descend; damping after Nielsen. */
VG_PERFUSION_NOINLINE int
vg_perfusion_exchange_descend (const VgPerfusionTask *task, const VgPerfusionDescent *descent,
                               const VG_PERFUSION_SAMPLE *y, long stride, VgPerfusionReal yy,
                               VgPerfusionReal *x, VgPerfusionSystem *system)
{
  const VgPerfusionReal floor_part = (VgPerfusionReal) 1e-14;
  VgPerfusionReal lambda = (VgPerfusionReal) 1e-3, grow = 2, trial[VG_PERFUSION_UNKNOWNS], gain;
  VgPerfusionSystem next;
  int passes = 1;

  vg_perfusion_exchange_system (task, x, y, stride, yy, system);
  for (; passes <= descent->iterations; passes++)
    {
      vg_perfusion_copy_unknowns (trial, x);
      gain = vg_perfusion_general_step (task, system, 0, trial);
      if (!(gain > descent->tolerance * system->cost + floor_part * yy) || lambda > 1e8)
        return passes;
      vg_perfusion_copy_unknowns (trial, x);
      gain = vg_perfusion_general_step (task, system, lambda, trial);
      vg_perfusion_exchange_system (task, trial, y, stride, yy, &next);
      if (next.cost < system->cost)
        {
          VgPerfusionReal kept = 2 * (system->cost - next.cost) / gain - 1,
                          factor = 1 - kept * kept * kept;

          lambda *= factor > 2                       ? 2
                    : factor > (VgPerfusionReal) 0.1 ? factor
                                                     : (VgPerfusionReal) 0.1;
          grow = 2;
          *system = next;
          vg_perfusion_copy_unknowns (x, trial);
        }
      else
        {
          lambda *= grow;
          grow *= 2;
        }
    }
  return -passes;
}

/* The normal matrix and gradient of one exponential at X's first rate and, if SECOND, another at
 * its second rate, with that rate fixed and all else to first order.  Amounts come first; changes
 * of the parameters are multiplied by the first amount. */
VG_PERFUSION_NOINLINE void
vg_perfusion_exchange_beside (const VgPerfusionTask *task, const VgPerfusionReal *x, int second,
                              const VG_PERFUSION_SAMPLE *y, long stride, VgPerfusionSystem *s)
{
  VgPerfusionProducts products;

  vg_perfusion_exchange_products (task, x, y, stride, &products);
  vg_perfusion_exchange_normal (task, x, &products, 1, 0, 0, 0, s);
  s->a = 1;
  s->b = second;
  vg_perfusion_complete (task, s);
}

/* The least cost of one exponential at X's first rate and, if SECOND, another at its second rate,
 * with that rate fixed and all else to first order; infinity if an amount is negative.  OWN: the
 * first exponential's amount; FLOW: the sum of the amounts; TO receives the parameters there. */
VG_SCALAR VgPerfusionReal
vg_perfusion_exchange_examine (const VgPerfusionTask *task, const VgPerfusionReal *x, int second,
                               const VG_PERFUSION_SAMPLE *y, long stride, VgPerfusionReal yy,
                               VgPerfusionReal *own, VgPerfusionReal *flow, VgPerfusionReal *to)
{
  VgPerfusionReal d[VG_PERFUSION_ALL], cost = yy;
  VgPerfusionSystem s;

  vg_perfusion_exchange_beside (task, x, second, y, stride, &s);
  *own = s.m[0] > 0 ? yy - s.g[0] * s.g[0] / s.m[0] : yy;
  for (int q = 0; q < VG_PERFUSION_ALL; q++)
    d[q] = s.g[q];
  vg_perfusion_eliminate (s.m, d, VG_PERFUSION_ALL, VG_PERFUSION_ALL);
  *flow = d[0] + (second ? d[1] : 0);
  if (!(d[0] > 0) || (second && !(d[1] > 0)))
    return (VgPerfusionReal) INFINITY;
  for (int q = 0; q < VG_PERFUSION_ALL; q++)
    cost -= d[q] * s.g[q];
  for (int q = 0; q < VG_PERFUSION_UNKNOWNS; q++)
    {
      VgPerfusionReal most = q <= VG_PERFUSION_LOG_K2 ? 1
                             : q <= VG_PERFUSION_TP   ? 2
                                                      : (VgPerfusionReal) 0.5,
                      move = d[q + 2] / d[0];

      to[q] = vg_perfusion_moved (task, x, q, move > most ? most : move < -most ? -most : move);
    }
  if (task->dual && task->bounds.delays == VG_PERFUSION_DELAYS_SHARED)
    to[VG_PERFUSION_TP] = to[VG_PERFUSION_TA];
  return cost > 0 ? cost : 0;
}

/* The lowest cost that vg_perfusion_exchange_examine finds from the end X with another value of one
 * of its two rates; START receives its parameters.  The slower rate is retained, and the faster
 * one if it has the larger amount. */
VG_SCALAR VgPerfusionReal
vg_perfusion_exchange_other (const VgPerfusionTask *task, const VgPerfusionReal *x,
                             const VgPerfusionSystem *system, const VG_PERFUSION_SAMPLE *y,
                             long stride, VgPerfusionReal yy, VgPerfusionReal *start, int *looks)
{
  const int slow = x[VG_PERFUSION_LOG_K1] < x[VG_PERFUSION_LOG_K2] ? VG_PERFUSION_LOG_K1
                                                                   : VG_PERFUSION_LOG_K2,
            fast = 1 - slow;
  const VgPerfusionReal amount[2] = { system->a, system->b };
  const int one = fabs (x[0] - x[1]) < VG_PERFUSION_MERGED || !(system->a > 0) || !(system->b > 0);
  VgPerfusionReal from[VG_PERFUSION_UNKNOWNS], to[VG_PERFUSION_UNKNOWNS],
      best = (VgPerfusionReal) INFINITY, own, flow;

  vg_perfusion_copy_unknowns (from, x);
  for (int keep = 0; keep < (one || !(amount[fast] > amount[slow]) ? 1 : 2); keep++)
    {
      VgPerfusionReal kept = keep ? x[fast] : x[slow], other = keep ? x[slow] : x[fast];

      if (one && system->a + system->b > 0)
        kept = (system->a * x[0] + system->b * x[1]) / (system->a + system->b);
      from[VG_PERFUSION_LOG_K1] = kept;
      for (int c = 0; c < VG_PERFUSION_EXAMINED_RATES; c++)
        {
          VgPerfusionReal log_k = task->bounds.log_k_max -
                                  (VgPerfusionReal) VG_PERFUSION_EXAMINED_FIRST -
                                  c * (VgPerfusionReal) VG_PERFUSION_LOOK_STEP,
                          here;

          if (log_k < task->bounds.log_k_min || fabs (log_k - kept) < (VgPerfusionReal) 0.5 ||
              (!one && ((keep ? log_k > kept : log_k < kept) ||
                        fabs (log_k - other) < (VgPerfusionReal) (VG_PERFUSION_LOOK_STEP / 2))))
            continue;
          from[VG_PERFUSION_LOG_K2] = log_k;
          here = vg_perfusion_exchange_examine (task, from, 1, y, stride, yy, &own, &flow, to);
          ++*looks;
          if (here < best)
            {
              best = here;
              vg_perfusion_copy_unknowns (start, to);
            }
        }
    }
  return best;
}

/* Descends from FROM.  X, SYSTEM and MOVING belong to the lowest end so far; TRIAL is a buffer.
 * A second end of equal cost confirms the minimum. */
VG_SCALAR void
vg_perfusion_exchange_follow (const VgPerfusionTask *task, const VgPerfusionDescent *descent,
                              const VG_PERFUSION_SAMPLE *y, long stride, VgPerfusionReal yy,
                              VgPerfusionReal *from, VgPerfusionReal *x, VgPerfusionSystem *system,
                              VgPerfusionSystem *trial, VgPerfusionEnds *ends, int *passes,
                              int *moving)
{
  int more = vg_perfusion_exchange_descend (task, descent, y, stride, yy, from, trial);
  VgPerfusionEnd *end = &ends->end[ends->count++];

  *passes += more < 0 ? -more : more;
  vg_perfusion_copy_unknowns (end->x, from);
  end->a = trial->a;
  end->b = trial->b;
  end->cost = trial->cost;
  if (ends->count == 1 || trial->cost < system->cost * (1 - descent->tolerance))
    {
      *system = *trial;
      vg_perfusion_copy_unknowns (x, from);
      *moving = more < 0;
    }
  else if (more > 0 && trial->cost <= system->cost * (1 + descent->tolerance))
    *moving = 0;
}

/* Finds the lowest minimum from the N best of STARTS: with one input the first; with two inputs,
 * whose arterial fraction has minima of its own, both.  From the best end it examines other
 * rates.  N 1: from the first start alone.  Returns the number of passes over the frames,
 * negative if not converged. */
VG_SCALAR int
vg_perfusion_exchange_minimum (const VgPerfusionTask *task, const VgPerfusionDescent *descent,
                               const VG_PERFUSION_SAMPLE *y, long stride, VgPerfusionReal yy,
                               const double *points, const int *starts, int n, VgPerfusionReal *x,
                               VgPerfusionSystem *system, VgPerfusionEnds *ends)
{
  VgPerfusionReal from[VG_PERFUSION_UNKNOWNS];
  VgPerfusionSystem trial;
  int passes = 0, moving = 0, looks = 0;

  ends->count = 0;
  for (int s = 0; s < (task->dual ? n : 1); s++)
    {
      for (int q = 0; q < VG_PERFUSION_UNKNOWNS; q++)
        from[q] = (VgPerfusionReal) points[starts[s] * VG_PERFUSION_UNKNOWNS + q];
      vg_perfusion_exchange_follow (task, descent, y, stride, yy, from, x, system, &trial, ends,
                                    &passes, &moving);
    }
  if (n > 1 && vg_perfusion_exchange_other (task, x, system, y, stride, yy, from, &looks) <
                   (VgPerfusionReal) VG_PERFUSION_EXAMINED_FACTOR * system->cost)
    vg_perfusion_exchange_follow (task, descent, y, stride, yy, from, x, system, &trial, ends,
                                  &passes, &moving);
  passes += looks / 2; /* Examining a rate costs half a pass. */
  return moving ? -passes : passes;
}
