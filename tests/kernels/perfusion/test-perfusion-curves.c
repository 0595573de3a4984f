/* SPDX-License-Identifier: MIT */
/* The curves of a fit: exact at any delay on any grid, with their derivatives, and their
 * products. */
#include "tests/kernels/perfusion/support/perfusion-fixture.h"
#include "kernels/perfusion/fit/perfusion-fit-private.h"
#include "kernels/perfusion/model/perfusion-varpro.h"
#include <float.h>

/* The input between its samples. */
static double
input_at (int n, const double *times, const double *input, double t)
{
  int j = 0;

  if (t < times[0])
    return 0;
  if (t >= times[n - 1])
    return input[n - 1];
  while (times[j + 1] <= t)
    j++;
  return input[j] + (input[j + 1] - input[j]) * (t - times[j]) / (times[j + 1] - times[j]);
}

enum { PARTS = 128 }; /* parts of a linear piece */

/* The convolution by Simpson's rule within each linear piece. */
static double
integrate (int n, const double *times, const double *input, double k, double end)
{
  double sum = 0;

  for (int j = 0; j < n && times[j] < end; j++)
    {
      double from = times[j], to = j + 1 < n ? MIN (times[j + 1], end) : end,
             h = (to - from) / PARTS;

      for (int i = 0; i < PARTS; i++)
        {
          double a = from + i * h, b = a + h / 2, c = a + h;
          /* the limit from the left at a sample, where the piece ends */
          double fc = i == PARTS - 1 ? input_at (n, times, input, to - 1e-12 * (1 + fabs (to)))
                                     : input_at (n, times, input, c);

          sum += h / 6 *
                 (input_at (n, times, input, a) * exp (-k * (end - a)) +
                  4 * input_at (n, times, input, b) * exp (-k * (end - b)) +
                  fc * exp (-k * (end - c)));
        }
    }
  return sum;
}

/* The error bound of that integral and of a recursion in double precision, for an input between 0
 * and 1 whose longest piece is LONGEST.  Simpson's remainder is h^4 / 2880 times the fourth
 * derivative of f e^(-k (t - s)), which is at most k^4 + 4 k^3 f' times the exponential, whose
 * integral is 1 / k; plus a rounding error for each term of a sum of size LARGEST. */
static double
integral_error (int n, double longest, double k, double largest)
{
  double h = longest / PARTS;

  return pow (h, 4) / 2880 * (pow (k, 3) + 4 * k * k / longest) +
         3. * n * PARTS * DBL_EPSILON * (1 + largest);
}

static void
test_curves (void)
{
  enum { N = 40 };
  VgPerfusionBounds bounds = vg_perfusion_bounds_default ();

  bounds.delay_min = -5;
  bounds.delay_max = 20;
  for (int trial = 0; trial < 40; trial++)
    {
      double times[N], input[N], value[N], by_k[N], by_delay[N], up[N], down[N],
          worst = 0, worst_slope = 0, longest = 2.5, largest = 0;
      double k = exp (g_test_rand_double_range (log (1e-4), log (0.5))),
             delay = g_test_rand_double_range (-5, 20), h = 1e-6;

      for (int i = 0; i < N; i++)
        {
          times[i] = i == 0      ? 0
                     : trial % 2 ? times[i - 1] + g_test_rand_double_range (0.5, 5)
                                 : i * 2.5;
          input[i] = g_test_rand_double_range (0, 1);
          longest = MAX (longest, i > 0 ? times[i] - times[i - 1] : 0);
        }
      g_autoptr (VgPerfusionProblem) problem = vg_perfusion_problem_new (
          VG_PERFUSION_COMPARTMENT, N, times, input, NULL, NULL, &bounds);
      g_assert_cmpint (problem->even, ==, trial % 2 == 0);
      vg_perfusion_curve (problem, problem->artery, VG_PERFUSION_EXPONENTIAL, k, delay, value, by_k,
                          by_delay);
      for (int i = 0; i < N; i++)
        {
          worst = MAX (worst, fabs (value[i] - integrate (N, times, input, k, times[i] - delay)));
          largest = MAX (largest, value[i]);
        }
      vg_perfusion_curve (problem, problem->artery, VG_PERFUSION_EXPONENTIAL, k * (1 + h), delay,
                          up, NULL, NULL);
      vg_perfusion_curve (problem, problem->artery, VG_PERFUSION_EXPONENTIAL, k * (1 - h), delay,
                          down, NULL, NULL);
      for (int i = 0; i < N; i++)
        worst_slope = MAX (worst_slope, fabs (k * by_k[i] - (up[i] - down[i]) / (2 * h)));
      vg_perfusion_curve (problem, problem->artery, VG_PERFUSION_EXPONENTIAL, k, delay + h, up,
                          NULL, NULL);
      vg_perfusion_curve (problem, problem->artery, VG_PERFUSION_EXPONENTIAL, k, delay - h, down,
                          NULL, NULL);
      for (int i = 0; i < N; i++)
        worst_slope = MAX (worst_slope, fabs (by_delay[i] - (up[i] - down[i]) / (2 * h)));
      g_test_message ("k %g, delay %g: curve %g of %g, slopes %g", k, delay, worst,
                      integral_error (N, longest, k, largest), worst_slope);
      g_assert_cmpfloat (worst, <, integral_error (N, longest, k, largest));
      g_assert_cmpfloat (worst_slope, <, 1e-5);
    }
}

/* The products of a batch on an uneven grid are those of its curves. */
static void
test_uneven_products (void)
{
  enum { N = 37, L = VG_PERFUSION_LANES };
  VgPerfusionBounds bounds = vg_perfusion_bounds_default ();

  bounds.delay_min = -20;
  bounds.delay_max = 60;
  for (int trial = 0; trial < 20; trial++)
    {
      double times[N], artery[N], portal[N], weights[N], curves[N * L], a[3][N], p[3][N],
          products[VG_PERFUSION_PRODUCTS * L];
      VgPerfusionStart at;

      for (int i = 0; i < N; i++)
        {
          times[i] = i == 0 ? 3 : times[i - 1] + g_test_rand_double_range (0.2, 4);
          artery[i] = g_test_rand_double_range (0, 2);
          portal[i] = g_test_rand_double_range (0, 1);
          weights[i] = i % 7 == 3 ? 0 : g_test_rand_double_range (0.5, 2);
          for (int l = 0; l < L; l++)
            curves[i * L + l] = g_test_rand_double_range (-1, 1);
        }
      for (int l = 0; l < L; l++)
        {
          at.k[l] = exp (g_test_rand_double_range (log (1e-4), log (0.5)));
          at.ta[l] = l == 0 ? 0 : l == 1 ? times[4] - times[2] : g_test_rand_double_range (-20, 60);
          at.tp[l] = g_test_rand_double_range (-20, 60);
        }
      g_autoptr (VgPerfusionProblem) problem = vg_perfusion_problem_new (
          VG_PERFUSION_COMPARTMENT, N, times, artery, portal, weights, &bounds);
      g_autofree double *scratch = g_new (double, vg_perfusion_products_scratch (problem));
      vg_perfusion_products (problem, curves, &at, scratch, products);
      for (int l = 0; l < L; l++)
        {
          double expected[VG_PERFUSION_PRODUCTS] = { 0 }, sizes[VG_PERFUSION_PRODUCTS] = { 0 };

          vg_perfusion_curve (problem, problem->artery, VG_PERFUSION_EXPONENTIAL, at.k[l], at.ta[l],
                              a[0], a[1], a[2]);
          vg_perfusion_curve (problem, problem->portal, VG_PERFUSION_EXPONENTIAL, at.k[l], at.tp[l],
                              p[0], p[1], p[2]);
          for (int i = 0; i < N; i++)
            {
              vg_perfusion_gather (expected, 1, (VgPerfusionPoint){ a[0][i], a[1][i], a[2][i] },
                                   (VgPerfusionPoint){ p[0][i], p[1][i], p[2][i] },
                                   curves[i * L + l], weights[i]);
              vg_perfusion_gather (
                  sizes, 1, (VgPerfusionPoint){ fabs (a[0][i]), fabs (a[1][i]), fabs (a[2][i]) },
                  (VgPerfusionPoint){ fabs (p[0][i]), fabs (p[1][i]), fabs (p[2][i]) },
                  fabs (curves[i * L + l]), weights[i]);
            }
          for (int k = 0; k < VG_PERFUSION_PRODUCTS; k++)
            g_assert_cmpfloat_with_epsilon (products[k * L + l], expected[k],
                                            1e-11 * (1 + sizes[k]));
        }
    }
}

/* An even grid gives the same result by the functions for uneven grids. */
static void
test_both_paths (void)
{
  enum { N = 48 };
  VgPerfusionBounds bounds = vg_perfusion_bounds_default ();
  g_autoptr (VgPerfusionProblem) plain = perfusion_problem (N);
  double a[N], b[N];

  bounds.delay_min = -5;
  bounds.delay_max = 20;
  g_autoptr (VgPerfusionProblem) even = vg_perfusion_problem_new (
      VG_PERFUSION_COMPARTMENT, N, plain->times_s, plain->artery, plain->portal, NULL, &bounds);
  g_autoptr (VgPerfusionProblem) uneven = vg_perfusion_problem_new (
      VG_PERFUSION_COMPARTMENT, N, plain->times_s, plain->artery, plain->portal, NULL, &bounds);
  g_assert_true (even->even);
  uneven->even = FALSE;
  for (int kind = VG_PERFUSION_EXPONENTIAL; kind <= VG_PERFUSION_INPUT; kind++)
    for (double delay = -4.3; delay < 19; delay += 1.7)
      {
        vg_perfusion_curve (even, even->artery, kind, 0.07, delay, a, NULL, NULL);
        vg_perfusion_curve (uneven, uneven->artery, kind, 0.07, delay, b, NULL, NULL);
        for (int i = 0; i < N; i++)
          g_assert_cmpfloat_with_epsilon (a[i], b[i], 1e-10);
      }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/perfusion-curves/curves", test_curves);
  g_test_add_func ("/perfusion-curves/uneven-products", test_uneven_products);
  g_test_add_func ("/perfusion-curves/both-paths", test_both_paths);
  return g_test_run ();
}
