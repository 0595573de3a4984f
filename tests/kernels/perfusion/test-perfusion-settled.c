/* SPDX-License-Identifier: MIT */
/* Fits end at the minimum itself, so that both backends give the same result; results at a bound,
 * at a flat minimum, and for an impossible fit. */
#include "tests/support/sanitized.h"
#include "tests/kernels/perfusion/support/perfusion-fixture.h"
#include "kernels/perfusion/fit/perfusion-general-cpu.h"
#include "kernels/perfusion/fit/perfusion-general-fit.h"
#include "kernels/perfusion/fit/perfusion-output.h"
#include "kernels/perfusion/paper/perfusion-paper.h"

/* Value K of curve C as in the maps. */
static double
shown (const PerfusionFixture *f, int c, int k)
{
  float values[VG_PERFUSION_FIT_VALUES],
      limit = vg_perfusion_delay_error_limit ((float) f->problem->bounds.delay_min,
                                              (float) f->problem->bounds.delay_max);

  for (int i = 0; i < VG_PERFUSION_FIT_VALUES; i++)
    values[i] = (float) perfusion_value (f, c, i);
  return vg_perfusion_derived (values, 1, k, VG_PERFUSION_COMPARTMENT, TRUE, limit);
}

/* Compares the default options with a longer descent: few values differ by more than 2 %. */
static void
settled (VgPerfusionDelays delays, gboolean broad, guint32 seed)
{
  enum { COUNT = SANITIZED ? 800 : 4000 };
  PerfusionFixture f = perfusion_fixture (48, COUNT, 30, broad, seed);
  VgPerfusionFitOptions patient = { 300, 1e-12, 2 };
  gsize size = sizeof (double) * (gsize) COUNT * VG_PERFUSION_FIT_VALUES;

  f.problem->bounds.delays = delays;
  vg_perfusion_dictionary_free (f.dictionary);
  f.dictionary = vg_perfusion_dictionary_new (f.problem);
  perfusion_fixture_fit (&f, &patient);
  g_autofree double *end = g_memdup2 (f.values, size);
  PerfusionFixture whole = f;
  whole.values = end;
  perfusion_fixture_fit (&f, NULL);
  for (int k = VG_PERFUSION_OUTPUT_KA; k <= VG_PERFUSION_OUTPUT_TAU_P; k++)
    {
      int differ = 0;

      for (int c = 0; c < COUNT; c++)
        {
          double x = shown (&whole, c, k), y = shown (&f, c, k);

          differ += !(x == y || (isnan (x) && isnan (y)) ||
                      fabs (x - y) <= 0.02 * MAX (fabs (x), fabs (y)));
        }
      g_test_message ("delays %d, %s, value %d: %.2f %% elsewhere", delays,
                      broad ? "broad" : "alike", k, 100.0 * differ / COUNT);
      g_assert_cmpint (differ, <=, COUNT / (broad ? 50 : 200));
    }
  perfusion_fixture_clear (&f);
}

static void
test_settled (void)
{
  settled (VG_PERFUSION_DELAYS_FREE, FALSE, 1);
  settled (VG_PERFUSION_DELAYS_FREE, TRUE, 2);
  settled (VG_PERFUSION_DELAYS_SHARED, FALSE, 3);
}

/* A parameter at its bound has no error; the errors of the others are those with this parameter
 * given. */
static void
test_bound (void)
{
  PerfusionFixture f = perfusion_fixture (48, VG_PERFUSION_LANES, 50, FALSE, 5);
  VgPerfusionFitOptions exact = { 100, 1e-12, 2 };

  f.problem->bounds.delay_max = 0.5; /* truth: 1 and 2 s */
  vg_perfusion_dictionary_free (f.dictionary);
  f.dictionary = vg_perfusion_dictionary_new (f.problem);
  perfusion_fixture_fit (&f, &exact);
  for (int c = 0; c < VG_PERFUSION_LANES; c++)
    {
      g_assert_cmpfloat (perfusion_value (&f, c, VG_PERFUSION_FIT_TAU_P), ==, 0.5);
      g_assert_true (
          isnan (perfusion_value (&f, c, VG_PERFUSION_FIT_ERRORS + VG_PERFUSION_FIT_TAU_P)));
      g_assert_cmpfloat (perfusion_value (&f, c, VG_PERFUSION_FIT_ERRORS + VG_PERFUSION_FIT_KP), >,
                         0);
      /* The delay is named in the map, and the voxel counts as fitted. */
      g_assert_cmpfloat (perfusion_value (&f, c, VG_PERFUSION_FIT_STATUS), ==, VG_PERFUSION_FITTED);
      g_assert_true ((int) perfusion_value (&f, c, VG_PERFUSION_FIT_REMARKS) &
                     VG_PERFUSION_REMARK_TAU_P_HIGH);
    }
  perfusion_fixture_clear (&f);
}

/* A delay that the data determine no better than its bounds has no value. */
static void
test_known (void)
{
  float values[VG_PERFUSION_FIT_VALUES] = { 0 }, limit = vg_perfusion_delay_error_limit (0, 10);

  g_assert_cmpfloat_with_epsilon (limit, 10 / sqrt (12), 1e-6);
  values[VG_PERFUSION_FIT_TAU_A] = 1;
  values[VG_PERFUSION_FIT_TAU_P] = 2;
  values[VG_PERFUSION_FIT_ERRORS + VG_PERFUSION_FIT_TAU_A] = 2.8f;
  values[VG_PERFUSION_FIT_ERRORS + VG_PERFUSION_FIT_TAU_P] = 3;
  g_assert_cmpfloat (vg_perfusion_derived (values, 1, VG_PERFUSION_OUTPUT_TAU_A,
                                           VG_PERFUSION_COMPARTMENT, TRUE, limit),
                     ==, 1);
  g_assert_true (isnan (vg_perfusion_derived (values, 1, VG_PERFUSION_OUTPUT_TAU_P,
                                              VG_PERFUSION_COMPARTMENT, TRUE, limit)));
  /* given, or at a bound */
  values[VG_PERFUSION_FIT_ERRORS + VG_PERFUSION_FIT_TAU_P] = NAN;
  g_assert_cmpfloat (vg_perfusion_derived (values, 1, VG_PERFUSION_OUTPUT_TAU_P,
                                           VG_PERFUSION_COMPARTMENT, TRUE, limit),
                     ==, 2);
}

/* A fitted delay without an effect is not determined; a given delay is. */
static void
test_nothing (void)
{
  /* Delay and rate have the same effect on the curve: the determinant is 0. */
  const VgPerfusionNormal flat = {
    .a = 1, .p = 1, .cost = 1, .h00 = 1, .h01 = 1, .h11 = 1, .h22 = 1, .iaa = 1, .ipp = 1
  };
  g_autoptr (VgPerfusionProblem) inputs = perfusion_problem (48);
  VgPerfusionBounds bounds = inputs->bounds;
  VgPerfusionRange range = vg_perfusion_range (&bounds);
  VgPerfusionFitError error = vg_perfusion_fit_error (flat, &range, TRUE, log (0.05), 1, 2, 48);
  /* The arterial fraction is 1. */
  double x[VG_PERFUSION_UNKNOWNS] = { log (0.05), log (0.05), 1, 2, 1 };

  g_assert_true (isinf (error.ta) && isinf (error.tp));
  range.delays = VG_PERFUSION_DELAYS_NONE;
  error = vg_perfusion_fit_error (flat, &range, TRUE, log (0.05), 1, 2, 48);
  g_assert_true (isnan (error.ta) && isnan (error.tp));
  for (VgPerfusionDelays delays = VG_PERFUSION_DELAYS_FREE; delays <= VG_PERFUSION_DELAYS_NONE;
       delays++)
    {
      bounds.delays = delays;
      g_autoptr (VgPerfusionProblem)
          problem = vg_perfusion_problem_new (VG_PERFUSION_EXTENDED_TOFTS, 48, inputs->times_s,
                                              inputs->artery, inputs->portal, NULL, &bounds);
      VgPerfusionTask task = vg_perfusion_task (problem);
      VgPerfusionSystem system;
      VgPerfusionGeneral general;
      double curve[48];

      for (int i = 0; i < 48; i++)
        curve[i] = problem->artery[i] * 0.1 + 0.02 * i;
      vg_perfusion_general_system (&task, x, curve, 1, &system);
      g_assert_true (system.a > 0 && system.b > 0);
      vg_perfusion_general_results (&task, x, &system, 48, &general);
      if (delays == VG_PERFUSION_DELAYS_NONE)
        g_assert_true (isnan (general.error[VG_PERFUSION_FIT_TAU_A]) &&
                       isnan (general.error[VG_PERFUSION_FIT_TAU_P]));
      else
        g_assert_true (general.error[VG_PERFUSION_FIT_TAU_A] > 0 &&
                       isfinite (general.error[VG_PERFUSION_FIT_TAU_A]));
      if (delays == VG_PERFUSION_DELAYS_FREE)
        g_assert_true (isinf (general.error[VG_PERFUSION_FIT_TAU_P]));
      if (delays == VG_PERFUSION_DELAYS_SHARED)
        g_assert_cmpfloat (general.error[VG_PERFUSION_FIT_TAU_P], ==,
                           general.error[VG_PERFUSION_FIT_TAU_A]);
    }
}

/* A decomposed matrix solves its equations; an unknown without effect is 0. */
static void
test_decompose (void)
{
  enum { ALL = VG_PERFUSION_ALL };

  for (int draw = 0; draw < 100; draw++)
    {
      double root[ALL][ALL], full[ALL][ALL] = { { 0 } }, m[VG_PERFUSION_HALF], x[ALL], b[ALL];
      int without = draw % 9; /* of an unknown, or of none */

      for (int q = 0; q < ALL; q++)
        for (int r = 0; r < ALL; r++)
          root[q][r] = q == without ? 0 : g_test_rand_double_range (-1, 1);
      for (int q = 0; q < ALL; q++)
        for (int r = 0; r < ALL; r++)
          for (int i = 0; i < ALL; i++)
            full[q][r] += root[q][i] * root[r][i] + (q == r && q != without ? 0.1 : 0);
      for (int q = 0; q < ALL; q++)
        {
          x[q] = q == without ? 0 : g_test_rand_double_range (-1, 1);
          for (int r = 0; r <= q; r++)
            m[VG_PERFUSION_AT (q, r)] = full[q][r];
        }
      for (int q = 0; q < ALL; q++)
        {
          b[q] = 0;
          for (int r = 0; r < ALL; r++)
            b[q] += full[q][r] * x[r];
        }
      vg_perfusion_decompose (m);
      vg_perfusion_substitute (m, b);
      for (int q = 0; q < ALL; q++)
        g_assert_cmpfloat_with_epsilon (b[q], x[q], 1e-9);
    }
}

/* The simplex has no bounds: impossible results are reported. */
static void
test_impossible (void)
{
  enum { N = 48 };
  const double fine[5] = { 20, 100, 400, 1, 2 };
  g_autoptr (VgPerfusionProblem) problem = perfusion_problem (N);
  g_autoptr (VgPerfusionPaper)
      paper = vg_perfusion_paper_new (problem, VG_PERFUSION_CONVOLUTION_RECURSION);
  g_autofree double *scratch = g_new (double, vg_perfusion_paper_scratch (paper));
  double curve[N];
  VgSimplex simplex;

  g_assert_cmpint (vg_perfusion_paper_status (fine, 100, TRUE, 120), ==, VG_PERFUSION_FITTED);
  g_assert_cmpint (vg_perfusion_paper_status (fine, 600, TRUE, 120), ==,
                   VG_PERFUSION_NOT_CONVERGED);
  for (int i = 0; i < 5; i++)
    {
      double x[5], wrong = i < 3 ? -1e-3 : 120;

      for (int sign = i < 3 ? 1 : -1; sign <= 1; sign += 2)
        {
          memcpy (x, fine, sizeof x);
          x[i] = sign * wrong;
          g_assert_cmpint (vg_perfusion_paper_status (x, 100, TRUE, 120), ==,
                           VG_PERFUSION_IMPOSSIBLE);
          g_assert_cmpint (vg_perfusion_paper_status (x, 600, TRUE, 120), ==,
                           VG_PERFUSION_IMPOSSIBLE);
          /* With the artery alone the portal vein's values are ignored. */
          g_assert_cmpint (vg_perfusion_paper_status (x, 100, FALSE, 120), ==,
                           i % 3 == 1 ? VG_PERFUSION_FITTED : VG_PERFUSION_IMPOSSIBLE);
        }
    }
  /* a curve with a negative inflow */
  vg_perfusion_paper_curve (paper, (const double[]){ -20, 100, 400, 1, 2 }, curve, scratch);
  vg_perfusion_paper_fit (paper, curve, 1, &simplex, scratch);
  g_assert_cmpfloat (simplex.x[0][0], <, 0);
  g_assert_cmpint (vg_perfusion_paper_status (simplex.x[0], simplex.iterations, TRUE, 120), ==,
                   VG_PERFUSION_IMPOSSIBLE);
}

/* Exchange with a single exponential has no permeability and no interstitium, exactly; with two
 * it agrees with the moments of the impulse response. */
static void
test_exchange (void)
{
  const double x[VG_PERFUSION_UNKNOWNS] = { log (0.31), log (0.07), 1, 2, 0.2 };
  double value[7], a = 0.013, b = 0.0021, sum;

  vg_perfusion_general_values (VG_PERFUSION_EXCHANGE, a, 0, x, value);
  g_assert_cmpfloat (value[VG_PERFUSION_FIT_EXCHANGE], ==, 0);
  g_assert_cmpfloat (value[VG_PERFUSION_FIT_INTERSTITIUM], ==, 0);
  g_assert_cmpfloat_with_epsilon (value[VG_PERFUSION_FIT_PLASMA], a / 0.31, 1e-15);
  vg_perfusion_general_values (VG_PERFUSION_EXCHANGE, a, b, x, value);
  sum = (a + b + value[1]) / value[2] + value[1] / value[5]; /* of the rates, and their product */
  g_assert_cmpfloat_with_epsilon (sum, 0.31 + 0.07, 1e-12);
  g_assert_cmpfloat_with_epsilon ((a + b) * value[1] / (value[2] * value[5]), 0.31 * 0.07, 1e-12);
}

/* A second start is used, and its result counts if it is lower, for every model. */
static void
test_starts (void)
{
  enum { N = 60, COUNT = 40 };
  g_autoptr (VgPerfusionProblem) inputs = perfusion_problem (N);
  GRand *rand = g_rand_new_with_seed (24);

  for (int model = VG_PERFUSION_EXTENDED_TOFTS; model <= VG_PERFUSION_EXCHANGE; model++)
    {
      g_autoptr (VgPerfusionProblem) problem = vg_perfusion_problem_new (
          (VgPerfusionModel) model, N, inputs->times_s, inputs->artery, inputs->portal, NULL,
          &inputs->bounds);
      g_autoptr (VgPerfusionGrid) grid = vg_perfusion_grid_new (problem, 1);
      double values[VG_PERFUSION_FIT_VALUES], curve[N];
      int lower = 0;

      for (int c = 0; c < COUNT; c++)
        {
          double residual[2], passes[2];

          for (int i = 0; i < N; i++)
            curve[i] = 0.03 * inputs->artery[i] * g_rand_double (rand) + 0.1 * inputs->portal[i] +
                       0.05 * perfusion_noise (rand);
          for (int s = 0; s < 2; s++)
            {
              VgPerfusionFitOptions options = vg_perfusion_fit_options_default ();

              options.starts = s + 1;
              vg_perfusion_general_fit (problem, grid, &options, curve, 1, values);
              residual[s] = values[VG_PERFUSION_FIT_RESIDUAL];
              passes[s] = values[VG_PERFUSION_FIT_ITERATIONS];
            }
          g_assert_cmpfloat (residual[1], <=, residual[0]);
          g_assert_cmpfloat (passes[1], >, passes[0]);
          lower += residual[1] < residual[0] * (1 - 1e-4);
        }
      g_test_message ("model %d: lower from the second start in %d of %d", model, lower, COUNT);
      g_assert_cmpint (lower, >, 0);
    }
  g_rand_free (rand);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/perfusion-settled/decompose", test_decompose);
  g_test_add_func ("/perfusion-settled/minimum", test_settled);
  g_test_add_func ("/perfusion-settled/bound", test_bound);
  g_test_add_func ("/perfusion-settled/known", test_known);
  g_test_add_func ("/perfusion-settled/nothing", test_nothing);
  g_test_add_func ("/perfusion-settled/impossible", test_impossible);
  g_test_add_func ("/perfusion-settled/exchange", test_exchange);
  g_test_add_func ("/perfusion-settled/starts", test_starts);
  return g_test_run ();
}
