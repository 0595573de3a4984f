/* SPDX-License-Identifier: MIT */
/* The preferred model of each voxel on the GPU: all models are fitted one after the other. */
#include "kernels/perfusion/fit/perfusion-device.cuh"

enum { THREADS = 128 };

/* Clears the fits of the models, as those that are fitted alone are cleared. */
__global__ static void
begin (const float *status, float *candidates, gsize count, gsize first, gsize end)
{
  gsize i = first + (gsize) blockIdx.x * THREADS + threadIdx.x;

  if (i < end)
    for (int k = 0; k < VG_PERFUSION_CANDIDATES * VG_PERFUSION_FIT_VALUES; k++)
      {
        int slot = k % VG_PERFUSION_FIT_VALUES;

        candidates[(gsize) k * count + i] = slot < VG_PERFUSION_FIT_STATUS    ? nanf ("")
                                            : slot == VG_PERFUSION_FIT_STATUS ? status[i]
                                                                              : 0;
      }
}

__global__ static void
choose (const float *candidates, float *values, gsize count, gsize first, gsize end, int used,
        double weight_sum, int dual, int delays, double significance)
{
  gsize i = first + (gsize) blockIdx.x * THREADS + threadIdx.x,
        all = (gsize) VG_PERFUSION_FIT_VALUES * count;
  double cost[VG_PERFUSION_CANDIDATES];

  if (i >= end || values[VG_PERFUSION_FIT_STATUS * count + i] != VG_PERFUSION_FITTED)
    return;
  for (int m = 0; m < VG_PERFUSION_CANDIDATES; m++)
    {
      double residual = candidates[(gsize) m * all + VG_PERFUSION_FIT_RESIDUAL * count + i];

      cost[m] = residual * residual * weight_sum;
    }
  VgPerfusionChoice choice = vg_perfusion_choose (cost, used, dual, delays, significance);
  for (int k = 0; k < VG_PERFUSION_FIT_VALUES; k++)
    values[(gsize) k * count + i] = candidates[(gsize) choice.model * all + (gsize) k * count + i];
  values[VG_PERFUSION_FIT_MODEL * count + i] = (float) choice.model;
  values[VG_PERFUSION_FIT_WEIGHT * count + i] = (float) choice.weight;
  values[VG_PERFUSION_FIT_CHANCE * count + i] = (float) choice.chance;
}

gboolean
perfusion_fit_best (PerfusionDevice *self, const VgPerfusionFitOptions *options,
                    double significance, gsize first, gsize count, GError **error)
{
  unsigned blocks = (unsigned) ((count + THREADS - 1) / THREADS);
  const PerfusionTables &t = self->tables;
  gsize all = (gsize) VG_PERFUSION_FIT_VALUES * self->count;
  PerfusionDevice one;

  if (count == 0)
    return TRUE;
  if (!perfusion_reserve_scratch (self, all * VG_PERFUSION_CANDIDATES * sizeof (float), error))
    return FALSE;
  float *candidates = (float *) self->scratch;
  begin<<<blocks, THREADS, 0, self->stream>>> (self->values + VG_PERFUSION_FIT_STATUS * self->count,
                                               candidates, self->count, first, first + count);
  if (!vg_cuda_launched ("begin", error))
    return FALSE;
  one = *self;
  for (int m = 0; m < VG_PERFUSION_CANDIDATES; m++)
    {
      one.values = candidates + (gsize) m * all;
      if (m > 0)
        one.tables = self->others[m];
      if (!(m == 0 ? perfusion_fit_default (&one, options, first, count, error)
                   : perfusion_fit_general (&one, options, first, count, error)))
        return FALSE;
    }
  choose<<<blocks, THREADS, 0, self->stream>>> (candidates, self->values, self->count, first,
                                                first + count, t.used, t.weight_sum64, t.dual,
                                                t.bounds.delays, significance);
  return vg_cuda_launched ("choose", error);
}
