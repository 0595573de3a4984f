/* SPDX-License-Identifier: MIT */
/* Fits of two lifetimes with a measured or estimated IRF.  The decays are computed on a grid 64
 * times finer than the bins, independently of the program's bins and formulas. */
#include "tests/kernels/lifetime/support/lifetime-fixture.h"
#include "kernels/lifetime/plan/lifetime-irf.h"
#include <stdlib.h>

enum { BINS = 256, FINE = 64, PERIOD = 320, SIDE = 3 };
static const double h = 0.04;

typedef enum { GAUSS, GAUSS_TAIL, GAMMA } Shape;

/* Density of the pulse at T bins after the start of the window. */
static double
pulse (Shape shape, double t)
{
  double x = (t - 48.0) / 1.9, sum = 0.0;

  if (shape == GAUSS)
    return exp (-0.5 * x * x);
  if (shape == GAMMA)
    return t > 45.0 ? (t - 45.0) * (t - 45.0) * exp (-(t - 45.0) / 1.6) : 0.0;
  for (int i = 0; i < 400; i++) /* followed by a tail of 3 bins */
    {
      double back = 0.05 * (i + 0.5), y = (t - 48.0 - back) / 1.9;

      sum += exp (-0.5 * y * y - back / 3.0);
    }
  return sum;
}

/* Expected photons of a decay with amplitude fraction SHARE of TAU_1 ns and the rest of TAU_2
 * behind the pulse; SHARE above 1: the pulse alone. */
static void
make (Shape shape, double share, double tau_1, double tau_2, double photons, double background,
      double *counts)
{
  const double tau[] = { tau_1, tau_2 }, part[] = { share, 1.0 - share };
  g_autofree double *density = g_new0 (double, PERIOD *FINE);
  double total = 0.0;

  for (int i = 0; i < PERIOD * FINE; i++)
    density[i] = i < 120 * FINE ? pulse (shape, (i + 0.5) / FINE) : 0.0;
  memset (counts, 0, sizeof *counts * BINS);
  for (int k = 0; k < 2; k++)
    {
      double q = exp (-h / FINE / tau[k]), c = 0.0;

      for (int turn = 0; turn < 8 && share <= 1.0; turn++) /* previous pulses */
        for (int i = 0; i < PERIOD * FINE; i++)
          {
            double before = c;

            c = q * c + density[i];
            if (turn == 7 && i < BINS * FINE)
              /* half a step of the fine grid */
              counts[i / FINE] += part[k] * 0.5 * (c + before);
          }
      for (int i = 0; i < BINS * FINE && share > 1.0 && k == 0; i++)
        counts[i / FINE] += density[i];
    }
  for (int j = 0; j < BINS; j++)
    total += counts[j];
  for (int j = 0; j < BINS; j++)
    counts[j] = counts[j] * photons / total + background;
}

/* Mean and variance of a pulse in bins. */
static void
moments (const double *bins, double *mean, double *variance)
{
  double sum = 0.0, first = 0.0, second = 0.0;

  for (int j = 0; j < BINS; j++)
    {
      sum += bins[j];
      first += bins[j] * (j + 0.5);
      second += bins[j] * (j + 0.5) * (j + 0.5);
    }
  *mean = first / sum;
  *variance = second / sum - *mean * *mean;
}

/* The pulse is recovered without noise and with that of 2 million photons. */
static void
test_estimate (void)
{
  double counts[BINS], truth[BINS], found[BINS], mean[2], variance[2];

  for (int shape = GAUSS; shape <= GAMMA; shape++)
    for (int noise = 0; noise < 2; noise++)
      {
        VgLifetimePulse estimate;

        make (shape, 0.7, 0.45, 2.4, 2e6, 300.0, counts);
        for (int j = 0; j < BINS && noise; j++)
          counts[j] = vg_lifetime_poisson (counts[j], 77u * (guint64) j + 5);
        make (shape, 2.0, 1.0, 1.0, 1.0, 0.0, truth);
        g_assert_true (vg_lifetime_pulse_estimate (&estimate, counts, BINS, PERIOD));
        vg_lifetime_pulse_bins (&estimate, 0.0, BINS, found);
        moments (truth, &mean[0], &variance[0]);
        moments (found, &mean[1], &variance[1]);
        g_test_message ("shape %d, noise %d: mean %.3f (%.3f), width %.3f (%.3f); centre %.2f "
                        "sigma %.2f tail %.2f",
                        shape, noise, mean[1], mean[0], sqrt (variance[1]), sqrt (variance[0]),
                        estimate.centre, estimate.sigma, estimate.tail);
        /* The estimate cannot have this shape. */
        g_assert_cmpfloat_with_epsilon (mean[1], mean[0], shape == GAMMA ? 0.6 : 0.1);
        g_assert_cmpfloat_with_epsilon (sqrt (variance[1]), sqrt (variance[0]),
                                        shape == GAMMA ? 0.9 : 0.15);
      }
  for (int j = 0; j < BINS; j++)
    counts[j] = 1000.0 * exp (-j * h / 2.0);
  /* no pulse onset */
  g_assert_false (vg_lifetime_pulse_estimate (&(VgLifetimePulse){ 0 }, counts, BINS, PERIOD));
  memset (counts, 0, sizeof counts);
  g_assert_false (vg_lifetime_pulse_estimate (&(VgLifetimePulse){ 0 }, counts, BINS, PERIOD));
}

static VgImage *
response_image (const double *counts)
{
  VgImage *image = vg_image_new (&(VgImageInfo){ .type = VG_F32,
                                                 .width = 1,
                                                 .height = 1,
                                                 .channels = 1,
                                                 .bins = BINS,
                                                 .slices = 1,
                                                 .frames = 1,
                                                 .bin_width_ns = h },
                                 "response", NULL);

  for (int j = 0; j < BINS; j++)
    ((float *) image->data)[j] = (float) counts[j];
  return image;
}

/* Two lifetimes with an IRF that is measured or estimated from the decay; no noise. */
static void
test_fits (gconstpointer data)
{
  gboolean measured = GPOINTER_TO_INT (data);
  g_autofree float *cube = g_new (float, SIDE *SIDE *BINS);
  double counts[BINS], response[BINS];

  for (int shape = GAUSS; shape <= GAMMA; shape++)
    {
      LifetimeFixture run;
      VgInputFile file = { "irf", NULL };
      g_autoptr (VgImage) image = NULL;
      g_autofree float *share = NULL, *first = NULL, *second = NULL;
      double a, b, c;

      lifetime_init (&run, VG_F32, SIDE, SIDE, BINS, h);
      make (shape, 0.7, 0.45, 2.4, 200000.0, 30.0, counts);
      make (shape, 2.0, 1.0, 1.0, 1e6, 0.0, response);
      for (int j = 0; j < BINS; j++)
        for (int i = 0; i < SIDE * SIDE; i++)
          cube[j * SIDE * SIDE + i] = (float) counts[j];
      run.params->method = VG_LIFETIME_MLE_TWO;
      run.params->offset = VG_LIFETIME_OFFSET_FITTED;
      run.params->period_ns = (float) (PERIOD * h);
      run.params->range = VG_LIFETIME_RANGE_AUTO;
      run.params->irf_model = VG_LIFETIME_IRF_ESTIMATED;
      file.image = image = response_image (response);
      if (measured)
        run.params->irf = g_strdup ("response");
      lifetime_prepare_with (&run, &file, measured ? 1 : 0);
      lifetime_run (&run, cube);
      first = lifetime_map_of (&run, VG_LIFETIME_OUTPUT_LIFETIME_1, NULL);
      second = lifetime_map_of (&run, VG_LIFETIME_OUTPUT_LIFETIME_2, NULL);
      share = lifetime_map_of (&run, VG_LIFETIME_OUTPUT_FRACTION, NULL);
      a = lifetime_statistics (first, SIDE, SIDE, 0, SIDE).median;
      b = lifetime_statistics (second, SIDE, SIDE, 0, SIDE).median;
      c = lifetime_statistics (share, SIDE, SIDE, 0, SIDE).median;
      g_test_message ("shape %d: %.4f ns (0.45), %.4f ns (2.4), share %.4f (0.7)", shape, a, b, c);
      /* The remaining error is that of the bins, as wide as half the pulse's sigma; a shift of
       * half a bin would give 0.56 and 2.75 ns. */
      g_assert_cmpfloat_with_epsilon (a, 0.45, measured ? 0.009 : 0.045);
      g_assert_cmpfloat_with_epsilon (b, 2.4, measured && shape != GAMMA ? 0.04 : 0.1);
      g_assert_cmpfloat_with_epsilon (c, 0.7, measured ? 0.01 : 0.03);
      lifetime_clear (&run);
    }
}

/* The IRF of a dye whose pulse lies at either end of the window: nothing far from the pulse,
 * where there is only noise, remains. */
static void
test_dye_at_the_edge (void)
{
  static const int peaks[] = { 0, 1, 3, BINS / 2 };

  for (guint k = 0; k < G_N_ELEMENTS (peaks); k++)
    {
      const double tau = 4.0, r = exp (-h / tau);
      VgLifetimeParams params = { .irf_kind = VG_LIFETIME_IRF_MEASURED,
                                  .irf_lifetime_ns = (float) tau,
                                  .period_ns = 1000.0f };
      double counts[BINS] = { 0.0 }, mean = 0.0, far = 0.0, c = 0.0;
      VgLifetimeCurve measured = { .n = BINS, .h = h, .counts = counts };
      g_autofree double *irf = NULL;

      for (int j = 0; j < BINS; j++)
        {
          double x = (j - peaks[k]) / 1.5;

          c = r * c + 1e4 * exp (-0.5 * x * x);
          counts[j] = vg_lifetime_poisson (c, 17u * (guint64) j + k);
        }
      irf = vg_lifetime_irf_new (&params, counts, BINS, h, &measured, NULL, &mean);
      g_assert_nonnull (irf);
      for (int j = 0; j < BINS; j++)
        far += abs (j - peaks[k]) > 10 ? irf[j] : 0.0;
      g_test_message ("pulse in bin %d: %.4f of the response is beyond 10 bins, mean %.2f",
                      peaks[k], far, mean);
      g_assert_cmpfloat (far, <, 1e-3);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/golden/lifetime/irf/estimate", test_estimate);
  g_test_add_func ("/golden/lifetime/irf/dye-at-the-edge", test_dye_at_the_edge);
  g_test_add_data_func ("/golden/lifetime/irf/fits-measured", GINT_TO_POINTER (TRUE), test_fits);
  g_test_add_data_func ("/golden/lifetime/irf/fits-estimated", GINT_TO_POINTER (FALSE), test_fits);
  return g_test_run ();
}
