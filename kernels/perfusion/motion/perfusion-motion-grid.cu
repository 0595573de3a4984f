/* SPDX-License-Identifier: MIT */
#include "kernels/perfusion/motion/perfusion-motion-grid.cuh"
/* The terms of a frame are computed for each voxel, then added to the points along one axis after
 * the other, so that each is read four times rather than 64 times. */

enum {
  THREADS = PERFUSION_MOTION_THREADS,
  RANK = VG_PERFUSION_MOTION_RANK,
  SUMS = VG_PERFUSION_MOTION_SUMS
};

__global__ static void
deform_frames (const float *from, PerfusionExtent level, PerfusionPoints points,
               const float *shifts, float *to)
{
  const VgPerfusionControlGrid *grid = &points.grid;
  gsize row = (gsize) level.n[0], page = row * level.n[1], voxels = page * level.n[2],
        v = (gsize) blockIdx.x * THREADS + threadIdx.x;
  float d[3];

  if (v >= voxels)
    return;
  int x = (int) (v % row), y = (int) (v / row % level.n[1]), z = (int) (v / page);
  const VgPerfusionTaps around[3] = { vg_perfusion_spline (grid, 0, x, points.factor[0]),
                                      vg_perfusion_spline (grid, 1, y, points.factor[1]),
                                      vg_perfusion_spline (grid, 2, z, points.factor[2]) };
  vg_perfusion_displacement (
      grid, shifts + (gsize) blockIdx.y * vg_perfusion_control_points (grid) * 3, around, d);
  const VgPerfusionTaps taps[3] = { vg_perfusion_taps (d[0]), vg_perfusion_taps (d[1]),
                                    vg_perfusion_taps (d[2]) };
  to[(gsize) blockIdx.y * voxels + v] = vg_perfusion_shifted (from + (gsize) blockIdx.y * voxels,
                                                              level.n, x, y, z, d, taps);
}

/* Writes the terms of the voxels of FRAME, each term in a plane. */
__global__ static void
write_terms (PerfusionLevel level, int frame, const double *coefficients, int rank, float unit,
             const float *sharp, float *to)
{
  gsize voxels = (gsize) level.extent.n[0] * level.extent.n[1] * level.extent.n[2],
        v = (gsize) blockIdx.x * THREADS + threadIdx.x;
  float c[RANK], terms[SUMS] = { 0 };

  if (v >= voxels)
    return;
#pragma unroll
  for (int k = 0; k < RANK; k++)
    c[k] = k < rank ? unit * (float) coefficients[frame * rank + k] : 0;
  perfusion_motion_terms_at<RANK> (level, frame, v, c, rank, unit, sharp[frame], terms);
#pragma unroll
  for (int k = 0; k < SUMS; k++)
    to[(gsize) k * voxels + v] = terms[k];
}

/* Adds FROM [outer][n][inner] along AXIS to the points, TO [outer][point][inner]. */
template <class T, bool LAST>
__global__ static void
add_axis (const float *from, gsize outer, int n, gsize inner, PerfusionPoints points, int axis,
          T *to)
{
  const int count = points.grid.points[axis];
  const float scale = points.grid.spacing[axis] / (float) points.factor[axis];
  gsize i = (gsize) blockIdx.x * THREADS + threadIdx.x;
  float sum = 0;

  if (i >= outer * count * inner)
    return;
  gsize in = i % inner, out = i / inner / count;
  int point = (int) (i / inner % count), first = MAX (0, (int) ((point - 3) * scale - 1)),
      last = MIN (n - 1, (int) ((point + 1) * scale + 1));
  from += out * n * inner + in;
  for (int x = first; x <= last; x++)
    {
      VgPerfusionTaps taps = vg_perfusion_spline (&points.grid, axis, x, points.factor[axis]);

#pragma unroll
      for (int k = 0; k < 4; k++)
        if (taps.base + k == point)
          sum += taps.w[k] * from[x * inner];
    }
  /* The last axis writes the terms of a point side by side. */
  if (LAST)
    {
      gsize rows = outer / SUMS;

      to[((out % rows) * count + point) * SUMS + out / rows] = (T) sum;
    }
  else
    to[i] = (T) sum;
}

gboolean
perfusion_motion_deform (const PerfusionPoints *points, const float *from, PerfusionExtent level,
                         const float *shifts, int frames, float *to, cudaStream_t stream,
                         GError **error)
{
  gsize voxels = (gsize) level.n[0] * (gsize) level.n[1] * (gsize) level.n[2];

  deform_frames<<<dim3 (perfusion_motion_blocks (voxels), (unsigned) frames), THREADS, 0,
                  stream>>> (from, level, *points, shifts, to);
  return vg_cuda_launched ("deform_frames", error);
}

gboolean
perfusion_motion_add (const PerfusionPoints *points, const PerfusionLevel *level, int frames,
                      const double *coefficients, int rank, float unit, const float *sharp,
                      double *sums, cudaStream_t stream, GError **error)
{
  const int *n = level->extent.n, *count = points->grid.points;
  gsize x = (gsize) n[0], y = (gsize) n[1], z = (gsize) n[2], points_x = (gsize) count[0],
        points_y = (gsize) count[1], points_z = (gsize) count[2],
        size = points_x * points_y * points_z;

  for (int i = 0; i < frames; i++)
    {
      write_terms<<<perfusion_motion_blocks (x * y * z), THREADS, 0, stream>>> (
          *level, i, coefficients, rank, unit, sharp, points->terms);
      add_axis<float, false>
          <<<perfusion_motion_blocks (SUMS * points_z * y * x), THREADS, 0, stream>>> (
              points->terms, (gsize) SUMS, n[2], y * x, *points, 2, points->added);
      add_axis<float, false>
          <<<perfusion_motion_blocks (SUMS * points_z * points_y * x), THREADS, 0, stream>>> (
              points->added, SUMS * points_z, n[1], x, *points, 1, points->terms);
      add_axis<double, true><<<perfusion_motion_blocks (SUMS * size), THREADS, 0, stream>>> (
          points->terms, SUMS * points_z * points_y, n[0], (gsize) 1, *points, 0,
          sums + (gsize) i * size * SUMS);
    }
  return vg_cuda_launched ("add_axis", error);
}
