/* SPDX-License-Identifier: MIT */
/* Measured IRFs with dark counts, and with a shift against the data: decays behind a Gaussian
 * pulse, computed on a grid 32 times finer than the bins, with photon noise. */
#include "tests/kernels/lifetime/support/lifetime-fixture.h"

enum { BINS = 256, FINE = 32, PERIOD = 320, SIDE = 4 };
static const double h = 12.5 / PERIOD, sigma = 0.1;

/* Expected photons of fraction SHARE with TAU_1 and the rest with TAU_2, behind a pulse at CENTRE
 * (ns); TAU_1 0: the pulse. */
static void
make (double centre, double share, double tau_1, double tau_2, double photons, double *counts)
{
  const double tau[] = { tau_1, tau_2 }, part[] = { share, 1.0 - share }, step = h / FINE;
  double total = 0.0;

  memset (counts, 0, sizeof *counts * BINS);
  for (int k = 0; k < 2; k++)
    {
      double q = tau_1 > 0.0 ? exp (-step / tau[k]) : 0.0, c = 0.0;

      for (int i = -8 * PERIOD * FINE; i < BINS * FINE; i++) /* eight previous pulses */
        {
          double x = (fmod ((i + 0.5) * step + 8.0 * 12.5, 12.5) - centre) / sigma,
                 pulse = fabs (x) < 12.0 ? exp (-0.5 * x * x) : 0.0, last = c;

          c = q * c + pulse;
          if (i >= 0)
            counts[i / FINE] += part[k] * (tau_1 > 0.0 ? 0.5 * (c + last) : pulse);
        }
    }
  for (int j = 0; j < BINS; j++)
    total += counts[j];
  for (int j = 0; j < BINS; j++)
    counts[j] *= photons / total;
}

static void
add_noise (double *counts, guint64 seed)
{
  for (int j = 0; j < BINS; j++)
    counts[j] = vg_lifetime_poisson (counts[j], 7919u * (guint64) j + seed);
}

/* Starts an analysis of pixels with COUNTS each, and RESPONSE as the file of the IRF. */
static void
start (LifetimeFixture *run, VgLifetimeMethod method)
{
  lifetime_init (run, VG_F32, SIDE, SIDE, BINS, h);
  run->params->method = method;
  run->params->range = VG_LIFETIME_RANGE_AUTO;
  run->params->period_ns = 12.5f;
  run->params->irf = g_strdup ("response");
}

static void
compute (LifetimeFixture *run, const double *counts, const double *response)
{
  g_autoptr (VgImage) image = vg_image_new (&(VgImageInfo){ .type = VG_F32,
                                                            .width = 1,
                                                            .height = 1,
                                                            .channels = 1,
                                                            .bins = BINS,
                                                            .slices = 1,
                                                            .frames = 1,
                                                            .bin_width_ns = h },
                                            "response", NULL);
  VgInputFile file = { "irf", image };
  g_autofree float *cube = g_new (float, SIDE *SIDE *BINS);

  for (int j = 0; j < BINS; j++)
    ((float *) image->data)[j] = (float) response[j];
  for (int i = 0; i < SIDE * SIDE * BINS; i++)
    cube[i] = (float) (counts[i / (SIDE * SIDE)] / (SIDE * SIDE));
  lifetime_prepare_with (run, &file, 1);
  lifetime_run (run, cube);
}

static double
median (LifetimeFixture *run, guint which)
{
  g_autofree float *map = lifetime_map_of (run, which, NULL);

  return lifetime_statistics (map, SIDE, SIDE, 0, SIDE).median;
}

/* Dark counts of a tenth of a per cent in each bin of an IRF move its mean, and the centre of
 * mass, far; trimmed, the IRF is as good as one without. */
static void
test_cut (void)
{
  double counts[BINS], response[BINS], peak = 0.0, found[2];

  make (2.0, 1.0, 2.3, 1.0, 1e6, counts);
  make (2.0, 1.0, 0.0, 1.0, 1e6, response);
  for (int j = 0; j < BINS; j++)
    peak = MAX (peak, response[j]);
  for (int j = 0; j < BINS; j++)
    response[j] += 1e-3 * peak;
  add_noise (counts, 1);
  add_noise (response, 2);
  for (int cut = 0; cut < 2; cut++)
    {
      LifetimeFixture run;

      start (&run, VG_LIFETIME_CMM);
      run.params->irf_cut = cut ? 1.0f : 0.0f;
      compute (&run, counts, response);
      found[cut] = median (&run, VG_LIFETIME_OUTPUT_LIFETIME);
      lifetime_clear (&run);
    }
  g_test_message ("2.3 ns: %.4f ns with the dark counts, %.4f ns without", found[0], found[1]);
  g_assert_cmpfloat (fabs (found[0] - 2.3), >, 0.1);
  /* Photons from the previous pulse are background to it. */
  g_assert_cmpfloat_with_epsilon (found[1], 2.3, 0.03);
}

/* The shift of an IRF against the data is found within a quarter of a bin, for every method. */
static void
test_fitted (void)
{
  static const struct
  {
    VgLifetimeMethod method;
    double tau_1, tau_2, share, shift, dye, background;
  } cases[] = { { VG_LIFETIME_MLE_TWO, 0.4, 2.5, 0.7, 0.4137, 0.0 },
                { VG_LIFETIME_MLE_TWO, 0.4, 2.5, 0.7, -0.3 + 0.0098, 0.0 },
                { VG_LIFETIME_LSM_TWO, 0.4, 2.5, 0.7, 0.0195, 0.0 },
                { VG_LIFETIME_MLE, 2.3, 1.0, 1.0, 0.0, 0.0 },
                { VG_LIFETIME_MLE, 2.3, 1.0, 1.0, 1.25, 0.0 },
                { VG_LIFETIME_MLE, 2.3, 1.0, 1.0, -0.1111, 4.0 },
                { VG_LIFETIME_CMM, 2.3, 1.0, 1.0, 0.2049, 0.0 },
                { VG_LIFETIME_PHASOR, 2.3, 1.0, 1.0, -0.2, 0.0 },
                { VG_LIFETIME_PHASOR, 2.3, 1.0, 1.0, -0.2, 4.0 },
                /* more lifetimes than the decay has */
                { VG_LIFETIME_MLE_TWO, 2.3, 1.0, 1.0, 0.0, 0.0 },
                { VG_LIFETIME_MLE_TWO, 2.3, 1.0, 1.0, 0.31, 0.0 },
                { VG_LIFETIME_MLE_THREE, 2.3, 1.0, 1.0, 0.0, 0.0 },
                { VG_LIFETIME_MLE_THREE, 0.4, 2.5, 0.7, -0.1, 0.0 },
                /* a foot of 1.6, 6.8 and 20 % of the peak */
                { VG_LIFETIME_MLE, 2.6, 1.0, 1.0, 0.1, 0.0 },
                { VG_LIFETIME_MLE, 4.0, 1.0, 1.0, -0.1, 0.0 },
                { VG_LIFETIME_CMM, 4.0, 1.0, 1.0, 0.0, 0.0 },
                { VG_LIFETIME_MLE_TWO, 0.4, 2.5, 0.7, 0.1, 0.0, 0.2 } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      double counts[BINS], response[BINS],
          peak = 0.0,
          mean = cases[i].share * cases[i].tau_1 + (1.0 - cases[i].share) * cases[i].tau_2, found,
          lifetime;
      LifetimeFixture run;

      make (1.7 + cases[i].shift, cases[i].share, cases[i].tau_1, cases[i].tau_2, 1e6, counts);
      make (1.7, 1.0, cases[i].dye, 1.0, 1e6, response);
      for (int j = 0; j < BINS; j++)
        peak = MAX (peak, counts[j]);
      for (int j = 0; j < BINS; j++)
        counts[j] += cases[i].background * peak;
      add_noise (counts, 10 + i);
      add_noise (response, 50 + i);
      start (&run, cases[i].method);
      run.params->irf_shift_by = VG_LIFETIME_SHIFT_FITTED;
      run.params->irf_lifetime_ns = (float) cases[i].dye;
      run.params->weights = VG_LIFETIME_WEIGHTS_MODEL;
      run.params->offset = cases[i].background > 0.0 ? VG_LIFETIME_OFFSET_FITTED
                                                     : VG_LIFETIME_OFFSET_GIVEN;
      compute (&run, counts, response);
      found = lifetime_number (&run, "irf_shift_ns");
      lifetime = median (&run, VG_LIFETIME_OUTPUT_LIFETIME);
      g_test_message ("%s: shift %.4f ns (%.4f), %.4f ns (%.4f)",
                      vg_lifetime_operation.params.items[0].choices[cases[i].method], found,
                      cases[i].shift, lifetime, mean);
      g_assert_cmpfloat_with_epsilon (found, cases[i].shift, 0.01);
      /* Its lifetime needs a window as long as the period. */
      if (cases[i].method != VG_LIFETIME_PHASOR)
        g_assert_cmpfloat_with_epsilon (lifetime, mean, 0.03 * mean);
      /* The same value, set by the user, gives the same result. */
      run.params->irf_shift_by = VG_LIFETIME_SHIFT_BY_HAND;
      run.params->irf_shift_ns = (float) found;
      lifetime_update (&run);
      g_assert_cmpfloat_with_epsilon (median (&run, VG_LIFETIME_OUTPUT_LIFETIME), lifetime, 1e-6);
      g_assert_true (isnan (lifetime_number (&run, "irf_shift_ns")));
      lifetime_clear (&run);
    }
}

/* Whether the metric says that the IRF does not fit. */
static gboolean
is_noted (LifetimeFixture *run)
{
  g_autoptr (VgMetrics) numbers = vg_metrics_new ();
  const VgMetric *number;

  run->engine->results (run->state, numbers, NULL);
  number = vg_metrics_find (numbers, "irf_misfit");
  g_assert_nonnull (number);
  g_test_message ("misfit %.3f %%: %s", number->value,
                  number->advice != NULL ? number->advice : "no note");
  return number->advice != NULL;
}

/* Every method that uses the IRF reports one that does not fit, with any number of lifetimes, and
 * does not report one that fits. */
static void
test_misfit (void)
{
  static const VgLifetimeMethod methods[] = { VG_LIFETIME_CMM,     VG_LIFETIME_PHASOR,
                                              VG_LIFETIME_MLE,     VG_LIFETIME_MLE_TWO,
                                              VG_LIFETIME_LSM_TWO, VG_LIFETIME_MLE_THREE };

  for (guint i = 0; i < G_N_ELEMENTS (methods); i++)
    for (int few = 0; few < 2; few++)
      {
        double counts[BINS], more[BINS], response[BINS];
        LifetimeFixture run;

        /* four lifetimes, as in an image of different structures */
        make (1.7, 0.7, 0.4, 2.5, few ? 5e3 : 1e6, counts);
        make (1.7, 0.5, 1.5, 3.5, few ? 5e3 : 1e6, more);
        for (int j = 0; j < BINS; j++)
          counts[j] += more[j];
        add_noise (counts, 3 + 10 * i);
        make (1.7, 1.0, 0.0, 1.0, 1e6, response);
        start (&run, methods[i]);
        compute (&run, counts, response);
        g_assert_false (is_noted (&run));
        run.params->irf_shift_ns = -0.15f;
        lifetime_update (&run);
        g_assert_true (is_noted (&run));
        run.params->irf_shift_ns = 0.0f;
        run.params->irf_kind = run.params->irf_model = VG_LIFETIME_IRF_GAUSSIAN;
        run.params->irf_fwhm_ns = 0.8f;
        g_clear_pointer (&run.params->irf, g_free);
        compute (&run, counts, response);
        g_assert_true (is_noted (&run));
        run.params->irf_fwhm_ns = (float) (sigma * 2.3548);
        lifetime_update (&run);
        g_assert_false (is_noted (&run));
        lifetime_clear (&run);
      }
}

/* The same with any amount of background or of photons from previous pulses, where two lifetimes
 * could hide the shift. */
static void
test_misfit_foot (void)
{
  static const double tau[] = { 2.3, 2.6, 4.0, 2.3 }, background[] = { 0.0, 0.0, 0.0, 0.05 };

  for (guint i = 0; i < G_N_ELEMENTS (tau); i++)
    {
      double counts[BINS], response[BINS], peak = 0.0;
      LifetimeFixture run;

      make (1.7, 1.0, tau[i], 1.0, 1e6, counts);
      make (1.7, 1.0, 0.0, 1.0, 1e6, response);
      for (int j = 0; j < BINS; j++)
        peak = MAX (peak, counts[j]);
      for (int j = 0; j < BINS; j++)
        counts[j] += background[i] * peak;
      add_noise (counts, 90 + i);
      start (&run, VG_LIFETIME_MLE_TWO);
      compute (&run, counts, response);
      g_assert_false (is_noted (&run));
      run.params->irf_shift_ns = 0.15f;
      lifetime_update (&run);
      g_assert_true (is_noted (&run));
      lifetime_clear (&run);
    }
}

/* Data without a pulse onset do not show whether an IRF fits, so there is no metric. */
static void
test_misfit_none (void)
{
  double counts[BINS], response[BINS];
  LifetimeFixture run;

  make (1.7, 1.0, 0.0, 1.0, 1e6, response);
  for (int j = 0; j < BINS; j++)
    counts[j] = 1e4 * exp (-j * h / 2.3);
  start (&run, VG_LIFETIME_MLE);
  compute (&run, counts, response);
  g_assert_true (isnan (lifetime_number (&run, "irf_misfit")));
  g_assert_false (is_noted (&run));
  lifetime_clear (&run);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/golden/lifetime/shift/cut", test_cut);
  g_test_add_func ("/golden/lifetime/shift/fitted", test_fitted);
  g_test_add_func ("/golden/lifetime/shift/misfit", test_misfit);
  g_test_add_func ("/golden/lifetime/shift/misfit-foot", test_misfit_foot);
  g_test_add_func ("/golden/lifetime/shift/misfit-none", test_misfit_none);
  return g_test_run ();
}
