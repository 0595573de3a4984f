/* SPDX-License-Identifier: MIT */
#pragma once
#include "bench/fluence/fluence-accuracy.h"
#include "tests/kernels/fluence/support/fluence-fixture.h"
/* van de Hulst's slab against exact values. */

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
  double chi_r, chi_t, worst = vg_fluence_vdh_depths (report);

  fluence_expect ("Rd", fluence_number (run, "diffuse_reflectance"), VG_FLUENCE_VDH_RD,
                  fluence_number (run, "diffuse_reflectance_error"), 4);
  fluence_expect ("Tt", fluence_number (run, "transmittance"), VG_FLUENCE_VDH_TT,
                  fluence_number (run, "transmittance_error"), 4);
  fluence_expect_balance (run);
  vg_fluence_vdh_angles (report, &chi_r, &chi_t);
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
