/* SPDX-License-Identifier: MIT */
#pragma once
#include "fluence-fixture.h"
/* van de Hulst's slab (albedo 0.9, depth 2, g 0.75, matched) by matrix
 * doubling with 40 streams, to all digits shown: diffuse reflected and
 * transmitted light per steradian, averaged over bins of 3 degrees, and the
 * absorbed power by depth. */

#define VDH_RD 0.0973946
#define VDH_TT 0.6609577

static const double vdh_rd[30] = {
  0.019674, 0.019697, 0.019743, 0.019812, 0.019901, 0.020009, 0.020132, 0.020269, 0.020413, 0.020559,
  0.020700, 0.020828, 0.020930, 0.020993, 0.021000, 0.020933, 0.020768, 0.020478, 0.020035, 0.019408,
  0.018564, 0.017475, 0.016119, 0.014485, 0.012580, 0.010435, 0.008104, 0.005670, 0.003246, 0.000999 };
static const double vdh_td[30] = {
  0.750279, 0.697861, 0.612514, 0.518133, 0.430778, 0.356873, 0.296893, 0.248916, 0.210543, 0.179637,
  0.154493, 0.133805, 0.116586, 0.102085, 0.089727, 0.079066, 0.069753, 0.061508, 0.054110, 0.047380,
  0.041177, 0.035392, 0.029950, 0.024805, 0.019942, 0.015375, 0.011144, 0.007307, 0.003939, 0.001151 };
static const double vdh_a[10] = { 12.698833, 13.063578, 13.140021, 13.033550, 12.786149,
                                  12.420801, 11.949824, 11.375227, 10.681249, 9.790850 };

static const char *const vdh_settings[] = { "layers", "van_de_hulst_slab", "dz_cm", "0.0002", "dr_cm", "0.001", "nz", "100",
                                            "nr", "100", "na", "30", NULL };

/* Standard error of a bin whose part of all light is P, over its solid angle:
 * weights are at most 1, so this is no smaller than the truth. */
static inline double
vdh_bin_error (double value, double solid_angle, double photons)
{
  double p = value * solid_angle;

  return sqrt (p * (1 - p) / photons) / solid_angle;
}

/* chi^2 per bin of both tables, at PHOTONS; errors from the weights' bound
 * make it smaller than 1, so it is also asked not to be 0. */
static inline void
vdh_check_angles (const VgFluenceReport *report)
{
  double chi_r = 0, chi_t = 0, da = G_PI / 60;

  for (int a = 0; a < 30; a++)
    {
      double omega = 4 * G_PI * sin ((a + 0.5) * da) * sin (da / 2), straight = a == 0 ? exp (-2) / omega : 0;
      double r = report->rd_a[a] - vdh_rd[a], t = report->tt_a[a] - straight - vdh_td[a];

      chi_r += pow (r / vdh_bin_error (vdh_rd[a], omega, report->photons), 2) / 30;
      chi_t += pow (t / vdh_bin_error (vdh_td[a] + straight, omega, report->photons), 2) / 30;
    }
  g_test_message ("chi2 per bin: reflected %.2f, transmitted %.2f", chi_r, chi_t);
  g_assert_cmpfloat (chi_r, <, 1.5);
  g_assert_cmpfloat (chi_t, <, 1.5);
  g_assert_cmpfloat (chi_r, >, 0.05);
  g_assert_cmpfloat (chi_t, >, 0.05);
}

/* A(z) within TOLERANCE relative: what the best parabola through ten bins has
 * in their middle, which is where the exact values are.  (Their mean is 0.2 %
 * off near the surface, where A(z) bends.) */
static inline void
vdh_check_depth (const VgFluenceReport *report, double tolerance)
{
  const double s2 = 82.5, s4 = 1208.625;   /* sums of squares and fourth powers of -4.5, -3.5 ... 4.5 */
  double worst = 0;

  for (int i = 0; i < 10; i++)
    {
      double value = 0;

      for (int k = 0; k < 10; k++)
        value += report->a_z[10 * i + k] * (s4 - s2 * (k - 4.5) * (k - 4.5)) / (10 * s4 - s2 * s2);
      g_test_message ("A at %.3f cm: %.4f, expected %.4f", 0.001 + 0.002 * i, value, vdh_a[i]);
      worst = fmax (worst, fabs (value / vdh_a[i] - 1));
    }
  g_test_message ("A(z): at most %.3f %% off", 100 * worst);
  g_assert_cmpfloat (worst, <=, tolerance);
}

static inline void
vdh_check (FluenceFixture *run, double tolerance)
{
  g_autoptr (VgFluenceReport) report = fluence_report (run);

  fluence_expect ("Rd", fluence_number (run, "diffuse_reflectance"), VDH_RD, fluence_number (run, "diffuse_reflectance_error"), 4);
  fluence_expect ("Tt", fluence_number (run, "transmittance"), VDH_TT, fluence_number (run, "transmittance_error"), 4);
  fluence_expect_balance (run);
  vdh_check_angles (report);
  vdh_check_depth (report, tolerance);
}
