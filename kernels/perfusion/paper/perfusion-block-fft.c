/* SPDX-License-Identifier: MIT */
#include "kernels/perfusion/model/perfusion-simd.h"
#include "kernels/perfusion/paper/perfusion-block-fft.h"
#include <math.h>

VgBlockFft *
vg_block_fft_new_with (int q, int p)
{
  VgBlockFft *self = g_new0 (VgBlockFft, 1);
  int bits = g_bit_nth_msf ((gulong) p, -1);

  self->q = q;
  self->p = p;
  self->n = q * p;
  self->column = g_new (double, 2 * (q + 1) * q);
  self->twiddle = g_new (double, 2 * (q + 1) * p);
  self->root = g_new (double, MAX (p, 2));
  self->reversed = g_new0 (int, p);
  for (int k = 0; k <= q; k++)
    {
      for (int i = 0; i < q; i++)
        {
          /* The angle is reduced to one turn before it is rounded. */
          self->column[2 * (k * q + i)] = cos (G_PI * ((i * k) % (2 * q)) / q);
          self->column[2 * (k * q + i) + 1] = sin (G_PI * ((i * k) % (2 * q)) / q);
        }
      for (int i = 0; i < p; i++)
        {
          self->twiddle[2 * (k * p + i)] = cos (G_PI * i * k / self->n);
          self->twiddle[2 * (k * p + i) + 1] = sin (G_PI * i * k / self->n);
        }
    }
  for (int i = 0; i < p / 2; i++)
    {
      self->root[2 * i] = cos (2 * G_PI * i / p);
      self->root[2 * i + 1] = sin (2 * G_PI * i / p);
    }
  for (int i = 0; i < p; i++)
    for (int b = 0; b < bits; b++)
      self->reversed[i] |= (i >> b & 1) << (bits - 1 - b);
  return self;
}

/* The paper's sizes: 2 or 3 x 16, 2 x 32, 2 to 7 x 64. */
VgBlockFft *
vg_block_fft_new (int n)
{
  int p = n <= 48 ? 16 : n <= 96 ? 32 : 64;

  return vg_block_fft_new_with (MAX ((n + p - 1) / p, 2), p);
}

void
vg_block_fft_free (VgBlockFft *self)
{
  if (self == NULL)
    return;
  g_free (self->column);
  g_free (self->twiddle);
  g_free (self->root);
  g_free (self->reversed);
  g_free (self);
}

/* The P-point transform of a row, in place; SIGN -1: forward. */
static inline void
transform_row (const VgBlockFft *self, double *row, double sign)
{
  for (int i = 0; i < self->p; i++)
    {
      int k = self->reversed[i];

      if (k > i)
        for (int c = 0; c < 2; c++)
          {
            double swap = row[2 * i + c];

            row[2 * i + c] = row[2 * k + c];
            row[2 * k + c] = swap;
          }
    }
  for (int half = 1; half < self->p; half *= 2)
    for (int block = 0; block < self->p; block += 2 * half)
      for (int i = 0; i < half; i++)
        {
          int at = i * (self->p / 2 / half);
          double c = self->root[2 * at], s = sign * self->root[2 * at + 1];
          double *a = row + 2 * (block + i), *b = a + 2 * half;
          double re = b[0] * c - b[1] * s, im = b[0] * s + b[1] * c;

          b[0] = a[0] - re;
          b[1] = a[1] - im;
          a[0] += re;
          a[1] += im;
        }
}

void
vg_block_fft_row (const VgBlockFft *self, double *row, double sign)
{
  transform_row (self, row, sign);
}

VG_SIMD void
vg_block_fft_forward (const VgBlockFft *self, const double *samples, double *spectrum)
{
  int q = self->q, p = self->p;

  for (int k = 0; k <= q; k++)
    {
      double *row = spectrum + 2 * (gsize) k * (gsize) p;
      const double *twiddle = self->twiddle + 2 * (gsize) k * (gsize) p;

      for (int i2 = 0; i2 < p; i2++)
        {
          double re = 0, im = 0;

          for (int i1 = 0; i1 < q; i1++)
            {
              re += samples[p * i1 + i2] * self->column[2 * (k * q + i1)];
              im -= samples[p * i1 + i2] * self->column[2 * (k * q + i1) + 1];
            }
          row[2 * i2] = re * twiddle[2 * i2] + im * twiddle[2 * i2 + 1];
          row[2 * i2 + 1] = im * twiddle[2 * i2] - re * twiddle[2 * i2 + 1];
        }
      transform_row (self, row, -1);
    }
}

VG_SIMD void
vg_block_fft_inverse (const VgBlockFft *self, double *spectrum, double *samples)
{
  int q = self->q, p = self->p;

  for (int k = 0; k <= q; k++)
    {
      double *row = spectrum + 2 * (gsize) k * (gsize) p;
      const double *twiddle = self->twiddle + 2 * (gsize) k * (gsize) p;

      transform_row (self, row, 1);
      for (int i2 = 0; i2 < p; i2++)
        {
          double re = row[2 * i2] * twiddle[2 * i2] - row[2 * i2 + 1] * twiddle[2 * i2 + 1];

          row[2 * i2 + 1] = row[2 * i2] * twiddle[2 * i2 + 1] + row[2 * i2 + 1] * twiddle[2 * i2];
          row[2 * i2] = re;
        }
    }
  for (int i1 = 0; i1 < q; i1++)
    for (int i2 = 0; i2 < p; i2++)
      {
        double sum = spectrum[2 * i2] + (i1 % 2 == 0 ? 1 : -1) * spectrum[2 * (q * p + i2)];

        for (int k = 1; k < q; k++)
          sum += 2 * (spectrum[2 * (k * p + i2)] * self->column[2 * (k * q + i1)] -
                      spectrum[2 * (k * p + i2) + 1] * self->column[2 * (k * q + i1) + 1]);
        samples[p * i1 + i2] = sum / (2 * self->n);
      }
}

void
vg_block_fft_decay (const VgBlockFft *self, double k, double step_s, double *spectrum)
{
  double decay = exp (-k * step_s), rest = exp (-k * step_s * self->n);

  for (int k1 = 0; k1 <= self->q; k1++)
    for (int k2 = 0; k2 < self->p; k2++)
      {
        /* e^(-i pi j / n) with j = k1 + 2 q k2, from the two tables: the second factor is e^(-2
         * pi i k2 / p). */
        const double *t = self->twiddle + 2 * (k1 * self->p + 1),
                     *r = self->root + 2 * (k2 % (self->p / 2));
        double sign = k2 < self->p / 2 ? 1 : -1, cr = sign * r[0], sr = sign * r[1];
        double c = t[0] * cr - t[1] * sr, s = t[0] * sr + t[1] * cr;
        double re = 1 - decay * c, im = decay * s,
               top = step_s * (1 - (k1 % 2 == 0 ? rest : -rest)), scale = top / (re * re + im * im);
        double *value = spectrum + 2 * (k1 * self->p + k2), x = value[0], y = value[1];

        value[0] = scale * (x * re + y * im);
        value[1] = scale * (y * re - x * im);
      }
}
