/* SPDX-License-Identifier: MIT */
#include "kernels/flow/synthetic/flow-speckle.h"
#include "kernels/flow/model/flow-formula.h"
#include "kernels/base/vg-random.h"
#include <string.h>
/* Speckle of an exposure, without integration over time.  For the field correlation
 * exp (-|t - t'| / tau) the Karhunen-Loeve modes on [0, T] have frequencies w (in 1/tau) that solve
 * w tan (w a) = 1 (even) and w = -tan (w a) (odd) with a = T / (2 tau), and variances
 * 2 / (w^2 + 1).  The integrated intensity is exactly the sum of independent speckle patterns with
 * these weights (Goodman, Speckle Phenomena in Optics, sec. 4.7).  The first VG_FLOW_MODES are
 * summed; one more pattern and a constant have the mean and the variance of the others, so that the
 * contrast is exact at any x. */

/* Fourier transform of N values in place; N is a power of two.  COSINE and SINE have N / 2 values
 * of the angles 2 pi k / N. */
static void
fft (double *re, double *im, int n, const double *cosine, const double *sine)
{
  for (int i = 1, j = 0; i < n; i++)
    {
      int bit = n >> 1;

      for (; j & bit; bit >>= 1)
        j ^= bit;
      j ^= bit;
      if (i < j)
        {
          double t = re[i];

          re[i] = re[j];
          re[j] = t;
          t = im[i];
          im[i] = im[j];
          im[j] = t;
        }
    }
  for (int half = 1; half < n; half *= 2)
    for (int start = 0; start < n; start += 2 * half)
      for (int k = 0; k < half; k++)
        {
          int a = start + k, b = a + half, turn = k * (n / (2 * half));
          double r = re[b] * cosine[turn] - im[b] * sine[turn];
          double i = re[b] * sine[turn] + im[b] * cosine[turn];

          re[b] = re[a] - r;
          im[b] = im[a] - i;
          re[a] += r;
          im[a] += i;
        }
}

static void
gaussian_pair (guint64 key, double *a, double *b)
{
  guint64 h = vg_random_bits (key);
  double u = ((double) (h >> 32) + 0.5) / 4294967296.0,
         v = (double) (h & 0xffffffffu) / 4294967296.0;
  double radius = sqrt (-2.0 * log (u));

  *a = radius * cos (2.0 * G_PI * v);
  *b = radius * sin (2.0 * G_PI * v);
}

void
vg_flow_field_fill (float *re, float *im, double speckle, guint64 seed)
{
  enum { N = VG_FLOW_FIELD_SIZE };
  g_autofree double *cosine = g_new (double, N / 2), *sine = g_new (double, N / 2);
  g_autofree double *column_re = g_new (double, N), *column_im = g_new (double, N);
  g_autofree double *row_re = g_new (double, N), *row_im = g_new (double, N);
  double cut = 0.5 * N / speckle, power = 0.0, scale;

  for (int k = 0; k < N / 2; k++)
    {
      cosine[k] = cos (2.0 * G_PI * k / N);
      sine[k] = sin (2.0 * G_PI * k / N);
    }
  memset (re, 0, sizeof (float) * N * N);
  memset (im, 0, sizeof (float) * N * N);
  for (int y = 0; y < N; y++)
    {
      int fy = y < N / 2 ? y : y - N;

      if (ABS (fy) > cut)
        continue;
      for (int x = 0; x < N; x++)
        {
          int fx = x < N / 2 ? x : x - N;

          row_re[x] = row_im[x] = 0.0;
          if ((double) fx * fx + (double) fy * fy <= cut * cut)
            gaussian_pair (vg_random_bits (seed) + (guint64) (y * N + x), &row_re[x], &row_im[x]);
        }
      fft (row_re, row_im, N, cosine, sine);
      for (int x = 0; x < N; x++)
        {
          re[y * N + x] = (float) row_re[x];
          im[y * N + x] = (float) row_im[x];
        }
    }
  for (int x = 0; x < N; x++)
    {
      for (int y = 0; y < N; y++)
        {
          column_re[y] = re[y * N + x];
          column_im[y] = im[y * N + x];
        }
      fft (column_re, column_im, N, cosine, sine);
      for (int y = 0; y < N; y++)
        {
          re[y * N + x] = (float) column_re[y];
          im[y * N + x] = (float) column_im[y];
          power += column_re[y] * column_re[y] + column_im[y] * column_im[y];
        }
    }
  scale = power > 0.0 ? sqrt ((double) N * N / power) : 0.0;
  for (int i = 0; i < N * N; i++)
    {
      re[i] = (float) (re[i] * scale);
      im[i] = (float) (im[i] * scale);
    }
}

/* Angle w a of mode K, between K pi/2 and (K + 1) pi/2. */
static double
mode_angle (int k, double a)
{
  double low = k * G_PI_2, high = (k + 1) * G_PI_2;

  for (int i = 0; i < 60; i++)
    {
      double angle = 0.5 * (low + high), w = angle / a;
      double s = sin (angle), c = cos (angle);
      /* Even modes: c - w s decreases through 0.  Odd modes: w c + s; its sign depends on the
         quadrant. */
      double value = k % 2 == 0 ? c - w * s : w * c + s;

      if ((k % 4 < 2 ? value : -value) > 0.0)
        low = angle;
      else
        high = angle;
    }
  return 0.5 * (low + high);
}

void
vg_flow_exposure_fill (VgFlowExposure *self, double x, double rho)
{
  double a = 0.5 * x, r = 1.0 - rho;
  double first = 1.0, second = vg_flow_decay (VG_FLOW_LORENTZIAN, x);
  double still = 1.0, shared = vg_flow_decay (VG_FLOW_LORENTZIAN, 0.5 * x);

  for (int k = 0; k < VG_FLOW_MODES; k++)
    {
      double angle = mode_angle (k, a), w = angle / a;
      double weight = 2.0 / (w * w + 1.0) / x, c = 0.0;

      if (k % 2 == 0)
        c = 2.0 * sin (angle) / w / sqrt ((a + sin (2.0 * angle) / (2.0 * w)) * x);
      first -= weight;
      second -= weight * weight;
      still -= c * c;
      shared -= weight * c * c;
      self->mode[k] = (float) sqrt (rho * weight);
      self->field[k] = (float) (sqrt (r) * c);
    }
  second = sqrt (MAX (second, 0.0));
  self->constant = (float) (rho * MAX (first - second, 0.0));
  self->tail = (float) (rho * second);
  self->still = (float) (r * MAX (still, 0.0));
  self->cross = (float) (2.0 * sqrt (rho * r * MAX (shared, 0.0)));
}
