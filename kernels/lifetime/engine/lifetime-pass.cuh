/* SPDX-License-Identifier: MIT */
#pragma once
#include <type_traits>
#include "kernels/lifetime/engine/lifetime-cuda.cuh"
/* The pass over the cube.  A thread has PX neighbouring pixels and adds their bins in order, with
 * fused multiply-adds in the order of the CPU engine; a warp reads whole cache lines.  Samples
 * come through a ring buffer in shared memory for each thread, STAGES bins ahead: asynchronous
 * copies complete in the order of their requests, which loads into registers do not. */

typedef struct
{
  int bin[VG_LIFETIME_N_EVENTS + 1], sum[VG_LIFETIME_N_EVENTS + 1];
} LifetimeEvents;

/* PX samples of type T in 32-bit words. */
template <typename T, int PX> struct alignas (PX * sizeof (T)) LifetimeWords
{
  enum { N = PX * sizeof (T) / 4 };
  unsigned word[N];

  /* Requests a copy of the words at FROM to TO in shared memory. */
  static __device__ void
  fetch (unsigned to, const guint8 *from)
  {
    if constexpr (N == 4)
      asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");
    else if constexpr (N == 2)
      asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" ::"r"(to), "l"(from) : "memory");
    else
      asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(from) : "memory");
  }

  /* Loads the words that have arrived. */
  __device__ void
  take (unsigned from)
  {
    if constexpr (N == 4)
      asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                   : "=r"(word[0]), "=r"(word[1]), "=r"(word[2]), "=r"(word[3])
                   : "r"(from)
                   : "memory");
    else if constexpr (N == 2)
      asm volatile("ld.shared.v2.u32 {%0, %1}, [%2];"
                   : "=r"(word[0]), "=r"(word[1])
                   : "r"(from)
                   : "memory");
    else
      asm volatile("ld.shared.u32 %0, [%1];" : "=r"(word[0]) : "r"(from) : "memory");
  }

  /* Converts integers below 2^23 by placing them in the digits of a float. */
  __device__ float
  sample (int i, unsigned digits = 0x4b000000u) const
  {
    if constexpr (sizeof (T) == 1)
      return __uint_as_float (__byte_perm (word[i / 4], digits, 0x7440 + i % 4)) - 8388608.0f;
    else if constexpr (sizeof (T) == 2)
      return __uint_as_float (__byte_perm (word[i / 2], digits, i % 2 ? 0x7632 : 0x7410)) -
             8388608.0f;
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
        word[i] = __float_as_uint (
            fmaxf (__uint_as_float (word[i]), __uint_as_float (other.word[i])));
      else
        word[i] = max (word[i], other.word[i]);
  }
};

/* Stores the first COUNT of PX values in a plane. */
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

enum { LIFETIME_CHUNK = 256 }; /* bins whose weights are in shared memory */

/* Adds one bin. */
template <typename T, int PX>
static __device__ __forceinline__ void
lifetime_add (const LifetimeWords<T, PX> &words, unsigned digits, float4 a, float4 b,
              float *photons, float (*weighted)[PX])
{
#pragma unroll
  for (int i = 0; i < PX; i++)
    {
      float v = words.sample (i, digits);
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

static __device__ __forceinline__ void
lifetime_commit (void)
{
  asm volatile("cp.async.commit_group;" ::: "memory");
}

/* Waits until all but the newest N groups have arrived. */
template <int N>
static __device__ __forceinline__ void
lifetime_wait (void)
{
  asm volatile("cp.async.wait_group %0;" ::"n"(N) : "memory");
}

/* The state of a thread in its loop over the bins. */
template <typename T, int PX> struct LifetimeWalk
{
  LifetimeWords<T, PX> now, top;
  float4 a, b; /* weights of the bin in `now` */
  float photons[PX], weighted[VG_LIFETIME_N_WEIGHTS][PX];
  const guint8 *ahead; /* samples of the bin to request next */
  float *to;
  int count, next; /* pixels to store; next event */
  unsigned digits; /* those of 2^23, in a register */
  bool vector;
};

static __device__ __forceinline__ float4
lifetime_weights (unsigned from)
{
  float4 w;

  asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
               : "=f"(w.x), "=f"(w.y), "=f"(w.z), "=f"(w.w)
               : "r"(from)
               : "memory");
  return w;
}

/* Adds the bin BIN in `now`.  Meanwhile the next bin is loaded from SLOT of the ring, and the one
 * STAGES later is requested.  Positions are addresses in shared memory.  The eighth float of a
 * bin's weights is not 0 if an event precedes it. */
template <typename T, int PX, int STAGES>
static __device__ __forceinline__ void
lifetime_step_bin (LifetimeWalk<T, PX> &walk, unsigned slot, unsigned following, unsigned weights,
                   int bin, const LifetimeCube &cube, const LifetimeEvents &events, gsize n)
{
  LifetimeWords<T, PX> now = walk.now;
  float4 a = walk.a, b = walk.b;

  lifetime_wait<STAGES - 2> ();
  walk.now.take (following);
  walk.a = lifetime_weights (weights + 32);
  walk.b = lifetime_weights (weights + 48);
  if (b.w != 0.0f)
    do
      lifetime_store<PX> (walk.to + (gsize) events.sum[walk.next++] * n, walk.photons, walk.count,
                          walk.vector);
    while (events.bin[walk.next] == bin);
  walk.top.keep_larger (now);
  lifetime_add<T, PX> (now, walk.digits, a, b, walk.photons, walk.weighted);
  if (bin + STAGES < cube.bins)
    LifetimeWords<T, PX>::fetch (slot, walk.ahead);
  walk.ahead += cube.pitch;
  lifetime_commit ();
}

template <typename T, int PX, int STAGES, int THREADS>
static __global__ void
__launch_bounds__ (THREADS)
    lifetime_pass_kernel (const __grid_constant__ LifetimeCube cube,
                          const __grid_constant__ LifetimeEvents events,
                          const float4 *__restrict__ weights, float *sums, gsize n)
{
  __shared__ float4 shared[2 * (LIFETIME_CHUNK + 1)];
  __shared__ LifetimeWords<T, PX> ring[STAGES][THREADS];
  gsize pixel = ((gsize) blockIdx.x * THREADS + threadIdx.x) * PX;
  bool mine = pixel < cube.pixels;
  const unsigned step = THREADS * sizeof (ring[0][0]); /* from slot to slot */
  unsigned slots = (unsigned) __cvta_generic_to_shared (&ring[0][threadIdx.x]),
           at = (unsigned) __cvta_generic_to_shared (shared);
  LifetimeWalk<T, PX> walk = {};

  asm volatile("mov.u32 %0, 0x4b000000;" : "=r"(walk.digits));
  if (!mine)
    pixel = 0;
  walk.ahead = cube.samples + (gsize) blockIdx.y * cube.bins * cube.pitch + pixel * sizeof (T);
  walk.to = sums + blockIdx.y * cube.pixels + pixel;
  walk.count = !mine ? 0 : cube.pixels - pixel < PX ? (int) (cube.pixels - pixel) : PX;
  walk.vector = (cube.pixels & 3) == 0 && (n & 3) == 0;
#pragma unroll
  for (int k = 0; k < STAGES; k++)
    {
      if (k < cube.bins)
        LifetimeWords<T, PX>::fetch (slots + k * step, walk.ahead);
      walk.ahead += cube.pitch;
      lifetime_commit ();
    }
  lifetime_wait<STAGES - 1> ();
  walk.now.take (slots);
  for (int start = 0; start < cube.bins; start += LIFETIME_CHUNK)
    {
      int many = min ((int) LIFETIME_CHUNK, cube.bins - start), j = 0;
      __syncthreads ();
#pragma unroll 1
      for (int i = threadIdx.x; i < 2 * many; i += THREADS)
        shared[i] = weights[2 * start + i];
      __syncthreads ();
      walk.a = lifetime_weights (at);
      walk.b = lifetime_weights (at + 16);
#pragma unroll 1
      for (; j + STAGES <= many; j += STAGES)
        {
#pragma unroll
          for (int k = 0; k < STAGES; k++)
            lifetime_step_bin<T, PX, STAGES> (walk, slots + k * step,
                                              slots + (k + 1) % STAGES * step, at + (j + k) * 32,
                                              start + j + k, cube, events, n);
        }
#pragma unroll 1
      for (; j < many; j++) /* the end of the last chunk */
        lifetime_step_bin<T, PX, STAGES> (walk, slots + j % STAGES * step,
                                          slots + (j + 1) % STAGES * step, at + j * 32, start + j,
                                          cube, events, n);
    }
  while (events.bin[walk.next] == cube.bins)
    lifetime_store<PX> (walk.to + (gsize) events.sum[walk.next++] * n, walk.photons, walk.count,
                        walk.vector);
#pragma unroll
  for (int i = 0; i < VG_LIFETIME_N_WEIGHTS; i++)
    lifetime_store<PX> (walk.to + (gsize) (VG_LIFETIME_N_EVENTS + i) * n, walk.weighted[i],
                        walk.count, walk.vector);
#pragma unroll
  for (int i = 0; i < PX; i++)
    walk.photons[i] = walk.top.sample (i) >= cube.full_scale ? 1.0f : 0.0f;
  lifetime_store<PX> (walk.to + (gsize) VG_LIFETIME_SUM_BAD * n, walk.photons, walk.count,
                      walk.vector);
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

template <typename T, int PX, int STAGES, int THREADS>
static void
lifetime_launch_pass (const LifetimeCube *cube, const VgLifetimePlan *plan, const float *weights,
                      float *sums, gsize n, cudaStream_t stream)
{
  dim3 grid ((unsigned) ((cube->pixels + PX * THREADS - 1) / (PX * THREADS)), cube->slices);

  static_assert (LIFETIME_CHUNK % STAGES == 0, "a chunk begins in the ring's first slot");
  lifetime_pass_kernel<T, PX, STAGES, THREADS><<<grid, THREADS, 0, stream>>> (
      *cube, lifetime_events (plan), (const float4 *) weights, sums, n);
}
