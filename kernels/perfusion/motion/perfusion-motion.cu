/* SPDX-License-Identifier: MIT */
/* The passes of the motion correction on a GPU.  The series, the corrected series and the model
 * stay in device memory; the host receives sums. */
#include "kernels/perfusion/motion/perfusion-motion-cuda.cuh"
#include "kernels/perfusion/motion/perfusion-motion-grid.cuh"

enum {
  THREADS = PERFUSION_MOTION_THREADS,
  RANK = VG_PERFUSION_MOTION_RANK,
  SUMS = VG_PERFUSION_MOTION_SUMS
};
enum { PARTS = VG_PERFUSION_MOTION_PARTS };

typedef PerfusionExtent Extent;

struct Passes
{
  const VgPerfusionMotionTask *task;
  cudaStream_t stream;
  int frames, groups;
  Extent whole, level;
  gsize voxels; /* of the level */
  float *series, *coarse, *shifted, *planes, *mean, *sharp, *shifts;
  const float *from; /* the series of the level */
  guint8 *mask, *level_mask;
  double *matrix, *old, *parts, *sums; /* parts: PARTS times sums */
  bool deformed;                       /* groups are the points of a grid */
  PerfusionPoints points;
};

static gsize
voxels_of (const Extent &extent)
{
  return (gsize) extent.n[0] * (gsize) extent.n[1] * (gsize) extent.n[2];
}

__global__ static void
reduce_level (const float *from, const guint8 *mask, Extent whole, Extent level, int fx, int fy,
              int fz, float *to, guint8 *to_mask)
{
  gsize voxels = (gsize) level.n[0] * level.n[1] * level.n[2],
        v = (gsize) blockIdx.x * THREADS + threadIdx.x;
  float sum = 0, share = 1 / (float) (fx * fy * fz);
  guint8 any = 0;

  if (v >= voxels)
    return;
  int x = (int) (v % level.n[0]), y = (int) (v / level.n[0] % level.n[1]),
      z = (int) (v / ((gsize) level.n[0] * level.n[1]));
  from += (gsize) blockIdx.y * whole.n[0] * whole.n[1] * whole.n[2];
  for (int c = 0; c < fz; c++)
    for (int b = 0; b < fy; b++)
      for (int a = 0; a < fx; a++)
        {
          gsize at = ((gsize) (z * fz + c) * whole.n[1] + (y * fy + b)) * whole.n[0] + x * fx + a;

          sum += from[at];
          any |= mask[at];
        }
  to[(gsize) blockIdx.y * voxels + v] = sum * share;
  if (blockIdx.y == 0)
    to_mask[v] = any;
}

__global__ static void
shift_frames (const float *from, Extent level, const float *shifts, int groups, float *to)
{
  gsize voxels = (gsize) level.n[0] * level.n[1] * level.n[2],
        v = (gsize) blockIdx.x * THREADS + threadIdx.x;

  if (v >= voxels)
    return;
  int x = (int) (v % level.n[0]), y = (int) (v / level.n[0] % level.n[1]),
      z = (int) (v / ((gsize) level.n[0] * level.n[1]));
  const float *d = shifts + ((gsize) blockIdx.y * groups + (groups > 1 ? z : 0)) * 3;
  const VgPerfusionTaps taps[3] = { vg_perfusion_taps (d[0]), vg_perfusion_taps (d[1]),
                                    vg_perfusion_taps (d[2]) };
  to[(gsize) blockIdx.y * voxels + v] = vg_perfusion_shifted (from + (gsize) blockIdx.y * voxels,
                                                              level.n, x, y, z, d, taps);
}

/* The mean over time of the finite samples. */
__global__ static void
average (const float *shifted, gsize voxels, int frames, float *mean)
{
  gsize v = (gsize) blockIdx.x * THREADS + threadIdx.x;
  float sum = 0;
  int used = 0;

  if (v >= voxels)
    return;
  for (int i = 0; i < frames; i++)
    {
      float value = shifted[(gsize) i * voxels + v];

      sum += isfinite (value) ? value : 0;
      used += isfinite (value) != 0;
    }
  mean[v] = used > 0 ? sum / (float) used : 0;
}

/* A sample of the corrected series; a missing one from the former model. */
__device__ static float
filled (const float *shifted, const float *planes, gsize voxels, gsize v, int frame,
        const double *old, int old_rank, const float *mean)
{
  float value = shifted[(gsize) frame * voxels + v], sum = 0;

  if (isfinite (value))
    return value;
  if (old_rank == 0)
    return mean[v];
  for (int k = 0; k < old_rank; k++)
    sum += (float) old[frame * old_rank + k] * planes[(gsize) k * voxels + v];
  return sum;
}

/* The planes of the model.  NEXT receives them, because a missing sample needs the former. */
__global__ static void
make_planes (const float *shifted, const float *planes, gsize voxels, int frames,
             const double *matrix, int rank, const double *old, int old_rank, const float *mean,
             float *next)
{
  gsize v = (gsize) blockIdx.x * THREADS + threadIdx.x;
  float sum[RANK] = { 0 };

  if (v >= voxels)
    return;
  for (int i = 0; i < frames; i++)
    {
      float value = filled (shifted, planes, voxels, v, i, old, old_rank, mean);

#pragma unroll
      for (int k = 0; k < RANK; k++)
        if (k < rank)
          sum[k] += (float) matrix[k * frames + i] * value;
    }
#pragma unroll
  for (int k = 0; k < RANK; k++)
    if (k < rank)
      next[(gsize) k * voxels + v] = sum[k];
}

/* Adds VALUES over the block; thread 0 writes the sum to TO. */
template <int N>
__device__ static void
add_block (double *values, double *to, int count)
{
  __shared__ double partial[THREADS / 32][N];
  int warp = (int) threadIdx.x / 32, lane = (int) threadIdx.x % 32;

#pragma unroll
  for (int k = 0; k < N; k++)
    for (int offset = 16; offset > 0; offset /= 2)
      values[k] += __shfl_down_sync (0xffffffffu, values[k], offset);
  if (lane == 0)
#pragma unroll
    for (int k = 0; k < N; k++)
      partial[warp][k] = values[k];
  __syncthreads ();
  if ((int) threadIdx.x < count)
    {
      double sum = 0;

      for (int w = 0; w < THREADS / 32; w++)
        sum += partial[w][threadIdx.x];
      to[threadIdx.x] = sum;
    }
}

/* The products of each frame (blockIdx.y) and each plane with the planes NEXT. */
__global__ static void
multiply (const float *shifted, const float *planes, const float *next, const guint8 *mask,
          gsize voxels, int frames, int rank, const double *old, int old_rank, const float *mean,
          double *parts)
{
  int row = (int) blockIdx.y;
  double sum[RANK] = { 0 };

  for (gsize v = (gsize) blockIdx.x * THREADS + threadIdx.x; v < voxels;
       v += (gsize) gridDim.x * THREADS)
    {
      if (!mask[v])
        continue;
      float value = row < frames ? filled (shifted, planes, voxels, v, row, old, old_rank, mean)
                                 : next[(gsize) (row - frames) * voxels + v];

#pragma unroll
      for (int k = 0; k < RANK; k++)
        if (k < rank)
          sum[k] += (double) value * (double) next[(gsize) k * voxels + v];
    }
  add_block<RANK> (sum, parts + ((gsize) blockIdx.x * gridDim.y + (gsize) row) * rank, rank);
}

/* The sums of a frame (blockIdx.y), and of a slice in it (blockIdx.z) if groups are slices. */
__global__ static void
add_frames (PerfusionLevel level, const double *coefficients, int rank, float unit,
            const float *sharp, double *parts)
{
  const gsize page = (gsize) level.extent.n[0] * level.extent.n[1],
              size = gridDim.z > 1 ? page : page * level.extent.n[2],
              first = gridDim.z > 1 ? blockIdx.z * page : 0,
              group = (gsize) blockIdx.y * gridDim.z + blockIdx.z;
  float c[RANK];
  double sum[SUMS] = { 0 };

#pragma unroll
  for (int k = 0; k < RANK; k++)
    c[k] = k < rank ? unit * (float) coefficients[(int) blockIdx.y * rank + k] : 0;
  for (gsize i = (gsize) blockIdx.x * THREADS + threadIdx.x; i < size;
       i += (gsize) gridDim.x * THREADS)
    {
      float terms[SUMS];

      if (!perfusion_motion_terms_at<RANK> (level, (int) blockIdx.y, first + i, c, rank, unit,
                                            sharp[group], terms))
        continue;
#pragma unroll
      for (int k = 0; k < SUMS; k++)
        sum[k] += (double) terms[k];
    }
  add_block<SUMS> (sum, parts + ((gsize) blockIdx.x * gridDim.y * gridDim.z + group) * SUMS, SUMS);
}

/* Adds the PARTS of N sums in order. */
__global__ static void
add_parts (const double *parts, int n_parts, gsize n, double *to)
{
  gsize i = (gsize) blockIdx.x * THREADS + threadIdx.x;
  double sum = 0;

  if (i >= n)
    return;
  for (int p = 0; p < n_parts; p++)
    sum += parts[(gsize) p * n + i];
  to[i] = sum;
}

__global__ static void
find_residual (const float *shifted, const float *planes, gsize voxels, int frames,
               const double *coefficients, int rank, float *to)
{
  gsize v = (gsize) blockIdx.x * THREADS + threadIdx.x;
  double total = 0;
  int used = 0;

  if (v >= voxels)
    return;
  for (int i = 0; i < frames; i++)
    {
      float e = shifted[(gsize) i * voxels + v];

      for (int k = 0; k < rank; k++)
        e -= (float) coefficients[i * rank + k] * planes[(gsize) k * voxels + v];
      if (isfinite (e))
        {
          total += (double) e * (double) e;
          used++;
        }
    }
  to[v] = used > 0 ? (float) sqrt (total / used) : NAN;
}

/* ---- The passes ---- */

static gsize
groups_of (const Passes *self)
{
  return self->deformed ? (gsize) vg_perfusion_control_points (&self->points.grid)
                        : (gsize) self->groups;
}

static gboolean
begin_level (gpointer data, const int factor[3], const VgPerfusionControlGrid *grid, GError **error)
{
  Passes *self = (Passes *) data;
  gsize all = voxels_of (self->whole);

  self->deformed = grid != NULL;
  for (int a = 0; a < 3; a++)
    {
      self->points.factor[a] = factor[a];
      self->level.n[a] = self->whole.n[a] / factor[a];
    }
  self->voxels = voxels_of (self->level);
  self->from = self->series;
  if (factor[0] * factor[1] * factor[2] == 1)
    return VG_CUDA_OK (
        cudaMemcpyAsync (self->level_mask, self->mask, all, cudaMemcpyDeviceToDevice, self->stream),
        error);
  self->from = self->coarse;
  reduce_level<<<dim3 (perfusion_motion_blocks (self->voxels), (unsigned) self->frames), THREADS, 0,
                 self->stream>>> (self->series, self->mask, self->whole, self->level, factor[0],
                                  factor[1], factor[2], self->coarse, self->level_mask);
  return vg_cuda_launched ("reduce_level", error);
}

static gboolean
shift (gpointer data, const float *shifts, GError **error)
{
  Passes *self = (Passes *) data;

  if (!vg_cuda_copy_now (self->shifts, shifts,
                         sizeof (float) * 3 * (gsize) self->frames * groups_of (self), self->stream,
                         error))
    return FALSE;
  if (self->deformed)
    return perfusion_motion_deform (&self->points, self->from, self->level, self->shifts,
                                    self->frames, self->shifted, self->stream, error);
  shift_frames<<<dim3 (perfusion_motion_blocks (self->voxels), (unsigned) self->frames), THREADS, 0,
                 self->stream>>> (self->from, self->level, self->shifts, self->groups,
                                  self->shifted);
  return vg_cuda_launched ("shift_frames", error);
}

/* Adds N sums of PARTS blocks and copies them to the host. */
static gboolean
collect (Passes *self, int parts, gsize n, double *to, GError **error)
{
  add_parts<<<perfusion_motion_blocks (n), THREADS, 0, self->stream>>> (self->parts, parts, n,
                                                                        self->sums);
  return vg_cuda_launched ("add_parts", error) &&
         vg_cuda_copy_now (to, self->sums, n * sizeof (double), self->stream, error);
}

static gboolean
project (gpointer data, const double *matrix, int rank, const double *old, int old_rank,
         double *products, GError **error)
{
  Passes *self = (Passes *) data;
  gsize size = sizeof (double) * (gsize) self->frames;
  unsigned blocks = perfusion_motion_blocks (self->voxels), rows = (unsigned) (self->frames + rank),
           parts = MIN (blocks, (unsigned) PARTS);
  float *next = self->planes + (gsize) RANK * voxels_of (self->whole);

  if (!vg_cuda_copy_now (self->matrix, matrix, size * (gsize) rank, self->stream, error) ||
      (old_rank > 0 &&
       !vg_cuda_copy_now (self->old, old, size * (gsize) old_rank, self->stream, error)))
    return FALSE;
  if (old_rank == 0)
    average<<<blocks, THREADS, 0, self->stream>>> (self->shifted, self->voxels, self->frames,
                                                   self->mean);
  make_planes<<<blocks, THREADS, 0, self->stream>>> (self->shifted, self->planes, self->voxels,
                                                     self->frames, self->matrix, rank, self->old,
                                                     old_rank, self->mean, next);
  multiply<<<dim3 (parts, rows), THREADS, 0, self->stream>>> (
      self->shifted, self->planes, next, self->level_mask, self->voxels, self->frames, rank,
      self->old, old_rank, self->mean, self->parts);
  return vg_cuda_launched ("multiply", error) &&
         VG_CUDA_OK (cudaMemcpyAsync (self->planes, next,
                                      (gsize) rank * self->voxels * sizeof (float),
                                      cudaMemcpyDeviceToDevice, self->stream),
                     error) &&
         collect (self, (int) parts, rows * (gsize) rank, products, error);
}

static gboolean
sum (gpointer data, const double *coefficients, int rank, float unit, const float *sharp,
     double *sums, GError **error)
{
  Passes *self = (Passes *) data;
  gsize groups = (gsize) (self->frames * self->groups), size = self->voxels / (gsize) self->groups;
  unsigned parts = MIN (perfusion_motion_blocks (size), (unsigned) PARTS);
  PerfusionLevel level = { self->level, self->shifted, self->planes, self->level_mask };

  if (!vg_cuda_copy_now (self->matrix, coefficients,
                         sizeof (double) * (gsize) (self->frames * rank), self->stream, error) ||
      !vg_cuda_copy_now (self->sharp, sharp, sizeof (float) * groups, self->stream, error))
    return FALSE;
  if (self->deformed)
    return perfusion_motion_add (&self->points, &level, self->frames, self->matrix, rank, unit,
                                 self->sharp, self->sums, self->stream, error) &&
           vg_cuda_copy_now (sums, self->sums,
                             sizeof (double) * SUMS * (gsize) self->frames * groups_of (self),
                             self->stream, error);
  add_frames<<<dim3 (parts, (unsigned) self->frames, (unsigned) self->groups), THREADS, 0,
               self->stream>>> (level, self->matrix, rank, unit, self->sharp, self->parts);
  return vg_cuda_launched ("add_frames", error) &&
         collect (self, (int) parts, groups * SUMS, sums, error);
}

static gboolean
residual (gpointer data, const double *coefficients, int rank, float *to, GError **error)
{
  Passes *self = (Passes *) data;

  if (!vg_cuda_copy_now (self->matrix, coefficients,
                         sizeof (double) * (gsize) (self->frames * rank), self->stream, error))
    return FALSE;
  find_residual<<<perfusion_motion_blocks (self->voxels), THREADS, 0, self->stream>>> (
      self->shifted, self->planes, self->voxels, self->frames, self->matrix, rank, self->mean);
  return vg_cuda_launched ("find_residual", error) &&
         vg_cuda_copy_now (to, self->mean, self->voxels * sizeof (float), self->stream, error);
}

static gboolean
fetch (gpointer data, float *to, GError **error)
{
  Passes *self = (Passes *) data;

  return vg_cuda_copy_now (to, self->shifted, self->voxels * sizeof (float) * (gsize) self->frames,
                           self->stream, error);
}

static const VgPerfusionMotionPasses passes = {
  .level = begin_level,
  .shift = shift,
  .project = project,
  .sums = sum,
  .residual = residual,
  .fetch = fetch,
};

static gboolean
passes_new (Passes *self, GError **error)
{
  static const char what[] = "the motion correction";
  gsize all = voxels_of (self->whole), frames = (gsize) self->frames, series = all * frames,
        groups = frames * (gsize) self->groups, most = MAX (groups * SUMS, (frames + RANK) * RANK),
        points = 0, terms = 0, added = 0;

  if (self->task->kind == VG_PERFUSION_MOTION_DEFORMATION)
    {
      self->points.grid = vg_perfusion_motion_grid (&self->task->image->info, self->task->spacing);
      points = frames * (gsize) vg_perfusion_control_points (&self->points.grid);
      vg_perfusion_motion_scratch (self->whole.n, &self->points.grid, &terms, &added);
    }

  return vg_cuda_stream_new (&self->stream, error) &&
         vg_cuda_alloc ((void **) &self->series, series * sizeof (float), what, error) &&
         vg_cuda_alloc ((void **) &self->coarse, (series / 2 + 1) * sizeof (float), what, error) &&
         vg_cuda_alloc ((void **) &self->shifted, series * sizeof (float), what, error) &&
         vg_cuda_alloc ((void **) &self->planes, 2 * RANK * all * sizeof (float), what, error) &&
         vg_cuda_alloc ((void **) &self->mean, all * sizeof (float), what, error) &&
         vg_cuda_alloc ((void **) &self->mask, all, what, error) &&
         vg_cuda_alloc ((void **) &self->level_mask, all, what, error) &&
         vg_cuda_alloc ((void **) &self->shifts, MAX (groups, points) * 3 * sizeof (float), what,
                        error) &&
         vg_cuda_alloc ((void **) &self->sharp, groups * sizeof (float), what, error) &&
         vg_cuda_alloc ((void **) &self->matrix, frames * RANK * sizeof (double), what, error) &&
         vg_cuda_alloc ((void **) &self->old, frames * RANK * sizeof (double), what, error) &&
         vg_cuda_alloc ((void **) &self->parts, PARTS * most * sizeof (double), what, error) &&
         vg_cuda_alloc ((void **) &self->sums, MAX (most, points * SUMS) * sizeof (double), what,
                        error) &&
         (points == 0 || (vg_cuda_alloc ((void **) &self->points.terms,
                                         SUMS * terms * sizeof (float), what, error) &&
                          vg_cuda_alloc ((void **) &self->points.added,
                                         SUMS * added * sizeof (float), what, error))) &&
         perfusion_motion_load (self->task, self->series, self->shifted, self->mask, self->stream,
                                error);
}

VgPerfusionMotion *
perfusion_find_motion (const VgPerfusionMotionTask *task, int device, GError **error)
{
  const VgImageInfo *info = &task->image->info;
  VgPerfusionMotion *motion = NULL;
  Passes self = {};

  self.task = task;
  self.frames = (int) info->frames;
  self.groups = vg_perfusion_motion_groups (task);
  self.whole = { { info->width, info->height, (int) info->slices } };
  if (!vg_cuda_use (device, error))
    return NULL;
  if (passes_new (&self, error))
    motion = vg_perfusion_motion_run (task, &passes, &self, error);
  for (void *memory :
       { (void *) self.series, (void *) self.coarse, (void *) self.shifted, (void *) self.planes,
         (void *) self.mean, (void *) self.mask, (void *) self.level_mask, (void *) self.shifts,
         (void *) self.sharp, (void *) self.matrix, (void *) self.old, (void *) self.parts,
         (void *) self.sums, (void *) self.points.terms, (void *) self.points.added })
    cudaFree (memory);
  vg_cuda_stream_free (self.stream);
  return motion;
}
