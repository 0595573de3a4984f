/* SPDX-License-Identifier: MIT */
/* Work in steps, jobs, recording, long runs. */
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "fake-operation.h"
#include "vg-error.h"

static void
open_stream (Watch *watch, const FakeParams *params)
{
  vg_pipeline_open (watch->pipeline, &fake_stream, params, NULL, NULL);
}

static void
test_steps (void)
{
  g_autofree FakeParams *params = fake_params ();
  FakeSource source = { .width = 4, .height = 4, .frames = 1 };
  guint64 serial;
  Watch watch;

  params->step_ms = 5;
  params->steps = 40;
  watch_start (&watch, fake_pipeline (&source));
  vg_pipeline_open (watch.pipeline, &fake_steps, params, NULL, NULL);
  g_assert_true (watch_until (&watch, has_result, 0));
  g_assert_false (watch.last->final);
  g_assert_cmpfloat (watch.last->progress, <, 1);
  g_assert_true (watch_until (&watch, in_state, VG_PIPELINE_FINISHED));
  watch_for (&watch, 20);
  g_assert_true (watch.last->final);
  g_assert_cmpfloat (watch.last->progress, ==, 1);
  g_assert_cmpfloat (watch_value (&watch), ==, 40);
  /* at most 60 pictures a second of work in progress */
  g_assert_cmpint (watch.results, <=, 20);
  g_assert_cmpint (watch.results, >=, 5);
  params->steps = 3;
  serial = vg_pipeline_set_params (watch.pipeline, params);
  g_assert_true (watch_until (&watch, has_serial, (gint64) serial));
  g_assert_true (watch_until (&watch, in_state, VG_PIPELINE_FINISHED));
  watch_for (&watch, 20);
  g_assert_cmpfloat (watch_value (&watch), ==, 3);
  assert_counts_close (&watch);
  watch_end (&watch);
}

static void
test_steps_pause_and_cancel (void)
{
  g_autofree FakeParams *params = fake_params ();
  FakeSource source = { .width = 4, .height = 4, .frames = 1 };
  guint64 serial;
  gint64 start;
  int steps;
  Watch watch;

  params->step_ms = 20;
  params->steps = 1000000;
  watch_start (&watch, fake_pipeline (&source));
  vg_pipeline_open (watch.pipeline, &fake_steps, params, NULL, NULL);
  g_assert_true (watch_until (&watch, has_result, 0));
  vg_pipeline_pause (watch.pipeline);
  watch_for (&watch, 60);
  fake_calls_reset ();
  watch_for (&watch, 60);
  g_assert_cmpint (fake_calls ().steps, ==, 0);
  /* a slider moves the paused picture too */
  params->gain = 3;
  serial = vg_pipeline_set_params (watch.pipeline, params);
  g_assert_true (watch_until (&watch, has_serial, (gint64) serial));
  g_assert_cmpint (fake_calls ().steps, ==, 1);
  vg_pipeline_play (watch.pipeline);
  watch_for (&watch, 100);
  start = g_get_monotonic_time ();
  vg_pipeline_cancel (watch.pipeline);
  g_assert_true (watch_until (&watch, in_state, VG_PIPELINE_FINISHED));
  g_usleep (30000);
  steps = fake_calls ().steps;
  g_assert_cmpint (g_get_monotonic_time () - start, <, 100000);
  g_usleep (60000);
  g_assert_cmpint (fake_calls ().steps, ==, steps);
  watch_end (&watch);
}

/* Paused work goes on where it was, takes single steps, starts anew with other
 * settings and shows their first step, and is done again when it was done. */
static void
test_steps_go_on (void)
{
  g_autofree FakeParams *params = fake_params ();
  FakeSource source = { .width = 4, .height = 4, .frames = 1 };
  guint generation;
  guint64 serial;
  float held;
  Watch watch;

  params->step_ms = 20;
  params->steps = 30;
  watch_start (&watch, fake_pipeline (&source));
  vg_pipeline_open (watch.pipeline, &fake_steps, params, NULL, NULL);
  watch_for (&watch, 120);
  vg_pipeline_pause (watch.pipeline);
  g_assert_true (watch_until (&watch, in_state, VG_PIPELINE_PAUSED));
  watch_for (&watch, 60);
  held = watch_value (&watch);
  generation = watch.last->generation;
  g_assert_cmpfloat (held, >=, 2);
  fake_calls_reset ();
  vg_pipeline_step (watch.pipeline);
  vg_pipeline_step (watch.pipeline);
  watch_for (&watch, 100);
  g_assert_cmpfloat (watch_value (&watch), ==, held + 2);
  g_assert_cmpint (vg_pipeline_get_state (watch.pipeline), ==, VG_PIPELINE_PAUSED);
  vg_pipeline_play (watch.pipeline);
  g_assert_true (watch_until (&watch, in_state, VG_PIPELINE_FINISHED));
  watch_for (&watch, 30);
  g_assert_cmpfloat (watch_value (&watch), ==, 30);
  g_assert_cmpint (fake_calls ().steps, ==, 30 - (int) held);
  g_assert_cmpint (fake_calls ().prepares, ==, 0);
  g_assert_cmpuint (watch.last->generation, ==, generation);

  vg_pipeline_play (watch.pipeline);
  watch_for (&watch, 60);
  vg_pipeline_pause (watch.pipeline);
  watch_for (&watch, 60);
  g_assert_cmpint (fake_calls ().prepares, ==, 1);
  g_assert_cmpuint (watch.last->generation, !=, generation);
  g_assert_cmpfloat (watch_value (&watch), <, 20);

  generation = watch.last->generation;
  params->history = 1;
  serial = vg_pipeline_set_params (watch.pipeline, params);
  g_assert_true (watch_until (&watch, has_serial, (gint64) serial));
  watch_for (&watch, 60);
  g_assert_cmpuint (watch.last->generation, !=, generation);
  g_assert_cmpfloat (watch_value (&watch), ==, 1);
  g_assert_cmpint (vg_pipeline_get_state (watch.pipeline), ==, VG_PIPELINE_PAUSED);
  watch_end (&watch);
}

static void
test_step_fails (void)
{
  g_autofree FakeParams *params = fake_params ();
  FakeSource source = { .width = 4, .height = 4, .frames = 1 };
  guint64 serial;
  Watch watch;

  params->fail_at = 4;
  params->step_ms = 1;
  watch_start (&watch, fake_pipeline (&source));
  vg_pipeline_open (watch.pipeline, &fake_steps, params, NULL, NULL);
  g_assert_true (watch_until (&watch, has_failed, 0));
  g_assert_cmpint (vg_pipeline_get_state (watch.pipeline), ==, VG_PIPELINE_FAILED);
  g_assert_nonnull (watch.last);
  params->fail_at = -1;
  serial = vg_pipeline_set_params (watch.pipeline, params);
  g_assert_true (watch_until (&watch, has_serial, (gint64) serial));
  vg_pipeline_play (watch.pipeline);
  g_assert_true (watch_until (&watch, in_state, VG_PIPELINE_FINISHED));
  watch_end (&watch);
}

/* --- jobs --- */

typedef struct
{
  gboolean done;
  VgCurves *curves;
  double value;
  GError *error;
} Answer;

static void
on_curves (GObject *object, GAsyncResult *result, gpointer data)
{
  Answer *answer = data;

  answer->curves = vg_pipeline_curves_finish (VG_PIPELINE (object), result, &answer->error);
  answer->done = TRUE;
}

static void
on_value (GObject *object, GAsyncResult *result, gpointer data)
{
  Answer *answer = data;

  answer->value = vg_pipeline_probe_finish (VG_PIPELINE (object), result, &answer->error);
  answer->done = TRUE;
}

static void
wait_for (Answer *answer)
{
  while (!answer->done)
    g_main_context_iteration (NULL, TRUE);
}

static void
test_jobs (void)
{
  FakeSource source = { .width = 4, .height = 4, .frames = 10 };
  g_autofree FakeParams *params = fake_params ();
  Answer here = { 0 }, outside = { 0 }, plot = { 0 }, closed = { 0 }, value = { 0 }, beside = { 0 }, no_output = { 0 };
  Watch watch;

  watch_start (&watch, fake_pipeline (&source));
  vg_pipeline_sample_async (watch.pipeline, 0, 0, 0, NULL, on_curves, &closed);
  wait_for (&closed);
  g_assert_error (closed.error, VG_USAGE_ERROR, 0);
  vg_pipeline_set_playback (watch.pipeline, 0, FALSE);
  open_stream (&watch, params);
  g_assert_true (watch_until (&watch, in_state, VG_PIPELINE_FINISHED));
  vg_pipeline_sample_async (watch.pipeline, 1, 1, 0, NULL, on_curves, &here);
  vg_pipeline_sample_async (watch.pipeline, 9, 1, 0, NULL, on_curves, &outside);
  vg_pipeline_plot_async (watch.pipeline, 5, NULL, on_curves, &plot);
  vg_pipeline_probe_async (watch.pipeline, 1, 2, 3, 0, NULL, on_value, &value);
  vg_pipeline_probe_async (watch.pipeline, 1, 2, 4, 0, NULL, on_value, &beside);
  vg_pipeline_probe_async (watch.pipeline, 2, 0, 0, 0, NULL, on_value, &no_output);
  wait_for (&here);
  wait_for (&outside);
  wait_for (&plot);
  wait_for (&value);
  wait_for (&beside);
  wait_for (&no_output);
  g_assert_no_error (value.error);
  g_assert_cmpfloat (value.value, ==, 9);
  g_assert_error (beside.error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_FAILED);
  g_assert_error (no_output.error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_FAILED);
  g_clear_error (&beside.error);
  g_clear_error (&no_output.error);
  g_assert_no_error (here.error);
  g_assert_cmpfloat (((VgSeries *) here.curves->series->pdata[0])->y[0], ==, 9);
  g_assert_error (outside.error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_FAILED);
  g_assert_error (plot.error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_FAILED);
  vg_curves_free (here.curves);
  g_clear_error (&closed.error);
  g_clear_error (&outside.error);
  g_clear_error (&plot.error);
  watch_end (&watch);
}

/* A task that is asked for and never run still answers. */
static void
test_job_at_close (void)
{
  FakeSource source = { .width = 4, .height = 4, .frames = 10 };
  g_autofree FakeParams *params = fake_params ();
  Answer answer = { 0 };
  Watch watch;

  params->step_ms = 50;
  watch_start (&watch, fake_pipeline (&source));
  open_stream (&watch, params);
  g_assert_true (watch_until (&watch, has_result, 0));
  vg_pipeline_sample_async (watch.pipeline, 1, 1, 0, NULL, on_curves, &answer);
  vg_pipeline_close (watch.pipeline);
  wait_for (&answer);
  g_assert_true (answer.curves || answer.error);
  g_clear_pointer (&answer.curves, vg_curves_free);
  g_clear_error (&answer.error);
  watch_end (&watch);
}

/* --- export --- */

typedef struct
{
  GMainLoop *loop;
  gboolean done;
  GError *error;
} Exported;

static void
on_exported (GObject *source, GAsyncResult *result, gpointer data)
{
  Exported *exported = data;

  exported->done = vg_pipeline_export_finish (VG_PIPELINE (source), result, &exported->error);
  g_main_loop_quit (exported->loop);
}

static void
empty_folder (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      g_unlink (path);
    }
  g_rmdir (folder);
}

/* Cancelled in time, the folder is as it was; cancelled too late, the files
 * are there and the answer says so. */
static void
test_export_cancelled (void)
{
  FakeSource source = { .width = 4, .height = 4, .frames = 3 };
  g_autofree char *folder = g_dir_make_tmp ("vg-export-XXXXXX", NULL);
  g_autofree char *summary = g_build_filename (folder, "summary.json", NULL);
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  g_autofree FakeParams *params = fake_params ();
  Watch watch;

  watch_start (&watch, fake_pipeline (&source));
  vg_pipeline_set_playback (watch.pipeline, 0, FALSE);
  open_stream (&watch, params);
  g_assert_true (watch_until (&watch, in_state, VG_PIPELINE_FINISHED));
  for (int late = 0; late < 2; late++)
    {
      g_autoptr (GCancellable) cancellable = g_cancellable_new ();
      Exported exported = { loop, FALSE, NULL };

      if (!late)
        g_cancellable_cancel (cancellable);
      vg_pipeline_export_async (watch.pipeline, folder, cancellable, on_exported, &exported);
      for (int i = 0; late && i < 5000 && !g_file_test (summary, G_FILE_TEST_EXISTS); i++)
        g_usleep (2000);
      g_cancellable_cancel (cancellable);
      g_main_loop_run (loop);
      g_assert_cmpint (exported.done, ==, late);
      g_assert_cmpint (g_file_test (summary, G_FILE_TEST_EXISTS), ==, late);
      if (!late)
        {
          g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);

          g_assert_error (exported.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
          g_assert_null (g_dir_read_name (dir));
        }
      g_clear_error (&exported.error);
    }
  watch_end (&watch);
  empty_folder (folder);
}

/* --- recording --- */

static void
test_record (void)
{
  FakeSource source = { .width = 7, .height = 5, .frames = -1, .live_frames = 300, .interval_us = 1000, .gap_every = 50 };
  g_autofree char *folder = g_dir_make_tmp ("vg-record-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "a.tif", NULL);
  g_autofree FakeParams *params = fake_params ();
  g_autoptr (GError) error = NULL;
  guint64 kept = 0, lost = 0;
  Watch watch;

  watch_start (&watch, fake_pipeline (&source));
  g_assert_false (vg_pipeline_record_start (watch.pipeline, path, &error));
  g_assert_error (error, VG_USAGE_ERROR, 0);
  g_clear_error (&error);
  open_stream (&watch, params);
  g_assert_true (watch_until (&watch, has_result, 0));
  g_assert_true (vg_pipeline_record_start (watch.pipeline, path, &error));
  g_assert_false (vg_pipeline_record_start (watch.pipeline, path, NULL));
  g_assert_true (watch_until (&watch, in_state, VG_PIPELINE_FINISHED));
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
  g_assert_true (vg_pipeline_record_stop (watch.pipeline, &kept, &lost, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (kept, >, 50);
  watch_end (&watch);

  {
    g_autoptr (VgSource) stack = vg_source_open (path, NULL, &error);
    guint16 first[35], last[35];

    g_assert_no_error (error);
    g_assert_cmpint (stack->info.width, ==, 7);
    g_assert_cmpint (stack->info.type, ==, VG_U16);
    g_assert_cmpint (stack->info.frames, ==, (gint64) kept);
    g_assert_true (vg_source_read (stack, 0, first, NULL));
    g_assert_true (vg_source_read (stack, (gint64) kept - 1, last, NULL));
    g_assert_cmpuint (last[0], ==, 299);
    /* nothing is neither kept nor counted: three frames after every fiftieth never came */
    g_assert_cmpuint (kept + lost, ==, 299u - first[34] + 1 + 3 * (299 / 50 - first[34] / 50));
  }
  g_unlink (path);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

static void
test_record_types (void)
{
  static const VgImageInfo infos[] = {
    { .type = VG_U8, .width = 3, .height = 2, .channels = 1, .bins = 1, .slices = 1, .frames = -1 },
    { .type = VG_U32, .width = 3, .height = 2, .channels = 1, .bins = 1, .slices = 1, .frames = -1 },
    { .type = VG_F32, .width = 3, .height = 2, .channels = 1, .bins = 1, .slices = 1, .frames = -1 },
    { .type = VG_U8, .width = 3, .height = 2, .channels = 3, .bins = 1, .slices = 1, .frames = -1 },
    { .type = VG_U8, .width = 3, .height = 2, .channels = 4, .bins = 1, .slices = 1, .frames = -1 },
    { .type = VG_U16, .width = 3, .height = 2, .channels = 1, .bins = 1, .slices = 1, .frames = -1, .significant_bits = 12,
      .frame_interval_s = 0.02, .exposure_ms = 3.5 },
  };
  g_autofree char *folder = g_dir_make_tmp ("vg-record-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "a.tif", NULL);

  for (guint i = 0; i < G_N_ELEMENTS (infos); i++)
    {
      g_autoptr (VgFramePool) pool = vg_frame_pool_new (&infos[i], 2, NULL, NULL);
      const VgSourceOptions options = { .colour = TRUE };
      gsize bytes = vg_image_info_frame_bytes (&infos[i]);
      g_autoptr (GError) error = NULL;
      g_autoptr (VgSource) stack = NULL;
      VgRecorder *recorder = vg_recorder_new (&infos[i], path, NULL, NULL, &error);
      guint8 back[64];
      guint64 kept;

      g_assert_no_error (error);
      for (int k = 0; k < 2; k++)
        {
          g_autoptr (VgFrame) frame = vg_frame_pool_take (pool, NULL);

          for (gsize b = 0; b < bytes; b++)
            ((guint8 *) frame->data)[b] = (guint8) (17 * k + b) & (infos[i].significant_bits && b % 2 ? 0x0f : 0xff);
          vg_recorder_push (recorder, frame);
        }
      g_assert_true (vg_recorder_stop (recorder, &kept, NULL, &error));
      g_assert_cmpuint (kept, ==, 2);
      stack = vg_source_open (path, &options, &error);
      g_assert_no_error (error);
      g_assert_cmpint (stack->info.type, ==, infos[i].type);
      g_assert_cmpint (stack->info.channels, ==, infos[i].channels);
      g_assert_cmpfloat (stack->info.exposure_ms, ==, infos[i].exposure_ms);
      g_assert_cmpfloat (stack->info.frame_interval_s, ==, infos[i].frame_interval_s);
      if (infos[i].significant_bits > 0)
        g_assert_cmpint (stack->info.significant_bits, ==, infos[i].significant_bits);
      g_assert_true (vg_source_read (stack, 1, back, &error));
      for (gsize b = 0; b < bytes; b++)
        g_assert_cmpint (back[b], ==, (guint8) (17 + b) & (infos[i].significant_bits && b % 2 ? 0x0f : 0xff));
    }
  g_unlink (path);
  g_rmdir (folder);
}

static void
test_record_unwritable (void)
{
  FakeSource source = { .width = 7, .height = 5, .frames = -1, .interval_us = 1000 };
  g_autofree FakeParams *params = fake_params ();
  g_autoptr (GError) error = NULL;
  Watch watch;

  watch_start (&watch, fake_pipeline (&source));
  open_stream (&watch, params);
  g_assert_true (watch_until (&watch, has_result, 0));
  g_assert_false (vg_pipeline_record_start (watch.pipeline, "/nowhere/at/all.tif", &error));
  g_assert_error (error, VG_IO_ERROR, VG_IO_ERROR_WRITE);
  watch_end (&watch);
}

/* --- long runs --- */

static gsize
resident_bytes (void)
{
  g_autofree char *text = NULL;
  unsigned long size = 0, resident = 0;

  g_assert_true (g_file_get_contents ("/proc/self/statm", &text, NULL, NULL));
  g_assert_cmpint (sscanf (text, "%lu %lu", &size, &resident), ==, 2);
  return resident * (gsize) sysconf (_SC_PAGESIZE);
}

static gboolean
received (Watch *watch, gint64 n)
{
  VgPipelineCounts counts;

  vg_pipeline_get_counts (watch->pipeline, &counts);
  return counts.received >= (guint64) n;
}

/* An hour at 55 frames per second, every one fed, with a region that is
 * followed; the times never repeat. */
static void
test_memory (void)
{
  FakeSource source = { .width = 4, .height = 4, .frames = 1000000 };
  VgRegion region = { .kind = VG_REGION_RECTANGLE, .n_points = 2, .x = { 0, 2 }, .y = { 0, 2 } };
  g_autofree FakeParams *params = fake_params ();
  g_autoptr (VgCurves) curves = NULL;
  gsize before;
  Watch watch;

  params->history = 3;
  watch_start (&watch, fake_pipeline (&source));
  vg_pipeline_set_regions (watch.pipeline, &region, 1);
  vg_pipeline_set_playback (watch.pipeline, 0, FALSE);
  open_stream (&watch, params);
  g_assert_true (watch_until (&watch, received, 5000));
  before = resident_bytes ();
  g_assert_true (watch_until (&watch, received, 200000));
#if !defined (__SANITIZE_ADDRESS__) && !defined (__SANITIZE_THREAD__)
  g_assert_cmpuint (resident_bytes (), <, before + (20 << 20));
#endif
  g_test_message ("grown by %.1f MB", ((double) resident_bytes () - (double) before) / (1 << 20));
  assert_counts_close (&watch);
  vg_pipeline_pause (watch.pipeline);
  curves = vg_pipeline_time_course (watch.pipeline, 0);
  g_assert_cmpint (((VgSeries *) curves->series->pdata[0])->n, <=, VG_TIME_COURSE_POINTS);
  watch_end (&watch);
}

/* Histograms are made 30 times a second however many results come. */
static void
test_statistics_throttle (void)
{
  FakeSource source = { .width = 4, .height = 4, .frames = -1, .live_frames = 400, .interval_us = 1000 };
  g_autofree FakeParams *params = fake_params ();
  Watch watch;

  watch_start (&watch, fake_pipeline (&source));
  open_stream (&watch, params);
  watch_for (&watch, 200);
  g_assert_cmpfloat (watch.last->statistics.mean, <=, watch_value (&watch));
  g_assert_cmpfloat (watch.last->statistics.mean, >=, watch_value (&watch) - 60);
  g_assert_true (watch_until (&watch, in_state, VG_PIPELINE_FINISHED));
  watch_for (&watch, 30);
  g_assert_cmpfloat (watch.last->statistics.mean, ==, 399);
  assert_counts_close (&watch);
  watch_end (&watch);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pipeline/steps", test_steps);
  g_test_add_func ("/pipeline/steps-pause-and-cancel", test_steps_pause_and_cancel);
  g_test_add_func ("/pipeline/steps-go-on", test_steps_go_on);
  g_test_add_func ("/pipeline/step-fails", test_step_fails);
  g_test_add_func ("/pipeline/jobs", test_jobs);
  g_test_add_func ("/pipeline/job-at-close", test_job_at_close);
  g_test_add_func ("/pipeline/export-cancelled", test_export_cancelled);
  g_test_add_func ("/pipeline/record", test_record);
  g_test_add_func ("/pipeline/record-types", test_record_types);
  g_test_add_func ("/pipeline/record-unwritable", test_record_unwritable);
  g_test_add_func ("/pipeline/memory", test_memory);
  g_test_add_func ("/pipeline/statistics-throttle", test_statistics_throttle);
  return g_test_run ();
}
