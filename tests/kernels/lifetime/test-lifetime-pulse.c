/* SPDX-License-Identifier: MIT */
/* The pulse before a decay: measured and estimated IRFs, and the start of the tail. */
#include "kernels/lifetime/plan/lifetime-irf.h"
#include "tests/kernels/lifetime/support/lifetime-pulse.h"

/* An IRF of finite width, measured as scattered light and with a dye of 4 ns, in other bins than
 * the data. */
static void
test_measured_response (void)
{
  enum { BINS = 250, OWN = 500 };
  const double h = 0.05, period = 12.5, tau = 2.3, centre = 1.13, fwhm = 0.31;
  double counts[BINS], response[OWN];
  float cube[BINS];

  make_decay (counts, BINS, h, tau, centre, fwhm, period);
  put_decay (cube, 1, 0, counts, BINS);
  for (int dye = 0; dye < 2; dye++)
    {
      g_autoptr (LifetimeFixture) run = fixture (1, 1, BINS, h);
      g_autoptr (VgImage) image = NULL;
      VgInputFile file = { "irf", NULL };

      make_decay (response, OWN, period / OWN, dye ? 4.0 : 0.0, centre, fwhm, period);
      file.image = image = response_image (response, OWN, period / OWN);
      run->params->irf = g_strdup ("response");
      run->params->irf_lifetime_ns = dye ? 4.0f : 0.0f;
      run->params->method = VG_LIFETIME_PHASOR;
      lifetime_prepare_with (run, &file, 1);
      lifetime_run (run, cube);
      g_test_message ("dye %d: by phase %.5f ns", dye, first_of (run, VG_LIFETIME_OUTPUT_LIFETIME));
      g_assert_cmpfloat_with_epsilon (first_of (run, VG_LIFETIME_OUTPUT_LIFETIME), tau, 2e-3);
      run->params->phasor_form = VG_LIFETIME_BY_MODULATION;
      lifetime_update (run);
      g_assert_cmpfloat_with_epsilon (first_of (run, VG_LIFETIME_OUTPUT_LIFETIME), tau, 2e-3);
      g_assert_cmpfloat_with_epsilon (first_of (run, VG_LIFETIME_OUTPUT_PHASOR_G),
                                      1.0 / (1.0 + pow (2.0 * G_PI / period * tau, 2)), 5e-4);
      /* A shift of the IRF by d moves the centre of mass by d. */
      run->params->irf_shift_ns = 0.1f;
      lifetime_update (run);
      g_assert_cmpfloat (first_of (run, VG_LIFETIME_OUTPUT_PHASOR_S), <, 0.48);
    }
}

/* The centre of mass with an IRF, in windows that truncate the decay; the previous pulse is long
 * ago. */
static void
test_centre_of_mass_with_response (void)
{
  const double h = 0.05, centre = 1.13, fwhm = 0.2, tau = 2.3;

  for (int bins = 100; bins <= 500; bins += 200)
    {
      g_autoptr (LifetimeFixture) run = fixture (1, 1, bins, h);
      g_autoptr (VgImage) image = NULL;
      g_autofree double *counts = g_new (double, bins), *response = g_new (double, bins);
      g_autofree float *cube = g_new (float, bins);
      VgInputFile file = { "irf", NULL };

      make_decay (counts, bins, h, tau, centre, fwhm, 100.0);
      make_decay (response, bins, h, 0.0, centre, fwhm, 100.0);
      put_decay (cube, 1, 0, counts, bins);
      file.image = image = response_image (response, bins, h);
      run->params->irf = g_strdup ("response");
      for (int automatic = 0; automatic < 2; automatic++)
        {
          run->params->range = automatic ? VG_LIFETIME_RANGE_AUTO : VG_LIFETIME_RANGE_MANUAL;
          lifetime_prepare_with (run, &file, 1);
          lifetime_run (run, cube);
          g_test_message ("%d bins: %.5f ns", bins, first_of (run, VG_LIFETIME_OUTPUT_LIFETIME));
          g_assert_cmpfloat_with_epsilon (first_of (run, VG_LIFETIME_OUTPUT_LIFETIME), tau, 5e-3);
        }
    }
}

/* The position of the pulse, estimated from the data alone. */
static void
test_found_response (void)
{
  enum { BINS = 256 };
  const double h = 0.05, centre = 1.71, fwhm = 0.25;
  double counts[BINS];
  float cube[BINS];

  for (int kind = VG_LIFETIME_IRF_GAUSSIAN; kind <= VG_LIFETIME_IRF_EDGE; kind++)
    for (double tau = 0.8; tau < 4.0; tau *= 2)
      {
        g_autoptr (LifetimeFixture) run = fixture (1, 1, BINS, h);
        double lifetime;

        make_decay (counts, BINS, h, tau, centre, fwhm, 200.0);
        put_decay (cube, 1, 0, counts, BINS);
        run->params->irf_model = kind;
        /* the period of the decays: the estimate includes previous pulses */
        run->params->period_ns = 200.0f;
        run->params->irf_fwhm_ns = (float) fwhm;
        run->params->range = VG_LIFETIME_RANGE_AUTO;
        lifetime_run (run, cube);
        lifetime = first_of (run, VG_LIFETIME_OUTPUT_LIFETIME);
        g_test_message ("kind %d, %g ns: response at %.4f ns (%.4f), lifetime %.4f", kind, tau,
                        lifetime_number (run, "irf_time_ns"), centre, lifetime);
        g_assert_cmpfloat_with_epsilon (lifetime_number (run, "irf_time_ns"), centre, 0.4 * h);
        g_assert_cmpfloat_with_epsilon (lifetime, tau, 0.02 * tau + 0.2 * h);
      }
}

/* The tail begins after the pulse and ends before bins that the electronics leave empty. */
static void
test_range (void)
{
  enum { BINS = 256 };
  const double h = 0.04, tau = 2.1;
  double counts[BINS];
  float cube[BINS];
  g_autoptr (LifetimeFixture) run = fixture (1, 1, BINS, h);

  make_decay (counts, BINS, h, tau, 1.9, 0.3, 200.0);
  for (int j = 0; j < BINS; j++)
    if (j < 13 || j >= 241)
      counts[j] = 0.0;
    else if (j == 240)
      counts[j] *= 0.3;
  put_decay (cube, 1, 0, counts, BINS);
  run->params->range = VG_LIFETIME_RANGE_AUTO;
  lifetime_run (run, cube);
  g_test_message ("from %g to %g ns: %g", lifetime_number (run, "fit_start_ns"),
                  lifetime_number (run, "fit_end_ns"), first_of (run, VG_LIFETIME_OUTPUT_LIFETIME));
  g_assert_cmpfloat (lifetime_number (run, "fit_start_ns"), >, 1.9 + 0.15);
  g_assert_cmpfloat (lifetime_number (run, "fit_start_ns"), <, 1.9 + 0.8);
  g_assert_cmpfloat (lifetime_number (run, "fit_end_ns"), <=, 240 * h + 1e-6);
  g_assert_cmpfloat (lifetime_number (run, "fit_end_ns"), >, 235 * h);
  g_assert_cmpfloat_with_epsilon (first_of (run, VG_LIFETIME_OUTPUT_LIFETIME), tau, 0.01 * tau);
  /* A manual start keeps the estimated end, and a manual end is used. */
  double start = lifetime_number (run, "fit_start_ns"), end = lifetime_number (run, "fit_end_ns");
  run->params->range = VG_LIFETIME_RANGE_MANUAL;
  run->params->fit_start_ns = 3.0f;
  lifetime_update (run);
  g_assert_cmpfloat_with_epsilon (lifetime_number (run, "fit_start_ns"), 3.0, 1e-6);
  g_assert_cmpfloat_with_epsilon (lifetime_number (run, "fit_end_ns"), end, 1e-6);
  g_assert_cmpfloat_with_epsilon (first_of (run, VG_LIFETIME_OUTPUT_LIFETIME), tau, 0.01 * tau);
  run->params->fit_end_ns = 9.0f;
  lifetime_update (run);
  g_assert_cmpfloat_with_epsilon (lifetime_number (run, "fit_end_ns"), 9.0, 1e-6);
  /* the reverse */
  run->params->fit_start_ns = 0.0f;
  lifetime_update (run);
  g_assert_cmpfloat_with_epsilon (lifetime_number (run, "fit_start_ns"), start, 1e-6);
  g_assert_cmpfloat_with_epsilon (lifetime_number (run, "fit_end_ns"), 9.0, 1e-6);
  run->params->fit_start_ns = run->params->fit_end_ns = 0.0f;
  run->params->range = VG_LIFETIME_RANGE_AUTO;
  lifetime_update (run);
  /* A decay that begins in the first bin is used from there. */
  for (int j = 0; j < BINS; j++)
    counts[j] = 100.0 * exp (-j * h / tau);
  put_decay (cube, 1, 0, counts, BINS);
  lifetime_run (run, cube);
  g_assert_cmpfloat (lifetime_number (run, "fit_start_ns"), ==, 0.0);
  g_assert_cmpfloat_with_epsilon (lifetime_number (run, "fit_end_ns"), BINS * h, 1e-5);
  g_assert_cmpfloat_with_epsilon (first_of (run, VG_LIFETIME_OUTPUT_LIFETIME), tau, 1e-5 * tau);
}

/* A missing IRF, or one outside the window or longer than it, is reported, and the analysis
 * continues. */
static void
test_odd_responses (void)
{
  enum { BINS = 64 };
  double counts[BINS] = { 0.0 }, empty[BINS] = { 0.0 }, longer[4 * BINS] = { 0.0 };
  float cube[BINS];
  g_autoptr (VgImage) none = response_image (empty, BINS, 0.1);
  g_autoptr (VgImage) late = NULL;
  g_autoptr (GError) error = NULL;
  VgLifetimeCurve curve = { 0 };

  vg_lifetime_add_decay (counts, BINS, 0.1, 1e3, 2.0);
  put_decay (cube, 1, 0, counts, BINS);
  longer[3 * BINS] = 100.0;
  late = response_image (longer, 4 * BINS, 0.1);
  g_assert_false (vg_lifetime_curve_load (&curve, none, &error));
  g_assert_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT);
  for (int given = 0; given < 2; given++)
    {
      g_autoptr (LifetimeFixture) run = fixture (1, 1, BINS, 0.1);
      VgInputFile file = { "irf", late };

      run->params->irf = g_strdup ("response");
      lifetime_prepare_with (run, &file, (guint) given);
      lifetime_run (run, cube);
      g_assert_cmpfloat_with_epsilon (first_of (run, VG_LIFETIME_OUTPUT_LIFETIME), 2.0, 1e-3);
      g_assert_true (isnan (lifetime_number (run, "irf_time_ns")));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/golden/lifetime/measured-response", test_measured_response);
  g_test_add_func ("/golden/lifetime/centre-of-mass-with-response",
                   test_centre_of_mass_with_response);
  g_test_add_func ("/golden/lifetime/found-response", test_found_response);
  g_test_add_func ("/golden/lifetime/range", test_range);
  g_test_add_func ("/golden/lifetime/odd-responses", test_odd_responses);
  return g_test_run ();
}
