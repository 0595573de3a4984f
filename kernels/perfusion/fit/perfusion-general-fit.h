/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/perfusion/fit/perfusion-general.h"
/* The descent and the results of the models of perfusion-general.h, for both backends. */

typedef struct
{
  int iterations;
  VgPerfusionReal tolerance;
} VgPerfusionDescent;

/* Descends from X to a minimum; X and SYSTEM receive it.  Returns the number of passes over the
 * frames, negative if not converged. */
VG_SCALAR int
vg_perfusion_general_descend (const VgPerfusionTask *task, const VgPerfusionDescent *descent,
                              const VG_PERFUSION_SAMPLE *y, long stride, VgPerfusionReal yy,
                              VgPerfusionReal *x, VgPerfusionSystem *system)
{
  const VgPerfusionReal floor_part = sizeof (VgPerfusionReal) > 4 ? (VgPerfusionReal) 1e-14
                                                                  : (VgPerfusionReal) 1e-8;
  VgPerfusionReal lambda = (VgPerfusionReal) 1e-3, trial[VG_PERFUSION_UNKNOWNS];
  VgPerfusionSystem next;
  int passes = 1;

  vg_perfusion_general_system (task, x, y, stride, system);
  for (; passes <= descent->iterations; passes++)
    {
      for (int q = 0; q < VG_PERFUSION_UNKNOWNS; q++)
        trial[q] = x[q];
      if (!(vg_perfusion_general_step (task, system, lambda, trial) >
            descent->tolerance * system->cost + floor_part * yy) ||
          lambda > 1e8)
        return passes;
      vg_perfusion_general_system (task, trial, y, stride, &next);
      if (next.cost < system->cost)
        {
          *system = next;
          for (int q = 0; q < VG_PERFUSION_UNKNOWNS; q++)
            x[q] = trial[q];
          lambda = lambda > (VgPerfusionReal) 1e-8 ? lambda / 10 : lambda;
        }
      else
        lambda = (lambda > (VgPerfusionReal) 1e-4 ? lambda : (VgPerfusionReal) 1e-4) * 10;
    }
  return -passes;
}

/* The distance of two grid points from which descents may end in different minima. For the
 * exchange model with two inputs, groups differ in the arterial fraction. */
VG_SCALAR int
vg_perfusion_general_apart (const VgPerfusionTask *task, const double *x, const double *y)
{
  if (task->model == 4 && task->dual)
    return x[VG_PERFUSION_SHARE] != y[VG_PERFUSION_SHARE];
  if (!vg_perfusion_moves (task, VG_PERFUSION_LOG_K1))
    return fabs (x[VG_PERFUSION_TA] - y[VG_PERFUSION_TA]) > 2;
  return fabs (x[VG_PERFUSION_LOG_K1] - y[VG_PERFUSION_LOG_K1]) > 1 ||
         fabs (x[VG_PERFUSION_LOG_K2] - y[VG_PERFUSION_LOG_K2]) > 1;
}

/* Finds the best grid point, and the best one apart from it, among the best of each group, given
 * by its SCORE and its index WHERE.  Returns how many there are. */
VG_SCALAR int
vg_perfusion_general_starts (const VgPerfusionTask *task, const double *points, int groups,
                             const float *score, const int *where, int *starts)
{
  int best = 0, second = -1;

  for (int g = 1; g < groups; g++)
    if (score[g] > score[best])
      best = g;
  for (int g = 0; g < groups; g++)
    if (vg_perfusion_general_apart (task, points + where[g] * VG_PERFUSION_UNKNOWNS,
                                    points + where[best] * VG_PERFUSION_UNKNOWNS) &&
        (second < 0 || score[g] > score[second]))
      second = g;
  starts[0] = where[best];
  starts[1] = second < 0 ? -1 : where[second];
  return second < 0 ? 1 : 2;
}

/* The lower of the minima from N (1 or 2) of STARTS, as vg_perfusion_general_descend; the first
 * if both are the same within the tolerance of a descent. */
VG_SCALAR int
vg_perfusion_general_minimum (const VgPerfusionTask *task, const VgPerfusionDescent *descent,
                              const VG_PERFUSION_SAMPLE *y, long stride, VgPerfusionReal yy,
                              const double *points, const int *starts, int n, VgPerfusionReal *x,
                              VgPerfusionSystem *system)
{
  VgPerfusionReal other[VG_PERFUSION_UNKNOWNS], cost;
  int passes, more, all;

  for (int q = 0; q < VG_PERFUSION_UNKNOWNS; q++)
    x[q] = (VgPerfusionReal) points[starts[0] * VG_PERFUSION_UNKNOWNS + q];
  passes = vg_perfusion_general_descend (task, descent, y, stride, yy, x, system);
  if (n < 2)
    return passes;
  cost = system->cost;
  for (int q = 0; q < VG_PERFUSION_UNKNOWNS; q++)
    other[q] = (VgPerfusionReal) points[starts[1] * VG_PERFUSION_UNKNOWNS + q];
  more = vg_perfusion_general_descend (task, descent, y, stride, yy, other, system);
  all = (passes < 0 ? -passes : passes) + (more < 0 ? -more : more);
  if (!(system->cost < cost * (1 - descent->tolerance)))
    {
      if (more > 0 && system->cost <= cost * (1 + descent->tolerance))
        passes = more; /* The second descent has confirmed this minimum. */
      vg_perfusion_general_system (task, x, y, stride, system);
      return passes < 0 ? -all : all;
    }
  for (int q = 0; q < VG_PERFUSION_UNKNOWNS; q++)
    x[q] = other[q];
  return more < 0 ? -all : all;
}

enum { VG_PERFUSION_GENERAL_VALUES = 7 };

/* Values and standard errors in the order of VG_PERFUSION_FIT_*, rates in 1/s, with the buffers
 * of their computation.  nvcc 13.0 assigns a separate buffer the memory of the errors. */
typedef struct
{
  VgPerfusionReal value[VG_PERFUSION_GENERAL_VALUES], error[VG_PERFUSION_GENERAL_VALUES];
  VgPerfusionReal m[VG_PERFUSION_HALF];
} VgPerfusionGeneral;

/* Computes errors from the derivatives of the values by amounts and parameters; infinity for a
 * fitted delay without effect, such as the portal vein's if the arterial fraction is 1. */
VG_PERFUSION_NOINLINE void
vg_perfusion_general_results (const VgPerfusionTask *task, const VgPerfusionReal *x,
                              const VgPerfusionSystem *system, int used, VgPerfusionGeneral *out)
{
  enum { N = VG_PERFUSION_ALL, VALUES = VG_PERFUSION_GENERAL_VALUES, AT_A = 3, AT_P = 4 };
  VgPerfusionReal slope[N][VALUES], s[N], at[N], variance;
  int unknowns = (system->a > 0) + (system->b > 0);

  for (int q = 0; q < VG_PERFUSION_UNKNOWNS; q++)
    unknowns += vg_perfusion_moves (task, q);
  variance = used > unknowns ? system->cost / (used - unknowns) : (VgPerfusionReal) NAN;
  at[0] = system->a;
  at[1] = system->b;
  for (int q = 0; q < VG_PERFUSION_UNKNOWNS; q++)
    at[q + 2] = x[q];
  vg_perfusion_general_values (task->model, at[0], at[1], at + 2, out->value);
  VG_PERFUSION_LOOP
  for (int q = 0; q < N; q++)
    {
      VgPerfusionReal keep = at[q],
                      h = (VgPerfusionReal) 1e-4 * (fabs (keep) > 1 ? fabs (keep)
                                                    : q < 2         ? keep
                                                                    : 1),
                      up[VALUES], down[VALUES];

      h = h > 0 ? h : (VgPerfusionReal) 1e-6;
      at[q] = keep + h;
      vg_perfusion_general_values (task->model, at[0], at[1], at + 2, up);
      at[q] = keep - h;
      vg_perfusion_general_values (task->model, at[0], at[1], at + 2, down);
      at[q] = keep;
      for (int k = 0; k < VALUES; k++)
        slope[q][k] = (up[k] - down[k]) / (2 * h);
    }
  for (int q = 0; q < VG_PERFUSION_HALF; q++)
    out->m[q] = system->m[q];
  vg_perfusion_decompose (out->m);
  VG_PERFUSION_LOOP
  for (int k = 0; k < VALUES; k++)
    {
      VgPerfusionReal sum = 0;

      for (int q = 0; q < N; q++)
        {
          /* Only fitted parameters have an error. */
          int fitted = q == 0   ? system->a > 0
                       : q == 1 ? system->b > 0
                                : vg_perfusion_moves (task, q - 2);

          s[q] = fitted ? slope[q][k] : 0;
          at[q] = s[q];
        }
      vg_perfusion_substitute (out->m, s);
      for (int q = 0; q < N; q++)
        sum += at[q] * s[q];
      out->error[k] = sum > 0 ? sqrt (variance * sum) : (VgPerfusionReal) NAN;
      if (!(sum > 0) && ((k == AT_A && vg_perfusion_moves (task, VG_PERFUSION_TA)) ||
                         (k == AT_P && vg_perfusion_moves (task, VG_PERFUSION_TP))))
        out->error[k] = (VgPerfusionReal) INFINITY;
    }
  if (task->dual && task->bounds.delays == VG_PERFUSION_DELAYS_SHARED)
    out->error[AT_P] = out->error[AT_A];
}

/* The parameters at their bounds: bits, VG_PERFUSION_REMARK_*. */
VG_SCALAR int
vg_perfusion_general_remarks (const VgPerfusionTask *task, const VgPerfusionReal *x,
                              const VgPerfusionSystem *system)
{
  int remarks = (system->a > 0 ? 0 : VG_PERFUSION_REMARK_FIRST_0) |
                (system->b > 0 ? 0 : VG_PERFUSION_REMARK_SECOND_0);

  for (int q = 0; q < VG_PERFUSION_UNKNOWNS; q++)
    {
      /* Both rates share one bit. */
      int low = q <= VG_PERFUSION_LOG_K2 ? VG_PERFUSION_REMARK_RATE_LOW
                                         : VG_PERFUSION_REMARK_RATE_LOW << 2 * (q - 1);

      if (!vg_perfusion_moves (task, q))
        continue;
      remarks |= x[q] <= vg_perfusion_general_bound (task, q, 0)   ? low
                 : x[q] >= vg_perfusion_general_bound (task, q, 1) ? low << 1
                                                                   : 0;
    }
  return remarks;
}
