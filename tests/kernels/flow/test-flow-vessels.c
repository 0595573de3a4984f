/* SPDX-License-Identifier: MIT */
#include "kernels/flow/synthetic/flow-clamp.h"
#include "kernels/flow/synthetic/flow-synthetic.h"
#include "kernels/flow/synthetic/flow-vessels.h"
#include "kernels/flow/model/flow-model.h"
#include "kernels/flow/model/flow-params.h"
#include "kernels/base/vg-statistics.h"
#include "tests/kernels/flow/support/flow-fixture.h"
#include <math.h>
/* The sample of vessels: its map, its truth, and what happens in it over time. */

static gpointer
open_vessels (int width, int height, gint64 frames, VgImageInfo *info)
{
  VgSyntheticSize size = { width, height, frames, 3, VG_FLOW_SAMPLE_VESSELS };
  g_autoptr (GError) error = NULL;
  void *params = vg_params_new (&vg_flow_operation.params);
  gpointer source;

  vg_flow_phantom.settings (&size, params);
  source = vg_flow_phantom.open (params, &size, info, &error);
  g_assert_no_error (error);
  vg_params_free (&vg_flow_operation.params, params);
  return source;
}

/* Any size opens, and a frame is the same in any order and in any source. */
static void
test_sizes (void)
{
  static const int sizes[][2] = { { 1, 1 }, { 7, 5 }, { 1, 40 }, { 333, 257 } };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    for (int live = 0; live < 2; live++)
      {
        VgImageInfo info;
        gpointer a = open_vessels (sizes[i][0], sizes[i][1], live ? -1 : 40, &info);
        gpointer b = open_vessels (sizes[i][0], sizes[i][1], live ? -1 : 40, &info);
        gsize bytes = vg_image_info_frame_bytes (&info);
        g_autofree void *first = g_malloc (bytes), *second = g_malloc (bytes);

        g_assert_true (vg_flow_phantom.read (a, 9, first, NULL));
        g_assert_true (vg_flow_phantom.read (b, 31, second, NULL));
        g_assert_true (vg_flow_phantom.read (b, 9, second, NULL));
        g_assert_cmpmem (first, bytes, second, bytes);
        vg_flow_phantom.close (a);
        vg_flow_phantom.close (b);
      }
}

/* Vessels of many sizes cover a part of the picture; the truth is the tissue of each pixel. */
static void
test_map (void)
{
  enum { W = 512, N = W * W };
  g_autofree guint8 *map = g_malloc (N);
  g_autoptr (GArray) tissues = vg_flow_vessels_draw (W, W, map);
  VgImageInfo info;
  gpointer source = open_vessels (W, W, 32, &info);
  g_autoptr (VgImage) truth = vg_flow_phantom.truth (source, VG_FLOW_OUTPUT_CORRELATION_TIME, NULL);
  int arteries = 0, veins = 0, clamped = 0;
  double fastest = G_MAXDOUBLE;

  g_assert_cmpuint (tissues->len, <, VG_FLOW_MOST_TISSUES);
  for (int i = 0; i < N; i++)
    {
      const VgFlowTissue *tissue = &g_array_index (tissues, VgFlowTissue, map[i]);

      g_assert_cmpuint (map[i], <, tissues->len);
      g_assert_cmpfloat (((float *) truth->data)[i], ==, (float) tissue->tau_ms);
      g_assert_cmpfloat (tissue->tau_ms, <, 8.0);
      fastest = MIN (fastest, tissue->tau_ms);
      arteries += tissue->rhythm == VG_FLOW_ARTERY;
      veins += tissue->rhythm == VG_FLOW_VEIN;
      clamped += tissue->supplied > 0.5;
    }
  g_test_message ("%d of artery, %d of vein, %d behind the clamp", arteries, veins, clamped);
  g_assert_cmpfloat (fastest, ==, 0.2);
  g_assert_cmpint (arteries, >, N / 20);
  g_assert_cmpint (veins, >, N / 20);
  g_assert_cmpint (arteries + veins, <, N / 2);
  g_assert_cmpint (clamped, >, N / 4);
  g_assert_cmpint (clamped, <, 3 * N / 4);
  vg_flow_phantom.close (source);
}

/* Open, closed, beyond the level at rest, at rest; the same every minute. */
static void
test_clamp (void)
{
  static const struct
  {
    double time_s, flow;
  } cases[] = { { 0, 1 },    { 20, 1 },    { 21, 0.55 }, { 22, 0.1 }, { 35, 0.1 },
                { 36, 1.3 }, { 41, 1.15 }, { 46, 1 },    { 59.9, 1 }, { 3630, 0.1 } };
  VgFlowTissue upstream = { 1.0, VG_FLOW_STEADY, 0.0 }, half = { 1.0, VG_FLOW_STEADY, 0.5 };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      double flow = cases[i].flow;

      g_assert_cmpfloat_with_epsilon (vg_flow_clamp_story (cases[i].time_s), flow, 1e-9);
      g_assert_cmpfloat (vg_flow_tissue_speed (&upstream, cases[i].time_s, flow), ==, 1.0);
      g_assert_cmpfloat_with_epsilon (vg_flow_tissue_speed (&half, cases[i].time_s, flow),
                                      0.5 + 0.5 * flow, 1e-9);
    }
}

/* What passes the clamp at each time, step by step as frames are read, with a press and a release
 * on the way; then every time once more, backwards: it is as it was. */
static void
test_press (void)
{
  enum { N = 600, PRESS = 200, RELEASE = 300 };
  VgFlowClamp *clamp = vg_flow_clamp_new ();
  double flow[N];

  for (int i = 0; i < N; i++)
    {
      if (i == PRESS || i == RELEASE)
        g_assert_cmpfloat (vg_flow_clamp_press (clamp, i == PRESS), ==, 0.1 * (i - 1));
      flow[i] = vg_flow_clamp_get (clamp, 0.1 * i);
      g_assert_true (i == 0 || fabs (flow[i] - flow[i - 1]) < 0.25);
    }
  for (int i = N; i-- > 0;)
    g_assert_cmpfloat (vg_flow_clamp_get (clamp, 0.1 * i), ==, flow[i]);
  for (int i = 0; i < PRESS; i++)
    g_assert_cmpfloat (flow[i], ==, vg_flow_clamp_story (0.1 * i));
  g_assert_cmpfloat_with_epsilon (flow[PRESS + 20], 0.1, 1e-3);
  g_assert_cmpfloat_with_epsilon (flow[RELEASE - 1], 0.1, 1e-9);
  g_assert_cmpfloat_with_epsilon (flow[RELEASE + 9], 1.3, 1e-9);
  for (int i = RELEASE + 110; i < N; i++) /* the clamp no longer closes by itself */
    g_assert_cmpfloat_with_epsilon (flow[i], 1.0, 1e-9);
  vg_flow_clamp_free (clamp);
}

/* A press while the vessel opens again, and two presses between two frames. */
static void
test_presses (void)
{
  VgFlowClamp *clamp = vg_flow_clamp_new ();
  double before = vg_flow_clamp_get (clamp, 35.5); /* the clamp opens just now */

  vg_flow_clamp_press (clamp, FALSE);
  vg_flow_clamp_press (clamp, TRUE);
  g_assert_cmpfloat (vg_flow_clamp_get (clamp, 35.5), ==, before);
  g_assert_cmpfloat_with_epsilon (vg_flow_clamp_get (clamp, 35.5 + 1e-6), before, 1e-3);
  g_assert_cmpfloat_with_epsilon (vg_flow_clamp_get (clamp, 100.0), 0.1, 1e-9);
  vg_flow_clamp_free (clamp);
}

/* Mean K² of the tissue with SHARE of its blood behind the clamp, over frames from FIRST. */
static double
contrast (gpointer source, int n, const guint8 *map, const GArray *tissues, double share,
          gint64 first, double *theory)
{
  enum { FRAMES = 12 };
  g_autofree guint16 *frame = g_new (guint16, n);
  g_autofree double *sum = g_new0 (double, n), *squares = g_new0 (double, n);
  double k2 = 0.0;
  int count = 0;

  *theory = 0.0;
  for (int f = 0; f < FRAMES; f++)
    {
      g_assert_true (vg_flow_phantom.read (source, first + f, frame, NULL));
      for (int i = 0; i < n; i++)
        {
          double light = frame[i] - 64.0;

          sum[i] += light / FRAMES;
          squares[i] += light * light / FRAMES;
        }
    }
  for (int i = 0; i < n; i++)
    {
      const VgFlowTissue *tissue = &g_array_index (tissues, VgFlowTissue, map[i]);
      double speed = vg_flow_tissue_speed (tissue, (double) first / 30.0,
                                           vg_flow_clamp_story ((double) first / 30.0));

      if (tissue->rhythm != VG_FLOW_STEADY || tissue->supplied != share || sum[i] < 100.0)
        continue;
      k2 += (squares[i] - sum[i] * sum[i]) * FRAMES / (FRAMES - 1) / (sum[i] * sum[i]);
      *theory += vg_flow_model_k2 (VG_FLOW_LORENTZIAN, 10.0 / tissue->tau_ms * speed, 1.0);
      count++;
    }
  g_assert_cmpint (count, >, n / 8);
  *theory /= count;
  return k2 / count;
}

/* While the branch is closed, flow falls behind the clamp as the model says, and nowhere else. */
static void
test_occlusion (void)
{
  enum { W = 256, N = W * W };
  g_autofree guint8 *map = g_malloc (N);
  g_autoptr (GArray) tissues = vg_flow_vessels_draw (W, W, map);
  VgImageInfo info;
  gpointer source = open_vessels (W, W, -1, &info);

  for (int behind = 0; behind < 2; behind++)
    {
      double theory_before, theory_closed;
      double before = contrast (source, N, map, tissues, behind, 300, &theory_before);
      double closed = contrast (source, N, map, tissues, behind, 840, &theory_closed);

      g_test_message ("behind %d: K2 %.4f, closed %.4f; model %.4f, %.4f", behind, before, closed,
                      theory_before, theory_closed);
      /* few frames of a pixel read low by a part of K2 of their mean */
      g_assert_cmpfloat (fabs (closed / before / (theory_closed / theory_before) - 1.0), <,
                         behind ? 0.12 : 0.02);
      g_assert_true (behind ? closed > 1.8 * before : closed < 1.02 * before);
    }
  vg_flow_phantom.close (source);
}

/* Runs every fourth frame, from the FIRST to the LAST of these; returns the mean relative flow of
 * the part behind the clamp and, in *FLOW_INDEX, its mean flow index. */
static double
run_frames (FlowFixture *flow, gpointer source, int first, int last, double *flow_index)
{
  enum { X0 = 24, Y0 = 36, X1 = 72, Y1 = 72 };
  double relative = 0;

  *flow_index = 0;
  for (int i = first; i <= last; i++)
    {
      g_autofree void *frame = g_malloc (vg_image_info_frame_bytes (&flow->info));
      VgRegionStatistics statistics;
      VgPlane index, ratio;

      g_assert_true (vg_flow_phantom.read (source, 4 * i, frame, NULL));
      flow_fixture_run (flow, frame);
      g_assert_true (flow->engine->output (flow->state, VG_FLOW_OUTPUT_FLOW_INDEX, &index, NULL));
      g_assert_true (
          flow->engine->output (flow->state, VG_FLOW_OUTPUT_RELATIVE_FLOW, &ratio, NULL));
      vg_region_statistics_compute (&statistics, &index, NULL, X0, Y0, X1, Y1, 0);
      *flow_index += statistics.mean / (last - first + 1);
      relative += vg_region_statistics_get_ratio (&ratio, &index, NULL, X0, Y0, X1, Y1, 0) /
                  (last - first + 1);
    }
  return relative;
}

/* Relative flow of a region is 100 % at rest, without a bias by the noise of single pixels, and
 * while the vessel is closed the ratio of the mean flows. */
static void
test_relative (void)
{
  enum { W = 96, BREATH = 25, CLOSED = 190 }; /* frames of one breath, which is four beats */
  double baseline, at_rest, closed, rest, occluded;
  VgSyntheticSize size = { W, W, -1, 3, VG_FLOW_SAMPLE_VESSELS };
  FlowFixture flow;
  gpointer source;

  flow_fixture_init (&flow, VG_U16, W, W, 12);
  vg_flow_phantom.settings (&size, flow.params);
  source = open_vessels (W, W, -1, &flow.info);
  flow.params->method = VG_FLOW_SPATIAL;
  flow.params->radius = 3;
  flow.params->baseline_frames = BREATH;
  flow_fixture_prepare (&flow);
  run_frames (&flow, source, 0, BREATH - 1, &baseline);
  rest = run_frames (&flow, source, BREATH, 2 * BREATH - 1, &at_rest);
  occluded = run_frames (&flow, source, CLOSED, CLOSED + 9, &closed);
  g_test_message ("at rest %.2f %%, closed %.2f %%; of the means %.2f %% and %.2f %%", rest,
                  occluded, 100 * at_rest / baseline, 100 * closed / baseline);
  g_assert_cmpfloat_with_epsilon (rest, 100, 1);
  g_assert_cmpfloat_with_epsilon (rest, 100 * at_rest / baseline, 0.05);
  g_assert_cmpfloat_with_epsilon (occluded, 100 * closed / baseline, 0.05);
  g_assert_cmpfloat (occluded, <, 60);
  vg_flow_phantom.close (source);
  flow_fixture_clear (&flow);
}

/* Data with an end have no event, whoever presses: their truth is exact. */
static void
test_exact (void)
{
  enum { W = 64, N = W * W };
  guint16 before[N], after[N];
  VgImageInfo info;
  gpointer source = open_vessels (W, W, 32, &info);

  g_assert_true (vg_flow_phantom.read (source, 3, before, NULL));
  vg_flow_phantom.trigger (source, TRUE);
  g_assert_true (vg_flow_phantom.read (source, 3, after, NULL));
  g_assert_cmpmem (before, sizeof before, after, sizeof after);
  vg_flow_phantom.close (source);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/flow/vessels/sizes", test_sizes);
  g_test_add_func ("/flow/vessels/map", test_map);
  g_test_add_func ("/flow/vessels/clamp", test_clamp);
  g_test_add_func ("/flow/vessels/press", test_press);
  g_test_add_func ("/flow/vessels/presses", test_presses);
  g_test_add_func ("/flow/vessels/exact", test_exact);
  g_test_add_func ("/flow/vessels/occlusion", test_occlusion);
  g_test_add_func ("/flow/vessels/relative", test_relative);
  return g_test_run ();
}
