/* SPDX-License-Identifier: MIT */
/* Global fits with a free offset converge without an offset, if the offset of half of the pixels
 * is 0; standard errors exist exactly for parameters that are determined. */
#include "tests/kernels/lifetime/support/lifetime-fit-fixture.h"

enum { BINS = 256, N = 1024, SEGMENT = 32 };

/* All pixels have a lifetime near TRUTH (of the amplitude-weighted mean), by segments and as an
 * image. */
static void
check (const Decay *decay, double truth, double within)
{
  g_autofree guint16 *samples = g_new (guint16, (gsize) BINS * N);
  GRand *rand = g_rand_new_with_seed (20261122);
  FitFixture fixture;

  fixture_fill (decay, rand, samples, N, 0, N);
  g_rand_free (rand);
  fixture_start (&fixture, decay, VG_LIFETIME_DEVIANCE, TRUE, N);
  fixture_cube (&fixture, samples, VG_U16, N);
  for (int whole = 0; whole < 2; whole++)
    {
      double mean, sd, offset, offset_sd;
      gsize n;

      if (whole)
        g_assert_true (fixture_global (&fixture, 2));
      else
        vg_lifetime_global_segments (&fixture.fit, &fixture.cube, 8 * SEGMENT, 2, &fixture.maps);
      n = fixture_moments (&fixture, VG_LIFETIME_FIT_MEAN_AMPLITUDE, 0, N, &mean, &sd);
      fixture_moments (&fixture, VG_LIFETIME_FIT_OFFSET, 0, N, &offset, &offset_sd);
      g_test_message ("%d lifetimes, %s: %zu of %d, %.4f +- %.4f ns (%.4f), offset %.4f",
                      decay->terms, whole ? "image" : "segments", n, (int) N, mean, sd, truth,
                      offset);
      g_assert_cmpuint (n, ==, N);
      g_assert_cmpfloat_with_epsilon (mean, truth, within);
      g_assert_cmpfloat (offset, <, 0.1);
    }
  fixture_clear (&fixture);
}

static void
test_offset (void)
{
  const Decay one = {
    .terms = 1, .lifetime = { 3.0 }, .fraction = { 1.0 }, .photons = 1500, .bins = BINS, .h = 0.1
  };
  const Decay two = { .terms = 2,
                      .lifetime = { 0.5, 2.5 },
                      .fraction = { 0.6, 0.4 },
                      .photons = 2000,
                      .bins = BINS,
                      .h = 0.1 };

  check (&one, 3.0, 0.03);
  check (&two, 1.3, 0.03);
}

/* Global fits by segments converge with three lifetimes for two, which are hardly
 * distinguishable, and with two lifetimes and an offset in dim pixels. */
static void
test_too_many (void)
{
  enum { MANY = 8192 };
  static const struct
  {
    int terms;
    gboolean offset;
    double photons;
  } cases[] = { { 3, FALSE, 2000 }, { 3, TRUE, 2000 }, { 2, TRUE, 60 }, { 2, FALSE, 60 } };

  for (guint k = 0; k < G_N_ELEMENTS (cases); k++)
    {
      const Decay decay = { .terms = 2,
                            .lifetime = { 0.5, 2.5 },
                            .fraction = { 0.6, 0.4 },
                            .photons = cases[k].photons,
                            .bins = BINS,
                            .h = 0.1 };
      Decay model = decay;
      g_autofree guint16 *samples = g_new (guint16, (gsize) BINS * MANY);
      GRand *rand = g_rand_new_with_seed (20261125 + k);
      double mean, sd;
      FitFixture fixture;
      gsize n;

      model.terms = cases[k].terms;
      fixture_fill (&decay, rand, samples, MANY, 0, MANY);
      g_rand_free (rand);
      fixture_start (&fixture, &model, VG_LIFETIME_DEVIANCE, cases[k].offset, MANY);
      fixture_cube (&fixture, samples, VG_U16, MANY);
      vg_lifetime_global_segments (&fixture.fit, &fixture.cube, 8 * SEGMENT, 2, &fixture.maps);
      n = fixture_moments (&fixture, VG_LIFETIME_FIT_MEAN_AMPLITUDE, 0, MANY, &mean, &sd);
      g_test_message ("%d lifetimes, offset %d: %zu of %d, %.4f +- %.4f ns (1.3)", model.terms,
                      cases[k].offset, n, (int) MANY, mean, sd);
      g_assert_cmpuint (n, >=, MANY * 95 / 100);
      fixture_clear (&fixture);
    }
}

/* For lifetimes that hardly any pixel distinguishes, no error is 0, exists without its value, or
 * exceeds it. */
static void
test_errors (void)
{
  const Decay decay = { .terms = 2,
                        .lifetime = { 1.9, 2.6 },
                        .fraction = { 0.5, 0.5 },
                        .photons = 400,
                        .bins = BINS,
                        .h = 0.1 };
  static const int errors[] = { VG_LIFETIME_FIT_ERROR_1, VG_LIFETIME_FIT_ERROR_2,
                                VG_LIFETIME_FIT_FRACTION_ERROR };
  static const int values[] = { VG_LIFETIME_FIT_LIFETIME_1, VG_LIFETIME_FIT_LIFETIME_2,
                                VG_LIFETIME_FIT_FRACTION_1 };
  g_autofree guint16 *samples = g_new (guint16, (gsize) BINS * N);
  GRand *rand = g_rand_new_with_seed (20261123);
  FitFixture fixture;

  fixture_fill (&decay, rand, samples, N, 0, N);
  g_rand_free (rand);
  for (int offset = 0; offset < 2; offset++)
    for (int shared = 0; shared < 2; shared++)
      {
        fixture_start (&fixture, &decay, VG_LIFETIME_DEVIANCE, offset, N);
        fixture_cube (&fixture, samples, VG_U16, N);
        if (shared)
          vg_lifetime_global_segments (&fixture.fit, &fixture.cube, SEGMENT, 2, &fixture.maps);
        else
          vg_lifetime_fit_pixels (&fixture.fit, &fixture.cube, 2, &fixture.maps);
        for (int k = 0; k < 3; k++)
          for (int i = 0; i < N; i++)
            {
              float error = fixture.maps.plane[errors[k]][i],
                    value = fixture.maps.plane[values[k]][i];

              if (isnan (error))
                continue;
              g_assert_cmpfloat (error, >, 0.0f);
              g_assert_false (isnan (value));
              g_assert_cmpfloat (error, <=, k < 2 ? value : 0.5f);
            }
        fixture_clear (&fixture);
      }
}

/* The scatter of three lifetimes and two fractions agrees with their standard errors. */
static void
test_three_errors (void)
{
  enum { MANY = 512 };
  static const int values[] = { VG_LIFETIME_FIT_LIFETIME_1, VG_LIFETIME_FIT_LIFETIME_2,
                                VG_LIFETIME_FIT_LIFETIME_3, VG_LIFETIME_FIT_FRACTION_1,
                                VG_LIFETIME_FIT_FRACTION_2 };
  static const int errors[] = { VG_LIFETIME_FIT_ERROR_1, VG_LIFETIME_FIT_ERROR_2,
                                VG_LIFETIME_FIT_ERROR_3, VG_LIFETIME_FIT_FRACTION_ERROR,
                                VG_LIFETIME_FIT_FRACTION_2_ERROR };
  const Decay decay = { .terms = 3,
                        .lifetime = { 0.3, 1.5, 5.0 },
                        .fraction = { 0.5, 0.3, 0.2 },
                        .photons = 1e6,
                        .bins = BINS,
                        .h = 0.1 };
  g_autofree guint16 *samples = g_new (guint16, (gsize) BINS * MANY);
  GRand *rand = g_rand_new_with_seed (20261126);
  FitFixture fixture;

  fixture_fill (&decay, rand, samples, MANY, 0, MANY);
  g_rand_free (rand);
  fixture_start (&fixture, &decay, VG_LIFETIME_DEVIANCE, FALSE, MANY);
  fixture_cube (&fixture, samples, VG_U16, MANY);
  vg_lifetime_fit_pixels (&fixture.fit, &fixture.cube, 2, &fixture.maps);
  for (int k = 0; k < 5; k++)
    {
      double mean, sd, error, spread;

      g_assert_cmpuint (fixture_moments (&fixture, values[k], 0, MANY, &mean, &sd), ==, MANY);
      g_assert_cmpuint (fixture_moments (&fixture, errors[k], 0, MANY, &error, &spread), ==, MANY);
      g_test_message ("%.4f +- %.4f, standard error %.4f", mean, sd, error);
      g_assert_cmpfloat_with_epsilon (mean, k < 3 ? decay.lifetime[k] : decay.fraction[k - 3],
                                      3.0 * sd / sqrt (MANY) + 0.2 * sd);
      g_assert_cmpfloat_with_epsilon (error / sd, 1.0, 0.15);
    }
  fixture_clear (&fixture);
}

/* The scatter of both mean lifetimes of two agrees with their standard errors, at few and at many
 * photons, with a fitted offset, and with an IRF. */
static void
test_mean_errors (void)
{
  enum { MANY = 2048 };
  static const int values[] = { VG_LIFETIME_FIT_MEAN_AMPLITUDE, VG_LIFETIME_FIT_MEAN_INTENSITY };
  static const struct
  {
    double photons, fraction;
    gboolean offset, irf;
    double within; /* largest relative difference */
  } cases[] = { { 2000, 0.8, FALSE, FALSE, 0.06 }, { 5000, 0.6, FALSE, FALSE, 0.06 },
                { 1e4, 0.6, FALSE, FALSE, 0.06 },  { 1e5, 0.6, FALSE, FALSE, 0.06 },
                { 1e5, 0.6, TRUE, FALSE, 0.06 },   { 1e5, 0.6, FALSE, TRUE, 0.06 } };
  g_autofree guint16 *samples = g_new (guint16, (gsize) BINS * MANY);
  GRand *rand = g_rand_new_with_seed (20261201);

  for (guint c = 0; c < G_N_ELEMENTS (cases); c++)
    {
      const Decay decay = { .terms = 2,
                            .lifetime = { 0.5, 2.5 },
                            .fraction = { cases[c].fraction, 1 - cases[c].fraction },
                            .offset = cases[c].offset ? 2 : 0,
                            .photons = cases[c].photons,
                            .irf = cases[c].irf,
                            .bins = BINS,
                            .period = BINS,
                            .h = 0.1 };
      FitFixture fixture;

      fixture_fill (&decay, rand, samples, MANY, 0, MANY);
      fixture_start (&fixture, &decay, VG_LIFETIME_DEVIANCE, cases[c].offset, MANY);
      fixture_cube (&fixture, samples, VG_U16, MANY);
      vg_lifetime_fit_pixels (&fixture.fit, &fixture.cube, 2, &fixture.maps);
      for (int k = 0; k < 2; k++)
        {
          const int of_error = VG_LIFETIME_FIT_MEAN_AMPLITUDE_ERROR + k;
          double mean, sd, error, spread;
          gsize n;

          fixture_moments (&fixture, values[k], 0, MANY, &mean, &sd);
          n = fixture_moments (&fixture, of_error, 0, MANY, &error, &spread);
          g_test_message ("%.0f photons, offset %d, IRF %d: %.4f +- %.4f, standard error %.4f of "
                          "%zu",
                          cases[c].photons, cases[c].offset, cases[c].irf, mean, sd, error, n);
          g_assert_cmpuint (n, >=, MANY * 99 / 100);
          g_assert_cmpfloat_with_epsilon (error / sd, 1.0, cases[c].within);
        }
      fixture_clear (&fixture);
    }
  g_rand_free (rand);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lifetime/shared/offset", test_offset);
  g_test_add_func ("/lifetime/shared/too-many", test_too_many);
  g_test_add_func ("/lifetime/shared/errors", test_errors);
  g_test_add_func ("/lifetime/shared/three-errors", test_three_errors);
  g_test_add_func ("/lifetime/shared/mean-errors", test_mean_errors);
  return g_test_run ();
}
