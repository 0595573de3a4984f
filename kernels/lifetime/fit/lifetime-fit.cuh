/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/lifetime/fit/lifetime-global.h"
#include "kernels/lifetime/fit/lifetime-fit-private.h"
#include "kernels/shared/vg-cuda-util.cuh"
/* Fits on the GPU.  A thread is a lane; the 32 pixels of a warp are neighbours, so that one load
 * reads a bin of all.  The cube is bin-major and is read again in each pass: a pass computes
 * about 50 instructions per sample, 12 times the cost of loading it. */

/* Cubes, masks, maps, IRF and nodes are in device memory; work is queued on STREAM. */
gboolean lifetime_fit_pixels (const VgLifetimeFit *fit, const VgLifetimeCube *cube,
                              const VgLifetimeFitMaps *maps, cudaStream_t stream, GError **error);
gboolean lifetime_fit_segments (const VgLifetimeFit *fit, const VgLifetimeCube *cube, gsize width,
                                const VgLifetimeFitMaps *maps, cudaStream_t stream, GError **error);
enum { LIFETIME_IMAGE_PLANES = (3 + VG_LIFETIME_MAX_TERMS) * VG_GLOBAL_MAX_LOCAL };

/* Fits a whole image.  PLANES: lifetime_fit_image_planes planes of cube->pixels floats, for the
 * values that pixels store between passes; they may be planes of the maps.  SUMS:
 * lifetime_fit_image_bytes bytes.  Waits for the device after each pass. */
gboolean lifetime_fit_image (const VgLifetimeFit *fit, const VgLifetimeCube *cube,
                             float *const *planes, void *sums, const VgLifetimeFitMaps *maps,
                             cudaStream_t stream, GError **error);
int lifetime_fit_image_planes (const VgLifetimeFit *fit);
gsize lifetime_fit_image_bytes (gsize pixels);

/* The decay of one pixel, of any sample type without branches.  It reads the 32-bit word that
 * holds a sample; pages and pitches are multiples of 4 bytes, so the word lies within the data. */
struct LifetimeSamples
{
  const guint8 *at;
  gsize stride;  /* bytes from bin to bin */
  unsigned mask; /* the bits of a sample */
  bool real;

  __device__ __forceinline__ float
  operator[] (int j) const
  {
    gsize p = (gsize) (at + (gsize) j * stride);
    unsigned word = *(const unsigned *) (p & ~(gsize) 3) >> (unsigned) (p & 3) * 8 & mask;

    return real ? __uint_as_float (word) : (float) word;
  }
};

static __device__ __forceinline__ LifetimeSamples
lifetime_samples (const VgLifetimeCube &cube, gsize pixel)
{
  gsize size = cube.type == VG_U8 ? 1 : cube.type == VG_U16 ? 2 : 4;

  return { (const guint8 *) cube.samples + pixel * cube.pixel_stride * size, cube.bin_stride * size,
           0xffffffffu >> (unsigned) (4 - size) * 8, cube.type == VG_F32 };
}

static __device__ __forceinline__ float
lifetime_area (const VgLifetimeCube &cube, gsize pixel)
{
  return cube.area != NULL ? cube.area[pixel] : 1.0f;
}

static __device__ __forceinline__ void
lifetime_store (const VgLifetimeFitMaps &maps, gsize pixel, const VgFitResult &result)
{
#pragma unroll
  for (int i = 0; i < VG_LIFETIME_FIT_N_PLANES; i++)
    if (maps.plane[i] != NULL)
      maps.plane[i][pixel] = result.plane[i];
}

enum { LIFETIME_FIT_THREADS = 128 };

template <int TERMS, bool IRF>
__global__ void
__launch_bounds__ (LIFETIME_FIT_THREADS)
    lifetime_fit_kernel (VgLifetimeFit fit, VgLifetimeCube cube, VgLifetimeFitMaps maps)
{
  const VgFitShape shape = { TERMS, true, IRF };
  gsize pixel = (gsize) blockIdx.x * LIFETIME_FIT_THREADS + threadIdx.x;

  if (pixel >= cube.pixels)
    return;
  LifetimeSamples samples = lifetime_samples (cube, pixel);
  VgFitResult result;
  vg_fit_lanes (&fit, shape, samples, cube.mask == NULL || cube.mask[pixel],
                lifetime_area (cube, pixel), NULL, &result);
  lifetime_store (maps, pixel, result);
}

static __device__ __forceinline__ double
lifetime_warp_sum (float v)
{
  double sum = v;

#pragma unroll
  for (int i = 16; i > 0; i >>= 1)
    sum += __shfl_xor_sync (0xffffffffu, sum, i);
  return sum;
}

template <int TERMS>
static __device__ __forceinline__ void
lifetime_warp_sums (const VgGlobalPart &part, VgGlobalSums *sums)
{
  sums->objective = lifetime_warp_sum (part.objective);
  sums->flat = lifetime_warp_sum (part.flat);
  sums->local = lifetime_warp_sum (part.local);
#pragma unroll
  for (int i = 0; i < TERMS; i++)
    sums->g[i] = lifetime_warp_sum (part.g[i]);
#pragma unroll
  for (int i = 0; i < TERMS * (TERMS + 1) / 2; i++)
    sums->h[i] = lifetime_warp_sum (part.h[i]);
}

/* Fits the amplitudes at the shared lifetimes, and computes the planes. */
template <int TERMS, bool IRF>
static __device__ __forceinline__ void
lifetime_finish_pixel (VgLifetimeFit fit, const LifetimeSamples &samples,
                       const VgGlobalPixel &pixel, const VgGlobalState &shared, float area,
                       const VgLifetimeFitMaps &maps, gsize i)
{
  const VgFitShape shape = { TERMS, true, IRF };
  VgLifetimeFit given = fit;
  VgLanes x[VG_FIT_MAX_PARAMS];
  VgFitResult result;

#pragma unroll
  for (int k = 0; k < TERMS; k++)
    given.fixed[k] = TRUE;
  vg_global_parameters (shape, &pixel, shared.x, x);
  vg_fit_lanes (&given, shape, samples, pixel.there, area, x, &result);
  vg_global_set_shared (&fit, TERMS, &shared, &result);
  lifetime_store (maps, i, result);
}

/* Each warp fits a segment. */
template <int TERMS, bool IRF>
__global__ void
__launch_bounds__ (LIFETIME_FIT_THREADS)
    lifetime_segments_kernel (VgLifetimeFit fit, VgLifetimeCube cube, gsize width,
                              VgLifetimeFitMaps maps)
{
  const VgFitShape shape = { TERMS, true, IRF };
  gsize segment = (gsize) blockIdx.x * (LIFETIME_FIT_THREADS / 32) + threadIdx.x / 32,
        each = vg_lifetime_segments (width);
  int lane = threadIdx.x % 32;
  VgGlobalPixel pixel;
  VgGlobalState state;
  VgGlobalSums sums;

  if (segment >= each * (cube.pixels / width))
    return;
  gsize row = segment / each * width,
        first = row + vg_lifetime_segment_start (width, segment % each);
  int n = (int) (row + vg_lifetime_segment_start (width, segment % each + 1) - first);
  gsize i = first + MIN (lane, n - 1);
  LifetimeSamples samples = lifetime_samples (cube, i);
  bool there = lane < n && (cube.mask == NULL || cube.mask[i]);
  VgLanes photons = vg_fit_photons (&fit, samples);
  vg_global_pixel_begin (&fit, shape, photons, lifetime_area (cube, i), there, &pixel);
  double pixels = lifetime_warp_sum (pixel.there ? 1.0f : 0.0f);
  vg_global_begin (&fit, &state);
  for (int pass = 0; pass < fit.max_passes && !state.done; pass++)
    {
      VgLanes x[VG_FIT_MAX_PARAMS];
      VgFitSums own;
      VgGlobalPart part;

      vg_global_parameters (shape, &pixel, state.next, x);
      vg_fit_pass (&fit, shape, samples, x, &own);
      vg_global_eliminate (&fit, shape, &own, &pixel, &part);
      if (pass == 0 && pixel.there)
        part.flat = vg_fit_flat (&fit, samples, photons);
      lifetime_warp_sums<TERMS> (part, &sums);
      vg_global_move (shape, vg_global_advance (&fit, TERMS, &sums, pixels, &state), state.step,
                      &pixel);
    }
  if (lane < n)
    lifetime_finish_pixel<TERMS, IRF> (fit, samples, pixel, state, lifetime_area (cube, i), maps,
                                       i);
}
