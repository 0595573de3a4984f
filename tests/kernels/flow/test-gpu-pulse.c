/* SPDX-License-Identifier: MIT */
/* The averaged beat on the GPU against that on the CPU. */
#include "tests/kernels/flow/support/flow-pair.h"
#include "tests/support/gpu-begin.h"
#include "kernels/flow/synthetic/flow-synthetic.h"

static const VgCuda *cuda;

enum { W = 131, H = 77, FRAMES = 200 };

static void
run (FlowFixture *flow, const guint16 *data, double time_s)
{
  VgFrame *frame = g_new0 (VgFrame, 1);

  frame->info = &flow->info;
  frame->data = g_memdup2 (data, sizeof (guint16) * W * H);
  frame->id = (guint64) flow->index;
  frame->index = flow->index++;
  frame->time_s = time_s;
  frame->release = flow_frame_release;
  g_atomic_ref_count_init (&frame->ref_count);
  g_assert_true (flow->engine->feed (flow->state, frame, NULL));
  vg_frame_unref (frame);
  g_assert_cmpint (flow->engine->step (flow->state, 1.0, NULL), ==, VG_STEP_DONE);
}

/* Indices near the threshold of the noise may be 0 on one side only. */
static void
compare (FlowPair *pair, guint output)
{
  g_autofree float *found = flow_pair_download (pair, output);
  const float *expected = flow_fixture_output (&pair->cpu, output);
  int differ = 0, known = 0;

  for (int i = 0; i < W * H; i++)
    {
      known += expected[i] > 0.0f;
      differ += !(fabsf (found[i] - expected[i]) <= 1e-3f) &&
                !(isnan (found[i]) && isnan (expected[i]));
    }
  g_test_message ("output %u: %d differ, %d have a pulse", output, differ, known);
  g_assert_cmpint (known, >, W * H / 30);
  g_assert_cmpint (differ, <=, W * H / 100);
}

static void
test_pair (void)
{
  VgSyntheticSize size = { W, H, -1, 1, VG_FLOW_SAMPLE_STRIPES };
  g_autofree guint16 *data = g_new (guint16, W * H);
  static const char *const ids[] = { "pulse_rate", "pulse_beats", "image_pulsatility" };
  FlowPair pair;
  gpointer phantom;

  flow_pair_init (&pair, cuda, VG_U16, W, H, 12);
  vg_flow_phantom.settings (&size, pair.cpu.params);
  pair.cpu.params->method = VG_FLOW_SPATIAL;
  pair.cpu.params->radius = 3;
  pair.cpu.params->pulse = TRUE;
  phantom = vg_flow_phantom.open (pair.cpu.params, &size, &pair.cpu.info, NULL);
  g_assert_nonnull (phantom);
  pair.gpu.info = pair.cpu.info;
  flow_pair_prepare (&pair);
  for (int i = 0; i < FRAMES; i++)
    {
      vg_flow_phantom.read (phantom, i, data, NULL);
      run (&pair.cpu, data, i * pair.cpu.info.frame_interval_s);
      run (&pair.gpu, data, i * pair.cpu.info.frame_interval_s);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (ids); i++)
    {
      double value = flow_pair_number (&pair.cpu, ids[i]);

      g_assert_true (isfinite (value));
      g_assert_cmpfloat_with_epsilon (flow_pair_number (&pair.gpu, ids[i]), value, 1e-3 * value);
    }
  compare (&pair, VG_FLOW_OUTPUT_PULSATILITY);
  compare (&pair, VG_FLOW_OUTPUT_RESISTANCE);
  vg_flow_phantom.close (phantom);
  flow_pair_clear (&pair);
}

int
main (int argc, char **argv)
{
  cuda = gpu_begin (&argc, &argv);
  if (cuda == NULL)
    return GPU_SKIPPED;
  g_test_add_func ("/gpu/flow/pulse/pair", test_pair);
  return g_test_run ();
}
