/* SPDX-License-Identifier: MIT */
#pragma once
#include <type_traits>
#include "lifetime-cuda.cuh"
/* The pass over the cube.  A thread has PX neighbouring pixels and goes through
 * their bins in order, with fused multiply-adds in the order of the CPU
 * engine; a warp reads whole lines.  BATCH bins are on their way while those
 * before them are added. */

typedef struct
{
  int bin[VG_LIFETIME_N_EVENTS + 1], sum[VG_LIFETIME_N_EVENTS + 1];
} LifetimeEvents;

/* PX samples of type T in 32-bit words. */
template <typename T, int PX>
struct LifetimeWords
{
  enum { N = PX * sizeof (T) / 4 };
  unsigned word[N];

  __device__ void
  load (const guint8 *from)
  {
    if constexpr (N == 4)
      {
        uint4 v = __ldcs ((const uint4 *) from);
        word[0] = v.x;
        word[1] = v.y;
        word[2] = v.z;
        word[3] = v.w;
      }
    else if constexpr (N == 2)
      {
        uint2 v = __ldcs ((const uint2 *) from);
        word[0] = v.x;
        word[1] = v.y;
      }
    else
      word[0] = __ldcs ((const unsigned *) from);
  }

  /* Whole numbers below 2^23 by way of the digits of a float. */
  __device__ float
  sample (int i) const
  {
    if constexpr (sizeof (T) == 1)
      return __uint_as_float (__byte_perm (word[i / 4], 0x4b000000u, 0x7440 + i % 4)) - 8388608.0f;
    else if constexpr (sizeof (T) == 2)
      return __uint_as_float (__byte_perm (word[i / 2], 0x4b000000u, i % 2 ? 0x7632 : 0x7610)) - 8388608.0f;
    else if constexpr (std::is_same<T, float>::value)
      return __uint_as_float (word[i]);
    else
      return (float) word[i];
  }

  __device__ void
  keep_larger (const LifetimeWords &other)
  {
#pragma unroll
    for (int i = 0; i < N; i++)
      if constexpr (sizeof (T) == 1)
        word[i] = __vmaxu4 (word[i], other.word[i]);
      else if constexpr (sizeof (T) == 2)
        word[i] = __vmaxu2 (word[i], other.word[i]);
      else if constexpr (std::is_same<T, float>::value)
        word[i] = __float_as_uint (fmaxf (__uint_as_float (word[i]), __uint_as_float (other.word[i])));
      else
        word[i] = max (word[i], other.word[i]);
  }
};

/* The first COUNT of PX values to a plane. */
template <int PX>
static __device__ void
lifetime_store (float *to, const float *values, int count, bool vector)
{
  if (vector && count >= PX)
    {
#pragma unroll
      for (int i = 0; i < PX; i += 4)
        *(float4 *) (to + i) = make_float4 (values[i], values[i + 1], values[i + 2], values[i + 3]);
      return;
    }
#pragma unroll
  for (int i = 0; i < PX; i++)
    if (i < count)
      to[i] = values[i];
}

enum { LIFETIME_CHUNK = 256 };   /* bins whose weights are in shared memory */

/* Adds one bin. */
template <typename T, int PX>
static __device__ __forceinline__ void
lifetime_add (const LifetimeWords<T, PX> &words, float4 a, float4 b, float *photons, float (*weighted)[PX])
{
#pragma unroll
  for (int i = 0; i < PX; i++)
    {
      float v = words.sample (i);
      photons[i] += v;
      weighted[0][i] = __fmaf_rn (a.x, v, weighted[0][i]);
      weighted[1][i] = __fmaf_rn (a.y, v, weighted[1][i]);
      weighted[2][i] = __fmaf_rn (a.z, v, weighted[2][i]);
      weighted[3][i] = __fmaf_rn (a.w, v, weighted[3][i]);
      weighted[4][i] = __fmaf_rn (b.x, v, weighted[4][i]);
      weighted[5][i] = __fmaf_rn (b.y, v, weighted[5][i]);
      weighted[6][i] = __fmaf_rn (b.z, v, weighted[6][i]);
    }
}

/* The eighth float of a bin's weights is not 0 where an event comes before it.  Weights of the next bin are fetched
 * before this one is added, as samples are BATCH bins ahead. */
template <typename T, int PX, int BATCH, int THREADS>
static __global__ void __launch_bounds__ (THREADS)
lifetime_pass_kernel (const LifetimeCube cube, const __grid_constant__ LifetimeEvents events, const float4 *__restrict__ weights, float *sums,
                      gsize n)
{
  __shared__ float4 shared[2 * (LIFETIME_CHUNK + 1)];
  gsize pixel = ((gsize) blockIdx.x * THREADS + threadIdx.x) * PX;
  bool mine = pixel < cube.pixels;
  if (!mine)
    pixel = 0;
  const guint8 *from = cube.samples + (gsize) blockIdx.y * cube.bins * cube.pitch + pixel * sizeof (T);
  float *to = sums + blockIdx.y * cube.pixels + pixel;
  int count = !mine ? 0 : cube.pixels - pixel < PX ? (int) (cube.pixels - pixel) : PX, next = 0;
  bool vector = (cube.pixels & 3) == 0 && (n & 3) == 0;
  float photons[PX] = {}, weighted[VG_LIFETIME_N_WEIGHTS][PX] = {};
  LifetimeWords<T, PX> top = {}, ahead[BATCH];

#pragma unroll
  for (int k = 0; k < BATCH; k++)
    ahead[k].load (from + (gsize) min (k, cube.bins - 1) * cube.pitch);
  for (int start = 0; start < cube.bins; start += LIFETIME_CHUNK)
    {
      int many = min (LIFETIME_CHUNK, cube.bins - start);
      __syncthreads ();
      for (int i = threadIdx.x; i < 2 * many; i += THREADS)
        shared[i] = weights[2 * start + i];
      __syncthreads ();
      float4 a = shared[0], b = shared[1];
      for (int j = 0; j < many; j += BATCH)
        {
#pragma unroll
          for (int k = 0; k < BATCH; k++)
            {
              if (j + k >= many)
                break;
              LifetimeWords<T, PX> now = ahead[k];
              float4 wa = a, wb = b;
              a = shared[2 * (j + k + 1)];
              b = shared[2 * (j + k + 1) + 1];
              ahead[k].load (from + (gsize) min (start + j + k + BATCH, cube.bins - 1) * cube.pitch);
              if (wb.w != 0.0f)
                while (events.bin[next] == start + j + k)
                  lifetime_store<PX> (to + (gsize) events.sum[next++] * n, photons, count, vector);
              top.keep_larger (now);
              lifetime_add<T, PX> (now, wa, wb, photons, weighted);
            }
        }
    }
  while (events.bin[next] == cube.bins)
    lifetime_store<PX> (to + (gsize) events.sum[next++] * n, photons, count, vector);
#pragma unroll
  for (int i = 0; i < VG_LIFETIME_N_WEIGHTS; i++)
    lifetime_store<PX> (to + (gsize) (VG_LIFETIME_N_EVENTS + i) * n, weighted[i], count, vector);
#pragma unroll
  for (int i = 0; i < PX; i++)
    photons[i] = top.sample (i) >= cube.full_scale ? 1.0f : 0.0f;
  lifetime_store<PX> (to + (gsize) VG_LIFETIME_SUM_BAD * n, photons, count, vector);
}
static_assert (VG_LIFETIME_N_WEIGHTS == 7, "weights are two float4");

static inline LifetimeEvents
lifetime_events (const VgLifetimePlan *plan)
{
  LifetimeEvents events;

  for (int i = 0; i < VG_LIFETIME_N_EVENTS; i++)
    {
      events.bin[i] = plan->events[i].bin;
      events.sum[i] = plan->events[i].sum;
    }
  events.bin[VG_LIFETIME_N_EVENTS] = G_MAXINT;
  return events;
}

template <typename T, int PX, int BATCH, int THREADS>
static void
lifetime_launch_pass (const LifetimeCube *cube, const VgLifetimePlan *plan, const float *weights, float *sums, gsize n, cudaStream_t stream)
{
  dim3 grid ((unsigned) ((cube->pixels + PX * THREADS - 1) / (PX * THREADS)), cube->slices);

  static_assert (LIFETIME_CHUNK % BATCH == 0, "batches end with chunks");
  lifetime_pass_kernel<T, PX, BATCH, THREADS><<<grid, THREADS, 0, stream>>> (*cube, lifetime_events (plan), (const float4 *) weights, sums, n);
}
