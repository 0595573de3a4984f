/* SPDX-License-Identifier: MIT */
#include "tests/kernels/flow/support/flow-fixture.h"
#include "kernels/flow/synthetic/flow-synthetic.h"
#include "kernels/flow/model/flow-model.h"
#include "kernels/flow/synthetic/flow-speckle.h"
#include "kernels/flow/engine/flow-view.h"
/* Compares the phantom with theory, and the program's results with the phantom's ground truth. */

enum { W = 320, H = 256, N = W * H };

typedef struct
{
  FlowFixture flow;
  gpointer source;
  guint16 *frame;
} Scene;

static void
scene_init (Scene *self, int method, int radius, int frames, double rho, int statics)
{
  VgSyntheticSize size = { W, H, 1000, 1, VG_FLOW_SAMPLE_STRIPES };
  VgImageInfo info;

  flow_fixture_init (&self->flow, VG_U16, W, H, 12);
  vg_flow_phantom.settings (&size, self->flow.params);
  self->flow.params->method = method;
  self->flow.params->radius = radius;
  self->flow.params->frames = frames;
  self->flow.params->beta = 1.0f;
  self->flow.params->quantisation = TRUE;
  self->flow.params->dynamic_fraction = (float) rho;
  self->flow.params->static_scattering = statics;
  self->source = vg_flow_phantom.open (self->flow.params, &size, &info, NULL);
  g_assert_nonnull (self->source);
  g_assert_cmpint (info.width, ==, W);
  g_assert_cmpint (info.significant_bits, ==, 12);
  self->frame = g_new (guint16, N);
  flow_fixture_prepare (&self->flow);
}

static void
scene_run (Scene *self, int frames)
{
  for (int i = 0; i < frames; i++)
    {
      g_assert_true (vg_flow_phantom.read (self->source, i, self->frame, NULL));
      flow_fixture_run (&self->flow, self->frame);
    }
}

static void
scene_clear (Scene *self)
{
  vg_flow_phantom.close (self->source);
  flow_fixture_clear (&self->flow);
  g_free (self->frame);
}

/* The tissue of each pixel and all pixels within MARGIN, or -1 if they differ. */
static gint8 *
find_cores (int margin)
{
  gint8 *tissue = g_malloc (N), *core = g_malloc (N);

  for (int i = 0; i < N; i++)
    tissue[i] = (gint8) vg_flow_phantom_tissue (i % W, i / W, W, H);
  for (int i = 0; i < N; i++)
    {
      int x = i % W, y = i / W;

      core[i] = x < margin || y < margin || x + margin >= W || y + margin >= H ? -1 : tissue[i];
      for (int v = -margin; core[i] >= 0 && v <= margin; v += margin)
        for (int u = -margin; u <= margin; u += margin)
          if (tissue[i + v * W + u] != tissue[i])
            core[i] = -1;
    }
  g_free (tissue);
  return core;
}

/* Mean of a map over the core of a tissue, without missing values. */
static double
core_mean (const float *map, int tissue, int margin)
{
  g_autofree gint8 *core = find_cores (margin);
  double sum = 0.0;
  int n = 0;

  for (int i = 0; i < N; i++)
    if (core[i] == tissue && !isnan (map[i]))
      {
        sum += map[i];
        n++;
      }
  g_assert_cmpint (n, >, 500);
  return sum / n;
}

/* With the exact model the correlation time in the vessels is right within 3 %.  Many frames avoid
 * the bias of small windows. */
static void
test_correlation_time (void)
{
  Scene scene;

  scene_init (&scene, VG_FLOW_SPATIO_TEMPORAL, 2, 100, 1.0, VG_FLOW_STATIC_NONE);
  scene_run (&scene, 100);
  for (int tissue = 0; tissue < VG_FLOW_PHANTOM_TISSUES; tissue++)
    {
      double tau = core_mean (flow_fixture_output (&scene.flow, VG_FLOW_OUTPUT_CORRELATION_TIME),
                              tissue, 4);
      double truth = vg_flow_phantom_tau_ms[tissue];

      g_test_message ("tissue %d: %.4f ms, truth %.4f ms, %+.2f %%", tissue, tau, truth,
                      100.0 * (tau / truth - 1.0));
      g_assert_cmpfloat (fabs (tau / truth - 1.0), <, 0.03);
    }
  scene_clear (&scene);
}

/* The demo with its own settings and number of frames. */
static void
test_demo_settings (void)
{
  Scene scene;

  scene_init (&scene, VG_FLOW_SPATIO_TEMPORAL, 2, 10, 1.0, VG_FLOW_STATIC_NONE);
  vg_flow_phantom.settings (&vg_flow_phantom.batch, scene.flow.params);
  flow_fixture_prepare (&scene.flow);
  scene_run (&scene, 32);
  for (int tissue = 0; tissue < VG_FLOW_PHANTOM_TISSUES; tissue++)
    {
      double tau = core_mean (flow_fixture_output (&scene.flow, VG_FLOW_OUTPUT_CORRELATION_TIME),
                              tissue, 4);
      double truth = vg_flow_phantom_tau_ms[tissue];

      g_test_message ("tissue %d: %.4f ms, truth %.4f ms, %+.2f %%", tissue, tau, truth,
                      100.0 * (tau / truth - 1.0));
      g_assert_cmpfloat (fabs (tau / truth - 1.0), <, 0.05);
    }
  scene_clear (&scene);
}

/* Temporal contrast does not depend on neighbouring pixels. */
static void
test_temporal (void)
{
  Scene scene;
  g_autofree gint8 *core = find_cores (4);

  scene_init (&scene, VG_FLOW_TEMPORAL, 2, 200, 1.0, VG_FLOW_STATIC_NONE);
  scene_run (&scene, 200);
  for (int tissue = 0; tissue < VG_FLOW_PHANTOM_TISSUES; tissue++)
    {
      const float *k = flow_fixture_output (&scene.flow, VG_FLOW_OUTPUT_CONTRAST);
      double sum = 0.0, n = 0.0, theory;

      for (int i = 0; i < N; i++)
        if (core[i] == tissue && !isnan (k[i]))
          {
            sum += (double) k[i] * k[i];
            n += 1.0;
          }
      theory = vg_flow_model_k2 (VG_FLOW_LORENTZIAN, 10.0 / vg_flow_phantom_tau_ms[tissue], 1.0);
      g_test_message ("tissue %d: K^2 %.5f, theory %.5f", tissue, sum / n, theory);
      g_assert_cmpfloat (fabs (sum / n / theory - 1.0), <, 0.03);
    }
  scene_clear (&scene);
}

/* With one small window and the beta of that window: mean K^2 of the tubes. The
 * window's own mean follows its bright speckles, which takes a further part of
 * K^2 that grows with K^2. */
static void
test_window_factor (void)
{
  Scene scene;
  g_autofree gint8 *core = find_cores (4);
  double beta = vg_flow_field_window_factor (2, 1, 2.5);

  scene_init (&scene, VG_FLOW_SPATIAL, 2, 2, 1.0, VG_FLOW_STATIC_NONE);
  for (int tissue = 1; tissue < VG_FLOW_PHANTOM_TISSUES; tissue++)
    {
      double sum = 0.0, n = 0.0,
             theory = beta * vg_flow_model_k2 (VG_FLOW_LORENTZIAN,
                                               10.0 / vg_flow_phantom_tau_ms[tissue], 1.0);

      for (int f = 0; f < 8; f++)
        {
          const float *k;

          g_assert_true (vg_flow_phantom.read (scene.source, f, scene.frame, NULL));
          flow_fixture_run (&scene.flow, scene.frame);
          k = flow_fixture_output (&scene.flow, VG_FLOW_OUTPUT_CONTRAST);
          for (int i = 0; i < N; i++)
            if (core[i] == tissue && !isnan (k[i]))
              {
                sum += (double) k[i] * k[i];
                n += 1.0;
              }
        }
      g_test_message ("tissue %d: K^2 %.5f, theory %.5f", tissue, sum / n, theory);
      g_assert_cmpfloat (fabs (sum / n / theory - 1.0), <, 0.02 + 0.5 * theory);
    }
  scene_clear (&scene);
}

/* Mean over EIGHT frames of the correlation time in a tissue. */
static double
mean_tau (Scene *scene, int tissue)
{
  enum { EIGHT = 8 };
  double sum = 0.0;

  for (int f = 0; f < EIGHT; f++)
    {
      g_assert_true (vg_flow_phantom.read (scene->source, f, scene->frame, NULL));
      flow_fixture_run (&scene->flow, scene->frame);
      sum += core_mean (flow_fixture_output (&scene->flow, VG_FLOW_OUTPUT_CORRELATION_TIME), tissue,
                        4) /
             EIGHT;
    }
  return sum;
}

/* A coherence factor below 1 is no reason to leave the bias out, unless it contains the window's.
 */
static void
check_stated_factor (Scene *scene)
{
  const VgFlowParams before = *scene->flow.params;

  scene->flow.params->beta = 0.9f;
  for (int i = 0; i < 2; i++)
    {
      g_autoptr (VgMetrics) numbers = vg_metrics_new ();
      const VgMetric *number;

      scene->flow.params->window_bias = i == 0 ? VG_FLOW_WINDOW_KEEP : VG_FLOW_WINDOW_INCLUDED;
      g_assert_true (scene->flow.engine->update (scene->flow.state, scene->flow.params));
      scene->flow.engine->results (scene->flow.state, numbers, NULL);
      number = vg_metrics_find (numbers, "window_bias");
      g_assert_cmpint (number->value < -5, ==, i == 0);
      g_assert_cmpint (number->advice != NULL, ==, i == 0);
    }
  *scene->flow.params = before;
  g_assert_true (scene->flow.engine->update (scene->flow.state, scene->flow.params));
}

/* Small windows give low correlation times; the metric states this bias and the correction removes
 * it. */
static void
test_window_bias (void)
{
  for (int radius = 2; radius <= 3; radius++)
    for (int tissue = 2; tissue < VG_FLOW_PHANTOM_TISSUES; tissue++)
      {
        double truth = vg_flow_phantom_tau_ms[tissue], plain, corrected;
        g_autoptr (VgMetrics) numbers = vg_metrics_new ();
        const VgMetric *number;
        Scene scene;

        scene_init (&scene, VG_FLOW_SPATIAL, radius, 2, 1.0, VG_FLOW_STATIC_NONE);
        plain = mean_tau (&scene, tissue);
        scene.flow.engine->results (scene.flow.state, numbers, NULL);
        number = vg_metrics_find (numbers, "window_bias");
        check_stated_factor (&scene);
        scene.flow.params->window_bias = VG_FLOW_WINDOW_CORRECT;
        g_assert_true (scene.flow.engine->update (scene.flow.state, scene.flow.params));
        corrected = mean_tau (&scene, tissue);
        g_test_message ("radius %d, %.1f ms: %+.1f %%, said %+.1f %%, corrected %+.1f %%", radius,
                        truth, 100.0 * (plain / truth - 1.0), number->value,
                        100.0 * (corrected / truth - 1.0));
        g_assert_cmpfloat (plain, <, 0.92 * truth);
        g_assert_cmpfloat (fabs (number->value / 100.0 - (plain / truth - 1.0)), <, 0.05);
        g_assert_nonnull (strstr (number->advice, "Window bias to Corrected"));
        g_assert_cmpfloat (fabs (corrected / truth - 1.0), <, 0.05);
        vg_metrics_free (numbers);
        numbers = vg_metrics_new ();
        scene.flow.engine->results (scene.flow.state, numbers, NULL);
        g_assert_cmpfloat (vg_metrics_find (numbers, "window_bias")->value, ==, 0.0);
        g_assert_null (vg_metrics_find (numbers, "window_bias")->advice);
        scene_clear (&scene);
      }
}

/* The static fraction from pairs of frames, in large windows. */
static void
test_static_fraction (void)
{
  Scene scene;
  double found;

  scene_init (&scene, VG_FLOW_SPATIO_TEMPORAL, 15, 20, 0.7, VG_FLOW_STATIC_GLOBAL);
  scene_run (&scene, 20);
  found = core_mean (flow_fixture_output (&scene.flow, VG_FLOW_OUTPUT_STATIC_FRACTION), 0, 15);
  g_test_message ("static fraction %.4f, truth 0.3", found);
  g_assert_cmpfloat (fabs (found - 0.3), <, 0.02);
  scene_clear (&scene);
}

/* With static scattering the correlation time is right within a few per cent. */
static void
test_static_model (void)
{
  for (int statics = VG_FLOW_STATIC_GLOBAL; statics <= VG_FLOW_STATIC_MEASURED; statics++)
    {
      Scene scene;
      double tau;

      scene_init (&scene, VG_FLOW_SPATIO_TEMPORAL, 8, 40, 0.7, statics);
      scene_run (&scene, 40);
      tau = core_mean (flow_fixture_output (&scene.flow, VG_FLOW_OUTPUT_CORRELATION_TIME), 0, 8);
      g_test_message ("static %d: background %.3f ms, truth 5", statics, tau);
      g_assert_cmpfloat (fabs (tau / 5.0 - 1.0), <, 0.1);
      scene_clear (&scene);
    }
}

static void
test_speckle_size (void)
{
  Scene scene;
  g_autoptr (VgMetrics) numbers = vg_metrics_new ();
  double half = 0.5, expected;

  scene_init (&scene, VG_FLOW_SPATIAL, 2, 2, 1.0, VG_FLOW_STATIC_NONE);
  scene_run (&scene, 1);
  while (vg_flow_field_correlation (half, 2.5) > 0.5)
    half += 1e-3;
  expected = 2.0 * half;
  scene.flow.engine->results (scene.flow.state, numbers, NULL);
  g_test_message ("speckle size %.3f px, pupil says %.3f",
                  vg_metrics_find (numbers, "speckle_size_px")->value, expected);
  g_assert_cmpfloat (fabs (vg_metrics_find (numbers, "speckle_size_px")->value / expected - 1.0), <,
                     0.06);
  g_assert_null (vg_metrics_find (numbers, "speckle_size_px")->advice);
  scene_clear (&scene);
}

/* Frames can be computed in any order, and no two are the same. */
static void
test_repeatable (void)
{
  Scene a, b;
  g_autofree guint16 *other = g_new (guint16, N);

  scene_init (&a, VG_FLOW_SPATIAL, 2, 2, 1.0, VG_FLOW_STATIC_NONE);
  scene_init (&b, VG_FLOW_SPATIAL, 2, 2, 1.0, VG_FLOW_STATIC_NONE);
  vg_flow_phantom.read (a.source, 7, a.frame, NULL);
  vg_flow_phantom.read (b.source, 3, other, NULL);
  vg_flow_phantom.read (b.source, 7, b.frame, NULL);
  g_assert_cmpmem (a.frame, N * 2, b.frame, N * 2);
  g_assert_cmpint (memcmp (a.frame, other, N * 2), !=, 0);
  scene_clear (&a);
  scene_clear (&b);
}

/* The modes of one exposure: unit mean, and the variance of the model. */
static void
test_modes (void)
{
  for (double x = 0.05; x < 200.0; x *= 1.7)
    for (double rho = 1.0; rho > 0.1; rho -= 0.3)
      {
        VgFlowExposure e;
        double mean, variance = 0.0, field = 0.0;

        vg_flow_exposure_fill (&e, x, rho);
        mean = e.constant + e.tail + e.still;
        for (int k = 0; k < VG_FLOW_MODES; k++)
          {
            double p = (double) e.mode[k] * e.mode[k], f = (double) e.field[k] * e.field[k];

            mean += p + f;
            field += f;
            variance += p * p + 2.0 * p * f;
          }
        field += e.still;
        variance += field * field + (double) e.tail * e.tail + 0.5 * e.cross * e.cross;
        g_assert_cmpfloat_with_epsilon (mean, 1.0, 1e-5);
        g_assert_cmpfloat_with_epsilon (variance / vg_flow_model_k2 (VG_FLOW_LORENTZIAN, x, rho),
                                        1.0, 1e-5);
      }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/flow/phantom/modes", test_modes);
  g_test_add_func ("/flow/phantom/repeatable", test_repeatable);
  g_test_add_func ("/flow/phantom/correlation-time", test_correlation_time);
  g_test_add_func ("/flow/phantom/demo-settings", test_demo_settings);
  g_test_add_func ("/flow/phantom/temporal", test_temporal);
  g_test_add_func ("/flow/phantom/window-factor", test_window_factor);
  g_test_add_func ("/flow/phantom/window-bias", test_window_bias);
  g_test_add_func ("/flow/phantom/static-fraction", test_static_fraction);
  g_test_add_func ("/flow/phantom/static-model", test_static_model);
  g_test_add_func ("/flow/phantom/speckle-size", test_speckle_size);
  return g_test_run ();
}
