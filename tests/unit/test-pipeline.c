/* SPDX-License-Identifier: MIT */
/* The pipeline with sources and engines whose every result is known. */
#include <math.h>
#include <string.h>
#include "fake-operation.h"

static void
open_stream (Watch *watch, const FakeParams *params)
{
  vg_pipeline_open (watch->pipeline, &fake_stream, params, NULL, NULL);
}

/* Sum of the history + 1 frames up to FRAME. */
static double
window_sum (gint64 frame, int history)
{
  return (history + 1) * ((double) frame - history / 2.0);
}

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
  open_stream (&watch, params);
  g_assert_cmpint (vg_pipeline_get_state (watch.pipeline), ==, VG_PIPELINE_OPENING);
  g_assert_true (watch_until (&watch, in_state, VG_PIPELINE_FINISHED));
  g_assert_true (watch_until (&watch, has_frame, 39));
  g_assert_cmpfloat (watch_value (&watch), ==, 39);
  g_assert_cmpint (watch.opened, ==, 1);
  g_assert_true (vg_pipeline_get_info (watch.pipeline, &info));
  g_assert_cmpint (info.frames, ==, 40);
  vg_pipeline_get_counts (watch.pipeline, &counts);
  g_assert_cmpuint (counts.received, ==, 40);
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
  open_stream (&watch, params);
  g_assert_true (watch_until (&watch, in_state, VG_PIPELINE_FINISHED));
  g_assert_true (watch_until (&watch, has_frame, 0));
  params->gain = 7;
  serial = vg_pipeline_set_params (watch.pipeline, params);
  g_assert_true (watch_until (&watch, has_serial, (gint64) serial));
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
  watch_start (&watch, fake_pipeline (&source));
  vg_pipeline_set_playback (watch.pipeline, 0, FALSE);
  open_stream (&watch, params);
  g_assert_true (watch_until (&watch, in_state, VG_PIPELINE_FINISHED));
  g_assert_true (watch_until (&watch, has_frame, 59));
  g_assert_cmpfloat (watch_value (&watch), ==, window_sum (59, 9));

  vg_pipeline_seek (watch.pipeline, 30);
  g_assert_true (watch_until (&watch, has_frame, 30));
  g_assert_cmpfloat (watch_value (&watch), ==, window_sum (30, 9));
  g_assert_cmpint (vg_pipeline_get_state (watch.pipeline), ==, VG_PIPELINE_PAUSED);
  vg_pipeline_seek (watch.pipeline, 9);
  g_assert_true (watch_until (&watch, has_frame, 9));
  g_assert_cmpfloat (watch_value (&watch), ==, window_sum (9, 9));
  /* too near the start for a window: nothing new is shown */
  vg_pipeline_seek (watch.pipeline, 3);
  watch_for (&watch, 100);
  g_assert_cmpint (watch.last->frame_index, ==, 9);
  assert_counts_close (&watch);
  watch_end (&watch);
}

static gboolean
never_mixed (Watch *watch, gint64 results)
{
  if (watch->last)
    g_assert_cmpfloat (watch_value (watch), ==, window_sum (watch->last->frame_index, 4));
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
  open_stream (&watch, params);
  g_assert_true (watch_until (&watch, never_mixed, 40));
  vg_pipeline_get_counts (watch.pipeline, &counts);
  g_assert_cmpuint (counts.received, >, 24);
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
  Watch watch;

  watch_start (&watch, fake_pipeline (&source));
  vg_pipeline_set_playback (watch.pipeline, 100, TRUE);
  open_stream (&watch, params);
  watch_for (&watch, 500);
  vg_pipeline_get_counts (watch.pipeline, &counts);
  g_assert_cmpuint (counts.received, >=, 20);
  g_assert_cmpuint (counts.received, <=, 60);
  vg_pipeline_pause (watch.pipeline);
  watch_for (&watch, 50);
  vg_pipeline_get_counts (watch.pipeline, &counts);
  watch_for (&watch, 100);
  g_assert_cmpint (vg_pipeline_get_state (watch.pipeline), ==, VG_PIPELINE_PAUSED);
  g_assert_cmpuint (counts.received, ==, (guint64) watch.last->frame_index + 1);
  watch_end (&watch);
}

/* A hundred moves of a slider while each map takes 10 ms. */
static void
test_coalesce (void)
{
  FakeSource source = { .width = 4, .height = 4, .frames = 10 };
  g_autofree FakeParams *params = fake_params ();
  guint64 serial = 0;
  FakeCalls calls;
  Watch watch;

  params->step_ms = 10;
  watch_start (&watch, fake_pipeline (&source));
  vg_pipeline_set_playback (watch.pipeline, 0, FALSE);
  open_stream (&watch, params);
  g_assert_true (watch_until (&watch, in_state, VG_PIPELINE_FINISHED));
  fake_calls_reset ();
  for (int i = 1; i <= 100; i++)
    {
      params->gain = (float) i;
      serial = vg_pipeline_set_params (watch.pipeline, params);
      g_usleep (500);
    }
  g_assert_true (watch_until (&watch, has_serial, (gint64) serial));
  g_assert_cmpfloat (watch_value (&watch), ==, 900);
  calls = fake_calls ();
  g_assert_cmpint (calls.steps, >=, 1);
  g_assert_cmpint (calls.steps, <=, 30);
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
  watch_start (&watch, fake_pipeline (&source));
  open_stream (&watch, params);
  vg_pipeline_set_playback (watch.pipeline, 100, TRUE);
  g_assert_true (watch_until (&watch, has_frame, 20));
  vg_pipeline_pause (watch.pipeline);
  vg_pipeline_seek (watch.pipeline, 21);
  g_assert_true (watch_until (&watch, has_frame, 21));
  vg_pipeline_get_counts (watch.pipeline, &before);

  params->gain = 3;
  serial = vg_pipeline_set_params (watch.pipeline, params);
  g_assert_true (watch_until (&watch, has_serial, (gint64) serial));
  g_assert_cmpint (watch.last->frame_index, ==, 21);
  g_assert_cmpfloat (watch_value (&watch), ==, 3 * window_sum (21, 5));
  params->history = 12;
  serial = vg_pipeline_set_params (watch.pipeline, params);
  g_assert_true (watch_until (&watch, has_serial, (gint64) serial));
  g_assert_cmpint (watch.last->frame_index, ==, 21);
  g_assert_cmpfloat (watch_value (&watch), ==, 3 * window_sum (21, 12));

  /* a picture computed again is no other frame */
  vg_pipeline_get_counts (watch.pipeline, &after);
  g_assert_cmpuint (after.received, ==, before.received);
  g_assert_cmpuint (after.shown, ==, before.shown);
  g_assert_cmpint (vg_pipeline_get_state (watch.pipeline), ==, VG_PIPELINE_PAUSED);
  vg_pipeline_play (watch.pipeline);
  g_assert_true (watch_until (&watch, has_frame, 23));
  g_assert_cmpfloat (watch_value (&watch), ==, 3 * window_sum (23, 12));
  assert_counts_close (&watch);
  watch_end (&watch);
}

static void
test_paused_live_follows (void)
{
  FakeSource source = { .width = 4, .height = 4, .frames = -1, .interval_us = 1000 };
  g_autofree FakeParams *params = fake_params ();
  gint64 frame, number;
  guint64 serial;
  Watch watch;

  params->history = 6;
  watch_start (&watch, fake_pipeline (&source));
  open_stream (&watch, params);
  g_assert_true (watch_until (&watch, has_result, 0));
  watch_for (&watch, 100);
  vg_pipeline_pause (watch.pipeline);
  watch_for (&watch, 50);
  frame = watch.last->frame_index;
  number = frame - 1000;
  g_assert_cmpfloat (watch_value (&watch), ==, window_sum (number, 6));
  params->gain = 2;
  params->history = 3;
  serial = vg_pipeline_set_params (watch.pipeline, params);
  g_assert_true (watch_until (&watch, has_serial, (gint64) serial));
  g_assert_cmpint (watch.last->frame_index, ==, frame);
  g_assert_cmpfloat (watch_value (&watch), ==, 2 * window_sum (number, 3));
  assert_counts_close (&watch);
  vg_pipeline_play (watch.pipeline);
  watch_for (&watch, 100);
  g_assert_cmpint (watch.last->frame_index, >, frame);
  assert_counts_close (&watch);
  watch_end (&watch);
}

/* A thousand frames in a second, a compute that takes 5 ms, ids with gaps. */
static void
test_live_counts (void)
{
  FakeSource source = { .width = 8, .height = 8, .frames = -1, .live_frames = 1000, .interval_us = 1000, .gap_every = 10 };
  g_autofree FakeParams *params = fake_params ();
  VgPipelineCounts counts;
  Watch watch;

  params->step_ms = 5;
  watch_start (&watch, fake_pipeline (&source));
  open_stream (&watch, params);
  watch_for (&watch, 300);
  assert_counts_close (&watch);
  g_assert_true (watch_until (&watch, in_state, VG_PIPELINE_FINISHED));
  watch_for (&watch, 20);
  vg_pipeline_get_counts (watch.pipeline, &counts);
  g_assert_cmpuint (counts.lost, ==, 3 * 99);
  g_assert_cmpuint (counts.received, ==, 1000 + counts.lost);
  g_assert_cmpuint (counts.queued, ==, 0);
  g_assert_cmpuint (counts.superseded, >, 500);
  g_assert_cmpuint (counts.shown, >, 50);
  g_assert_cmpfloat (counts.latency_p50_ms, >, 4);
  g_assert_cmpfloat (counts.compute_ms, >, 4);
  g_assert_cmpfloat (watch_value (&watch), ==, 999);
  assert_counts_close (&watch);
  watch_end (&watch);
}

/* With a history every frame is fed as long as compute keeps up. */
static void
test_live_feeds_all (void)
{
  FakeSource source = { .width = 8, .height = 8, .frames = -1, .live_frames = 300, .interval_us = 3000 };
  g_autofree FakeParams *params = fake_params ();
  Watch watch;

  params->history = 4;
  fake_calls_reset ();
  watch_start (&watch, fake_pipeline (&source));
  open_stream (&watch, params);
  g_assert_true (watch_until (&watch, in_state, VG_PIPELINE_FINISHED));
  watch_for (&watch, 20);
  g_assert_cmpint (fake_calls ().feeds, ==, 300);
  g_assert_cmpfloat (watch_value (&watch), ==, window_sum (299, 4));
  assert_counts_close (&watch);
  watch_end (&watch);
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
  open_stream (&watch, params);
  g_assert_true (watch_until (&watch, in_state, VG_PIPELINE_FINISHED));
  vg_pipeline_get_counts (watch.pipeline, &counts);
  g_assert_cmpuint (counts.queued, ==, 1);
  g_assert_cmpuint (counts.superseded, ==, 49);
  assert_counts_close (&watch);
  watch_end (&watch);
}

/* The best of a few tries: the machine may be busy with something else. */
static gint64
fastest_end (void (*end) (Watch *watch))
{
  FakeSource source = { .width = 8, .height = 8, .frames = -1, .blocks = TRUE };
  g_autofree FakeParams *params = fake_params ();
  gint64 best = G_MAXINT64;

  for (int i = 0; i < 5 && best >= 100000; i++)
    {
      gint64 start;
      Watch watch;

      watch_start (&watch, fake_pipeline (&source));
      open_stream (&watch, params);
      g_assert_true (watch_until (&watch, in_state, VG_PIPELINE_RUNNING));
      watch_for (&watch, 20);
      start = g_get_monotonic_time ();
      end (&watch);
      while (fake_sources_open () > 0 && g_get_monotonic_time () - start < 5000000)
        g_usleep (1000);
      best = MIN (best, g_get_monotonic_time () - start);
      g_assert_cmpint (watch.failures, ==, 0);
      watch_end (&watch);
    }
  return best;
}

static void
cancel (Watch *watch)
{
  vg_pipeline_cancel (watch->pipeline);
  g_assert_true (watch_until (watch, in_state, VG_PIPELINE_FINISHED));
}

static void
close_pipeline (Watch *watch)
{
  vg_pipeline_close (watch->pipeline);
}

static void
test_blocked_source (void)
{
  g_assert_cmpint (fastest_end (cancel), <, 100000);
  g_assert_cmpint (fastest_end (close_pipeline), <, 100000);
}

/* What was open goes on, and its picture stays. */
static void
test_failed_reopen (void)
{
  FakeSource source = { .width = 4, .height = 4, .frames = 30 };
  g_autofree FakeParams *params = fake_params ();
  guint64 serial;
  VgImageInfo info;
  Watch watch;

  watch_start (&watch, fake_pipeline (&source));
  vg_pipeline_set_playback (watch.pipeline, 0, FALSE);
  open_stream (&watch, params);
  g_assert_true (watch_until (&watch, in_state, VG_PIPELINE_FINISHED));
  g_assert_true (watch_until (&watch, has_frame, 29));

  source.refuses = TRUE;
  open_stream (&watch, params);
  g_assert_true (watch_until (&watch, has_failed, 0));
  g_assert_cmpstr (watch.error, ==, "cannot open it");
  g_assert_true (vg_pipeline_get_info (watch.pipeline, &info));
  g_assert_cmpint (info.frames, ==, 30);
  g_assert_cmpint (vg_pipeline_get_state (watch.pipeline), ==, VG_PIPELINE_FINISHED);
  params->gain = 5;
  serial = vg_pipeline_set_params (watch.pipeline, params);
  g_assert_true (watch_until (&watch, has_serial, (gint64) serial));
  g_assert_cmpfloat (watch_value (&watch), ==, 145);

  /* settings that the new work can't be prepared with keep it as well */
  source.refuses = FALSE;
  source.frames = 7;
  params->valid = FALSE;
  open_stream (&watch, params);
  watch.failures = 0;
  g_assert_true (watch_until (&watch, has_failed, 0));
  g_assert_true (vg_pipeline_get_info (watch.pipeline, &info));
  g_assert_cmpint (info.frames, ==, 30);
  g_assert_cmpint (watch.opened, ==, 1);
  watch_end (&watch);
}

static void
test_first_open_fails (void)
{
  FakeSource source = { .width = 4, .height = 4, .frames = 30, .refuses = TRUE };
  g_autofree FakeParams *params = fake_params ();
  Watch watch;

  watch_start (&watch, fake_pipeline (&source));
  open_stream (&watch, params);
  g_assert_true (watch_until (&watch, has_failed, 0));
  g_assert_cmpint (vg_pipeline_get_state (watch.pipeline), ==, VG_PIPELINE_FAILED);
  source.refuses = FALSE;
  open_stream (&watch, params);
  g_assert_true (watch_until (&watch, has_result, 0));
  watch_end (&watch);
}

static void
test_cancelled_open (void)
{
  FakeSource source = { .width = 4, .height = 4, .frames = 30 };
  g_autofree FakeParams *params = fake_params ();
  VgImageInfo info;
  Watch watch;

  watch_start (&watch, fake_pipeline (&source));
  vg_pipeline_set_playback (watch.pipeline, 0, FALSE);
  open_stream (&watch, params);
  g_assert_true (watch_until (&watch, in_state, VG_PIPELINE_FINISHED));
  source.open_ms = 200;
  source.frames = 5;
  open_stream (&watch, params);
  vg_pipeline_cancel (watch.pipeline);
  g_assert_cmpint (vg_pipeline_get_state (watch.pipeline), ==, VG_PIPELINE_FINISHED);
  watch_for (&watch, 300);
  g_assert_true (vg_pipeline_get_info (watch.pipeline, &info));
  g_assert_cmpint (info.frames, ==, 30);
  g_assert_cmpint (watch.opened, ==, 1);
  g_assert_cmpint (watch.failures, ==, 0);
  watch_end (&watch);
}

/* Opening again and again: only the last counts, no thread is left. */
static void
test_many_opens (void)
{
  FakeSource source = { .width = 4, .height = 4, .frames = 30, .open_ms = 2 };
  g_autofree FakeParams *params = fake_params ();
  Watch watch;

  watch_start (&watch, fake_pipeline (&source));
  for (int i = 0; i < 30; i++)
    {
      params->gain = (float) i;
      open_stream (&watch, params);
      if (i % 5 == 0)
        watch_for (&watch, 5);
    }
  g_assert_true (watch_until (&watch, has_frame, 10));
  g_assert_cmpfloat (watch_value (&watch), ==, 290);
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

  watch_start (&watch, fake_pipeline (&source));
  vg_pipeline_set_playback (watch.pipeline, 0, FALSE);
  open_stream (&watch, params);
  g_assert_true (watch_until (&watch, in_state, VG_PIPELINE_FINISHED));
  g_assert_true (watch_until (&watch, has_notice, 0));
  g_assert_cmpstr (watch.notice, ==, "frame 10 is torn");
  vg_pipeline_get_counts (watch.pipeline, &counts);
  g_assert_cmpuint (counts.bad, ==, 3);
  g_assert_cmpuint (counts.received, ==, 30);
  assert_counts_close (&watch);
  watch_end (&watch);
}

static void
test_torn_stack (void)
{
  FakeSource source = { .width = 4, .height = 4, .frames = 300, .bad_from = 10, .bad_to = 300 };
  g_autofree FakeParams *params = fake_params ();
  Watch watch;

  watch_start (&watch, fake_pipeline (&source));
  vg_pipeline_set_playback (watch.pipeline, 0, FALSE);
  open_stream (&watch, params);
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
test_broken_stream (void)
{
  FakeSource source = { .width = 4, .height = 4, .frames = -1, .error_at = 25, .interval_us = 100 };
  g_autofree FakeParams *params = fake_params ();
  Watch watch;

  watch_start (&watch, fake_pipeline (&source));
  open_stream (&watch, params);
  g_assert_true (watch_until (&watch, in_state, VG_PIPELINE_FAILED));
  g_assert_true (watch_until (&watch, has_failed, 0));
  g_assert_cmpstr (watch.error, ==, "the stream ended within a frame");
  g_assert_cmpfloat (watch_value (&watch), ==, 24);
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
  watch_start (&watch, fake_pipeline (&source));
  vg_pipeline_set_playback (watch.pipeline, 0, FALSE);
  open_stream (&watch, params);
  g_assert_true (watch_until (&watch, has_failed, 0));
  g_assert_nonnull (strstr (watch.error, "need 25"));
  params->history = 2;
  serial = vg_pipeline_set_params (watch.pipeline, params);
  g_assert_true (watch_until (&watch, has_serial, (gint64) serial));
  g_assert_cmpfloat (watch_value (&watch), ==, window_sum (4, 2));
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
  watch_start (&watch, fake_pipeline (&source));
  vg_pipeline_set_playback (watch.pipeline, 0, FALSE);
  open_stream (&watch, params);
  g_assert_true (watch_until (&watch, has_failed, 0));
  g_assert_cmpint (vg_pipeline_get_state (watch.pipeline), ==, VG_PIPELINE_FAILED);
  g_assert_cmpint (watch.last->frame_index, ==, 7);
  vg_pipeline_get_counts (watch.pipeline, &counts);
  g_assert_cmpuint (counts.bad, ==, 1);
  assert_counts_close (&watch);
  params->fail_at = -1;
  serial = vg_pipeline_set_params (watch.pipeline, params);
  g_assert_true (watch_until (&watch, has_serial, (gint64) serial));
  vg_pipeline_play (watch.pipeline);
  g_assert_true (watch_until (&watch, has_frame, 29));
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
  open_stream (&watch, params);
  g_assert_true (watch_until (&watch, has_result, 0));
  params->valid = FALSE;
  vg_pipeline_set_params (watch.pipeline, params);
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
      watch_start (&watch, fake_gpu_pipeline (&source));
      vg_pipeline_set_playback (watch.pipeline, 0, FALSE);
      open_stream (&watch, params);
      g_assert_true (watch_until (&watch, in_state, VG_PIPELINE_FINISHED));
      g_assert_true (watch_until (&watch, has_frame, 29));
      g_assert_cmpfloat (watch_value (&watch), ==, window_sum (29, history));
      g_assert_cmpint (watch.notices, ==, 1);
      g_assert_cmpint (watch.failures, ==, 0);
      g_assert_true (g_str_has_prefix (vg_pipeline_get_device (watch.pipeline), "CPU"));
      vg_pipeline_get_counts (watch.pipeline, &counts);
      g_assert_cmpuint (counts.received, ==, 30);
      g_assert_cmpuint (counts.bad, ==, 0);
      assert_counts_close (&watch);
      watch_end (&watch);
    }
}

static void
test_output_without_compute (void)
{
  FakeSource source = { .width = 4, .height = 4, .frames = 20 };
  g_autofree FakeParams *params = fake_params ();
  int results;
  Watch watch;

  params->history = 2;
  watch_start (&watch, fake_pipeline (&source));
  vg_pipeline_set_playback (watch.pipeline, 0, FALSE);
  open_stream (&watch, params);
  g_assert_true (watch_until (&watch, in_state, VG_PIPELINE_FINISHED));
  watch_for (&watch, 20);
  fake_calls_reset ();
  results = watch.results;
  g_assert_nonnull (watch.last->brightness.data);      /* by the output that is asked for next */
  g_assert_cmpfloat (watch.last->brightness.data[0], ==, 19);
  g_assert_cmpfloat (watch.last->brightness_limits[0], ==, 0);
  g_assert_cmpfloat (watch.last->brightness_limits[1], ==, 19);
  vg_pipeline_set_output (watch.pipeline, 1);
  watch_for (&watch, 50);
  g_assert_null (watch.last->brightness.data);
  g_assert_cmpint (watch.results, ==, results + 1);
  g_assert_cmpint (watch.last->output, ==, 1);
  g_assert_cmpfloat (watch_value (&watch), ==, 19);
  g_assert_cmpint (fake_calls ().feeds, ==, 0);
  g_assert_cmpint (fake_calls ().steps, ==, 0);
  assert_counts_close (&watch);
  watch_end (&watch);
}

/* The frame a map is of lies under it when that is asked for, without anything
 * being computed. */
static void
test_underlay (void)
{
  FakeSource source = { .width = 5, .height = 4, .frames = 20 };
  g_autofree FakeParams *params = fake_params ();
  VgUnderlay *first;
  Watch watch;

  watch_start (&watch, fake_pipeline (&source));
  vg_pipeline_set_playback (watch.pipeline, 0, FALSE);
  open_stream (&watch, params);
  g_assert_true (watch_until (&watch, in_state, VG_PIPELINE_FINISHED));
  watch_for (&watch, 20);
  g_assert_null (watch.last->underlay);
  g_assert_cmpint (watch.last->underlay_frames, ==, 1);
  fake_calls_reset ();
  vg_pipeline_set_underlay (watch.pipeline, 0);
  watch_for (&watch, 50);
  g_assert_nonnull (watch.last->underlay);
  g_assert_cmpint (watch.last->underlay->width, ==, 5);
  g_assert_cmpint (watch.last->underlay->height, ==, 4);
  first = vg_underlay_ref (watch.last->underlay);
  vg_pipeline_set_output (watch.pipeline, 1);
  watch_for (&watch, 50);
  g_assert_cmpint (watch.last->output, ==, 1);
  g_assert_true (watch.last->underlay == first);       /* the same picture: nothing to upload */
  g_assert_cmpint (fake_calls ().steps, ==, 0);
  vg_pipeline_seek (watch.pipeline, 3);
  g_assert_true (watch_until (&watch, has_frame, 3));
  g_assert_nonnull (watch.last->underlay);
  g_assert_true (watch.last->underlay != first);
  vg_pipeline_set_underlay (watch.pipeline, VG_UNDERLAY_OFF);
  watch_for (&watch, 50);
  g_assert_null (watch.last->underlay);
  vg_underlay_unref (first);
  assert_counts_close (&watch);
  watch_end (&watch);
}

static void
test_regions (void)
{
  FakeSource source = { .width = 6, .height = 6, .frames = 20 };
  VgRegion regions[2] = {
    { .kind = VG_REGION_RECTANGLE, .n_points = 2, .x = { 1, 4 }, .y = { 1, 3 } },
    { .kind = VG_REGION_RECTANGLE, .n_points = 2, .x = { 50, 60 }, .y = { 50, 60 } },
  };
  g_autofree FakeParams *params = fake_params ();
  g_autoptr (VgCurves) curves = NULL;
  VgSeries *series;
  guint64 serial;
  Watch watch;

  watch_start (&watch, fake_pipeline (&source));
  vg_pipeline_set_playback (watch.pipeline, 0, FALSE);
  serial = vg_pipeline_set_regions (watch.pipeline, regions, 2);
  params->gain = 2;
  open_stream (&watch, params);
  g_assert_true (watch_until (&watch, in_state, VG_PIPELINE_FINISHED));
  watch_for (&watch, 20);
  g_assert_cmpuint (watch.last->regions_serial, ==, serial);
  g_assert_cmpuint (watch.last->n_regions, ==, 2);
  g_assert_cmpuint (watch.last->regions[0].statistics.valid, ==, 6);
  g_assert_cmpfloat (watch.last->regions[0].statistics.mean, ==, 38);
  g_assert_cmpuint (watch.last->regions[1].statistics.valid, ==, 0);
  g_assert_true (isnan (watch.last->regions[1].statistics.mean));
  g_assert_cmpfloat (watch.last->statistics.mean, ==, 38);

  g_assert_null (vg_pipeline_time_course (watch.pipeline, 1));
  curves = vg_pipeline_time_course (watch.pipeline, 0);
  g_assert_cmpuint (curves->series->len, ==, 2);
  series = curves->series->pdata[0];
  g_assert_cmpint (series->n, ==, 20);
  for (int i = 0; i < 20; i++)
    g_assert_cmpfloat (series->y[i], ==, 2 * i);
  series = curves->series->pdata[1];
  g_assert_cmpint (series->n, ==, 0);

  /* a region that moves on a still picture is measured at once */
  regions[0].x[1] = 3;
  serial = vg_pipeline_set_regions (watch.pipeline, regions, 1);
  watch_for (&watch, 50);
  g_assert_cmpuint (watch.last->regions_serial, ==, serial);
  g_assert_cmpuint (watch.last->regions[0].statistics.valid, ==, 4);
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
  g_test_add_func ("/pipeline/paused-live-follows", test_paused_live_follows);
  g_test_add_func ("/pipeline/live-counts", test_live_counts);
  g_test_add_func ("/pipeline/live-feeds-all", test_live_feeds_all);
  g_test_add_func ("/pipeline/nobody-takes", test_nobody_takes);
  g_test_add_func ("/pipeline/blocked-source", test_blocked_source);
  g_test_add_func ("/pipeline/failed-reopen", test_failed_reopen);
  g_test_add_func ("/pipeline/first-open-fails", test_first_open_fails);
  g_test_add_func ("/pipeline/cancelled-open", test_cancelled_open);
  g_test_add_func ("/pipeline/many-opens", test_many_opens);
  g_test_add_func ("/pipeline/bad-frames", test_bad_frames);
  g_test_add_func ("/pipeline/torn-stack", test_torn_stack);
  g_test_add_func ("/pipeline/broken-stream", test_broken_stream);
  g_test_add_func ("/pipeline/short-stack", test_short_stack);
  g_test_add_func ("/pipeline/refused-frame", test_refused_frame);
  g_test_add_func ("/pipeline/refused-params", test_refused_params);
  g_test_add_func ("/pipeline/gpu-fails", test_gpu_fails);
  g_test_add_func ("/pipeline/output-without-compute", test_output_without_compute);
  g_test_add_func ("/pipeline/underlay", test_underlay);
  g_test_add_func ("/pipeline/regions", test_regions);
  return g_test_run ();
}
