/* SPDX-License-Identifier: MIT */
#pragma once
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "kernels/lifetime/fit/lifetime-fit.h"
/* Decays with known expected counts in double precision, computed from the definition, and
 * Poisson counts of them. */

typedef struct
{
  int terms; /* 0: stretched */
  double lifetime[3], fraction[3], exponent, offset, photons;
  gboolean irf;
  int bins, period; /* period: laser period with an IRF */
  double h;
} Decay;

static inline double
fixture_irf (int bin)
{
  return exp (-0.5 * (bin - 20) * (bin - 20) / 5.0);
}

static inline void
fixture_irf_fill (float *irf, int n)
{
  for (int i = 0; i < n; i++)
    irf[i] = (float) (i < 45 ? fixture_irf (i) : 0);
}

/* Adds A e^(-t/tau), A in counts per bin at 0, integrated over each bin; with an IRF, summed over
 * its bins and all previous pulses. */
static inline void
fixture_add (const Decay *decay, double a, double tau, int first, double *counts)
{
  double q = exp (-decay->h / tau), share = tau / decay->h * (1 - q), sum = 0;
  g_autofree double *power = g_new (double, MAX (decay->period, 1));

  for (int i = 0; decay->irf && i < 45; i++)
    sum += (float) fixture_irf (i);
  for (int i = 0; decay->irf && i < decay->period; i++)
    power[i] = pow (q, i) / (1 - pow (q, decay->period));
  for (int j = first; j < decay->bins; j++)
    {
      double mean = 0;

      if (!decay->irf)
        mean = pow (q, j - first);
      for (int i = 0; decay->irf && i < 45; i++)
        mean += (float) fixture_irf (i) / sum * power[(j - i + decay->period) % decay->period];
      counts[j] += a * share * mean;
    }
}

/* The expected counts of the decay with amplitude A from bin FIRST on. */
static inline void
fixture_counts (const Decay *decay, double a, int first, double *counts)
{
  for (int j = 0; j < decay->bins; j++)
    counts[j] = j >= first || decay->irf ? decay->offset : 0;
  for (int i = 0; i < decay->terms; i++)
    fixture_add (decay, a * decay->fraction[i], decay->lifetime[i], first, counts);
  for (int j = first; j < decay->bins && decay->terms == 0; j++)
    for (int i = 0; i < 400; i++)
      {
        double s = (i + 0.5) / 400, t = (j == first ? s * s : j - first + s) * decay->h;

        counts[j] += a * exp (-pow (t / decay->lifetime[0], decay->exponent)) / 400 *
                     (j == first ? 2 * s : 1);
      }
}

/* Expected counts of PHOTONS in all without the offset; returns the amplitude. */
static inline double
fixture_expected (const Decay *decay, double *counts)
{
  Decay bare = *decay;
  double sum = 0, a;

  bare.offset = 0;
  fixture_counts (&bare, 1, 0, counts);
  for (int j = 0; j < decay->bins; j++)
    sum += counts[j];
  a = decay->photons / sum;
  fixture_counts (decay, a, 0, counts);
  return a;
}

static inline int
fixture_poisson (GRand *rand, double mean)
{
  double limit, product = 1;
  int n = 0;

  if (mean > 500)
    {
      double u = sqrt (-2 * log (1 - g_rand_double (rand))) * cos (2 * G_PI * g_rand_double (rand));

      return (int) MAX (floor (mean + sqrt (mean) * u + 0.5), 0);
    }
  for (limit = exp (-mean); (product *= g_rand_double (rand)) > limit;)
    n++;
  return n;
}

/* Fills pixels [first, first + n) of a bin-major cube of ALL pixels. */
static inline void
fixture_fill (const Decay *decay, GRand *rand, guint16 *samples, gsize all, gsize first, gsize n)
{
  g_autofree double *expected = g_new (double, decay->bins);

  fixture_expected (decay, expected);
  for (int j = 0; j < decay->bins; j++)
    for (gsize i = first; i < first + n; i++)
      samples[(gsize) j * all + i] = (guint16) MIN (fixture_poisson (rand, expected[j]), 65535);
}

typedef struct
{
  VgLifetimeFit fit;
  VgLifetimeCube cube;
  VgLifetimeFitMaps maps;
  float *irf, *nodes;
  gsize width;
} FitFixture;

/* Prepares a fit of the model DECAY to all its bins, and maps for PIXELS. */
static inline void
fixture_start (FitFixture *self, const Decay *decay, VgLifetimeEstimator estimator,
               gboolean free_offset, gsize pixels)
{
  g_autoptr (GError) error = NULL;
  float irf[64];

  memset (self, 0, sizeof *self);
  self->fit.estimator = estimator;
  self->fit.terms = MAX (decay->terms, 1);
  self->fit.stretched = decay->terms == 0;
  self->fit.free_offset = free_offset;
  self->fit.end = decay->bins;
  self->fit.bin_width_ns = (float) decay->h;
  self->fit.period = decay->period;
  self->irf = g_new (float, MAX (decay->bins, decay->period));
  fixture_irf_fill (irf, 64);
  g_assert_true (vg_lifetime_fit_init (&self->fit, decay->irf ? irf : NULL, 64, self->irf, &error));
  self->nodes = g_new (float, decay->bins *VG_LIFETIME_NODES * 2);
  vg_lifetime_fit_nodes (&self->fit, self->nodes);
  self->fit.nodes = self->nodes;
  self->width = pixels;
  for (int i = 0; i < VG_LIFETIME_FIT_N_PLANES; i++)
    self->maps.plane[i] = g_new (float, pixels);
}

static inline double
fixture_sample (const VgLifetimeCube *cube, gsize i)
{
  switch (cube->type)
    {
    case VG_U8:
      return ((const guint8 *) cube->samples)[i];
    case VG_U16:
      return ((const guint16 *) cube->samples)[i];
    case VG_U32:
      return ((const guint32 *) cube->samples)[i];
    case VG_F32:
      break;
    }
  return ((const float *) cube->samples)[i];
}

static inline void
fixture_cube (FitFixture *self, const void *samples, VgType type, gsize pixels)
{
  g_autofree double *decay = g_new (double, self->fit.end);

  self->cube = (VgLifetimeCube){ samples, type, pixels, 1, pixels, NULL };
  for (int j = 0; j < self->fit.end; j++)
    {
      decay[j] = 0;
      for (gsize i = 0; i < pixels; i++)
        decay[j] += fixture_sample (&self->cube, (gsize) j * pixels + i);
    }
  vg_lifetime_fit_start (&self->fit, decay, (double) pixels);
}

/* Fits the whole image; FALSE: memory is short. */
static inline gboolean
fixture_global (FitFixture *self, int threads)
{
  VgLifetimeGlobal *global = vg_lifetime_global_new (&self->fit, &self->cube, &self->maps);

  if (global == NULL)
    return FALSE;
  while (!vg_lifetime_global_step (global, threads))
    ;
  vg_lifetime_global_free (global);
  return TRUE;
}

static inline void
fixture_clear (FitFixture *self)
{
  for (int i = 0; i < VG_LIFETIME_FIT_N_PLANES; i++)
    g_free (self->maps.plane[i]);
  g_free (self->irf);
  g_free (self->nodes);
}

/* Mean and standard deviation of plane K over pixels [first, first + n) with a value; returns
 * their number. */
static inline gsize
fixture_moments (const FitFixture *self, int k, gsize first, gsize n, double *mean, double *sd)
{
  double sum = 0, square = 0;
  gsize valid = 0;

  for (gsize i = first; i < first + n; i++)
    {
      double v = self->maps.plane[k][i];

      if (isnan (v))
        continue;
      sum += v;
      square += v * v;
      valid++;
    }
  *mean = sum / (double) valid;
  *sd = sqrt (MAX (square / (double) valid - *mean * *mean, 0));
  return valid;
}
