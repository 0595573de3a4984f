/* SPDX-License-Identifier: MIT */
/* Fits compared with the truth, the Cramer-Rao bound, published tables, and a search in double
 * precision around each minimum. */
#include "tests/kernels/lifetime/support/lifetime-fit-fixture.h"
#include "tests/support/sanitized.h"

enum { BAR = 4096, BINS = 256 };
#define SEED 20160117u
static const double bars[] = { 2, 2.5, 3, 4 };

/* The paper's image of four bars, fitted with one exponential. */
static void
four_bars (FitFixture *fixture, VgLifetimeEstimator estimator, gboolean free_offset, guint32 seed,
           guint16 *samples)
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

/* Compares the bias in per cent, and F as a multiple of the Cramer-Rao bound. */
static void
check_bars (const FitFixture *fixture, const double *bias, double within, double most_f)
{
  for (int i = 0; i < 4; i++)
    {
      double mean, sd, x = BINS * 0.1 / bars[i],
                       bound = 1 / sqrt (1 - x * x * exp (x) / pow (exp (x) - 1, 2)), error, unused;

      g_assert_cmpuint (
          fixture_moments (fixture, VG_LIFETIME_FIT_LIFETIME_1, (gsize) i * BAR, BAR, &mean, &sd),
          ==, BAR);
      fixture_moments (fixture, VG_LIFETIME_FIT_ERROR_1, (gsize) i * BAR, BAR, &error, &unused);
      g_test_message ("%.1f ns: bias %+.3f %%, F %.3f, bound %.3f, F's own %.3f", bars[i],
                      100 * (mean / bars[i] - 1), sqrt (1500) * sd / bars[i], bound,
                      sqrt (1500) * error / bars[i]);
      g_assert_cmpfloat (fabs (100 * (mean / bars[i] - 1) - bias[i]), <, within);
      g_assert_cmpfloat (sqrt (1500) * sd / bars[i], <=, most_f * bound);
      if (most_f < 1.2)
        g_assert_cmpfloat (fabs (error / sd - 1), <, 0.06);
    }
}

static void
test_four_bars (void)
{
  static const double none[4] = { 0 }, neyman[] = { -7.5, -8.3, -8.9, -10.1 },
                      background[] = { -0.15, -0.23, -0.31, -0.73 };
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

/* Reads the decay of pixel I from the maps; FALSE if a lifetime is missing. */
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
      decay->fraction[k] = k < model->terms - 1
                               ? self->maps.plane[VG_LIFETIME_FIT_FRACTION_1 + k][i]
                               : rest;
      rest -= decay->fraction[k];
      if (isnan (decay->lifetime[k]))
        return FALSE;
    }
  return TRUE;
}

/* The reported objective is that of the reported decay, and steps in double precision from there,
 * in one parameter at a time and in all at once, find no lower one.  During the fit the objective
 * is a sum in single precision, which is wrong by 0.02 at 1e6 photons, so that the last step to a
 * flat minimum may seem to lead up and is refused.  What remains there is below 0.01, which is a
 * tenth of a standard error: at k standard errors the objective is higher by k^2. */
static void
check_minimum (const FitFixture *self, const Decay *model, const guint16 *samples, gsize all,
               gsize i, GRand *rand)
{
  g_autofree double *y = g_new (double, model->bins);
  double a, reported = self->maps.plane[VG_LIFETIME_FIT_DEVIANCE][i], least,
            unseen = model->photons < 1e6 ? 2e-3 : 0.01;
  Decay decay;

  if (!read_back (self, model, i, &decay, &a))
    return;
  fixture_counts (&decay, a, 0, y);
  least = deviance (y, samples + i, all, model->bins, self->fit.estimator);
  g_assert_cmpfloat (fabs (least - reported), <, 2e-4 * reported + 1e-3);
  for (int k = 0; k < 200; k++)
    {
      Decay other = decay;
      double size = pow (10, -1 - k % 4),
             b = a * (1 + size * g_rand_double_range (rand, -1, 1) * (k & 1)), d;

      for (int t = 0; t < MAX (model->terms, 1); t++)
        other.lifetime[t] *= 1 + size * g_rand_double_range (rand, -1, 1);
      for (int t = 0; t < model->terms - 1; t++)
        {
          double move = size * g_rand_double_range (rand, -1, 1) *
                        MIN (other.fraction[t], other.fraction[t + 1]);

          other.fraction[t] += move;
          other.fraction[t + 1] -= move;
        }
      other.exponent *= 1 + size * g_rand_double_range (rand, -1, 1);
      other.offset *= self->fit.free_offset ? 1 + size * g_rand_double_range (rand, -1, 1) : 1;
      fixture_counts (&other, b, 0, y);
      d = deviance (y, samples + i, all, model->bins, self->fit.estimator);
      if (d < least - unseen)
        g_test_message ("pixel %zu: %.5f below %.5f at tau %g %g", i, d, least, other.lifetime[0],
                        other.lifetime[1]);
      g_assert_cmpfloat (d, >=, least - unseen);
    }
}

/* The decays on which every kind of fit is tested. */
static const Decay shapes[] = {
  { 1, { 2.2 }, { 1 }, .photons = 2000, .bins = 256, .period = 256, .h = 0.1 },
  { 1, { 2.2 }, { 1 }, .offset = 0.5, .photons = 2000, .bins = 256, .period = 256, .h = 0.1 },
  { 1,
    { 2.2 },
    { 1 },
    .offset = 0.5,
    .photons = 2000,
    .irf = TRUE,
    .bins = 200,
    .period = 250,
    .h = 0.05 },
  { 1, { 0.4 }, { 1 }, .photons = 300, .irf = TRUE, .bins = 97, .period = 97, .h = 0.1 },
  { 2, { 0.5, 2.5 }, { 0.7, 0.3 }, .photons = 5000, .bins = 256, .period = 256, .h = 0.1 },
  { 2,
    { 0.5, 2.5 },
    { 0.7, 0.3 },
    .offset = 0.5,
    .photons = 5000,
    .bins = 257,
    .period = 256,
    .h = 0.1 },
  { 2,
    { 0.5, 2.5 },
    { 0.7, 0.3 },
    .offset = 0.5,
    .photons = 5000,
    .irf = TRUE,
    .bins = 256,
    .period = 320,
    .h = 0.04 },
  { 3, { 0.3, 1, 4 }, { 0.4, 0.4, 0.2 }, .photons = 1e6, .bins = 256, .period = 256, .h = 0.1 },
  { 3,
    { 0.3, 1, 4 },
    { 0.4, 0.4, 0.2 },
    .offset = 20,
    .photons = 1e6,
    .irf = TRUE,
    .bins = 256,
    .period = 256,
    .h = 0.1 },
  { 0, { 2 }, .exponent = 0.7, .photons = 20000, .bins = 256, .period = 256, .h = 0.1 },
  { 0,
    { 1 },
    .exponent = 0.5,
    .offset = 2,
    .photons = 50000,
    .bins = 200,
    .period = 200,
    .h = 0.1 },
};

static void
test_minimum (void)
{
  enum { N = SANITIZED ? 5 : 37 };
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
        for (gsize i = 0; i<N; i += shapes[s].terms> 0 ? 1 : 6)
          {
            g_assert_cmpfloat (fixture.maps.plane[VG_LIFETIME_FIT_STATUS][i], >=,
                               VG_LIFETIME_FIT_OK);
            g_assert_cmpfloat (fixture.maps.plane[VG_LIFETIME_FIT_STATUS][i], <=,
                               VG_LIFETIME_FIT_AT_LIMIT);
            check_minimum (&fixture, &shapes[s], samples, N, i, rand);
          }
        fixture_clear (&fixture);
      }
  g_rand_free (rand);
}

/* Without noise the fit returns the parameters. */
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
      g_test_message ("shape %u: tau %g %g %g, fraction %g, amplitude %g (%g), deviance %g", s,
                      found.lifetime[0], found.lifetime[1], found.lifetime[2], found.fraction[0], a,
                      truth, fixture.maps.plane[VG_LIFETIME_FIT_DEVIANCE][0]);
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

/* Two lifetimes with fractions 0.8 to 0.2 of the short one: the reference's table. */
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
          fixture_moments (&fixture, VG_LIFETIME_FIT_LIFETIME_1, (gsize) i * BAR, BAR, &tau,
                           &tau_sd);
          g_test_message ("segments, f %.1f: %.4f +- %.4f, tau %.4f +- %.4f", share[i], f, sd, tau,
                          tau_sd);
          g_assert_cmpfloat (fabs (f - share[i]), <, 0.02);
          g_assert_cmpfloat (fabs (tau / 0.5 - 1), <, 0.03);
        }
    }
  fixture.fit.fixed[1] = FALSE;
  g_assert_true (fixture_global (&fixture, 2));
  g_assert_cmpfloat (fabs (fixture.maps.plane[VG_LIFETIME_FIT_LIFETIME_1][0] / 0.5 - 1), <, 0.005);
  g_assert_cmpfloat (fabs (fixture.maps.plane[VG_LIFETIME_FIT_LIFETIME_2][0] / 2.5 - 1), <, 0.005);
  vg_lifetime_fit_pixels (&fixture.fit, &fixture.cube, 2, &fixture.maps);
  /* No error exceeds the value or, for a fraction, that of a uniform distribution. */
  for (gsize i = 0; i < 4 * BAR; i++)
    {
      float *const *plane = fixture.maps.plane;

      g_assert_false (plane[VG_LIFETIME_FIT_ERROR_1][i] > plane[VG_LIFETIME_FIT_LIFETIME_1][i]);
      g_assert_false (plane[VG_LIFETIME_FIT_ERROR_2][i] > plane[VG_LIFETIME_FIT_LIFETIME_2][i]);
      g_assert_false (plane[VG_LIFETIME_FIT_FRACTION_ERROR][i] > 1 / sqrt (12.0));
    }
  for (int i = 0; i < 4; i++)
    {
      double f, sd;
      gsize n = fixture_moments (&fixture, VG_LIFETIME_FIT_FRACTION_1, (gsize) i * BAR, BAR, &f,
                                 &sd);

      g_test_message ("pixels, f %.1f: %.4f +- %.4f, %zu of %d", share[i], f, sd, n, BAR);
      g_assert_cmpuint (n, >=, BAR - BAR / 1000);
      if (i < 3)
        g_assert_cmpfloat (fabs (f - share[i]), <, 0.02);
      if (i < 2)
        g_assert_cmpfloat (sd, <, 1.1 * bound[i]);
    }
  fixture_clear (&fixture);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lifetime/fit/four-bars", test_four_bars);
  g_test_add_func ("/lifetime/fit/minimum", test_minimum);
  g_test_add_func ("/lifetime/fit/exact", test_exact);
  g_test_add_func ("/lifetime/fit/fractions", test_fractions);
  return g_test_run ();
}
