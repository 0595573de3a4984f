/* SPDX-License-Identifier: MIT */
/* The models with a plasma space on the GPU, one thread per voxel, in double precision: float has
 * too few digits to separate two exponentials (a quarter of the errors and half of the
 * permeabilities would differ). */
#define VG_PERFUSION_REAL double
#define VG_PERFUSION_SAMPLE float
#include "kernels/perfusion/fit/perfusion-device.cuh"
#include "kernels/perfusion/fit/perfusion-exchange-error.h"
#include "kernels/perfusion/fit/perfusion-general-fit.h"

enum { THREADS = 128, POINTS_AT_ONCE = 4, PARTS_AT_ONCE = 8 };

/* Finds the best grid point of each group. */
__device__ static void
score_points (const PerfusionTables &t, const float *curve, gsize stride, float *scores, int *where)
{
  for (int from = 0; from < t.points; from += POINTS_AT_ONCE)
    {
      double a[POINTS_AT_ONCE] = {}, b[POINTS_AT_ONCE] = {};
      int points = min ((int) POINTS_AT_ONCE, t.points - from);

      for (int i = 0; i < t.n; i++)
        {
          float y = t.weights[i] > 0 ? curve[(gsize) i * stride] : 0;

#pragma unroll
          for (int k = 0; k < POINTS_AT_ONCE; k++)
            {
              int place = min (from + k, t.points - 1);

              a[k] += (double) t.point_u[(gsize) place * t.n + i] * y;
              b[k] += (double) t.point_v[(gsize) place * t.n + i] * y;
            }
        }
#pragma unroll
      for (int k = 0; k < POINTS_AT_ONCE; k++)
        if (k < points)
          {
            float score = vg_perfusion_pair_score (
                (float) a[k], (float) b[k], t.point_overlap[from + k], t.point_inverse[from + k]);
            int group = (from + k) / t.point_group;

            if ((from + k) % t.point_group == 0 || score > scores[group])
              {
                scores[group] = score;
                where[group] = from + k;
              }
          }
    }
}

/* The same for grid points that share curves. */
__device__ static void
score_pairs (const PerfusionTables &t, const float *curve, gsize stride, float *scores, int *where)
{
  float products[VG_PERFUSION_MAX_PARTS];

  for (int from = 0; from < t.point_parts; from += PARTS_AT_ONCE)
    {
      double sums[PARTS_AT_ONCE] = {};

      for (int i = 0; i < t.n; i++)
        {
          float y = t.weights[i] > 0 ? curve[(gsize) i * stride] : 0;

#pragma unroll
          for (int k = 0; k < PARTS_AT_ONCE; k++)
            sums[k] += (double) t.point_part[(gsize) i * t.point_parts +
                                             min (from + k, t.point_parts - 1)] *
                       y;
        }
#pragma unroll
      for (int k = 0; k < PARTS_AT_ONCE; k++)
        if (from + k < t.point_parts)
          products[from + k] = (float) sums[k];
    }
  for (int c = 0; c < t.points; c++)
    {
      float score = vg_perfusion_point_score (&t.point_pair[c], products);
      int group = c / t.point_group;

      if (c % t.point_group == 0 || score > scores[group])
        {
          scores[group] = score;
          where[group] = c;
        }
    }
}

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

/* The exchange model has a kernel of its own, so that it does not slow down the other models. */
template <bool EXCHANGE>
__global__ static void
__launch_bounds__ (THREADS)
    fit_general (PerfusionTables t, VgPerfusionRange range, VgPerfusionDescent descent,
                 int most_starts, const float *curves, gsize stride, float *values, gsize first,
                 gsize count)
{
  gsize voxel = first + (gsize) blockIdx.x * THREADS + threadIdx.x;
  double x[VG_PERFUSION_UNKNOWNS], yy = 0, sum = 0;
  const float *curve = curves + voxel;
  VgPerfusionSystem system;
  VgPerfusionGeneral general;
  float scores[VG_PERFUSION_MAX_GROUPS];
  int grouped[VG_PERFUSION_MAX_GROUPS], starts[2];
  int passes, unknown = 0;

  if (voxel >= first + count ||
      values[VG_PERFUSION_FIT_STATUS * stride + voxel] != VG_PERFUSION_FITTED)
    return;
  VgPerfusionTask task = { t.model,   t.dual,     t.n,        t.even,      t.step64,
                           t.times64, t.artery64, t.portal64, t.weights64, range };
  for (int i = 0; i < t.n; i++)
    {
      double w = t.weights64[i], y = w > 0 ? (double) curve[(gsize) i * stride] : 0;

      yy += w * y * y;
      sum += w * y;
    }
  if constexpr (EXCHANGE)
    score_pairs (t, curve, stride, scores, grouped);
  else
    score_points (t, curve, stride, scores, grouped);
  int n = vg_perfusion_general_starts (&task, t.place, t.points / t.point_group, scores, grouped,
                                       starts);
  if constexpr (EXCHANGE)
    {
      VgPerfusionEnds ends;

      passes = vg_perfusion_exchange_minimum (&task, &descent, curve, (long) stride, yy, t.place,
                                              starts, min (n, most_starts), x, &system, &ends);
      vg_perfusion_general_results (&task, x, &system, t.used, &general);
      unknown = vg_perfusion_exchange_errors (&task, x, &system, curve, (long) stride, yy, &ends,
                                              t.used, &general);
    }
  else
    {
      passes = vg_perfusion_general_minimum (&task, &descent, curve, (long) stride, yy, t.place,
                                             starts, min (n, most_starts), x, &system);
      vg_perfusion_general_results (&task, x, &system, t.used, &general);
    }
  put (t.model, t.dual, general.value, general.error, values + voxel, stride);
  int bound = vg_perfusion_general_remarks (&task, x, &system);
  double spread = yy - sum * sum / t.weight_sum64;
  values[VG_PERFUSION_FIT_RESIDUAL * stride + voxel] = (float) sqrt (system.cost / t.weight_sum64);
  values[VG_PERFUSION_FIT_R2 * stride + voxel] = spread > 0 ? (float) (1 - system.cost / spread)
                                                            : nanf ("");
  values[VG_PERFUSION_FIT_ITERATIONS * stride + voxel] = abs (passes);
  values[VG_PERFUSION_FIT_STATUS * stride + voxel] = !(system.a > 0) && !(system.b > 0)
                                                         ? VG_PERFUSION_NO_CURVE
                                                     : passes < 0 ? VG_PERFUSION_NOT_CONVERGED
                                                     : bound & VG_PERFUSION_REMARK_BOUNDS
                                                         ? VG_PERFUSION_AT_BOUND
                                                         : VG_PERFUSION_FITTED;
  values[VG_PERFUSION_FIT_REMARKS * stride + voxel] = (float) (bound |
                                                               unknown
                                                                   << VG_PERFUSION_REMARK_UNKNOWN);
}

gboolean
perfusion_fit_general (PerfusionDevice *self, const VgPerfusionFitOptions *options, gsize first,
                       gsize count, GError **error)
{
  VgPerfusionDescent descent = { options->iterations, options->tolerance };
  VgPerfusionRange range = vg_perfusion_general_range (self->tables.model,
                                                       vg_perfusion_range (&self->tables.bounds));
  auto kernel = self->tables.model == VG_PERFUSION_EXCHANGE ? fit_general<true>
                                                            : fit_general<false>;

  kernel<<<(unsigned) ((count + THREADS - 1) / THREADS), THREADS, 0, self->stream>>> (
      self->tables, range, descent, options->starts, self->curves, self->count, self->values, first,
      count);
  return vg_cuda_launched ("fit_general", error);
}
