/* SPDX-License-Identifier: MIT */
/* Chooses the kernel of a fit, and runs the passes of a whole image's fit. */
#include "kernels/lifetime/fit/lifetime-fit-kernels.cuh"

static dim3
blocks (gsize pixels)
{
  return dim3 ((unsigned) ((pixels + LIFETIME_FIT_THREADS - 1) / LIFETIME_FIT_THREADS));
}

static __global__ void
__launch_bounds__ (LIFETIME_FIT_THREADS)
    lifetime_mono_kernel (VgLifetimeFit fit, VgLifetimeCube cube, VgLifetimeFitMaps maps)
{
  gsize pixel = (gsize) blockIdx.x * LIFETIME_FIT_THREADS + threadIdx.x;

  if (pixel >= cube.pixels)
    return;
  VgFitResult result;
  vg_fit_mono (&fit, lifetime_samples (cube, pixel), cube.mask == NULL || cube.mask[pixel],
               &result);
  lifetime_store (maps, pixel, result);
}

gboolean
lifetime_fit_pixels (const VgLifetimeFit *fit, const VgLifetimeCube *cube,
                     const VgLifetimeFitMaps *maps, cudaStream_t stream, GError **error)
{
  if (cube->pixels == 0)
    return TRUE;
  if (vg_lifetime_fit_is_sufficient (fit))
    lifetime_mono_kernel<<<blocks (cube->pixels), LIFETIME_FIT_THREADS, 0, stream>>> (*fit, *cube,
                                                                                      *maps);
  else
    {
      static const LifetimeFitLaunch launch[] = { lifetime_launch_0, lifetime_launch_1,
                                                  lifetime_launch_2, lifetime_launch_3 };

      launch[fit->stretched ? 0 : fit->terms](LIFETIME_PIXELS, fit, cube, 0, maps, NULL, stream);
    }
  return vg_cuda_launched ("lifetime fit", error);
}

gboolean
lifetime_fit_segments (const VgLifetimeFit *fit, const VgLifetimeCube *cube, gsize width,
                       const VgLifetimeFitMaps *maps, cudaStream_t stream, GError **error)
{
  static const LifetimeFitLaunch launch[] = { NULL, lifetime_launch_1, lifetime_launch_2,
                                              lifetime_launch_3 };

  if (cube->pixels == 0)
    return TRUE;
  launch[fit->terms](LIFETIME_SEGMENTS, fit, cube, width, maps, NULL, stream);
  return vg_cuda_launched ("lifetime segments", error);
}

/* The planes of each pixel: x, next, own, follow. */
int
lifetime_fit_image_planes (const VgLifetimeFit *fit)
{
  return (3 + fit->terms) * (fit->terms + 1);
}

gsize
lifetime_fit_image_bytes (gsize pixels)
{
  return blocks (pixels).x * sizeof (LifetimeImageSums);
}

gboolean
lifetime_fit_image (const VgLifetimeFit *fit, const VgLifetimeCube *cube, float *const *planes,
                    void *sums, const VgLifetimeFitMaps *maps, cudaStream_t stream, GError **error)
{
  static const LifetimeFitLaunch launch[] = { NULL, lifetime_launch_1, lifetime_launch_2,
                                              lifetime_launch_3 };
  unsigned n = blocks (cube->pixels).x;
  g_autofree LifetimeImageSums *host = g_new (LifetimeImageSums, n);
  LifetimeImage image = {};

  if (cube->pixels == 0)
    return TRUE;
  image.sums = (LifetimeImageSums *) sums;
  for (int i = 0; i < lifetime_fit_image_planes (fit); i++)
    image.plane[i] = planes[i];
  image.move = VG_GLOBAL_ACCEPT;
  image.first = TRUE;
  vg_global_begin (fit, &image.state);
  for (int pass = 0; pass < fit->max_passes && !image.state.done; pass++)
    {
      VgGlobalSums all = {};
      double pixels = 0;

      launch[fit->terms](LIFETIME_IMAGE_PASS, fit, cube, 0, maps, &image, stream);
      if (!vg_cuda_launched ("lifetime image", error) ||
          !VG_CUDA_OK (
              cudaMemcpyAsync (host, image.sums, n * sizeof *host, cudaMemcpyDeviceToHost, stream),
              error) ||
          !VG_CUDA_OK (cudaStreamSynchronize (stream), error))
        return FALSE;
      for (unsigned i = 0; i < n; i++) /* always in the same order */
        {
          pixels += host[i].pixels;
          all.objective += host[i].sums.objective;
          all.flat += host[i].sums.flat;
          all.local += host[i].sums.local;
          for (int k = 0; k < 3; k++)
            all.g[k] += host[i].sums.g[k];
          for (int k = 0; k < 6; k++)
            all.h[k] += host[i].sums.h[k];
        }
      image.move = vg_global_advance (fit, fit->terms, &all, pixels, &image.state);
      image.first = FALSE;
    }
  launch[fit->terms](LIFETIME_IMAGE_FINISH, fit, cube, 0, maps, &image, stream);
  return vg_cuda_launched ("lifetime image", error);
}
