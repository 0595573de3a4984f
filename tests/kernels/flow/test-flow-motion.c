/* SPDX-License-Identifier: MIT */
/* Motion correction: displacements and rotations that are known, what happens at the border, and
 * frames that have nothing in common. */
#include "tests/kernels/flow/support/flow-scene.h"

static double
number (FlowFixture *flow, const char *id)
{
  g_autoptr (VgMetrics) numbers = vg_metrics_new ();
  const VgMetric *found;

  flow->engine->results (flow->state, numbers, NULL);
  found = vg_metrics_find (numbers, id);
  g_assert_nonnull (found);
  return found->value;
}

static void
start (FlowFixture *flow, int width, int height, int motion)
{
  flow_fixture_init (flow, VG_U16, width, height, 12);
  flow->params->motion = motion;
}

/* Runs the scene and checks what was found within TOLERANCE px and degrees. */
static void
check_found (FlowFixture *flow, FlowScene *scene, const double (*moves)[3], int n,
             const double tolerance[2])
{
  g_autofree guint16 *frame = g_new (guint16, scene->width * scene->height);

  for (int i = 0; i < n; i++)
    {
      double x, y, turn;

      flow_scene_draw (scene, moves[i][0], moves[i][1], moves[i][2] * G_PI / 180.0, frame);
      flow_fixture_run (flow, frame);
      x = number (flow, "motion_x_px");
      y = number (flow, "motion_y_px");
      turn = number (flow, "motion_rotation_deg");
      g_test_message ("(%g, %g) px, %g degrees: off by (%.4f, %.4f) px, %.4f degrees", moves[i][0],
                      moves[i][1], moves[i][2], x - moves[i][0], y - moves[i][1],
                      turn - moves[i][2]);
      g_assert_cmpfloat_with_epsilon (x, moves[i][0], tolerance[0]);
      g_assert_cmpfloat_with_epsilon (y, moves[i][1], tolerance[0]);
      g_assert_cmpfloat_with_epsilon (turn, moves[i][2], tolerance[1]);
    }
  g_assert_cmpfloat (number (flow, "motion_lost_percent"), ==, 0);
}

/* Up to 20 px within 0.05 px, in frames of several sizes. */
static void
test_translation (void)
{
  static const double moves[][3] = { { 0, 0, 0 },         { 0.5, -0.25, 0 }, { -3.3, 7.8, 0 },
                                     { 11.47, 11.52, 0 }, { -20, 13.1, 0 },  { 19.9, -20, 0 },
                                     { 0.05, 0, 0 } };
  static const int sizes[][2] = { { 300, 260 }, { 530, 520 } };
  static const double tolerance[] = { 0.05, 1e-9 };

  for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++)
    for (int reference = 0; reference < 2; reference++)
      {
        FlowFixture flow;
        FlowScene scene;
        int n = sizes[i][0] < 500 ? G_N_ELEMENTS (moves) : 3;

        if (sizes[i][0] > 500 && reference > 0)
          continue;
        start (&flow, sizes[i][0], sizes[i][1], VG_FLOW_MOTION_TRANSLATION);
        flow.params->motion_reference = reference;
        flow_scene_init (&scene, sizes[i][0], sizes[i][1]);
        scene.speckle = 0.03;
        flow_fixture_prepare (&flow);
        check_found (&flow, &scene, moves, n, tolerance);
        flow_scene_clear (&scene);
        flow_fixture_clear (&flow);
      }
}

/* In the smallest frames that are corrected, and no shift in smaller ones. */
static void
test_small (void)
{
  static const double moves[][3] = { { 0, 0, 0 }, { 3, -2, 0 }, { -5, 4, 0 } };
  static const double tolerance[] = { 0.1, 1e-9 };
  g_autofree guint16 *frame = g_new (guint16, 64 * 64);
  FlowFixture flow;
  FlowScene scene;

  start (&flow, 64, 64, VG_FLOW_MOTION_TRANSLATION);
  flow_scene_init (&scene, 64, 64);
  scene.speckle = 0.03;
  flow_fixture_prepare (&flow);
  check_found (&flow, &scene, moves, G_N_ELEMENTS (moves), tolerance);
  flow_scene_clear (&scene);
  flow_fixture_clear (&flow);
  start (&flow, 63, 64, VG_FLOW_MOTION_TRANSLATION);
  flow_scene_init (&scene, 63, 64);
  flow_fixture_prepare (&flow);
  for (int i = 0; i < 2; i++)
    {
      flow_scene_draw (&scene, 3 * i, 0, 0, frame);
      flow_fixture_run (&flow, frame);
    }
  g_assert_cmpfloat (number (&flow, "motion_most_px"), ==, 0);
  flow_scene_clear (&scene);
  flow_fixture_clear (&flow);
}

static void
test_rigid (void)
{
  static const double moves[][3] = { { 0, 0, 0 },       { 0, 0, 0.5 },    { 3.2, -4.7, -1 },
                                     { -8, 12.4, 1.5 }, { 20, -17, 0.2 }, { 1, 1, 0 } };
  static const double tolerance[] = { 0.05, 0.03 };

  for (int reference = 0; reference < 2; reference++)
    {
      FlowFixture flow;
      FlowScene scene;

      start (&flow, 300, 300, VG_FLOW_MOTION_RIGID);
      flow.params->motion_reference = reference;
      flow_scene_init (&scene, 300, 300);
      scene.speckle = 0.03;
      flow_fixture_prepare (&flow);
      check_found (&flow, &scene, moves, G_N_ELEMENTS (moves), tolerance);
      flow_scene_clear (&scene);
      flow_fixture_clear (&flow);
    }
}

/* A displacement by whole pixels gives the maps of the frame that did not move, bit for bit, and
 * none where its windows reach outside. */
static void
test_maps (void)
{
  enum { W = 140, H = 131, DX = 6, DY = -9, R = 2 };
  g_autofree guint16 *still = g_new (guint16, W * H), *moved = g_new (guint16, W * H);
  g_autofree float *expected = NULL;
  const float *found;
  FlowFixture flow;
  FlowScene scene;

  flow_scene_init (&scene, W, H);
  flow_scene_draw (&scene, 0, 0, 0, still);
  for (int y = 0; y < H; y++)
    for (int x = 0; x < W; x++)
      moved[y * W + x] = still[CLAMP (y - DY, 0, H - 1) * W + CLAMP (x - DX, 0, W - 1)];
  start (&flow, W, H, VG_FLOW_MOTION_TRANSLATION);
  flow_fixture_prepare (&flow);
  flow_fixture_run (&flow, still);
  expected = g_memdup2 (flow_fixture_output (&flow, VG_FLOW_OUTPUT_CONTRAST),
                        sizeof (float) * W * H);
  flow_fixture_run (&flow, moved);
  found = flow_fixture_output (&flow, VG_FLOW_OUTPUT_CONTRAST);
  for (int y = 0; y < H; y++)
    for (int x = 0; x < W; x++)
      {
        /* the frame's sample for (x, y) is (x + DX, y + DY) */
        gboolean inside = MIN (x + R, W - 1) + DX < W && MAX (y - R, 0) + DY >= 0;

        if (inside)
          g_assert_cmpfloat (found[y * W + x], ==, expected[y * W + x]);
        else
          g_assert_true (isnan (found[y * W + x]));
      }
  flow_scene_clear (&scene);
  flow_fixture_clear (&flow);
}

/* The mean temporal contrast of tissue that shakes. */
static double
shaken_contrast (int motion)
{
  enum { W = 200, H = 180, FRAMES = 8 };
  static const double moves[FRAMES][2] = { { 0, 0 },  { 2, -3 }, { 5, 1 },   { -4, 2 },
                                           { -1, 6 }, { 3, 3 },  { -6, -2 }, { 1, -1 } };
  g_autofree guint16 *frame = g_new (guint16, W * H);
  const float *contrast;
  double sum = 0.0;
  int n = 0;
  FlowFixture flow;
  FlowScene scene;

  flow_scene_init (&scene, W, H);
  start (&flow, W, H, motion);
  flow.params->method = VG_FLOW_TEMPORAL;
  flow.params->frames = FRAMES;
  flow_fixture_prepare (&flow);
  for (int i = 0; i < FRAMES; i++)
    {
      flow_scene_draw (&scene, moves[i][0], moves[i][1], 0, frame);
      flow_fixture_run (&flow, frame);
    }
  contrast = flow_fixture_output (&flow, VG_FLOW_OUTPUT_CONTRAST);
  for (int i = 0; i < W * H; i++)
    if (isfinite (contrast[i]))
      {
        sum += contrast[i];
        n++;
      }
  g_assert_cmpint (n, >, W * H / 2);
  flow_scene_clear (&scene);
  flow_fixture_clear (&flow);
  return sum / n;
}

/* Motion adds the contrast of the tissue to that of the speckle, 0.15. */
static void
test_temporal (void)
{
  g_assert_cmpfloat (shaken_contrast (VG_FLOW_MOTION_NONE), >, 0.2);
  g_assert_cmpfloat (fabs (shaken_contrast (VG_FLOW_MOTION_TRANSLATION) - 0.15), <, 0.005);
  g_assert_cmpfloat (fabs (shaken_contrast (VG_FLOW_MOTION_RIGID) - 0.15), <, 0.005);
}

/* Frames of speckle alone, and of single grey levels, stay where they are. */
static void
test_nothing_in_common (void)
{
  enum { W = 256, H = 256 };
  g_autofree guint16 *frame = g_new (guint16, W * H);
  FlowFixture flow;

  for (int motion = VG_FLOW_MOTION_TRANSLATION; motion <= VG_FLOW_MOTION_RIGID; motion++)
    {
      start (&flow, W, H, motion);
      flow_fixture_prepare (&flow);
      for (int i = 0; i < 6; i++)
        {
          for (int k = 0; k < W * H; k++)
            frame[k] = (guint16) (i == 5 ? 500 : g_test_rand_int_range (100, 4000));
          flow_fixture_run (&flow, frame);
          g_assert_cmpfloat (number (&flow, "motion_most_px"), ==, 0);
        }
      g_assert_cmpfloat (number (&flow, "motion_lost_percent"), >, 80);
      flow_fixture_clear (&flow);
    }
}

/* The shifts as curves and as text, one for each frame; too small frames are left alone. */
static void
test_log (void)
{
  enum { W = 128, H = 128 };
  g_autofree guint16 *frame = g_new (guint16, W * H);
  g_autoptr (VgCurves) curves = NULL;
  g_autofree char *text = NULL, *name = NULL;
  g_auto (GStrv) lines = NULL;
  const VgSeries *x;
  FlowFixture flow;
  FlowScene scene;

  flow_scene_init (&scene, W, H);
  scene.speckle = 0.02;
  start (&flow, W, H, VG_FLOW_MOTION_TRANSLATION);
  flow_fixture_prepare (&flow);
  for (int i = 0; i < 3; i++)
    {
      flow_scene_draw (&scene, 2 * i, 0, 0, frame);
      flow_fixture_run (&flow, frame);
    }
  curves = flow.engine->curves->plot (flow.state, VG_FLOW_PLOT_MOTION, NULL);
  x = curves->series->pdata[0];
  g_assert_cmpint (x->n, ==, 3);
  g_assert_cmpfloat_with_epsilon (x->y[2], 4, 0.05);
  text = flow.engine->text (flow.state, VG_FLOW_OUTPUT_MOTION, &name, NULL);
  g_assert_cmpstr (name, ==, "motion.csv");
  lines = g_strsplit (text, "\n", -1);
  g_assert_cmpint (g_strv_length (lines), ==, 5);
  g_assert_true (g_str_has_prefix (lines[0], "frame,time_s,x_px,y_px"));
  g_assert_true (g_str_has_prefix (lines[3], "3,"));
  flow_scene_clear (&scene);
  flow_fixture_clear (&flow);
  start (&flow, 9, 40, VG_FLOW_MOTION_RIGID);
  flow_fixture_prepare (&flow);
  for (int i = 0; i < 3; i++)
    flow_fixture_run (&flow, frame);
  g_assert_cmpfloat (number (&flow, "motion_most_px"), ==, 0);
  g_assert_true (isfinite (flow_fixture_output (&flow, VG_FLOW_OUTPUT_CONTRAST)[0]));
  flow_fixture_clear (&flow);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/flow/motion/translation", test_translation);
  g_test_add_func ("/flow/motion/small", test_small);
  g_test_add_func ("/flow/motion/rigid", test_rigid);
  g_test_add_func ("/flow/motion/maps", test_maps);
  g_test_add_func ("/flow/motion/temporal", test_temporal);
  g_test_add_func ("/flow/motion/nothing-in-common", test_nothing_in_common);
  g_test_add_func ("/flow/motion/log", test_log);
  return g_test_run ();
}
