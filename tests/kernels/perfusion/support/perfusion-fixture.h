/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/perfusion/fit/perfusion-fit.h"
#include "kernels/perfusion/model/perfusion-population.h"
#include <math.h>
#include <string.h>
/* Problems with the population AIF, curves with noise, and fits of many of them. */

typedef struct
{
  int n, count; /* frames; curves, a multiple of the batch size */
  VgPerfusionProblem *problem;
  VgPerfusionDictionary *dictionary;
  double *curves; /* batches of n frames of LANES */
  double *values; /* batches of FIT_VALUES of LANES */
} PerfusionFixture;

/* Two minutes in N frames; contrast agent arrives at 10 s. */
static inline VgPerfusionProblem *
perfusion_problem (int n)
{
  VgPerfusionBounds bounds = vg_perfusion_bounds_default ();
  g_autofree double *times = g_new (double, n), *artery = g_new (double, n),
                    *portal = g_new (double, n);

  for (int i = 0; i < n; i++)
    {
      times[i] = i * 120.0 / n;
      artery[i] = times[i] < 10 ? 0 : vg_perfusion_population_artery (times[i] - 10);
      portal[i] = 0;
      for (double u = 0.05; u < times[i]; u += 0.1)
        portal[i] += times[i] - u < 10 ? 0
                                       : 0.1 * vg_perfusion_gut_response (u) *
                                             vg_perfusion_population_artery (times[i] - u - 10);
    }
  return vg_perfusion_problem_new (VG_PERFUSION_COMPARTMENT, n, times, artery, portal, NULL,
                                   &bounds);
}

static inline double
perfusion_noise (GRand *rand)
{
  return sqrt (-2 * log (1 - g_rand_double (rand))) * cos (2 * G_PI * g_rand_double (rand));
}

static inline double *
perfusion_curve_at (const PerfusionFixture *self, int i)
{
  return self->curves + (gsize) (i / VG_PERFUSION_LANES) * (gsize) self->n * VG_PERFUSION_LANES +
         i % VG_PERFUSION_LANES;
}

static inline double
perfusion_value (const PerfusionFixture *self, int i, int value)
{
  return self->values[((gsize) (i / VG_PERFUSION_LANES) * VG_PERFUSION_FIT_VALUES + (gsize) value) *
                          VG_PERFUSION_LANES +
                      (gsize) (i % VG_PERFUSION_LANES)];
}

/* COUNT curves of contrast-to-noise ratio CNR, either the paper's Table 3 or over a broad range. */
static inline PerfusionFixture
perfusion_fixture (int n, int count, double cnr, gboolean broad, guint32 seed)
{
  PerfusionFixture self = { .n = n, .count = count, .problem = perfusion_problem (n) };
  g_autofree double *a = g_new (double, n), *p = g_new (double, n);
  GRand *rand = g_rand_new_with_seed (seed);

  g_assert_cmpint (count % VG_PERFUSION_LANES, ==, 0);
  self.dictionary = vg_perfusion_dictionary_new (self.problem);
  self.curves = g_new (double, (gsize) n *(gsize) count);
  self.values = g_new (double, (gsize) count *VG_PERFUSION_FIT_VALUES);
  for (int c = 0; c < count; c++)
    {
      double ka = broad ? g_rand_double_range (rand, 5, 150) : 20,
             kp = broad ? g_rand_double_range (rand, 0, 200) : 100;
      double kl = broad ? 100 * pow (15, g_rand_double (rand)) : 400,
             ta = broad ? g_rand_double_range (rand, 0, 4) : 1;
      double tp = broad ? g_rand_double_range (rand, 0, 5) : 2, peak = 0,
             *curve = perfusion_curve_at (&self, c);

      vg_perfusion_curve (self.problem, self.problem->artery, VG_PERFUSION_EXPONENTIAL,
                          kl / VG_PERFUSION_RATE, ta, a, NULL, NULL);
      vg_perfusion_curve (self.problem, self.problem->portal, VG_PERFUSION_EXPONENTIAL,
                          kl / VG_PERFUSION_RATE, tp, p, NULL, NULL);
      for (int i = 0; i < n; i++)
        {
          curve[i * VG_PERFUSION_LANES] = (ka * a[i] + kp * p[i]) / VG_PERFUSION_RATE;
          peak = MAX (peak, curve[i * VG_PERFUSION_LANES]);
        }
      for (int i = 0; i < n; i++)
        curve[i * VG_PERFUSION_LANES] += peak / cnr * perfusion_noise (rand);
    }
  g_rand_free (rand);
  return self;
}

/* OPTIONS NULL: the default options. */
static inline void
perfusion_fixture_fit (PerfusionFixture *self, const VgPerfusionFitOptions *options)
{
  VgPerfusionFitOptions own = vg_perfusion_fit_options_default ();

  if (options == NULL)
    options = &own;
#pragma omp parallel
  {
    g_autofree double *scratch = g_new (double, vg_perfusion_fit_scratch (self->problem));
#pragma omp for
    for (int b = 0; b < self->count / VG_PERFUSION_LANES; b++)
      vg_perfusion_fit_batch (
          self->problem, self->dictionary, options,
          self->curves + (gsize) b * (gsize) self->n * VG_PERFUSION_LANES, VG_PERFUSION_LANES,
          scratch, self->values + (gsize) b * VG_PERFUSION_FIT_VALUES * VG_PERFUSION_LANES);
  }
}

static inline void
perfusion_fixture_clear (PerfusionFixture *self)
{
  vg_perfusion_problem_free (self->problem);
  vg_perfusion_dictionary_free (self->dictionary);
  g_free (self->curves);
  g_free (self->values);
}
