/* SPDX-License-Identifier: MIT */
/* A view with a live source is left and come back to: the source, what is
 * recorded of it, its counts and its time courses go on. */
#include <glib/gstdio.h>
#include <math.h>
#include "tests/support/app/pipeline-watch.h"

static const char *const camera[] = { "camera", NULL };

static gboolean
has_opened (Watch *watch, gint64 number)
{
  return vg_pipeline_get_opened (watch->pipeline) == (guint) number;
}

/* As the window opens what is come back to. */
static void
go_to (Watch *watch, const VgOperation *operation, const FakeParams *params,
       const char *const *inputs)
{
  guint number;

  vg_pipeline_set_checkpoint (watch->pipeline, NULL, TRUE);
  number = vg_pipeline_open (watch->pipeline, operation, params, inputs, NULL);
  g_assert_true (watch_until (watch, has_opened, number));
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

static gboolean
is_released (gint64 frame, gpointer data)
{
  return frame < g_atomic_int_get ((int *) data);
}

/* What the recorder has taken of the newest is written. */
static gboolean
has_kept (Watch *watch, gint64 frames)
{
  g_auto (VgRecording) now = { 0 };

  return vg_pipeline_record_get_status (watch->pipeline, &now) &&
         (gint64) (now.kept + now.dropped) >= frames;
}

static gboolean
has_recorded (Watch *watch, gint64 unused)
{
  g_auto (VgRecording) now = { 0 };

  return vg_pipeline_record_get_status (watch->pipeline, &now) && now.ended;
}

/* Frames come in every view, then the source ends in one of them: all are in the file, and all are
 * counted. */
static void
record_while_switching (gboolean ends_elsewhere)
{
  enum { BEFORE = 5, EACH = 7, SWITCHES = 20 };
  int released = BEFORE;
  const gint64 frames = BEFORE + SWITCHES * EACH;
  FakeSource source = { .width = 7,
                        .height = 5,
                        .frames = -1,
                        .live_frames = frames,
                        .may_come = is_released,
                        .data = &released };
  g_autofree char *folder = g_dir_make_tmp ("vg-left-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "a.tif", NULL);
  g_autofree FakeParams *params = fake_params ();
  g_autoptr (GError) error = NULL;
  g_autoptr (VgSource) stack = NULL;
  g_auto (VgRecording) report = { 0 };
  VgPipelineCounts counts;
  Watch watch;

  watch_start (&watch, fake_pipeline (&source));
  go_to (&watch, &fake_stream, params, camera);
  g_assert_true (watch_until (&watch, has_received, BEFORE));
  g_assert_true (vg_pipeline_record_start (watch.pipeline, path, G_MAXINT64, &error));
  for (int i = 1; i <= SWITCHES; i++)
    {
      gboolean back = i % 2 == (ends_elsewhere ? 1 : 0);

      go_to (&watch, back ? &fake_stream : &fake_steps, params, back ? camera : NULL);
      g_atomic_int_set (&released, i < SWITCHES ? BEFORE + i * EACH : G_MAXINT);
      g_assert_true (watch_until (&watch, has_kept, i * EACH));
      if (back)
        {
          g_assert_true (watch_until (&watch, has_received, BEFORE + i * EACH));
          assert_counts_close (&watch);
        }
    }
  g_assert_true (watch_until (&watch, has_recorded, 0));
  g_assert_true (vg_pipeline_record_stop (watch.pipeline, &report, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (report.kept, ==, SWITCHES * EACH);
  g_assert_cmpuint (report.dropped, ==, 0);
  g_assert_cmpuint (report.missed, ==, 0);
  if (ends_elsewhere)
    go_to (&watch, &fake_stream, params, camera);
  g_assert_true (watch_until (&watch, in_state, VG_PIPELINE_FINISHED));
  g_assert_true (watch_settle (&watch));
  g_assert_cmpint (watch.failures, ==, 0);
  g_assert_cmpfloat (watch_value (&watch), ==, frames - 1);
  vg_pipeline_get_counts (watch.pipeline, &counts);
  g_assert_cmpuint (counts.sent, ==, frames);
  g_assert_cmpuint (counts.lost + counts.bad, ==, 0);
  assert_counts_close (&watch);
  watch_end (&watch);

  stack = vg_source_open (path, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (stack->info.frames, ==, SWITCHES * EACH);
  for (gint64 k = 0; k < SWITCHES * EACH; k++)
    {
      guint16 samples[35];

      g_assert_true (vg_source_read (stack, k, samples, NULL));
      g_assert_cmpuint (samples[34], ==, BEFORE + k);
    }
  g_unlink (path);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

static void
test_recording_goes_on (void)
{
  record_while_switching (FALSE);
}

static void
test_recording_ends_elsewhere (void)
{
  record_while_switching (TRUE);
}

/* One point per frame and region, of both times that the view was looked at, by the source's clock.
 */
static void
test_course_goes_on (void)
{
  const VgRegion region = {
    .kind = VG_REGION_RECTANGLE, .n_points = 2, .x = { 0, 4 }, .y = { 0, 4 }
  };
  const VgRegion other = {
    .kind = VG_REGION_RECTANGLE, .n_points = 2, .x = { 1, 3 }, .y = { 1, 3 }
  };
  int released = 1;
  FakeSource source = { .width = 8,
                        .height = 8,
                        .frames = -1,
                        .live_frames = 60,
                        .may_come = is_released,
                        .data = &released };
  g_autofree FakeParams *params = fake_params ();
  g_autoptr (VgCurves) curves = NULL;
  const VgSeries *series;
  int gaps = 0;
  Watch watch;

  params->history = 2; /* every frame is fed */
  watch_start (&watch, fake_pipeline (&source));
  go_to (&watch, &fake_stream, params, camera);
  vg_pipeline_set_regions (watch.pipeline, &region, 1);
  g_assert_true (watch_settle (&watch));
  g_atomic_int_set (&released, 10);
  g_assert_true (watch_until (&watch, has_frame, 1009));
  go_to (&watch, &fake_steps, params, NULL);
  vg_pipeline_set_regions (watch.pipeline, &other, 1);
  g_atomic_int_set (&released, 30);
  g_assert_true (watch_settle (&watch));
  go_to (&watch, &fake_stream, params, camera);
  /* before the window has sent its regions */
  g_assert_cmpuint (vg_time_course_length (watch.pipeline->course), >=, 8);
  vg_pipeline_set_regions (watch.pipeline, &region, 1);
  g_atomic_int_set (&released, G_MAXINT);
  g_assert_true (watch_until (&watch, in_state, VG_PIPELINE_FINISHED));
  g_assert_true (watch_settle (&watch));
  g_assert_true (watch_until (&watch, has_frame, 1059));
  g_assert_cmpfloat_with_epsilon (watch.last->time_s, 0.059, 1e-9);
  curves = vg_pipeline_time_course (watch.pipeline, 0);
  g_assert_cmpuint (curves->series->len, ==, 1);
  series = curves->series->pdata[0];
  g_assert_cmpint (series->n, >=, 57); /* the first two frames fill the window only */
  for (int i = 0; i < series->n; i++)
    if (isnan (series->y[i]))
      {
        gaps++;
        g_assert_cmpfloat_with_epsilon (series->x[i], 0.009, 1e-9);
      }
  g_assert_cmpint (gaps, ==, 1); /* while the other view was looked at */
  g_assert_cmpfloat (series->x[0], <, 0.01);
  g_assert_cmpfloat_with_epsilon (series->x[series->n - 1], 0.059, 1e-9);
  assert_counts_close (&watch);
  watch_end (&watch);
}

/* A source that the user opens again begins a new curve, although it is already running.  The curve
 * of a source whose connection was lost has a gap. */
static void
test_course_begins (void)
{
  const VgRegion region = {
    .kind = VG_REGION_RECTANGLE, .n_points = 2, .x = { 0, 4 }, .y = { 0, 4 }
  };
  int released = 20;
  FakeSource source = { .width = 8,
                        .height = 8,
                        .frames = -1,
                        .live_frames = 60,
                        .interrupted_at = 40,
                        .may_come = is_released,
                        .data = &released };
  g_autofree FakeParams *params = fake_params ();
  g_autoptr (VgCurves) curves = NULL;
  const VgSeries *series;
  int gaps = 0;
  Watch watch;

  params->history = 2; /* every frame is fed */
  watch_start (&watch, fake_pipeline (&source));
  go_to (&watch, &fake_stream, params, camera);
  vg_pipeline_set_regions (watch.pipeline, &region, 1);
  g_assert_true (watch_until (&watch, has_frame, 1019));
  vg_pipeline_mark_time (watch.pipeline, 0.015, "before");
  vg_pipeline_set_checkpoint (watch.pipeline, NULL, FALSE);
  g_assert_true (watch_until (
      &watch, has_opened, vg_pipeline_open (watch.pipeline, &fake_stream, params, camera, NULL)));
  vg_pipeline_set_regions (watch.pipeline, &region, 1);
  g_assert_true (watch_settle (&watch));
  g_atomic_int_set (&released, 40);
  g_assert_true (watch_until (&watch, has_frame, 1039));
  g_atomic_int_set (&released, G_MAXINT);
  g_assert_true (watch_until (&watch, has_frame, 1059));
  g_assert_true (watch_settle (&watch));
  curves = vg_pipeline_time_course (watch.pipeline, 0);
  g_assert_null (curves->marks);
  series = curves->series->pdata[0];
  g_assert_cmpfloat (series->x[0], >, 0.015); /* the frames of the newest map are computed again */
  for (int i = 0; i < series->n; i++)
    if (isnan (series->y[i]))
      {
        gaps++;
        g_assert_cmpfloat_with_epsilon (series->x[i], 0.039, 1e-9);
      }
  g_assert_cmpint (gaps, ==, 1);
  watch_end (&watch);
}

/* The curve of a recording has a gap where the connection was lost, however often it is played. */
static void
test_recorded_gap (void)
{
  const VgRegion region = {
    .kind = VG_REGION_RECTANGLE, .n_points = 2, .x = { 0, 4 }, .y = { 0, 4 }
  };
  FakeSource source = { .width = 8, .height = 8, .frames = 40, .interrupted_at = 30 };
  g_autofree FakeParams *params = fake_params ();
  Watch watch;

  params->history = 2; /* every frame is fed */
  watch_stream (&watch, fake_pipeline (&source), params);
  vg_pipeline_set_playback (watch.pipeline, 0, FALSE);
  vg_pipeline_set_regions (watch.pipeline, &region, 1);
  for (int round = 0; round < 2; round++)
    {
      g_autoptr (VgCurves) curves = NULL;
      const VgSeries *series;
      int gaps = 0;

      vg_pipeline_seek (watch.pipeline, 0);
      vg_pipeline_play (watch.pipeline);
      g_assert_true (watch_until (&watch, in_state, VG_PIPELINE_FINISHED));
      g_assert_true (watch_settle (&watch));
      curves = vg_pipeline_time_course (watch.pipeline, 0);
      series = curves->series->pdata[0];
      g_assert_cmpint (series->n, >, 33);
      for (int i = 0; i + 1 < series->n; i++)
        if (isnan (series->y[i]))
          {
            gaps++;
            g_assert_cmpfloat (series->x[i], ==, 29); /* without an interval frames are counted */
            /* the next map of frames that all come after the outage */
            g_assert_cmpfloat (series->x[i + 1], ==, 30 + params->history);
          }
      g_assert_cmpint (gaps, ==, 1);
    }
  watch_end (&watch);
}

/* The gap is where the connection was lost, although frames from before and after it wait together,
 * and no map is of frames from both sides. */
static void
test_gap_behind_others (void)
{
  const VgRegion region = {
    .kind = VG_REGION_RECTANGLE, .n_points = 2, .x = { 0, 4 }, .y = { 0, 4 }
  };
  int released = 20;
  FakeSource source = { .width = 8,
                        .height = 8,
                        .frames = -1,
                        .live_frames = 40,
                        .interrupted_at = 30,
                        .may_come = is_released,
                        .data = &released };
  g_autofree FakeParams *params = fake_params ();
  g_autoptr (VgCurves) curves = NULL;
  const VgSeries *series;
  double gaps[2] = { 0 };
  int n = 0;
  Watch watch;

  params->history = 2; /* every frame is fed */
  watch_start (&watch, fake_pipeline (&source));
  go_to (&watch, &fake_stream, params, camera);
  vg_pipeline_set_regions (watch.pipeline, &region, 1);
  g_assert_true (watch_until (&watch, has_frame, 1019));
  vg_pipeline_pause (watch.pipeline);
  g_assert_true (watch_settle (&watch));
  g_atomic_int_set (&released, G_MAXINT);
  g_assert_true (watch_until (&watch, has_received, 40));
  vg_pipeline_play (watch.pipeline);
  g_assert_true (watch_until (&watch, has_frame, 1039));
  g_assert_true (watch_settle (&watch));
  curves = vg_pipeline_time_course (watch.pipeline, 0);
  series = curves->series->pdata[0];
  for (int i = 0; i < series->n; i++)
    {
      if (isnan (series->y[i]) && n < 2)
        gaps[n++] = series->x[i];
      else
        g_assert_false (series->x[i] > 0.0295 && series->x[i] < 0.0315);
    }
  g_assert_cmpint (n, ==, 2);
  g_assert_cmpfloat_with_epsilon (gaps[0], 0.019, 1e-9); /* the pause */
  g_assert_cmpfloat_with_epsilon (gaps[1], 0.029, 1e-9);
  watch_end (&watch);
}

static gboolean
is_asked_twice (gint64 frame, gpointer data)
{
  return g_atomic_int_add ((int *) data, 1) % 2 == 1;
}

/* No frame of the sample is computed any more. */
static void
watch_rest (Watch *watch, int *asked)
{
  int seen, looks = 0;

  do
    {
      seen = g_atomic_int_get (asked);
      watch_for (watch, 50);
    }
  while (g_atomic_int_get (asked) != seen && ++looks < 100);
  watch_for (watch, 100);
  g_assert_cmpint (g_atomic_int_get (asked), ==, seen);
}

/* Sample data are computed for who looks at them: nobody does meanwhile, and none of them is lost.
 */
static void
test_sample_rests (void)
{
  int asked = 0;
  FakeSource source = {
    .width = 8, .height = 8, .frames = -1, .may_come = is_asked_twice, .data = &asked
  };
  g_autofree FakeParams *params = fake_params ();
  VgPipelineCounts before, after, later;
  gint64 frame;
  Watch watch;

  watch_start (&watch, fake_pipeline (&source));
  go_to (&watch, &fake_stream, params, NULL);
  g_assert_true (watch_until (&watch, has_received, 20));
  vg_pipeline_get_counts (watch.pipeline, &before);
  go_to (&watch, &fake_steps, params, NULL);
  watch_rest (&watch, &asked);
  g_assert_cmpint (fake_sources_open (), ==, 1);
  go_to (&watch, &fake_stream, params, NULL);
  vg_pipeline_get_counts (watch.pipeline, &after);
  g_assert_cmpuint (after.sent, >=, before.sent);
  g_assert_true (watch_until (&watch, has_result, 0));
  frame = watch.last->frame_index;
  g_assert_true (watch_until (&watch, has_frame_after, frame));
  vg_pipeline_get_counts (watch.pipeline, &later);
  g_assert_cmpuint (later.lost, ==, 0);
  assert_counts_close (&watch);
  /* pressed again it starts anew */
  vg_pipeline_set_checkpoint (watch.pipeline, NULL, FALSE);
  g_assert_true (watch_until (&watch, has_opened,
                              vg_pipeline_open (watch.pipeline, &fake_stream, params, NULL, NULL)));
  vg_pipeline_get_counts (watch.pipeline, &after);
  g_assert_cmpuint (after.sent, <, later.sent);
  watch_end (&watch);
}

/* A paused sample computes no frame until it runs again or is recorded.  Settings act meanwhile,
 * and the frame after the pause is a new one. */
static void
test_paused_sample_rests (void)
{
  int asked = 0;
  FakeSource source = {
    .width = 8, .height = 8, .frames = -1, .may_come = is_asked_twice, .data = &asked
  };
  g_autofree char *folder = g_dir_make_tmp ("vg-left-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "a.tif", NULL);
  g_autofree FakeParams *params = fake_params ();
  g_autoptr (GError) error = NULL;
  g_auto (VgRecording) report = { 0 };
  VgPipelineCounts before, after;
  gint64 frame;
  float value;
  Watch watch;

  watch_start (&watch, fake_pipeline (&source));
  go_to (&watch, &fake_stream, params, NULL);
  g_assert_true (watch_until (&watch, has_received, 20));
  vg_pipeline_pause (watch.pipeline);
  watch_rest (&watch, &asked);
  vg_pipeline_get_counts (watch.pipeline, &before);
  frame = watch.last->frame_index;
  value = watch_value (&watch);
  params->gain = 2;
  g_assert_true (watch_until (
      &watch, has_serial, (gint64) vg_pipeline_set_params (watch.pipeline, &fake_stream, params)));
  g_assert_cmpint (watch.last->frame_index, ==, frame);
  g_assert_cmpfloat (watch_value (&watch), ==, 2 * value);

  g_assert_true (vg_pipeline_record_start (watch.pipeline, path, G_MAXINT64, &error));
  g_assert_true (watch_until (&watch, has_kept, 10));
  g_assert_true (vg_pipeline_record_stop (watch.pipeline, &report, &error));
  g_assert_cmpuint (report.missed, ==, 0);
  watch_rest (&watch, &asked);

  vg_pipeline_get_counts (watch.pipeline, &before);
  g_assert_cmpint (watch.last->frame_index, ==, frame);
  vg_pipeline_play (watch.pipeline);
  g_assert_true (watch_until (&watch, has_frame_after, frame));
  /* what waited through the pause is not shown */
  g_assert_cmpint (watch.last->frame_index, >=, 1000 + (gint64) before.sent);
  g_assert_true (watch_until (&watch, has_received, (gint64) before.sent + 20));
  vg_pipeline_get_counts (watch.pipeline, &after);
  g_assert_cmpuint (after.lost, ==, 0);
  assert_counts_close (&watch);
  watch_end (&watch);
  g_assert_cmpint (g_remove (path), ==, 0);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

/* An opening that is cancelled, or fails, leaves the source as it is; and so does coming back
 * before the other view has opened. */
static void
test_opening_that_comes_to_nothing (void)
{
  int released = 10;
  FakeSource source = { .width = 8,
                        .height = 8,
                        .frames = -1,
                        .live_frames = 40,
                        .may_come = is_released,
                        .data = &released };
  g_autofree FakeParams *params = fake_params ();
  VgPipelineCounts counts;
  guint number;
  Watch watch;

  watch_start (&watch, fake_pipeline (&source));
  go_to (&watch, &fake_stream, params, camera);
  g_assert_true (watch_until (&watch, has_received, 10));
  vg_pipeline_open (watch.pipeline, &fake_steps, params, NULL, NULL);
  vg_pipeline_set_checkpoint (watch.pipeline, NULL, TRUE);
  number = vg_pipeline_open (watch.pipeline, &fake_stream, params, camera, NULL);
  g_assert_true (watch_until (&watch, has_opened, number));
  params->step_ms = 200; /* the opening waits for it, and is cancelled meanwhile */
  params->steps = 1;
  fake_calls_reset ();
  go_to (&watch, &fake_steps, params, NULL);
  while (fake_calls ().steps == 0)
    watch_for (&watch, 1);
  vg_pipeline_set_checkpoint (watch.pipeline, NULL, TRUE);
  vg_pipeline_open (watch.pipeline, &fake_stream, params, camera, NULL);
  vg_pipeline_cancel (watch.pipeline);
  params->step_ms = 0;
  g_assert_true (watch_settle (&watch));
  g_assert_cmpint (fake_sources_open (), ==, 1);
  g_atomic_int_set (&released, G_MAXINT);
  go_to (&watch, &fake_stream, params, camera);
  g_assert_true (watch_until (&watch, in_state, VG_PIPELINE_FINISHED));
  g_assert_true (watch_settle (&watch));
  vg_pipeline_get_counts (watch.pipeline, &counts);
  g_assert_cmpuint (counts.sent, ==, 40);
  g_assert_cmpfloat (watch_value (&watch), ==, 39);
  assert_counts_close (&watch);
  watch_end (&watch);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pipeline-left/recording-goes-on", test_recording_goes_on);
  g_test_add_func ("/pipeline-left/recording-ends-elsewhere", test_recording_ends_elsewhere);
  g_test_add_func ("/pipeline-left/course-goes-on", test_course_goes_on);
  g_test_add_func ("/pipeline-left/course-begins", test_course_begins);
  g_test_add_func ("/pipeline-left/recorded-gap", test_recorded_gap);
  g_test_add_func ("/pipeline-left/gap-behind-others", test_gap_behind_others);
  g_test_add_func ("/pipeline-left/sample-rests", test_sample_rests);
  g_test_add_func ("/pipeline-left/paused-sample-rests", test_paused_sample_rests);
  g_test_add_func ("/pipeline-left/opening-that-comes-to-nothing",
                   test_opening_that_comes_to_nothing);
  return g_test_run ();
}
