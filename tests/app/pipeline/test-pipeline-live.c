/* SPDX-License-Identifier: MIT */
/* Live sources: every frame is fed or counted, and none can hold the window up. */
#include <string.h>
#include "tests/support/app/pipeline-answer.h"
#include "tests/support/app/pipeline-watch.h"
#include "tests/support/io/tiff-fixture.h"

/* Compute is at most as far behind as the queue is long. */
static gboolean
keeps_up (gint64 frame, gpointer data)
{
  return frame < fake_calls ().feeds + VG_QUEUE_LIVE;
}

/* The first *DATA come at once. */
static gboolean
is_released (gint64 frame, gpointer data)
{
  return frame < g_atomic_int_get ((int *) data);
}

static gboolean
has_no_source (Watch *watch, gint64 unused)
{
  return fake_sources_open () == 0;
}

static void
test_paused_live_follows (void)
{
  FakeSource source = { .width = 4, .height = 4, .frames = -1, .may_come = keeps_up };
  g_autofree FakeParams *params = fake_params ();
  gint64 frame, number;
  guint64 serial;
  Watch watch;

  params->history = 6;
  watch_stream (&watch, fake_pipeline (&source), params);
  g_assert_true (watch_until (&watch, has_received, 100));
  vg_pipeline_pause (watch.pipeline);
  g_assert_true (watch_settle (&watch));
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
  g_assert_true (watch_until (&watch, has_frame_after, frame));
  assert_counts_close (&watch);
  watch_end (&watch);
}

/* A thousand frames come while one is computed, with gaps in their ids: the newest is next. */
static void
test_live_counts (void)
{
  int released = 1;
  FakeSource source = { .width = 8,
                        .height = 8,
                        .frames = -1,
                        .live_frames = 1000,
                        .may_come = is_released,
                        .data = &released,
                        .gap_every = 10 };
  g_autofree FakeParams *params = fake_params ();
  VgPipelineCounts counts;
  Watch watch;

  params->step_ms = 5;
  watch_start (&watch, fake_pipeline (&source));
  fake_let_steps (0);
  watch_open (&watch, params);
  g_assert_true (watch_until (&watch, has_stepped, 1));
  g_atomic_int_set (&released, G_MAXINT);
  g_assert_true (watch_until (&watch, has_received, 1000 + 3 * 99));
  assert_counts_close (&watch);
  fake_let_steps (FAKE_ALL);
  g_assert_true (watch_until (&watch, in_state, VG_PIPELINE_FINISHED));
  g_assert_true (watch_settle (&watch));
  g_assert_cmpint (fake_calls ().steps, ==, 2);
  vg_pipeline_get_counts (watch.pipeline, &counts);
  g_assert_cmpuint (counts.lost, ==, 3 * 99);
  g_assert_cmpuint (counts.sent, ==, 1000 + counts.lost);
  g_assert_cmpuint (counts.queued, ==, 0);
  g_assert_cmpuint (counts.superseded, >=, 998);
  g_assert_cmpuint (counts.shown, >=, 1);
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
  FakeSource source = { .width = 8,
                        .height = 8,
                        .frames = -1,
                        .live_frames = 50,
                        .interval_us = 1000,
                        .gap_every = 10,
                        .gathers = TRUE };
  g_autofree FakeParams *params = fake_params ();
  VgPipelineCounts counts;
  Watch watch;

  watch_stream (&watch, fake_pipeline (&source), params);
  g_assert_true (watch_until (&watch, in_state, VG_PIPELINE_FINISHED));
  g_assert_true (watch_settle (&watch));
  vg_pipeline_get_counts (watch.pipeline, &counts);
  g_assert_cmpuint (counts.lost, ==, 0);
  g_assert_cmpuint (counts.sent, ==, 50 + 3 * 4);
  g_assert_cmpuint (counts.superseded, >=, 3 * 4);
  assert_counts_close (&watch);
  watch_end (&watch);
}

/* With a history every frame is fed as long as compute keeps up. */
static void
test_live_feeds_all (void)
{
  FakeSource source = {
    .width = 8, .height = 8, .frames = -1, .live_frames = 1000, .may_come = keeps_up
  };
  g_autofree FakeParams *params = fake_params ();
  VgPipelineCounts counts;
  Watch watch;

  params->history = 4;
  watch_stream (&watch, fake_pipeline (&source), params);
  g_assert_true (watch_until (&watch, in_state, VG_PIPELINE_FINISHED));
  g_assert_true (watch_until (&watch, has_frame, 1999));
  g_assert_cmpint (fake_calls ().feeds, ==, 1000);
  g_assert_cmpfloat (watch_value (&watch), ==, fake_window_sum (999, 4));
  vg_pipeline_get_counts (watch.pipeline, &counts);
  g_assert_cmpuint (counts.sent, ==, 1000);
  assert_counts_close (&watch);
  watch_end (&watch);
}

/* While compute stands still the source goes on: the newest frames wait, as
 * many as the queue holds, and each one that had to go is counted. */
static void
test_live_drops (void)
{
  int released = 10;
  FakeSource source = { .width = 8,
                        .height = 8,
                        .frames = -1,
                        .live_frames = 300,
                        .may_come = is_released,
                        .data = &released };
  g_autofree FakeParams *params = fake_params ();
  VgPipelineCounts before, counts;
  Watch watch;

  params->history = 4;
  watch_camera (&watch, fake_pipeline (&source), params);
  g_assert_true (watch_until (&watch, has_frame, 1009));
  vg_pipeline_pause (watch.pipeline);
  vg_pipeline_get_counts (watch.pipeline, &before);
  g_assert_cmpuint (before.superseded + before.shown, ==, 10);
  g_atomic_int_set (&released, G_MAXINT);
  g_assert_true (watch_until (&watch, has_received, 300));
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

/* A source that waits for ever is woken, by a cancel and by the end of the program. */
static void
test_blocked_source (void)
{
  FakeSource source = { .width = 8, .height = 8, .frames = -1, .blocks = TRUE };
  g_autofree FakeParams *params = fake_params ();

  for (int cancel = 0; cancel < 2; cancel++)
    {
      Watch watch;

      watch_stream (&watch, fake_pipeline (&source), params);
      g_assert_true (watch_until (&watch, in_state, VG_PIPELINE_RUNNING));
      g_assert_true (watch_settle (&watch));
      if (cancel)
        {
          vg_pipeline_cancel (watch.pipeline);
          g_assert_true (watch_until (&watch, has_no_source, 0));
          g_assert_cmpint (vg_pipeline_get_state (watch.pipeline), ==, VG_PIPELINE_FINISHED);
        }
      g_assert_cmpint (watch.failures, ==, 0);
      watch_end (&watch);
    }
}

static void
test_broken_stream (void)
{
  FakeSource source = { .width = 4, .height = 4, .frames = -1, .error_at = 25, .interval_us = 100 };
  g_autofree FakeParams *params = fake_params ();
  Watch watch;

  watch_stream (&watch, fake_pipeline (&source), params);
  g_assert_true (watch_until (&watch, in_state, VG_PIPELINE_FAILED));
  g_assert_true (watch_until (&watch, has_failed, 0));
  g_assert_cmpstr (watch.error, ==, "the stream ended within a frame");
  g_assert_cmpfloat (watch_value (&watch), ==, 24);
  assert_counts_close (&watch);
  watch_end (&watch);
}

/* What is exported after the end has the account of the source that was closed there. */
static void
test_export_after_end (void)
{
  FakeSource source = {
    .width = 8, .height = 8, .frames = -1, .live_frames = 20, .interrupted_at = 5
  };
  g_autofree char *folder = fixture_folder (),
                  *path = g_build_filename (folder, "summary.json", NULL), *text = NULL;
  g_autofree FakeParams *params = fake_params ();
  g_autofree guint *n_maps = NULL;
  Watch watch;

  watch_stream (&watch, fake_pipeline (&source), params);
  g_assert_true (watch_until (&watch, in_state, VG_PIPELINE_FINISHED));
  g_assert_true (watch_until (&watch, has_no_source, 0));
  n_maps = answer_now (watch.pipeline, &(VgQuery){ .kind = VG_QUERY_EXPORT, .folder = folder });
  g_assert_nonnull (n_maps);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_nonnull (strstr (text, "\"received\" : 20"));
  g_assert_nonnull (strstr (text, "The connection to the source was lost 1 time."));
  fixture_remove_folder (g_steal_pointer (&folder));
  watch_end (&watch);
}

/* A map of frames from before and after a lost connection is not shown, so it is neither kept nor
 * exported. */
static void
test_mixed (void)
{
  int released = 6;
  FakeSource source = { .width = 8,
                        .height = 8,
                        .frames = -1,
                        .may_come = is_released,
                        .data = &released,
                        .interrupted_at = 4 };
  g_autofree FakeParams *params = fake_params ();
  VgQueryKind kinds[] = { VG_QUERY_REFERENCE, VG_QUERY_EXPORT };
  g_autoptr (VgReference) reference = NULL;
  Watch watch;
  Answer answer;

  params->history = 3;
  watch_camera (&watch, fake_pipeline (&source), params);
  g_assert_true (watch_until (&watch, has_fed, 6));
  g_assert_true (watch_settle (&watch));
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      answer_begin (&answer, watch.pipeline,
                    &(VgQuery){ .kind = kinds[i], .folder = "/dev/null/none" }, NULL);
      g_assert_null (answer_wait (&answer));
      g_assert_nonnull (strstr (answer.error->message, "no map of this moment"));
      g_clear_error (&answer.error);
    }
  g_atomic_int_set (&released, 9);
  g_assert_true (watch_until (&watch, has_frame, 1008));
  reference = answer_now (watch.pipeline, &(VgQuery){ .kind = VG_QUERY_REFERENCE });
  g_assert_nonnull (reference);
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
  g_test_add_func ("/pipeline/export-after-end", test_export_after_end);
  g_test_add_func ("/pipeline/mixed", test_mixed);
  return g_test_run ();
}
