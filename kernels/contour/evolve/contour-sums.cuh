/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/contour/evolve/contour-device.cuh"
/* How threads share an object's pixels, and the sums over them: of whole
 * numbers, so the result does not depend on the order of anything. */

enum { WARP = 32, MOST_WARPS = 16 };
enum { AREA, SX, SY, SXX, SXY, SYY, IN, OUT_AREA, OUT };

/* The work of one thread: every STEP-th pixel from FIRST. */
typedef struct
{
  int first, step;
} Share;

__device__ static inline Share
share_of_block ()
{
  return { (int) threadIdx.x, (int) blockDim.x };
}

__device__ static inline Share
share_of_grid ()
{
  return { (int) (blockIdx.x * blockDim.x + threadIdx.x), (int) (gridDim.x * blockDim.x) };
}

__device__ static inline size_t
in_image (const VgContourView &view, const VgContourDeviceObject &object, int x, int y)
{
  return (size_t) (object.tile.y + y) * view.width + (object.tile.x + x);
}

__device__ static inline VgContourBox
ring_of (const VgContourBox &box, int by, int width, int height)
{
  int x0 = max (box.x - by, 0), y0 = max (box.y - by, 0);
  int x1 = min (box.x + box.width + by, width), y1 = min (box.y + box.height + by, height);

  return { x0, y0, x1 - x0, y1 - y0 };
}

/* ---- Sums over a block ---- */

/* Of a warp, in parts that the adder of 32 bits holds; for values >= 0 below 2^62. */
__device__ static inline unsigned long long
warp_sum (unsigned long long value)
{
  unsigned long long low = __reduce_add_sync (0xffffffffu, (unsigned) (value & 0x3ffffff));
  unsigned long long middle = __reduce_add_sync (0xffffffffu, (unsigned) (value >> 26 & 0x3ffffff));
  unsigned long long high = __reduce_add_sync (0xffffffffu, (unsigned) (value >> 52));

  return low + (middle << 26) + (high << 52);
}

template <int N>
__device__ static inline void
block_sum (unsigned long long (&values)[N])
{
  __shared__ unsigned long long parts[MOST_WARPS][N];
  int warp = threadIdx.x / WARP, lane = threadIdx.x % WARP, warps = blockDim.x / WARP;

  for (int i = 0; i < N; i++)
    values[i] = warp_sum (values[i]);
  __syncthreads ();
  if (lane == 0)
    for (int i = 0; i < N; i++)
      parts[warp][i] = values[i];
  __syncthreads ();
  for (int i = 0; i < N; i++)
    {
      values[i] = 0;
      for (int k = 0; k < warps; k++)
        values[i] += parts[k][i];
    }
}

__device__ static inline unsigned
block_max (unsigned value)
{
  __shared__ unsigned parts[MOST_WARPS];
  int warps = blockDim.x / WARP;

  value = __reduce_max_sync (0xffffffffu, value);
  __syncthreads ();
  if (threadIdx.x % WARP == 0)
    parts[threadIdx.x / WARP] = value;
  __syncthreads ();
  for (int k = 0; k < warps; k++)
    value = max (value, parts[k]);
  return value;
}

/* ---- Sums of an object ---- */

/* Sums about the corner of the ring; see sum_box of the CPU. */
__device__ static inline void
sum_pixels (const VgContourView &view, const VgContourDeviceObject &object,
            const VgContourBox &ring, Share share, unsigned long long (&sums)[VG_CONTOUR_SUMS])
{
  for (int i = 0; i < VG_CONTOUR_SUMS; i++)
    sums[i] = 0;
  for (int i = share.first; i < ring.width * ring.height; i += share.step)
    {
      unsigned x = i % ring.width, y = i / ring.width;
      size_t at = object.offset + (size_t) (ring.y + y) * object.tile.width + (ring.x + x);
      size_t k = in_image (view, object, ring.x + (int) x, ring.y + (int) y);
      unsigned h = view.h[at], grey = view.grey[k];
      int rest = VG_CONTOUR_UNIT - __ldcg (&view.field[k]);
      unsigned out = view.phi[at] < -1.0f && rest > 0 ? rest : 0;

      if (h != 0)
        {
          unsigned long long hx = (unsigned long long) h * x, hy = (unsigned long long) h * y;

          sums[AREA] += h;
          sums[SX] += hx;
          sums[SY] += hy;
          sums[SXX] += hx * x;
          sums[SXY] += hx * y;
          sums[SYY] += hy * y;
          sums[IN] += (unsigned long long) h * grey;
        }
      sums[OUT_AREA] += out;
      sums[OUT] += (unsigned long long) out * grey;
    }
}

__device__ static inline VgContourSums
shift_sums (const unsigned long long (&raw)[VG_CONTOUR_SUMS], long long dx, long long dy)
{
  VgContourSums sums;

  sums.area = (int64_t) raw[AREA];
  sums.x = (int64_t) raw[SX];
  sums.y = (int64_t) raw[SY];
  sums.xx = (int64_t) raw[SXX] + (dx * sums.area - 2 * sums.x) * dx;
  sums.yy = (int64_t) raw[SYY] + (dy * sums.area - 2 * sums.y) * dy;
  sums.xy = (int64_t) raw[SXY] + dx * dy * sums.area - dx * sums.y - dy * sums.x;
  sums.x -= dx * sums.area;
  sums.y -= dy * sums.area;
  sums.in = (int64_t) raw[IN];
  sums.out_area = (int64_t) raw[OUT_AREA];
  sums.out = (int64_t) raw[OUT];
  return sums;
}

__device__ static inline void
set_means (const VgContourView &view, VgContourState &state, const VgContourSums &sums)
{
  if (view.weights.global_means)
    {
      state.u_in = view.all->u_in;
      state.u_out = view.all->u_out;
      return;
    }
  state.u_in = vg_contour_mean (sums.in, sums.area, state.u_in);
  state.u_out = vg_contour_mean (sums.out, sums.out_area, state.u_out);
}

/* ---- Sums of the union ---- */

/* This block's share of the union's sums. */
__device__ static inline void
add_union (const VgContourView &view)
{
  unsigned long long sums[2] = { 0, 0 };
  Share share = share_of_grid ();

  for (int i = share.first; i < view.width * view.height; i += share.step)
    {
      unsigned u = min (__ldcg (&view.field[i]), VG_CONTOUR_UNIT);

      sums[0] += u;
      sums[1] += (unsigned long long) u * view.grey[i];
    }
  block_sum (sums);
  if (threadIdx.x == 0)
    {
      atomicAdd (&view.all->area, sums[0]);
      atomicAdd (&view.all->in, sums[1]);
    }
}

/* Means inside and outside the union, from its sums. */
__device__ static inline void
union_means (const VgContourView &view, float *u_in, float *u_out)
{
  int64_t n = (int64_t) view.width * view.height, area = (int64_t) view.all->area,
          in = (int64_t) view.all->in;

  *u_in = vg_contour_mean (in, area, view.all->u_in);
  *u_out = vg_contour_mean (view.grey_sum * VG_CONTOUR_UNIT - in, n * VG_CONTOUR_UNIT - area,
                            view.all->u_out);
}
