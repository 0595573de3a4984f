/* SPDX-License-Identifier: MIT */
/* Maps from contrast: noise terms, masks, averages, baseline, relative flow, and the
 * paper's Roll algorithm. */
#include "bench/flow/flow-bench.h"
#include "tests/kernels/flow/support/flow-fixture.h"
#include "kernels/flow/model/flow-checks.h"
#include "kernels/base/vg-error.h"

enum { W = 40, H = 30, N = W * H };

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

  flow_fixture_fill (data, N, 80, 120);
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
      flow_fixture_fill (data, N, 100, 4094);
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
  flow.engine->results (flow.state, numbers, NULL);
  if (method == VG_FLOW_SPATIAL)
    g_assert_cmpfloat_with_epsilon (vg_metrics_find (numbers, "saturated_percent")->value,
                                    100.0 * n_bad / N, 1e-9);
  /* After the bad frame has left the window, all pixels are valid again. */
  for (int f = 0; f < 3; f++)
    {
      flow_fixture_fill (data, N, 100, 4094);
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
      flow_fixture_fill (data[f], N, 10 * f, 4000);
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
  flow_fixture_fill (data, N, 500, 600);
  flow_fixture_run (&flow, data);
  first = copy_output (&flow, VG_FLOW_OUTPUT_CONTRAST);
  for (int i = 0; i < N; i++)
    g_assert_cmpfloat_with_epsilon (flow_fixture_output (&flow, VG_FLOW_OUTPUT_RELATIVE_FLOW)[i],
                                    100.0, 1e-3);
  flow_fixture_fill (data, N, 400, 700);
  flow_fixture_run (&flow, data);
  second = copy_output (&flow, VG_FLOW_OUTPUT_CONTRAST);
  flow_fixture_fill (data, N, 100, 900);
  flow_fixture_run (&flow, data);
  third = copy_output (&flow, VG_FLOW_OUTPUT_CONTRAST);
  for (int i = 0; i < N; i++)
    {
      double base = 2 / (1 / ((double) first[i] * first[i]) + 1 / ((double) second[i] * second[i]));

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
          if (i >= FRAMES - BEAT)
            sum += flow_fixture_output (&flow, VG_FLOW_OUTPUT_RELATIVE_FLOW)[N / 2 + W / 2] / BEAT;
        }
      g_assert_cmpfloat_with_epsilon (sum, 100.0, 1e-3);
      flow.engine->results (flow.state, numbers, NULL);
      number = vg_metrics_find (numbers, "baseline_maps");
      g_assert_cmpfloat (number->value, ==, maps);
      if (intervals[k] > 0.0)
        g_assert_null (number->advice);
      else
        g_assert_nonnull (strstr (number->advice, "the first 25 maps, or all if there are fewer"));
      flow_fixture_clear (&flow);
    }
}

/* A checkerboard with the squared contrast K2 in the window around the pixel in the middle, which
 * is bright, as are 13 of its 25 pixels. */
static void
fill_contrast (guint16 *data, double k2)
{
  const double s = 30000, n = 25, q = sqrt (k2 * (n - 1) / n / (1 - 1 / (n * n)));
  const double a = q * s / (1 - q / n);

  for (int i = 0; i < N; i++)
    data[i] = (guint16) lround (s + ((i % W + i / W) % 2 ? a : -a));
}

/* Flow that does not change is 100 % at every exposure time of the camera, by the model that was
 * chosen; a change of the setting has no influence. */
static void
test_baseline_exposures (void)
{
  static const double exposures[] = { 8, 8, 3, 8, 20, 0.5 }, taus[] = { 0.5, 3, 12 };
  static const struct
  {
    int model, statics;
    double beta, rho;
  } cases[] = { { VG_FLOW_LORENTZIAN, VG_FLOW_STATIC_NONE, 0.6, 1 },
                { VG_FLOW_GAUSSIAN, VG_FLOW_STATIC_NONE, 0.9, 1 },
                { VG_FLOW_LORENTZIAN, VG_FLOW_STATIC_GLOBAL, 0.6, 0.8 },
                { VG_FLOW_BANDYOPADHYAY, VG_FLOW_STATIC_NONE, 1, 1 } };

  for (gsize c = 0; c < G_N_ELEMENTS (cases); c++)
    for (gsize t = 0; t < G_N_ELEMENTS (taus); t++)
      for (int length = 1; length <= 3; length++)
        {
          const gboolean fast = cases[c].model == VG_FLOW_BANDYOPADHYAY;
          FlowFixture flow;

          if (fast && taus[t] > 0.5)
            continue;
          flow_fixture_init (&flow, VG_U16, W, H, 16);
          flow.params->model = cases[c].model;
          flow.params->static_scattering = cases[c].statics;
          flow.params->beta = (float) cases[c].beta;
          flow.params->dynamic_fraction = (float) cases[c].rho;
          flow.params->baseline_frames = length;
          flow_fixture_prepare (&flow);
          for (gsize i = 0; i < G_N_ELEMENTS (exposures); i++)
            {
              const double x = exposures[i] / taus[t];
              guint16 data[N];

              if (fast && x < 5)
                continue;
              fill_contrast (data, fast ? 1 / x
                                        : cases[c].beta *
                                              vg_flow_model_k2 (cases[c].model, x, cases[c].rho));
              flow.exposure_ms = exposures[i];
              flow_fixture_run (&flow, data);
              g_assert_cmpfloat_with_epsilon (
                  flow_fixture_output (&flow, VG_FLOW_OUTPUT_RELATIVE_FLOW)[N / 2 + W / 2], 100.0,
                  0.5);
            }
          flow.params->exposure_ms = 1;
          g_assert_true (flow.engine->update (flow.state, flow.params));
          g_assert_cmpint (flow.engine->step (flow.state, 1.0, NULL), ==, VG_STEP_DONE);
          g_assert_cmpfloat_with_epsilon (
              flow_fixture_output (&flow, VG_FLOW_OUTPUT_RELATIVE_FLOW)[N / 2 + W / 2], 100.0, 0.5);
          flow_fixture_clear (&flow);
        }
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

      flow_fixture_fill (data, N, 0, 65535);
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

  flow_fixture_fill (data, N, 100, 3000);
  flow_fixture_init (&flow, VG_U16, W, H, 12);
  flow_fixture_prepare (&flow);
  g_assert_null (flow.engine->curves->sample (flow.state, 3.0, 3.0, 0, NULL));
  flow_fixture_run (&flow, data);
  by_radius = flow.engine->curves->sample (flow.state, 11.5, 9.5, 0, NULL);
  series = g_ptr_array_index (by_radius->series, 1);
  g_assert_cmpfloat (
      fabs (series->y[0] / flow_fixture_output (&flow, VG_FLOW_OUTPUT_CONTRAST)[9 * W + 11] - 1.0),
      <, 3e-7);
  g_assert_null (flow.engine->curves->sample (flow.state, W + 1.0, 3.0, 0, NULL));
  g_assert_null (flow.engine->curves->sample (flow.state, NAN, 3.0, 0, NULL));
  histogram = flow.engine->curves->plot (flow.state, 0, NULL);
  series = g_ptr_array_index (histogram->series, 0);
  for (int i = 0; i < series->n; i++)
    counted += series->y[i];
  g_assert_cmpfloat (counted, ==, N);
  model = flow.engine->curves->plot (flow.state, 1, NULL);
  g_assert_cmpuint (model->series->len, ==, 2);
  flow_fixture_clear (&flow);
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

/* Perfusion is 0 at the zero index and 100 % at the reference, and linear between them; a reference
 * that is not above the zero is refused. */
static void
test_perfusion (void)
{
  guint16 data[W * H];
  g_autofree float *index = NULL;
  g_autoptr (GError) error = NULL;
  const float *found;
  VgFlowParams changed;
  VgPlane plane;
  FlowFixture flow;

  flow_fixture_init (&flow, VG_U16, W, H, 12);
  flow_fixture_fill (data, W * H, 100, 4000);
  data[0] = data[1] = data[W] = data[W + 1] = 0;
  flow_fixture_prepare (&flow);
  flow_fixture_run (&flow, data);
  g_assert_false (flow.engine->output (flow.state, VG_FLOW_OUTPUT_PERFUSION, &plane, NULL));
  index = g_memdup2 (flow_fixture_output (&flow, VG_FLOW_OUTPUT_FLOW_INDEX),
                     sizeof (float) * W * H);
  changed = *flow.params;
  changed.calibrated = TRUE;
  changed.zero_index = index[500];
  changed.reference_index = index[500] + 37.5f;
  g_assert_true (vg_flow_operation.validate (&changed, NULL));
  g_assert_true (flow.engine->update (flow.state, &changed));
  g_assert_cmpint (flow.engine->step (flow.state, 1.0, NULL), ==, VG_STEP_DONE);
  found = flow_fixture_output (&flow, VG_FLOW_OUTPUT_PERFUSION);
  g_assert_cmpfloat (found[500], ==, 0);
  for (int i = 0; i < W * H; i++)
    {
      double expected = ((double) index[i] - (double) index[500]) / 37.5 * 100.0;

      g_assert_true (isnan (index[i]) ? isnan (found[i])
                                      : fabs (found[i] - expected) <= 1e-3 * (1 + fabs (expected)));
    }
  changed.reference_index = changed.zero_index;
  g_assert_false (vg_flow_operation.validate (&changed, &error));
  g_assert_error (error, VG_USAGE_ERROR, 0);
  flow_fixture_clear (&flow);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/flow/maps/noise", test_noise);
  g_test_add_func ("/flow/maps/ties", test_ties);
  g_test_add_func ("/flow/maps/baseline-exposures", test_baseline_exposures);
  g_test_add_func ("/flow/maps/saturation", test_saturation);
  g_test_add_func ("/flow/maps/nonfinite", test_nonfinite);
  g_test_add_func ("/flow/maps/average", test_average);
  g_test_add_func ("/flow/maps/baseline", test_baseline);
  g_test_add_func ("/flow/maps/baseline-second", test_baseline_second);
  g_test_add_func ("/flow/maps/roll", test_roll);
  g_test_add_func ("/flow/maps/curves", test_curves);
  g_test_add_func ("/flow/maps/followed", test_followed);
  g_test_add_func ("/flow/maps/perfusion", test_perfusion);
  return g_test_run ();
}
