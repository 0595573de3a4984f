/* SPDX-License-Identifier: MIT */
/* Live sources: every frame is fed or counted, and none can hold the window up. */
#include "pipeline-watch.h"

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
  watch_open (&watch, params);
  g_assert_true (watch_until (&watch, has_result, 0));
  watch_for (&watch, 100);
  vg_pipeline_pause (watch.pipeline);
  watch_for (&watch, 50);
  frame = watch.last->frame_index;
  number = frame - 1000;
  g_assert_cmpfloat (watch_value (&watch), ==, fake_window_sum (number, 6));
  params->gain = 2;
  params->history = 3;
  serial = vg_pipeline_set_params (watch.pipeline, &fake_stream, params);
  g_assert_true (watch_until (&watch, has_serial, (gint64) serial));
  g_assert_cmpint (watch.last->frame_index, ==, frame);
  g_assert_cmpfloat (watch_value (&watch), ==, 2 * fake_window_sum (number, 3));
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
  watch_open (&watch, params);
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

/* Of frames that hold what came before them none is lost. */
static void
test_live_gathering (void)
{
  FakeSource source = { .width = 8, .height = 8, .frames = -1, .live_frames = 50, .interval_us = 1000, .gap_every = 10, .gathers = TRUE };
  g_autofree FakeParams *params = fake_params ();
  VgPipelineCounts counts;
  Watch watch;

  watch_start (&watch, fake_pipeline (&source));
  watch_open (&watch, params);
  g_assert_true (watch_until (&watch, in_state, VG_PIPELINE_FINISHED));
  watch_for (&watch, 20);
  vg_pipeline_get_counts (watch.pipeline, &counts);
  g_assert_cmpuint (counts.lost, ==, 0);
  g_assert_cmpuint (counts.received, ==, 50 + 3 * 4);
  g_assert_cmpuint (counts.superseded, >=, 3 * 4);
  assert_counts_close (&watch);
  watch_end (&watch);
}

/* Compute is at most as far behind as the queue is long. */
static gboolean
keeps_up (gint64 frame, gpointer data)
{
  return frame < fake_calls ().feeds + VG_QUEUE_LIVE;
}

/* With a history every frame is fed as long as compute keeps up. */
static void
test_live_feeds_all (void)
{
  FakeSource source = { .width = 8, .height = 8, .frames = -1, .live_frames = 1000, .may_come = keeps_up };
  g_autofree FakeParams *params = fake_params ();
  VgPipelineCounts counts;
  Watch watch;

  params->history = 4;
  fake_calls_reset ();
  watch_start (&watch, fake_pipeline (&source));
  watch_open (&watch, params);
  g_assert_true (watch_until (&watch, in_state, VG_PIPELINE_FINISHED));
  g_assert_true (watch_until (&watch, has_frame, 1999));
  g_assert_cmpint (fake_calls ().feeds, ==, 1000);
  g_assert_cmpfloat (watch_value (&watch), ==, fake_window_sum (999, 4));
  vg_pipeline_get_counts (watch.pipeline, &counts);
  g_assert_cmpuint (counts.received, ==, 1000);
  assert_counts_close (&watch);
  watch_end (&watch);
}

static gboolean
is_released (gint64 frame, gpointer data)
{
  return frame < g_atomic_int_get ((int *) data);
}

static gboolean
has_received (Watch *watch, gint64 n)
{
  VgPipelineCounts counts;

  vg_pipeline_get_counts (watch->pipeline, &counts);
  return counts.received >= (guint64) n;
}

/* While compute stands still the source goes on: the newest frames wait, as
 * many as the queue holds, and each one that had to go is counted. */
static void
test_live_drops (void)
{
  int released = 10;
  FakeSource source = { .width = 8, .height = 8, .frames = -1, .live_frames = 300, .may_come = is_released, .data = &released };
  g_autofree FakeParams *params = fake_params ();
  VgPipelineCounts before, counts;
  Watch watch;

  params->history = 4;
  fake_calls_reset ();
  watch_start (&watch, fake_pipeline (&source));
  watch_open (&watch, params);
  g_assert_true (watch_until (&watch, has_frame, 1009));
  vg_pipeline_pause (watch.pipeline);
  vg_pipeline_get_counts (watch.pipeline, &before);
  g_assert_cmpuint (before.superseded + before.shown, ==, 10);
  g_atomic_int_set (&released, G_MAXINT);
  while (!has_received (&watch, 300))
    g_usleep (1000);
  vg_pipeline_get_counts (watch.pipeline, &counts);
  g_assert_cmpuint (counts.queued, ==, VG_QUEUE_LIVE);
  g_assert_cmpuint (counts.superseded - before.superseded, ==, 290 - VG_QUEUE_LIVE);
  g_assert_cmpint (fake_calls ().feeds, ==, 10);

  vg_pipeline_play (watch.pipeline);
  g_assert_true (watch_until (&watch, in_state, VG_PIPELINE_FINISHED));
  g_assert_true (watch_until (&watch, has_frame, 1299));
  g_assert_cmpint (fake_calls ().feeds, ==, 10 + VG_QUEUE_LIVE);
  g_assert_cmpfloat (watch_value (&watch), ==, fake_window_sum (299, 4));
  vg_pipeline_get_counts (watch.pipeline, &counts);
  g_assert_cmpuint (counts.lost, ==, 0);
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
      watch_open (&watch, params);
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

static void
test_broken_stream (void)
{
  FakeSource source = { .width = 4, .height = 4, .frames = -1, .error_at = 25, .interval_us = 100 };
  g_autofree FakeParams *params = fake_params ();
  Watch watch;

  watch_start (&watch, fake_pipeline (&source));
  watch_open (&watch, params);
  g_assert_true (watch_until (&watch, in_state, VG_PIPELINE_FAILED));
  g_assert_true (watch_until (&watch, has_failed, 0));
  g_assert_cmpstr (watch.error, ==, "the stream ended within a frame");
  g_assert_cmpfloat (watch_value (&watch), ==, 24);
  assert_counts_close (&watch);
  watch_end (&watch);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pipeline/paused-live-follows", test_paused_live_follows);
  g_test_add_func ("/pipeline/live-counts", test_live_counts);
  g_test_add_func ("/pipeline/live-gathering", test_live_gathering);
  g_test_add_func ("/pipeline/live-feeds-all", test_live_feeds_all);
  g_test_add_func ("/pipeline/live-drops", test_live_drops);
  g_test_add_func ("/pipeline/blocked-source", test_blocked_source);
  g_test_add_func ("/pipeline/broken-stream", test_broken_stream);
  return g_test_run ();
}
