/* SPDX-License-Identifier: MIT */
/* Whose settings are applied while other data are being opened. */
#include "app/pipeline/vg-pipeline-private.h"
#include "tests/support/app/pipeline-watch.h"

/* The settings of an opening, and those that the user sets while it lasts, are never applied to the
 * data that are still open: not while the opening lasts, not when it fails, early or late, and not
 * when it is cancelled.  The settings from before stay. */
static void
test_own_settings (void)
{
  FakeSource source = { .width = 4, .height = 4, .frames = -1, .interval_us = 1000 };
  g_autofree FakeParams *mine = fake_params (), *its = fake_params ();
  guint64 wanted, serial;
  Watch watch;

  mine->gain = 2;
  its->gain = 1000;
  watch_start (&watch, fake_pipeline (&source));
  watch_open (&watch, mine);
  g_assert_true (watch_until (&watch, has_result, 0));
  wanted = watch.last->serial;
  for (int way = 0; way < 3; way++)
    {
      source.open_ms = way == 2 ? 500 : 60; /* long after it is cancelled */
      source.refuses = way == 0;            /* the source cannot be opened */
      its->valid = way != 1;                /* the work cannot be prepared */
      its->prepare_ms = way == 1 ? 60 : 0;
      watch.failures = 0;
      vg_pipeline_open (watch.pipeline, &fake_stream, its, (const char *const[]){ "b", NULL },
                        NULL);
      its->gain++;
      vg_pipeline_set_params (watch.pipeline, &fake_stream, its);
      for (gint64 end = g_get_monotonic_time () + (way == 2 ? 30000 : G_TIME_SPAN_MINUTE);
           g_get_monotonic_time () < end && watch.failures == 0;)
        {
          g_main_context_iteration (NULL, FALSE);
          g_assert_cmpuint (watch.last->serial, ==, wanted);
          g_assert_cmpfloat (watch_value (&watch), ==, 2 * (watch.last->frame_index - 1000));
        }
      if (way == 2)
        vg_pipeline_cancel (watch.pipeline);
      g_assert_cmpint (watch.failures, ==, way < 2);
      g_assert_true (watch_until (&watch, has_frame_after, watch.last->frame_index + 5));
      g_assert_cmpuint (watch.last->serial, ==, wanted);
      g_assert_cmpfloat (watch_value (&watch), ==, 2 * (watch.last->frame_index - 1000));
    }
  /* other settings have a number of their own */
  mine->gain = 3;
  serial = vg_pipeline_set_params (watch.pipeline, &fake_stream, mine);
  g_assert_cmpuint (serial, >, wanted + 6);
  g_assert_true (watch_until (&watch, has_serial, (gint64) serial));
  g_assert_cmpfloat (watch_value (&watch), ==, 3 * (watch.last->frame_index - 1000));
  /* an opening that succeeds has the newest */
  watch_open (&watch, its);
  its->gain = 7;
  serial = vg_pipeline_set_params (watch.pipeline, &fake_stream, its);
  g_assert_true (watch_until (&watch, has_serial, (gint64) serial));
  g_assert_cmpint (watch.opened, ==, 2);
  g_assert_cmpfloat (watch_value (&watch), ==, 7 * (watch.last->frame_index - 1000));
  watch_end (&watch);
}

/* Run, while other data are being opened, tries the settings of the data that no settings have
 * fitted yet, and not those of the opening, which would fit. */
static void
test_run_while_opening (void)
{
  FakeSource source = { .width = 4, .height = 4, .frames = 6 };
  g_autofree FakeParams *mine = fake_params (), *its = fake_params ();
  VgOperation stream = fake_stream;
  Watch watch;

  stream.input.channels = (VgInputRange){ 0, 1 };
  stream.input.frames = (VgInputRange){ 6, 6 };
  mine->valid = FALSE;
  watch_start (&watch, fake_pipeline (&source));
  vg_pipeline_set_playback (watch.pipeline, 0, FALSE);
  vg_pipeline_open (watch.pipeline, &stream, mine, NULL, NULL);
  g_assert_true (watch_until (&watch, has_result, 0));
  watch.failures = 0;
  source.open_ms = 500;
  source.refuses = TRUE;
  vg_pipeline_open (watch.pipeline, &stream, its, (const char *const[]){ "b", NULL }, NULL);
  vg_pipeline_play (watch.pipeline);
  g_assert_true (watch_until (&watch, has_failed, 0));
  g_assert_cmpstr (watch.error, ==, "these settings do not fit");
  watch.failures = 0;
  g_assert_true (watch_until (&watch, has_failed, 0));
  g_assert_cmpstr (watch.error, ==, "cannot open it");
  g_assert_true (watch.last->input_only);
  watch_end (&watch);
}

static gboolean baseline_is_lost;

static VgBaseline
get_baseline (gconstpointer state)
{
  return (VgBaseline){ baseline_is_lost ? VG_BASELINE_ABSENT : VG_BASELINE_COMPLETE, 1 };
}

static void
end_baseline (gpointer state)
{
  baseline_is_lost = TRUE;
}

/* Has a baseline, of which no frame is kept, on a GPU that fails at frame 5. */
static VgWork *
new_work (gpointer data, const VgOperation *operation, VgBackend backend, GError **error)
{
  static const VgEngineBaseline baseline = { "press", "gain", get_baseline, end_baseline };
  static const VgEngineResume resume = { .baseline = &baseline };
  static VgEngine cpu, gpu;

  cpu = *operation->cpu;
  gpu = fake_failing_gpu;
  cpu.resume = gpu.resume = &resume;
  return vg_work_new_with_engines (operation, &cpu, &gpu, NULL, VG_BACKEND_AUTO, 1, error);
}

/* A baseline that is lost with the GPU has a marker in the time courses. */
static void
test_baseline_lost (void)
{
  FakeSource source = { .width = 4, .height = 4, .frames = 30 };
  g_autofree FakeParams *params = fake_params ();
  VgPipeline *pipeline = fake_pipeline (&source);
  g_autoptr (GArray) marks = NULL;
  Watch watch;

  pipeline->hooks.new_work = new_work;
  watch_play (&watch, pipeline, params);
  g_assert_true (watch_until (&watch, has_frame, 29));
  g_assert_cmpint (watch.notices, ==, 1);
  g_assert_true (baseline_is_lost);
  marks = vg_time_course_get_marks (pipeline->course, 0);
  g_assert_cmpuint (marks->len, ==, 1);
  g_assert_cmpstr (g_array_index (marks, VgCurveMark, 0).label, ==, "No baseline");
  watch_end (&watch);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pipeline-settings/own", test_own_settings);
  g_test_add_func ("/pipeline-settings/run-while-opening", test_run_while_opening);
  g_test_add_func ("/pipeline-settings/baseline-lost", test_baseline_lost);
  return g_test_run ();
}
