/* SPDX-License-Identifier: MIT */
/* Looking back in a live source: the maps of the past are those that were shown then, settings act
 * there, and the source goes on meanwhile. */
#include <math.h>
#include "tests/support/app/pipeline-watch.h"

/* The source's frames begin with this number (fake-source.c). */
enum { FIRST = 1000 };

static gboolean
is_past (Watch *watch, gint64 frame)
{
  return watch->last != NULL && watch->last->frame_index == frame;
}

/* The time of frame K in the ring. */
static double
find_time (Watch *watch, gint64 k)
{
  const VgLookBack *kept = watch->pipeline->input->look_back;
  double time_s = -1;

  g_mutex_lock (&watch->pipeline->lock);
  for (guint i = 0; i < vg_look_back_get_n (kept); i++)
    if (vg_look_back_get (kept, i)->index == k)
      time_s = vg_look_back_get (kept, i)->time_s;
  g_mutex_unlock (&watch->pipeline->lock);
  g_assert_cmpfloat (time_s, >=, 0);
  return time_s;
}

/* The curve of a region has a value of each of the frames FROM to TO, or, if they are not FILLED,
 * none and a gap there. */
static void
check_course (Watch *watch, gint64 from, gint64 to, gboolean filled)
{
  g_autoptr (VgCurves) curves = vg_pipeline_time_course (watch->pipeline, 0);
  const double from_s = find_time (watch, from), to_s = find_time (watch, to);
  const VgSeries *series;
  int gaps = 0, values = 0;

  g_assert_cmpuint (curves->series->len, ==, 1);
  series = curves->series->pdata[0];
  for (int i = 0; i < series->n; i++)
    {
      gaps += isnan (series->y[i]) != 0;
      values += isfinite (series->y[i]) && series->x[i] >= from_s && series->x[i] <= to_s;
    }
  g_assert_cmpint (gaps, ==, filled ? 0 : 1);
  g_assert_cmpint (values, ==, filled ? (int) (to - from) + 1 : 0);
}

static gint64
count_sent (const Watch *watch)
{
  VgPipelineCounts counts;

  vg_pipeline_get_counts (watch->pipeline, &counts);
  return (gint64) counts.sent;
}

/* The next maps are expected to take MAP_US. */
static void
set_map_time (const Watch *watch, gint64 map_us)
{
  g_mutex_lock (&watch->pipeline->lock);
  watch->pipeline->mailbox.frame_us = map_us;
  g_mutex_unlock (&watch->pipeline->lock);
}

/* Looks back while 50 frames come, whose maps take MAP_US, and goes on. */
static void
check_missed (Watch *watch, gint64 map_us, gboolean filled)
{
  gint64 newest, past = count_sent (watch) - 20;

  g_assert_true (vg_pipeline_look_back (watch->pipeline, find_time (watch, FIRST + past)));
  g_assert_true (watch_until (watch, is_past, FIRST + past));
  g_assert_true (watch_settle (watch));
  newest = count_sent (watch);
  g_assert_true (watch_until (watch, has_received, newest + 50));
  set_map_time (watch, map_us);
  vg_pipeline_play (watch->pipeline);
  g_assert_true (watch_until (watch, has_frame_after, FIRST + newest + 60));
  check_course (watch, FIRST + newest, FIRST + newest + 40, filled);
}

static void
test_look_back (void)
{
  const VgRegion region = {
    .kind = VG_REGION_RECTANGLE, .n_points = 2, .x = { 0, 4 }, .y = { 0, 4 }
  };

  FakeSource source = { .width = 4, .height = 4, .frames = -1, .interval_us = 2000 };
  g_autofree FakeParams *params = fake_params ();
  gint64 newest;
  guint64 serial;
  VgPast past;
  Watch watch;

  params->history = 6;
  watch_camera (&watch, fake_pipeline (&source), params);
  vg_pipeline_set_regions (watch.pipeline, &region, 1);
  g_assert_true (watch_until (&watch, has_received, 200));
  g_assert_true (vg_pipeline_get_past (watch.pipeline, &past));
  g_assert_false (past.shown);
  g_assert_cmpuint (past.frames, >=, 100);

  g_assert_true (vg_pipeline_look_back (watch.pipeline, find_time (&watch, FIRST + 40)));
  g_assert_true (watch_until (&watch, is_past, FIRST + 40));
  g_assert_cmpfloat (watch_value (&watch), ==, fake_window_sum (40, 6));
  g_assert_cmpint (vg_pipeline_get_state (watch.pipeline), ==, VG_PIPELINE_PAUSED);
  assert_counts_close (&watch);

  /* a setting that needs more history than the map had */
  params->gain = 2;
  params->history = 12;
  serial = vg_pipeline_set_params (watch.pipeline, &fake_stream, params);
  g_assert_true (watch_until (&watch, has_serial, (gint64) serial));
  g_assert_true (watch_until (&watch, is_past, FIRST + 40));
  g_assert_cmpfloat (watch_value (&watch), ==, 2 * fake_window_sum (40, 12));

  /* the frames that came meanwhile are kept, and the newest is shown again */
  newest = count_sent (&watch);
  g_assert_true (watch_until (&watch, has_received, newest + 50));
  g_assert_true (vg_pipeline_get_past (watch.pipeline, &past));
  g_assert_true (past.shown);
  vg_pipeline_play (watch.pipeline);
  g_assert_true (watch_until (&watch, has_frame_after, FIRST + newest + 40));
  g_assert_cmpfloat (watch_value (&watch), ==,
                     2 * fake_window_sum (watch.last->frame_index - FIRST, 12));
  g_assert_true (vg_pipeline_get_past (watch.pipeline, &past));
  g_assert_false (past.shown);
  assert_counts_close (&watch);

  /* the time courses get the values of the frames that came meanwhile, if they take no second */
  vg_pipeline_clear_time_course (watch.pipeline);
  newest = count_sent (&watch);
  g_assert_true (watch_until (&watch, has_frame_after, FIRST + newest + 60));
  check_missed (&watch, 1, TRUE);
  check_missed (&watch, G_USEC_PER_SEC, FALSE);
  assert_counts_close (&watch);
  watch_end (&watch);
}

/* Frames that come while those of the past are computed have values too, also if each map needs
 * only its own frame, so that otherwise only the newest would be computed. */
static void
test_catch_up (void)
{
  const VgRegion region = {
    .kind = VG_REGION_RECTANGLE, .n_points = 2, .x = { 0, 4 }, .y = { 0, 4 }
  };
  FakeSource source = { .width = 4, .height = 4, .frames = -1, .interval_us = 2000 };
  g_autofree FakeParams *params = fake_params ();
  gint64 past, newest, held;
  Watch watch;

  watch_camera (&watch, fake_pipeline (&source), params);
  vg_pipeline_set_regions (watch.pipeline, &region, 1);
  g_assert_true (watch_until (&watch, has_received, 200));
  past = count_sent (&watch) - 20;
  g_assert_true (vg_pipeline_look_back (watch.pipeline, find_time (&watch, FIRST + past)));
  g_assert_true (watch_until (&watch, is_past, FIRST + past));
  g_assert_true (watch_settle (&watch));
  newest = count_sent (&watch);
  g_assert_true (watch_until (&watch, has_received, newest + 50));
  fake_let_steps (0);
  set_map_time (&watch, 1);
  vg_pipeline_play (watch.pipeline);
  g_mutex_lock (&watch.pipeline->lock);
  g_assert_cmpint (watch.pipeline->input->queue.catch_up_us, >, g_get_monotonic_time ());
  watch.pipeline->input->queue.catch_up_us = G_MAXINT64; /* however slow this machine is */
  g_mutex_unlock (&watch.pipeline->lock);
  held = count_sent (&watch);
  g_assert_true (watch_until (&watch, has_received, held + 100));
  assert_counts_close (&watch);
  fake_let_steps (FAKE_ALL);
  g_assert_true (watch_until (&watch, has_frame_after, FIRST + held + 110));
  check_course (&watch, FIRST + newest, FIRST + held + 90, TRUE);
  assert_counts_close (&watch);
  watch_end (&watch);
}

/* What was received can be looked at after the end, also if the end was cancelled. */
static void
test_after_end (void)
{
  FakeSource source = {
    .width = 4, .height = 4, .frames = -1, .live_frames = 50, .interval_us = 1000
  };
  g_autofree FakeParams *params = fake_params ();
  Watch watch;

  watch_stream (&watch, fake_pipeline (&source), params);
  g_assert_true (watch_until (&watch, in_state, VG_PIPELINE_FINISHED));
  g_assert_true (watch_settle (&watch));
  g_assert_true (vg_pipeline_look_back (watch.pipeline, find_time (&watch, FIRST + 10)));
  g_assert_true (watch_until (&watch, is_past, FIRST + 10));
  vg_pipeline_cancel (watch.pipeline);
  g_assert_true (vg_pipeline_is_cancelled (watch.pipeline));
  g_assert_true (vg_pipeline_look_back (watch.pipeline, find_time (&watch, FIRST + 20)));
  g_assert_true (watch_until (&watch, is_past, FIRST + 20));
  assert_counts_close (&watch);
  watch_end (&watch);
}

/* A stack has no past: it is sought in. */
static void
test_stack (void)
{
  FakeSource source = { .width = 4, .height = 4, .frames = 10 };
  g_autofree FakeParams *params = fake_params ();
  VgPast past;
  Watch watch;

  watch_stream (&watch, fake_pipeline (&source), params);
  g_assert_true (watch_until (&watch, has_result, 0));
  g_assert_false (vg_pipeline_look_back (watch.pipeline, 1));
  g_assert_false (vg_pipeline_get_past (watch.pipeline, &past));
  watch_end (&watch);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pipeline-past/look-back", test_look_back);
  g_test_add_func ("/pipeline-past/catch-up", test_catch_up);
  g_test_add_func ("/pipeline-past/after-end", test_after_end);
  g_test_add_func ("/pipeline-past/stack", test_stack);
  return g_test_run ();
}
