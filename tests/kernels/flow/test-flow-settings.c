/* SPDX-License-Identifier: MIT */
/* Settings of flow: updates while it runs, values that it refuses, and what a file states. */
#include "tests/kernels/flow/support/flow-update.h"
#include "kernels/flow/model/flow-checks.h"
#include "kernels/base/vg-error.h"

enum { W = 40, H = 30, N = W * H };

/* An update of settings gives the same map as a new state. */
static void
test_update (void)
{
  guint16 data[N];
  VgFlowParams changed;
  FlowFixture flow, fresh;

  flow_fixture_fill (data, N, 300, 4000);
  flow_fixture_init (&flow, VG_U16, W, H, 12);
  flow_fixture_prepare (&flow);
  flow_fixture_run (&flow, data);
  changed = *flow.params;
  changed.radius = 5;
  changed.edges = VG_FLOW_EDGES_ZERO;
  changed.dark_level = 17.0f;
  changed.exposure_ms = 3.0f;
  changed.model = VG_FLOW_GAUSSIAN;
  changed.mask_saturated = TRUE;
  changed.saturation_level = 3990.0;
  g_assert_true (flow.engine->update (flow.state, &changed));
  g_assert_cmpint (flow.engine->step (flow.state, 1.0, NULL), ==, VG_STEP_DONE);
  flow_fixture_init (&fresh, VG_U16, W, H, 12);
  *fresh.params = changed;
  flow_fixture_prepare (&fresh);
  flow_fixture_run (&fresh, data);
  for (guint output = 0; output < VG_FLOW_N_OUTPUTS; output++)
    {
      VgPlane plane;

      if (output == VG_FLOW_OUTPUT_STATIC_FRACTION)
        {
          /* One frame: there is no pair. */
          g_assert_false (flow.engine->output (flow.state, output, &plane, NULL));
          continue;
        }
      if (!vg_operation_output_is_shown (&vg_flow_operation, output, &changed) ||
          vg_flow_operation.outputs[output].kind == VG_OUTPUT_TEXT)
        continue;
      g_assert_cmpmem (flow_fixture_output (&flow, output), sizeof (float) * N,
                       flow_fixture_output (&fresh, output), sizeof (float) * N);
    }
  changed.method = VG_FLOW_TEMPORAL;
  g_assert_false (flow.engine->update (flow.state, &changed));
  flow_fixture_clear (&flow);
  flow_fixture_clear (&fresh);
}

static void
test_errors (void)
{
  VgImageInfo info = flow_info (VG_U16, W, H, 12), other = flow_info (VG_U16, W + 1, H, 12);
  g_autofree VgFlowParams *params = vg_params_new (&vg_flow_operation.params);
  g_autoptr (VgImage) dark = NULL;
  g_autoptr (GError) error = NULL;
  VgInputFile file = { "dark_file", NULL };
  VgContext context = {
    .params = params, .info = &info, .threads = 1, .files = &file, .n_files = 1
  };

  other.frames = 1;
  dark = vg_image_new (&other, "dark.tif", NULL);
  file.image = dark;
  g_assert_null (vg_flow_operation.cpu->prepare (&context, &error));
  g_assert_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT);
  g_clear_error (&error);
  context.n_files = 0;
  info.channels = 3;
  g_assert_null (vg_flow_operation.cpu->prepare (&context, &error));
  g_assert_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT);
  g_clear_error (&error);
  params->mask_saturated = TRUE;
  params->dark_level = 100.0f;
  params->saturation_level = 90.0;
  g_assert_false (vg_flow_validate (params, &error));
  g_assert_error (error, VG_USAGE_ERROR, 0);
  g_clear_error (&error);
  params->saturation_level = 100.0;
  g_assert_false (vg_flow_validate (params, &error));
  params->saturation_level = 101.0;
  g_assert_true (vg_flow_validate (params, NULL));
}

/* A file sets the exposure time that it states, unless it is impossible. */
static void
test_adopt (void)
{
  static const double exposure_ms[][2] = { { 7, 7 },       { 0, 10 },    { 1e-4, 10 },
                                           { 1e-3, 1e-3 }, { 1e5, 1e5 }, { 1e6, 10 } };

  for (gsize i = 0; i < G_N_ELEMENTS (exposure_ms); i++)
    {
      g_autofree VgFlowParams *params = vg_params_new (&vg_flow_operation.params);
      VgImageInfo info = flow_info (VG_U8, 8, 8, 8);

      info.exposure_ms = exposure_ms[i][0];
      vg_flow_adopt (params, &info);
      g_assert_cmpfloat (params->exposure_ms, ==, (float) exposure_ms[i][1]);
    }
}

/* An assumed exposure time is reported until it is set or the file states it. */
static void
test_assumed (void)
{
  static const struct
  {
    double says_ms, set_ms;
    gboolean told;
  } cases[] = { { 0, 10, TRUE }, { 0, 5, FALSE }, { 10, 10, FALSE } };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (VgMetrics) numbers = vg_metrics_new ();
      const VgMetric *number;
      guint16 data[N];
      FlowFixture flow;

      flow_fixture_init (&flow, VG_U16, W, H, 12);
      flow.info.exposure_ms = cases[i].says_ms;
      flow.params->exposure_ms = (float) cases[i].set_ms;
      flow_fixture_prepare (&flow);
      flow_fixture_fill (data, N, 100, 4000);
      flow_fixture_run (&flow, data);
      flow.engine->results (flow.state, numbers, NULL);
      number = vg_metrics_find (numbers, "exposure_ms");
      g_assert_cmpint (number != NULL, ==, cases[i].told);
      if (number != NULL)
        g_assert_nonnull (strstr (number->advice, "10 ms is assumed"));
      flow_fixture_clear (&flow);
    }
}

/* Negative samples, which intensities are not, are counted; many of them make the maps wrong. */
static void
test_negative (void)
{
  static const struct
  {
    int negative;
    gboolean told, grave;
  } cases[] = { { 0, FALSE, FALSE }, { N / 200, TRUE, FALSE }, { N / 10, TRUE, TRUE } };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (VgMetrics) numbers = vg_metrics_new ();
      const VgMetric *number;
      float data[N];
      FlowFixture flow;

      flow_fixture_init (&flow, VG_F32, W, H, 32);
      flow_fixture_prepare (&flow);
      for (int k = 0; k < N; k++)
        data[k] = k < cases[i].negative ? -5.0f : k % 3;
      flow_fixture_run (&flow, data);
      flow.engine->results (flow.state, numbers, NULL);
      number = vg_metrics_find (numbers, "negative_percent");
      g_assert_cmpfloat_with_epsilon (number->value, 100.0 * cases[i].negative / N, 1e-9);
      g_assert_cmpint (number->advice != NULL, ==, cases[i].told);
      g_assert_cmpint ((number->flags & VG_NUMBER_GRAVE) != 0, ==, cases[i].grave);
      flow_fixture_clear (&flow);
    }
}

static void
test_any_update (void)
{
  flow_update_check (vg_flow_operation.cpu, NULL, g_test_thorough () ? 400 : 40);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/flow/settings/update", test_update);
  g_test_add_func ("/flow/settings/errors", test_errors);
  g_test_add_func ("/flow/settings/adopt", test_adopt);
  g_test_add_func ("/flow/settings/assumed", test_assumed);
  g_test_add_func ("/flow/settings/negative", test_negative);
  g_test_add_func ("/flow/settings/any-update", test_any_update);
  return g_test_run ();
}
