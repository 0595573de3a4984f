/* SPDX-License-Identifier: MIT */
#pragma once
#include "fluence-accuracy.h"
#include "fluence-fixture.h"
/* van de Hulst's slab against what is known exactly. */

static const char *const vdh_settings[] = { "layers", "van_de_hulst_slab", "dz_cm", "0.0002", "dr_cm", "0.001", "nz", "100",
                                            "nr", "100", "na", "30", NULL };

static inline void
vdh_check (FluenceFixture *run, double tolerance)
{
  g_autoptr (VgFluenceReport) report = fluence_report (run);
  double chi_r, chi_t, worst = vg_fluence_vdh_depths (report);

  fluence_expect ("Rd", fluence_number (run, "diffuse_reflectance"), VG_FLUENCE_VDH_RD,
                  fluence_number (run, "diffuse_reflectance_error"), 4);
  fluence_expect ("Tt", fluence_number (run, "transmittance"), VG_FLUENCE_VDH_TT, fluence_number (run, "transmittance_error"), 4);
  fluence_expect_balance (run);
  vg_fluence_vdh_angles (report, &chi_r, &chi_t);
  g_test_message ("chi2 per bin: reflected %.2f, transmitted %.2f", chi_r, chi_t);
  g_assert_cmpfloat (chi_r, <, 1.5);
  g_assert_cmpfloat (chi_t, <, 1.5);
  /* errors are a bound, so that it is below 1, but it is not 0 */
  g_assert_cmpfloat (chi_r, >, 0.05);
  g_assert_cmpfloat (chi_t, >, 0.05);
  g_test_message ("A(z): at most %.3f %% off", 100 * worst);
  g_assert_cmpfloat (worst, <=, tolerance);
}

/* How fast light fades deep in endless matter, per cm: the smallest k for which
 * the transport equation's Legendre moments have a solution, the root of
 * h0 - k^2 / (h1 - 4 k^2 / (h2 - 9 k^2 / (h3 - ...))), h_l = (2 l + 1) (mut - mus g^l). */
static inline double
fading (double mua, double mus, double g)
{
  double low = 0, high = mua + mus;

  high = fmin (high, 2 * sqrt (3 * mua * (mua + mus * (1 - g))));
  for (int i = 0; i < 100; i++)
    {
      double k = (low + high) / 2, rest = INFINITY;

      for (int l = 200; l >= 0; l--)
        rest = (2 * l + 1) * (mua + mus * (1 - pow (g, l))) - (isinf (rest) ? 0 : pow ((l + 1) * k, 2) / rest);
      if (rest > 0)
        low = k;
      else
        high = k;
    }
  return low;
}

/* Deep in endless tissue fluence falls as exp (-k z), whatever the surface,
 * and is as high as MCML found it with 1e6 photons; TOLERANCE of k, relative
 * of the values. */
static inline void
check_tail (const VgEngine *engine, double photons, double k_tolerance, double tolerance)
{
  static const int bins[] = { 20, 40, 100, 190 };     /* in the middle of which are 0.1025, 0.2025, 0.5025, 0.9525 cm */
  static const double known[2][4] = { { 3.701, 3.197, 1.899, 0.872 }, { 5.224, 4.445, 2.651, 1.210 } };
  static const char *const layers[] = { "1,0.1,100,0.9,1e8", "1.37,0.1,100,0.9,1e8" };
  double expected = fading (0.1, 100, 0.9);

  for (int i = 0; i < 2; i++)
    {
      const char *settings[] = { "layers", layers[i], "photons", "1000", "dz_cm", "0.005", "dr_cm", "100", "nz", "300", "nr", "1", NULL };
      FluenceFixture run = { .engine = engine };
      static const int first[] = { 0 };
      g_autoptr (VgFluenceReport) report = NULL;
      double sx = 0, sy = 0, sxx = 0, sxy = 0, slope;
      int count = 0;

      fluence_start (&run, settings, 0);
      run.engine->free (run.state);
      run.params->photons = photons;
      run.state = run.engine->prepare (&(VgContext) { .params = run.params, .devices = first, .n_devices = 1 }, NULL);
      fluence_finish (&run, 0.05);
      report = fluence_report (&run);
      for (int z = 100; z < 300; z++, count++)
        {
          double x = (z + 0.5) * 0.005, y = log (report->a_z[z]);

          sx += x, sy += y, sxx += x * x, sxy += x * y;
        }
      slope = -(count * sxy - sx * sy) / (count * sxx - sx * sx);
      g_test_message ("n %s: fading %.4f per cm, expected %.4f", i == 0 ? "1" : "1.37", slope, expected);
      g_assert_cmpfloat_with_epsilon (slope, expected, k_tolerance);
      for (int b = 0; b < 4; b++)
        {
          double value = report->a_z[bins[b]] / 0.1;

          g_test_message ("fluence at %.4f cm: %.4f, MCML %.3f", (bins[b] + 0.5) * 0.005, value, known[i][b]);
          g_assert_cmpfloat_with_epsilon (value / known[i][b], 1, tolerance);
        }
      fluence_clear (&run);
    }
}
