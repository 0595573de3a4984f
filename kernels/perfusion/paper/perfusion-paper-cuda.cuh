/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/perfusion/fit/perfusion-device.cuh"
#include "kernels/perfusion/paper/perfusion-paper.h"
#include "kernels/perfusion/model/perfusion-simplex.h"

/* Fits by the paper's solver; launches on self->stream. */
gboolean perfusion_fit_paper (PerfusionDevice *self, const VgPerfusionPaper *paper, gsize first,
                              gsize count, GError **error);

/* Computes the factors of FFT on the device, unless SELF has the same size already. */
gboolean perfusion_block_set (PerfusionBlock *self, const VgBlockFft *fft, cudaStream_t stream,
                              GError **error);

/* Fits with convolutions by cuFFT, all voxels in lockstep (perfusion-cufft.cu). */
gboolean perfusion_fit_cufft (PerfusionDevice *self, const VgPerfusionPaper *paper, gsize first,
                              gsize count, GError **error);

/* Convolves N curves of LENGTH samples with STEP_S exp (-k t) by either transform, for the bench.
 * Returns the seconds of one pass over all; negative with an error. */
double perfusion_time_block (int q, int p, int n, const double *in, double k, double step_s,
                             double *out, double *round_trip, GError **error);
double perfusion_time_cufft (int length, int n, const double *in, double k, double step_s,
                             double *out, GError **error);
