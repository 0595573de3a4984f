/* SPDX-License-Identifier: MIT */
#include "kernels/lifetime/engine/lifetime-pass.cuh"

gboolean
lifetime_pass (const LifetimeCube *cube, const VgLifetimePlan *plan, const float *weights,
               float *sums, gsize n, cudaStream_t stream, GError **error)
{
  switch (cube->type)
    {
    case VG_U8:
      lifetime_launch_pass<guint8, 8, 8, 128> (cube, plan, weights, sums, n, stream);
      break;
    case VG_U16:
      lifetime_launch_pass<guint16, 4, 8, 256> (cube, plan, weights, sums, n, stream);
      break;
    case VG_U32:
      lifetime_launch_pass<guint32, 4, 8, 128> (cube, plan, weights, sums, n, stream);
      break;
    case VG_F32:
    default:
      lifetime_launch_pass<float, 4, 8, 128> (cube, plan, weights, sums, n, stream);
      break;
    }
  return vg_cuda_launched ("lifetime_pass_kernel", error);
}

/* Sum over a block's threads; valid in thread 0. */
template <typename S>
static __device__ S
block_sum (S value)
{
  __shared__ S part[32];

  for (int offset = 16; offset > 0; offset /= 2)
    value += __shfl_down_sync (0xffffffffu, value, offset);
  if (threadIdx.x % 32 == 0)
    part[threadIdx.x / 32] = value;
  __syncthreads ();
  value = threadIdx.x < blockDim.x / 32 ? part[threadIdx.x] : 0;
  if (threadIdx.x < 32)
    for (int offset = 16; offset > 0; offset /= 2)
      value += __shfl_down_sync (0xffffffffu, value, offset);
  return value;
}

/* Adds the 8 or 16-bit samples of the 16 bytes that a thread reads at once. */
static __device__ unsigned
add_words (uint4 v, int size)
{
  const unsigned words[] = { v.x, v.y, v.z, v.w };
  unsigned sum = 0;

#pragma unroll
  for (int i = 0; i < 4; i++)
    sum += size == 1 ? __dp4a (words[i], 0x01010101u, 0u) : (words[i] & 0xffff) + (words[i] >> 16);
  return sum;
}

/* One block per bin, for 8 and 16-bit pages without a mask, 16 bytes at a time.  The padding at
 * the end of a page is skipped. */
template <typename T>
static __global__ void
decay_kernel (const LifetimeCube cube, double *decay)
{
  enum { PER = 16 / sizeof (T) };
  gsize whole = cube.pixels / PER;
  unsigned long long sum = 0;

  for (int slice = 0; slice < cube.slices; slice++)
    {
      const guint8 *page = cube.samples + ((gsize) slice * cube.bins + blockIdx.x) * cube.pitch;
      for (gsize i = threadIdx.x; i < whole; i += blockDim.x)
        sum += add_words (__ldcs ((const uint4 *) page + i), sizeof (T));
      if (threadIdx.x < cube.pixels - whole * PER)
        sum += ((const T *) page)[whole * PER + threadIdx.x];
    }
  sum = block_sum (sum);
  if (threadIdx.x == 0)
    decay[blockIdx.x] = (double) sum;
}

/* The same for all types, in double precision; with MASK, for its pixels of one slice. */
template <typename T>
static __global__ void
decay_any_kernel (const LifetimeCube cube, const guint8 *mask, int only, double *decay)
{
  double sum = 0;

  for (int slice = mask != NULL ? only : 0; slice < (mask != NULL ? only + 1 : cube.slices);
       slice++)
    {
      const T *page = (const T *) (cube.samples +
                                   ((gsize) slice * cube.bins + blockIdx.x) * cube.pitch);
      for (gsize i = threadIdx.x; i < cube.pixels; i += blockDim.x)
        if (mask == NULL || mask[i])
          sum += (double) page[i];
    }
  sum = block_sum (sum);
  if (threadIdx.x == 0)
    decay[blockIdx.x] = isfinite (sum) ? sum : 0.0;
}

gboolean
lifetime_decay (const LifetimeCube *cube, const guint8 *mask, int slice, double *decay,
                cudaStream_t stream, GError **error)
{
  enum { THREADS = 512 };

  if (cube->type == VG_U16 && mask == NULL)
    decay_kernel<guint16><<<cube->bins, THREADS, 0, stream>>> (*cube, decay);
  else if (cube->type == VG_U8 && mask == NULL)
    decay_kernel<guint8><<<cube->bins, THREADS, 0, stream>>> (*cube, decay);
  else if (cube->type == VG_U16)
    decay_any_kernel<guint16><<<cube->bins, THREADS, 0, stream>>> (*cube, mask, slice, decay);
  else if (cube->type == VG_U8)
    decay_any_kernel<guint8><<<cube->bins, THREADS, 0, stream>>> (*cube, mask, slice, decay);
  else if (cube->type == VG_U32)
    decay_any_kernel<guint32><<<cube->bins, THREADS, 0, stream>>> (*cube, mask, slice, decay);
  else
    decay_any_kernel<float><<<cube->bins, THREADS, 0, stream>>> (*cube, mask, slice, decay);
  return vg_cuda_launched ("decay_kernel", error);
}

template <typename T>
static __global__ void
histogram_kernel (const LifetimeCube cube, int slice, int x0, int y0, int x1, int y1,
                  double *counts)
{
  int bin = blockIdx.x * blockDim.x + threadIdx.x;
  if (bin >= cube.bins)
    return;
  const T *page = (const T *) (cube.samples + ((gsize) slice * cube.bins + bin) * cube.pitch);
  double sum = 0;

  for (int y = y0; y <= y1; y++)
    for (int x = x0; x <= x1; x++)
      sum += (double) page[(gsize) y * cube.width + x];
  counts[bin] = sum;
}

gboolean
lifetime_histogram (const LifetimeCube *cube, int slice, int x, int y, int binning, double *counts,
                    cudaStream_t stream, GError **error)
{
  int x0 = MAX (x - binning, 0), x1 = MIN (x + binning, cube->width - 1);
  int y0 = MAX (y - binning, 0), y1 = MIN (y + binning, cube->height - 1),
      blocks = (cube->bins + 127) / 128;

  if (cube->type == VG_U8)
    histogram_kernel<guint8><<<blocks, 128, 0, stream>>> (*cube, slice, x0, y0, x1, y1, counts);
  else if (cube->type == VG_U16)
    histogram_kernel<guint16><<<blocks, 128, 0, stream>>> (*cube, slice, x0, y0, x1, y1, counts);
  else if (cube->type == VG_U32)
    histogram_kernel<guint32><<<blocks, 128, 0, stream>>> (*cube, slice, x0, y0, x1, y1, counts);
  else
    histogram_kernel<float><<<blocks, 128, 0, stream>>> (*cube, slice, x0, y0, x1, y1, counts);
  return vg_cuda_launched ("histogram_kernel", error);
}
