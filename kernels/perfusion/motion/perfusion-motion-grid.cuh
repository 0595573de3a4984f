/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/perfusion/motion/perfusion-motion.h"
#include "kernels/shared/vg-cuda-util.cuh"
/* What a control grid adds to the passes of the motion correction on a GPU. */

enum { PERFUSION_MOTION_THREADS = 256 };

static inline unsigned
perfusion_motion_blocks (gsize count)
{
  return (unsigned) ((count + PERFUSION_MOTION_THREADS - 1) / PERFUSION_MOTION_THREADS);
}

struct PerfusionExtent
{
  int n[3];
};

/* Copies the series of a task as float, in parts of one frame through MEMORY of the same size, and
 * its mask. */
gboolean perfusion_motion_load (const VgPerfusionMotionTask *task, float *series, float *memory,
                                guint8 *mask, cudaStream_t stream, GError **error);

/* The model of a series on a level, and what its differences are compared with. */
struct PerfusionLevel
{
  PerfusionExtent extent;
  const float *shifted, *planes;
  const guint8 *mask;
};

/* Sets the TERMS of voxel V of FRAME, whose model has the coefficients C.  FALSE: the voxel does
 * not count. */
template <int RANK>
__device__ static inline bool
perfusion_motion_terms_at (const PerfusionLevel &level, int frame, gsize v, const float *c,
                           int rank, float unit, float sharp, float *terms)
{
  const int *n = level.extent.n;
  const gsize row = (gsize) n[0], page = row * n[1], voxels = page * n[2];
  int x = (int) (v % row), y = (int) (v / row % n[1]), z = (int) (v / page);
  float e = unit * level.shifted[(gsize) frame * voxels + v], g[3] = { 0, 0, 0 };

  if (!level.mask[v] || !isfinite (e))
    return false;
  gsize left = x > 0 ? v - 1 : v, right = x + 1 < n[0] ? v + 1 : v, up = y > 0 ? v - row : v,
        down = y + 1 < n[1] ? v + row : v, before = z > 0 ? v - page : v,
        after = z + 1 < n[2] ? v + page : v;
#pragma unroll
  for (int k = 0; k < RANK; k++)
    if (k < rank)
      {
        const float *plane = level.planes + (gsize) k * voxels;

        e -= c[k] * plane[v];
        g[0] += 0.5f * c[k] * (plane[right] - plane[left]);
        g[1] += 0.5f * c[k] * (plane[down] - plane[up]);
        g[2] += 0.5f * c[k] * (plane[after] - plane[before]);
      }
  if (!isfinite (e))
    return false;
  vg_perfusion_motion_terms (e, g[0], g[1], g[2], sharp, terms);
  return true;
}

/* A control grid on a level, with memory of vg_perfusion_motion_scratch. */
struct PerfusionPoints
{
  VgPerfusionControlGrid grid;
  int factor[3];
  float *terms, *added;
};

/* Corrects FRAMES by SHIFTS [frame][point][3] in voxels of the level, all on the device. */
gboolean perfusion_motion_deform (const PerfusionPoints *points, const float *from,
                                  PerfusionExtent level, const float *shifts, int frames, float *to,
                                  cudaStream_t stream, GError **error);
/* Writes the sums of [frame][point] on the device (VgPerfusionMotionPasses). */
gboolean perfusion_motion_add (const PerfusionPoints *points, const PerfusionLevel *level,
                               int frames, const double *coefficients, int rank, float unit,
                               const float *sharp, double *sums, cudaStream_t stream,
                               GError **error);
