/* SPDX-License-Identifier: MIT */
/* What is asked of the compute thread beside its work, and long runs. */
#include <glib/gstdio.h>
#include <math.h>
#include <stdio.h>
#include <unistd.h>
#include "tests/support/sanitized.h"
#include "tests/support/app/pipeline-answer.h"
#include "tests/support/app/pipeline-watch.h"
#include "kernels/base/vg-error.h"

static gboolean
is_on_cpu (Watch *watch, gint64 unused)
{
  return g_str_has_prefix (vg_pipeline_get_device (watch->pipeline), "CPU");
}

/* The GPU is lost after the map: the first query fails and says why, the map is computed on the
 * CPU, and the next query is answered. */
static void
test_gpu_lost (void)
{
  FakeSource source = { .width = 4, .height = 4, .frames = 4 };
  g_autofree FakeParams *params = fake_params ();
  const VgQuery query = { .kind = VG_QUERY_PIXEL_CURVES, .x = 1, .y = 1 };
  g_autoptr (VgCurves) curves = NULL;
  Answer first, second;
  Watch watch;

  params->history = 2;
  watch_play (&watch, fake_gpu_pipeline (&source), params);
  g_assert_false (is_on_cpu (&watch, 0));
  answer_begin (&first, watch.pipeline, &query, NULL);
  answer_wait (&first);
  g_assert_error (first.error, VG_GPU_ERROR, VG_GPU_ERROR_FAILED);
  g_assert_true (watch_until (&watch, is_on_cpu, 0));
  g_assert_true (watch_settle (&watch));
  g_assert_cmpint (watch.notices, ==, 1);
  g_assert_cmpint (watch.failures, ==, 0);
  g_assert_cmpfloat (watch_value (&watch), ==, fake_window_sum (3, 2));
  answer_begin (&second, watch.pipeline, &query, NULL);
  curves = answer_wait (&second);
  g_assert_no_error (second.error);
  g_assert_nonnull (curves);
  g_clear_error (&first.error);
  watch_end (&watch);
}

static void
test_jobs (void)
{
  FakeSource source = { .width = 4, .height = 4, .frames = 10 };
  g_autofree FakeParams *params = fake_params ();
  Answer here, outside, plot, closed, value, beside, no_output;
  g_autoptr (VgCurves) curves = NULL;
  g_autofree double *number = NULL;
  Watch watch;

  watch_start (&watch, fake_pipeline (&source));
  answer_begin (&closed, watch.pipeline, &(VgQuery){ .kind = VG_QUERY_PIXEL_CURVES }, NULL);
  answer_wait (&closed);
  g_assert_error (closed.error, VG_USAGE_ERROR, 0);
  vg_pipeline_set_playback (watch.pipeline, 0, FALSE);
  watch_open (&watch, params);
  g_assert_true (watch_until (&watch, in_state, VG_PIPELINE_FINISHED));
  answer_begin (&here, watch.pipeline, &(VgQuery){ .kind = VG_QUERY_PIXEL_CURVES, .x = 1, .y = 1 },
                NULL);
  answer_begin (&outside, watch.pipeline,
                &(VgQuery){ .kind = VG_QUERY_PIXEL_CURVES, .x = 9, .y = 1 }, NULL);
  answer_begin (&plot, watch.pipeline, &(VgQuery){ .kind = VG_QUERY_PLOT, .plot = 5 }, NULL);
  answer_begin (&value, watch.pipeline,
                &(VgQuery){ .kind = VG_QUERY_VALUE, .output = 1, .x = 2, .y = 3 }, NULL);
  answer_begin (&beside, watch.pipeline,
                &(VgQuery){ .kind = VG_QUERY_VALUE, .output = 1, .x = 2, .y = 4 }, NULL);
  answer_begin (&no_output, watch.pipeline, &(VgQuery){ .kind = VG_QUERY_VALUE, .output = 2 },
                NULL);
  curves = answer_wait (&here);
  answer_wait (&outside);
  answer_wait (&plot);
  number = answer_wait (&value);
  answer_wait (&beside);
  answer_wait (&no_output);
  g_assert_no_error (value.error);
  g_assert_cmpfloat (*number, ==, 9);
  g_assert_error (beside.error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_FAILED);
  g_assert_error (no_output.error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_FAILED);
  g_clear_error (&beside.error);
  g_clear_error (&no_output.error);
  g_assert_no_error (here.error);
  g_assert_cmpfloat (((VgSeries *) curves->series->pdata[0])->y[0], ==, 9);
  g_assert_error (outside.error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_FAILED);
  g_assert_error (plot.error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_FAILED);
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
  g_autoptr (VgCurves) curves = NULL;
  Answer answer;
  Watch watch;

  params->step_ms = 50;
  watch_stream (&watch, fake_pipeline (&source), params);
  g_assert_true (watch_until (&watch, has_result, 0));
  answer_begin (&answer, watch.pipeline,
                &(VgQuery){ .kind = VG_QUERY_PIXEL_CURVES, .x = 1, .y = 1 }, NULL);
  vg_pipeline_close (watch.pipeline);
  curves = answer_wait (&answer);
  g_assert_true (curves || answer.error);
  g_clear_error (&answer.error);
  watch_end (&watch);
}

/* --- the order of pictures and looks --- */

/* A curve that was asked for before the settings moved comes after their picture; with a result to
 * keep, that is of the settings it was asked with. */
static void
test_picture_first (void)
{
  g_autofree FakeParams *params = fake_params ();
  FakeSource source = { .width = 4, .height = 4, .frames = 1 };
  Watch watch;

  params->steps = 1;
  watch_steps (&watch, fake_pipeline (&source), params);
  g_assert_true (watch_until (&watch, in_state, VG_PIPELINE_FINISHED));
  for (int keep = 0; keep < 2; keep++)
    {
      Answer first, second, reference;
      g_autoptr (VgCurves) before = NULL, curves = NULL;
      const double *y;
      guint64 serial;

      fake_calls_reset ();
      fake_samples_hold (TRUE);
      answer_begin (&first, watch.pipeline,
                    &(VgQuery){ .kind = VG_QUERY_PIXEL_CURVES, .x = 1, .y = 1 }, NULL);
      while (fake_calls ().samples == 0)
        g_usleep (1000);
      answer_begin (&second, watch.pipeline,
                    &(VgQuery){ .kind = VG_QUERY_PIXEL_CURVES, .x = 1, .y = 1 }, NULL);
      if (keep)
        answer_begin (&reference, watch.pipeline, &(VgQuery){ .kind = VG_QUERY_REFERENCE }, NULL);
      params->gain += 1;
      serial = vg_pipeline_set_params (watch.pipeline, &fake_steps, params);
      fake_samples_hold (FALSE);
      before = answer_wait (&first);
      curves = answer_wait (&second);
      g_assert_true (watch_until (&watch, has_serial, (gint64) serial));
      g_assert_no_error (second.error);
      y = ((VgSeries *) curves->series->pdata[0])->y;
      g_assert_cmpfloat (y[1], ==, keep ? 0 : 1);
      g_assert_cmpfloat (y[2], ==, keep ? 0 : 1);
      if (keep)
        {
          g_autoptr (VgReference) kept = answer_wait (&reference);
          g_autofree char *differs = NULL;

          g_assert_no_error (reference.error);
          g_assert_nonnull (kept);
          differs = vg_reference_differs (kept, params, NULL);
          g_assert_cmpstr (differs, ==, "Gain");
        }
    }
  watch_end (&watch);
}

/* While a curve is computed the settings move, and the result is to be kept: of the moved ones,
 * once they have a map, also when they move on. */
static void
test_keep_of_moved (void)
{
  g_autofree FakeParams *params = fake_params (), *wanted = fake_params ();
  FakeSource source = { .width = 4, .height = 4, .frames = 1 };
  Watch watch;

  params->steps = 1;
  watch_steps (&watch, fake_pipeline (&source), params);
  g_assert_true (watch_until (&watch, in_state, VG_PIPELINE_FINISHED));
  for (int round = 0; round < 4; round++)
    {
      Answer answer, reference;
      g_autoptr (VgCurves) curves = NULL;
      g_autoptr (VgReference) kept = NULL;
      g_autofree char *differs = NULL;
      guint64 serial;

      fake_calls_reset ();
      fake_samples_hold (TRUE);
      answer_begin (&answer, watch.pipeline,
                    &(VgQuery){ .kind = VG_QUERY_PIXEL_CURVES, .x = 1, .y = 1 }, NULL);
      while (fake_calls ().samples == 0)
        g_usleep (1000);
      params->gain += 1;
      params->steps += round % 2; /* needs a new state */
      serial = vg_pipeline_set_params (watch.pipeline, &fake_steps, params);
      answer_begin (&reference, watch.pipeline, &(VgQuery){ .kind = VG_QUERY_REFERENCE }, NULL);
      *wanted = *params;
      for (int more = 0; more < 2 && round >= 2; more++)
        {
          params->gain += 1;
          serial = vg_pipeline_set_params (watch.pipeline, &fake_steps, params);
        }
      fake_samples_hold (FALSE);
      curves = answer_wait (&answer);
      kept = answer_wait (&reference);
      g_assert_no_error (reference.error);
      g_assert_nonnull (kept);
      differs = vg_reference_differs (kept, wanted, NULL);
      g_assert_null (differs);
      g_assert_cmpint (fake_calls ().steps, >, 0);
      g_assert_true (watch_until (&watch, has_serial, (gint64) serial));
    }
  watch_end (&watch);
}

/* --- export --- */

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
  g_autofree FakeParams *params = fake_params ();
  Watch watch;

  watch_play (&watch, fake_pipeline (&source), params);
  for (int late = 0; late < 2; late++)
    {
      g_autoptr (GCancellable) cancellable = g_cancellable_new ();
      g_autofree guint *n_maps = NULL;
      Answer exported;

      if (!late)
        g_cancellable_cancel (cancellable);
      answer_begin (&exported, watch.pipeline,
                    &(VgQuery){ .kind = VG_QUERY_EXPORT, .folder = folder }, cancellable);
      for (int i = 0; late && i < 25000 && !g_file_test (summary, G_FILE_TEST_EXISTS); i++)
        g_usleep (2000);
      g_cancellable_cancel (cancellable);
      n_maps = answer_wait (&exported);
      g_assert_cmpint (n_maps != NULL, ==, late);
      g_assert_cmpuint (n_maps ? *n_maps : 0, ==, late ? 2 : 0);
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

/* Settings whose picture was cancelled have no map: there is nothing to export, and the folder is
 * as it was. */
static void
test_export_after_cancel (void)
{
  FakeSource source = { .width = 4, .height = 4, .frames = 1 };
  g_autofree char *folder = g_dir_make_tmp ("vg-export-XXXXXX", NULL);
  g_autofree FakeParams *params = fake_params ();
  Answer exported;
  Watch watch;

  watch_play (&watch, fake_pipeline (&source), params);
  fake_calls_reset ();
  params->gain = 2;
  params->step_ms = 1;
  params->pieces = 1000000;
  vg_pipeline_set_params (watch.pipeline, &fake_stream, params);
  g_assert_true (watch_until (&watch, has_stepped, 1));
  vg_pipeline_cancel (watch.pipeline);
  answer_begin (&exported, watch.pipeline, &(VgQuery){ .kind = VG_QUERY_EXPORT, .folder = folder },
                NULL);
  g_assert_null (answer_wait (&exported));
  g_assert_error (exported.error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_FAILED);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
  g_clear_error (&exported.error);
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

/* More frames than a time course has points, every one fed, with a region that is followed; the
 * times never repeat. */
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
  watch_open (&watch, params);
  g_assert_true (watch_until (&watch, has_received, 5000));
  before = resident_bytes ();
  /* a slow machine gets on as well */
  for (int n = 10000; n <= VG_TIME_COURSE_POINTS + 10000; n += 5000)
    g_assert_true (watch_until (&watch, has_received, n));
  g_assert_true (SANITIZED || resident_bytes () < before + (10 << 20));
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
  FakeSource source = {
    .width = 4, .height = 4, .frames = -1, .live_frames = 400, .interval_us = 1000
  };
  g_autofree FakeParams *params = fake_params ();
  gint64 began = g_get_monotonic_time ();
  double mean = -1;
  int made = 0;
  Watch watch;

  watch_stream (&watch, fake_pipeline (&source), params);
  while (vg_pipeline_get_state (watch.pipeline) != VG_PIPELINE_FINISHED)
    {
      watch_for (&watch, 1);
      if (watch.last == NULL || watch.last->statistics.mean == mean)
        continue;
      mean = watch.last->statistics.mean;
      made++;
      g_assert_cmpfloat (mean, <=, watch_value (&watch));
    }
  g_assert_cmpint (made, <=, 2 + (g_get_monotonic_time () - began) * 30 / G_USEC_PER_SEC);
  g_assert_true (watch_settle (&watch));
  g_assert_cmpfloat (watch.last->statistics.mean, ==, 399);
  assert_counts_close (&watch);
  watch_end (&watch);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pipeline/jobs", test_jobs);
  g_test_add_func ("/pipeline/gpu-lost", test_gpu_lost);
  g_test_add_func ("/pipeline/job-at-close", test_job_at_close);
  g_test_add_func ("/pipeline/picture-first", test_picture_first);
  g_test_add_func ("/pipeline/keep-of-moved", test_keep_of_moved);
  g_test_add_func ("/pipeline/export-cancelled", test_export_cancelled);
  g_test_add_func ("/pipeline/export-after-cancel", test_export_after_cancel);
  g_test_add_func ("/pipeline/memory", test_memory);
  g_test_add_func ("/pipeline/statistics-throttle", test_statistics_throttle);
  return g_test_run ();
}
