/* SPDX-License-Identifier: MIT */
#include "kernels/flow/motion/flow-motion-fft.h"
#include "kernels/base/vg-simd.h"
#include <math.h>
#include <string.h>
/* All columns are transformed at once, so that neighbours fill the processor's vectors; the tile is
 * transposed between its two axes. */

gboolean
vg_flow_fft_init (VgFlowFft *self, int most, int threads)
{
  gsize n = (gsize) most;

  self->most = most;
  self->threads = threads;
  self->cosine = g_try_new (float, n / 2);
  self->sine = g_try_new (float, n / 2);
  self->spare = g_try_new (float, 2 * n * n);
  if (self->cosine == NULL || self->sine == NULL || self->spare == NULL)
    return FALSE;
  for (int k = 0; k < most / 2; k++)
    {
      self->cosine[k] = (float) cos (2.0 * G_PI * k / most);
      self->sine[k] = (float) sin (2.0 * G_PI * k / most);
    }
  return TRUE;
}

void
vg_flow_fft_clear (VgFlowFft *self)
{
  g_clear_pointer (&self->cosine, g_free);
  g_clear_pointer (&self->sine, g_free);
  g_clear_pointer (&self->spare, g_free);
}

static void
swap_rows (float *a, float *b, int n)
{
  for (int x = 0; x < n; x++)
    {
      float t = a[x];

      a[x] = b[x];
      b[x] = t;
    }
}

/* One step for N columns: rows A and B become A + wB and A - wB, w = C + i S. */
VG_SIMD static void
butterfly (float *restrict ar, float *restrict ai, float *restrict br, float *restrict bi, float c,
           float s, int n)
{
#pragma omp simd
  for (int x = 0; x < n; x++)
    {
      float re = br[x] * c - bi[x] * s, im = br[x] * s + bi[x] * c;

      br[x] = ar[x] - re;
      bi[x] = ai[x] - im;
      ar[x] += re;
      ai[x] += im;
    }
}

/* Transforms N columns of SIDE rows, which are SIDE apart. */
static void
transform_columns (const VgFlowFft *self, float *re, float *im, int side, int n, gboolean inverse)
{
  for (int i = 1, j = 0; i < side; i++)
    {
      int bit = side >> 1;

      for (; j & bit; bit >>= 1)
        j ^= bit;
      j ^= bit;
      if (i < j)
        {
          swap_rows (re + (gsize) i * (gsize) side, re + (gsize) j * (gsize) side, n);
          swap_rows (im + (gsize) i * (gsize) side, im + (gsize) j * (gsize) side, n);
        }
    }
  for (int half = 1; half < side; half *= 2)
    for (int start = 0; start < side; start += 2 * half)
      for (int k = 0; k < half; k++)
        {
          int turn = k * (self->most / (2 * half));
          gsize a = (gsize) (start + k) * (gsize) side, b = a + (gsize) half * (gsize) side;

          butterfly (re + a, im + a, re + b, im + b, self->cosine[turn],
                     inverse ? self->sine[turn] : -self->sine[turn], n);
        }
}

static void
transform_all_columns (const VgFlowFft *self, float *re, float *im, int side, gboolean inverse)
{
  enum { BLOCK = 32 };

#pragma omp parallel for num_threads(self->threads)
  for (int x = 0; x < side; x += BLOCK)
    transform_columns (self, re + x, im + x, side, MIN (BLOCK, side - x), inverse);
}

static void
transpose (const VgFlowFft *self, const float *from, float *to, int side)
{
  enum { BLOCK = 16 };

#pragma omp parallel for num_threads(self->threads)
  for (int y0 = 0; y0 < side; y0 += BLOCK)
    for (int x0 = 0; x0 < side; x0 += BLOCK)
      for (int y = y0; y < MIN (y0 + BLOCK, side); y++)
        for (int x = x0; x < MIN (x0 + BLOCK, side); x++)
          to[(gsize) x * (gsize) side + (gsize) y] = from[(gsize) y * (gsize) side + (gsize) x];
}

void
vg_flow_fft_run (VgFlowFft *self, float *re, float *im, int side, gboolean inverse)
{
  gsize n = (gsize) side * (gsize) side;
  float *other_re = self->spare, *other_im = self->spare + n;

  transform_all_columns (self, re, im, side, inverse);
  transpose (self, re, other_re, side);
  transpose (self, im, other_im, side);
  transform_all_columns (self, other_re, other_im, side, inverse);
  memcpy (re, other_re, n * sizeof (float));
  memcpy (im, other_im, n * sizeof (float));
}
