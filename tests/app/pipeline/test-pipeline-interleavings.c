/* SPDX-License-Identifier: MIT */
/* The pipeline in every order in which its threads and its user can act.
 *
 * The threads are run one step at a time (interleave.h).  A search tries every order of their steps
 * and of a few calls by the user, and goes on from each state once.  The states are those of the
 * pipeline itself, so there is no model that could differ from it.  In every state
 *
 * - sent = shown + superseded + bad + lost + queued;
 * - a result has the values of the settings that it names, and results never go back to older ones;
 * - the settings of an opening, and newer ones, are not those of the input before it;
 * - if no thread can go on, then all is done: the newest settings are shown, refused, failed or
 *   cancelled, every frame has ended, and no signal is missing;
 * - Cancel brings everything to rest after a bounded number of steps;
 * - after a failure, other settings or opening again leave the state "failed";
 * - closing ends all threads. */
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include "app/pipeline/vg-compute.h"
#include "tests/app/pipeline/interleave.h"
#include "tests/app/pipeline/pipeline-print.h"
#include "tests/app/pipeline/pipeline-scenarios.h"
#include "tests/support/sanitized.h"

enum {
  MOST_SETTINGS = 16,
  MOST_PRESSES = 3, /* of Cancel: it ends an opening, a map of a live source, the source */
  MOST_STEPS = 60,  /* until everything rests after one of them */
};

typedef struct
{
  guint8 n, at; /* choices, and the present one */
} Node;

static struct
{
  const Scenario *scenario;
  VgPipeline *pipeline;
  FakeSource source;
  FakeParams params, settings[MOST_SETTINGS]; /* by serial */
  guint8 done[N_ACTIONS];
  guint n_done;
  guint64 taken_serial;
  gboolean refused; /* the newest settings were */

  GArray *path;     /* of Node */
  GHashTable *seen; /* prints of states */
  GString *said;    /* what was done in this run */
  guint longest;    /* steps until rest after Cancel */
  guint rests, failures;
} w;

/* --- the window --- */

static void
note (const char *what)
{
  g_string_append_printf (w.said, "%s ", what);
}

/* Settings that do not fit leave some earlier ones in use. */
static void
check_result (VgResult *result)
{
  guint64 serial = result->serial;
  float value = NAN;

  g_assert_cmpuint (serial, >=, w.taken_serial);
  g_assert_cmpuint (serial, <=, w.pipeline->wanted.serial);
  w.taken_serial = serial;
  if (result->plane.data == NULL || !vg_result_probe (result, 0, 0, 0, &value))
    return;
  if (!w.settings[serial].valid)
    while (serial > 1 && value != get_value (w.scenario, &w.settings[serial], result))
      serial--;
  g_assert_cmpfloat (value, ==, get_value (w.scenario, &w.settings[serial], result));
}

static void
on_result (VgPipeline *pipeline, gpointer unused)
{
  g_autoptr (VgResult) result = vg_pipeline_take (pipeline);

  if (result != NULL)
    check_result (result);
}

static void
on_refused (VgPipeline *pipeline, guint64 serial, const char *text, gpointer unused)
{
  w.refused = serial == pipeline->wanted.serial;
}

static void
set_params (void)
{
  const guint64 serial = vg_pipeline_set_params (w.pipeline, w.scenario->operation, &w.params);

  g_assert_cmpuint (serial, <, MOST_SETTINGS);
  w.settings[serial] = w.params;
  w.refused = FALSE;
}

static void
open_input (void)
{
  vg_pipeline_open (w.pipeline, w.scenario->operation, &w.params, NULL, NULL);
  w.settings[w.pipeline->wanted.serial] = w.params;
  w.refused = FALSE;
}

/* Another input, with settings that do not fit it.  Those of the input in use stay. */
static void
open_misfit (void)
{
  const FakeParams mine = w.params;

  w.params.valid = FALSE;
  open_input ();
  w.params = mine;
}

static void
act (Action action)
{
  note (action_names[action]);
  w.done[action]++;
  w.n_done += action != SIGNALS;
  switch (action)
    {
    case SIGNALS:
      g_main_context_iteration (NULL, FALSE);
      break;
    case RENEW:
      w.params.history ^= 1; /* of a stream */
      w.params.steps ^= 1;
      set_params ();
      break;
    case MISFIT:
      w.params.valid = !w.params.valid;
      set_params ();
      break;
    case FAIL:
      w.params.fail_at = 1;
      set_params ();
      break;
    case GAIN:
      w.params.gain++;
      set_params ();
      break;
    case CANCEL:
      vg_pipeline_cancel (w.pipeline);
      break;
    case PLAY:
      vg_pipeline_play (w.pipeline);
      break;
    case PAUSE:
      vg_pipeline_pause (w.pipeline);
      break;
    case STEP:
      vg_pipeline_step (w.pipeline);
      break;
    case SEEK:
      vg_pipeline_seek (w.pipeline, 1);
      break;
    case OPEN:
      open_input ();
      break;
    case MISOPEN:
      open_misfit ();
      break;
    case N_ACTIONS:
      g_assert_not_reached ();
    }
}

/* --- one run --- */

/* A check has failed: prints what was done before. */
static void
on_abort (int signal)
{
  fprintf (stderr, "in \"%s\", after: %s\n", w.scenario->name, w.said->str);
}

static void
start (void)
{
  const Scenario *scenario = w.scenario;
  g_autofree FakeParams *params = fake_params ();

  w.source = scenario->source;
  w.pipeline = fake_pipeline (&w.source);
  w.params = *params;
  w.params.pieces = MAX (scenario->pieces, 1);
  w.params.history = scenario->history;
  w.params.prepare_ms = scenario->prepare_ms;
  w.params.fail_at = scenario->fail_at - 1;
  w.params.steps = 2;
  memset (w.done, 0, sizeof w.done);
  w.n_done = 0;
  w.taken_serial = 0;
  g_string_truncate (w.said, 0);
  g_signal_connect (w.pipeline, "result", G_CALLBACK (on_result), NULL);
  g_signal_connect (w.pipeline, "refused", G_CALLBACK (on_refused), NULL);
  vg_pipeline_set_playback (w.pipeline, 0, FALSE);
  pipeline_print_begin (w.pipeline);
  interleave_begin (&w.pipeline->lock, scenario->tick_us, pipeline_print_read);
  open_input ();
}

static void
stop (void)
{
  vg_pipeline_close (w.pipeline);
  interleave_end ();
  g_assert_cmpint (fake_calls ().alive, ==, 0);
  g_assert_cmpint (fake_sources_open (), ==, 0);
  g_assert_finalize_object (g_steal_pointer (&w.pipeline));
}

static gboolean
no_thread_can_run (void)
{
  for (guint i = 0; i < interleave_n (); i++)
    if (interleave_can_run (i))
      return FALSE;
  return TRUE;
}

static gboolean
may_act (Action action)
{
  if (action == SIGNALS && w.pipeline->signals.idle == NULL)
    return FALSE;
  if (action == SIGNALS)
    return w.done[SIGNALS] < w.scenario->most[SIGNALS] || no_thread_can_run ();
  return w.n_done < w.scenario->most_actions && w.done[action] < w.scenario->most[action];
}

/* Choice I: a step of a thread or an action; FALSE: there are only *N. */
static gboolean
choose (guint i, guint *n, gboolean do_it)
{
  *n = 0;
  for (guint thread = 0; thread < interleave_n (); thread++)
    if (interleave_can_run (thread) && (*n)++ == i)
      {
        if (do_it)
          {
            note (thread_names[thread]);
            interleave_run (thread);
          }
        return TRUE;
      }
  for (guint action = 0; action < N_ACTIONS; action++)
    if (may_act (action) && (*n)++ == i)
      {
        if (do_it)
          act (action);
        return TRUE;
      }
  return FALSE;
}

static guint64
get_print (void)
{
  guint64 print = interleave_print (pipeline_print (w.pipeline));

  for (guint i = 0; i < N_ACTIONS; i++)
    print = interleave_mix (print, MIN (w.done[i], w.scenario->most[i]));
  print = interleave_mix (print, (guint64) w.refused);
  return interleave_mix (print, w.taken_serial);
}

/* --- checks --- */

static gboolean
rests (void)
{
  return no_thread_can_run () && w.pipeline->signals.idle == NULL;
}

static void
check_counts (void)
{
  for (guint i = 0; i < w.pipeline->inputs->len; i++)
    {
      const VgInput *input = w.pipeline->inputs->pdata[i];
      const VgFrameCounts n = vg_frame_queue_count (&input->queue);

      g_assert_cmpuint (n.sent, ==, n.shown + n.superseded + n.bad + n.lost + n.queued);
    }
}

/* No frame that a live source has delivered is missing. */
static void
check_live (const VgFrameQueue *queue)
{
  const gint64 n = w.source.live_frames, every = w.source.gap_every;

  if (queue->live && queue->has_ended && !queue->is_stopped && queue->error == NULL)
    g_assert_cmpuint (queue->counts.sent, ==, n + (every > 0 ? 3 * ((n - 1) / every) : 0));
}

/* FALSE: compute has not begun a step, or has not had enough frames for a map. */
static gboolean
has_map (void)
{
  VgCompute *compute = w.pipeline->compute;
  const VgFrame *frame = g_queue_peek_tail (&compute->recent);

  if (w.scenario->operation == &fake_steps)
    return vg_work_is_ready (compute->work) && vg_work_progress (compute->work) > 0;
  return frame != NULL && get_number (w.scenario, frame->index) >= w.params.history;
}

/* Nothing will happen by itself. */
static void
check_rest (void)
{
  VgPipeline *self = w.pipeline;
  const VgPipelineState state = vg_pipeline_get_state (self);

  w.rests++;
  g_assert_cmpint (state, !=, VG_PIPELINE_OPENING);
  g_assert_cmpint (state, !=, VG_PIPELINE_RUNNING);
  g_assert_null (self->mailbox.result);
  g_assert_cmpint (self->busy_us, ==, 0);
  for (guint i = 0; i < self->inputs->len; i++)
    {
      const VgInput *input = self->inputs->pdata[i];

      g_assert_true (input == self->input || input->queue.is_detached);
    }
  if (self->input == NULL)
    return;
  g_assert_false (vg_pipeline_may_change (self));
  g_assert_false (self->input->queue.in_hand);
  g_assert_false (self->input->queue.in_result);
  check_live (&self->input->queue);
  if (state != VG_PIPELINE_FAILED && !self->cancelled && !self->map_cancelled && !w.refused &&
      has_map ())
    g_assert_cmpuint (w.taken_serial, ==, self->wanted.serial);
}

static void
check_state (void)
{
  check_counts ();
  if (vg_pipeline_is_opening (w.pipeline))
    g_assert_cmpuint (w.pipeline->serial, <, w.pipeline->last.opening_serial);
  if (rests ())
    check_rest ();
}

/* Everything goes on, without the user, until it rests; FALSE: it does not come to an end. */
static gboolean
settle (void)
{
  guint steps = 0;

  while (!rests () && steps <= MOST_STEPS)
    {
      steps += interleave_settle (MOST_STEPS);
      if (w.pipeline->signals.idle != NULL)
        act (SIGNALS);
    }
  if (steps <= MOST_STEPS)
    w.longest = MAX (w.longest, steps);
  return steps <= MOST_STEPS;
}

/* Cancel always ends.  What was cancelled begins at most one more step of the engine. */
static void
check_cancel (void)
{
  gboolean has_ended = FALSE;

  for (guint i = 0; i < MOST_PRESSES && !has_ended; i++)
    {
      const int before = fake_calls ().steps;

      note ("then-cancel");
      vg_pipeline_cancel (w.pipeline);
      has_ended = settle ();
      if (has_ended && w.pipeline->cancelled)
        g_assert_cmpint (fake_calls ().steps, <=, before + 1);
    }
  g_assert_true (has_ended);
  check_rest ();
}

/* A failure can be left: with settings that do not fail; after an error of the source, by opening
 * it again. */
static void
check_recovery (void)
{
  w.failures++;
  w.source.bad_from = w.source.bad_to = w.source.error_at = 0;
  w.source.refuses = FALSE;
  w.params.fail_at = -1;
  w.params.valid = TRUE;
  w.params.pieces = 1;
  w.params.gain++;
  if (w.pipeline->input == NULL || w.pipeline->input->queue.error != NULL)
    open_input ();
  else
    set_params ();
  g_assert_true (settle ());
  g_assert_cmpint (vg_pipeline_get_state (w.pipeline), !=, VG_PIPELINE_FAILED);
  check_state ();
}

/* --- the search --- */

static void
replay (guint depth)
{
  guint n;

  start ();
  for (guint i = 0; i < depth; i++)
    {
      const Node *node = &g_array_index (w.path, Node, i);

      g_assert_true (choose (node->at, &n, TRUE));
    }
}

/* The path is extended by the first choices until it comes to a state that is known. */
static void
extend (void)
{
  Node node = { 0 };
  guint n;

  for (;;)
    {
      check_state ();
      choose (G_MAXUINT, &n, FALSE);
      if (!g_hash_table_add (w.seen, GSIZE_TO_POINTER (get_print ())) || n == 0)
        break;
      node.n = (guint8) n;
      g_array_append_val (w.path, node);
      choose (0, &n, TRUE);
    }
}

static void
probe (guint depth)
{
  gboolean has_failed;

  replay (depth);
  has_failed = rests () && vg_pipeline_get_state (w.pipeline) == VG_PIPELINE_FAILED;
  check_cancel ();
  stop ();
  if (!has_failed)
    return;
  replay (depth);
  check_recovery ();
  stop ();
}

static gboolean
next_path (void)
{
  while (w.path->len > 0)
    {
      Node *last = &g_array_index (w.path, Node, w.path->len - 1);

      if (++last->at < last->n)
        return TRUE;
      g_array_set_size (w.path, w.path->len - 1);
    }
  return FALSE;
}

static void
search (gconstpointer data)
{
  guint known = 0;

  if (SANITIZED)
    {
      g_test_skip ("sanitizers do not know coroutines");
      return;
    }
  w.scenario = data;
  w.said = g_string_new (NULL);
  w.path = g_array_new (FALSE, TRUE, sizeof (Node));
  w.seen = g_hash_table_new (NULL, NULL);
  w.longest = w.rests = w.failures = 0;
  do
    {
      known = w.path->len;
      replay (known);
      extend ();
      stop ();
      for (guint depth = known; depth <= w.path->len; depth++)
        probe (depth);
    }
  while (next_path ());
  g_test_message ("%u states, %u at rest, %u failed; at rest %u steps after Cancel",
                  g_hash_table_size (w.seen), w.rests, w.failures, w.longest);
  g_string_free (w.said, TRUE);
  g_array_unref (w.path);
  g_hash_table_unref (w.seen);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  signal (SIGABRT, on_abort);
  for (guint i = 0; i < G_N_ELEMENTS (scenarios); i++)
    {
      g_autofree char *path = g_strconcat ("/interleavings/", scenarios[i].name, NULL);

      g_test_add_data_func (path, &scenarios[i], search);
    }
  return g_test_run ();
}
