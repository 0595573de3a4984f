/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/lifetime/fit/lifetime-fit.cuh"
/* The CUDA kernels for one number of exponentials; included by the file that compiles them. */

typedef struct
{
  VgGlobalSums sums;
  double pixels;
} LifetimeImageSums;

/* The state of a whole image's fit between two passes.  What each pixel stores lies in planes
 * that may be those of its results: a pixel reads its values before it writes its results. */
typedef struct
{
  VgGlobalState state;
  VgGlobalMove move;
  gboolean first;
  float *plane[LIFETIME_IMAGE_PLANES];
  LifetimeImageSums *sums; /* one for each block */
} LifetimeImage;

typedef enum {
  LIFETIME_PIXELS,
  LIFETIME_SEGMENTS,
  LIFETIME_IMAGE_PASS,
  LIFETIME_IMAGE_FINISH
} LifetimeFitWork;

typedef void (*LifetimeFitLaunch) (LifetimeFitWork work, const VgLifetimeFit *fit,
                                   const VgLifetimeCube *cube, gsize width,
                                   const VgLifetimeFitMaps *maps, const LifetimeImage *image,
                                   cudaStream_t stream);
void lifetime_launch_0 (LifetimeFitWork work, const VgLifetimeFit *fit, const VgLifetimeCube *cube,
                        gsize width, const VgLifetimeFitMaps *maps, const LifetimeImage *image,
                        cudaStream_t stream);
void lifetime_launch_1 (LifetimeFitWork work, const VgLifetimeFit *fit, const VgLifetimeCube *cube,
                        gsize width, const VgLifetimeFitMaps *maps, const LifetimeImage *image,
                        cudaStream_t stream);
void lifetime_launch_2 (LifetimeFitWork work, const VgLifetimeFit *fit, const VgLifetimeCube *cube,
                        gsize width, const VgLifetimeFitMaps *maps, const LifetimeImage *image,
                        cudaStream_t stream);
void lifetime_launch_3 (LifetimeFitWork work, const VgLifetimeFit *fit, const VgLifetimeCube *cube,
                        gsize width, const VgLifetimeFitMaps *maps, const LifetimeImage *image,
                        cudaStream_t stream);

/* Reads or writes the values that a pixel stores between passes. */
template <int TERMS, int LOCAL, bool WRITE>
static __device__ __forceinline__ void
lifetime_image_pixel (const LifetimeImage &image, gsize i, VgGlobalPixel *pixel)
{
#pragma unroll
  for (int k = 0; k < LOCAL; k++)
    {
      float *values[3 + TERMS];

      values[0] = &pixel->x[k];
      values[1] = &pixel->next[k];
      values[2] = &pixel->own[k];
#pragma unroll
      for (int m = 0; m < TERMS; m++)
        values[3 + m] = &pixel->follow[k][m];
#pragma unroll
      for (int m = 0; m < 3 + TERMS; m++)
        if (WRITE)
          image.plane[k * (3 + TERMS) + m][i] = *values[m];
        else
          *values[m] = image.plane[k * (3 + TERMS) + m][i];
    }
}

/* One pass: the pixel first makes the step that the last pass decided, then adds its sums. */
template <int TERMS, bool IRF>
__global__ void
__launch_bounds__ (LIFETIME_FIT_THREADS)
    lifetime_image_kernel (VgLifetimeFit fit, VgLifetimeCube cube, LifetimeImage image)
{
  const VgFitShape shape = { TERMS, true, IRF };
  const int local = TERMS + 1;
  __shared__ LifetimeImageSums warps[LIFETIME_FIT_THREADS / 32];
  gsize i = (gsize) blockIdx.x * LIFETIME_FIT_THREADS + threadIdx.x,
        read = MIN (i, cube.pixels - 1);
  bool there = i < cube.pixels && (cube.mask == NULL || cube.mask[read]);
  LifetimeSamples samples = lifetime_samples (cube, read);
  VgLanes x[VG_FIT_MAX_PARAMS];
  VgGlobalPixel pixel;
  VgGlobalPart part;
  VgFitSums own;

  VgLanes photons = vg_fit_photons (&fit, samples);
  vg_global_pixel_begin (&fit, shape, photons, lifetime_area (cube, read), there, &pixel);
  if (!image.first)
    {
      lifetime_image_pixel<TERMS, local, false> (image, read, &pixel);
      vg_global_move (shape, image.move, image.state.step, &pixel);
    }
  vg_global_parameters (shape, &pixel, image.state.next, x);
  vg_fit_pass (&fit, shape, samples, x, &own);
  vg_global_eliminate (&fit, shape, &own, &pixel, &part);
  if (image.first && pixel.there)
    part.flat = vg_fit_flat (&fit, samples, photons);
  if (i < cube.pixels)
    lifetime_image_pixel<TERMS, local, true> (image, i, &pixel);
  LifetimeImageSums sums = {};
  lifetime_warp_sums<TERMS> (part, &sums.sums);
  sums.pixels = lifetime_warp_sum (pixel.there ? 1.0f : 0.0f);
  if (threadIdx.x % 32 == 0)
    warps[threadIdx.x / 32] = sums;
  __syncthreads ();
  if (threadIdx.x > 0)
    return;
  for (int w = 1; w < LIFETIME_FIT_THREADS / 32; w++)
    {
      sums.pixels += warps[w].pixels;
      sums.sums.objective += warps[w].sums.objective;
      sums.sums.flat += warps[w].sums.flat;
      sums.sums.local += warps[w].sums.local;
      for (int k = 0; k < 3; k++)
        sums.sums.g[k] += warps[w].sums.g[k];
      for (int k = 0; k < 6; k++)
        sums.sums.h[k] += warps[w].sums.h[k];
    }
  image.sums[blockIdx.x] = sums;
}

/* Computes each pixel's own parameters at the lifetimes found.  The last step was not evaluated,
 * so this starts from x. */
template <int TERMS, bool IRF>
__global__ void
__launch_bounds__ (LIFETIME_FIT_THREADS)
    lifetime_image_finish_kernel (VgLifetimeFit fit, VgLifetimeCube cube, VgLifetimeFitMaps maps,
                                  LifetimeImage image)
{
  const VgFitShape shape = { TERMS, true, IRF };
  const int local = TERMS + 1;
  gsize i = (gsize) blockIdx.x * LIFETIME_FIT_THREADS + threadIdx.x;
  VgGlobalPixel pixel;

  if (i >= cube.pixels)
    return;
  LifetimeSamples samples = lifetime_samples (cube, i);
  vg_global_pixel_begin (&fit, shape, vg_fit_photons (&fit, samples), lifetime_area (cube, i),
                         cube.mask == NULL || cube.mask[i], &pixel);
  lifetime_image_pixel<TERMS, local, false> (image, i, &pixel);
  lifetime_finish_pixel<TERMS, IRF> (fit, samples, pixel, image.state, lifetime_area (cube, i),
                                     maps, i);
}

template <int TERMS, bool IRF>
static void
lifetime_launch_shape (LifetimeFitWork work, const VgLifetimeFit *fit, const VgLifetimeCube *cube,
                       gsize width, const VgLifetimeFitMaps *maps, const LifetimeImage *image,
                       cudaStream_t stream)
{
  unsigned blocks = (unsigned) ((cube->pixels + LIFETIME_FIT_THREADS - 1) / LIFETIME_FIT_THREADS);

  if (work == LIFETIME_PIXELS)
    {
      lifetime_fit_kernel<TERMS, IRF>
          <<<blocks, LIFETIME_FIT_THREADS, 0, stream>>> (*fit, *cube, *maps);
      return;
    }
  if constexpr (TERMS > 0)
    {
      gsize segments = work == LIFETIME_SEGMENTS
                           ? vg_lifetime_segments (width) * (cube->pixels / width)
                           : 0;
      unsigned warps = (unsigned) ((segments + LIFETIME_FIT_THREADS / 32 - 1) /
                                   (LIFETIME_FIT_THREADS / 32));

      if (work == LIFETIME_SEGMENTS)
        lifetime_segments_kernel<TERMS, IRF>
            <<<warps, LIFETIME_FIT_THREADS, 0, stream>>> (*fit, *cube, width, *maps);
      else if (work == LIFETIME_IMAGE_PASS)
        lifetime_image_kernel<TERMS, IRF>
            <<<blocks, LIFETIME_FIT_THREADS, 0, stream>>> (*fit, *cube, *image);
      else
        lifetime_image_finish_kernel<TERMS, IRF>
            <<<blocks, LIFETIME_FIT_THREADS, 0, stream>>> (*fit, *cube, *maps, *image);
    }
}

/* A fixed offset is a parameter that is held constant.  A kernel of its own would be as long as
 * this one. */
#define LIFETIME_LAUNCH(TERMS, HAS_IRF)                                                            \
  void lifetime_launch_##TERMS (                                                                   \
      LifetimeFitWork work, const VgLifetimeFit *fit, const VgLifetimeCube *cube, gsize width,     \
      const VgLifetimeFitMaps *maps, const LifetimeImage *image, cudaStream_t stream)              \
  {                                                                                                \
    if (fit->irf != NULL && HAS_IRF)                                                               \
      lifetime_launch_shape<TERMS, HAS_IRF> (work, fit, cube, width, maps, image, stream);         \
    else                                                                                           \
      lifetime_launch_shape<TERMS, false> (work, fit, cube, width, maps, image, stream);           \
  }
