/* SPDX-License-Identifier: MIT */
/* Work whose pictures are to be seen one by one (VgOperation.pace). */
#include "pipeline-watch.h"

static gboolean
has_value (Watch *watch, gint64 value)
{
  return watch->last != NULL && watch_value (watch) >= (float) value;
}

/* Steps that take no time come no faster than the screen shows them. */
static void
test_pace (void)
{
  g_autofree FakeParams *params = fake_params ();
  FakeSource source = { .width = 4, .height = 4, .frames = 1 };
  gint64 began = g_get_monotonic_time (), spent;
  Watch watch;

  params->pace = 1;
  params->steps = 1000000;
  fake_calls_reset ();
  watch_steps (&watch, fake_pipeline (&source), params);
  g_assert_true (watch_until (&watch, has_value, 20));
  spent = g_get_monotonic_time () - began;
  /* the first two come at once: of the opening */
  g_assert_cmpint (fake_calls ().steps, <=, 2 + spent * 60 / G_USEC_PER_SEC);
  watch_end (&watch);
}

/* Steps that take some of a picture's time come as often as those that take none: the time of STEPS, at best. */
static gint64
spend (double step_ms, int steps)
{
  g_autofree FakeParams *params = fake_params ();
  FakeSource source = { .width = 4, .height = 4, .frames = 1 };
  gint64 began, spent;
  Watch watch;

  params->pace = 1;
  params->steps = 1000000;
  params->step_ms = step_ms;
  watch_steps (&watch, fake_pipeline (&source), params);
  g_assert_true (watch_until (&watch, has_value, 3));
  began = g_get_monotonic_time ();
  g_assert_true (watch_until (&watch, has_value, 3 + steps));
  spent = g_get_monotonic_time () - began;
  watch_end (&watch);
  return spent;
}

static void
test_slow_steps (void)
{
  enum { STEPS = 6, TRIES = 100 };
  const gint64 enough = STEPS * G_USEC_PER_SEC / 50;   /* 10 ms after each picture would make 27 ms of 17, 160 of 100 */
  gint64 least = G_MAXINT64;

  /* a busy machine makes it longer: once is enough */
  for (int i = 0; i < TRIES && least > enough; i++)
    least = MIN (least, spend (10, STEPS));
  g_test_message ("%d steps of 10 ms in %.1f ms", STEPS, (double) least * 1e-3);
  g_assert_cmpint (least, <=, enough);
}

/* A pause holds, single steps and settings act at once, and without a pace it goes on as fast as it can. */
static void
test_levers (void)
{
  g_autofree FakeParams *params = fake_params ();
  FakeSource source = { .width = 4, .height = 4, .frames = 1 };
  guint64 serial;
  float held;
  Watch watch;

  params->pace = 1;
  params->steps = 3000;
  watch_steps (&watch, fake_pipeline (&source), params);
  g_assert_true (watch_until (&watch, has_value, 3));
  vg_pipeline_pause (watch.pipeline);
  g_assert_true (watch_until (&watch, in_state, VG_PIPELINE_PAUSED));
  watch_for (&watch, 100);
  held = watch_value (&watch);
  watch_for (&watch, 100);
  g_assert_cmpfloat (watch_value (&watch), ==, held);
  for (int i = 0; i < 3; i++)
    vg_pipeline_step (watch.pipeline);
  g_assert_true (watch_until (&watch, has_value, (gint64) held + 3));
  watch_for (&watch, 50);
  g_assert_cmpfloat (watch_value (&watch), ==, held + 3);
  vg_pipeline_play (watch.pipeline);
  g_assert_true (watch_until (&watch, has_value, (gint64) held + 6));
  g_assert_cmpint (vg_pipeline_get_state (watch.pipeline), ==, VG_PIPELINE_RUNNING);
  params->pace = 0;
  serial = vg_pipeline_set_params (watch.pipeline, &fake_steps, params);
  g_assert_true (watch_until (&watch, has_serial, (gint64) serial));
  g_assert_true (watch_until (&watch, in_state, VG_PIPELINE_FINISHED));   /* within 10 s: at 60 a second it would take 50 */
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
