/* SPDX-License-Identifier: MIT */
/* Motion correction on the GPU against that on the CPU. */
#include "tests/kernels/flow/support/flow-pair.h"
#include "tests/support/gpu-begin.h"
#include "tests/kernels/flow/support/flow-scene.h"

static const VgCuda *cuda;

static void
check_numbers (FlowPair *pair)
{
  static const char *const ids[] = { "motion_x_px", "motion_y_px", "motion_rotation_deg",
                                     "motion_lost_percent" };

  for (gsize i = 0; i < G_N_ELEMENTS (ids); i++)
    g_assert_cmpfloat_with_epsilon (flow_pair_number (&pair->gpu, ids[i]),
                                    flow_pair_number (&pair->cpu, ids[i]), 5e-3);
}

/* All but the samples whose nearest pixel depends on rounding. */
static void
check_contrast (FlowPair *pair)
{
  g_autofree float *found = flow_pair_download (pair, VG_FLOW_OUTPUT_CONTRAST);
  const float *expected = flow_fixture_output (&pair->cpu, VG_FLOW_OUTPUT_CONTRAST);
  int n = pair->cpu.info.width * pair->cpu.info.height, differ = 0;

  for (int i = 0; i < n; i++)
    differ += isnan (expected[i]) ? !isnan (found[i])
                                  : !(fabsf (found[i] - expected[i]) <= 1e-6f * expected[i]);
  g_test_message ("%d of %d samples differ", differ, n);
  g_assert_cmpint (differ, <=, n / 20);
}

static void
test_pair (void)
{
  static const double moves[][3] = {
    { 0, 0, 0 }, { 0.4, -7.2, 0 }, { -19.3, 12.8, 0.4 }, { 5, 5, -0.7 }, { 2.2, 0.1, 0.1 }
  };
  static const int methods[] = { VG_FLOW_SPATIAL, VG_FLOW_TEMPORAL, VG_FLOW_SPATIO_TEMPORAL };
  enum { W = 333, H = 280 };
  g_autofree guint16 *frame = g_new (guint16, W * H);

  for (int motion = VG_FLOW_MOTION_TRANSLATION; motion <= VG_FLOW_MOTION_RIGID; motion++)
    for (int reference = 0; reference < 2; reference++)
      for (gsize m = 0; m < G_N_ELEMENTS (methods); m++)
        {
          FlowPair pair;
          FlowScene scene;

          flow_scene_init (&scene, W, H);
          flow_pair_init (&pair, cuda, VG_U16, W, H, 12);
          pair.cpu.params->motion = motion;
          pair.cpu.params->motion_reference = reference;
          pair.cpu.params->method = methods[m];
          pair.cpu.params->frames = 3;
          flow_pair_prepare (&pair);
          for (gsize i = 0; i < G_N_ELEMENTS (moves); i++)
            {
              double turn = motion == VG_FLOW_MOTION_RIGID ? moves[i][2] * G_PI / 180 : 0;

              flow_scene_draw (&scene, moves[i][0], moves[i][1], turn, frame);
              g_assert_cmpint (flow_fixture_run (&pair.cpu, frame), ==,
                               flow_fixture_run (&pair.gpu, frame));
              check_numbers (&pair);
            }
          check_contrast (&pair);
          flow_scene_clear (&scene);
          flow_pair_clear (&pair);
        }
}

/* Small frames and frames of noise stay where they are, on both sides. */
static void
test_left_alone (void)
{
  static const int sizes[][2] = { { 1, 1 }, { 15, 40 }, { 40, 33 }, { 128, 128 } };

  for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      FlowPair pair;

      flow_pair_init (&pair, cuda, VG_F32, sizes[i][0], sizes[i][1], 16);
      pair.cpu.params->motion = VG_FLOW_MOTION_RIGID;
      flow_pair_prepare (&pair);
      for (int k = 0; k < 4; k++)
        flow_pair_run (&pair);
      check_numbers (&pair);
      flow_pair_compare (&pair);
      flow_pair_clear (&pair);
    }
}

int
main (int argc, char **argv)
{
  cuda = gpu_begin (&argc, &argv);
  if (cuda == NULL)
    return GPU_SKIPPED;
  g_test_add_func ("/gpu/flow/motion/pair", test_pair);
  g_test_add_func ("/gpu/flow/motion/left-alone", test_left_alone);
  return g_test_run ();
}
