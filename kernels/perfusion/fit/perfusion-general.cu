/* SPDX-License-Identifier: MIT */
/* Extended Tofts, Patlak and uptake on the GPU, one thread per voxel. */
#include "kernels/perfusion/fit/perfusion-general.cuh"

enum { THREADS = 128, POINTS_AT_ONCE = 4 };

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
  score_points (t, curve, stride, scores, grouped);
  int n = vg_perfusion_general_starts (&task, t.place, t.points / t.point_group, scores, grouped,
                                       starts);
  int passes = vg_perfusion_general_minimum (&task, &descent, curve, (long) stride, yy, t.place,
                                             starts, min (n, most_starts), x, &system);
  vg_perfusion_general_results (&task, x, &system, t.used, &general);
  put_fit (t, task, { x, &system, &general, yy, sum / t.weight_sum64, passes, 0 }, values + voxel,
           stride);
}

gboolean
perfusion_fit_general (PerfusionDevice *self, const VgPerfusionFitOptions *options, gsize first,
                       gsize count, GError **error)
{
  VgPerfusionDescent descent = { options->iterations, options->tolerance };
  VgPerfusionRange range = vg_perfusion_general_range (self->tables.model,
                                                       vg_perfusion_range (&self->tables.bounds));

  if (self->tables.model == VG_PERFUSION_EXCHANGE)
    return perfusion_fit_exchange (self, options, first, count, error);
  fit_general<<<(unsigned) ((count + THREADS - 1) / THREADS), THREADS, 0, self->stream>>> (
      self->tables, range, descent, options->starts, self->curves, self->count, self->values, first,
      count);
  return vg_cuda_launched ("fit_general", error);
}
