/* SPDX-License-Identifier: MIT */
#include "tests/kernels/flow/support/flow-fixture.h"
/* Temporal and spatio-temporal contrast: no drift over hundreds of frames, and no map before the
 * first full window. */

static void
slide (VgType type, int bits, double limit, int method, int radius, int frames, int total,
       int edges, float dark)
{
  enum { W = 21, H = 17, N = W * H };
  g_autoptr (GRand) rand = g_rand_new_with_seed ((guint32) g_test_rand_int ());
  g_autoptr (GPtrArray) history = g_ptr_array_new_with_free_func (g_free);
  FlowFixture flow;

  flow_fixture_init (&flow, type, W, H, bits);
  flow.params->method = method;
  flow.params->radius = radius;
  flow.params->frames = frames;
  flow.params->edges = edges;
  flow.params->dark_level = dark;
  flow_fixture_prepare (&flow);
  g_assert_cmpint (vg_operation_get_history (&vg_flow_operation, flow.params), ==, frames - 1);
  for (int i = 0; i < total; i++)
    {
      void *data = g_malloc (N * 4);
      VgStep step;

      flow_random (type, data, N, limit, rand);
      g_ptr_array_add (history, data);
      step = flow_fixture_run (&flow, data);
      g_assert_cmpint (step, ==, i + 1 < frames ? VG_STEP_WAIT : VG_STEP_DONE);
      if (history->len > (guint) frames)
        g_ptr_array_remove_index (history, 0);
      if (step == VG_STEP_DONE && (i % 37 == 0 || i == total - 1 || i == frames - 1))
        flow_check_contrast (&flow, (const void *const *) history->pdata, frames,
                             method == VG_FLOW_TEMPORAL ? 0 : radius, NULL);
    }
  flow_fixture_clear (&flow);
}

static void
test_temporal (void)
{
  slide (VG_U8, 8, 254, VG_FLOW_TEMPORAL, 2, 25, 320, 0, 0.0f);
  slide (VG_U16, 12, 4094, VG_FLOW_TEMPORAL, 2, 7, 310, 0, 64.0f);
  slide (VG_U16, 16, 65534, VG_FLOW_TEMPORAL, 2, 256, 560, 0, 0.0f);
  slide (VG_U16, 16, 65534, VG_FLOW_TEMPORAL, 2, 2, 310, 0, 0.25f);
  slide (VG_U32, 32, 4e9, VG_FLOW_TEMPORAL, 2, 25, 60, 0, 0.0f);
  slide (VG_F32, 0, 1e4, VG_FLOW_TEMPORAL, 2, 25, 60, 0, 3.7f);
}

static void
test_spatio_temporal (void)
{
  slide (VG_U8, 8, 254, VG_FLOW_SPATIO_TEMPORAL, 2, 25, 320, 0, 0.0f);
  slide (VG_U16, 12, 4094, VG_FLOW_SPATIO_TEMPORAL, 3, 10, 60, 1, 64.0f);
  slide (VG_U16, 16, 65534, VG_FLOW_SPATIO_TEMPORAL, 15, 256, 258, 0, 0.0f);
  slide (VG_U16, 16, 65534, VG_FLOW_SPATIO_TEMPORAL, 1, 4, 310, 1, 0.0f);
  slide (VG_U32, 32, 4e9, VG_FLOW_SPATIO_TEMPORAL, 2, 5, 20, 0, 0.0f);
  slide (VG_F32, 0, 1e4, VG_FLOW_SPATIO_TEMPORAL, 4, 5, 20, 1, 3.7f);
}

/* n q needs 68 bits here, and the contrast is small. */
static void
test_largest_window (void)
{
  enum { W = 33, H = 32, N = W * H, FRAMES = 256 };
  FlowFixture flow;
  g_autoptr (GPtrArray) history = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GRand) rand = g_rand_new_with_seed ((guint32) g_test_rand_int ());

  flow_fixture_init (&flow, VG_U16, W, H, 16);
  flow.params->method = VG_FLOW_SPATIO_TEMPORAL;
  flow.params->radius = VG_FLOW_MAX_RADIUS;
  flow.params->frames = FRAMES;
  flow_fixture_prepare (&flow);
  for (int i = 0; i < FRAMES; i++)
    {
      guint16 *data = g_new (guint16, N);

      for (int k = 0; k < N; k++)
        data[k] = (guint16) (65500 + g_rand_int_range (rand, 0, 30));
      g_ptr_array_add (history, data);
      flow_fixture_run (&flow, data);
    }
  for (int k = 0; k < 3; k++)
    {
      int x = k * 16, y = k * 15;
      const float *map = flow_fixture_output (&flow, VG_FLOW_OUTPUT_CONTRAST);
      double k2 = flow_reference_k2 (&flow, (const void *const *) history->pdata, FRAMES,
                                     VG_FLOW_MAX_RADIUS, x, y, NULL);

      g_assert_cmpfloat (fabs (map[y * W + x] / sqrt (k2) - 1.0), <, 3e-7);
    }
  flow_fixture_clear (&flow);
}

/* A frame that is received again after a change of settings is ignored. */
static void
test_same_frame (void)
{
  FlowFixture flow;
  guint16 data[3][16];

  flow_fixture_init (&flow, VG_U16, 4, 4, 16);
  flow.params->method = VG_FLOW_TEMPORAL;
  flow.params->frames = 3;
  flow_fixture_prepare (&flow);
  for (int i = 0; i < 3; i++)
    {
      for (int k = 0; k < 16; k++)
        data[i][k] = (guint16) (100 + 7 * i * k);
      if (i == 2)
        {
          flow.index--; /* the second once more */
          g_assert_cmpint (flow_fixture_run (&flow, data[1]), ==, VG_STEP_WAIT);
        }
      g_assert_cmpint (flow_fixture_run (&flow, data[i]), ==, i < 2 ? VG_STEP_WAIT : VG_STEP_DONE);
    }
  flow_check_contrast (&flow, (const void *const[]){ data[0], data[1], data[2] }, 3, 0, NULL);
  flow_fixture_clear (&flow);
}

static void
test_break (void)
{
  for (int outage = 0; outage < 2; outage++)
    {
      FlowFixture flow;

      flow_fixture_init (&flow, VG_U16, 1, 1, 16);
      flow_fixture_break_baseline (&flow, outage);
      flow_fixture_clear (&flow);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/flow/temporal/sliding", test_temporal);
  g_test_add_func ("/flow/spatio-temporal/sliding", test_spatio_temporal);
  g_test_add_func ("/flow/spatio-temporal/largest-window", test_largest_window);
  g_test_add_func ("/flow/temporal/same-frame", test_same_frame);
  g_test_add_func ("/flow/temporal/baseline-after-a-break", test_break);
  return g_test_run ();
}
