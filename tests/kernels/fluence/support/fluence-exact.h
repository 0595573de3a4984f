/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/fluence/files/fluence-report.h"
#include "tests/kernels/fluence/support/fluence-fixture.h"
/* van de Hulst's slab against exact values. */

/* van de Hulst's slab (albedo 0.9, depth 2, g 0.75, matched), by matrix doubling. */
#define VDH_RD 0.0973946
#define VDH_TT 0.6609577

/* By matrix doubling with 40 streams, to all digits shown: diffuse reflected
 * and transmitted light per steradian, averaged over bins of 3 degrees, and
 * the absorbed power by depth. */
static const double vdh_rd_a[30] = { 0.019674, 0.019697, 0.019743, 0.019812, 0.019901, 0.020009,
                                     0.020132, 0.020269, 0.020413, 0.020559, 0.020700, 0.020828,
                                     0.020930, 0.020993, 0.021000, 0.020933, 0.020768, 0.020478,
                                     0.020035, 0.019408, 0.018564, 0.017475, 0.016119, 0.014485,
                                     0.012580, 0.010435, 0.008104, 0.005670, 0.003246, 0.000999 };
static const double vdh_td_a[30] = { 0.750279, 0.697861, 0.612514, 0.518133, 0.430778, 0.356873,
                                     0.296893, 0.248916, 0.210543, 0.179637, 0.154493, 0.133805,
                                     0.116586, 0.102085, 0.089727, 0.079066, 0.069753, 0.061508,
                                     0.054110, 0.047380, 0.041177, 0.035392, 0.029950, 0.024805,
                                     0.019942, 0.015375, 0.011144, 0.007307, 0.003939, 0.001151 };
static const double vdh_a_z[10] = { 12.698833, 13.063578, 13.140021, 13.033550, 12.786149,
                                    12.420801, 11.949824, 11.375227, 10.681249, 9.790850 };

/* Standard error of a bin with VALUE of the light per solid angle. */
static inline double
bin_error (double value, double solid_angle, double photons)
{
  double p = value * solid_angle;

  return sqrt (p * (1.0 - p) / photons) / solid_angle;
}

/* chi^2 per bin of Rd and Tt by angle, of a report of that slab with 30 angles.  Errors are from
 * the bound that weights are at most 1, so that it is some way below 1. */
static inline void
vdh_angles (const VgFluenceReport *report, double *reflected, double *transmitted)
{
  double da = G_PI / 60.0;

  *reflected = *transmitted = 0.0;
  for (int a = 0; a < 30; a++)
    {
      double omega = 4.0 * G_PI * sin ((a + 0.5) * da) * sin (da / 2.0),
             straight = a == 0 ? exp (-2.0) / omega : 0.0;
      double r = report->rd_a[a] - vdh_rd_a[a], t = report->tt_a[a] - straight - vdh_td_a[a];

      *reflected += pow (r / bin_error (vdh_rd_a[a], omega, report->photons), 2.0) / 30.0;
      *transmitted += pow (t / bin_error (vdh_td_a[a] + straight, omega, report->photons), 2.0) /
                      30.0;
    }
}

/* The largest relative deviation of A(z) at ten depths, of 100 bins of 0.0002 cm.  It fits a
 * parabola to ten bins and compares its value in their middle, the depth of the exact values.
 * (Their mean is 0.2 % off near the surface, where A(z) is curved.) */
static inline double
vdh_depths (const VgFluenceReport *report)
{
  /* sums of squares and fourth powers of -4.5, -3.5 ... 4.5 */
  const double s2 = 82.5, s4 = 1208.625;
  double worst = 0.0;

  for (int i = 0; i < 10; i++)
    {
      double value = 0.0;

      for (int k = 0; k < 10; k++)
        value += report->a_z[10 * i + k] * (s4 - s2 * (k - 4.5) * (k - 4.5)) /
                 (10.0 * s4 - s2 * s2);
      worst = fmax (worst, fabs (value / vdh_a_z[i] - 1.0));
    }
  return worst;
}

/* Relative |difference| of A_rz from EXPECTED (nr x nz, z fastest), integrated over the volume
 * without the last bins, in which other programs include light outside the grid. */
static inline double
map_distance (const VgFluenceReport *report, const float *expected)
{
  double difference = 0.0, sum = 0.0;

  for (int r = 0; r < report->nr - 1; r++)
    for (int z = 0; z < report->nz - 1; z++)
      {
        gsize k = (gsize) r * (gsize) report->nz + (gsize) z;
        double volume = 2 * r + 1;

        difference += volume * fabs (report->a_rz[k] - (double) expected[k]);
        sum += volume * (double) expected[k];
      }
  return difference / sum;
}

static const char *const vdh_settings[] = { "layers", "van_de_hulst_slab",
                                            "dz_cm",  "0.0002",
                                            "dr_cm",  "0.001",
                                            "nz",     "100",
                                            "nr",     "100",
                                            "na",     "30",
                                            NULL };

static inline void
vdh_check (FluenceFixture *run, double tolerance)
{
  g_autoptr (VgFluenceReport) report = fluence_report (run);
  double chi_r, chi_t, worst = vdh_depths (report);

  fluence_expect ("Rd", fluence_number (run, "diffuse_reflectance"), VDH_RD,
                  fluence_number (run, "diffuse_reflectance_error"), 4);
  fluence_expect ("Tt", fluence_number (run, "transmittance"), VDH_TT,
                  fluence_number (run, "transmittance_error"), 4);
  fluence_expect_balance (run);
  vdh_angles (report, &chi_r, &chi_t);
  g_test_message ("chi2 per bin: reflected %.2f, transmitted %.2f", chi_r, chi_t);
  g_assert_cmpfloat (chi_r, <, 1.5);
  g_assert_cmpfloat (chi_t, <, 1.5);
  /* errors are upper bounds, so it is below 1; it is not 0 */
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
        rest = (2 * l + 1) * (mua + mus * (1 - pow (g, l))) -
               (isinf (rest) ? 0 : pow ((l + 1) * k, 2) / rest);
      if (rest > 0)
        low = k;
      else
        high = k;
    }
  return low;
}

/* Decay rate of A (z) over bins FIRST to LAST - 1 of 0.005 cm, per cm. */
static inline double
tail_slope (const double *a_z, int first, int last)
{
  double sx = 0, sy = 0, sxx = 0, sxy = 0, count = last - first;

  for (int z = first; z < last; z++)
    {
      double x = (z + 0.5) * 0.005, y = log (a_z[z]);

      sx += x, sy += y, sxx += x * x, sxy += x * y;
    }
  return -(count * sxy - sx * sy) / (count * sxx - sx * sx);
}

enum { TAIL_BINS = 300, TAIL_VALUES = 5 };

/* The slope, and A (z) in BINS. */
static inline void
tail_values (const double *a_z, int first, int last, const int bins[4], double *values)
{
  values[0] = tail_slope (a_z, first, last);
  for (int b = 0; b < 4; b++)
    values[1 + b] = a_z[bins[b]];
}

/* Deep in endless tissue fluence falls as exp (-k z), whatever the surface,
 * and is as high as MCML found it with 1e6 photons.  RUNS of PHOTONS each, of
 * any seeds: what the mean without one of them scatters tells its error (the
 * jackknife's), of which six are allowed, and those are to be within TOLERANCE
 * of k and of the values; with one run of many photons that alone. */
static inline void
check_tail (const VgEngine *engine, double photons, int runs, double k_tolerance, double tolerance)
{
  /* bins around 0.1025, 0.2025, 0.5025, 0.9525 cm */
  static const int bins[] = { 20, 40, 100, 190 };
  static const struct
  {
    const char *layers;
    double mua, mus, g;
    int first, last;
    double known[4];
  } media[] = {
    { "1,0.1,100,0.9,1e8", 0.1, 100, 0.9, 100, 300, { 3.701, 3.197, 1.899, 0.872 } },
    { "1.37,0.1,100,0.9,1e8", 0.1, 100, 0.9, 100, 300, { 5.224, 4.445, 2.651, 1.210 } },
    /* a tenth of the steps: many photons */
    { "1.5,0.2,9.8,0,1e8", 0.2, 9.8, 0, 100, 300, { NAN, NAN, NAN, NAN } },
  };

  for (guint i = 0; i < (runs > 1 ? G_N_ELEMENTS (media) : 2); i++)
    {
      double expected = fading (media[i].mua, media[i].mus, media[i].g), all[TAIL_BINS] = { 0 },
             values[TAIL_VALUES];
      double means[TAIL_VALUES] = { 0 }, squares[TAIL_VALUES] = { 0 };
      g_autofree double *each = g_new0 (double, (gsize) runs *TAIL_BINS);

      for (int k = 0; k < runs; k++)
        {
          g_autofree char *seed = g_strdup_printf (
              "%d", runs > 1 ? g_test_rand_int_range (1, G_MAXINT) : 1);
          const char *settings[] = {
            "layers", media[i].layers, "photons", "1000", "dz_cm", "0.005", "dr_cm", "100",
            "nz",     "300",           "nr",      "1",    "seed",  seed,    NULL
          };
          static const int first[] = { 0 };
          FluenceFixture run = { .engine = engine };
          g_autoptr (VgFluenceReport) report = NULL;

          fluence_start (&run, settings, 0);
          run.engine->free (run.state);
          run.params->photons = media[i].g == 0 ? 10 * photons : photons;
          run.state = run.engine->prepare (
              &(VgContext){ .params = run.params, .devices = first, .n_devices = 1 }, NULL);
          fluence_finish (&run, 0.05);
          report = fluence_report (&run);
          for (int z = 0; z < TAIL_BINS; z++)
            all[z] += each[k * TAIL_BINS + z] = report->a_z[z] / runs;
          fluence_clear (&run);
        }
      tail_values (all, media[i].first, media[i].last, bins, values);
      for (int k = 0; k < runs && runs > 1; k++)
        {
          double rest[TAIL_BINS], without[TAIL_VALUES];

          for (int z = 0; z < TAIL_BINS; z++)
            rest[z] = (all[z] - each[k * TAIL_BINS + z]) * runs / (runs - 1);
          tail_values (rest, media[i].first, media[i].last, bins, without);
          for (int v = 0; v < TAIL_VALUES; v++)
            {
              means[v] += without[v] / runs;
              squares[v] += without[v] * without[v] / runs;
            }
        }
      for (int v = 0; v < TAIL_VALUES; v++)
        {
          double truth = v == 0 ? expected : media[i].mua * media[i].known[v - 1],
                 most = v > 0             ? tolerance * truth
                        : media[i].g == 0 ? k_tolerance / 3
                                          : k_tolerance;
          double allowed = runs > 1
                               ? 6 * sqrt (fmax (squares[v] - means[v] * means[v], 0) * (runs - 1))
                               : most;

          if (isnan (truth))
            continue;
          if (v > 0 && runs > 1) /* MCML's errors beside ours */
            allowed = hypot (allowed, 0.01 * truth);
          g_test_message ("%s, %s: %.5f, expected %.5f, allowed %.5f of %.5f", media[i].layers,
                          v == 0 ? "fading" : "A (z)", values[v], truth, allowed, most);
          g_assert_cmpfloat (allowed, <=, most);
          g_assert_cmpfloat_with_epsilon (values[v], truth, allowed);
        }
    }
}
