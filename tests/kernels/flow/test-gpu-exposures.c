/* SPDX-License-Identifier: MIT */
/* Multi-exposure imaging on the GPU against that on the CPU. */
#include "tests/kernels/flow/support/flow-pair.h"
#include "tests/support/gpu-begin.h"
#include "kernels/flow/synthetic/flow-synthetic.h"

static const VgCuda *cuda;

enum { W = 131, H = 77, EXPOSURES = 7, FRAMES = 5 * EXPOSURES + 3 };

/* A fit that ends elsewhere on one side is rare. */
static void
compare (FlowPair *pair, guint output)
{
  g_autofree float *found = flow_pair_download (pair, output);
  const float *expected = flow_fixture_output (&pair->cpu, output);
  int differ = 0, known = 0;

  for (int i = 0; i < W * H; i++)
    {
      known += isfinite (expected[i]);
      differ += !(fabsf (found[i] - expected[i]) <= 2e-3f * expected[i]) &&
                !(isnan (found[i]) && isnan (expected[i]));
    }
  g_test_message ("output %u: %d differ, %d are known", output, differ, known);
  g_assert_cmpint (known, >, W * H / 2);
  g_assert_cmpint (differ, <=, W * H / 50);
}

static void
test_pair (void)
{
  static const double cycle_ms[EXPOSURES] = { 0.1, 0.3, 1, 3, 10, 30, 80 };
  VgSyntheticSize size = { W, H, FRAMES, 1, VG_FLOW_SAMPLE_STRIPES };
  g_autofree guint16 *data = g_new (guint16, W * H);
  FlowPair pair;
  gpointer phantom;

  flow_pair_init (&pair, cuda, VG_U16, W, H, 12);
  vg_flow_phantom.settings (&size, pair.cpu.params);
  pair.cpu.params->method = VG_FLOW_SPATIAL;
  pair.cpu.params->radius = 6;
  pair.cpu.params->exposures = vg_table_new (EXPOSURES, 1);
  memcpy (pair.cpu.params->exposures->values, cycle_ms, sizeof cycle_ms);
  phantom = vg_flow_phantom.open (pair.cpu.params, &size, &pair.cpu.info, NULL);
  g_assert_nonnull (phantom);
  pair.gpu.info = pair.cpu.info;
  flow_pair_prepare (&pair);
  /* the table stays with the other side */
  pair.gpu.params->exposures = NULL;
  for (int i = 0; i < FRAMES; i++)
    {
      vg_flow_phantom.read (phantom, i, data, NULL);
      g_assert_cmpint (flow_fixture_run (&pair.cpu, data), ==, VG_STEP_DONE);
      g_assert_cmpint (flow_fixture_run (&pair.gpu, data), ==, VG_STEP_DONE);
    }
  flow_pair_compare_output (&pair, VG_FLOW_OUTPUT_FLOW_INDEX);
  compare (&pair, VG_FLOW_OUTPUT_FIT_TAU);
  compare (&pair, VG_FLOW_OUTPUT_FIT_BETA);
  compare (&pair, VG_FLOW_OUTPUT_FIT_RHO);
  vg_flow_phantom.close (phantom);
  flow_pair_clear (&pair);
}

int
main (int argc, char **argv)
{
  cuda = gpu_begin (&argc, &argv);
  if (cuda == NULL)
    return GPU_SKIPPED;
  g_test_add_func ("/gpu/flow/exposures/pair", test_pair);
  return g_test_run ();
}
