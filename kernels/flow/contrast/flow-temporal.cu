/* SPDX-License-Identifier: MIT */
/* Temporal contrast of 8 and 16-bit frames.  The new frame is added to each pixel's sums of I and
 * I^2 and the oldest subtracted, exactly; K and SFI follow in the same launch (36 bytes per pixel
 * at 16 bits).  The upper 16 bits of the sum of squares count the saturated samples. */
#include "kernels/flow/model/flow-sample.cuh"

enum { COLUMNS = 64, ROWS = 4 }; /* of a block */

typedef struct
{
  FlowRing ring;
  FlowFinish finish;
  guint32 *s1;
  guint64 *s2;
  int enter, leave; /* slots; leave -1: the ring was not full */
  unsigned full_scale, saturation;
  int n; /* frames in the window */
  float contrast_factor, index_factor;
} Temporal;

template <int C> struct Lanes
{
  unsigned s1[C];
  unsigned long long s2[C];
};

template <typename T, int C>
static __device__ __forceinline__ void
read_samples (const Temporal &p, int slot, int x, int y, unsigned *v)
{
  const guint8 *at = p.ring.origin + slot * p.ring.slot_bytes + y * p.ring.pitch + x * sizeof (T);

  if constexpr (C == 1)
    v[0] = *(const T *) at;
  else if constexpr (sizeof (T) == 1)
    {
      uchar4 four = *(const uchar4 *) at;
      v[0] = four.x, v[1] = four.y, v[2] = four.z, v[3] = four.w;
    }
  else
    {
      ushort4 four = *(const ushort4 *) at;
      v[0] = four.x, v[1] = four.y, v[2] = four.z, v[3] = four.w;
    }
}

template <int C>
static __device__ __forceinline__ void
read_sums (const Temporal &p, gsize i, Lanes<C> &sums)
{
  if constexpr (C == 1)
    {
      sums.s1[0] = p.s1[i];
      sums.s2[0] = p.s2[i];
    }
  else
    {
      uint4 s1 = *(const uint4 *) (p.s1 + i);
      ulonglong2 a = *(const ulonglong2 *) (p.s2 + i), b = *(const ulonglong2 *) (p.s2 + i + 2);
      sums.s1[0] = s1.x, sums.s1[1] = s1.y, sums.s1[2] = s1.z, sums.s1[3] = s1.w;
      sums.s2[0] = a.x, sums.s2[1] = a.y, sums.s2[2] = b.x, sums.s2[3] = b.y;
    }
}

template <int C>
static __device__ __forceinline__ void
write_sums (const Temporal &p, gsize i, const Lanes<C> &sums)
{
  if constexpr (C == 1)
    {
      p.s1[i] = sums.s1[0];
      p.s2[i] = sums.s2[0];
    }
  else
    {
      *(uint4 *) (p.s1 + i) = make_uint4 (sums.s1[0], sums.s1[1], sums.s1[2], sums.s1[3]);
      *(ulonglong2 *) (p.s2 + i) = make_ulonglong2 (sums.s2[0], sums.s2[1]);
      *(ulonglong2 *) (p.s2 + i + 2) = make_ulonglong2 (sums.s2[2], sums.s2[3]);
    }
}

template <typename T, int C>
static __device__ __forceinline__ void
slide_sums (const Temporal &p, int x, int y, Lanes<C> &sums)
{
  unsigned in[C], out[C] = {};
  unsigned saturated = 0;

  read_samples<T, C> (p, p.enter, x, y, in);
  if (p.leave >= 0)
    read_samples<T, C> (p, p.leave, x, y, out);
#pragma unroll
  for (int c = 0; c < C; c++)
    {
      unsigned bad = in[c] >= p.saturation, gone = p.leave >= 0 && out[c] >= p.saturation;
      sums.s1[c] += in[c] - out[c];
      sums.s2[c] += (unsigned long long) (in[c] * in[c]) - (unsigned long long) (out[c] * out[c]) +
                    (((unsigned long long) bad - (unsigned long long) gone) << FLOW_COUNT_SHIFT);
      saturated += in[c] >= p.full_scale;
    }
  if (saturated > 0)
    atomicAdd (&p.ring.counters[p.enter * FLOW_COUNTERS + FLOW_SATURATED],
               (unsigned long long) saturated);
}

/* A dark level that is constant in time does not change n q - s^2. */
static __device__ __forceinline__ void
finish_sums (const Temporal &p, gsize i, unsigned s1, unsigned long long s2, float *contrast,
             float *index)
{
  unsigned long long d = p.n * (s2 & FLOW_SQUARES_MASK) - (unsigned long long) s1 * s1;
  double sum = s1 - p.n * flow_dark (p.ring, i);

  flow_finish_float (flow_noiseless_deviation (d, p.n, sum, p.finish), (float) sum,
                     p.contrast_factor, p.index_factor, contrast, index);
  if (s2 >> FLOW_COUNT_SHIFT)
    *contrast = *index = VG_FLOW_NAN;
}

template <int C>
static __device__ __forceinline__ void
write_map (float *at, const float *values)
{
  if constexpr (C == 1)
    *at = values[0];
  else
    *(float4 *) at = make_float4 (values[0], values[1], values[2], values[3]);
}

/* A thread computes C neighbouring pixels: 4 if all rows are aligned. */
template <typename T, int C, bool SLIDE, bool FINISH>
static __global__ void
__launch_bounds__ (COLUMNS *ROWS) temporal_kernel (const __grid_constant__ Temporal p)
{
  gsize x = ((gsize) blockIdx.x * COLUMNS + threadIdx.x) * C;

  if (SLIDE && blockIdx.x == 0 && blockIdx.y == 0 && threadIdx.y == 0 &&
      threadIdx.x < FLOW_COUNTERS)
    p.ring.counters[(p.enter + 1) % p.ring.slots * FLOW_COUNTERS + threadIdx.x] = 0;
  if (x >= (gsize) p.ring.width)
    return;
  for (unsigned y = blockIdx.y * ROWS + threadIdx.y; y < (unsigned) p.ring.height;
       y += gridDim.y * ROWS)
    {
      gsize i = (gsize) y * p.ring.width + x;
      Lanes<C> sums;

      read_sums<C> (p, i, sums);
      if constexpr (SLIDE)
        {
          slide_sums<T, C> (p, (int) x, (int) y, sums);
          write_sums<C> (p, i, sums);
        }
      if constexpr (FINISH)
        {
          float k[C], index[C];
#pragma unroll
          for (int c = 0; c < C; c++)
            finish_sums (p, i + c, sums.s1[c], sums.s2[c], &k[c], &index[c]);
          write_map<C> (p.finish.contrast + i, k);
          write_map<C> (p.finish.index + i, index);
        }
    }
}

template <typename T, int C>
static void
launch (const Temporal &p, gboolean slide, gboolean finish, cudaStream_t stream)
{
  dim3 block (COLUMNS, ROWS),
      grid ((p.ring.width - 1) / (COLUMNS * C) + 1, MIN ((p.ring.height - 1) / ROWS + 1, 65535));

  if (slide && finish)
    temporal_kernel<T, C, true, true><<<grid, block, 0, stream>>> (p);
  else if (slide)
    temporal_kernel<T, C, true, false><<<grid, block, 0, stream>>> (p);
  else
    temporal_kernel<T, C, false, true><<<grid, block, 0, stream>>> (p);
}

gboolean
flow_temporal (FlowState *self, gboolean slide, gboolean finish, GError **error)
{
  guint64 frame = self->n_frames - 1;
  int n = flow_depth (self);
  Temporal p = {};

  p.ring = self->ring;
  p.finish = flow_finish (self, TRUE);
  p.s1 = self->s1;
  p.s2 = self->s2;
  p.enter = flow_slot (self, frame);
  p.leave = frame >= (guint64) n ? flow_slot (self, frame - n) : -1;
  p.full_scale = flow_whole_level (self->ring.full_scale);
  p.saturation = flow_whole_level (self->ring.saturation);
  p.n = n;
  p.contrast_factor = (float) sqrt (n / (n - 1.0));
  p.index_factor = (float) (p.finish.scale * (n - 1.0) / n);
  if (self->info.type == VG_U8 && self->width % 4 == 0)
    launch<guint8, 4> (p, slide, finish, self->compute);
  else if (self->info.type == VG_U8)
    launch<guint8, 1> (p, slide, finish, self->compute);
  else if (self->width % 4 == 0)
    launch<guint16, 4> (p, slide, finish, self->compute);
  else
    launch<guint16, 1> (p, slide, finish, self->compute);
  return vg_cuda_launched ("temporal_kernel", error);
}
