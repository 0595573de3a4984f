/* SPDX-License-Identifier: MIT */
#pragma once
#include <cufft.h>
#include "kernels/shared/vg-cuda-util.cuh"
/* Fourier transforms of many arrays of real samples at once, there and back, by cuFFT.  It is
 * loaded at run time, so that the program starts without it. */

struct VgCufft
{
  const char *purpose, *advice; /* for messages */
  cufftHandle forward, inverse;
  gboolean have_forward, have_inverse;
  gboolean is_double;
};

/* Plans for COUNT arrays of RANK dimensions, on STREAM.  PURPOSE needs them, as in "PURPOSE needs
 * cuFFT"; ADVICE completes "set ...".  FALSE and an error: cuFFT is missing or fails; either way
 * vg_cufft_clear() follows. */
gboolean vg_cufft_init (VgCufft *self, int rank, const int *sizes, int count, gboolean is_double,
                        const char *purpose, const char *advice, cudaStream_t stream,
                        GError **error);
void vg_cufft_clear (VgCufft *self);
/* SAMPLES are float or double; SPECTRUM, of complex numbers, has half of the last dimension and one
 * more.  The inverse is not scaled and destroys SPECTRUM. */
gboolean vg_cufft_forward (const VgCufft *self, void *samples, void *spectrum, GError **error);
gboolean vg_cufft_inverse (const VgCufft *self, void *spectrum, void *samples, GError **error);
