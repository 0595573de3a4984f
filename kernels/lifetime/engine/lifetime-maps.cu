/* SPDX-License-Identifier: MIT */
/* Computes maps from the planes of sums: one thread per pixel, in double precision, with the
 * functions of lifetime-formula.h. */
#include "kernels/lifetime/engine/lifetime-cuda.cuh"

/* Sums along rows, in index order, from IN to OUT. */
static __global__ void
bin_rows_kernel (const float *in, float *out, int width, gsize n, int binning)
{
  gsize i = (gsize) blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int x = (int) (i % width), from = MAX (x - binning, 0), to = MIN (x + binning, width - 1);
  const float *row = in + (i - x);
  float sum = row[from];

  for (int k = from + 1; k <= to; k++)
    sum += row[k];
  out[i] = sum;
}

static __global__ void
bin_columns_kernel (const float *in, float *out, int width, int height, gsize n, int binning)
{
  gsize i = (gsize) blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int y = (int) (i / width % height), from = MAX (y - binning, 0),
      to = MIN (y + binning, height - 1);
  const float *column = in + (i - (gsize) y * width);
  float sum = column[(gsize) from * width];

  for (int k = from + 1; k <= to; k++)
    sum += column[(gsize) k * width];
  out[i] = sum;
}

static unsigned
blocks_for (gsize n, int threads)
{
  return (unsigned) ((n + threads - 1) / threads);
}

static gboolean
bin_sums (LifetimeState *self, GError **error)
{
  const LifetimeCube *cube = &self->cube;
  unsigned blocks = blocks_for (self->n, 256);

  if (!VG_CUDA_OK (cudaMemcpyAsync (self->intensity, self->sums + VG_LIFETIME_SUM_TOTAL * self->n,
                                    self->n * sizeof (float), cudaMemcpyDeviceToDevice,
                                    self->stream),
                   error))
    return FALSE;
  for (int i = 0; i < VG_LIFETIME_N_SUMS; i++)
    {
      float *plane = self->sums + i * self->n;
      bin_rows_kernel<<<blocks, 256, 0, self->stream>>> (plane, self->extra, cube->width, self->n,
                                                         self->params.bin);
      bin_columns_kernel<<<blocks, 256, 0, self->stream>>> (
          self->extra, plane, cube->width, cube->height, self->n, self->params.bin);
    }
  return vg_cuda_launched ("bin_kernel", error);
}

gboolean
lifetime_sums (LifetimeState *self, GError **error)
{
  self->pass_due = !lifetime_pass (&self->cube, &self->plan, self->weights, self->sums, self->n,
                                   self->stream, error) ||
                   (self->params.bin > 0 && !bin_sums (self, error));
  return !self->pass_due;
}

enum { MAP_THREADS = 256 };

/* The counters of this map and of the next.  Each map clears the counters of the next one. */
typedef struct
{
  LifetimeCounts *now, *next;
} MapCounts;

/* Adds a block's pixels of each STATUS (negative: not counted) and their photons. */
static __device__ __forceinline__ void
count (const MapCounts &counts, int status, double sum)
{
  __shared__ double photons[MAP_THREADS / 32];
  __shared__ unsigned total[VG_LIFETIME_N_STATUS];

  if (threadIdx.x < VG_LIFETIME_N_STATUS)
    total[threadIdx.x] = 0;
  __syncthreads ();
#pragma unroll
  for (int k = 0; k < VG_LIFETIME_N_STATUS; k++)
    {
      unsigned all = __ballot_sync (0xffffffffu, status == k);
      if (threadIdx.x % 32 == 0 && all != 0)
        atomicAdd (&total[k], __popc (all));
    }
  for (int offset = 16; offset > 0; offset /= 2)
    sum += __shfl_down_sync (0xffffffffu, sum, offset);
  if (threadIdx.x % 32 == 0)
    photons[threadIdx.x / 32] = sum;
  __syncthreads ();
  if (threadIdx.x < VG_LIFETIME_N_STATUS && total[threadIdx.x] > 0)
    atomicAdd (&counts.now->status[threadIdx.x], (unsigned long long) total[threadIdx.x]);
  if (threadIdx.x != 0)
    return;
  for (int k = 1; k < MAP_THREADS / 32; k++)
    sum += photons[k];
  atomicAdd (&counts.now->photons, sum);
  if (blockIdx.x == 0 && blockIdx.y == 0)
    *counts.next = {};
}

/* The lifetime of pixel I; METHOD is a compile-time constant. */
template <int METHOD>
static __device__ __forceinline__ float
lifetime_by (const float *sums, gsize n, gsize i, unsigned in_slice, const VgLifetimeFinish &finish,
             int *status)
{
  int window = 1;

  *status = vg_lifetime_status (sums, n, i, &finish);
  if (*status != VG_LIFETIME_FITTED)
    return VG_LIFETIME_NAN;
  if (finish.params.bin > 0)
    window = vg_lifetime_window_pixels ((int) (in_slice % (unsigned) finish.width),
                                        (int) (in_slice / (unsigned) finish.width), finish.width,
                                        finish.height, finish.params.bin);
  float lifetime = (float) vg_lifetime_solve_by (METHOD, sums, n, i, &finish, window).lifetime;
  if (!(lifetime > 0.0f))
    *status = VG_LIFETIME_FAILED;
  return lifetime;
}

/* Output WHICH of each pixel, with a slice in y; copied from FIT unless that is NULL.  If
 * `counts.now` is not NULL, it also counts the pixels of each status and the photons of
 * INTENSITY.  METHOD: a constant method of the lifetime map, which then ignores FIT and WHICH; or
 * -1. */
template <int METHOD>
static __global__ void
__launch_bounds__ (MAP_THREADS)
    map_kernel (int which, const float *fit, const float *sums, const float *intensity, gsize n,
                unsigned pixels, const __grid_constant__ VgLifetimeFinish finish, float *map,
                MapCounts counts)
{
  unsigned in_slice = blockIdx.x * MAP_THREADS + threadIdx.x;
  gsize base = (gsize) blockIdx.y * pixels, i = base + in_slice;
  bool there = in_slice < pixels;
  double photons = 0.0;
  int status = -1;

  if (there)
    {
      if constexpr (METHOD >= 0)
        map[i] = lifetime_by<METHOD> (sums, n, i, in_slice, finish, &status);
      else if (fit == NULL)
        map[i] = vg_lifetime_value (which, sums, n, base,
                                    (int) (in_slice % (unsigned) finish.width),
                                    (int) (in_slice / (unsigned) finish.width), &finish, &status);
      else
        {
          status = (int) vg_lifetime_status (sums, n, i, &finish);
          map[i] = status == VG_LIFETIME_FITTED ? fit[i] : VG_LIFETIME_NAN;
          if (status == VG_LIFETIME_FITTED && !isfinite (fit[i]))
            status = VG_LIFETIME_FAILED;
        }
      if (counts.now != NULL && isfinite (intensity[i]))
        photons = (double) intensity[i];
    }
  if (counts.now != NULL)
    count (counts, status, photons);
}

gboolean
lifetime_map (LifetimeState *self, int which, float *map, gboolean counted, GError **error)
{
  const float *intensity = self->params.bin > 0 ? self->intensity
                                                : self->sums + VG_LIFETIME_SUM_TOTAL * self->n;
  const float *fit = lifetime_fit_output (self, which);
  unsigned pixels = (unsigned) self->cube.pixels;
  dim3 grid (blocks_for (pixels, MAP_THREADS), self->cube.slices);
  VgLifetimeFinish finish = lifetime_finish (self);
  MapCounts counts = {};

  if (counted)
    {
      self->counts_at = !self->counts_at;
      counts = { self->counts + self->counts_at, self->counts + !self->counts_at };
    }
  /* One thread per pixel: a pixel's chain of divisions and logarithms takes most of the time. */
  if (which == VG_LIFETIME_OUTPUT_LIFETIME && fit == NULL &&
      finish.params.method == VG_LIFETIME_CMM)
    map_kernel<VG_LIFETIME_CMM><<<grid, MAP_THREADS, 0, self->stream>>> (
        which, fit, self->sums, intensity, self->n, pixels, finish, map, counts);
  else
    map_kernel<-1><<<grid, MAP_THREADS, 0, self->stream>>> (which, fit, self->sums, intensity,
                                                            self->n, pixels, finish, map, counts);
  return vg_cuda_launched ("map_kernel", error);
}

/* Counts the pixels in each cell of the phasor plot.  Integers below 2^24 do not depend on the
 * order of addition. */
static __global__ void
density_kernel (const float *sums, gsize n, gsize pixels,
                const __grid_constant__ VgLifetimeFinish finish, float *density)
{
  gsize i = (gsize) blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int status, x = (int) (i % pixels % finish.width), y = (int) (i % pixels / finish.width);
  gsize base = i - i % pixels;
  float g = vg_lifetime_value (VG_LIFETIME_OUTPUT_PHASOR_G, sums, n, base, x, y, &finish, &status);
  float s = vg_lifetime_value (VG_LIFETIME_OUTPUT_PHASOR_S, sums, n, base, x, y, &finish, &status);
  int cell = vg_lifetime_density_cell (g, s);

  if (cell >= 0)
    atomicAdd (&density[cell], 1.0f);
}

static __global__ void
hide_zeros_kernel (float *density, int cells)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  if (i < cells && density[i] == 0.0f)
    density[i] = VG_LIFETIME_NAN;
}

gboolean
lifetime_density (LifetimeState *self, GError **error)
{
  const int cells = VG_LIFETIME_DENSITY_SIDE * VG_LIFETIME_DENSITY_SIDE;

  if (!VG_CUDA_OK (cudaMemsetAsync (self->density, 0, cells * sizeof (float), self->stream), error))
    return FALSE;
  density_kernel<<<blocks_for (self->n, 128), 128, 0, self->stream>>> (
      self->sums, self->n, self->cube.pixels, lifetime_finish (self), self->density);
  hide_zeros_kernel<<<cells / 256, 256, 0, self->stream>>> (self->density, cells);
  return vg_cuda_launched ("density_kernel", error);
}
