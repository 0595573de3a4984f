/* SPDX-License-Identifier: MIT */
/* The work loop with a GPU that fails on demand. */
#include <glib/gstdio.h>
#include "tests/support/app/failing-operation.h"
#include "app/compute/vg-work.h"

static const VgImageInfo info = {
  .type = VG_U16, .width = 3, .height = 2, .channels = 1, .bins = 1, .slices = 1, .frames = 10
};

static FakeParams
defaults (void)
{
  return (FakeParams){ .gain = 1, .window = 1, .steps = 1 };
}

static void
keep_frame (VgFrame *frame)
{
}

static VgFrame
frame_of (guint16 *pixels, guint16 value)
{
  VgFrame frame = { .info = &info, .data = pixels, .release = keep_frame };

  for (int i = 0; i < 6; i++)
    pixels[i] = value + i;
  g_atomic_ref_count_init (&frame.ref_count);
  return frame;
}

static VgWork *
new_work (VgBackend backend)
{
  g_autoptr (GError) error = NULL;
  VgWork *work = vg_work_new_with_engines (&fake_operation, fake_operation.cpu, &fake_gpu_engine,
                                           NULL, backend, 1, &error);

  g_assert_no_error (error);
  return work;
}

static void
check_total (VgWork *work, float first)
{
  g_autofree float *values = NULL;
  gsize capacity = 0;
  VgPlane plane;

  g_assert_true (vg_work_read_output (work, 0, &plane, &values, &capacity, NULL));
  g_assert_cmpint (plane.width, ==, 3);
  g_assert_cmpfloat (values[0], ==, first);
  g_assert_cmpuint (capacity, ==, 6);
}

static void
test_plain (void)
{
  g_autoptr (VgWork) work = new_work (VG_BACKEND_AUTO);
  g_autoptr (GError) error = NULL;
  FakeParams params = defaults ();
  guint16 pixels[6];
  VgFrame frame = frame_of (pixels, 5);

  fake_trouble_reset ();
  g_assert_false (vg_work_is_ready (work));
  g_assert_true (vg_work_prepare (work, &params, &info, NULL, &error));
  g_assert_no_error (error);
  g_assert_cmpint (vg_work_get_backend (work), ==, VG_BACKEND_CUDA);
  g_assert_true (vg_work_feed (work, &frame, &error));
  g_assert_cmpint (vg_work_step (work, 0.03, &error), ==, VG_STEP_DONE);
  check_total (work, 5);
  g_assert_cmpint (vg_work_set_params (work, &params, &error), ==, VG_WORK_UNCHANGED);
  params.gain = 3;
  g_assert_cmpint (vg_work_set_params (work, &params, &error), ==, VG_WORK_UPDATED);
  g_assert_cmpint (vg_work_step (work, 0.03, &error), ==, VG_STEP_DONE);
  check_total (work, 15);
  params.window = 4;
  g_assert_cmpint (vg_work_set_params (work, &params, &error), ==, VG_WORK_PREPARED);
  g_assert_cmpint (vg_work_get_history (work), ==, 3);
  g_assert_cmpuint (vg_work_get_generation (work), ==, 2);
  g_assert_null (vg_work_take_notice (work));
}

/* Of a camera. */
static const VgImageInfo flow_info = { .type = VG_U16,
                                       .width = 3,
                                       .height = 2,
                                       .channels = 1,
                                       .bins = 1,
                                       .slices = 1,
                                       .frames = -1,
                                       .exposure_ms = 8 };

static void
free_frame (VgFrame *frame)
{
  g_free (frame);
}

/* The work may hold the frame longer than this call. */
static float
flow_index_of (VgWork *work, guint16 *pixels, double exposure_ms)
{
  VgFrame *frame = g_new (VgFrame, 1);
  g_autofree float *values = NULL;
  g_autoptr (GError) error = NULL;
  static gint64 n;
  gsize capacity = 0;
  VgPlane plane;

  *frame = frame_of (pixels, 5);
  frame->info = &flow_info;
  frame->release = free_frame;
  frame->index = n++;
  frame->exposure_ms = exposure_ms;
  g_assert_true (vg_work_feed (work, frame, &error));
  vg_frame_unref (frame);
  g_assert_cmpint (vg_work_step (work, 1, &error), ==, VG_STEP_DONE);
  g_assert_no_error (error);
  g_assert_true (vg_work_read_output (
      work, (guint) vg_operation_find_output (vg_work_get_operation (work), "flow_index"), &plane,
      &values, &capacity, NULL));
  return values[0];
}

/* What the number of the baseline says of the exposure times; NULL: nothing. */
static void
check_baseline (VgWork *work, const char *says)
{
  g_autoptr (VgMetrics) metrics = vg_work_results (work, NULL);
  const char *advice = vg_metrics_find (metrics, "baseline_maps")->advice;

  if (says != NULL)
    g_assert_nonnull (strstr (advice, says));
  else
    g_assert_true (advice == NULL || strstr (advice, "exposure time") == NULL);
}

/* A window over several frames begins again at a lost connection and at a new exposure time, and
 * not where the exposure time is not known or a frame comes once more. */
static void
test_breaks (void)
{
  static const struct
  {
    double exposure_ms;
    gboolean interrupted, again, waits;
  } frames[] = {
    { 8, TRUE, FALSE, TRUE },   { 8, FALSE, FALSE, TRUE },  { 8, FALSE, FALSE, FALSE },
    { 0, FALSE, FALSE, FALSE }, { 8, FALSE, FALSE, FALSE }, { 4, FALSE, FALSE, TRUE },
    { 4, FALSE, FALSE, TRUE },  { 4, FALSE, TRUE, TRUE },   { 4, FALSE, FALSE, FALSE },
    { 4, TRUE, FALSE, TRUE },   { 4, FALSE, FALSE, TRUE },  { 4, FALSE, FALSE, FALSE },
  };
  g_autoptr (VgWork) work = new_work (VG_BACKEND_CPU);
  g_autoptr (GError) error = NULL;
  FakeParams params = defaults ();
  guint16 pixels[6];
  guint64 id = 0;

  fake_trouble_reset ();
  params.window = 3;
  g_assert_true (vg_work_prepare (work, &params, &info, NULL, &error));
  g_assert_no_error (error);
  for (guint i = 0; i < G_N_ELEMENTS (frames); i++)
    {
      VgFrame frame = frame_of (pixels, 5);

      frame.id = id += !frames[i].again;
      frame.exposure_ms = frames[i].exposure_ms;
      frame.interrupted = frames[i].interrupted;
      g_assert_true (vg_work_feed (work, &frame, &error));
      g_assert_cmpint (vg_work_step (work, 1, &error), ==,
                       frames[i].waits ? VG_STEP_WAIT : VG_STEP_DONE);
      g_assert_cmpint (vg_work_is_mixed (work), ==, frames[i].waits && i > 1);
    }
  /* a new state knows no frames */
  g_assert_true (vg_work_restart (work, &error));
  g_assert_false (vg_work_is_mixed (work));
}

/* A frame is computed with its own exposure time, unless the user has set another one. */
static void
test_exposure (void)
{
  const VgOperation *flow = vg_operation_find ("flow");
  const VgParam *exposure = vg_params_find (&flow->params, "exposure_ms");
  g_autoptr (GError) error = NULL;
  g_autoptr (VgWork) work = vg_work_new (flow, VG_BACKEND_CPU, 1, &error);
  void *params = vg_params_new (&flow->params);
  guint16 pixels[6];
  float index;

  vg_param_set_number (exposure, params, 8);
  g_assert_true (vg_work_prepare (work, params, &flow_info, NULL, &error));
  g_assert_no_error (error);
  index = flow_index_of (work, pixels, 8);
  check_baseline (work, NULL);
  /* the camera has changed, and the settings do not know it yet */
  g_assert_cmpfloat_with_epsilon (flow_index_of (work, pixels, 4), 2 * index, 1e-4 * index);
  vg_work_set_camera_exposure (work, 4);
  vg_param_set_number (exposure, params, 4);
  g_assert_cmpint (vg_work_set_params (work, params, &error), ==, VG_WORK_UPDATED);
  g_assert_cmpfloat_with_epsilon (flow_index_of (work, pixels, 4), 2 * index, 1e-4 * index);
  check_baseline (work, "The exposure time is 4 ms now, and was 8 ms for the baseline.");
  /* an earlier frame, and one whose exposure is not known */
  g_assert_cmpfloat_with_epsilon (flow_index_of (work, pixels, 8), index, 1e-4 * index);
  g_assert_cmpfloat_with_epsilon (flow_index_of (work, pixels, 0), index, 1e-4 * index);
  vg_param_set_number (exposure, params, 16);
  g_assert_cmpint (vg_work_set_params (work, params, &error), ==, VG_WORK_UPDATED);
  g_assert_cmpfloat_with_epsilon (flow_index_of (work, pixels, 8), index / 2, 1e-4 * index);
  g_assert_cmpfloat_with_epsilon (flow_index_of (work, pixels, 4), index / 2, 1e-4 * index);
  /* one that is the camera's by chance does not follow it */
  vg_param_set_number (exposure, params, 4);
  vg_work_set_params (work, params, &error);
  vg_work_set_camera_exposure (work, 2);
  g_assert_cmpint (vg_work_set_params (work, params, &error), ==, VG_WORK_UNCHANGED);
  g_assert_cmpfloat_with_epsilon (flow_index_of (work, pixels, 2), 2 * index, 1e-4 * index);
  vg_params_free (&flow->params, params);
}

/* Settings that do not fit leave the old state at work. */
static void
test_refused (void)
{
  g_autoptr (VgWork) work = new_work (VG_BACKEND_CPU);
  g_autoptr (GError) error = NULL;
  FakeParams params = defaults ();
  guint16 pixels[6];
  VgFrame frame = frame_of (pixels, 5);

  fake_trouble_reset ();
  g_assert_true (vg_work_prepare (work, &params, &info, NULL, &error));
  params.window = 13;
  g_assert_cmpint (vg_work_set_params (work, &params, &error), ==, VG_WORK_REFUSED);
  g_assert_error (error, VG_USAGE_ERROR, 0);
  g_clear_error (&error);
  params.window = 1;
  params.extra = (char *) "/nonexistent/extra.csv";
  g_assert_cmpint (vg_work_set_params (work, &params, &error), ==, VG_WORK_REFUSED);
  g_assert_error (error, VG_IO_ERROR, VG_IO_ERROR_OPEN);
  g_assert_true (g_str_has_prefix (error->message, "Extra: "));
  g_clear_error (&error);
  fake_trouble.host_bytes = G_MAXSIZE / 2;
  params.extra = NULL;
  params.window = 7;
  /* the old state's bytes count as free */
  g_assert_cmpint (vg_work_set_params (work, &params, &error), ==, VG_WORK_PREPARED);
  g_assert_true (vg_work_feed (work, &frame, &error));
  g_assert_cmpint (vg_work_step (work, 0.03, &error), ==, VG_STEP_WAIT);
}

static void
test_memory (void)
{
  g_autoptr (VgWork) cpu = new_work (VG_BACKEND_CPU);
  g_autoptr (GError) error = NULL;
  FakeParams params = defaults ();

  fake_trouble_reset ();
  fake_trouble.host_bytes = G_MAXSIZE / 2;
  g_assert_false (vg_work_prepare (cpu, &params, &info, NULL, &error));
  g_assert_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_MEMORY);
  g_assert_nonnull (strstr (error->message, "free"));
  g_assert_cmpint (fake_trouble.states, ==, 0);
}

/* FILE content is handed over, and read again only when the file changes. */
static void
test_files (void)
{
  g_autoptr (VgWork) work = new_work (VG_BACKEND_CPU);
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp ("vg-work-XXXXXX", NULL),
                  *path = g_build_filename (folder, "extra.csv", NULL);
  FakeParams params = defaults ();

  fake_trouble_reset ();
  g_assert_true (g_file_set_contents (path, "1,2\n", -1, NULL));
  params.extra = path;
  g_assert_true (vg_work_prepare (work, &params, &info, NULL, &error));
  g_assert_no_error (error);
  g_assert_cmpint (fake_trouble.files, ==, 1);
  params.gain = 2;
  g_assert_cmpint (vg_work_set_params (work, &params, &error), ==, VG_WORK_UPDATED);
  params.extra = NULL;
  g_assert_cmpint (vg_work_set_params (work, &params, &error), ==, VG_WORK_PREPARED);
  g_assert_cmpint (fake_trouble.files, ==, 0);
  g_unlink (path);
  g_rmdir (folder);
}

typedef struct
{
  const char *name;
  int prepare, feed, step;
} Failure;

static const Failure failures[] = {
  { "prepare", 0, -1, -1 },
  { "feed", -1, 1, -1 },
  { "step", -1, -1, 1 },
  { "first-step", -1, -1, 0 },
};

static VgStep
show (VgWork *work, VgFrame *frame)
{
  guint generation = vg_work_get_generation (work);
  g_autoptr (GError) error = NULL;
  VgStep step = VG_STEP_WAIT;

  g_assert_true (vg_work_feed (work, frame, &error));
  if (generation == vg_work_get_generation (work))
    step = vg_work_step (work, 0.03, &error);
  g_assert_no_error (error);
  return step;
}

/* Feeds 4 frames with a window of 2, and what a new state must see again. */
static void
feed_four (VgWork *work)
{
  guint16 pixels[4][6];
  VgFrame frames[4];

  for (int i = 0; i < 4; i++)
    {
      guint generation = vg_work_get_generation (work);
      VgStep step;

      frames[i] = frame_of (pixels[i], (guint16) (10 * i));
      step = show (work, &frames[i]);
      if (generation != vg_work_get_generation (work))
        {
          g_assert_cmpint (step, ==, VG_STEP_WAIT);
          if (i > 0)
            show (work, &frames[i - 1]);
          step = show (work, &frames[i]);
        }
      g_assert_cmpint (step, ==, i == 0 ? VG_STEP_WAIT : VG_STEP_DONE);
    }
  check_total (work, 50);
}

static void
test_falls_back (gconstpointer data)
{
  const Failure *failure = data;
  g_autoptr (VgWork) work = new_work (VG_BACKEND_AUTO);
  g_autoptr (GError) error = NULL;
  g_autofree char *notice = NULL;
  FakeParams params = { .gain = 1, .window = 2, .steps = 1 };

  fake_trouble_reset ();
  fake_trouble.prepare = failure->prepare;
  fake_trouble.feed = failure->feed;
  fake_trouble.step = failure->step;
  g_assert_true (vg_work_prepare (work, &params, &info, NULL, &error));
  g_assert_no_error (error);
  feed_four (work);
  g_assert_cmpint (vg_work_get_backend (work), ==, VG_BACKEND_CPU);
  g_assert_true (g_str_has_prefix (vg_work_get_device (work), "CPU"));
  notice = vg_work_take_notice (work);
  g_assert_nonnull (notice);
  g_assert_nonnull (strstr (notice, "fell off the bus"));
  g_assert_null (vg_work_take_notice (work));
  g_assert_cmpint (fake_trouble.states, ==, 1);
  /* a GPU that failed is not tried again */
  params.window = 3;
  g_assert_cmpint (vg_work_set_params (work, &params, &error), ==, VG_WORK_PREPARED);
  g_assert_cmpint (vg_work_get_backend (work), ==, VG_BACKEND_CPU);
}

/* Short of memory is not broken: smaller settings go back to the GPU. */
static void
test_memory_comes_back (void)
{
  g_autoptr (VgWork) work = new_work (VG_BACKEND_AUTO);
  g_autoptr (GError) error = NULL;
  FakeParams params = defaults ();

  fake_trouble_reset ();
  fake_trouble.prepare = 0;
  fake_trouble.code = VG_GPU_ERROR_MEMORY;
  g_assert_true (vg_work_prepare (work, &params, &info, NULL, &error));
  g_assert_cmpint (vg_work_get_backend (work), ==, VG_BACKEND_CPU);
  params.window = 2;
  g_assert_cmpint (vg_work_set_params (work, &params, &error), ==, VG_WORK_PREPARED);
  g_assert_cmpint (vg_work_get_backend (work), ==, VG_BACKEND_CUDA);
}

static void
test_no_fallback (void)
{
  g_autoptr (VgWork) forced = new_work (VG_BACKEND_CUDA);
  g_autoptr (VgWork) automatic = new_work (VG_BACKEND_AUTO);
  g_autoptr (GError) error = NULL;
  FakeParams params = defaults ();
  guint16 pixels[6];
  VgFrame frame = frame_of (pixels, 5);

  fake_trouble_reset ();
  fake_trouble.step = 0;
  g_assert_true (vg_work_prepare (forced, &params, &info, NULL, &error));
  g_assert_true (vg_work_feed (forced, &frame, &error));
  g_assert_cmpint (vg_work_step (forced, 0.03, &error), ==, VG_STEP_FAILED);
  g_assert_error (error, VG_GPU_ERROR, VG_GPU_ERROR_FAILED);
  g_clear_error (&error);

  fake_trouble.step = 0;
  fake_trouble.other = TRUE;
  g_assert_true (vg_work_prepare (automatic, &params, &info, NULL, &error));
  g_assert_true (vg_work_feed (automatic, &frame, &error));
  g_assert_cmpint (vg_work_step (automatic, 0.03, &error), ==, VG_STEP_FAILED);
  g_assert_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_FAILED);
  g_assert_null (vg_work_take_notice (automatic));
}

static void
test_absent (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (VgWork) forced = vg_work_new_with_engines (&fake_operation, fake_operation.cpu, NULL,
                                                        NULL, VG_BACKEND_CUDA, 0, &error);

  g_assert_null (forced);
  g_assert_error (error, VG_GPU_ERROR, VG_GPU_ERROR_ABSENT);
}

static int
one_device (GError **error)
{
  return 1;
}

static gboolean
describe_device (int device, VgCudaDevice *device_info, GError **error)
{
  *device_info = (VgCudaDevice){ .name = "Fake GPU", .memory_total = 1000, .memory_free = 900 };
  return TRUE;
}

static gboolean
fail_download (const VgPlane *plane, float *host, GError **error)
{
  g_set_error (error, VG_GPU_ERROR, VG_GPU_ERROR_FAILED, "lost while copying");
  return FALSE;
}

static const VgCuda fake_cuda = { .device_count = one_device,
                                  .device_info = describe_device,
                                  .download = fail_download };

/* What would not fit on the device is not even tried there. */
static void
test_device_memory (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (VgWork)
      work = vg_work_new_with_engines (&fake_operation, fake_operation.cpu, &fake_gpu_engine,
                                       &fake_cuda, VG_BACKEND_AUTO, 1, &error);
  g_autoptr (VgWork)
      forced = vg_work_new_with_engines (&fake_operation, fake_operation.cpu, &fake_gpu_engine,
                                         &fake_cuda, VG_BACKEND_CUDA, 1, &error);
  g_autofree char *notice = NULL;
  FakeParams params = defaults ();

  fake_trouble_reset ();
  fake_trouble.device_bytes = 901;
  g_assert_cmpstr (vg_work_get_device (work), ==, "Fake GPU");
  g_assert_true (vg_work_get_cuda (work) == &fake_cuda);
  g_assert_true (vg_work_prepare (work, &params, &info, NULL, &error));
  g_assert_cmpint (vg_work_get_backend (work), ==, VG_BACKEND_CPU);
  g_assert_null (vg_work_get_cuda (work));
  notice = vg_work_take_notice (work);
  g_assert_nonnull (strstr (notice, "901"));
  g_assert_nonnull (strstr (notice, "900"));
  g_assert_false (vg_work_prepare (forced, &params, &info, NULL, &error));
  g_assert_error (error, VG_GPU_ERROR, VG_GPU_ERROR_MEMORY);
}

static void
test_download_fails (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (VgWork)
      work = vg_work_new_with_engines (&fake_operation, fake_operation.cpu, &fake_gpu_engine,
                                       &fake_cuda, VG_BACKEND_AUTO, 1, &error);
  g_autofree char *notice = NULL;
  g_autofree float *values = NULL;
  FakeParams params = defaults ();
  guint16 pixels[6];
  VgFrame frame = frame_of (pixels, 5);
  gsize capacity = 0;
  VgPlane plane;

  fake_trouble_reset ();
  fake_trouble.on_device = TRUE;
  g_assert_true (vg_work_prepare (work, &params, &info, NULL, &error));
  g_assert_cmpint (show (work, &frame), ==, VG_STEP_DONE);
  g_assert_false (vg_work_read_output (work, 0, &plane, &values, &capacity, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (vg_work_get_generation (work), ==, 2);
  notice = vg_work_take_notice (work);
  g_assert_nonnull (strstr (notice, "lost while copying"));
  g_assert_cmpint (show (work, &frame), ==, VG_STEP_DONE);
  check_total (work, 5);
}

/* The GPU fails while a map or the numbers are read: there is an error, never a wrong map, and
 * after recovery the same map from the CPU. */
static void
test_output_fails (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (VgWork) work = new_work (VG_BACKEND_AUTO), forced = new_work (VG_BACKEND_CUDA);
  g_autoptr (VgMetrics) numbers = NULL;
  g_autofree float *values = NULL;
  g_autofree char *notice = NULL;
  FakeParams params = defaults ();
  guint16 pixels[6];
  VgFrame frame = frame_of (pixels, 5);
  gsize capacity = 0;
  VgPlane plane;

  fake_trouble_reset ();
  g_assert_true (vg_work_prepare (work, &params, &info, NULL, &error));
  g_assert_cmpint (show (work, &frame), ==, VG_STEP_DONE);
  fake_trouble.output = 0;
  g_assert_false (vg_work_output (work, 0, &plane, &error));
  g_assert_error (error, VG_GPU_ERROR, VG_GPU_ERROR_FAILED);
  g_assert_cmpint (vg_work_get_backend (work), ==, VG_BACKEND_CUDA);
  g_clear_error (&error);
  fake_trouble.output = 0;
  g_assert_false (vg_work_read_output (work, 0, &plane, &values, &capacity, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (vg_work_get_generation (work), ==, 2);
  g_assert_cmpint (vg_work_get_backend (work), ==, VG_BACKEND_CPU);
  notice = vg_work_take_notice (work);
  g_assert_nonnull (notice);
  g_assert_cmpint (show (work, &frame), ==, VG_STEP_DONE);
  check_total (work, 5);

  g_assert_true (vg_work_prepare (forced, &params, &info, NULL, &error));
  g_assert_cmpint (show (forced, &frame), ==, VG_STEP_DONE);
  fake_trouble.output = 0;
  g_assert_false (vg_work_read_output (forced, 0, &plane, &values, &capacity, &error));
  g_assert_error (error, VG_GPU_ERROR, VG_GPU_ERROR_FAILED);
  g_clear_error (&error);
  fake_trouble.results = 0;
  g_assert_null (vg_work_results (forced, &error));
  g_assert_error (error, VG_GPU_ERROR, VG_GPU_ERROR_FAILED);
  g_clear_error (&error);
  numbers = vg_work_results (forced, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (numbers->items->len, ==, 1);
}

static int renewed;

static gpointer
renew (gpointer state, const VgContext *context, GError **error)
{
  renewed++;
  fake_gpu_engine.free (state);
  return fake_gpu_engine.prepare (context, error);
}

/* An engine that can renew its state is given it for every new one, and it is
 * the engine's to free, also where there is no new one. */
static void
test_renew (void)
{
  VgEngine engine = fake_gpu_engine;
  g_autoptr (GError) error = NULL;
  g_autoptr (VgWork) work = NULL;
  g_autofree char *notice = NULL;
  FakeParams params = defaults ();

  engine.resume = &(const VgEngineResume){ .renew = renew };
  work = vg_work_new_with_engines (&fake_operation, fake_operation.cpu, &engine, NULL,
                                   VG_BACKEND_AUTO, 1, &error);
  fake_trouble_reset ();
  renewed = 0;
  g_assert_true (vg_work_prepare (work, &params, &info, NULL, &error));
  g_assert_cmpint (renewed, ==, 0);
  params.gain = 3;
  g_assert_cmpint (vg_work_set_params (work, &params, &error), ==, VG_WORK_UPDATED);
  g_assert_cmpint (renewed, ==, 0);
  params.window = 4;
  g_assert_cmpint (vg_work_set_params (work, &params, &error), ==, VG_WORK_PREPARED);
  g_assert_cmpint (renewed, ==, 1);
  g_assert_true (vg_work_restart (work, &error));
  g_assert_cmpint (renewed, ==, 2);
  g_assert_cmpuint (vg_work_get_generation (work), ==, 3);
  g_assert_cmpint (fake_trouble.states, ==, 1);
  fake_trouble.prepare = 0;
  params.window = 2;
  /* by the CPU */
  g_assert_cmpint (vg_work_set_params (work, &params, &error), ==, VG_WORK_PREPARED);
  g_assert_no_error (error);
  g_assert_cmpint (renewed, ==, 3);
  g_assert_cmpint (vg_work_get_backend (work), ==, VG_BACKEND_CPU);
  notice = vg_work_take_notice (work);
  g_assert_nonnull (notice);
  g_assert_cmpint (fake_trouble.states, ==, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/batch-work/plain", test_plain);
  g_test_add_func ("/batch-work/exposure", test_exposure);
  g_test_add_func ("/batch-work/breaks", test_breaks);
  g_test_add_func ("/batch-work/refused", test_refused);
  g_test_add_func ("/batch-work/memory", test_memory);
  g_test_add_func ("/batch-work/files", test_files);
  for (guint i = 0; i < G_N_ELEMENTS (failures); i++)
    {
      g_autofree char *path = g_strconcat ("/batch-work/falls-back/", failures[i].name, NULL);

      g_test_add_data_func (path, &failures[i], test_falls_back);
    }
  g_test_add_func ("/batch-work/memory-comes-back", test_memory_comes_back);
  g_test_add_func ("/batch-work/no-fallback", test_no_fallback);
  g_test_add_func ("/batch-work/absent", test_absent);
  g_test_add_func ("/batch-work/device-memory", test_device_memory);
  g_test_add_func ("/batch-work/download-fails", test_download_fails);
  g_test_add_func ("/batch-work/output-fails", test_output_fails);
  g_test_add_func ("/batch-work/renew", test_renew);
  return g_test_run ();
}
