/* SPDX-License-Identifier: MIT */
#pragma once
#include <cufft.h>
#include "kernels/shared/vg-cuda-util.cuh"
/* Fourier transforms of square tiles on the GPU, by cuFFT. */

struct FlowFft
{
  cufftHandle forward, inverse;
  gboolean have_forward, have_inverse;
};

/* Plans for TILES tiles of SIDE squared on STREAM; an error if cuFFT is missing or fails. */
gboolean flow_fft_init (FlowFft *self, int side, int tiles, cudaStream_t stream, GError **error);
void flow_fft_clear (FlowFft *self);
/* SPECTRUM has SIDE rows of SIDE / 2 + 1 values for each tile.  The inverse destroys it. */
gboolean flow_fft_forward (FlowFft *self, float *samples, float2 *spectrum, GError **error);
gboolean flow_fft_inverse (FlowFft *self, float2 *spectrum, float *samples, GError **error);
