/* SPDX-License-Identifier: MIT */
/* Multi-exposure imaging: exact curves, and the phantom with its static scattering. */
#include "tests/kernels/flow/support/flow-fixture.h"
#include "kernels/flow/exposures/flow-exposures.h"
#include "kernels/flow/model/flow-checks.h"
#include "kernels/flow/model/flow-model.h"
#include "kernels/flow/synthetic/flow-synthetic.h"
#include "kernels/base/vg-error.h"
#include "kernels/base/vg-sort.h"

static const double cycle_ms[] = { 0.05, 0.15, 0.5, 1, 2, 5, 10, 25, 80 };
enum { N = G_N_ELEMENTS (cycle_ms) };

static VgTable *
new_cycle (void)
{
  VgTable *table = vg_table_new (N, 1);

  memcpy (table->values, cycle_ms, sizeof cycle_ms);
  return table;
}

/* Exact curves of both models give tau, beta and rho back. */
static void
test_exact (void)
{
  static const int models[] = { VG_FLOW_LORENTZIAN, VG_FLOW_GAUSSIAN };
  VgFlowParams *params = vg_params_new (&vg_flow_operation.params);
  g_autofree VgFlowExposureFit *fit = g_new (VgFlowExposureFit, 1);

  params->exposures = new_cycle ();
  for (gsize m = 0; m < G_N_ELEMENTS (models); m++)
    for (double tau = 0.1; tau < 12; tau *= 2.3)
      for (double rho = 0.35; rho < 1; rho += 0.15)
        {
          float k2[VG_FLOW_MOST_EXPOSURES];
          double beta = 0.3 + 0.5 * rho;

          params->model = models[m];
          vg_flow_exposures_fit (params, fit);
          for (int i = 0; i < N; i++)
            k2[i] = (float) (beta * vg_flow_model_k2 (models[m], cycle_ms[i] / tau, rho));
          g_test_message ("model %d, tau %g, rho %g", models[m], tau, rho);
          g_assert_cmpfloat_with_epsilon (
              (double) vg_flow_exposure_value (fit, k2, VG_FLOW_FIT_TAU) / tau, 1, 2e-3);
          g_assert_cmpfloat_with_epsilon (
              (double) vg_flow_exposure_value (fit, k2, VG_FLOW_FIT_BETA) / beta, 1, 2e-3);
          g_assert_cmpfloat_with_epsilon (
              (double) vg_flow_exposure_value (fit, k2, VG_FLOW_FIT_RHO) / rho, 1, 2e-3);
          k2[1] = VG_FLOW_NAN;
          g_assert_cmpfloat_with_epsilon (
              (double) vg_flow_exposure_value (fit, k2, VG_FLOW_FIT_TAU) / tau, 1, 5e-3);
          for (int i = 0; i < N - 3; i++)
            k2[i] = VG_FLOW_NAN;
          g_assert_true (isnan (vg_flow_exposure_value (fit, k2, VG_FLOW_FIT_TAU)));
        }
  vg_params_free (&vg_flow_operation.params, params);
}

/* ---- The phantom ---- */

enum { W = 256, H = 256, CYCLES = 30, RADIUS = 10 };

/* The median of MAP in the middle of vessel TISSUE. */
static double
vessel_median (const float *map, int tissue)
{
  g_autofree float *values = g_new (float, W *H);
  int n = 0;

  for (int y = RADIUS; y < H - RADIUS; y++)
    for (int x = RADIUS; x < W - RADIUS; x++)
      if (vg_flow_phantom_tissue (x, y - RADIUS, W, H) == tissue &&
          vg_flow_phantom_tissue (x, y, W, H) == tissue &&
          vg_flow_phantom_tissue (x, y + RADIUS, W, H) == tissue && isfinite (map[y * W + x]))
        values[n++] = map[y * W + x];
  g_assert_cmpint (n, >, 100);
  vg_sort_floats (values, (gsize) n);
  return (double) values[n / 2];
}

static void
run_phantom (FlowFixture *flow, double rho)
{
  VgSyntheticSize size = { W, H, CYCLES * N, 1, VG_FLOW_SAMPLE_STRIPES };
  g_autofree guint16 *data = g_new (guint16, W * H);
  gpointer phantom;

  flow_fixture_init (flow, VG_U16, W, H, 12);
  vg_flow_phantom.settings (&size, flow->params);
  flow->params->method = VG_FLOW_SPATIAL;
  flow->params->radius = RADIUS;
  flow->params->static_scattering = VG_FLOW_STATIC_GLOBAL;
  flow->params->dynamic_fraction = (float) rho;
  flow->params->exposures = new_cycle ();
  flow->params->cycles = CYCLES;
  g_assert_true (vg_flow_validate (flow->params, NULL));
  phantom = vg_flow_phantom.open (flow->params, &size, &flow->info, NULL);
  g_assert_nonnull (phantom);
  flow_fixture_prepare (flow);
  for (int i = 0; i < CYCLES * N; i++)
    {
      vg_flow_phantom.read (phantom, i, data, NULL);
      g_assert_cmpint (flow_fixture_run (flow, data), ==, VG_STEP_DONE);
    }
  vg_flow_phantom.close (phantom);
}

/* tau, beta and rho of the widest vessel within 5 %. */
static void
test_phantom (void)
{
  const double rho = 0.8, tau = vg_flow_phantom_tau_ms[4];
  FlowFixture flow;
  double beta, found[3];

  run_phantom (&flow, rho);
  beta = vg_flow_field_window_factor (RADIUS, 1, 2.5);
  for (int i = 0; i < 3; i++)
    found[i] = vessel_median (flow_fixture_output (&flow, VG_FLOW_OUTPUT_FIT_TAU + (guint) i), 4);
  g_test_message ("tau %.4f of %.4f, beta %.4f of %.4f, rho %.4f of %.4f", found[0], tau, found[1],
                  beta, found[2], rho);
  g_assert_cmpfloat_with_epsilon (found[0] / tau, 1, 0.05);
  g_assert_cmpfloat_with_epsilon (found[1] / beta, 1, 0.05);
  g_assert_cmpfloat_with_epsilon (found[2] / rho, 1, 0.05);
  flow_fixture_clear (&flow);
}

/* The flow index uses the exposure time of its own frame. */
static void
test_index (void)
{
  enum { SIDE = 24 };
  guint16 data[SIDE * SIDE];
  FlowFixture flow;

  flow_fixture_init (&flow, VG_U16, SIDE, SIDE, 12);
  flow.params->exposures = new_cycle ();
  flow_fixture_prepare (&flow);
  flow_fixture_fill (data, SIDE * SIDE, 300, 3000);
  for (int i = 0; i < N + 2; i++)
    {
      double k;

      flow_fixture_run (&flow, data);
      k = (double) flow_fixture_output (&flow, VG_FLOW_OUTPUT_CONTRAST)[300];
      g_assert_cmpfloat_with_epsilon (
          (double) flow_fixture_output (&flow, VG_FLOW_OUTPUT_FLOW_INDEX)[300] /
              (500.0 / (cycle_ms[i % N] * k * k)),
          1, 1e-5);
    }
  flow_fixture_clear (&flow);
}

/* What does not go together is refused. */
static void
test_refused (void)
{
  VgFlowParams *params = vg_params_new (&vg_flow_operation.params);

  params->exposures = new_cycle ();
  g_assert_true (vg_flow_validate (params, NULL));
  g_assert_true (vg_operation_cycles_exposures (&vg_flow_operation, params));
  for (int i = 0; i < 4; i++)
    {
      g_autoptr (GError) error = NULL;
      VgFlowParams other = *params;

      if (i == 0)
        other.method = VG_FLOW_TEMPORAL;
      else if (i == 1)
        other.average = 2;
      else if (i == 2)
        other.pulse = TRUE;
      else
        other.exposures->rows = 3;
      g_assert_false (vg_flow_validate (&other, &error));
      g_assert_error (error, VG_USAGE_ERROR, 0);
    }
  g_clear_pointer (&params->exposures, vg_table_free);
  g_assert_false (vg_operation_cycles_exposures (&vg_flow_operation, params));
  vg_params_free (&vg_flow_operation.params, params);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/flow/exposures/exact", test_exact);
  g_test_add_func ("/flow/exposures/phantom", test_phantom);
  g_test_add_func ("/flow/exposures/index", test_index);
  g_test_add_func ("/flow/exposures/refused", test_refused);
  return g_test_run ();
}
