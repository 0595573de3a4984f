/* SPDX-License-Identifier: MIT */
/* T1 of single voxels: against independent fits, and the Cramer-Rao bound. */
#include "kernels/perfusion/model/perfusion-t1.h"
#include <math.h>
#include <string.h>

enum { DRAWS = 2000 };

static const double inversions_s[] = { 0.05, 0.15, 0.3, 0.6, 1.2, 2.5, 4 };
static const double delays_s[] = { 0.1, 0.3, 0.6, 1.2, 2.5, 5 };

/* Signals rounded to a tenth, with the least squares of scipy.optimize.least_squares 1.10 on
 * |A - B exp (-t / T1)|, or A (1 - exp (-t / T1)), from several initial values: T1, its standard
 * error, and both with the Look-Locker correction. */
static void
test_spots (void)
{
  static const struct
  {
    gboolean magnitude;
    double signal[7], t1_s, error_s, corrected_s, corrected_error_s;
  } inversion[] = {
    { FALSE,
      { -778.0, -558.7, -299.2, 76.4, 594.2, 925.4, 976.5 },
      0.8062736495550226,
      0.025698465246067122,
      0.7160074962329818,
      0.012288724835805787 },
    { TRUE,
      { 781.1, 585.6, 314.1, 53.7, 612.0, 939.4, 980.7 },
      0.815023483099969,
      0.0420630137027729,
      0.7280427251250783,
      0.020147829211536464 },
    { TRUE,
      { 514.8, 93.9, 436.1, 816.3, 975.3, 995.6, 959.6 },
      0.2574267609171656,
      0.01481170365853971,
      0.2251243042066165,
      0.008358872302058024 },
    { TRUE,
      { 861.0, 751.6, 575.0, 348.2, 8.3, 526.1, 781.6 },
      1.7562191391119109,
      0.09685946427312998,
      1.6212887456269363,
      0.028612960972748076 },
    { TRUE,
      { 488.2, 338.0, 75.2, 284.6, 699.6, 936.3, 967.5 },
      0.7172907638115936,
      0.026132408543518105,
      0.4507010477128681,
      0.00991726119072893 },
  };
  static const struct
  {
    double signal[6], t1_s, error_s;
  } saturation[] = {
    { { 122.7, 325.0, 532.6, 757.3, 969.6, 1004.8 }, 0.8085926329087281, 0.026396092577748376 },
    { { 63.4, 163.1, 306.5, 491.0, 817.4, 973.2 }, 1.7570269574003587, 0.10622574846015662 },
  };
  double error_s;

  for (guint i = 0; i < G_N_ELEMENTS (inversion); i++)
    {
      double t1_s = vg_perfusion_t1_from_recovery (VG_PERFUSION_T1_INVERSION, 7, inversions_s,
                                                   inversion[i].signal, inversion[i].magnitude,
                                                   &error_s);

      g_assert_cmpfloat_with_epsilon (t1_s, inversion[i].t1_s, 1e-5);
      g_assert_cmpfloat_with_epsilon (error_s, inversion[i].error_s, 1e-4);
      t1_s = vg_perfusion_t1_from_recovery (VG_PERFUSION_T1_LOOK_LOCKER, 7, inversions_s,
                                            inversion[i].signal, inversion[i].magnitude, &error_s);
      g_assert_cmpfloat_with_epsilon (t1_s, inversion[i].corrected_s, 1e-5);
      g_assert_cmpfloat_with_epsilon (error_s, inversion[i].corrected_error_s, 1e-4);
    }
  for (guint i = 0; i < G_N_ELEMENTS (saturation); i++)
    {
      g_assert_cmpfloat_with_epsilon (vg_perfusion_t1_from_recovery (VG_PERFUSION_T1_SATURATION, 6,
                                                                     delays_s, saturation[i].signal,
                                                                     TRUE, &error_s),
                                      saturation[i].t1_s, 1e-5);
      g_assert_cmpfloat_with_epsilon (error_s, saturation[i].error_s, 1e-4);
    }
}

/* The true signal at place I of a method for parameters A, B, T1 (T1* of Look-Locker). */
static double
signal_of (VgPerfusionT1Method method, double at, const double p[3])
{
  double e = exp (-0.005 / p[2]);

  if (method == VG_PERFUSION_T1_FLIP_ANGLES)
    return p[0] * sin (at) * (1 - e) / (1 - e * cos (at));
  if (method == VG_PERFUSION_T1_SATURATION)
    return p[0] * (1 - exp (-at / p[2]));
  return p[0] - p[1] * exp (-at / p[2]);
}

/* The Cramer-Rao bound of the standard deviation of T1 for noise of variance 1: by differences, and
 * Cramer's rule for the Fisher matrix. */
static double
bound_of (VgPerfusionT1Method method, int n, const double *at, const double p[3])
{
  gboolean two = method == VG_PERFUSION_T1_FLIP_ANGLES || method == VG_PERFUSION_T1_SATURATION;
  double f[3][3] = { { 0 } }, gradient[3] = { 0, 0, 1 }, c[3][3], det, variance = 0;

  for (int i = 0; i < n; i++)
    {
      double d[3];

      for (int k = 0; k < 3; k++)
        {
          double high[3], low[3], step = 1e-5 * MAX (p[k], 1e-3);

          memcpy (high, p, sizeof high);
          memcpy (low, p, sizeof low);
          high[k] += step;
          low[k] -= step;
          d[k] = (signal_of (method, at[i], high) - signal_of (method, at[i], low)) / (2 * step);
        }
      for (int j = 0; j < 3; j++)
        for (int k = 0; k < 3; k++)
          f[j][k] += d[j] * d[k];
    }
  if (two)
    f[1][1] = 1;
  for (int j = 0; j < 3; j++)
    for (int k = 0; k < 3; k++)
      c[j][k] = f[(j + 1) % 3][(k + 1) % 3] * f[(j + 2) % 3][(k + 2) % 3] -
                f[(j + 1) % 3][(k + 2) % 3] * f[(j + 2) % 3][(k + 1) % 3];
  det = f[0][0] * c[0][0] + f[0][1] * c[0][1] + f[0][2] * c[0][2];
  if (method == VG_PERFUSION_T1_LOOK_LOCKER)
    {
      gradient[0] = -p[2] * p[1] / (p[0] * p[0]);
      gradient[1] = p[2] / p[0];
      gradient[2] = p[1] / p[0] - 1;
    }
  for (int j = 0; j < 3; j++)
    for (int k = 0; k < 3; k++)
      variance += gradient[j] * c[j][k] / det * gradient[k];
  return sqrt (variance);
}

static double
normal (GRand *rand)
{
  return sqrt (-2 * log (1 - g_rand_double (rand))) * cos (2 * G_PI * g_rand_double (rand));
}

static double
fit (VgPerfusionT1Method method, int n, const double *at, const double *signal, gboolean magnitude,
     double *error_s)
{
  return method == VG_PERFUSION_T1_FLIP_ANGLES
             ? vg_perfusion_t1_from_angles (n, at, signal, 0.005, error_s)
             : vg_perfusion_t1_from_recovery (method, n, at, signal, magnitude, error_s);
}

/* With noise of 1 % of the largest signal, T1 has no bias and scatters as little as possible, and
 * its standard errors agree with the scatter. */
static void
test_bound (void)
{
  static const double angles_rad[] = { 0.035, 0.07, 0.105, 0.175, 0.26, 0.35, 0.5 };
  static const struct
  {
    VgPerfusionT1Method method;
    int n;
    const double *at;
    double b;
    gboolean magnitude;
  } methods[] = {
    { VG_PERFUSION_T1_FLIP_ANGLES, 7, angles_rad, 0, FALSE },
    { VG_PERFUSION_T1_INVERSION, 7, inversions_s, 1.9, FALSE },
    { VG_PERFUSION_T1_INVERSION, 7, inversions_s, 1.9, TRUE },
    { VG_PERFUSION_T1_LOOK_LOCKER, 7, inversions_s, 1.75, FALSE },
    { VG_PERFUSION_T1_LOOK_LOCKER, 7, inversions_s, 1.75, TRUE },
    { VG_PERFUSION_T1_SATURATION, 6, delays_s, 0, TRUE },
  };
  static const double t1s_s[] = { 0.3, 0.8, 1.6 };

  for (guint m = 0; m < G_N_ELEMENTS (methods); m++)
    for (guint t = 0; t < G_N_ELEMENTS (t1s_s); t++)
      {
        VgPerfusionT1Method method = methods[m].method;
        double p[3] = { 1000, 1000 * methods[m].b, t1s_s[t] }, largest = 0, sum = 0, squares = 0,
               errors = 0, expected = t1s_s[t], bound;
        int n = methods[m].n, found = 0;
        GRand *rand = g_rand_new_with_seed (17 + m * 3 + t);

        if (method == VG_PERFUSION_T1_LOOK_LOCKER)
          expected *= methods[m].b - 1;
        for (int i = 0; i < n; i++)
          largest = MAX (largest, fabs (signal_of (method, methods[m].at[i], p)));
        bound = 0.01 * largest * bound_of (method, n, methods[m].at, p);
        for (int draw = 0; draw < DRAWS; draw++)
          {
            double signal[8], error_s, t1_s;

            for (int i = 0; i < n; i++)
              {
                signal[i] = signal_of (method, methods[m].at[i], p) +
                            0.01 * largest * normal (rand);
                if (methods[m].magnitude)
                  signal[i] = fabs (signal[i]);
              }
            t1_s = fit (method, n, methods[m].at, signal, methods[m].magnitude, &error_s);
            if (!isfinite (t1_s))
              continue;
            found++;
            sum += t1_s - expected;
            squares += (t1_s - expected) * (t1_s - expected);
            errors += error_s * error_s;
          }
        sum /= found;
        g_test_message ("method %d, magnitude %d, T1 %g s: bias %.2f %%, scatter %.3f of the "
                        "bound %.2f %%, error %.3f, %d fits",
                        method, methods[m].magnitude, expected, 100 * sum / expected,
                        sqrt (squares / found - sum * sum) / bound, 100 * bound / expected,
                        sqrt (errors / found) / bound, found);
        g_assert_cmpint (found, ==, DRAWS);
        g_assert_cmpfloat (fabs (sum), <, 0.2 * bound);
        g_assert_cmpfloat (sqrt (squares / found - sum * sum), <, 1.1 * bound);
        g_assert_cmpfloat (sqrt (squares / found - sum * sum), >, 0.9 * bound);
        g_assert_cmpfloat (fabs (sqrt (errors / found) / bound - 1), <, 0.1);
        g_rand_free (rand);
      }
}

/* Magnitudes have the same T1 as signed signals wherever the zero crossing lies, also between the
 * first or the last two times. */
static void
test_signs (void)
{
  for (double t1_s = 0.03; t1_s < 5; t1_s *= 1.07)
    for (int corrected = 0; corrected < 2; corrected++)
      {
        VgPerfusionT1Method method = corrected ? VG_PERFUSION_T1_LOOK_LOCKER
                                               : VG_PERFUSION_T1_INVERSION;
        const double p[3] = { 700, 700 * 1.8, t1_s };
        double signal[7], expected = corrected ? 0.8 * t1_s : t1_s, found[2];

        for (int magnitude = 0; magnitude < 2; magnitude++)
          {
            for (int i = 0; i < 7; i++)
              {
                signal[i] = signal_of (method, inversions_s[i], p);
                if (magnitude)
                  signal[i] = fabs (signal[i]);
              }
            found[magnitude] = vg_perfusion_t1_from_recovery (method, 7, inversions_s, signal,
                                                              magnitude, NULL);
            g_assert_cmpfloat (fabs (found[magnitude] - expected), <, 1e-5 * expected);
          }
      }
}

/* Signals that cannot tell T1 have none, and nothing is read beyond them. */
static void
test_unusable (void)
{
  static const double flat[7] = { 100, 100, 100, 100, 100, 100, 100 }, zero[7] = { 0 },
                      odd[7] = { 781.1, 585.6, NAN, 53.7, 612.0, 939.4, 980.7 },
                      huge[7] = { 1e300, -1e300, 1e300, 1e300, -1e300, 1e300, 1e300 },
                      wave[7] = { 100, 900, 100, 900, 100, 900, 100 },
                      *signals[] = { flat, zero, odd, huge, wave },
                      same[7] = { 1, 1, 1, 1, 1, 1, 1 };
  static const double good[7] = { 781.1, 585.6, 314.1, 53.7, 612.0, 939.4, 980.7 };

  for (int method = VG_PERFUSION_T1_FLIP_ANGLES; method <= VG_PERFUSION_T1_SATURATION; method++)
    {
      for (guint i = 0; i < G_N_ELEMENTS (signals); i++)
        for (int magnitude = 0; magnitude < 2; magnitude++)
          {
            double t1_s = fit (method, 7, inversions_s, signals[i], magnitude, NULL);

            if (isfinite (t1_s))
              g_error ("method %d, signals %u, magnitude %d: T1 %g s", method, i, magnitude, t1_s);
          }
      g_assert_true (isnan (fit (method, 7, same, good, TRUE, NULL)));
    }
  g_assert_true (isnan (fit (VG_PERFUSION_T1_INVERSION, 3, inversions_s, good, TRUE, NULL)));
  g_assert_true (isnan (fit (VG_PERFUSION_T1_SATURATION, 2, delays_s, good, TRUE, NULL)));
  g_assert_true (isnan (fit (VG_PERFUSION_T1_INVERSION, 65, inversions_s, good, TRUE, NULL)));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/perfusion-t1/spots", test_spots);
  g_test_add_func ("/perfusion-t1/bound", test_bound);
  g_test_add_func ("/perfusion-t1/signs", test_signs);
  g_test_add_func ("/perfusion-t1/unusable", test_unusable);
  return g_test_run ();
}
