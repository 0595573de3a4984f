/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/perfusion/fit/perfusion-device.cuh"
#include "kernels/perfusion/paper/perfusion-paper.h"
#include "kernels/perfusion/model/perfusion-simplex.h"

/* Fits by the paper's solver; launches on self->stream. */
gboolean perfusion_fit_paper (PerfusionDevice *self, const VgPerfusionPaper *paper, gsize first,
                              gsize count, GError **error);

/* Makes, or keeps when it is of the same size, SELF for FFT. */
gboolean perfusion_block_set (PerfusionBlock *self, const VgBlockFft *fft, cudaStream_t stream,
                              GError **error);

/* All voxels in step, their convolutions by cuFFT (perfusion-cufft.cu). */
gboolean perfusion_fit_cufft (PerfusionDevice *self, const VgPerfusionPaper *paper, gsize first,
                              gsize count, GError **error);

/* N curves of LENGTH samples each convolved with STEP_S exp (-k t) by either
 * transform, for the bench: seconds of one pass over all; negative and error. */
double perfusion_time_block (int q, int p, int n, const double *in, double k, double step_s,
                             double *out, double *round_trip, GError **error);
double perfusion_time_cufft (int length, int n, const double *in, double k, double step_s,
                             double *out, GError **error);
