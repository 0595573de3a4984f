/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* Fourier transforms of square tiles on the CPU. */
G_BEGIN_DECLS

typedef struct
{
  int threads;
  float *cosine, *sine; /* of 2 pi k / most, k < most / 2 */
  float *spare;         /* 2 most squared: a transposed tile */
  int most;
} VgFlowFft;

/* Transforms of up to MOST x MOST, a power of two.  FALSE: memory is short. */
gboolean vg_flow_fft_init (VgFlowFft *self, int most, int threads);
void vg_flow_fft_clear (VgFlowFft *self);
/* Transforms the tile RE + i IM, of SIDE squared, in place, without a factor.  The spectrum has its
 * two axes exchanged; INVERSE takes such a spectrum. */
void vg_flow_fft_run (VgFlowFft *self, float *re, float *im, int side, gboolean inverse);

G_END_DECLS
