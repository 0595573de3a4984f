/* SPDX-License-Identifier: MIT */
/* Deconvolution of curves whose impulse response is known: exactly without noise, within limits
 * with noise, and against the solution of the normal equations. */
#include "kernels/perfusion/fit/perfusion-deconvolution.h"
#include "kernels/perfusion/fit/perfusion-svd.h"
#include "tests/kernels/perfusion/support/perfusion-fixture.h"

enum { N = 80, STEP_N = 24 };

/* ---- Singular values ---- */

/* A random matrix with singular values over ten decades is restored from its parts, whose vectors
 * are orthonormal. */
static void
test_svd (void)
{
  enum { ROWS = 31, COLUMNS = 17 };
  double a[COLUMNS * ROWS], u[COLUMNS * ROWS], sigma[COLUMNS], v[COLUMNS * COLUMNS];

  for (int j = 0; j < COLUMNS; j++)
    for (int i = 0; i < ROWS; i++)
      u[j * ROWS + i] = a[j * ROWS + i] = pow (10, -10.0 * j / COLUMNS) *
                                          g_test_rand_double_range (-1, 1);
  vg_perfusion_svd (u, ROWS, COLUMNS, sigma, v);
  for (int j = 0; j < COLUMNS; j++)
    {
      g_assert_cmpfloat (sigma[j], >, 0);
      g_assert_true (j == 0 || sigma[j] <= sigma[j - 1]);
      for (int k = 0; k < COLUMNS; k++)
        {
          double left = 0, right = 0;

          for (int i = 0; i < ROWS; i++)
            left += u[j * ROWS + i] * u[k * ROWS + i];
          for (int i = 0; i < COLUMNS; i++)
            right += v[j * COLUMNS + i] * v[k * COLUMNS + i];
          g_assert_cmpfloat_with_epsilon (left, j == k, 1e-10);
          g_assert_cmpfloat_with_epsilon (right, j == k, 1e-10);
        }
    }
  for (int j = 0; j < COLUMNS; j++)
    for (int i = 0; i < ROWS; i++)
      {
        double sum = 0;

        for (int k = 0; k < COLUMNS; k++)
          sum += u[k * ROWS + i] * sigma[k] * v[k * COLUMNS + j];
        g_assert_cmpfloat_with_epsilon (sum, a[j * ROWS + i], 1e-13 * ROWS);
      }
}

/* ---- Curves ---- */

typedef struct
{
  VgPerfusionProblem *problem;
  double curve[N], values[VG_PERFUSION_FIT_VALUES];
} Curve;

/* A problem with frames about STEP s apart, exactly if SHAKEN is 0, and with both inputs if DUAL.
 */
static VgPerfusionProblem *
problem_new (int n, double step, double shaken, gboolean dual, VgPerfusionDelays delays,
             const double *weights)
{
  g_autoptr (VgPerfusionProblem) model = perfusion_problem (n);
  VgPerfusionBounds bounds = vg_perfusion_bounds_default ();
  g_autofree double *times = g_new (double, n), *artery = g_new (double, n);

  bounds.delays = delays;
  for (int i = 0; i < n; i++)
    {
      times[i] = step * i + (i % 3 == 1 ? shaken : 0);
      artery[i] = times[i] < 10 ? 0 : vg_perfusion_population_artery (times[i] - 10);
    }
  return vg_perfusion_problem_new (VG_PERFUSION_DECONVOLUTION, n, times, artery,
                                   dual ? model->portal : NULL, weights, &bounds);
}

static void
add_exponential (const VgPerfusionProblem *problem, double share, double flow, double k,
                 double delay, double *curve)
{
  g_autofree double *part = g_new (double, problem->n);

  for (int which = 0; which < (problem->dual ? 2 : 1); which++)
    {
      double by = !problem->dual ? 1 : which == 0 ? share : 1 - share;

      vg_perfusion_curve (problem, which == 0 ? problem->artery : problem->portal,
                          VG_PERFUSION_EXPONENTIAL, k, delay, part, NULL, NULL);
      for (int i = 0; i < problem->n; i++)
        curve[i] += by * flow * part[i];
    }
}

static void
deconvolve_with (const VgPerfusionDeconvolution *tables, const VgPerfusionProblem *problem,
                 const double *curve, double *values, double *fitted)
{
  gsize n = (gsize) problem->n * VG_PERFUSION_LANES;
  g_autofree double *lanes = g_new0 (double, n), *fits = g_new0 (double, n);
  g_autofree double *scratch = g_new (double, vg_perfusion_deconvolution_scratch (tables));
  double all[VG_PERFUSION_FIT_VALUES * VG_PERFUSION_LANES];
  int lane = g_test_rand_int_range (0, VG_PERFUSION_LANES);

  /* The other lanes have noise, which must not matter. */
  for (gsize i = 0; i < n; i++)
    lanes[i] = (int) (i % VG_PERFUSION_LANES) == lane ? curve[i / VG_PERFUSION_LANES]
                                                      : g_test_rand_double_range (-1, 1);
  vg_perfusion_deconvolve_batch (tables, problem, lanes, lane + 1, scratch, all, fits);
  for (int i = 0; i < VG_PERFUSION_FIT_VALUES; i++)
    values[i] = all[i * VG_PERFUSION_LANES + lane];
  for (int i = 0; fitted != NULL && i < problem->n; i++)
    fitted[i] = fits[i * VG_PERFUSION_LANES + lane];
}

static void
deconvolve (const VgPerfusionProblem *problem, double share, VgPerfusionRegularisation method,
            double cutoff, const double *curve, double *values, double *fitted)
{
  g_autoptr (VgPerfusionDeconvolution)
      tables = vg_perfusion_deconvolution_new (problem, share, method, cutoff, 1, NULL);

  deconvolve_with (tables, problem, curve, values, fitted);
}

static void
assert_within (double value, double expected, double part, const char *what)
{
  if (!(fabs (value - expected) <= part * fabs (expected)))
    g_error ("%s is %.6g instead of %.6g", what, value, expected);
}

/* The sum of two exponentials with mean transit times of 8 frames and more: flow, volume and
 * transit time within 1 %.  The volume is that up to the end of the series, by which 99.9 % have
 * left.  Truncated SVD keeps all singular values above 1e-6. */
static void
check_exact (VgPerfusionRegularisation method, VgPerfusionDelays delays, gboolean dual,
             double shaken)
{
  double step = g_test_rand_double_range (1, 1.4), length = step * (N - 1), curve[N] = { 0 },
         fitted[N], values[VG_PERFUSION_FIT_VALUES], share = g_test_rand_double_range (0.2, 1);
  g_autoptr (VgPerfusionProblem) problem = problem_new (N, step, shaken, dual, delays, NULL);
  double part = g_test_rand_double_range (0, 1),
         flow = g_test_rand_double_range (20, 200) / VG_PERFUSION_RATE;
  double slow = 1 / g_test_rand_double_range (8 * step, length / 7),
         fast = 1 / g_test_rand_double_range (8 * step, length / 7), peak = 0;
  double volume = flow * (part / slow + (1 - part) / fast);
  /* One of the onsets that are tried, a quarter of a frame apart or more. */
  double apart = MAX (problem->step_s / 4, 10.0 / 23),
         delay = delays == VG_PERFUSION_DELAYS_NONE ? 0 : apart * g_test_rand_int_range (0, 12);

  add_exponential (problem, share, flow * part, slow, delay, curve);
  add_exponential (problem, share, flow * (1 - part), fast, delay, curve);
  deconvolve (problem, share, method, method == VG_PERFUSION_TIKHONOV ? 0 : 1e-6, curve, values,
              fitted);
  assert_within (values[VG_PERFUSION_FIT_FLOW], flow * VG_PERFUSION_RATE, 0.01, "flow");
  assert_within (values[VG_PERFUSION_FIT_PLASMA], volume, 0.01, "volume");
  assert_within (values[VG_PERFUSION_FIT_PLASMA] / values[VG_PERFUSION_FIT_FLOW] *
                     VG_PERFUSION_RATE,
                 volume / flow, 0.01, "transit time");
  g_assert_cmpfloat_with_epsilon (values[VG_PERFUSION_FIT_TAU_A], delay, 1e-6);
  g_assert_cmpfloat_with_epsilon (values[VG_PERFUSION_FIT_TMAX], delay, 1e-6);
  g_assert_cmpfloat (values[VG_PERFUSION_FIT_STATUS], ==, VG_PERFUSION_FITTED);
  for (int i = 0; i < N; i++)
    peak = MAX (peak, curve[i]);
  for (int i = 0; i < N; i++)
    g_assert_cmpfloat_with_epsilon (fitted[i], curve[i], 0.01 * peak);
}

static void
test_exact (void)
{
  for (int i = 0; i < 2; i++)
    for (int method = VG_PERFUSION_TIKHONOV; method <= VG_PERFUSION_TRUNCATED_SVD; method++)
      {
        check_exact (method, VG_PERFUSION_DELAYS_NONE, FALSE, 0);
        check_exact (method, VG_PERFUSION_DELAYS_NONE, TRUE, 0);
        check_exact (method, VG_PERFUSION_DELAYS_NONE, FALSE, 0.1);
        if (method == VG_PERFUSION_TIKHONOV)
          check_exact (method, VG_PERFUSION_DELAYS_FREE, i % 2, 0);
      }
}

/* ---- Against the normal equations ---- */

static double
input_at (const VgPerfusionProblem *problem, double t)
{
  double place = t / problem->step_s;
  int i = (int) floor (place);

  return t <= 0 ? 0
         : i >= problem->n - 1
             ? problem->artery[problem->n - 1]
             : problem->artery[i] + (place - i) * (problem->artery[i + 1] - problem->artery[i]);
}

/* The integral over the hat of lag K by Simpson's rule; the pieces between knots are cubic, so it
 * is exact. */
static double
hat_integral (const VgPerfusionProblem *problem, double t, int k)
{
  double h = problem->step_s, sum = 0;

  for (int side = k == 0 ? 1 : 0; side < 2; side++)
    for (int p = 0; p <= 2; p++)
      {
        double s = (k - 1 + side + p / 2.0) * h, hat = side == 0 ? p / 2.0 : 1 - p / 2.0;

        sum += (p == 1 ? 4 : 1) * h / 6 * hat * input_at (problem, t - s);
      }
  return sum;
}

/* Solves M X = B of order STEP_N, in place; M is positive definite. */
static void
solve (double m[STEP_N][STEP_N], double *b)
{
  for (int i = 0; i < STEP_N; i++)
    for (int r = i + 1; r < STEP_N; r++)
      {
        double by = m[r][i] / m[i][i];

        for (int c = i; c < STEP_N; c++)
          m[r][c] -= by * m[i][c];
        b[r] -= by * b[i];
      }
  for (int i = STEP_N - 1; i >= 0; i--)
    {
      for (int c = i + 1; c < STEP_N; c++)
        b[i] -= m[i][c] * b[c];
      b[i] /= m[i][i];
    }
}

/* Element (R, C) of the second differences with 0 after the last lag. */
static double
difference (int r, int c)
{
  return c == r ? 1 : c == r + 1 ? -2 : c == r + 2 ? 1 : 0;
}

/* M becomes the products of the columns of A. */
static void
multiply_columns (double a[STEP_N][STEP_N], double m[STEP_N][STEP_N])
{
  for (int k = 0; k < STEP_N; k++)
    for (int c = 0; c < STEP_N; c++)
      {
        m[k][c] = 0;
        for (int i = 0; i < STEP_N; i++)
          m[k][c] += a[i][k] * a[i][c];
      }
}

/* The largest eigenvalue of M, and its vector X, by the power method. */
static double
largest_eigenvalue (double m[STEP_N][STEP_N], double x[STEP_N])
{
  double y[STEP_N], norm = 0;

  for (int i = 0; i < STEP_N; i++)
    x[i] = 1 + 0.1 * i;
  for (int pass = 0; pass < 2000; pass++)
    {
      norm = 0;
      for (int k = 0; k < STEP_N; k++)
        {
          y[k] = 0;
          for (int c = 0; c < STEP_N; c++)
            y[k] += m[k][c] * x[c];
          norm += y[k] * y[k];
        }
      norm = sqrt (norm);
      for (int k = 0; k < STEP_N; k++)
        x[k] = y[k] / norm;
    }
  return norm;
}

/* The largest singular value of A L^-1, squared. */
static double
largest_square (double a[STEP_N][STEP_N])
{
  double s[STEP_N][STEP_N], m[STEP_N][STEP_N], x[STEP_N];

  memcpy (s, a, sizeof s);
  for (int twice = 0; twice < 2; twice++)
    for (int i = 0; i < STEP_N; i++)
      for (int k = 1; k < STEP_N; k++)
        s[i][k] += s[i][k - 1];
  multiply_columns (s, m);
  return largest_eigenvalue (m, x);
}

/* With a limit of 10 %, truncated SVD keeps the vectors whose singular values are above it. */
static void
test_largest_vectors (void)
{
  double a[STEP_N][STEP_N], m[STEP_N][STEP_N], x[STEP_N], r[STEP_N] = { 0 }, curve[STEP_N] = { 0 },
                                                          values[VG_PERFUSION_FIT_VALUES], flow = 0,
                                                          first = 0, square;
  g_autoptr (VgPerfusionProblem)
      problem = problem_new (STEP_N, 4, 0, FALSE, VG_PERFUSION_DELAYS_NONE, NULL);

  add_exponential (problem, 1, 0.02, 0.06, 0, curve);
  for (int i = 0; i < STEP_N; i++)
    for (int k = 0; k < STEP_N; k++)
      a[i][k] = hat_integral (problem, problem->times_s[i], k);
  multiply_columns (a, m);
  while ((square = largest_eigenvalue (m, x)) > 0.01 * first)
    {
      double along = 0;

      first = MAX (first, square);
      for (int i = 0; i < STEP_N; i++)
        for (int k = 0; k < STEP_N; k++)
          along += curve[i] * a[i][k] * x[k];
      for (int k = 0; k < STEP_N; k++)
        {
          r[k] += along / square * x[k];
          for (int c = 0; c < STEP_N; c++)
            m[k][c] -= square * x[k] * x[c];
        }
    }
  for (int k = 0; k < STEP_N; k++)
    flow = MAX (flow, r[k]);
  deconvolve (problem, 1, VG_PERFUSION_TRUNCATED_SVD, 0.1, curve, values, NULL);
  assert_within (values[VG_PERFUSION_FIT_FLOW], flow * VG_PERFUSION_RATE, 1e-4, "flow");
}

/* With a given limit, Tikhonov's solution minimises |W (A R - y)|^2 + l^2 |L R|^2. */
static void
test_normal_equations (void)
{
  double weights[STEP_N], a[STEP_N][STEP_N], m[STEP_N][STEP_N], r[STEP_N],
      curve[STEP_N] = { 0 }, values[VG_PERFUSION_FIT_VALUES], cutoff = 0.002, square, flow = 0,
      cost = 0;
  g_autoptr (VgPerfusionProblem) problem = NULL;

  for (int i = 0; i < STEP_N; i++)
    weights[i] = i % 7 == 5 ? 0.25 : 1;
  problem = problem_new (STEP_N, 4, 0, FALSE, VG_PERFUSION_DELAYS_NONE, weights);
  add_exponential (problem, 1, 0.02, 0.06, 0, curve);
  for (int i = 0; i < STEP_N; i++)
    {
      curve[i] += 0.02 * g_test_rand_double_range (-1, 1);
      for (int k = 0; k < STEP_N; k++)
        a[i][k] = sqrt (weights[i]) * hat_integral (problem, problem->times_s[i], k);
    }
  square = largest_square (a);
  multiply_columns (a, m);
  for (int k = 0; k < STEP_N; k++)
    {
      r[k] = 0;
      for (int i = 0; i < STEP_N; i++)
        r[k] += a[i][k] * sqrt (weights[i]) * curve[i];
      for (int c = 0; c < STEP_N; c++)
        for (int i = 0; i < STEP_N; i++)
          m[k][c] += cutoff * cutoff * square * difference (i, k) * difference (i, c);
    }
  solve (m, r);
  for (int k = 0; k < STEP_N; k++)
    flow = MAX (flow, r[k]);
  for (int i = 0; i < STEP_N; i++)
    {
      double left = sqrt (weights[i]) * curve[i];

      for (int k = 0; k < STEP_N; k++)
        left -= a[i][k] * r[k];
      cost += left * left;
    }
  deconvolve (problem, 1, VG_PERFUSION_TIKHONOV, cutoff, curve, values, NULL);
  assert_within (values[VG_PERFUSION_FIT_FLOW], flow * VG_PERFUSION_RATE, 1e-5, "flow");
  assert_within (values[VG_PERFUSION_FIT_RESIDUAL], sqrt (cost / problem->weight_sum), 1e-5,
                 "residual");
  assert_within (values[VG_PERFUSION_FIT_LEVEL], 100 * cutoff, 1e-9, "limit");
}

/* ---- Noise ---- */

/* At a contrast-to-noise ratio of 50 the mean flow of smooth tissue is 85 to 105 % (Tikhonov) or 90
 * to 110 % (truncated SVD) of the true one, because regularisation flattens the maximum, and the
 * mean volume is within 3 %. */
static void
test_noise (void)
{
  for (int method = VG_PERFUSION_TIKHONOV; method <= VG_PERFUSION_TRUNCATED_SVD; method++)
    {
      g_autoptr (VgPerfusionProblem)
          problem = problem_new (N, 1.25, 0, FALSE, VG_PERFUSION_DELAYS_NONE, NULL);
      g_autoptr (VgPerfusionDeconvolution)
          tables = vg_perfusion_deconvolution_new (problem, 1, method, 0, 1, NULL);
      double sum = 0, volume = 0, peak = 0, plain[N] = { 0 }, curve[N],
             values[VG_PERFUSION_FIT_VALUES];
      GRand *rand = g_rand_new_with_seed (g_test_rand_int ());

      add_exponential (problem, 1, 0.01, 1 / 15.0, 0, plain);
      for (int i = 0; i < N; i++)
        peak = MAX (peak, plain[i]);
      for (int c = 0; c < 40; c++)
        {
          for (int i = 0; i < N; i++)
            curve[i] = plain[i] + peak / 50 * perfusion_noise (rand);
          deconvolve_with (tables, problem, curve, values, NULL);
          sum += values[VG_PERFUSION_FIT_FLOW] / 60 / 40;
          volume += values[VG_PERFUSION_FIT_PLASMA] / 0.15 / 40;
          g_assert_cmpfloat (values[VG_PERFUSION_FIT_ERRORS + VG_PERFUSION_FIT_FLOW], >, 0);
        }
      g_test_message ("method %d: flow %.3f, volume %.3f of the true ones", method, sum, volume);
      g_assert_cmpfloat_with_epsilon (sum, method == VG_PERFUSION_TIKHONOV ? 0.95 : 1, 0.1);
      g_assert_cmpfloat_with_epsilon (volume, 1, 0.03);
      g_rand_free (rand);
    }
}

/* A frame without weight does not matter, and a curve that is negative or 0 has no flow. */
static void
test_odd (void)
{
  double weights[N], curve[N] = { 0 }, values[2][VG_PERFUSION_FIT_VALUES];
  g_autoptr (VgPerfusionProblem) problem = NULL;

  for (int i = 0; i < N; i++)
    weights[i] = i == 40 ? 0 : 1;
  problem = problem_new (N, 1.25, 0, FALSE, VG_PERFUSION_DELAYS_FREE, weights);
  add_exponential (problem, 1, 0.01, 1 / 15.0, 0, curve);
  for (int i = 0; i < 2; i++)
    {
      curve[40] = i * 1e3;
      deconvolve (problem, 1, VG_PERFUSION_TIKHONOV, 0, curve, values[i], NULL);
    }
  g_assert_cmpmem (values[0], sizeof values[0], values[1], sizeof values[1]);
  for (int i = 0; i < N; i++)
    curve[i] = -curve[i];
  deconvolve (problem, 1, VG_PERFUSION_TRUNCATED_SVD, 0.3, curve, values[0], NULL);
  g_assert_cmpfloat (values[0][VG_PERFUSION_FIT_STATUS], ==, VG_PERFUSION_NO_CURVE);
  g_assert_cmpfloat (values[0][VG_PERFUSION_FIT_FLOW], <=, 0);
  memset (curve, 0, sizeof curve);
  deconvolve (problem, 1, VG_PERFUSION_TRUNCATED_SVD, 0.3, curve, values[0], NULL);
  g_assert_cmpfloat (values[0][VG_PERFUSION_FIT_STATUS], ==, VG_PERFUSION_NO_CURVE);
  g_assert_cmpfloat (values[0][VG_PERFUSION_FIT_FLOW], ==, 0);
}

/* Without onsets, the maximum of R may be later than the bounds of the delays allow an onset. */
static void
test_late (void)
{
  g_autoptr (VgPerfusionProblem)
      problem = problem_new (N, 1.25, 0, FALSE, VG_PERFUSION_DELAYS_NONE, NULL);
  double curve[N] = { 0 }, values[VG_PERFUSION_FIT_VALUES], delay = 13;

  g_assert_cmpfloat (problem->bounds.delay_max - problem->bounds.delay_min, <, delay);
  add_exponential (problem, 1, 0.01, 1 / 15.0, delay, curve);
  deconvolve (problem, 1, VG_PERFUSION_TIKHONOV, 0, curve, values, NULL);
  g_test_message ("flow %.3f of the true one, at %.2f s", values[VG_PERFUSION_FIT_FLOW] / 60,
                  values[VG_PERFUSION_FIT_TMAX]);
  g_assert_cmpfloat (values[VG_PERFUSION_FIT_FLOW], >, 0.85 * 0.01 * VG_PERFUSION_RATE);
  g_assert_cmpfloat_with_epsilon (values[VG_PERFUSION_FIT_TMAX], delay, 3);
  g_assert_cmpfloat (values[VG_PERFUSION_FIT_TAU_A], ==, 0);
}

/* When the work is stopped there are no tables. */
static void
test_stopped (void)
{
  g_autoptr (VgPerfusionProblem)
      problem = problem_new (N, 1.25, 0, FALSE, VG_PERFUSION_DELAYS_FREE, NULL);
  gint stop = 0;
  g_autoptr (VgPerfusionDeconvolution)
      tables = vg_perfusion_deconvolution_new (problem, 1, VG_PERFUSION_TIKHONOV, 0, 1, &stop);

  g_assert_nonnull (tables);
  stop = 1;
  g_assert_null (vg_perfusion_deconvolution_new (problem, 1, VG_PERFUSION_TIKHONOV, 0, 1, &stop));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/perfusion-deconvolution/svd", test_svd);
  g_test_add_func ("/perfusion-deconvolution/exact", test_exact);
  g_test_add_func ("/perfusion-deconvolution/normal-equations", test_normal_equations);
  g_test_add_func ("/perfusion-deconvolution/largest-vectors", test_largest_vectors);
  g_test_add_func ("/perfusion-deconvolution/noise", test_noise);
  g_test_add_func ("/perfusion-deconvolution/odd", test_odd);
  g_test_add_func ("/perfusion-deconvolution/late", test_late);
  g_test_add_func ("/perfusion-deconvolution/stopped", test_stopped);
  return g_test_run ();
}
