/* SPDX-License-Identifier: MIT */
/* Initial values of the default solver on the GPU, with one thread per voxel: the rates of the
 * dictionary pass through shared memory one by one. */
#include "kernels/perfusion/fit/perfusion-device.cuh"
#include "kernels/perfusion/fit/perfusion-fit-private.h"

enum {
  THREADS = 128,
  RANK = VG_PERFUSION_RANK,
  DELAYS = VG_PERFUSION_GRID_DELAYS,
  RATES = VG_PERFUSION_RATES,
  FRAMES_AT_ONCE = 64
};

/* Computes sum of squares and mean of a curve, and its products with the directions. */
__device__ static void
look (const PerfusionTables &t, const float *curve, gsize stride, bool live, float (*tile)[RANK],
      float *part, float2 *sums)
{
  float yy = 0, sum = 0;

  for (int r = 0; r < RANK; r++)
    part[r] = 0;
  for (int from = 0; from < t.n; from += FRAMES_AT_ONCE)
    {
      int frames = min (t.n - from, (int) FRAMES_AT_ONCE);

      __syncthreads ();
      for (int i = threadIdx.x; i < frames * RANK; i += THREADS)
        (&tile[0][0])[i] = t.directions[from * RANK + i];
      __syncthreads ();
      for (int i = 0; live && i < frames; i++)
        {
          float w = t.weights[from + i], y = w > 0 ? curve[(gsize) (from + i) * stride] : 0;

          yy += w * y * y;
          sum += w * y;
#pragma unroll
          for (int r = 0; r < RANK; r++)
            part[r] += tile[i][r] * y;
        }
    }
  *sums = make_float2 (yy, sum / t.weight_sum);
}

__device__ static float
compare (const float *atom, const float *part)
{
  float sum = 0;

#pragma unroll
  for (int r = 0; r < RANK; r++)
    sum += atom[r] * part[r];
  return sum;
}

__global__ static void
__launch_bounds__ (THREADS, 4)
    find_starts (PerfusionTables t, const float *curves, gsize stride, const float *status,
                 float2 *sums, ushort2 *starts, gsize first, gsize count)
{
  /* directions, then the atoms of one rate */
  __shared__ __align__ (16) float tile[FRAMES_AT_ONCE][RANK];
  __shared__ float2 pairs[DELAYS * DELAYS];
  __shared__ float scores[RATES][THREADS];
  __shared__ unsigned char where[RATES][THREADS];
  gsize voxel = first + (gsize) blockIdx.x * THREADS + threadIdx.x;
  bool live = voxel < first + count && status[voxel] == VG_PERFUSION_FITTED;
  float part[RANK], p[DELAYS];
  float2 sum;

  static_assert (FRAMES_AT_ONCE >= 2 * DELAYS, "a rate's atoms fit");
  if (!__syncthreads_or (live))
    return;
  look (t, curves + voxel, stride, live, tile, part, &sum);
  for (int rate = 0; rate < RATES; rate++)
    {
      /* the best score of two curves, and the best product of a curve alone */
      float best = 0, alone = 0;
      int best_pair = 0, best_two = 0;

      __syncthreads ();
      for (int i = threadIdx.x; i < DELAYS * RANK; i += THREADS)
        {
          (&tile[0][0])[i] = t.a[rate * DELAYS * RANK + i];
          (&tile[DELAYS][0])[i] = t.p[rate * DELAYS * RANK + i];
        }
      for (int i = threadIdx.x; i < DELAYS * DELAYS; i += THREADS)
        pairs[i] = make_float2 (t.overlap[rate * DELAYS * DELAYS + i],
                                t.inverse[rate * DELAYS * DELAYS + i]);
      __syncthreads ();
#pragma unroll
      for (int d = 0; d < DELAYS; d++)
        {
          p[d] = compare (tile[DELAYS + d], part);
          if (p[d] > alone)
            {
              alone = p[d];
              best_pair = d;
            }
        }
#pragma unroll 1
      for (int i = 0; i < DELAYS; i++)
        {
          float a = compare (tile[i], part), row = 0;
          int at = 0;

          if (a > alone)
            {
              alone = a;
              best_pair = i * DELAYS;
            }
            /* as vg_perfusion_pair_score of two curves */
#pragma unroll
          for (int k = 0; k < DELAYS; k++)
            {
              float2 pair = pairs[i * DELAYS + k];
              float left_a = a - pair.x * p[k], left_p = p[k] - pair.x * a,
                    both = p[k] * p[k] + left_a * left_a * pair.y;

              if (left_a > 0 && left_p > 0 && both > row)
                {
                  row = both;
                  at = k;
                }
            }
          if (row > best)
            {
              best = row;
              best_two = i * DELAYS + at;
            }
        }
      if (best > alone * alone)
        best_pair = best_two;
      else
        best = alone * alone;
      scores[rate][threadIdx.x] = best;
      where[rate][threadIdx.x] = (unsigned char) best_pair;
    }
  if (!live)
    return;
  int one = 0, two = -1;
  for (int r = 1; r < RATES; r++)
    if (scores[r][threadIdx.x] > scores[one][threadIdx.x])
      one = r;
  for (int r = 0; r < RATES; r++)
    if (abs (r - one) > VG_PERFUSION_START_DISTANCE &&
        (two < 0 || scores[r][threadIdx.x] > scores[two][threadIdx.x]))
      two = r;
  sums[voxel] = sum;
  starts[voxel] = make_ushort2 (one * DELAYS * DELAYS + where[one][threadIdx.x],
                                two * DELAYS * DELAYS + where[two][threadIdx.x]);
}

gboolean
perfusion_find_starts (PerfusionDevice *self, gsize first, gsize count, GError **error)
{
  find_starts<<<(unsigned) ((count + THREADS - 1) / THREADS), THREADS, 0, self->stream>>> (
      self->tables, self->curves, self->count, self->values + VG_PERFUSION_FIT_STATUS * self->count,
      self->sums, self->starts, first, count);
  return vg_cuda_launched ("find_starts", error);
}
