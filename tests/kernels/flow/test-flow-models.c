/* SPDX-License-Identifier: MIT */
#include "tests/kernels/flow/support/flow-fixture.h"
#include "kernels/flow/model/flow-model.h"
/* Contrast to correlation time: the tables against direct inversion by
 * bisection of formulas written out here, the asymptotes in closed form. */

/* The models as printed, in long double. */
static double
lorentzian (double x, double rho)
{
  long double r = rho, l = x;

  return (double) (r * r * (expm1l (-2 * l) + 2 * l) / (2 * l * l) +
                   4 * r * (1 - r) * (expm1l (-l) + l) / (l * l) + (1 - r) * (1 - r));
}

/* Simpson's rule over the exposure: no formula in common with the program. */
static double
gaussian (double x, double rho)
{
  const int n = 4000;
  double sum = 0.0;

  for (int i = 0; i <= n; i++)
    {
      double u = i / (double) n, g = rho * exp (-(x * u) * (x * u)) + 1.0 - rho;

      sum += (i == 0 || i == n ? 1.0 : i % 2 ? 4.0 : 2.0) * 2.0 * (1.0 - u) * g * g;
    }
  return sum / (3.0 * n);
}

static double
solve (double (*model) (double, double), double y, double rho)
{
  double low = -12.0, high = 12.0;

  for (int i = 0; i < 50; i++)
    {
      double middle = 0.5 * (low + high);

      *(model (exp (middle), rho) > y ? &low : &high) = middle;
    }
  return exp (0.5 * (low + high));
}

static double
table_error (int model, double (*direct) (double, double), double beta, double rho, int statics,
             double from, double to)
{
  VgFlowParams params = { .model = model,
                          .beta = (float) beta,
                          .exposure_ms = 10.0f,
                          .static_scattering = statics,
                          .dynamic_fraction = (float) rho };
  g_autofree float *table = g_new (float, VG_FLOW_RHO_TABLE_FLOATS);
  VgFlowInversion inversion;
  double worst = 0.0, r = 1.0 - (double) (float) rho;

  vg_flow_inversion_build (&inversion, table, &params);
  for (int i = 0; i <= 60; i++)
    {
      double u = pow (from + (to - from) * i / 60.0, 2.0);
      float k = (float) sqrt ((double) params.beta * (r * r + u * (1.0 - r * r)));
      double truth = 10.0 /
                     solve (direct, (double) k * k / (double) params.beta, (double) (float) rho);
      double tau = statics == VG_FLOW_STATIC_MEASURED
                       ? vg_flow_correlation_time_rho (&inversion, table, k, (float) rho)
                       : vg_flow_correlation_time (&inversion, table, k);

      worst = MAX (worst, fabs (tau / truth - 1.0));
    }
  g_test_message ("model %d beta %g rho %g statics %d: worst relative error %.2e", model, beta, rho,
                  statics, worst);
  return worst;
}

static void
test_table (void)
{
  g_assert_cmpfloat (
      table_error (VG_FLOW_LORENTZIAN, lorentzian, 1.0, 1.0, VG_FLOW_STATIC_NONE, 0.003, 0.97), <,
      1e-5);
  g_assert_cmpfloat (
      table_error (VG_FLOW_LORENTZIAN, lorentzian, 0.4, 1.0, VG_FLOW_STATIC_NONE, 0.003, 0.97), <,
      1e-5);
  g_assert_cmpfloat (
      table_error (VG_FLOW_GAUSSIAN, gaussian, 1.0, 1.0, VG_FLOW_STATIC_NONE, 0.1, 0.97), <, 1e-5);
}

/* With static scattering and fast flow, K hardly depends on tau and its single precision limits
 * tau: start at u = 0.1^2. */
static void
test_static_table (void)
{
  g_assert_cmpfloat (
      table_error (VG_FLOW_LORENTZIAN, lorentzian, 1.0, 0.7, VG_FLOW_STATIC_GLOBAL, 0.1, 0.97), <,
      2e-5);
  g_assert_cmpfloat (
      table_error (VG_FLOW_GAUSSIAN, gaussian, 0.8, 0.5, VG_FLOW_STATIC_GLOBAL, 0.15, 0.97), <,
      2e-5);
  g_assert_cmpfloat (
      table_error (VG_FLOW_LORENTZIAN, lorentzian, 1.0, 0.7, VG_FLOW_STATIC_MEASURED, 0.1, 0.97), <,
      1e-4);
  g_assert_cmpfloat (
      table_error (VG_FLOW_LORENTZIAN, lorentzian, 1.0, 0.413, VG_FLOW_STATIC_MEASURED, 0.2, 0.97),
      <, 1e-4);
}

static void
test_asymptotes (void)
{
  VgFlowParams params = { .beta = 0.5f, .exposure_ms = 8.0f };
  VgFlowInversion inversion;
  float k = 0.05f;

  params.model = VG_FLOW_BANDYOPADHYAY;
  vg_flow_inversion_build (&inversion, NULL, &params);
  g_assert_cmpfloat_with_epsilon (vg_flow_correlation_time (&inversion, NULL, k),
                                  8.0 * 0.0025 / 0.5, 1e-8);
  params.model = VG_FLOW_FERCHER_BRIERS;
  vg_flow_inversion_build (&inversion, NULL, &params);
  g_assert_cmpfloat_with_epsilon (vg_flow_correlation_time (&inversion, NULL, k),
                                  2.0 * 8.0 * 0.0025 / 0.5, 1e-8);
}

/* The ratio of the paper's asymptote to the exact model, from the reference. */
static void
test_paper_ratio (void)
{
  const double table[][2] = { { .05, .501 }, { .1, .503 }, { .2, .510 }, { .3, .525 },
                              { .5, .586 },  { .7, .770 }, { .9, 1.85 } };

  for (gsize i = 0; i < G_N_ELEMENTS (table); i++)
    {
      double k = table[i][0], x = vg_flow_model_solve (VG_FLOW_LORENTZIAN, k * k, 1.0);

      g_assert_cmpfloat_with_epsilon (1.0 / (2.0 * k * k) / x, table[i][1], table[i][1] * 3e-3);
    }
}

/* Contrast that no correlation time gives has no value. */
static void
test_domain (void)
{
  for (int model = VG_FLOW_FERCHER_BRIERS; model <= VG_FLOW_GAUSSIAN; model++)
    {
      VgFlowParams params = { .model = model,
                              .beta = 0.25f,
                              .exposure_ms = 10.0f,
                              .static_scattering = VG_FLOW_STATIC_GLOBAL,
                              .dynamic_fraction = 0.6f };
      g_autofree float *table = g_new (float, VG_FLOW_TABLE_FLOATS);
      VgFlowInversion inversion;
      float above = 0.51f, below = 0.19f, inside = 0.35f;

      vg_flow_inversion_build (&inversion, table, &params);
      g_assert_true (isnan (vg_flow_correlation_time (&inversion, table, above)));
      g_assert_true (isnan (vg_flow_correlation_time (&inversion, table, below)));
      g_assert_true (isnan (vg_flow_correlation_time (&inversion, table, VG_FLOW_NAN)));
      g_assert_true (vg_flow_correlation_time (&inversion, table, inside) > 0.0f);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/flow/models/table", test_table);
  g_test_add_func ("/flow/models/static-table", test_static_table);
  g_test_add_func ("/flow/models/asymptotes", test_asymptotes);
  g_test_add_func ("/flow/models/paper-ratio", test_paper_ratio);
  g_test_add_func ("/flow/models/domain", test_domain);
  return g_test_run ();
}
