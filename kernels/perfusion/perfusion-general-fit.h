/* SPDX-License-Identifier: MIT */
#pragma once
#include "perfusion-general.h"
/* Descent and results of the models of perfusion-general.h, for both backends. */

typedef struct
{
  int iterations;
  VgPerfusionReal tolerance;
} VgPerfusionDescent;

/* From X down to a minimum; X, SYSTEM: there.  Returns the passes over the
 * frames, negative when it was still moving. */
VG_SCALAR int
vg_perfusion_general_descend (const VgPerfusionTask *task, const VgPerfusionDescent *descent, const VG_PERFUSION_SAMPLE *y, long stride,
                              VgPerfusionReal yy, VgPerfusionReal *x, VgPerfusionSystem *system)
{
  const VgPerfusionReal floor_part = sizeof (VgPerfusionReal) > 4 ? (VgPerfusionReal) 1e-14 : (VgPerfusionReal) 1e-8;
  VgPerfusionReal lambda = (VgPerfusionReal) 1e-3, trial[VG_PERFUSION_UNKNOWNS];
  VgPerfusionSystem next;
  int passes = 1;

  vg_perfusion_general_system (task, x, y, stride, system);
  for (; passes <= descent->iterations; passes++)
    {
      for (int q = 0; q < VG_PERFUSION_UNKNOWNS; q++)
        trial[q] = x[q];
      if (!(vg_perfusion_general_step (task, system, lambda, trial) > descent->tolerance * system->cost + floor_part * yy) || lambda > 1e8)
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

/* Values and standard errors in the order of VG_PERFUSION_FIT_*, rates in
 * 1/s: errors by the values' slopes against amounts and unknowns. */
VG_SCALAR void
vg_perfusion_general_results (const VgPerfusionTask *task, const VgPerfusionReal *x, const VgPerfusionSystem *system, int used,
                              VgPerfusionReal *value, VgPerfusionReal *error)
{
  enum { N = VG_PERFUSION_ALL, VALUES = 7 };
  VgPerfusionReal slope[N][VALUES], m[N * N], s[N], at[N], variance;
  int unknowns = (system->a > 0) + (system->b > 0);

  for (int q = 0; q < VG_PERFUSION_UNKNOWNS; q++)
    unknowns += vg_perfusion_moves (task, q);
  variance = used > unknowns ? system->cost / (used - unknowns) : (VgPerfusionReal) NAN;
  at[0] = system->a;
  at[1] = system->b;
  for (int q = 0; q < VG_PERFUSION_UNKNOWNS; q++)
    at[q + 2] = x[q];
  vg_perfusion_general_values (task->model, at[0], at[1], at + 2, value);
  for (int q = 0; q < N; q++)
    {
      VgPerfusionReal keep = at[q], h = (VgPerfusionReal) 1e-4 * (fabs (keep) > 1 ? fabs (keep) : q < 2 ? keep : 1), up[VALUES], down[VALUES];

      h = h > 0 ? h : (VgPerfusionReal) 1e-6;
      at[q] = keep + h;
      vg_perfusion_general_values (task->model, at[0], at[1], at + 2, up);
      at[q] = keep - h;
      vg_perfusion_general_values (task->model, at[0], at[1], at + 2, down);
      at[q] = keep;
      for (int k = 0; k < VALUES; k++)
        slope[q][k] = (up[k] - down[k]) / (2 * h);
    }
  for (int k = 0; k < VALUES; k++)
    {
      VgPerfusionReal sum = 0;

      for (int q = 0; q < N * N; q++)
        m[q] = system->m[q];
      for (int q = 0; q < N; q++)
        {
          /* only what was fitted has an error */
          int fitted = q == 0 ? system->a > 0 : q == 1 ? system->b > 0 : vg_perfusion_moves (task, q - 2);

          s[q] = fitted ? slope[q][k] : 0;
          at[q] = s[q];
        }
      vg_perfusion_eliminate (m, s, N, N);
      for (int q = 0; q < N; q++)
        sum += at[q] * s[q];
      error[k] = sum > 0 ? sqrt (variance * sum) : (VgPerfusionReal) NAN;
    }
}
