/* SPDX-License-Identifier: MIT */
/* Fits against the truth, the Cramer-Rao bound, published tables, and a search in
 * double precision around each minimum. */
#include "lifetime-fit-fixture.h"
#include "vg-error.h"

enum { BAR = 4096, BINS = 256 };
#define SEED 20160117u
static const double bars[] = { 2, 2.5, 3, 4 };

/* The paper's image of four bars, fitted with one exponential. */
static void
four_bars (FitFixture *fixture, VgLifetimeEstimator estimator, gboolean free_offset, guint32 seed, guint16 *samples)
{
  GRand *rand = g_rand_new_with_seed (seed);
  Decay decay = { .terms = 1, .fraction = { 1 }, .photons = 1500, .bins = BINS, .h = 0.1 };

  for (int i = 0; i < 4; i++)
    {
      decay.lifetime[0] = bars[i];
      fixture_fill (&decay, rand, samples, 4 * BAR, (gsize) i * BAR, BAR);
    }
  g_rand_free (rand);
  fixture_start (fixture, &decay, estimator, free_offset, 4 * BAR);
  fixture_cube (fixture, samples, VG_U16, 4 * BAR);
  vg_lifetime_fit_pixels (&fixture->fit, &fixture->cube, 2, &fixture->maps);
}

/* Bias in percent, and F times the Cramer-Rao bound's. */
static void
check_bars (const FitFixture *fixture, const double *bias, double within, double most_f)
{
  for (int i = 0; i < 4; i++)
    {
      double mean, sd, x = BINS * 0.1 / bars[i], bound = 1 / sqrt (1 - x * x * exp (x) / pow (exp (x) - 1, 2)), error, unused;

      g_assert_cmpuint (fixture_moments (fixture, VG_LIFETIME_FIT_LIFETIME_1, (gsize) i * BAR, BAR, &mean, &sd), ==, BAR);
      fixture_moments (fixture, VG_LIFETIME_FIT_ERROR_1, (gsize) i * BAR, BAR, &error, &unused);
      g_test_message ("%.1f ns: bias %+.3f %%, F %.3f, bound %.3f, F's own %.3f", bars[i], 100 * (mean / bars[i] - 1),
                      sqrt (1500) * sd / bars[i], bound, sqrt (1500) * error / bars[i]);
      g_assert_cmpfloat (fabs (100 * (mean / bars[i] - 1) - bias[i]), <, within);
      g_assert_cmpfloat (sqrt (1500) * sd / bars[i], <=, most_f * bound);
      if (most_f < 1.2)
        g_assert_cmpfloat (fabs (error / sd - 1), <, 0.06);
    }
}

static void
test_four_bars (void)
{
  static const double none[4] = { 0 }, neyman[] = { -7.5, -8.3, -8.9, -10.1 }, background[] = { -0.15, -0.23, -0.31, -0.73 };
  g_autofree guint16 *samples = g_new (guint16, (gsize) BINS * 4 * BAR);
  FitFixture fixture, pearson;

  four_bars (&fixture, VG_LIFETIME_DEVIANCE, FALSE, SEED, samples);
  check_bars (&fixture, none, 0.3, 1.05);
  four_bars (&pearson, VG_LIFETIME_PEARSON, FALSE, SEED, samples);
  for (gsize i = 0; i < 4 * BAR; i++)
    g_assert_cmpfloat (fabsf (pearson.maps.plane[0][i] / fixture.maps.plane[0][i] - 1), <, 1e-5);
  fixture_clear (&pearson);
  fixture_clear (&fixture);
  four_bars (&fixture, VG_LIFETIME_NEYMAN, FALSE, SEED + 1, samples);
  check_bars (&fixture, neyman, 0.4, 1.3);
  fixture_clear (&fixture);
  four_bars (&fixture, VG_LIFETIME_DEVIANCE, TRUE, SEED + 2, samples);
  check_bars (&fixture, background, 0.25, 1.16);
  fixture_clear (&fixture);
}

static double
deviance (const double *y, const guint16 *n, gsize stride, int bins, VgLifetimeEstimator estimator)
{
  double sum = 0;

  for (int j = 0; j < bins; j++)
    {
      double count = n[(gsize) j * stride], mean = MAX (y[j], 1e-12);

      if (estimator == VG_LIFETIME_NEYMAN)
        sum += (count - mean) * (count - mean) / MAX (count, 1);
      else
        sum += 2 * (mean - count + (count > 0 ? count * log (count / mean) : 0));
    }
  return sum;
}

/* The decay that the maps hold for pixel I; FALSE: a lifetime is missing. */
static gboolean
read_back (const FitFixture *self, const Decay *model, gsize i, Decay *decay, double *amplitude)
{
  double rest = 1;

  *decay = *model;
  *amplitude = self->maps.plane[VG_LIFETIME_FIT_AMPLITUDE][i];
  decay->offset = self->maps.plane[VG_LIFETIME_FIT_OFFSET][i];
  decay->exponent = self->maps.plane[VG_LIFETIME_FIT_EXPONENT][i];
  for (int k = 0; k < MAX (model->terms, 1); k++)
    {
      decay->lifetime[k] = self->maps.plane[VG_LIFETIME_FIT_LIFETIME_1 + k][i];
      decay->fraction[k] = k < model->terms - 1 ? self->maps.plane[VG_LIFETIME_FIT_FRACTION_1 + k][i] : rest;
      rest -= decay->fraction[k];
      if (isnan (decay->lifetime[k]))
        return FALSE;
    }
  return TRUE;
}

/* The reported objective is that of the reported decay, and steps in double from
 * there, one parameter at a time and all at once, find nothing lower. */
static void
check_minimum (const FitFixture *self, const Decay *model, const guint16 *samples, gsize all, gsize i, GRand *rand)
{
  g_autofree double *y = g_new (double, model->bins);
  double a, reported = self->maps.plane[VG_LIFETIME_FIT_DEVIANCE][i], least;
  Decay decay;

  if (!read_back (self, model, i, &decay, &a))
    return;
  fixture_counts (&decay, a, 0, y);
  least = deviance (y, samples + i, all, model->bins, self->fit.estimator);
  g_assert_cmpfloat (fabs (least - reported), <, 2e-4 * reported + 1e-3);
  for (int k = 0; k < 200; k++)
    {
      Decay other = decay;
      double size = pow (10, -1 - k % 4), b = a * (1 + size * g_rand_double_range (rand, -1, 1) * (k & 1)), d;

      for (int t = 0; t < MAX (model->terms, 1); t++)
        other.lifetime[t] *= 1 + size * g_rand_double_range (rand, -1, 1);
      for (int t = 0; t < model->terms - 1; t++)
        {
          double move = size * g_rand_double_range (rand, -1, 1) * MIN (other.fraction[t], other.fraction[t + 1]);

          other.fraction[t] += move;
          other.fraction[t + 1] -= move;
        }
      other.exponent *= 1 + size * g_rand_double_range (rand, -1, 1);
      other.offset *= self->fit.free_offset ? 1 + size * g_rand_double_range (rand, -1, 1) : 1;
      fixture_counts (&other, b, 0, y);
      d = deviance (y, samples + i, all, model->bins, self->fit.estimator);
      if (d < least - 2e-3)
        g_test_message ("pixel %zu: %.5f below %.5f at tau %g %g", i, d, least, other.lifetime[0], other.lifetime[1]);
      g_assert_cmpfloat (d, >=, least - 2e-3);
    }
}

/* What every shape of fit is tried on. */
static const Decay shapes[] = {
  { 1, { 2.2 }, { 1 }, .photons = 2000, .bins = 256, .period = 256, .h = 0.1 },
  { 1, { 2.2 }, { 1 }, .offset = 0.5, .photons = 2000, .bins = 256, .period = 256, .h = 0.1 },
  { 1, { 2.2 }, { 1 }, .offset = 0.5, .photons = 2000, .irf = TRUE, .bins = 200, .period = 250, .h = 0.05 },
  { 1, { 0.4 }, { 1 }, .photons = 300, .irf = TRUE, .bins = 97, .period = 97, .h = 0.1 },
  { 2, { 0.5, 2.5 }, { 0.7, 0.3 }, .photons = 5000, .bins = 256, .period = 256, .h = 0.1 },
  { 2, { 0.5, 2.5 }, { 0.7, 0.3 }, .offset = 0.5, .photons = 5000, .bins = 257, .period = 256, .h = 0.1 },
  { 2, { 0.5, 2.5 }, { 0.7, 0.3 }, .offset = 0.5, .photons = 5000, .irf = TRUE, .bins = 256, .period = 320, .h = 0.04 },
  { 3, { 0.3, 1, 4 }, { 0.4, 0.4, 0.2 }, .photons = 1e6, .bins = 256, .period = 256, .h = 0.1 },
  { 3, { 0.3, 1, 4 }, { 0.4, 0.4, 0.2 }, .offset = 20, .photons = 1e6, .irf = TRUE, .bins = 256, .period = 256, .h = 0.1 },
  { 0, { 2 }, .exponent = 0.7, .photons = 20000, .bins = 256, .period = 256, .h = 0.1 },
  { 0, { 1 }, .exponent = 0.5, .offset = 2, .photons = 50000, .bins = 200, .period = 200, .h = 0.1 },
};

static void
test_minimum (void)
{
  enum { N = 37 };
  GRand *rand = g_rand_new_with_seed (SEED);

  for (guint s = 0; s < G_N_ELEMENTS (shapes); s++)
    for (int estimator = VG_LIFETIME_DEVIANCE; estimator <= VG_LIFETIME_NEYMAN; estimator++)
      {
        g_autofree guint16 *samples = g_new (guint16, (gsize) shapes[s].bins * N);
        FitFixture fixture;

        fixture_fill (&shapes[s], rand, samples, N, 0, N);
        fixture_start (&fixture, &shapes[s], estimator, shapes[s].offset > 0, N);
        fixture_cube (&fixture, samples, VG_U16, N);
        vg_lifetime_fit_pixels (&fixture.fit, &fixture.cube, 1, &fixture.maps);
        for (gsize i = 0; i < N; i += shapes[s].terms > 0 ? 1 : 6)
          {
            g_assert_cmpfloat (fixture.maps.plane[VG_LIFETIME_FIT_STATUS][i], >=, VG_LIFETIME_FIT_OK);
            g_assert_cmpfloat (fixture.maps.plane[VG_LIFETIME_FIT_STATUS][i], <=, VG_LIFETIME_FIT_AT_LIMIT);
            check_minimum (&fixture, &shapes[s], samples, N, i, rand);
          }
        fixture_clear (&fixture);
      }
  g_rand_free (rand);
}

/* Without noise the parameters come back. */
static void
test_exact (void)
{
  for (guint s = 0; s < G_N_ELEMENTS (shapes); s++)
    {
      const Decay *model = &shapes[s];
      g_autofree double *y = g_new (double, model->bins);
      g_autofree float *samples = g_new (float, model->bins);
      FitFixture fixture;
      Decay found;
      double a, truth = fixture_expected (model, y), close = model->terms == 3 ? 0.03 : 0.002;
      g_autofree double *curve = g_new (double, model->bins);
      float values[VG_LIFETIME_FIT_N_PLANES];

      for (int j = 0; j < model->bins; j++)
        samples[j] = (float) y[j];
      fixture_start (&fixture, model, VG_LIFETIME_DEVIANCE, model->offset > 0, 1);
      fixture_cube (&fixture, samples, VG_F32, 1);
      vg_lifetime_fit_pixels (&fixture.fit, &fixture.cube, 1, &fixture.maps);
      g_assert_true (read_back (&fixture, model, 0, &found, &a));
      g_test_message ("shape %u: tau %g %g %g, fraction %g, amplitude %g (%g), deviance %g", s, found.lifetime[0], found.lifetime[1],
                      found.lifetime[2], found.fraction[0], a, truth, fixture.maps.plane[VG_LIFETIME_FIT_DEVIANCE][0]);
      for (int k = 0; k < MAX (model->terms, 1); k++)
        g_assert_cmpfloat (fabs (found.lifetime[k] / model->lifetime[k] - 1), <, close);
      for (int k = 0; k < model->terms; k++)
        g_assert_cmpfloat (fabs (found.fraction[k] - model->fraction[k]), <, close);
      g_assert_cmpfloat (fabs (a / truth - 1), <, close);
      g_assert_cmpfloat (fabs (found.offset - model->offset), <, 0.01 * MAX (model->offset, 0.02));
      if (model->terms == 0)
        g_assert_cmpfloat (fabs (found.exponent / model->exponent - 1), <, close);
      for (int k = 0; k < VG_LIFETIME_FIT_N_PLANES; k++)
        values[k] = fixture.maps.plane[k][0];
      vg_lifetime_fit_curve (&fixture.fit, values, curve);
      for (int j = 0; j < model->bins; j++)
        g_assert_cmpfloat (fabs (curve[j] - y[j]), <, 2e-3 * y[j] + 1e-3);
      fixture_clear (&fixture);
    }
}

/* Two lifetimes, shares of the short one from 0.8 to 0.2: the reference's table. */
static void
test_fractions (void)
{
  static const double share[] = { 0.8, 0.6, 0.4, 0.2 }, bound[] = { 0.021, 0.037, 0.057, 0.079 };
  GRand *rand = g_rand_new_with_seed (SEED);
  g_autofree guint16 *samples = g_new (guint16, (gsize) BINS * 4 * BAR);
  Decay decay = { .terms = 2, .lifetime = { 0.5, 2.5 }, .photons = 2000, .bins = BINS, .h = 0.1 };
  FitFixture fixture;

  for (int i = 0; i < 4; i++)
    {
      decay.fraction[0] = share[i];
      decay.fraction[1] = 1 - share[i];
      fixture_fill (&decay, rand, samples, 4 * BAR, (gsize) i * BAR, BAR);
    }
  g_rand_free (rand);
  fixture_start (&fixture, &decay, VG_LIFETIME_DEVIANCE, FALSE, 4 * BAR);
  fixture_cube (&fixture, samples, VG_U16, 4 * BAR);
  for (int known = 0; known < 2; known++)
    {
      if (known)
        {
          fixture.fit.fixed[1] = TRUE;
          fixture.fit.start_ns[1] = 2.5f;
        }
      vg_lifetime_global_segments (&fixture.fit, &fixture.cube, BAR, 2, &fixture.maps);
      for (int i = 0; i < 4; i++)
        {
          double f, sd, tau, tau_sd;

          fixture_moments (&fixture, VG_LIFETIME_FIT_FRACTION_1, (gsize) i * BAR, BAR, &f, &sd);
          fixture_moments (&fixture, VG_LIFETIME_FIT_LIFETIME_1, (gsize) i * BAR, BAR, &tau, &tau_sd);
          g_test_message ("segments, f %.1f: %.4f +- %.4f, tau %.4f +- %.4f", share[i], f, sd, tau, tau_sd);
          g_assert_cmpfloat (fabs (f - share[i]), <, 0.02);
          g_assert_cmpfloat (fabs (tau / 0.5 - 1), <, 0.03);
        }
    }
  fixture.fit.fixed[1] = FALSE;
  g_assert_true (vg_lifetime_global_image (&fixture.fit, &fixture.cube, 2, &fixture.maps));
  g_assert_cmpfloat (fabs (fixture.maps.plane[VG_LIFETIME_FIT_LIFETIME_1][0] / 0.5 - 1), <, 0.005);
  g_assert_cmpfloat (fabs (fixture.maps.plane[VG_LIFETIME_FIT_LIFETIME_2][0] / 2.5 - 1), <, 0.005);
  vg_lifetime_fit_pixels (&fixture.fit, &fixture.cube, 2, &fixture.maps);
  for (gsize i = 0; i < 4 * BAR; i++)   /* no error beyond the value, or, of a share, beyond that of any share */
    {
      float *const *plane = fixture.maps.plane;

      g_assert_false (plane[VG_LIFETIME_FIT_ERROR_1][i] > plane[VG_LIFETIME_FIT_LIFETIME_1][i]);
      g_assert_false (plane[VG_LIFETIME_FIT_ERROR_2][i] > plane[VG_LIFETIME_FIT_LIFETIME_2][i]);
      g_assert_false (plane[VG_LIFETIME_FIT_FRACTION_ERROR][i] > 1 / sqrt (12.0));
    }
  for (int i = 0; i < 4; i++)
    {
      double f, sd;
      gsize n = fixture_moments (&fixture, VG_LIFETIME_FIT_FRACTION_1, (gsize) i * BAR, BAR, &f, &sd);

      g_test_message ("pixels, f %.1f: %.4f +- %.4f, %zu of %d", share[i], f, sd, n, BAR);
      g_assert_cmpuint (n, >=, BAR - BAR / 1000);
      if (i < 3)
        g_assert_cmpfloat (fabs (f - share[i]), <, 0.02);
      if (i < 2)
        g_assert_cmpfloat (sd, <, 1.1 * bound[i]);
    }
  fixture_clear (&fixture);
}

/* An image in steps: to the bit the same by any number of threads, and progress that does not fall. */
static void
test_steps (void)
{
  enum { N = 16411 };
  Decay decay = shapes[4];
  g_autofree guint16 *samples = g_new (guint16, (gsize) decay.bins * N);
  GRand *rand = g_rand_new_with_seed (SEED);
  int steps[2] = { 0, 0 };
  FitFixture f[2];

  fixture_fill (&decay, rand, samples, N, 0, N);
  g_rand_free (rand);
  for (int side = 0; side < 2; side++)
    {
      VgLifetimeGlobal *global;
      gboolean done = FALSE;
      double last = 0;

      fixture_start (&f[side], &decay, VG_LIFETIME_DEVIANCE, FALSE, N);
      fixture_cube (&f[side], samples, VG_U16, N);
      f[side].fit = f[0].fit;
      global = vg_lifetime_global_new (&f[side].fit, &f[side].cube, &f[side].maps);
      while (!done)
        {
          double progress;

          done = vg_lifetime_global_step (global, side ? 1 : 3);
          progress = vg_lifetime_global_progress (global);
          g_assert_cmpfloat (progress, >=, last);
          g_assert_cmpfloat (progress, <=, 1);
          last = progress;
          steps[side]++;
        }
      g_assert_cmpfloat (last, ==, 1);
      vg_lifetime_global_free (global);
    }
  g_test_message ("%d steps by 3 threads, %d by one", steps[0], steps[1]);
  g_assert_cmpint (steps[1], >, 2 * steps[0]);
  g_assert_cmpint (steps[0], >, 10);
  for (int k = 0; k < VG_LIFETIME_FIT_N_PLANES; k++)
    g_assert_cmpmem (f[0].maps.plane[k], N * sizeof (float), f[1].maps.plane[k], N * sizeof (float));
  g_assert_cmpfloat (f[0].maps.plane[VG_LIFETIME_FIT_STATUS][0], ==, VG_LIFETIME_FIT_OK);
  fixture_clear (&f[0]);
  fixture_clear (&f[1]);
}

/* Pixels without an answer, sample types and strides, threads, odd sizes. */
static void
test_odd (void)
{
  enum { N = 53 };
  GRand *rand = g_rand_new_with_seed (SEED);
  const Decay *model = &shapes[4];
  g_autofree guint16 *samples = g_new (guint16, (gsize) model->bins * N);
  g_autofree float *turned = g_new (float, (gsize) model->bins * N);
  g_autofree guint8 *mask = g_malloc (N);
  FitFixture a, b;

  fixture_fill (model, rand, samples, N, 0, N);
  g_rand_free (rand);
  memset (mask, 1, N);
  mask[7] = 0;
  for (int j = 0; j < model->bins; j++)
    {
      samples[j * N + 3] = 0;
      samples[j * N + 5] = j == 17;
      samples[j * N + 11] = 65535;
      for (int i = 0; i < N; i++)
        turned[i * model->bins + j] = samples[j * N + i];
    }
  fixture_start (&a, model, VG_LIFETIME_DEVIANCE, FALSE, N);
  fixture_cube (&a, samples, VG_U16, N);
  a.cube.mask = mask;
  fixture_start (&b, model, VG_LIFETIME_DEVIANCE, FALSE, N);
  b.fit = a.fit;
  b.cube = (VgLifetimeCube) { turned, VG_F32, 1, (gsize) model->bins, N, mask };
  for (int kind = 0; kind < 3; kind++)
    {
      for (int side = 0; side < 2; side++)
        {
          FitFixture *f = side ? &b : &a;

          if (kind == 0)
            vg_lifetime_fit_pixels (&f->fit, &f->cube, side ? 1 : 3, &f->maps);
          else if (kind == 1)
            vg_lifetime_global_segments (&f->fit, &f->cube, N, side ? 1 : 3, &f->maps);
          else
            g_assert_true (vg_lifetime_global_image (&f->fit, &f->cube, 1, &f->maps));
        }
      for (int k = 0; k < VG_LIFETIME_FIT_N_PLANES; k++)
        g_assert_cmpmem (a.maps.plane[k], N * sizeof (float), b.maps.plane[k], N * sizeof (float));
      g_assert_cmpfloat (a.maps.plane[VG_LIFETIME_FIT_STATUS][3], ==, VG_LIFETIME_FIT_SKIPPED);
      g_assert_cmpfloat (a.maps.plane[VG_LIFETIME_FIT_STATUS][7], ==, VG_LIFETIME_FIT_SKIPPED);
      g_assert_true (isnan (a.maps.plane[VG_LIFETIME_FIT_LIFETIME_1][3]) && isnan (a.maps.plane[VG_LIFETIME_FIT_DEVIANCE][7]));
    }
  /* a flat histogram has no lifetime */
  a.fit.terms = 1;
  vg_lifetime_fit_pixels (&a.fit, &a.cube, 1, &a.maps);
  g_assert_cmpfloat (a.maps.plane[VG_LIFETIME_FIT_STATUS][11], ==, VG_LIFETIME_FIT_FAILED);
  g_assert_true (isnan (a.maps.plane[VG_LIFETIME_FIT_LIFETIME_1][11]));
  fixture_clear (&a);
  fixture_clear (&b);
}

/* Pixels that a fit of MODEL says have a decay, alone, in segments or as an image. */
static int
count_decays (const Decay *model, VgLifetimeEstimator estimator, const guint16 *samples, gsize n, int sharing)
{
  FitFixture f;
  int found = 0;

  fixture_start (&f, model, estimator, FALSE, n);
  fixture_cube (&f, samples, VG_U16, n);
  if (sharing == 0)
    vg_lifetime_fit_pixels (&f.fit, &f.cube, 2, &f.maps);
  else if (sharing == 1)
    vg_lifetime_global_segments (&f.fit, &f.cube, n, 2, &f.maps);
  else
    g_assert_true (vg_lifetime_global_image (&f.fit, &f.cube, 2, &f.maps));
  for (gsize i = 0; i < n; i++)
    {
      gboolean has = f.maps.plane[VG_LIFETIME_FIT_STATUS][i] != VG_LIFETIME_FIT_FAILED;

      g_assert_true (has == (gboolean) isfinite (f.maps.plane[VG_LIFETIME_FIT_MEAN_AMPLITUDE][i]));
      for (int k = 0; k < VG_LIFETIME_FIT_STATUS && !has; k++)
        g_assert_true (isnan (f.maps.plane[k][i]));
      found += has;
    }
  fixture_clear (&f);
  return found;
}

/* Flat, rising and noisy histograms have no decay by any model, alone or shared. */
static void
test_no_decay (void)
{
  enum { N = 403, NB = 64, RISING = 1, NOISE = 2 };
  static const Decay models[] = { { 0, { 1 }, .exponent = 0.7, .bins = NB, .h = 0.1 },
                                  { 1, { 1 }, { 1 }, .bins = NB, .h = 0.1 },
                                  { 2, { 0.4, 2 }, { 0.5, 0.5 }, .bins = NB, .h = 0.1 },
                                  { 3, { 0.2, 0.8, 3 }, { 0.4, 0.3, 0.3 }, .bins = NB, .h = 0.1 } };
  g_autofree guint16 *samples = g_new (guint16, NB * N);
  GRand *rand = g_rand_new_with_seed (SEED);

  for (int kind = 0; kind <= NOISE; kind++)
    {
      for (int j = 0; j < NB; j++)
        for (int i = 0; i < N; i++)
          samples[j * N + i] = (guint16) (kind == NOISE ? fixture_poisson (rand, 3) : kind == RISING ? j + 1 : 20);
      for (guint s = 0; s < G_N_ELEMENTS (models); s++)
        for (int estimator = VG_LIFETIME_DEVIANCE; estimator <= VG_LIFETIME_NEYMAN; estimator++)
          for (int sharing = 0; sharing < (models[s].terms > 0 ? 3 : 1); sharing++)
            {
              int found = count_decays (&models[s], estimator, samples, N, sharing);

              g_test_message ("shape %u, estimator %d, kind %d, sharing %d: %d", s, estimator, kind, sharing, found);
              g_assert_cmpint (found, <=, kind == NOISE && sharing == 0 ? N / 25 : 0);   /* chance makes one of 40 fall */
            }
    }
  g_rand_free (rand);
}

/* A component at its limit has no lifetime; the mean of a decay that is there keeps its own, and the curve both components. */
static void
test_limits (void)
{
  enum { N = 4096 };
  static const double share[] = { 0.8, 0.6, 0.4, 0.2 };
  Decay decay = { .terms = 2, .lifetime = { 0.5, 2.5 }, .photons = 2000, .bins = BINS, .h = 0.1 };
  g_autofree guint16 *samples = g_new (guint16, (gsize) BINS * N);
  g_autofree double *curve = g_new (double, BINS);
  GRand *rand = g_rand_new_with_seed (SEED + 9);

  for (int s = 0; s < 4; s++)
    {
      double truth = 0.5 * share[s] + 2.5 * (1 - share[s]), mean, sd;
      float values[VG_LIFETIME_FIT_N_PLANES];
      gsize n, stuck = 0;
      FitFixture f;

      decay.fraction[0] = share[s];
      decay.fraction[1] = 1 - share[s];
      fixture_fill (&decay, rand, samples, N, 0, N);
      fixture_start (&f, &decay, VG_LIFETIME_DEVIANCE, FALSE, N);
      fixture_cube (&f, samples, VG_U16, N);
      vg_lifetime_fit_pixels (&f.fit, &f.cube, 2, &f.maps);
      n = fixture_moments (&f, VG_LIFETIME_FIT_MEAN_AMPLITUDE, 0, N, &mean, &sd);
      for (gsize i = 0; i < N; i++)
        {
          double sum = 0, photons = 0;

          if (f.maps.plane[VG_LIFETIME_FIT_STATUS][i] != VG_LIFETIME_FIT_AT_LIMIT)
            continue;
          stuck++;
          g_assert_true (isnan (f.maps.plane[VG_LIFETIME_FIT_LIFETIME_1][i]) || isnan (f.maps.plane[VG_LIFETIME_FIT_LIFETIME_2][i]));
          for (int k = 0; k < VG_LIFETIME_FIT_N_PLANES; k++)
            values[k] = f.maps.plane[k][i];
          vg_lifetime_fit_curve (&f.fit, values, curve);
          for (int j = 0; j < BINS; j++)
            {
              sum += curve[j];
              photons += samples[(gsize) j * N + i];
            }
          g_assert_cmpfloat (fabs (sum / photons - 1), <, 1e-3);
        }
      g_test_message ("share %.1f: mean %.4f +- %.4f of %.4f, %zu of %d without, %zu with a component at its limit", share[s], mean, sd, truth,
                      N - n, (int) N, stuck);
      g_assert_cmpuint (n, >=, N - N / 1000);
      g_assert_cmpfloat (fabs (mean / truth - 1), <, 0.05);
      fixture_clear (&f);
    }
  g_rand_free (rand);
}

static void
refuse (VgLifetimeFit fit, const float *irf, int bins, const char *says)
{
  g_autoptr (GError) error = NULL;
  float buffer[64];

  g_assert_false (vg_lifetime_fit_init (&fit, irf, bins, buffer, &error));
  g_assert_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT);
  g_assert_nonnull (strstr (error->message, says));
}

static void
test_refusals (void)
{
  static const float irf[64] = { 0, 1, 2 }, empty[64] = { 0 };
  VgLifetimeFit fit = { .terms = 2, .end = 60, .bin_width_ns = 0.1f, .period = 60 }, other = fit;

  other.end = 4;
  refuse (other, NULL, 0, "too few");
  refuse (fit, irf, 64, "period");
  refuse (fit, empty, 60, "no counts");
  other = fit;
  other.fixed[1] = TRUE;
  other.start_ns[1] = 1e6f;
  refuse (other, NULL, 0, "outside");
  other = (VgLifetimeFit) { .terms = 1, .stretched = TRUE, .end = 60, .bin_width_ns = 0.1f };
  refuse (other, irf, 10, "stretched");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lifetime/fit/four-bars", test_four_bars);
  g_test_add_func ("/lifetime/fit/minimum", test_minimum);
  g_test_add_func ("/lifetime/fit/exact", test_exact);
  g_test_add_func ("/lifetime/fit/fractions", test_fractions);
  g_test_add_func ("/lifetime/fit/odd", test_odd);
  g_test_add_func ("/lifetime/fit/steps", test_steps);
  g_test_add_func ("/lifetime/fit/no-decay", test_no_decay);
  g_test_add_func ("/lifetime/fit/limits", test_limits);
  g_test_add_func ("/lifetime/fit/refusals", test_refusals);
  return g_test_run ();
}
