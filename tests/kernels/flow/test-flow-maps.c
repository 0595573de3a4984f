/* SPDX-License-Identifier: MIT */
#include "bench/flow/flow-bench.h"
#include "tests/kernels/flow/support/flow-fixture.h"
#include "kernels/flow/model/flow-limits.h"
#include "tests/kernels/flow/support/flow-update.h"
#include "kernels/flow/engine/flow-view.h"
#include "kernels/base/vg-error.h"
/* Maps from contrast: noise terms, masks, averages, baseline, relative flow, updates of settings,
 * and the paper's Roll algorithm. */

enum { W = 40, H = 30, N = W * H };

static void
random_frame (guint16 *data, double low, double high)
{
  for (int i = 0; i < N; i++)
    data[i] = (guint16) g_test_rand_double_range (low, high);
}

static float *
copy_output (FlowFixture *flow, guint output)
{
  return g_memdup2 (flow_fixture_output (flow, output), N * sizeof (float));
}

/* Compares every noise term with the formula; values below the noise floor are missing. */
static void
test_noise (void)
{
  guint16 data[N];
  const void *frames[1] = { data };
  FlowFixture flow;
  g_autofree float *k = NULL;
  int below = 0;

  random_frame (data, 80, 120);
  flow_fixture_init (&flow, VG_U16, W, H, 12);
  flow.params->dark_level = 10.0f;
  flow.params->gain_dn_per_e = 0.5f;
  flow.params->read_noise_dn = 3.0f;
  flow.params->quantisation = TRUE;
  flow_fixture_prepare (&flow);
  flow_fixture_run (&flow, data);
  k = copy_output (&flow, VG_FLOW_OUTPUT_CONTRAST);
  for (int i = 0; i < N; i++)
    {
      int x = i % W, y = i / W;
      double mean = 0.0, n = 0.0, k2 = flow_reference_k2 (&flow, frames, 1, 2, x, y, NULL);

      for (int v = MAX (y - 2, 0); v <= MIN (y + 2, H - 1); v++)
        for (int u = MAX (x - 2, 0); u <= MIN (x + 2, W - 1); u++, n += 1.0)
          mean += data[v * W + u] - 10.0;
      mean /= n;
      k2 -= 0.5 / mean + (9.0 + 1.0 / 12.0) / (mean * mean);
      if (k2 > 0.0)
        g_assert_cmpfloat (fabs (k[i] - sqrt (k2)), <=, 3e-7 * sqrt (k2));
      else
        g_assert_true (isnan (k[i]));
    }
  flow.params->read_noise_dn = 40.0f; /* more than all there is */
  g_assert_true (flow.engine->update (flow.state, flow.params));
  g_assert_cmpint (flow.engine->step (flow.state, 1.0, NULL), ==, VG_STEP_DONE);
  for (int i = 0; i < N; i++)
    below += isnan (flow_fixture_output (&flow, VG_FLOW_OUTPUT_CONTRAST)[i]);
  g_assert_cmpint (below, ==, N);
  flow_fixture_clear (&flow);
}

/* If the variance equals that of the noise, rounding does not decide whether there is a contrast.
 */
static void
test_ties (void)
{
  FlowFixture flow;

  flow_fixture_init (&flow, VG_U8, 1, 1, 8);
  flow_tie_init (&flow);
  flow_fixture_prepare (&flow);
  flow_tie_run (&flow);
  flow_tie_check (flow_fixture_output (&flow, VG_FLOW_OUTPUT_CONTRAST));
  flow_fixture_clear (&flow);
}

/* Exactly the windows with a saturated pixel have no value. */
static void
check_saturation (VgFlowMethod method, gsize n_bad)
{
  guint16 data[N];
  FlowFixture flow;
  g_autoptr (VgMetrics) numbers = vg_metrics_new ();
  int r = method == VG_FLOW_TEMPORAL ? 0 : 3;
  const int bad[][2] = { { 0, 0 }, { 20, 15 }, { W - 1, 7 } };

  flow_fixture_init (&flow, VG_U16, W, H, 12);
  flow.params->method = method;
  flow.params->radius = 3;
  flow.params->frames = 3;
  flow.params->mask_saturated = TRUE;
  flow_fixture_prepare (&flow);
  for (int f = 0; f < 3; f++)
    {
      random_frame (data, 100, 4094);
      if (f == (method == VG_FLOW_SPATIAL ? 2 : 1))
        for (gsize i = 0; i < n_bad; i++)
          data[bad[i][1] * W + bad[i][0]] = 4095;
      flow_fixture_run (&flow, data);
    }
  for (int i = 0; i < N; i++)
    {
      gboolean masked = FALSE;

      for (gsize b = 0; b < n_bad; b++)
        masked = masked || (ABS (i % W - bad[b][0]) <= r && ABS (i / W - bad[b][1]) <= r);
      g_assert_cmpint (isnan (flow_fixture_output (&flow, VG_FLOW_OUTPUT_CONTRAST)[i]), ==, masked);
    }
  flow.engine->results (flow.state, numbers);
  if (method == VG_FLOW_SPATIAL)
    g_assert_cmpfloat_with_epsilon (vg_metrics_find (numbers, "saturated_percent")->value,
                                    100.0 * n_bad / N, 1e-9);
  /* After the bad frame has left the window, all pixels are valid again. */
  for (int f = 0; f < 3; f++)
    {
      random_frame (data, 100, 4094);
      flow_fixture_run (&flow, data);
    }
  for (int i = 0; i < N; i++)
    g_assert_false (isnan (flow_fixture_output (&flow, VG_FLOW_OUTPUT_CONTRAST)[i]));
  flow_fixture_clear (&flow);
}

/* The same for a single bad pixel. */
static void
test_saturation (void)
{
  for (int method = VG_FLOW_SPATIAL; method <= VG_FLOW_SPATIO_TEMPORAL; method++)
    for (gsize n_bad = 1; n_bad <= 3; n_bad += 2)
      check_saturation (method, n_bad);
}

static void
test_nonfinite (void)
{
  float data[N];
  FlowFixture flow;
  g_autoptr (GError) error = NULL;
  int masked = 0;

  for (int i = 0; i < N; i++)
    data[i] = (float) g_test_rand_double_range (10, 20);
  data[5 * W + 6] = NAN;
  data[5 * W + 7] = INFINITY;
  flow_fixture_init (&flow, VG_F32, W, H, 0);
  flow_fixture_prepare (&flow);
  g_assert_false (flow_fixture_feed (&flow, data, &error));
  g_assert_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT);
  g_assert_nonnull (strstr (error->message, "(6, 5)"));
  flow.params->nonfinite = VG_FLOW_NONFINITE_MASK;
  flow_fixture_prepare (&flow);
  g_assert_cmpint (flow_fixture_run (&flow, data), ==, VG_STEP_DONE);
  for (int i = 0; i < N; i++)
    masked += isnan (flow_fixture_output (&flow, VG_FLOW_OUTPUT_CONTRAST)[i]);
  g_assert_cmpint (masked, ==, 5 * 6);
  flow_fixture_clear (&flow);
}

/* The average is of K^2, over exactly the last maps. */
static void
test_average (void)
{
  enum { AVERAGE = 4 };
  guint16 data[AVERAGE + 2][N];
  FlowFixture flow;

  flow_fixture_init (&flow, VG_U16, W, H, 12);
  flow.params->average = AVERAGE;
  flow_fixture_prepare (&flow);
  g_assert_cmpint (vg_operation_get_history (&vg_flow_operation, flow.params), ==, AVERAGE - 1);
  for (int f = 0; f < AVERAGE + 2; f++)
    {
      random_frame (data[f], 10 * f, 4000);
      g_assert_cmpint (flow_fixture_run (&flow, data[f]), ==,
                       f + 1 < AVERAGE ? VG_STEP_WAIT : VG_STEP_DONE);
    }
  for (int i = 0; i < N; i += 7)
    {
      double sum = 0.0;

      for (int f = 2; f < AVERAGE + 2; f++)
        {
          const void *frames[1] = { data[f] };

          sum += flow_reference_k2 (&flow, frames, 1, 2, i % W, i / W, NULL) / AVERAGE;
        }
      g_assert_cmpfloat (
          fabs (flow_fixture_output (&flow, VG_FLOW_OUTPUT_CONTRAST)[i] / sqrt (sum) - 1.0), <,
          3e-7);
    }
  flow_fixture_clear (&flow);
}

/* 100 % on the first map; the mean of the first maps; and a new one on demand. */
static void
test_baseline (void)
{
  guint16 data[N];
  FlowFixture flow;
  g_autofree float *first = NULL, *second = NULL, *third = NULL;

  flow_fixture_init (&flow, VG_U16, W, H, 12);
  flow.params->baseline_frames = 2;
  flow_fixture_prepare (&flow);
  random_frame (data, 500, 600);
  flow_fixture_run (&flow, data);
  first = copy_output (&flow, VG_FLOW_OUTPUT_CONTRAST);
  for (int i = 0; i < N; i++)
    g_assert_cmpfloat_with_epsilon (flow_fixture_output (&flow, VG_FLOW_OUTPUT_RELATIVE_FLOW)[i],
                                    100.0, 1e-3);
  random_frame (data, 400, 700);
  flow_fixture_run (&flow, data);
  second = copy_output (&flow, VG_FLOW_OUTPUT_CONTRAST);
  random_frame (data, 100, 900);
  flow_fixture_run (&flow, data);
  third = copy_output (&flow, VG_FLOW_OUTPUT_CONTRAST);
  for (int i = 0; i < N; i++)
    {
      double base = 0.5 * ((double) first[i] * first[i] + (double) second[i] * second[i]);

      g_assert_cmpfloat_with_epsilon (flow_fixture_output (&flow, VG_FLOW_OUTPUT_RELATIVE_FLOW)[i],
                                      100.0 * base / ((double) third[i] * third[i]), 1e-3);
    }
  flow.params->set_baseline++;
  g_assert_true (flow.engine->update (flow.state, flow.params));
  g_assert_cmpint (flow.engine->step (flow.state, 1.0, NULL), ==, VG_STEP_DONE);
  for (int i = 0; i < N; i++)
    g_assert_cmpfloat_with_epsilon (flow_fixture_output (&flow, VG_FLOW_OUTPUT_RELATIVE_FLOW)[i],
                                    100.0, 1e-3);
  flow_fixture_clear (&flow);
}

/* Without a set length the baseline is one second, here two heartbeats: their mean flow is 100 %,
 * not that of one phase. */
static void
test_baseline_second (void)
{
  enum { BEAT = 5, FRAMES = 30 };
  const double intervals[] = { 0.1, 0.0 };

  for (int k = 0; k < 2; k++)
    {
      const double maps = intervals[k] > 0.0 ? 10 : 25;
      g_autoptr (VgMetrics) numbers = vg_metrics_new ();
      const VgMetric *number;
      FlowFixture flow;
      double sum = 0.0;

      flow_fixture_init (&flow, VG_U16, W, H, 12);
      flow.info.frame_interval_s = intervals[k];
      flow_fixture_prepare (&flow);
      for (int i = 0; i < FRAMES; i++)
        {
          guint16 data[N];

          /* a checkerboard: K^2 is the same in every window of a frame */
          for (int at = 0; at < N; at++)
            data[at] = (guint16) (1000 +
                                  ((at % W + at / W) % 2 ? 1 : -1) * (100 + 30 * (i % BEAT)));
          flow_fixture_run (&flow, data);
          /* 100 K0^2 / K^2: the mean of its reciprocal over whole beats is 1 */
          if (i >= FRAMES - BEAT)
            sum += 100.0 /
                   flow_fixture_output (&flow, VG_FLOW_OUTPUT_RELATIVE_FLOW)[N / 2 + W / 2] / BEAT;
        }
      g_assert_cmpfloat_with_epsilon (sum, 1.0, 1e-5);
      flow.engine->results (flow.state, numbers);
      number = vg_metrics_find (numbers, "baseline_maps");
      g_assert_cmpfloat (number->value, ==, maps);
      if (intervals[k] > 0.0)
        g_assert_null (number->advice);
      else
        g_assert_nonnull (strstr (number->advice, "frame interval is unknown"));
      flow_fixture_clear (&flow);
    }
}

/* An update of settings gives the same map as a new state. */
static void
test_update (void)
{
  guint16 data[N];
  VgFlowParams changed;
  FlowFixture flow, fresh;

  random_frame (data, 300, 4000);
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
      g_autofree float *map = NULL;

      if (output == VG_FLOW_OUTPUT_STATIC_FRACTION)
        {
          /* One frame: there is no pair. */
          g_assert_false (flow.engine->output (flow.state, output, &plane));
          continue;
        }
      map = copy_output (&flow, output);
      g_assert_cmpmem (map, sizeof (float) * N, flow_fixture_output (&fresh, output),
                       sizeof (float) * N);
    }
  changed.method = VG_FLOW_TEMPORAL;
  g_assert_false (flow.engine->update (flow.state, &changed));
  flow_fixture_clear (&flow);
  flow_fixture_clear (&fresh);
}

/* The paper's algorithm gives the same contrast with zeros outside. */
static void
test_roll (void)
{
  guint16 data[N];
  g_autofree float *k = g_new (float, N), *index = g_new (float, N);
  g_autofree gint64 *scratch = g_new (gint64, 2 * W);

  for (int radius = 1; radius <= VG_FLOW_MAX_RADIUS; radius += 2)
    {
      FlowFixture flow;

      random_frame (data, 0, 65535);
      flow_fixture_init (&flow, VG_U16, W, H, 16);
      flow.params->edges = VG_FLOW_EDGES_ZERO;
      flow.params->radius = radius;
      flow_fixture_prepare (&flow);
      flow_fixture_run (&flow, data);
      vg_flow_roll (data, W, H, radius, 50.0, k, index, scratch);
      for (int i = 0; i < N; i++)
        {
          float own = flow_fixture_output (&flow, VG_FLOW_OUTPUT_CONTRAST)[i];

          g_assert_cmpfloat (fabs (k[i] / own - 1.0), <, 6e-7);
        }
      flow_fixture_clear (&flow);
    }
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
      random_frame (data, 100, 4000);
      flow_fixture_run (&flow, data);
      flow.engine->results (flow.state, numbers);
      number = vg_metrics_find (numbers, "exposure_ms");
      g_assert_cmpint (number != NULL, ==, cases[i].told);
      if (number != NULL)
        g_assert_nonnull (strstr (number->advice, "10 ms is assumed"));
      flow_fixture_clear (&flow);
    }
}

/* In the curves of a pixel the marked point is the map's value. */
static void
test_curves (void)
{
  guint16 data[N];
  FlowFixture flow;
  g_autoptr (VgCurves) by_radius = NULL;
  g_autoptr (VgCurves) histogram = NULL;
  g_autoptr (VgCurves) model = NULL;
  const VgSeries *series;
  double counted = 0.0;

  random_frame (data, 100, 3000);
  flow_fixture_init (&flow, VG_U16, W, H, 12);
  flow_fixture_prepare (&flow);
  g_assert_null (flow.engine->curves->sample (flow.state, 3.0, 3.0, 0));
  flow_fixture_run (&flow, data);
  by_radius = flow.engine->curves->sample (flow.state, 11.5, 9.5, 0);
  series = g_ptr_array_index (by_radius->series, 1);
  g_assert_cmpfloat (
      fabs (series->y[0] / flow_fixture_output (&flow, VG_FLOW_OUTPUT_CONTRAST)[9 * W + 11] - 1.0),
      <, 3e-7);
  g_assert_null (flow.engine->curves->sample (flow.state, W + 1.0, 3.0, 0));
  g_assert_null (flow.engine->curves->sample (flow.state, NAN, 3.0, 0));
  histogram = flow.engine->curves->plot (flow.state, 0);
  series = g_ptr_array_index (histogram->series, 0);
  for (int i = 0; i < series->n; i++)
    counted += series->y[i];
  g_assert_cmpfloat (counted, ==, N);
  model = flow.engine->curves->plot (flow.state, 1);
  g_assert_cmpuint (model->series->len, ==, 2);
  flow_fixture_clear (&flow);
}

static void
test_any_update (void)
{
  flow_update_check (vg_flow_operation.cpu, NULL, g_test_thorough () ? 400 : 40);
}

/* Outputs with a meaningful mean over a region are offered for time courses and are in regions.csv.
 */
static void
test_followed (void)
{
  g_autoptr (GString) followed = g_string_new (NULL);

  for (guint i = 0; i < vg_flow_operation.n_outputs; i++)
    if (vg_flow_operation.outputs[i].time_course)
      g_string_append_printf (followed, "%s ", vg_flow_operation.outputs[i].id);
  g_assert_cmpstr (followed->str, ==, "contrast flow_index correlation_time relative_flow ");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/flow/maps/noise", test_noise);
  g_test_add_func ("/flow/maps/ties", test_ties);
  g_test_add_func ("/flow/maps/saturation", test_saturation);
  g_test_add_func ("/flow/maps/nonfinite", test_nonfinite);
  g_test_add_func ("/flow/maps/average", test_average);
  g_test_add_func ("/flow/maps/baseline", test_baseline);
  g_test_add_func ("/flow/maps/baseline-second", test_baseline_second);
  g_test_add_func ("/flow/maps/update", test_update);
  g_test_add_func ("/flow/maps/roll", test_roll);
  g_test_add_func ("/flow/maps/errors", test_errors);
  g_test_add_func ("/flow/maps/adopt", test_adopt);
  g_test_add_func ("/flow/maps/assumed", test_assumed);
  g_test_add_func ("/flow/maps/curves", test_curves);
  g_test_add_func ("/flow/maps/followed", test_followed);
  g_test_add_func ("/flow/maps/any-update", test_any_update);
  return g_test_run ();
}
