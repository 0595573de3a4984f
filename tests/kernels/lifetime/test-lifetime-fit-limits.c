/* SPDX-License-Identifier: MIT */
/* Fits without a solution, at a bound, in steps and with any number of threads, and impossible
 * fits. */
#include "tests/kernels/lifetime/support/lifetime-fit-fixture.h"
#include "tests/kernels/lifetime/support/lifetime-fixture.h"
#include "kernels/base/vg-error.h"

enum { BINS = 256 };
#define SEED 20160117u
static const Decay two = {
  2, { 0.5, 2.5 }, { 0.7, 0.3 }, .photons = 5000, .bins = BINS, .period = BINS, .h = 0.1
};

/* The fit of an image in steps gives the same bits with any number of threads, and its progress
 * never decreases. */
static void
test_steps (void)
{
  enum { N = 16411 };
  const Decay decay = two;
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
    g_assert_cmpmem (f[0].maps.plane[k], N * sizeof (float), f[1].maps.plane[k],
                     N * sizeof (float));
  g_assert_cmpfloat (f[0].maps.plane[VG_LIFETIME_FIT_STATUS][0], ==, VG_LIFETIME_FIT_OK);
  fixture_clear (&f[0]);
  fixture_clear (&f[1]);
}

/* Pixels without a solution, sample types and strides, threads, odd sizes. */
static void
test_odd (void)
{
  enum { N = 53 };
  GRand *rand = g_rand_new_with_seed (SEED);
  const Decay *model = &two;
  g_autofree guint16 *samples = g_new (guint16, (gsize) model->bins * N);
  g_autofree float *turned = g_new (float, (gsize) model->bins *N);
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
  b.cube = (VgLifetimeCube){ turned, VG_F32, 1, (gsize) model->bins, N, mask };
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
            g_assert_true (fixture_global (f, 1));
        }
      for (int k = 0; k < VG_LIFETIME_FIT_N_PLANES; k++)
        g_assert_cmpmem (a.maps.plane[k], N * sizeof (float), b.maps.plane[k], N * sizeof (float));
      g_assert_cmpfloat (a.maps.plane[VG_LIFETIME_FIT_STATUS][3], ==, VG_LIFETIME_FIT_SKIPPED);
      g_assert_cmpfloat (a.maps.plane[VG_LIFETIME_FIT_STATUS][7], ==, VG_LIFETIME_FIT_SKIPPED);
      g_assert_true (isnan (a.maps.plane[VG_LIFETIME_FIT_LIFETIME_1][3]) &&
                     isnan (a.maps.plane[VG_LIFETIME_FIT_DEVIANCE][7]));
    }
  /* A flat decay has no lifetime. */
  a.fit.terms = 1;
  vg_lifetime_fit_pixels (&a.fit, &a.cube, 1, &a.maps);
  g_assert_cmpfloat (a.maps.plane[VG_LIFETIME_FIT_STATUS][11], ==, VG_LIFETIME_FIT_FAILED);
  g_assert_true (isnan (a.maps.plane[VG_LIFETIME_FIT_LIFETIME_1][11]));
  fixture_clear (&a);
  fixture_clear (&b);
}

/* The number of pixels in which a fit of MODEL finds a decay: alone, in segments or as an image. */
static int
count_decays (const Decay *model, VgLifetimeEstimator estimator, const guint16 *samples, gsize n,
              int sharing)
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
    g_assert_true (fixture_global (&f, 2));
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
          samples[j * N + i] = (guint16) (kind == NOISE    ? fixture_poisson (rand, 3)
                                          : kind == RISING ? j + 1
                                                           : 20);
      for (guint s = 0; s < G_N_ELEMENTS (models); s++)
        for (int estimator = VG_LIFETIME_DEVIANCE; estimator <= VG_LIFETIME_NEYMAN; estimator++)
          for (int sharing = 0; sharing < (models[s].terms > 0 ? 3 : 1); sharing++)
            {
              int found = count_decays (&models[s], estimator, samples, N, sharing);

              g_test_message ("shape %u, estimator %d, kind %d, sharing %d: %d", s, estimator, kind,
                              sharing, found);
              /* Noise makes one in 40 fall. */
              g_assert_cmpint (found, <=, kind == NOISE && sharing == 0 ? N / 25 : 0);
            }
    }
  g_rand_free (rand);
}

/* A component at its bound has no lifetime; the mean of the decay remains, and the curve has both
 * components. */
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
          g_assert_true (isnan (f.maps.plane[VG_LIFETIME_FIT_LIFETIME_1][i]) ||
                         isnan (f.maps.plane[VG_LIFETIME_FIT_LIFETIME_2][i]));
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
      g_test_message ("share %.1f: mean %.4f +- %.4f of %.4f, %zu of %d without, %zu with a "
                      "component at its limit",
                      share[s], mean, sd, truth, N - n, (int) N, stuck);
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
  other = (VgLifetimeFit){ .terms = 1, .stretched = TRUE, .end = 60, .bin_width_ns = 0.1f };
  refuse (other, irf, 10, "stretched");
}

/* Two equal known lifetimes have no fraction, and settings that fix them are refused. */
static void
test_alike (void)
{
  static const struct
  {
    int method;
    gboolean know[3];
    float ns[3];
    const char *says;
  } rows[] = {
    { VG_LIFETIME_MLE_TWO, { TRUE, TRUE, FALSE }, { 2.0f, 2.0f, 5.0f }, "first and the second" },
    { VG_LIFETIME_LSM_TWO, { TRUE, TRUE, FALSE }, { 2.0f, 2.001f, 5.0f }, "first and the second" },
    { VG_LIFETIME_MLE_THREE, { TRUE, FALSE, TRUE }, { 2.0f, 2.0f, 2.0f }, "first and the third" },
    { VG_LIFETIME_MLE_TWO, { TRUE, FALSE, TRUE }, { 2.0f, 2.0f, 2.0f }, NULL },
    { VG_LIFETIME_MLE_TWO, { TRUE, TRUE, FALSE }, { 2.0f, 2.1f, 5.0f }, NULL },
    { VG_LIFETIME_MLE, { TRUE, TRUE, FALSE }, { 2.0f, 2.0f, 5.0f }, NULL },
  };
  VgLifetimeParams *params = vg_params_new (&vg_lifetime_operation.params);

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GError) error = NULL;

      params->method = rows[i].method;
      params->know_1 = rows[i].know[0];
      params->know_2 = rows[i].know[1];
      params->know_3 = rows[i].know[2];
      params->known_1_ns = rows[i].ns[0];
      params->known_2_ns = rows[i].ns[1];
      params->known_3_ns = rows[i].ns[2];
      g_assert_true (vg_lifetime_operation.validate (params, &error) == (rows[i].says == NULL));
      if (rows[i].says != NULL)
        g_assert_nonnull (strstr (error->message, rows[i].says));
    }
  vg_params_free (&vg_lifetime_operation.params, params);
}

/* A bin width that no instrument has is refused, and not taken for an unknown one. */
static void
test_bin_width (void)
{
  VgLifetimeParams *params = vg_params_new (&vg_lifetime_operation.params);
  g_autoptr (GError) error = NULL;

  for (float width = 0; width<2e4f; width = width> 0 ? width * 10 : 1e-6f)
    {
      params->bin_width_ns = width;
      g_assert_true (vg_lifetime_operation.validate (params, NULL));
    }
  params->bin_width_ns = 9e-7f;
  g_assert_false (vg_lifetime_operation.validate (params, &error));
  g_assert_nonnull (strstr (error->message, "smallest is 1e-06 ns"));
  vg_params_free (&vg_lifetime_operation.params, params);
}

/* With few photons the time constant of a stretched exponential is not determined, but its mean
 * is: mean and error exist for all exponents. */
static void
test_stretched_mean (void)
{
  enum { N = 2048 };
  const double photons[] = { 100, 1000 };

  for (int k = 0; k < 2; k++)
    {
      const Decay decay = { .terms = 0,
                            .lifetime = { 0.7 },
                            .exponent = 0.5,
                            .photons = photons[k],
                            .bins = 200,
                            .h = 0.04 };
      g_autofree guint16 *samples = g_new (guint16, 200 * N);
      GRand *rand = g_rand_new_with_seed (20261124);
      double mean, sd, error, error_sd, exponent, exponent_sd;
      FitFixture fixture;
      gsize n;

      fixture_fill (&decay, rand, samples, N, 0, N);
      g_rand_free (rand);
      fixture_start (&fixture, &decay, VG_LIFETIME_DEVIANCE, FALSE, N);
      fixture_cube (&fixture, samples, VG_U16, N);
      vg_lifetime_fit_pixels (&fixture.fit, &fixture.cube, 2, &fixture.maps);
      n = fixture_moments (&fixture, VG_LIFETIME_FIT_MEAN_AMPLITUDE, 0, N, &mean, &sd);
      fixture_moments (&fixture, VG_LIFETIME_FIT_MEAN_AMPLITUDE_ERROR, 0, N, &error, &error_sd);
      fixture_moments (&fixture, VG_LIFETIME_FIT_EXPONENT, 0, N, &exponent, &exponent_sd);
      g_test_message (
          "%g photons: %zu of %d, mean %.4f +- %.4f ns (1.4; error %.4f), exponent %.3f (0.5)",
          photons[k], n, (int) N, mean, sd, error, exponent);
      g_assert_cmpuint (n, >=, k == 0 ? N * 9 / 10 : N);
      g_assert_cmpfloat_with_epsilon (mean, 1.4, k == 0 ? 0.25 : 0.05);
      g_assert_cmpfloat_with_epsilon (error / sd, 1.0, 0.2);
      g_assert_cmpfloat_with_epsilon (exponent, 0.5, k == 0 ? 0.1 : 0.02);
      fixture_clear (&fixture);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lifetime/fit/odd", test_odd);
  g_test_add_func ("/lifetime/fit/steps", test_steps);
  g_test_add_func ("/lifetime/fit/no-decay", test_no_decay);
  g_test_add_func ("/lifetime/fit/limits", test_limits);
  g_test_add_func ("/lifetime/fit/refusals", test_refusals);
  g_test_add_func ("/lifetime/fit/alike", test_alike);
  g_test_add_func ("/lifetime/limits/bin-width", test_bin_width);
  g_test_add_func ("/lifetime/fit/stretched-mean", test_stretched_mean);
  return g_test_run ();
}
