/* SPDX-License-Identifier: MIT */
/* Deconvolution on the GPU, one thread per voxel, in double precision as on the CPU: the score of
 * cross-validation is a difference of nearly equal sums. */
#define VG_PERFUSION_REAL double
#include "kernels/perfusion/fit/perfusion-device.cuh"
#include "kernels/perfusion/fit/perfusion-deconvolution.h"

enum { THREADS = 128, AT_ONCE = 8, CHUNK = 65536 };

/* The coefficients of a curve at ONSET. */
__device__ static void
project (const VgPerfusionDeconvolver &t, const float *weights, int onset, const float *curve,
         gsize stride, double *beta, gsize pitch)
{
  const double *table = t.project + (gsize) onset * (gsize) t.n * (gsize) t.width;

  for (int from = 0; from < t.width; from += AT_ONCE)
    {
      double sums[AT_ONCE] = {};

      for (int i = 0; i < t.n; i++)
        {
          double y = weights[i] > 0 ? (double) curve[(gsize) i * stride] : 0;

#pragma unroll
          for (int k = 0; k < AT_ONCE; k++)
            sums[k] += table[i * t.width + from + k] * y;
        }
#pragma unroll
      for (int k = 0; k < AT_ONCE; k++)
        beta[(gsize) (from + k) * pitch] = sums[k];
    }
}

__global__ static void
__launch_bounds__ (THREADS)
    deconvolve (VgPerfusionDeconvolver t, const double *weights64, const float *weights,
                double weight_sum, const float *curves, gsize stride, double *work, gsize pitch,
                float *values, gsize first, gsize count)
{
  gsize at = (gsize) blockIdx.x * THREADS + threadIdx.x, voxel = first + at;
  const float *curve = curves + voxel;
  double *beta = work + at, yy = 0, sum = 0, value[VG_PERFUSION_FIT_VALUES];
  VgPerfusionDeconvolved best = { -1, 0, 0 };

  if (at >= count || values[VG_PERFUSION_FIT_STATUS * stride + voxel] != VG_PERFUSION_FITTED)
    return;
  for (int i = 0; i < t.n; i++)
    {
      double y = weights[i] > 0 ? (double) curve[(gsize) i * stride] : 0;

      yy += weights64[i] * y * y;
      sum += weights64[i] * y;
    }
  for (int onset = 0; onset < t.onsets; onset++)
    {
      project (t, weights, onset, curve, stride, beta, pitch);
      vg_perfusion_try_onset (&t, onset, beta, pitch, yy, &best);
    }
  if (best.onset != t.onsets - 1)
    project (t, weights, best.onset, curve, stride, beta, pitch);
  VgPerfusionResponse response = vg_perfusion_respond (&t, &best, beta, pitch, yy);
  vg_perfusion_response_value (&response, yy, sum, weight_sum, value);
  for (int i = 0; i < VG_PERFUSION_FIT_VALUES; i++)
    values[(gsize) i * stride + voxel] = (float) value[i];
}

gboolean
perfusion_deconvolve (PerfusionDevice *self, gsize first, gsize count, GError **error)
{
  const PerfusionTables &t = self->tables;
  gsize pitch = MIN (count, (gsize) CHUNK),
        bytes = (gsize) t.deconvolver.width * pitch * sizeof (double);

  if (!perfusion_reserve_scratch (self, bytes, error))
    return FALSE;
  for (gsize done = 0; done < count; done += pitch)
    {
      gsize now = MIN (count - done, pitch);

      deconvolve<<<(unsigned) ((now + THREADS - 1) / THREADS), THREADS, 0, self->stream>>> (
          t.deconvolver, t.weights64, t.weights, t.weight_sum64, self->curves, self->count,
          (double *) self->scratch, pitch, self->values, first + done, now);
    }
  return vg_cuda_launched ("deconvolve", error);
}
