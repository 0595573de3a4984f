/* SPDX-License-Identifier: MIT */
/* Work in steps: pause, single steps, cancel, failure. */
#include "tests/support/app/pipeline-watch.h"

static void
test_steps (void)
{
  g_autofree FakeParams *params = fake_params ();
  FakeSource source = { .width = 4, .height = 4, .frames = 1 };
  gint64 began = g_get_monotonic_time ();
  guint64 serial;
  Watch watch;

  params->step_ms = 5;
  params->steps = 40;
  fake_let_steps (20);
  watch_steps (&watch, fake_pipeline (&source), params);
  g_assert_true (watch_until (&watch, has_result, 0));
  g_assert_false (watch.last->final);
  g_assert_cmpfloat (watch.last->progress, <, 1);
  fake_let_steps (FAKE_ALL);
  g_assert_true (watch_until (&watch, in_state, VG_PIPELINE_FINISHED));
  g_assert_true (watch_settle (&watch));
  g_assert_true (watch.last->final);
  g_assert_cmpfloat (watch.last->progress, ==, 1);
  g_assert_cmpfloat (watch_value (&watch), ==, 40);
  /* at most 60 pictures a second of work in progress, and the last */
  g_assert_cmpint (watch.results, <=, 3 + (g_get_monotonic_time () - began) * 60 / G_USEC_PER_SEC);
  params->steps = 3;
  serial = vg_pipeline_set_params (watch.pipeline, &fake_steps, params);
  g_assert_true (watch_until (&watch, has_serial, (gint64) serial));
  g_assert_true (watch_until (&watch, in_state, VG_PIPELINE_FINISHED));
  g_assert_true (watch_settle (&watch));
  g_assert_cmpfloat (watch_value (&watch), ==, 3);
  assert_counts_close (&watch);
  watch_end (&watch);
}

static void
test_steps_pause_and_cancel (void)
{
  g_autofree FakeParams *params = fake_params ();
  FakeSource source = { .width = 4, .height = 4, .frames = 1 };
  guint64 serial;
  int steps;
  Watch watch;

  params->step_ms = 20;
  params->steps = 1000000;
  watch_steps (&watch, fake_pipeline (&source), params);
  g_assert_true (watch_until (&watch, has_result, 0));
  vg_pipeline_pause (watch.pipeline);
  g_assert_true (watch_settle (&watch));
  fake_calls_reset ();
  watch_for (&watch, 60);
  g_assert_cmpint (fake_calls ().steps, ==, 0);
  /* a slider moves the paused picture too */
  params->gain = 3;
  serial = vg_pipeline_set_params (watch.pipeline, &fake_steps, params);
  g_assert_true (watch_until (&watch, has_serial, (gint64) serial));
  g_assert_cmpint (fake_calls ().steps, ==, 1);
  vg_pipeline_play (watch.pipeline);
  g_assert_true (watch_until (&watch, has_stepped, 4));
  vg_pipeline_cancel (watch.pipeline);
  g_assert_true (watch_until (&watch, in_state, VG_PIPELINE_FINISHED));
  g_assert_true (watch_settle (&watch));
  steps = fake_calls ().steps;
  watch_for (&watch, 60);
  g_assert_cmpint (fake_calls ().steps, ==, steps);
  watch_end (&watch);
}

/* Paused work goes on where it was, takes single steps, starts anew with other
 * settings and shows their first step, and is done again when it was done. */
static void
test_steps_go_on (void)
{
  g_autofree FakeParams *params = fake_params ();
  FakeSource source = { .width = 4, .height = 4, .frames = 1 };
  guint generation;
  guint64 serial;
  float held;
  Watch watch;

  params->step_ms = 20;
  params->steps = 30;
  fake_let_steps (5);
  watch_steps (&watch, fake_pipeline (&source), params);
  g_assert_true (watch_until (&watch, has_stepped, 3));
  vg_pipeline_pause (watch.pipeline);
  g_assert_true (watch_until (&watch, in_state, VG_PIPELINE_PAUSED));
  fake_let_steps (FAKE_ALL);
  g_assert_true (watch_settle (&watch));
  held = watch_value (&watch);
  generation = watch.last->generation;
  g_assert_cmpfloat (held, ==, fake_calls ().steps);
  fake_calls_reset ();
  vg_pipeline_step (watch.pipeline);
  vg_pipeline_step (watch.pipeline);
  g_assert_true (watch_settle (&watch));
  g_assert_cmpfloat (watch_value (&watch), ==, held + 2);
  g_assert_cmpint (vg_pipeline_get_state (watch.pipeline), ==, VG_PIPELINE_PAUSED);
  vg_pipeline_play (watch.pipeline);
  g_assert_true (watch_until (&watch, in_state, VG_PIPELINE_FINISHED));
  g_assert_true (watch_settle (&watch));
  g_assert_cmpfloat (watch_value (&watch), ==, 30);
  g_assert_cmpint (fake_calls ().steps, ==, 30 - (int) held);
  g_assert_cmpint (fake_calls ().prepares, ==, 0);
  g_assert_cmpuint (watch.last->generation, ==, generation);

  fake_calls_reset ();
  fake_let_steps (5);
  vg_pipeline_play (watch.pipeline);
  g_assert_true (watch_until (&watch, has_stepped, 3));
  vg_pipeline_pause (watch.pipeline);
  fake_let_steps (FAKE_ALL);
  g_assert_true (watch_settle (&watch));
  g_assert_cmpint (fake_calls ().prepares, ==, 1);
  g_assert_cmpuint (watch.last->generation, !=, generation);
  g_assert_cmpfloat (watch_value (&watch), ==, fake_calls ().steps);
  g_assert_cmpfloat (watch_value (&watch), <, 30);

  generation = watch.last->generation;
  params->history = 1;
  serial = vg_pipeline_set_params (watch.pipeline, &fake_steps, params);
  g_assert_true (watch_until (&watch, has_serial, (gint64) serial));
  g_assert_true (watch_settle (&watch));
  g_assert_cmpuint (watch.last->generation, !=, generation);
  g_assert_cmpfloat (watch_value (&watch), ==, 1);
  g_assert_cmpint (vg_pipeline_get_state (watch.pipeline), ==, VG_PIPELINE_PAUSED);
  watch_end (&watch);
}

static gboolean
has_less (Watch *watch, gint64 value)
{
  return watch->last && watch_value (watch) < (float) value;
}

/* Begun anew, a map that fills up leaves the whole one in view for a second; one that evolves is
 * seen from its first step. */
static void
test_whole_stays (gconstpointer fills)
{
  g_autofree FakeParams *params = fake_params ();
  FakeSource source = { .width = 4, .height = 4, .frames = 1 };
  VgOperation operation = fake_steps;
  gint64 asked_us;
  Watch watch;

  operation.view.keeps_last_map = fills != NULL;
  params->steps = 10;
  params->step_ms = 20;
  watch_start (&watch, fake_pipeline (&source));
  vg_pipeline_open (watch.pipeline, &operation, params, NULL, NULL);
  g_assert_true (watch_until (&watch, in_state, VG_PIPELINE_FINISHED));
  g_assert_true (watch_settle (&watch));
  g_assert_cmpfloat (watch_value (&watch), ==, 10);
  fake_calls_reset ();
  fake_let_steps (3);
  params->history = 1;
  asked_us = g_get_monotonic_time ();
  vg_pipeline_set_params (watch.pipeline, &operation, params);
  g_assert_true (watch_until (&watch, has_stepped, 3));
  if (fills == NULL)
    g_assert_true (watch_until (&watch, has_less, 10));
  else if (g_get_monotonic_time () - asked_us < 900000)
    g_assert_cmpfloat (watch_value (&watch), ==, 10);
  fake_let_steps (FAKE_ALL);
  while (watch.last->generation < 2 || !watch.last->final)
    g_assert_true (watch_until (&watch, in_state, VG_PIPELINE_FINISHED) && watch_settle (&watch));
  g_assert_cmpfloat (watch_value (&watch), ==, 10);
  watch_end (&watch);
}

static void
test_step_fails (void)
{
  g_autofree FakeParams *params = fake_params ();
  FakeSource source = { .width = 4, .height = 4, .frames = 1 };
  guint64 serial;
  Watch watch;

  params->fail_at = 4;
  params->step_ms = 1;
  watch_steps (&watch, fake_pipeline (&source), params);
  g_assert_true (watch_until (&watch, has_failed, 0));
  g_assert_cmpint (vg_pipeline_get_state (watch.pipeline), ==, VG_PIPELINE_FAILED);
  g_assert_nonnull (watch.last);
  params->fail_at = -1;
  serial = vg_pipeline_set_params (watch.pipeline, &fake_steps, params);
  g_assert_true (watch_until (&watch, has_serial, (gint64) serial));
  vg_pipeline_play (watch.pipeline);
  g_assert_true (watch_until (&watch, in_state, VG_PIPELINE_FINISHED));
  watch_end (&watch);
}

enum { UNFIT = 7 };

/* As the engine of the steps operation, for all but one setting. */
static gpointer
prepare_fitting (const VgContext *context, GError **error)
{
  if (((const FakeParams *) context->params)->history != UNFIT)
    return fake_steps.cpu->prepare (context, error);
  g_set_error_literal (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_FAILED,
                       "the file is of another size");
  return NULL;
}

/* Settings that can not be prepared, put right: the work goes on to its end by itself, as it did
 * before. */
static void
test_put_right (void)
{
  g_autofree FakeParams *params = fake_params ();
  FakeSource source = { .width = 4, .height = 4, .frames = 1 };
  VgEngine engine = *fake_steps.cpu;
  VgOperation operation = fake_steps;
  guint64 serial;
  Watch watch;

  engine.prepare = prepare_fitting;
  operation.cpu = &engine;
  params->steps = 20;
  watch_start (&watch, fake_pipeline (&source));
  vg_pipeline_open (watch.pipeline, &operation, params, NULL, NULL);
  for (int round = 1; round <= 2; round++)
    {
      g_assert_true (watch_until (&watch, in_state, VG_PIPELINE_FINISHED));
      params->history = UNFIT;
      serial = vg_pipeline_set_params (watch.pipeline, &operation, params);
      g_assert_true (watch_until (&watch, in_state, VG_PIPELINE_FAILED));
      g_assert_true (watch_settle (&watch));
      g_assert_cmpint (watch.failures, ==, round);
      g_assert_cmpuint (vg_pipeline_get_failed (watch.pipeline), ==, serial);
      params->history = 0;
      serial = vg_pipeline_set_params (watch.pipeline, &operation, params);
      g_assert_true (watch_until (&watch, has_serial, (gint64) serial));
      g_assert_true (watch_until (&watch, in_state, VG_PIPELINE_FINISHED));
      g_assert_true (watch_settle (&watch));
      g_assert_cmpfloat (watch_value (&watch), ==, 20);
    }
  watch_end (&watch);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pipeline/steps", test_steps);
  g_test_add_func ("/pipeline/steps-pause-and-cancel", test_steps_pause_and_cancel);
  g_test_add_func ("/pipeline/steps-go-on", test_steps_go_on);
  g_test_add_data_func ("/pipeline/whole-stays", GINT_TO_POINTER (TRUE), test_whole_stays);
  g_test_add_data_func ("/pipeline/evolving-is-seen", NULL, test_whole_stays);
  g_test_add_func ("/pipeline/step-fails", test_step_fails);
  g_test_add_func ("/pipeline/put-right", test_put_right);
  return g_test_run ();
}
