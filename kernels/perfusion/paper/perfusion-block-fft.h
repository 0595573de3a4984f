/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* The paper's Block-FFT: it transforms a real sequence of N = Q P samples, padded with as many
 * zeros, to Q + 1 rows of its half spectrum by column sums over the blocks, twiddle factors, and
 * P-point transforms.  It never reads the zeros, and it omits the rows that follow from the
 * symmetry of a real sequence. */
G_BEGIN_DECLS

typedef struct
{
  int n, q, p;     /* n = q p, with p a power of two */
  double *column;  /* cos, sin of pi i k / q, k = 0 .. q, i < q */
  double *twiddle; /* of pi i k / n, k = 0 .. q, i < p */
  double *root;    /* of 2 pi i / p, i < p / 2 */
  int *reversed;   /* bit reversal of 0 .. p - 1 */
} VgBlockFft;

/* A transform of at least N samples; self->n may be larger. */
VgBlockFft *vg_block_fft_new (int n);
VgBlockFft *vg_block_fft_new_with (int q, int p);
void vg_block_fft_free (VgBlockFft *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgBlockFft, vg_block_fft_free)

/* SPECTRUM receives q + 1 rows of p complex numbers; (k1, k2) is frequency k1 + 2 q k2 of 2 n. */
void vg_block_fft_forward (const VgBlockFft *self, const double *samples, double *spectrum);
/* The inverse transform; it overwrites SPECTRUM. */
void vg_block_fft_inverse (const VgBlockFft *self, double *spectrum, double *samples);
/* Multiplies SPECTRUM by the spectrum of STEP_S exp (-k i STEP_S), i = 0 .. n - 1: (1 - (-1)^j
 * e^(-k T n)) / (1 - e^(-k T) e^(-i pi j / n)). */
void vg_block_fft_decay (const VgBlockFft *self, double k, double step_s, double *spectrum);

/* The full transform of P complex numbers in place (q is not used); SIGN -1: forward, 1: inverse
 * without the factor 1 / p. */
void vg_block_fft_row (const VgBlockFft *self, double *row, double sign);

G_END_DECLS
