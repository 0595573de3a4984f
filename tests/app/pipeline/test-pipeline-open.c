/* SPDX-License-Identifier: MIT */
/* Opening, again, in vain, and given up. */
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include "app/pipeline/vg-pipeline-private.h"
#include "tests/support/app/pipeline-watch.h"
#include "tests/support/io/tiff-fixture.h"

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
  g_assert_cmpuint (watch.failed, ==, 2);
  g_assert_true (vg_pipeline_get_info (watch.pipeline, &info));
  g_assert_cmpint (info.frames, ==, 30);
  g_assert_cmpint (vg_pipeline_get_state (watch.pipeline), ==, VG_PIPELINE_FINISHED);
  params->gain = 5;
  serial = vg_pipeline_set_params (watch.pipeline, &fake_stream, params);
  g_assert_true (watch_until (&watch, has_serial, (gint64) serial));
  g_assert_cmpfloat (watch_value (&watch), ==, 145);

  /* settings that the new work can't be prepared with keep it as well */
  source.refuses = FALSE;
  source.frames = 7;
  params->valid = FALSE;
  watch_open (&watch, params);
  watch.failures = 0;
  g_assert_true (watch_until (&watch, has_failed, 0));
  g_assert_cmpuint (watch.failed, ==, 3);
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

  watch_stream (&watch, fake_pipeline (&source), params);
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
  source.open_ms = 20;
  source.frames = 5;
  watch_open (&watch, params);
  vg_pipeline_cancel (watch.pipeline);
  g_assert_cmpint (vg_pipeline_get_state (watch.pipeline), ==, VG_PIPELINE_FINISHED);
  g_assert_true (watch_until (&watch, has_inputs, 1));
  g_assert_true (watch_settle (&watch));
  g_assert_true (vg_pipeline_get_info (watch.pipeline, &info));
  g_assert_cmpint (info.frames, ==, 30);
  g_assert_cmpint (watch.opened, ==, 1);
  g_assert_cmpint (watch.failures, ==, 0);
  watch_end (&watch);
}

/* The settings of what is still open arrive after an opening of another operation has failed: they
 * are read as its own, whatever was to be opened. */
static void
test_other_operation_fails (void)
{
  FakeSource source = { .width = 4, .height = 4, .frames = 30 };
  g_autofree FakeParams *params = fake_params ();
  guint64 serial;
  Watch watch;

  watch_play (&watch, fake_pipeline (&source), params);
  g_assert_true (watch_until (&watch, has_frame, 29));
  params->valid = FALSE;
  vg_pipeline_open (watch.pipeline, &fake_steps, params, NULL, NULL);
  g_assert_true (watch_until (&watch, has_failed, 0));
  params->valid = TRUE;
  params->gain = 3;
  serial = vg_pipeline_set_params (watch.pipeline, &fake_stream, params);
  g_assert_true (watch_until (&watch, has_serial, (gint64) serial));
  g_assert_cmpfloat (watch_value (&watch), ==, 87);
  watch_end (&watch);
}

/* The same for each pair of real tables, none of which lies like another. */
static void
test_tables (void)
{
  guint n;
  const VgOperation *const *operations = vg_operations (&n);
  FakeSource source = { .width = 4, .height = 4, .refuses = TRUE };
  const char *const gone[] = { "/nonexistent/data.tif", NULL };

  for (guint i = 0; i < n; i++)
    for (guint k = 0; k < n; k++)
      {
        void *tried = vg_params_new (&operations[i]->params),
             *params = vg_params_new (&operations[k]->params);
        Watch watch;

        watch_start (&watch, fake_pipeline (&source));
        vg_pipeline_open (watch.pipeline, operations[i], tried,
                          operations[i]->input.kind == VG_INPUT_NONE ? NULL : gone, NULL);
        if (operations[i]->input.kind != VG_INPUT_NONE)
          g_assert_true (watch_until (&watch, has_failed, 0));
        vg_pipeline_set_params (watch.pipeline, operations[k], params);
        g_assert_true (
            vg_params_equal (&operations[k]->params, params, watch.pipeline->wanted.params));
        vg_params_free (&operations[i]->params, tried);
        vg_params_free (&operations[k]->params, params);
        watch_end (&watch);
      }
}

/* What suits the operation stays open when only the settings do not fit: it is seen, and settings
 * that fit are tried on it. */
static void
test_kept_open (void)
{
  FakeSource source = { .width = 4, .height = 4, .frames = 6 };
  g_autofree FakeParams *params = fake_params ();
  VgOperation stream = fake_stream;
  VgImageInfo info;
  Watch watch;

  stream.input.channels = (VgInputRange){ 0, 1 };
  stream.input.frames = (VgInputRange){ 6, 6 };
  params->valid = FALSE;
  watch_start (&watch, fake_pipeline (&source));
  vg_pipeline_set_playback (watch.pipeline, 0, FALSE);
  vg_pipeline_open (watch.pipeline, &stream, params, NULL, NULL);
  g_assert_true (watch_until (&watch, has_result, 0));
  g_assert_true (watch.last->input_only);
  g_assert_true (watch.last->underlay != NULL);
  g_assert_true (isnan (watch_value (&watch)));
  g_assert_cmpint (watch.last->plane.width, ==, 4);
  g_assert_cmpfloat (watch.last->plane.pixel_size[1], ==, 3);
  g_assert_cmpstr (watch.last->plane.unit, ==, "mm");
  g_assert_cmpstr (watch.error, ==, "these settings do not fit");
  g_assert_true (vg_pipeline_get_info (watch.pipeline, &info));
  g_assert_cmpint (info.frames, ==, 6);
  g_assert_cmpint (vg_pipeline_get_state (watch.pipeline), ==, VG_PIPELINE_FAILED);

  /* others that do not, and Run, say so again */
  params->gain = 2;
  watch.failures = 0;
  vg_pipeline_set_params (watch.pipeline, &stream, params);
  g_assert_true (watch_until (&watch, has_failed, 0));
  watch.failures = 0;
  vg_pipeline_play (watch.pipeline);
  g_assert_true (watch_until (&watch, has_failed, 0));
  g_assert_cmpint (vg_pipeline_get_state (watch.pipeline), ==, VG_PIPELINE_FAILED);

  params->valid = TRUE;
  vg_pipeline_set_params (watch.pipeline, &stream, params);
  g_assert_true (watch_until (&watch, has_frame, 5));
  g_assert_cmpfloat (watch_value (&watch), ==, 10);
  g_assert_false (watch.last->input_only);
  g_assert_true (watch_until (&watch, in_state, VG_PIPELINE_FINISHED));

  /* what does not suit is not kept */
  source.width = source.frames = 5;
  params->valid = FALSE;
  watch.failures = 0;
  vg_pipeline_open (watch.pipeline, &stream, params, NULL, NULL);
  g_assert_true (watch_until (&watch, has_failed, 0));
  g_assert_true (vg_pipeline_get_info (watch.pipeline, &info));
  g_assert_cmpint (info.width, ==, 4);
  watch_end (&watch);
}

static gboolean
is_input (Watch *self, gint64 frame)
{
  return self->last != NULL && self->last->input_only && self->last->frame_index >= frame;
}

/* A live source, too: its pictures are seen as they come, and settings that fit go on with it. */
static void
test_kept_live (void)
{
  FakeSource source = { .width = 4, .height = 4, .frames = -1, .interval_us = 1000 };
  g_autofree FakeParams *params = fake_params ();
  VgOperation stream = fake_stream;
  Watch watch;

  stream.input.channels = (VgInputRange){ 0, 1 };
  params->valid = FALSE;
  watch_start (&watch, fake_pipeline (&source));
  vg_pipeline_open (watch.pipeline, &stream, params, NULL, NULL);
  g_assert_true (watch_until (&watch, is_input, 3));
  g_assert_cmpint (vg_pipeline_get_state (watch.pipeline), ==, VG_PIPELINE_FAILED);
  params->valid = TRUE;
  vg_pipeline_set_params (watch.pipeline, &stream, params);
  g_assert_true (watch_until (&watch, in_state, VG_PIPELINE_RUNNING));
  while (watch.last->input_only)
    g_main_context_iteration (NULL, TRUE);
  for (gint64 end = g_get_monotonic_time () + G_TIME_SPAN_SECOND / 4;
       g_get_monotonic_time () < end;)
    assert_counts_close (&watch); /* at every moment */
  watch_end (&watch);
}

/* What is being prepared looks whether it is still wanted: cancelled, superseded by the end of the
 * program. */
static void
test_cancelled_prepare (void)
{
  FakeSource source = { .width = 4, .height = 4, .frames = 1 };
  g_autofree FakeParams *params = fake_params ();
  VgImageInfo info;
  Watch watch;

  watch_play (&watch, fake_pipeline (&source), params);
  params->prepare_ms = 1000000;
  source.width = 5;
  watch_open (&watch, params);
  g_assert_true (watch_until_busy (&watch));
  g_assert_cmpint (vg_pipeline_get_state (watch.pipeline), ==, VG_PIPELINE_OPENING);
  g_assert_cmpfloat (vg_pipeline_get_prepared (watch.pipeline), >=, 0);
  g_assert_cmpfloat (vg_pipeline_get_prepared (watch.pipeline), <=, 1);
  vg_pipeline_cancel (watch.pipeline);
  g_assert_true (watch_until (&watch, in_state, VG_PIPELINE_FINISHED));
  g_assert_true (vg_pipeline_get_info (watch.pipeline, &info));
  g_assert_cmpint (info.width, ==, 4);

  /* settings that need a new state */
  params->history = 0;
  params->gain = 2;
  params->steps = 3;
  fake_calls_reset ();
  vg_pipeline_set_params (watch.pipeline, &fake_stream, params);
  g_assert_true (watch_until (&watch, has_prepared, 1));
  vg_pipeline_cancel (watch.pipeline);
  g_assert_true (watch_settle (&watch));
  g_assert_true (vg_pipeline_is_cancelled (watch.pipeline));
  g_assert_cmpfloat (vg_pipeline_get_prepared (watch.pipeline), <, 0);
  vg_pipeline_play (watch.pipeline); /* tries them again */
  g_assert_true (watch_until (&watch, has_prepared, 2));
  vg_pipeline_cancel (watch.pipeline);
  params->prepare_ms = 0;
  g_assert_true (watch_until (
      &watch, has_serial, (gint64) vg_pipeline_set_params (watch.pipeline, &fake_stream, params)));
  g_assert_cmpint (watch.failures, ==, 0);

  params->prepare_ms = 1000000;
  fake_calls_reset ();
  watch_open (&watch, params);
  g_assert_true (watch_until (&watch, has_prepared, 1));
  watch_end (&watch);
}

static void
on_curves (GObject *object, GAsyncResult *result, gpointer data)
{
  vg_curves_free (vg_pipeline_query_finish (VG_PIPELINE (object), result, NULL));
}

/* Settings that compute has not come to are cancelled with what it is at: play takes them, and so
 * do others. */
static void
test_cancelled_waiting (void)
{
  FakeSource source = { .width = 4, .height = 4, .frames = 1 };
  g_autofree FakeParams *params = fake_params ();
  guint64 serial;
  Watch watch;

  watch_play (&watch, fake_pipeline (&source), params);
  for (int play = 0; play < 2; play++)
    {
      g_assert_true (watch_settle (&watch));
      fake_calls_reset ();
      fake_samples_hold (TRUE);
      vg_pipeline_query_async (watch.pipeline,
                               &(VgQuery){ .kind = VG_QUERY_PIXEL_CURVES, .x = 1, .y = 1 }, NULL,
                               on_curves, NULL);
      while (fake_calls ().samples == 0)
        g_usleep (1000);
      params->history = 0;
      params->steps++;
      serial = vg_pipeline_set_params (watch.pipeline, &fake_stream, params);
      vg_pipeline_cancel (watch.pipeline);
      vg_pipeline_query_async (watch.pipeline,
                               &(VgQuery){ .kind = VG_QUERY_PIXEL_CURVES, .x = 1, .y = 1 }, NULL,
                               on_curves, NULL);
      fake_samples_hold (FALSE);
      g_assert_true (watch_settle (&watch));
      g_assert_cmpint (fake_calls ().samples, ==, 2);
      g_assert_cmpint (fake_calls ().prepares, ==, 0);
      g_assert_true (vg_pipeline_is_cancelled (watch.pipeline));
      if (play)
        vg_pipeline_play (watch.pipeline);
      else
        serial = vg_pipeline_set_params (watch.pipeline, &fake_stream, params);
      g_assert_true (watch_until (&watch, has_serial, (gint64) serial));
      g_assert_cmpint (fake_calls ().prepares, ==, 1);
      g_assert_false (vg_pipeline_is_cancelled (watch.pipeline));
      g_assert_true (watch_until (&watch, in_state, VG_PIPELINE_FINISHED));
    }
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
  g_assert_true (watch_until (&watch, has_frame_after, 9));
  g_assert_cmpfloat (watch_value (&watch), ==, 29 * watch.last->frame_index);
  assert_counts_close (&watch);
  watch_end (&watch);
}

static gint waiting;

/* As a device that is silent. */
static VgSource *
open_silent (gpointer data, const VgOperation *operation, const void *params,
             const char *const *inputs, const char *read_options, GError **error)
{
  GCancellable *current = g_cancellable_get_current ();
  gint64 end = g_get_monotonic_time () + 20 * G_TIME_SPAN_SECOND;

  g_atomic_int_set (&waiting, 1);
  while (!g_cancellable_is_cancelled (current) && g_get_monotonic_time () < end)
    g_usleep (1000);
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "not opened");
  return NULL;
}

/* Closing ends the wait for a device that sends nothing. */
static void
test_silent_open (void)
{
  FakeSource source = { .width = 4, .height = 4, .frames = 3 };
  g_autofree FakeParams *params = fake_params ();
  VgPipelineHooks hooks = { .open_source = open_silent };
  Watch watch;
  gint64 begun;

  watch_start (&watch, fake_pipeline (&source));
  hooks.new_work = watch.pipeline->hooks.new_work;
  hooks.data = watch.pipeline->hooks.data;
  vg_pipeline_set_hooks (watch.pipeline, &hooks);
  watch_open (&watch, params);
  while (g_atomic_int_get (&waiting) == 0)
    g_usleep (1000);
  begun = g_get_monotonic_time ();
  watch_end (&watch);
  g_assert_cmpint (g_get_monotonic_time () - begun, <, 10 * G_TIME_SPAN_SECOND);
}

/* A folder without files is waited for, which is told once; the first file opens it.  Closing ends
 * the wait. */
static void
test_later (void)
{
  const TiffVariant variant = fixture_variant (4, 3, 1);
  g_autofree char *folder = fixture_folder (), *address = g_strconcat ("watch:", folder, NULL),
                  *part = g_build_filename (folder, ".a.tif", NULL),
                  *whole = g_build_filename (folder, "a.tif", NULL);
  const char *const inputs[] = { address, NULL };
  g_autofree FakeParams *params = fake_params ();
  g_autofree double *values = NULL;
  VgImageInfo info;
  Watch watch;

  for (int i = 0; i < 2; i++)
    {
      watch_start (&watch, vg_pipeline_new (VG_BACKEND_CPU));
      vg_pipeline_open (watch.pipeline, &fake_stream, params, inputs, NULL);
      g_assert_true (watch_until (&watch, has_notice, 0));
      g_assert_nonnull (strstr (watch.notice, "no complete, readable file yet"));
      if (i == 0)
        {
          watch_end (&watch);
          continue;
        }
      watch_for (&watch, 700); /* in which it is opened again */
      values = fixture_write_tiff (part, &variant, 1);
      g_assert_cmpint (g_rename (part, whole), ==, 0);
      g_assert_true (watch_until (&watch, has_result, 0));
      g_assert_true (vg_pipeline_get_info (watch.pipeline, &info));
      g_assert_cmpint (info.height, ==, 3);
      g_assert_cmpint (watch.notices, ==, 1);
      g_assert_cmpint (watch.failures, ==, 0);
      watch_end (&watch);
    }
  fixture_remove_folder (g_steal_pointer (&folder));
}

static void
adopt_gain (void *params, const VgImageInfo *info)
{
  ((FakeParams *) params)->gain = 7;
}

static VgOperation told; /* its data give a setting */

/* Takes its time, and then sends the setting that the data give. */
static void
on_told (Watch *watch)
{
  g_autofree FakeParams *params = fake_params ();

  g_usleep (50000);
  g_assert_cmpint (fake_calls ().feeds, ==, 0);
  params->gain = 7;
  vg_pipeline_set_params (watch->pipeline, &told, params);
}

/* No map is made of data with other settings than those that they give. */
static void
test_told (void)
{
  const char *const inputs[] = { "/there/a.tif", NULL };
  FakeSource source = { .width = 4, .height = 4, .frames = 30 };
  g_autofree FakeParams *params = fake_params ();
  Watch watch;

  told = fake_stream;
  told.adopt = adopt_gain;
  watch_start (&watch, fake_pipeline (&source));
  g_signal_connect_swapped (watch.pipeline, "opened", G_CALLBACK (on_told), &watch);
  vg_pipeline_open (watch.pipeline, &told, params, inputs, NULL);
  g_assert_true (watch_until (&watch, has_frame, 29));
  g_assert_cmpfloat (watch_value (&watch), ==, 7 * 29);
  g_signal_handlers_disconnect_by_data (watch.pipeline, &watch);
  watch_end (&watch);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pipeline/failed-reopen", test_failed_reopen);
  g_test_add_func ("/pipeline/first-open-fails", test_first_open_fails);
  g_test_add_func ("/pipeline/other-operation-fails", test_other_operation_fails);
  g_test_add_func ("/pipeline/told", test_told);
  g_test_add_func ("/pipeline/tables", test_tables);
  g_test_add_func ("/pipeline/kept-open", test_kept_open);
  g_test_add_func ("/pipeline/kept-live", test_kept_live);
  g_test_add_func ("/pipeline/cancelled-open", test_cancelled_open);
  g_test_add_func ("/pipeline/cancelled-prepare", test_cancelled_prepare);
  g_test_add_func ("/pipeline/cancelled-waiting", test_cancelled_waiting);
  g_test_add_func ("/pipeline/silent-open", test_silent_open);
  g_test_add_func ("/pipeline/later", test_later);
  g_test_add_func ("/pipeline/many-opens", test_many_opens);
  return g_test_run ();
}
