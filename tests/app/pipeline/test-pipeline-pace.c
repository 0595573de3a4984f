/* SPDX-License-Identifier: MIT */
/* Work whose pictures are to be seen one by one (VgViewHints.step_param). */
#include "tests/support/app/pipeline-watch.h"

/* Steps that take no time come no faster than the screen shows them. */
static void
test_pace (void)
{
  g_autofree FakeParams *params = fake_params ();
  FakeSource source = { .width = 4, .height = 4, .frames = 1 };
  gint64 began = g_get_monotonic_time ();
  Watch watch;

  params->pace = 1;
  params->steps = 1000000;
  watch_steps (&watch, fake_pipeline (&source), params);
  g_assert_true (watch_until (&watch, has_value, 20));
  /* the first two come at once: of the opening */
  g_assert_cmpint (fake_calls ().steps, <=,
                   3 + (g_get_monotonic_time () - began) * 60 / G_USEC_PER_SEC);
  watch_end (&watch);
}

static gboolean
has_gap_below (Watch *watch, gint64 us)
{
  return fake_calls ().least_gap_us < us;
}

/* Steps that take some of a picture's time come as often as those that take none: after one of 10
 * ms the next does not wait the 17 that lie between two pictures, but what is left of them.  A busy
 * machine makes it longer: once is enough. */
static void
test_slow_steps (void)
{
  g_autofree FakeParams *params = fake_params ();
  FakeSource source = { .width = 4, .height = 4, .frames = 1 };
  Watch watch;

  params->pace = 1;
  params->steps = 1000000;
  params->step_ms = 10;
  watch_steps (&watch, fake_pipeline (&source), params);
  g_assert_true (watch_until (&watch, has_value, 3));
  fake_calls_reset ();
  g_assert_true (watch_until (&watch, has_gap_below, 13000));
  watch_end (&watch);
}

/* A pause holds, single steps and settings act at once, and without a pace it goes on as fast as it
 * can. */
static void
test_levers (void)
{
  g_autofree FakeParams *params = fake_params ();
  FakeSource source = { .width = 4, .height = 4, .frames = 1 };
  guint64 serial;
  float held;
  Watch watch;

  params->pace = 1;
  params->steps = 20000;
  watch_steps (&watch, fake_pipeline (&source), params);
  g_assert_true (watch_until (&watch, has_value, 3));
  vg_pipeline_pause (watch.pipeline);
  g_assert_true (watch_until (&watch, in_state, VG_PIPELINE_PAUSED));
  g_assert_true (watch_settle (&watch));
  held = watch_value (&watch);
  watch_for (&watch, 50);
  g_assert_cmpfloat (watch_value (&watch), ==, held);
  for (int i = 0; i < 3; i++)
    vg_pipeline_step (watch.pipeline);
  g_assert_true (watch_until (&watch, has_value, (gint64) held + 3));
  g_assert_true (watch_settle (&watch));
  g_assert_cmpfloat (watch_value (&watch), ==, held + 3);
  vg_pipeline_play (watch.pipeline);
  g_assert_true (watch_until (&watch, has_value, (gint64) held + 6));
  g_assert_cmpint (vg_pipeline_get_state (watch.pipeline), ==, VG_PIPELINE_RUNNING);
  params->pace = 0;
  serial = vg_pipeline_set_params (watch.pipeline, &fake_steps, params);
  g_assert_true (watch_until (&watch, has_serial, (gint64) serial));
  /* at 60 a second it would take 300 s */
  g_assert_true (watch_until (&watch, in_state, VG_PIPELINE_FINISHED));
  watch_end (&watch);
}

/* A window that takes no pictures does not hold the work back for good. */
static void
test_unseen (void)
{
  g_autofree FakeParams *params = fake_params ();
  FakeSource source = { .width = 4, .height = 4, .frames = 1 };
  Watch watch;

  params->pace = 1;
  params->steps = 20;
  watch_start (&watch, fake_pipeline (&source));
  watch.hold = TRUE;
  vg_pipeline_open (watch.pipeline, &fake_steps, params, NULL, NULL);
  g_assert_true (watch_until (&watch, in_state, VG_PIPELINE_FINISHED));
  watch_end (&watch);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pace/rate", test_pace);
  g_test_add_func ("/pace/slow-steps", test_slow_steps);
  g_test_add_func ("/pace/levers", test_levers);
  g_test_add_func ("/pace/unseen", test_unseen);
  return g_test_run ();
}
