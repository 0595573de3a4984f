/* SPDX-License-Identifier: MIT */
/* The pulse: rates of known rhythms, and the indices of the phantom against those of its speed. */
#include "tests/kernels/flow/support/flow-fixture.h"
#include "kernels/flow/pulse/flow-pulse-trace.h"
#include "kernels/flow/synthetic/flow-synthetic.h"
#include "kernels/base/vg-sort.h"

static VgFlowTrace *
new_trace (double low, double high)
{
  g_autofree VgFlowParams *params = vg_params_new (&vg_flow_operation.params);

  params->pulse = TRUE;
  params->rate_min = (float) low;
  params->rate_max = (float) high;
  return vg_flow_trace_new (params);
}

/* Flow with a steep rise, an overtone nearly as strong, breathing, drift and noise. */
static double
beat_flow (double t, double rate, GRand *rand)
{
  double phase = 2.0 * G_PI * rate / 60.0 * t;

  return 1.0 + 0.1 * sin (phase) + 0.08 * sin (2.0 * phase + 0.6) + 0.03 * sin (3.0 * phase) +
         0.05 * sin (2.0 * G_PI * 0.25 * t) + 0.02 * t + 0.02 * g_rand_double_range (rand, -1, 1);
}

/* Within 0.5 beats per minute, with even frames and with frames at irregular times. */
static void
test_rate (void)
{
  static const struct
  {
    double rate, range[2], fps, seconds;
  } cases[] = { { 72.3, { 40, 200 }, 30, 12 },
                { 48, { 40, 200 }, 25, 15 },
                { 151.7, { 40, 200 }, 60, 10 },
                { 431, { 200, 700 }, 50, 8 } };
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    for (int jitter = 0; jitter < 2; jitter++)
      {
        VgFlowTrace *trace = new_trace (cases[i].range[0], cases[i].range[1]);
        int n = (int) (cases[i].fps * cases[i].seconds);

        for (int k = 0; k < n; k++)
          {
            double t = (k + jitter * 0.4 * g_rand_double_range (rand, -1, 1)) / cases[i].fps;

            vg_flow_trace_add (trace, t, 1.0 / beat_flow (t, cases[i].rate, rand));
          }
        g_test_message ("%g: found %.3f", cases[i].rate, vg_flow_trace_rate (trace));
        g_assert_cmpfloat_with_epsilon (vg_flow_trace_rate (trace), cases[i].rate, 0.5);
        vg_flow_trace_free (trace);
      }
}

/* A rate that changes is followed. */
static void
test_change (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);
  VgFlowTrace *trace = new_trace (40, 200);
  double start = 0.0;

  for (int k = 0; k < 2400; k++)
    {
      double t = k / 30.0, rate = k < 600 ? 60.0 : 90.0;

      vg_flow_trace_add (trace, t, 1.0 / beat_flow (t, rate, rand));
      if (k == 599)
        start = vg_flow_trace_rate (trace);
    }
  g_assert_cmpfloat_with_epsilon (start, 60, 0.5);
  g_assert_cmpfloat_with_epsilon (vg_flow_trace_rate (trace), 90, 0.5);
  vg_flow_trace_free (trace);
}

/* Noise has no rate, nor have frames without times; a rewound source begins anew. */
static void
test_none (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (4);
  VgFlowTrace *trace = new_trace (40, 200);
  VgFlowBeatMap map;
  int found = 0;

  for (int k = 0; k < 300; k++)
    vg_flow_trace_add (trace, 0.0, 1.0 / beat_flow (k / 30.0, 72, rand));
  g_assert_true (isnan (vg_flow_trace_rate (trace)));
  vg_flow_trace_restart (trace);
  for (int k = 0; k < 300; k++)
    {
      vg_flow_trace_add (trace, k / 30.0, g_rand_double_range (rand, 0.9, 1.1));
      found += !isnan (vg_flow_trace_rate (trace));
    }
  g_assert_cmpint (found, <, 30);
  vg_flow_trace_restart (trace);
  for (int k = 0; k < 300; k++)
    vg_flow_trace_add (trace, k / 30.0, 1.0 / beat_flow (k / 30.0, 72, rand));
  g_assert_false (isnan (vg_flow_trace_rate (trace)));
  map = vg_flow_trace_add (trace, 0.0, 1.0);
  g_assert_true (map.clears && !map.adds);
  g_assert_true (isnan (vg_flow_trace_rate (trace)));
  vg_flow_trace_free (trace);
}

/* ---- The phantom ---- */

enum { W = 192, H = 192, FRAMES = 750, RADIUS = 5 };

/* The indices of flow 1 / K^2 of a vessel whose speed is 1 + 0.3 sin. */
static void
true_indices (const VgFlowParams *params, double tau_ms, double *pulsatility, double *resistance)
{
  enum { STEPS = 1000 };
  double low = HUGE_VAL, high = 0.0, mean = 0.0;

  for (int i = 0; i < STEPS; i++)
    {
      double speed = 1.0 + 0.3 * sin (2.0 * G_PI * i / STEPS);
      double flow = 1.0 / vg_flow_model_k2 (VG_FLOW_LORENTZIAN,
                                            (double) params->exposure_ms / tau_ms * speed, 1.0);

      low = MIN (low, flow);
      high = MAX (high, flow);
      mean += flow / STEPS;
    }
  *pulsatility = (high - low) / mean;
  *resistance = (high - low) / high;
}

/* The median of MAP in the middle of vessel TISSUE. */
static double
vessel_median (const float *map, int tissue)
{
  g_autofree float *values = g_new (float, W *H);
  int n = 0;

  for (int y = RADIUS; y < H - RADIUS; y++)
    for (int x = 0; x < W; x++)
      {
        gboolean inside = TRUE;

        for (int v = -3; v <= 3; v++)
          inside = inside && vg_flow_phantom_tissue (x, y + v, W, H) == tissue;
        if (inside && isfinite (map[y * W + x]))
          values[n++] = map[y * W + x];
      }
  g_assert_cmpint (n, >, 100);
  vg_sort_floats (values, (gsize) n);
  return (double) values[n / 2];
}

static void
run_phantom (FlowFixture *flow)
{
  VgSyntheticSize size = { W, H, -1, 1, VG_FLOW_SAMPLE_STRIPES };
  g_autofree guint16 *data = g_new (guint16, W * H);
  gpointer phantom;

  flow_fixture_init (flow, VG_U16, W, H, 12);
  vg_flow_phantom.settings (&size, flow->params);
  flow->params->method = VG_FLOW_SPATIAL;
  flow->params->radius = 3;
  flow->params->pulse = TRUE;
  flow->params->beats = 1000;
  phantom = vg_flow_phantom.open (flow->params, &size, &flow->info, NULL);
  g_assert_nonnull (phantom);
  flow_fixture_prepare (flow);
  for (int i = 0; i < FRAMES; i++)
    {
      VgFrame frame = { .info = &flow->info, .data = data, .id = (guint64) i, .index = i };
      VgFrame *copy = g_memdup2 (&frame, sizeof frame);

      vg_flow_phantom.read (phantom, i, data, NULL);
      copy->data = g_memdup2 (data, sizeof (guint16) * W * H);
      copy->time_s = i * flow->info.frame_interval_s;
      copy->release = flow_frame_release;
      g_atomic_ref_count_init (&copy->ref_count);
      g_assert_true (flow->engine->feed (flow->state, copy, NULL));
      vg_frame_unref (copy);
      g_assert_cmpint (flow->engine->step (flow->state, 1.0, NULL), ==, VG_STEP_DONE);
    }
  vg_flow_phantom.close (phantom);
}

static double
number (FlowFixture *flow, const char *id)
{
  g_autoptr (VgMetrics) numbers = vg_metrics_new ();

  flow->engine->results (flow->state, numbers, NULL);
  g_assert_nonnull (vg_metrics_find (numbers, id));
  return vg_metrics_find (numbers, id)->value;
}

/* The rate of 72 within 0.5, the indices of the wide vessels within 3 %. */
static void
test_phantom (void)
{
  g_autoptr (VgCurves) beat = NULL, rate = NULL;
  g_autofree char *text = NULL, *name = NULL;
  FlowFixture flow;

  run_phantom (&flow);
  g_test_message ("rate %.3f", number (&flow, "pulse_rate"));
  g_assert_cmpfloat_with_epsilon (number (&flow, "pulse_rate"), 72, 0.5);
  for (int tissue = 3; tissue <= 4; tissue++)
    {
      double pulsatility, resistance, p, r;

      true_indices (flow.params, vg_flow_phantom_tau_ms[tissue], &pulsatility, &resistance);
      p = vessel_median (flow_fixture_output (&flow, VG_FLOW_OUTPUT_PULSATILITY), tissue);
      r = vessel_median (flow_fixture_output (&flow, VG_FLOW_OUTPUT_RESISTANCE), tissue);
      g_test_message ("tau %g ms: PI %.4f of %.4f, RI %.4f of %.4f", vg_flow_phantom_tau_ms[tissue],
                      p, pulsatility, r, resistance);
      g_assert_cmpfloat_with_epsilon (p / pulsatility, 1, 0.03);
      g_assert_cmpfloat_with_epsilon (r / resistance, 1, 0.03);
    }
  /* The tissue around them does not pulse. */
  g_assert_cmpfloat (vessel_median (flow_fixture_output (&flow, VG_FLOW_OUTPUT_PULSATILITY), 0), <,
                     0.02);
  beat = flow.engine->curves->plot (flow.state, VG_FLOW_PLOT_BEAT, NULL);
  g_assert_cmpint (((VgSeries *) beat->series->pdata[0])->n, ==, VG_FLOW_PHASES + 1);
  rate = flow.engine->curves->plot (flow.state, VG_FLOW_PLOT_RATE, NULL);
  g_assert_cmpint (((VgSeries *) rate->series->pdata[0])->n, ==, FRAMES);
  text = flow.engine->text (flow.state, VG_FLOW_OUTPUT_BEAT, &name, NULL);
  g_assert_cmpstr (name, ==, "beat.csv");
  g_assert_true (g_str_has_prefix (text, "time_s,flow_percent\n0.000000,"));
  flow_fixture_clear (&flow);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/flow/pulse/rate", test_rate);
  g_test_add_func ("/flow/pulse/change", test_change);
  g_test_add_func ("/flow/pulse/none", test_none);
  g_test_add_func ("/flow/pulse/phantom", test_phantom);
  return g_test_run ();
}
