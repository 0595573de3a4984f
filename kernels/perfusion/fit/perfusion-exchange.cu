/* SPDX-License-Identifier: MIT */
/* The exchange model on the GPU: initial values with one thread per voxel, then the searches
 * (perfusion-exchange-search.h) of many voxels, pass by pass. */
#include "kernels/perfusion/fit/perfusion-general.cuh"
#include "kernels/perfusion/fit/perfusion-exchange-search.h"

/* The fastest of those that were measured on an H200 (docs/performance.md). */
enum {
  THREADS = 256, /* of a block */
  BLOCKS = 1,    /* of a multiprocessor, for which registers are assigned */
  WAITING = 16,  /* threads of a warp that wait for decisions until its block attends to them */
  PARTS_AT_ONCE = 8,
  NO_START = 0xffff
};

/* Finds the best grid point of each group.  The points share curves. */
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

__global__ static void
__launch_bounds__ (THREADS)
    find_points (PerfusionTables t, VgPerfusionRange range, const float *curves, gsize stride,
                 const float *status, ushort2 *found, gsize first, gsize count)
{
  gsize voxel = first + (gsize) blockIdx.x * THREADS + threadIdx.x;
  float scores[VG_PERFUSION_MAX_GROUPS];
  int grouped[VG_PERFUSION_MAX_GROUPS], starts[2];

  if (voxel >= first + count || status[voxel] != VG_PERFUSION_FITTED)
    return;
  VgPerfusionTask task = {
    VG_PERFUSION_EXCHANGE, t.dual, t.n, t.even, t.step64, t.times64, t.artery64, t.portal64,
    t.weights64,           range
  };
  score_pairs (t, curves + voxel, stride, scores, grouped);
  int n = vg_perfusion_general_starts (&task, t.place, t.points / t.point_group, scores, grouped,
                                       starts);
  found[voxel] = make_ushort2 (starts[0], n > 1 ? starts[1] : NO_START);
}

template <bool DUAL, bool DELAYS, bool EVEN>
__device__ __noinline__ static void
pass (const VgPerfusionTask *task, const double *x, const float *curve, long stride,
      VgPerfusionProducts *products)
{
  vg_perfusion_pass (task, x, curve, stride, DUAL, DELAYS, EVEN, products);
}

template <bool DUAL, bool DELAYS>
__device__ __noinline__ static void
take (const VgPerfusionTask *task, const double *points, const VgPerfusionProducts *products,
      VgPerfusionSearch *search)
{
  vg_perfusion_search_take (task, points, products, DUAL, DELAYS, search);
}

/* Begins with voxel AT; returns the mean of its curve. */
__device__ static double
begin (const PerfusionTables &t, const VgPerfusionDescent &descent, int most_starts,
       const float *curve, gsize stride, const double *weights, ushort2 found,
       VgPerfusionSearch *search)
{
  const int starts[2] = { found.x, found.y };
  double yy = 0, sum = 0;

  for (int i = 0; i < t.n; i++)
    {
      double w = weights[i], y = w > 0 ? (double) curve[(gsize) i * stride] : 0;

      yy += w * y * y;
      sum += w * y;
    }
  vg_perfusion_search_begin (search, &descent, t.place, starts,
                             min (found.y == NO_START ? 1 : 2, most_starts), yy, t.used);
  return sum / t.weight_sum64;
}

/* All warps of a block make passes, take their products, and decide at the same time: the code of
 * these exceeds the instruction cache, so that warps at different places would wait for it. */
template <bool DUAL, bool DELAYS, bool EVEN>
__global__ static void
__launch_bounds__ (THREADS, BLOCKS)
    search_voxels (PerfusionTables t, VgPerfusionRange range, VgPerfusionDescent descent,
                   int most_starts, const float *curves, gsize stride, const ushort2 *found,
                   float *values, gsize first, gsize count, bool in_shared, unsigned *queue)
{
  extern __shared__ double memory[];
  const gsize end = first + count;
  gsize at = end;
  bool empty = true;
  double mean = 0;
  VgPerfusionSearch search;
  VgPerfusionProducts products;

  const auto [artery, portal, weights, staged] = perfusion_share_inputs<THREADS> (
      memory, t.artery64, t.portal64, t.weights64, t.n, t.pad);
  __syncthreads ();
  const VgPerfusionTask task = {
    VG_PERFUSION_EXCHANGE, DUAL, t.n, EVEN, t.step64, t.times64, artery, portal, weights, range
  };
  search.phase = VG_PERFUSION_SEARCH_OVER;
  for (;;)
    {
      const bool waits = search.phase >= VG_PERFUSION_SEARCH_PASSES;
      const bool many = __popc (__ballot_sync (PERFUSION_ALL_LANES, waits)) >= WAITING;

      if (__syncthreads_or (many))
        {
          while (search.phase >= VG_PERFUSION_SEARCH_PASSES &&
                 search.phase != VG_PERFUSION_SEARCH_OVER)
            vg_perfusion_search_decide (&task, &search);
          const bool over = search.phase == VG_PERFUSION_SEARCH_OVER;
          if (over && !empty)
            put_fit (t, task,
                     { search.best, &search.lowest, &search.results, search.yy, mean,
                       search.moving ? -search.passes : search.passes, search.unknown },
                     values + at, stride);
          if (over)
            at = perfusion_take (queue, first, end, values + VG_PERFUSION_FIT_STATUS * stride);
          empty = at >= end;
          __syncwarp ();
          if (in_shared)
            perfusion_stage<THREADS> (staged, curves, stride, at, over && !empty, t.n);
          if (over && !empty)
            mean = begin (t, descent, most_starts, in_shared ? staged + threadIdx.x : curves + at,
                          in_shared ? (gsize) perfusion_staged (THREADS) : stride, weights,
                          found[at], &search);
          if (__syncthreads_and (empty))
            return;
        }
      const bool passes = search.phase < VG_PERFUSION_SEARCH_PASSES;
      if (passes)
        pass<DUAL, DELAYS, EVEN> (&task, search.at, in_shared ? staged + threadIdx.x : curves + at,
                                  in_shared ? (long) perfusion_staged (THREADS) : (long) stride,
                                  &products);
      __syncthreads ();
      if (passes)
        take<DUAL, DELAYS> (&task, t.place, &products, &search);
    }
}

gboolean
perfusion_fit_exchange (PerfusionDevice *self, const VgPerfusionFitOptions *options, gsize first,
                        gsize count, GError **error)
{
  const PerfusionTables &t = self->tables;
  const VgPerfusionDescent descent = { options->iterations, options->tolerance };
  const VgPerfusionRange range = vg_perfusion_general_range (VG_PERFUSION_EXCHANGE,
                                                             vg_perfusion_range (&t.bounds));
  const bool delays = t.bounds.delays != VG_PERFUSION_DELAYS_NONE;
  const size_t tables = sizeof (double) * (2 * (size_t) (t.n + 2 * t.pad) + (size_t) t.n);
  auto kernel = t.dual ? (delays ? (t.even ? search_voxels<true, true, true>
                                           : search_voxels<true, true, false>)
                                 : (t.even ? search_voxels<true, false, true>
                                           : search_voxels<true, false, false>) )
                       : (delays ? (t.even ? search_voxels<false, true, true>
                                           : search_voxels<false, true, false>)
                                 : (t.even ? search_voxels<false, false, true>
                                           : search_voxels<false, false, false>) );
  gboolean in_shared;
  size_t shared;
  unsigned blocks;

  if (count == 0)
    return TRUE;
  if (!perfusion_lasting_blocks ((const void *) kernel, THREADS, tables, t.n, count, &blocks,
                                 &shared, &in_shared, error))
    return FALSE;
  find_points<<<(unsigned) ((count + THREADS - 1) / THREADS), THREADS, 0, self->stream>>> (
      t, range, self->curves, self->count, self->values + VG_PERFUSION_FIT_STATUS * self->count,
      self->starts, first, count);
  if (!vg_cuda_launched ("find_points", error))
    return FALSE;
  /* all blocks take voxels from one queue, so that none ends early */
  if (!VG_CUDA_OK (cudaMemsetAsync (self->queue, 0, sizeof *self->queue, self->stream), error))
    return FALSE;
  kernel<<<blocks, THREADS, shared, self->stream>>> (
      t, range, descent, options->starts, self->curves, self->count, self->starts, self->values,
      first, count, in_shared, self->queue);
  return vg_cuda_launched ("search_voxels", error);
}
