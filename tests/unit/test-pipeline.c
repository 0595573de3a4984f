/* SPDX-License-Identifier: MIT */
/* The pipeline with sources and engines whose every result is known. */
#include <math.h>
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

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pipeline/stack", test_stack);
  g_test_add_func ("/pipeline/one-frame", test_one_frame);
  return g_test_run ();
}
