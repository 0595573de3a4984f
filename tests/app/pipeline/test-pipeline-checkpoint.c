/* SPDX-License-Identifier: MIT */
/* What work has come to: packed for a session, kept while another view is
 * shown; and what was asked of work that is left at once. */
#include <string.h>
#include "tests/support/app/pipeline-answer.h"
#include "tests/support/app/pipeline-watch.h"
#include "kernels/base/vg-error.h"
#include "app/session/vg-checkpoint-text.h"

static const FakeSource one_frame = { .width = 4, .height = 4, .frames = 1 };

/* Bytes of the steps operation that a session would keep. */
static gsize
gather (Watch *watch, GError **error)
{
  g_autoptr (GHashTable) checkpoints = NULL;
  g_autoptr (GBytes) bytes = NULL;
  const char *packed;
  Answer answer;

  answer_begin (&answer, watch->pipeline, &(VgQuery){ .kind = VG_QUERY_CHECKPOINTS }, NULL);
  checkpoints = answer_wait (&answer);
  if (answer.error)
    g_propagate_error (error, answer.error);
  packed = checkpoints ? g_hash_table_lookup (checkpoints, &fake_steps) : NULL;
  bytes = packed ? vg_checkpoint_parse (packed, NULL) : NULL;
  return bytes ? g_bytes_get_size (bytes) : 0;
}

/* What a session is to keep comes packed; what is too large for one is told, not left out without a
 * word. */
static void
test_session (void)
{
  static const int sizes_mb[] = { 0, 1, 44 };
  g_autofree FakeParams *params = fake_params ();
  FakeSource source = one_frame;
  Watch watch;

  params->steps = 1;
  watch_steps (&watch, fake_pipeline (&source), params);
  g_assert_true (watch_until (&watch, in_state, VG_PIPELINE_FINISHED));
  for (guint i = 0; i < G_N_ELEMENTS (sizes_mb); i++)
    {
      g_autoptr (GError) error = NULL;

      params->checkpoint_mb = sizes_mb[i];
      vg_pipeline_set_params (watch.pipeline, &fake_steps, params);
      g_assert_cmpuint (gather (&watch, &error), ==, sizes_mb[i] == 1 ? 1 << 20 : 0);
      g_assert_true (g_error_matches (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_MEMORY) ==
                     (sizes_mb[i] == 44));
    }
  watch_end (&watch);
}

static gboolean
has_opened (Watch *watch, gint64 times)
{
  return watch->opened >= times;
}

static gboolean
is_in_place (Watch *watch, gint64 number)
{
  return vg_pipeline_get_opened (watch->pipeline) == (guint) number;
}

static void
open_part (Watch *watch, const FakeParams *params, const char *read_options, const char *packed,
           gboolean goes_on)
{
  guint number;

  vg_pipeline_set_checkpoint (watch->pipeline, packed, goes_on);
  number = vg_pipeline_open (watch->pipeline, &fake_steps, params, NULL, read_options);
  g_assert_true (watch_until (watch, is_in_place, number));
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

static void
open_steps (Watch *watch, const FakeParams *params, const char *packed, gboolean goes_on)
{
  open_part (watch, params, NULL, packed, goes_on);
}

static void
on_sampled (GObject *object, GAsyncResult *result, gpointer data)
{
  vg_curves_free (vg_pipeline_query_finish (VG_PIPELINE (object), result, NULL));
}

/* Compute is at something else until it is let go. */
static void
hold_compute (Watch *watch)
{
  int before = fake_calls ().samples;

  fake_samples_hold (TRUE);
  vg_pipeline_query_async (watch->pipeline,
                           &(VgQuery){ .kind = VG_QUERY_PIXEL_CURVES, .x = 1, .y = 1 }, NULL,
                           on_sampled, NULL);
  while (fake_calls ().samples == before)
    g_usleep (1000);
}

/* Another view is shown meanwhile: a session has it all the same, and it is gone on from, if that
 * is what is wanted. */
static void
test_left (void)
{
  g_autofree FakeParams *params = fake_params ();
  FakeSource source = one_frame;
  Watch watch;

  params->steps = params->checkpoint_mb = 1;
  watch_steps (&watch, fake_pipeline (&source), params);
  g_assert_true (watch_until (&watch, in_state, VG_PIPELINE_FINISHED));
  hold_compute (&watch);
  params->checkpoint_mb = 2; /* settings that nothing has come of when the view is left */
  vg_pipeline_set_params (watch.pipeline, &fake_steps, params);
  watch_open (&watch, params);
  fake_samples_hold (FALSE);
  g_assert_true (watch_until (&watch, has_opened, 2));
  g_assert_true (vg_pipeline_has_checkpoint (watch.pipeline));
  g_assert_cmpuint (gather (&watch, NULL), ==, 2 << 20);
  open_steps (&watch, params, NULL, TRUE);
  g_assert_cmpuint (fake_calls ().brought, ==, 2 << 20);
  open_steps (&watch, params, NULL, FALSE);
  g_assert_cmpuint (fake_calls ().brought, ==, 0);
  watch_end (&watch);
}

/* Another part of the same data is worked on: undo goes on where the part before was left, redo
 * where the other one was. Of many parts the last ones left are kept. */
static void
test_parts (void)
{
  enum { PARTS = 20 };
  static const char *const part = "region=rect:0,0,2,2";
  g_autofree FakeParams *params = fake_params ();
  FakeSource source = one_frame;
  Watch watch;

  params->steps = params->checkpoint_mb = 1;
  watch_steps (&watch, fake_pipeline (&source), params);
  g_assert_true (watch_until (&watch, in_state, VG_PIPELINE_FINISHED));
  open_part (&watch, params, part, NULL, FALSE);
  g_assert_cmpuint (fake_calls ().brought, ==, 0);
  params->checkpoint_mb = 2; /* of the part, and of all that is opened from here on */
  vg_pipeline_set_params (watch.pipeline, &fake_steps, params);
  g_assert_true (watch_settle (&watch));
  open_part (&watch, params, NULL, NULL, TRUE);
  g_assert_cmpuint (fake_calls ().brought, ==, 1 << 20);
  params->checkpoint_mb = 3;
  vg_pipeline_set_params (watch.pipeline, &fake_steps, params);
  g_assert_true (watch_settle (&watch));
  open_part (&watch, params, part, NULL, TRUE);
  g_assert_cmpuint (fake_calls ().brought, ==, 2 << 20);
  /* none was left of this one, and without being come back to a part begins anew */
  open_part (&watch, params, "region=rect:1,1,2,2", NULL, TRUE);
  g_assert_cmpuint (fake_calls ().brought, ==, 0);
  open_part (&watch, params, part, NULL, FALSE);
  g_assert_cmpuint (fake_calls ().brought, ==, 0);
  for (int i = 0; i < PARTS; i++)
    {
      g_autofree char *read_options = g_strdup_printf ("region=rect:%d,0,1,1", i);

      open_part (&watch, params, read_options, NULL, FALSE);
    }
  open_part (&watch, params, "region=rect:10,0,1,1", NULL, TRUE);
  g_assert_cmpuint (fake_calls ().brought, ==, 3 << 20);
  open_part (&watch, params, NULL, NULL, TRUE);
  g_assert_cmpuint (fake_calls ().brought, ==, 0);
  watch_end (&watch);
}

/* Another pipeline, of another device, goes on where one was closed. */
static void
test_inherited (void)
{
  g_autofree FakeParams *params = fake_params ();
  FakeSource source = one_frame;
  Watch watch, other;

  params->steps = params->checkpoint_mb = 1;
  watch_steps (&watch, fake_pipeline (&source), params);
  g_assert_true (watch_until (&watch, in_state, VG_PIPELINE_FINISHED));
  vg_pipeline_close (watch.pipeline);
  watch_start (&other, fake_pipeline (&source));
  vg_pipeline_inherit (other.pipeline, watch.pipeline);
  open_steps (&other, params, NULL, TRUE);
  g_assert_cmpuint (fake_calls ().brought, ==, 1 << 20);
  watch_end (&other);
  g_object_unref (watch.pipeline);
}

/* A damaged one is told, and the view opens. */
static void
test_damaged (void)
{
  g_autofree FakeParams *params = fake_params ();
  FakeSource source = one_frame;
  Watch watch;

  params->steps = 1;
  watch_steps (&watch, fake_pipeline (&source), params);
  g_assert_true (watch_until (&watch, in_state, VG_PIPELINE_FINISHED));
  open_steps (&watch, params, "nonsense", FALSE);
  g_assert_true (watch_until (&watch, has_notice, 0));
  g_assert_nonnull (strstr (watch.notice, "cut short or damaged; the result is computed again"));
  g_assert_cmpuint (fake_calls ().brought, ==, 0);
  watch_end (&watch);
}

/* What is asked for, and another view, or other settings with the same one, opened at once: it is
 * still of the work and the settings that it was asked of. */
static void
test_asked_and_left (void)
{
  g_autofree FakeParams *params = fake_params (), *others = fake_params ();
  FakeSource source = one_frame;
  Watch watch;

  params->steps = others->steps = 1;
  watch_steps (&watch, fake_pipeline (&source), params);
  for (int same = 0; same < 2; same++)
    {
      g_autoptr (VgReference) kept = NULL;
      g_autofree char *differs = NULL;
      Answer answer;

      open_steps (&watch, params, NULL, FALSE);
      g_assert_true (watch_until (&watch, in_state, VG_PIPELINE_FINISHED));
      hold_compute (&watch);
      params->gain += 1;
      vg_pipeline_set_params (watch.pipeline, &fake_steps, params);
      answer_begin (&answer, watch.pipeline, &(VgQuery){ .kind = VG_QUERY_REFERENCE }, NULL);
      vg_pipeline_open (watch.pipeline, same ? &fake_steps : &fake_stream, others, NULL, NULL);
      fake_samples_hold (FALSE);
      g_assert_true (watch_until (&watch, has_opened, watch.opened + 1));
      g_assert_true (watch_settle (&watch));
      kept = answer_wait (&answer);
      g_assert_nonnull (kept);
      g_assert_true (vg_reference_get_operation (kept) == &fake_steps);
      differs = vg_reference_differs (kept, params, NULL);
      g_assert_null (differs);
    }
  watch_end (&watch);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pipeline/outcome/session", test_session);
  g_test_add_func ("/pipeline/outcome/left", test_left);
  g_test_add_func ("/pipeline/outcome/parts", test_parts);
  g_test_add_func ("/pipeline/outcome/inherited", test_inherited);
  g_test_add_func ("/pipeline/outcome/damaged", test_damaged);
  g_test_add_func ("/pipeline/outcome/asked-and-left", test_asked_and_left);
  return g_test_run ();
}
