/* SPDX-License-Identifier: MIT */
/* Phasor filters on the device, in the same steps as lifetime-filter.c, with one thread per
 * pixel. */
#include "kernels/lifetime/engine/lifetime-cuda.cuh"
#include "kernels/lifetime/engine/lifetime-filter.h"

enum { THREADS = 128 };

/* The frame, for all kernels of this file. */
typedef struct
{
  int width, height;
  gsize n, pixels;
} Frame;

static __device__ inline gsize
pixel_of_thread (void)
{
  return (gsize) blockIdx.x * blockDim.x + threadIdx.x;
}

static __global__ void
phasor_kernel (const float *sums, Frame frame, const __grid_constant__ VgLifetimeFinish finish,
               float *phasor)
{
  gsize i = pixel_of_thread ();
  if (i >= frame.n)
    return;
  int status, x = (int) (i % frame.pixels % frame.width),
              y = (int) (i % frame.pixels / frame.width);
  gsize base = i - i % frame.pixels;

  phasor[i] = vg_lifetime_value (VG_LIFETIME_OUTPUT_PHASOR_G, sums, frame.n, base, x, y, &finish,
                                 &status);
  phasor[frame.n + i] = vg_lifetime_value (VG_LIFETIME_OUTPUT_PHASOR_S, sums, frame.n, base, x, y,
                                           &finish, &status);
}

/* Filters both planes of FROM, one after the other. */
static __global__ void
median_kernel (const float *from, Frame frame, int radius, float *to)
{
  gsize i = pixel_of_thread ();
  if (i >= 2 * frame.n)
    return;
  gsize at = i % frame.pixels;
  to[i] = vg_lifetime_median (from + (i - at), frame.width, frame.height, (int) (at % frame.width),
                              (int) (at / frame.width), radius);
}

static __global__ void
start_kernel (const float *sums, Frame frame, const __grid_constant__ VgLifetimeFinish finish,
              float *level)
{
  gsize i = pixel_of_thread ();
  if (i >= frame.n)
    return;
  int x = (int) (i % frame.pixels % frame.width), y = (int) (i % frame.pixels / frame.width);
  vg_lifetime_filter_start (
      sums, frame.n, i,
      vg_lifetime_window_pixels (x, y, frame.width, frame.height, finish.params.bin), &finish,
      level);
}

static __global__ void
coarsen_kernel (const float *fine, Frame frame, int side, float *coarse)
{
  gsize i = pixel_of_thread ();
  if (i >= 3 * frame.n)
    return;
  gsize at = i % frame.pixels;
  coarse[i] = vg_lifetime_filter_coarsen (fine + (i - at), frame.width, frame.height,
                                          (int) (at % frame.width), (int) (at / frame.width), side);
}

static __global__ void
refine_kernel (const float *fine, const float *coarse, const float *from, Frame frame, int side,
               float threshold, float *to)
{
  gsize i = pixel_of_thread ();
  if (i >= frame.n)
    return;
  gsize at = i % frame.pixels, base = i - at;
  VgLifetimeLevel below = { fine + base, fine + frame.n + base, fine + 2 * frame.n + base };
  VgLifetimeLevel above = { coarse + base, coarse + frame.n + base, coarse + 2 * frame.n + base };

  vg_lifetime_filter_refine (&below, &above, from + base, from + frame.n + base, frame.width,
                             frame.height, (int) (at % frame.width), (int) (at / frame.width), side,
                             threshold, &to[i], &to[frame.n + i]);
}

static __global__ void
calibrate_kernel (const float *photons, const float *estimate, Frame frame,
                  const __grid_constant__ VgLifetimeFinish finish, float *phasor)
{
  gsize i = pixel_of_thread ();
  if (i >= frame.n)
    return;
  double g, s;

  vg_lifetime_calibrate (estimate[i] / photons[i], estimate[frame.n + i] / photons[i], &finish, &g,
                         &s);
  phasor[i] = photons[i] > 0.0f ? (float) g : VG_LIFETIME_NAN;
  phasor[frame.n + i] = photons[i] > 0.0f ? (float) s : VG_LIFETIME_NAN;
}

static unsigned
blocks_for (gsize n)
{
  return (unsigned) ((n + THREADS - 1) / THREADS);
}

static gboolean
filter_median (LifetimeState *self, const Frame *frame, const VgLifetimeFinish *finish,
               GError **error)
{
  float *phasor = self->filtered, *scratch = phasor + 2 * self->n;

  phasor_kernel<<<blocks_for (self->n), THREADS, 0, self->stream>>> (self->sums, *frame, *finish,
                                                                     phasor);
  for (int pass = 0; pass < self->params.median_passes; pass++)
    {
      median_kernel<<<blocks_for (2 * self->n), THREADS, 0, self->stream>>> (
          phasor, *frame, self->params.median_radius, scratch);
      if (!VG_CUDA_OK (cudaMemcpyAsync (phasor, scratch, 2 * self->n * sizeof (float),
                                        cudaMemcpyDeviceToDevice, self->stream),
                       error))
        return FALSE;
    }
  return vg_cuda_launched ("median_kernel", error);
}

static gboolean
filter_wavelet (LifetimeState *self, const Frame *frame, const VgLifetimeFinish *finish,
                GError **error)
{
  int all = self->params.wavelet_levels,
      levels = vg_lifetime_filter_levels (frame->width, frame->height, all);
  gsize level_size = 3 * self->n;
  float *scratch = self->filtered + 2 * self->n, *from = scratch + level_size * (all + 1),
        *to = from + 2 * self->n;

  start_kernel<<<blocks_for (self->n), THREADS, 0, self->stream>>> (self->sums, *frame, *finish,
                                                                    scratch);
  for (int level = 1; level <= levels; level++)
    coarsen_kernel<<<blocks_for (level_size), THREADS, 0, self->stream>>> (
        scratch + level_size * (level - 1), *frame, 1 << (level - 1), scratch + level_size * level);
  if (!VG_CUDA_OK (cudaMemcpyAsync (from, scratch + level_size * levels + self->n,
                                    2 * self->n * sizeof (float), cudaMemcpyDeviceToDevice,
                                    self->stream),
                   error))
    return FALSE;
  for (int level = levels - 1; level >= 0; level--)
    {
      refine_kernel<<<blocks_for (self->n), THREADS, 0, self->stream>>> (
          scratch + level_size * level, scratch + level_size * (level + 1), from, *frame,
          1 << level, self->params.wavelet_threshold, to);
      float *other = from;
      from = to;
      to = other;
    }
  calibrate_kernel<<<blocks_for (self->n), THREADS, 0, self->stream>>> (scratch, from, *frame,
                                                                        *finish, self->filtered);
  return vg_cuda_launched ("refine_kernel", error);
}

gboolean
lifetime_filter (LifetimeState *self, GError **error)
{
  const Frame frame = { self->cube.width, self->cube.height, self->n, self->cube.pixels };
  VgLifetimeFinish finish = lifetime_finish (self);

  finish.phasor = NULL;
  if (self->params.phasor_filter == VG_LIFETIME_FILTER_NONE)
    return TRUE;
  return self->params.phasor_filter == VG_LIFETIME_FILTER_MEDIAN
             ? filter_median (self, &frame, &finish, error)
             : filter_wavelet (self, &frame, &finish, error);
}

int
lifetime_filter_planes (const VgLifetimeParams *params)
{
  return params->phasor_filter == VG_LIFETIME_FILTER_NONE ? 0
                                                          : 2 + vg_lifetime_filter_planes (params);
}
