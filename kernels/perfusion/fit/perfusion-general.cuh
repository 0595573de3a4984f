/* SPDX-License-Identifier: MIT */
#pragma once
/* The models with a plasma space on the GPU are fitted in double precision: float has too few
 * digits to separate two exponentials (a quarter of the errors and half of the permeabilities would
 * differ). */
#define VG_PERFUSION_REAL double
#define VG_PERFUSION_SAMPLE float
#include "kernels/perfusion/fit/perfusion-general-fit.h"
#include "kernels/perfusion/fit/perfusion-device.cuh"

__device__ static void
put (int model, int dual, const double *value, const double *error, float *out, gsize stride)
{
  for (int i = 0; i < VG_PERFUSION_FIT_PARAMETERS; i++)
    {
      double scale = i == VG_PERFUSION_FIT_FLOW || i == VG_PERFUSION_FIT_EXCHANGE
                         ? VG_PERFUSION_RATE
                         : 1;
      bool there = i == VG_PERFUSION_FIT_EXCHANGE ? model >= VG_PERFUSION_UPTAKE
                   : i == VG_PERFUSION_FIT_INTERSTITIUM
                       ? model == VG_PERFUSION_EXTENDED_TOFTS || model == VG_PERFUSION_EXCHANGE
                   : i == VG_PERFUSION_FIT_TAU_P || i == VG_PERFUSION_FIT_FRACTION ? dual
                                                                                   : true;

      out[(gsize) i * stride] = there ? (float) (value[i] * scale) : nanf ("");
      out[(gsize) (VG_PERFUSION_FIT_ERRORS + i) * stride] = there ? (float) (error[i] * scale)
                                                                  : nanf ("");
    }
}

/* A finished fit. */
struct GeneralFit
{
  const double *x;
  const VgPerfusionSystem *system;
  const VgPerfusionGeneral *general;
  double yy, mean; /* of the curve: sum of squares, mean */
  int passes, unknown;
};

/* Stores the values of FIT; passes < 0: not converged. */
__device__ static void
put_fit (const PerfusionTables &t, const VgPerfusionTask &task, const GeneralFit &fit,
         float *values, gsize stride)
{
  const VgPerfusionSystem *system = fit.system;
  const double spread = fit.yy - t.weight_sum64 * fit.mean * fit.mean;
  const int bound = vg_perfusion_general_remarks (&task, fit.x, system);

  put (t.model, t.dual, fit.general->value, fit.general->error, values, stride);
  values[VG_PERFUSION_FIT_RESIDUAL * stride] = (float) sqrt (system->cost / t.weight_sum64);
  values[VG_PERFUSION_FIT_R2 * stride] = spread > 0 ? (float) (1 - system->cost / spread)
                                                    : nanf ("");
  values[VG_PERFUSION_FIT_ITERATIONS * stride] = (float) abs (fit.passes);
  values[VG_PERFUSION_FIT_STATUS * stride] = !(system->a > 0) && !(system->b > 0)
                                                 ? VG_PERFUSION_NO_CURVE
                                             : fit.passes < 0 ? VG_PERFUSION_NOT_CONVERGED
                                             : bound & VG_PERFUSION_REMARK_BOUNDS
                                                 ? VG_PERFUSION_AT_BOUND
                                                 : VG_PERFUSION_FITTED;
  values[VG_PERFUSION_FIT_REMARKS * stride] = (float) (bound | fit.unknown
                                                                   << VG_PERFUSION_REMARK_UNKNOWN);
}
