/* SPDX-License-Identifier: MIT */
#include "kernels/flow/synthetic/flow-speckle.h"
#include "kernels/flow/model/flow-formula.h"
#include "kernels/base/vg-random.h"
#include "kernels/base/vg-simd.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#if defined(__GNUC__) && !defined(__clang__)
/* Without fused multiply-add, fields are the same on every processor. */
#pragma GCC optimize("fp-contract=off")
#endif
/* Speckle of an exposure, without integration over time.  For the field correlation
 * exp (-|t - t'| / tau) the Karhunen-Loeve modes on [0, T] have frequencies w (in 1/tau) that solve
 * w tan (w a) = 1 (even) and w = -tan (w a) (odd) with a = T / (2 tau), and variances
 * 2 / (w^2 + 1).  The integrated intensity is exactly the sum of independent speckle patterns with
 * these weights (Goodman, Speckle Phenomena in Optics, sec. 4.7).  The first VG_FLOW_MODES are
 * summed; one more pattern and a constant have the mean and the variance of the others, so that the
 * contrast is exact at any x. */

enum { LANES = 8 }; /* series that are transformed at once */

static void
swap_lanes (double *a, double *b)
{
  for (int l = 0; l < LANES; l++)
    {
      double t = a[l];

      a[l] = b[l];
      b[l] = t;
    }
}

/* Fourier transforms of LANES series of N values in place: value i of series l is at LANES i + l. N
 * is a power of two.  COSINE and SINE have N / 2 values of the angles 2 pi k / N. */
VG_SIMD static void
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
          swap_lanes (re + LANES * i, re + LANES * j);
          swap_lanes (im + LANES * i, im + LANES * j);
        }
    }
  for (int half = 1; half < n; half *= 2)
    for (int start = 0; start < n; start += 2 * half)
      for (int k = 0; k < half; k++)
        {
          double *ar = re + LANES * (start + k), *br = ar + LANES * half;
          double *ai = im + LANES * (start + k), *bi = ai + LANES * half;
          double c = cosine[k * (n / (2 * half))], s = sine[k * (n / (2 * half))];

#pragma omp simd
          for (int l = 0; l < LANES; l++)
            {
              double r = br[l] * c - bi[l] * s, i = br[l] * s + bi[l] * c;

              br[l] = ar[l] - r;
              bi[l] = ai[l] - i;
              ar[l] += r;
              ai[l] += i;
            }
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

enum { N = VG_FLOW_FIELD_SIZE };

/* Tables, and LANES series on their way. */
typedef struct
{
  double cosine[N / 2], sine[N / 2];
  double re[LANES * N], im[LANES * N];
} Transform;

/* The frequency of row or column I. */
static int
frequency (int i)
{
  return i < N / 2 ? i : i - N;
}

/* Random values inside the pupil of rows Y to Y + LANES, transformed along them. */
static void
fill_rows (Transform *self, float *re, float *im, int y, double cut, guint64 seed)
{
  for (int l = 0; l < LANES; l++)
    for (int x = 0; x < N; x++)
      {
        int fx = frequency (x), fy = frequency (y + l), at = LANES * x + l;

        self->re[at] = self->im[at] = 0.0;
        if ((double) fx * fx + (double) fy * fy <= cut * cut)
          gaussian_pair (vg_random_bits (seed) + (guint64) ((y + l) * N + x), &self->re[at],
                         &self->im[at]);
      }
  fft (self->re, self->im, N, self->cosine, self->sine);
  for (int l = 0; l < LANES; l++)
    for (int x = 0; x < N; x++)
      {
        re[(y + l) * N + x] = (float) self->re[LANES * x + l];
        im[(y + l) * N + x] = (float) self->im[LANES * x + l];
      }
}

/* Columns X to X + LANES, transformed; adds their power, one column after the other. */
VG_SIMD static void
transform_columns (Transform *self, float *re, float *im, int x, double *power)
{
  for (int y = 0; y < N; y++)
#pragma omp simd
    for (int l = 0; l < LANES; l++)
      {
        self->re[LANES * y + l] = re[y * N + x + l];
        self->im[LANES * y + l] = im[y * N + x + l];
      }
  fft (self->re, self->im, N, self->cosine, self->sine);
  for (int y = 0; y < N; y++)
#pragma omp simd
    for (int l = 0; l < LANES; l++)
      {
        re[y * N + x + l] = (float) self->re[LANES * y + l];
        im[y * N + x + l] = (float) self->im[LANES * y + l];
      }
  for (int l = 0; l < LANES; l++)
    for (int at = l; at < LANES * N; at += LANES)
      *power += self->re[at] * self->re[at] + self->im[at] * self->im[at];
}

VG_SIMD static void
multiply (float *restrict values, double factor)
{
#pragma omp simd
  for (int i = 0; i < N * N; i++)
    values[i] = (float) (values[i] * factor);
}

void
vg_flow_field_fill (float *re, float *im, double speckle, guint64 seed)
{
  g_autofree Transform *transform = g_new (Transform, 1);
  double cut = 0.5 * N / speckle, power = 0.0, scale;

  for (int k = 0; k < N / 2; k++)
    {
      transform->cosine[k] = cos (2.0 * G_PI * k / N);
      transform->sine[k] = sin (2.0 * G_PI * k / N);
    }
  memset (re, 0, sizeof (float) * N * N);
  memset (im, 0, sizeof (float) * N * N);
  for (int y = 0; y < N; y += LANES)
    if (MIN (abs (frequency (y)), abs (frequency (y + LANES - 1))) <= cut)
      fill_rows (transform, re, im, y, cut, seed);
  for (int x = 0; x < N; x += LANES)
    transform_columns (transform, re, im, x, &power);
  scale = power > 0.0 ? sqrt ((double) N * N / power) : 0.0;
  multiply (re, scale);
  multiply (im, scale);
}

/* Angle w a of mode K, between K pi/2 and (K + 1) pi/2: by Newton's method, or by halving where
 * that would leave the interval in which the root is known to lie. */
static double
mode_angle (int k, double a)
{
  double low = k * G_PI_2, high = (k + 1) * G_PI_2, angle = 0.5 * (low + high);

  for (int i = 0; i < 60; i++)
    {
      double w = angle / a, s = sin (angle), c = cos (angle), next;
      /* Even modes: c - w s decreases through 0.  Odd modes: w c + s; its sign depends on the
         quadrant. */
      double value = k % 2 == 0 ? c - w * s : w * c + s;
      double slope = k % 2 == 0 ? -s - s / a - w * c : c / a - w * s + c;

      if (fabs (value) <= 1e-15 * fabs (slope * angle))
        break;
      if ((k % 4 < 2 ? value : -value) > 0.0)
        low = angle;
      else
        high = angle;
      next = angle - value / slope;
      angle = next > low && next < high ? next : 0.5 * (low + high);
    }
  return angle;
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
