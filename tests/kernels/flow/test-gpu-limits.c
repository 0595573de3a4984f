/* SPDX-License-Identifier: MIT */
/* Memory and size: too much is refused with sizes named and nothing left behind;
 * page-locked frames in flight are held and given back; a picture of more than
 * 2^31 pixels is right to its last corner. */
#include "tests/kernels/flow/support/flow-pair.h"
#include "tests/support/gpu-begin.h"

static const VgCuda *cuda;

static void
test_out_of_memory (void)
{
  g_autoptr (GError) error = NULL;
  FlowPair pair;
  VgImageInfo huge = flow_info (VG_U16, 400000, 400000, 16);
  VgContext context;

  flow_pair_init (&pair, cuda, VG_U16, 64, 64, 16);
  context = (VgContext){ .params = pair.gpu.params, .info = &huge };
  g_assert_null (pair.gpu.engine->prepare (&context, &error));
  g_assert_error (error, VG_GPU_ERROR, VG_GPU_ERROR_MEMORY);
  g_assert_nonnull (strstr (error->message, "400000x400000"));
  g_clear_error (&error);
  context.devices = (const int[]){ 99 };
  context.n_devices = 1;
  context.info = &pair.gpu.info;
  g_assert_null (pair.gpu.engine->prepare (&context, &error));
  g_assert_error (error, VG_GPU_ERROR, VG_GPU_ERROR_FAILED);
  flow_pair_prepare (&pair); /* the next one works */
  flow_pair_run (&pair);
  flow_pair_compare (&pair);
  flow_pair_clear (&pair);
}

typedef struct
{
  VgFrame frame;
  int released;
} Counted;

static void
count_release (VgFrame *frame)
{
  g_atomic_int_inc (&((Counted *) frame->owner)->released);
}

/* Each is fed once; afterwards all references have come back. */
static void
test_pinned_frames (void)
{
  enum { FRAMES = 40 };
  g_autoptr (GError) error = NULL;
  FlowPair pair;
  Counted counted[FRAMES] = { 0 };

  flow_pair_init (&pair, cuda, VG_U16, 640, 480, 12);
  flow_pair_prepare (&pair);
  for (int i = 0; i < FRAMES; i++)
    {
      VgFrame *frame = &counted[i].frame;
      g_autofree void *data = flow_random_frame (&pair.cpu.info);

      frame->info = &pair.gpu.info;
      frame->data = cuda->host_alloc (640 * 480 * 2, &error);
      g_assert_no_error (error);
      memcpy (frame->data, data, 640 * 480 * 2);
      frame->pinned = TRUE;
      frame->release = count_release;
      frame->owner = &counted[i];
      g_atomic_ref_count_init (&frame->ref_count);
      g_assert_true (pair.gpu.engine->feed (pair.gpu.state, frame, &error));
      g_assert_cmpint (pair.gpu.engine->step (pair.gpu.state, 1, &error), ==, VG_STEP_DONE);
      vg_frame_unref (frame);
      flow_fixture_run (&pair.cpu, data);
    }
  flow_pair_compare_output (&pair, VG_FLOW_OUTPUT_CONTRAST);
  flow_pair_compare_output (&pair, VG_FLOW_OUTPUT_STATIC_FRACTION);
  flow_pair_clear (&pair);
  for (int i = 0; i < FRAMES; i++)
    {
      g_assert_cmpint (counted[i].released, ==, 1);
      cuda->host_free (counted[i].frame.data);
    }
}

/* A sample as a function of its place, so that no second copy is needed. */
static guint8
sample_at (guint64 i)
{
  guint64 v = i * 0x9e3779b97f4a7c15u;

  return (guint8) ((v >> 56) % 255);
}

static double
contrast_at (int x, int y, int side)
{
  double n = 0, s = 0, q = 0;

  for (int v = MAX (y - 2, 0); v <= MIN (y + 2, side - 1); v++)
    for (int u = MAX (x - 2, 0); u <= MIN (x + 2, side - 1); u++)
      {
        double value = sample_at ((guint64) v * side + u);

        n++;
        s += value;
        q += value * value;
      }
  return sqrt (vg_flow_k2 (n, s, vg_flow_deviation (n, s, q), (VgFlowNoise){ 0, 0 }));
}

static void
check_points (FlowPair *pair, int side)
{
  enum { POINTS = 2000 };
  g_autofree int *xyz = g_new0 (int, 3 * POINTS);
  g_autofree float *values = g_new (float, POINTS);
  g_autoptr (GError) error = NULL;
  VgPlane plane;

  for (int i = 0; i < POINTS; i++)
    {
      xyz[3 * i] = i < 4 ? (i & 1) * (side - 1) : g_test_rand_int_range (0, side);
      xyz[3 * i + 1] = i < 4      ? (i >> 1) * (side - 1)
                       : i < 1000 ? g_test_rand_int_range (side - 50, side)
                                  : g_test_rand_int_range (0, side);
    }
  g_assert_true (pair->gpu.engine->output (pair->gpu.state, VG_FLOW_OUTPUT_CONTRAST, &plane, NULL));
  g_assert_true (cuda->probe (&plane, xyz, POINTS, values, &error));
  g_assert_no_error (error);
  for (int i = 0; i < POINTS; i++)
    {
      double truth = contrast_at (xyz[3 * i], xyz[3 * i + 1], side);

      g_assert_cmpfloat_with_epsilon (values[i], truth, 3e-7 * truth);
    }
}

static void
test_huge (void)
{
  const int side = 46341; /* 46341^2 > 2^31 */
  const gsize pixels = (gsize) side * side;
  g_autoptr (GError) error = NULL;
  VgCudaDevice device;
  FlowPair pair;
  guint8 *data;
  VgFrame frame = { 0 };
  VgContext context;
  VgStatistics statistics;
  VgPlane plane;

  g_assert_true (cuda->device_info (0, &device, &error));
  data = device.memory_free > 70 * pixels / 2 ? g_try_malloc (pixels) : NULL;
  if (data == NULL)
    {
      g_test_skip ("needs about 75 GB of GPU memory and 2 GB of memory");
      return;
    }
#pragma omp parallel for
  for (gsize i = 0; i < pixels; i++)
    data[i] = sample_at (i);
  flow_pair_init (&pair, cuda, VG_U8, side, side, 8);
  context = (VgContext){ .params = pair.gpu.params, .info = &pair.gpu.info };
  pair.gpu.state = pair.gpu.engine->prepare (&context, &error);
  g_assert_no_error (error);
  frame = (VgFrame){ .info = &pair.gpu.info, .data = data };
  g_atomic_ref_count_init (&frame.ref_count);
  g_assert_true (pair.gpu.engine->feed (pair.gpu.state, &frame, &error));
  g_assert_cmpint (pair.gpu.engine->step (pair.gpu.state, 1, &error), ==, VG_STEP_DONE);
  g_assert_no_error (error);
  check_points (&pair, side);
  g_assert_true (pair.gpu.engine->output (pair.gpu.state, VG_FLOW_OUTPUT_CONTRAST, &plane, NULL));
  g_assert_true (cuda->statistics (&plane, 0, &statistics, &error));
  g_assert_cmpuint (statistics.valid, ==, pixels);
  flow_pair_clear (&pair);
  g_free (data);
}

int
main (int argc, char **argv)
{
  cuda = gpu_begin (&argc, &argv);
  if (cuda == NULL)
    return GPU_SKIPPED;
  g_test_add_func ("/gpu/limits/out-of-memory", test_out_of_memory);
  g_test_add_func ("/gpu/limits/pinned-frames", test_pinned_frames);
  g_test_add_func ("/gpu/limits/huge", test_huge);
  return g_test_run ();
}
