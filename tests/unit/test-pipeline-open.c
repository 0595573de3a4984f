/* SPDX-License-Identifier: MIT */
/* Opening, again, in vain, and given up. */
#include "pipeline-watch.h"

/* What was open goes on, and its picture stays. */
static void
test_failed_reopen (void)
{
  FakeSource source = { .width = 4, .height = 4, .frames = 30 };
  g_autofree FakeParams *params = fake_params ();
  guint64 serial;
  VgImageInfo info;
  Watch watch;

  watch_play (&watch, fake_pipeline (&source), params);
  g_assert_true (watch_until (&watch, has_frame, 29));

  source.refuses = TRUE;
  watch_open (&watch, params);
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
  watch_open (&watch, params);
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
  watch_open (&watch, params);
  g_assert_true (watch_until (&watch, has_failed, 0));
  g_assert_cmpint (vg_pipeline_get_state (watch.pipeline), ==, VG_PIPELINE_FAILED);
  source.refuses = FALSE;
  watch_open (&watch, params);
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

  watch_play (&watch, fake_pipeline (&source), params);
  source.open_ms = 200;
  source.frames = 5;
  watch_open (&watch, params);
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
      watch_open (&watch, params);
      if (i % 5 == 0)
        watch_for (&watch, 5);
    }
  g_assert_true (watch_until (&watch, has_frame, 10));
  g_assert_cmpfloat (watch_value (&watch), ==, 290);
  assert_counts_close (&watch);
  watch_end (&watch);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pipeline/failed-reopen", test_failed_reopen);
  g_test_add_func ("/pipeline/first-open-fails", test_first_open_fails);
  g_test_add_func ("/pipeline/cancelled-open", test_cancelled_open);
  g_test_add_func ("/pipeline/many-opens", test_many_opens);
  return g_test_run ();
}
