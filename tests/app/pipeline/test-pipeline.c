/* SPDX-License-Identifier: MIT */
/* The pipeline with sources and engines whose every result is known: stacks,
 * settings, and what an engine refuses. */
#include <string.h>
#include "tests/support/app/pipeline-watch.h"

static void
test_stack (void)
{
  FakeSource source = { .width = 5, .height = 3, .frames = 40 };
  g_autofree FakeParams *params = fake_params ();
  VgPipelineCounts counts;
  VgImageInfo info;
  Watch watch;

  watch_start (&watch, fake_pipeline (&source));
  g_assert_false (vg_pipeline_get_info (watch.pipeline, &info));
  vg_pipeline_set_playback (watch.pipeline, 0, FALSE);
  watch_open (&watch, params);
  g_assert_cmpint (vg_pipeline_get_state (watch.pipeline), ==, VG_PIPELINE_OPENING);
  g_assert_true (watch_until (&watch, in_state, VG_PIPELINE_FINISHED));
  g_assert_true (watch_until (&watch, has_frame, 39));
  g_assert_cmpfloat (watch_value (&watch), ==, 39);
  g_assert_cmpint (watch.opened, ==, 1);
  g_assert_true (vg_pipeline_get_info (watch.pipeline, &info));
  g_assert_cmpint (info.frames, ==, 40);
  vg_pipeline_get_counts (watch.pipeline, &counts);
  g_assert_cmpuint (counts.sent, ==, 40);
  g_assert_cmpuint (counts.queued, ==, 0);
  g_assert_cmpuint (counts.shown, >=, 1);
  assert_counts_close (&watch);
  g_assert_cmpint (watch.failures, ==, 0);
  watch_end (&watch);
}

static void
test_one_frame (void)
{
  FakeSource source = { .width = 1, .height = 1, .frames = 1 };
  g_autofree FakeParams *params = fake_params ();
  guint64 serial;
  Watch watch;

  watch_start (&watch, fake_pipeline (&source));
  vg_pipeline_set_playback (watch.pipeline, 0, TRUE);
  watch_open (&watch, params);
  g_assert_true (watch_until (&watch, in_state, VG_PIPELINE_FINISHED));
  g_assert_true (watch_until (&watch, has_frame, 0));
  params->gain = 7;
  serial = vg_pipeline_set_params (watch.pipeline, &fake_stream, params);
  g_assert_true (vg_pipeline_await (watch.pipeline, serial, G_TIME_SPAN_HOUR));
  g_assert_true (watch_until (&watch, has_serial, (gint64) serial));
  /* taken, and none is coming */
  g_assert_false (vg_pipeline_await (watch.pipeline, serial, G_TIME_SPAN_HOUR));
  /* the one before took longer */
  g_assert_false (vg_pipeline_await (watch.pipeline, serial + 1, -1));
  assert_counts_close (&watch);
  watch_end (&watch);
}

/* Every frame of a window is fed, also after a jump, and no map mixes. */
static void
test_history (void)
{
  FakeSource source = { .width = 4, .height = 4, .frames = 60 };
  g_autofree FakeParams *params = fake_params ();
  Watch watch;

  params->history = 9;
  watch_play (&watch, fake_pipeline (&source), params);
  g_assert_true (watch_until (&watch, has_frame, 59));
  g_assert_cmpfloat (watch_value (&watch), ==, fake_window_sum (59, 9));

  vg_pipeline_seek (watch.pipeline, 30);
  g_assert_true (watch_until (&watch, has_frame, 30));
  g_assert_cmpfloat (watch_value (&watch), ==, fake_window_sum (30, 9));
  g_assert_cmpint (vg_pipeline_get_state (watch.pipeline), ==, VG_PIPELINE_PAUSED);
  vg_pipeline_seek (watch.pipeline, 9);
  g_assert_true (watch_until (&watch, has_frame, 9));
  g_assert_cmpfloat (watch_value (&watch), ==, fake_window_sum (9, 9));
  /* too near the start for a window: nothing new is shown */
  fake_calls_reset ();
  vg_pipeline_seek (watch.pipeline, 3);
  g_assert_true (watch_until (&watch, has_fed, 4));
  g_assert_true (watch_settle (&watch));
  g_assert_cmpint (watch.last->frame_index, ==, 9);
  assert_counts_close (&watch);
  watch_end (&watch);
}

static gboolean
never_mixed (Watch *watch, gint64 results)
{
  if (watch->last)
    g_assert_cmpfloat (watch_value (watch), ==, fake_window_sum (watch->last->frame_index, 4));
  return watch->results >= results;
}

static void
test_loop (void)
{
  FakeSource source = { .width = 4, .height = 4, .frames = 12 };
  g_autofree FakeParams *params = fake_params ();
  VgPipelineCounts counts;
  Watch watch;

  params->history = 4;
  watch_start (&watch, fake_pipeline (&source));
  vg_pipeline_set_playback (watch.pipeline, 2000, TRUE);
  watch_open (&watch, params);
  g_assert_true (watch_until (&watch, never_mixed, 40));
  vg_pipeline_get_counts (watch.pipeline, &counts);
  g_assert_cmpuint (counts.sent, >, 24);
  g_assert_cmpint (vg_pipeline_get_state (watch.pipeline), ==, VG_PIPELINE_RUNNING);
  assert_counts_close (&watch);
  watch_end (&watch);
}

static void
test_playback_pace (void)
{
  FakeSource source = { .width = 4, .height = 4, .frames = 1000 };
  g_autofree FakeParams *params = fake_params ();
  VgPipelineCounts counts;
  gint64 began = g_get_monotonic_time ();
  Watch watch;

  watch_start (&watch, fake_pipeline (&source));
  vg_pipeline_set_playback (watch.pipeline, 100, TRUE);
  watch_open (&watch, params);
  g_assert_true (watch_until (&watch, has_received, 20));
  vg_pipeline_get_counts (watch.pipeline, &counts);
  g_assert_cmpint (counts.sent, <=, 2 + (g_get_monotonic_time () - began) * 100 / G_USEC_PER_SEC);
  vg_pipeline_pause (watch.pipeline);
  g_assert_true (watch_settle (&watch));
  vg_pipeline_get_counts (watch.pipeline, &counts);
  g_assert_cmpuint (counts.sent, ==, (guint64) watch.last->frame_index + 1);
  watch_for (&watch, 50);
  g_assert_cmpint (vg_pipeline_get_state (watch.pipeline), ==, VG_PIPELINE_PAUSED);
  g_assert_cmpuint (counts.sent, ==, (guint64) watch.last->frame_index + 1);
  watch_end (&watch);
}

/* A hundred moves of a slider while one map is made: only the last is computed. */
static void
test_coalesce (void)
{
  FakeSource source = { .width = 4, .height = 4, .frames = 10 };
  g_autofree FakeParams *params = fake_params ();
  guint64 serial = 0;
  Watch watch;

  watch_play (&watch, fake_pipeline (&source), params);
  fake_calls_reset ();
  fake_let_steps (0);
  for (int i = 1; i <= 100; i++)
    {
      params->gain = (float) (i + 1);
      serial = vg_pipeline_set_params (watch.pipeline, &fake_stream, params);
      if (i == 1)
        g_assert_true (watch_until (&watch, has_stepped, 1));
    }
  fake_let_steps (FAKE_ALL);
  g_assert_true (watch_until (&watch, has_serial, (gint64) serial));
  g_assert_cmpfloat (watch_value (&watch), ==, 909);
  g_assert_cmpint (fake_calls ().steps, ==, 2);
  assert_counts_close (&watch);
  watch_end (&watch);
}

/* The same frame, also when the state is made anew and needs its history. */
static void
test_paused_stack_follows (void)
{
  FakeSource source = { .width = 4, .height = 4, .frames = 50 };
  g_autofree FakeParams *params = fake_params ();
  VgPipelineCounts before, after;
  guint64 serial;
  Watch watch;

  params->history = 5;
  watch_stream (&watch, fake_pipeline (&source), params);
  vg_pipeline_set_playback (watch.pipeline, 100, TRUE);
  g_assert_true (watch_until (&watch, has_received, 20));
  vg_pipeline_pause (watch.pipeline);
  g_assert_true (watch_settle (&watch)); /* what was on its way may have been frame 21 */
  fake_calls_reset ();
  vg_pipeline_seek (watch.pipeline, 21);
  g_assert_true (watch_until (&watch, has_fed, 6));
  g_assert_true (watch_settle (&watch));
  g_assert_cmpint (watch.last->frame_index, ==, 21);
  vg_pipeline_get_counts (watch.pipeline, &before);

  params->gain = 3;
  serial = vg_pipeline_set_params (watch.pipeline, &fake_stream, params);
  g_assert_true (watch_until (&watch, has_serial, (gint64) serial));
  g_assert_cmpint (watch.last->frame_index, ==, 21);
  g_assert_cmpfloat (watch_value (&watch), ==, 3 * fake_window_sum (21, 5));
  params->history = 12;
  serial = vg_pipeline_set_params (watch.pipeline, &fake_stream, params);
  g_assert_true (watch_until (&watch, has_serial, (gint64) serial));
  g_assert_cmpint (watch.last->frame_index, ==, 21);
  g_assert_cmpfloat (watch_value (&watch), ==, 3 * fake_window_sum (21, 12));

  /* a picture computed again is no other frame */
  vg_pipeline_get_counts (watch.pipeline, &after);
  g_assert_cmpuint (after.sent, ==, before.sent);
  g_assert_cmpuint (after.shown, ==, before.shown);
  g_assert_cmpint (vg_pipeline_get_state (watch.pipeline), ==, VG_PIPELINE_PAUSED);
  vg_pipeline_play (watch.pipeline);
  g_assert_true (watch_until (&watch, has_frame_after, 22));
  g_assert_cmpfloat (watch_value (&watch), ==, 3 * fake_window_sum (watch.last->frame_index, 12));
  assert_counts_close (&watch);
  watch_end (&watch);
}

static void
test_bad_frames (void)
{
  FakeSource source = { .width = 4, .height = 4, .frames = 30, .bad_from = 10, .bad_to = 13 };
  g_autofree FakeParams *params = fake_params ();
  VgPipelineCounts counts;
  Watch watch;

  watch_play (&watch, fake_pipeline (&source), params);
  g_assert_true (watch_until (&watch, has_notice, 0));
  g_assert_cmpstr (watch.notice, ==, "frame 10 is torn");
  vg_pipeline_get_counts (watch.pipeline, &counts);
  g_assert_cmpuint (counts.bad, ==, 3);
  g_assert_cmpuint (counts.sent, ==, 30);
  assert_counts_close (&watch);
  watch_end (&watch);
}

static void
test_torn_stack (void)
{
  FakeSource source = { .width = 4, .height = 4, .frames = 300, .bad_from = 10, .bad_to = 300 };
  g_autofree FakeParams *params = fake_params ();
  Watch watch;

  watch_rush (&watch, fake_pipeline (&source), params);
  g_assert_true (watch_until (&watch, in_state, VG_PIPELINE_FAILED));
  g_assert_true (watch_until (&watch, has_failed, 0));
  g_assert_cmpint (watch.last->frame_index, ==, 9);
  /* what can be read can still be looked at */
  vg_pipeline_seek (watch.pipeline, 4);
  g_assert_true (watch_until (&watch, has_frame, 4));
  assert_counts_close (&watch);
  watch_end (&watch);
}

static void
test_short_stack (void)
{
  FakeSource source = { .width = 4, .height = 4, .frames = 5 };
  g_autofree FakeParams *params = fake_params ();
  guint64 serial;
  Watch watch;

  params->history = 24;
  watch_rush (&watch, fake_pipeline (&source), params);
  g_assert_true (watch_until (&watch, has_failed, 0));
  g_assert_nonnull (strstr (watch.error, "needs 25"));
  params->history = 2;
  serial = vg_pipeline_set_params (watch.pipeline, &fake_stream, params);
  g_assert_true (watch_until (&watch, has_serial, (gint64) serial));
  g_assert_cmpfloat (watch_value (&watch), ==, fake_window_sum (4, 2));
  watch_end (&watch);
}

static void
test_refused_frame (void)
{
  FakeSource source = { .width = 4, .height = 4, .frames = 30 };
  g_autofree FakeParams *params = fake_params ();
  VgPipelineCounts counts;
  guint64 serial;
  Watch watch;

  params->fail_at = 8;
  watch_rush (&watch, fake_pipeline (&source), params);
  g_assert_true (watch_until (&watch, has_failed, 0));
  g_assert_cmpint (vg_pipeline_get_state (watch.pipeline), ==, VG_PIPELINE_FAILED);
  g_assert_cmpint (watch.last->frame_index, ==, 7);
  vg_pipeline_get_counts (watch.pipeline, &counts);
  g_assert_cmpuint (counts.bad, ==, 1);
  assert_counts_close (&watch);
  params->fail_at = -1;
  serial = vg_pipeline_set_params (watch.pipeline, &fake_stream, params);
  g_assert_true (watch_until (&watch, has_serial, (gint64) serial));
  vg_pipeline_play (watch.pipeline);
  g_assert_true (watch_until (&watch, has_frame, 29));
  assert_counts_close (&watch);
  watch_end (&watch);
}

/* A picture that takes long is given up when newer settings or another frame are wanted, and gone
 * on with when the settings come back to what it was begun with. */
static void
test_overtaken (void)
{
  FakeSource source = { .width = 4, .height = 4, .frames = 3 };
  g_autofree FakeParams *params = fake_params ();
  guint64 serial;
  Watch watch;

  watch_play (&watch, fake_pipeline (&source), params);
  params->step_ms = 10;
  params->pieces = 1000000;
  vg_pipeline_set_params (watch.pipeline, &fake_stream, params);
  g_assert_true (watch_until_busy (&watch));
  params->pieces = 1;
  params->gain = 3;
  serial = vg_pipeline_set_params (watch.pipeline, &fake_stream, params);
  g_assert_true (watch_until (&watch, has_serial, (gint64) serial));
  g_assert_cmpfloat (watch_value (&watch), ==, 6);

  params->pieces = 1000000;
  vg_pipeline_set_params (watch.pipeline, &fake_stream, params);
  g_assert_true (watch_until_busy (&watch));
  fake_calls_reset ();
  vg_pipeline_seek (watch.pipeline, 1);
  g_assert_true (watch_until (&watch, has_fed, 1));
  params->pieces = 1;
  vg_pipeline_set_params (watch.pipeline, &fake_stream, params);
  g_assert_true (watch_until (&watch, has_frame, 1));

  params->pieces = 5;
  g_assert_true (watch_settle (&watch));
  fake_calls_reset ();
  fake_let_steps (2);
  vg_pipeline_set_params (watch.pipeline, &fake_stream, params);
  g_assert_true (watch_until (&watch, has_stepped, 3));
  g_assert_true (watch_until_busy (&watch));
  serial = vg_pipeline_set_params (watch.pipeline, &fake_stream, params);
  fake_let_steps (FAKE_ALL);
  g_assert_true (watch_until (&watch, has_serial, (gint64) serial));
  g_assert_cmpint (fake_calls ().steps, ==, 5);

  /* a cancelled one leaves the picture of before; the next settings compute again */
  params->pieces = 1000000;
  vg_pipeline_set_params (watch.pipeline, &fake_stream, params);
  g_assert_true (watch_until_busy (&watch));
  vg_pipeline_cancel (watch.pipeline);
  g_assert_true (watch_settle (&watch));
  params->pieces = 4;
  serial = vg_pipeline_set_params (watch.pipeline, &fake_stream, params);
  g_assert_true (watch_until (&watch, has_serial, (gint64) serial));
  assert_counts_close (&watch);
  watch_end (&watch);
}

/* Settings that do not fit are said, and change nothing. */
static void
test_refused_params (void)
{
  FakeSource source = { .width = 4, .height = 4, .frames = 30 };
  g_autofree FakeParams *params = fake_params ();
  Watch watch;

  watch_start (&watch, fake_pipeline (&source));
  vg_pipeline_set_playback (watch.pipeline, 200, TRUE);
  watch_open (&watch, params);
  g_assert_true (watch_until (&watch, has_result, 0));
  params->valid = FALSE;
  vg_pipeline_set_params (watch.pipeline, &fake_stream, params);
  g_assert_true (watch_until (&watch, has_notice, 0));
  g_assert_cmpstr (watch.notice, ==, "these settings do not fit");
  g_assert_cmpint (vg_pipeline_get_state (watch.pipeline), ==, VG_PIPELINE_RUNNING);
  watch_end (&watch);
}

/* The GPU fails at frame 5: the CPU goes on with the same frames. */
static void
test_gpu_fails (void)
{
  FakeSource source = { .width = 4, .height = 4, .frames = 30 };
  g_autofree FakeParams *params = fake_params ();
  VgPipelineCounts counts;
  Watch watch;

  for (int history = 0; history <= 3; history += 3)
    {
      params->history = history;
      watch_play (&watch, fake_gpu_pipeline (&source), params);
      g_assert_true (watch_until (&watch, has_frame, 29));
      g_assert_cmpfloat (watch_value (&watch), ==, fake_window_sum (29, history));
      g_assert_cmpint (watch.notices, ==, 1);
      g_assert_cmpint (watch.failures, ==, 0);
      g_assert_true (g_str_has_prefix (vg_pipeline_get_device (watch.pipeline), "CPU"));
      vg_pipeline_get_counts (watch.pipeline, &counts);
      g_assert_cmpuint (counts.sent, ==, 30);
      g_assert_cmpuint (counts.bad, ==, 0);
      assert_counts_close (&watch);
      watch_end (&watch);
    }
}

static void
test_nobody_takes (void)
{
  FakeSource source = { .width = 8, .height = 8, .frames = 50 };
  g_autofree FakeParams *params = fake_params ();
  VgPipelineCounts counts;
  Watch watch;

  watch_start (&watch, fake_pipeline (&source));
  watch.hold = TRUE;
  vg_pipeline_set_playback (watch.pipeline, 0, FALSE);
  watch_open (&watch, params);
  g_assert_true (watch_until (&watch, in_state, VG_PIPELINE_FINISHED));
  vg_pipeline_get_counts (watch.pipeline, &counts);
  g_assert_cmpuint (counts.queued, ==, 1);
  g_assert_cmpuint (counts.superseded, ==, 49);
  assert_counts_close (&watch);
  watch_end (&watch);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pipeline/stack", test_stack);
  g_test_add_func ("/pipeline/one-frame", test_one_frame);
  g_test_add_func ("/pipeline/history", test_history);
  g_test_add_func ("/pipeline/loop", test_loop);
  g_test_add_func ("/pipeline/playback-pace", test_playback_pace);
  g_test_add_func ("/pipeline/coalesce", test_coalesce);
  g_test_add_func ("/pipeline/paused-stack-follows", test_paused_stack_follows);
  g_test_add_func ("/pipeline/bad-frames", test_bad_frames);
  g_test_add_func ("/pipeline/torn-stack", test_torn_stack);
  g_test_add_func ("/pipeline/short-stack", test_short_stack);
  g_test_add_func ("/pipeline/refused-frame", test_refused_frame);
  g_test_add_func ("/pipeline/overtaken", test_overtaken);
  g_test_add_func ("/pipeline/refused-params", test_refused_params);
  g_test_add_func ("/pipeline/gpu-fails", test_gpu_fails);
  g_test_add_func ("/pipeline/nobody-takes", test_nobody_takes);
  return g_test_run ();
}
