/* SPDX-License-Identifier: MIT */
/* From any thread to signals on the main thread: what is posted is collected
 * and emitted by one idle, however often it is posted. */
#include "app/pipeline/vg-pipeline-private.h"

enum { RESULT, STATE_CHANGED, NOTICE, REFUSED, FAILED, OPENED, RECORDED, N_SIGNALS };
static guint signals[N_SIGNALS];

void
vg_pipeline_init_signals (VgPipelineClass *class)
{
  const GType type = G_TYPE_FROM_CLASS (class);

  signals[RESULT] = g_signal_new ("result", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 0);
  signals[STATE_CHANGED] = g_signal_new ("state-changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                         NULL, G_TYPE_NONE, 0);
  signals[NOTICE] = g_signal_new ("notice", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 1, G_TYPE_STRING);
  signals[REFUSED] = g_signal_new ("refused", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 2, G_TYPE_UINT64, G_TYPE_STRING);
  signals[FAILED] = g_signal_new ("failed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 1, G_TYPE_ERROR);
  signals[OPENED] = g_signal_new ("opened", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 0);
  signals[RECORDED] = g_signal_new ("recorded", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                    G_TYPE_NONE, 0);
}

/* Runs on the main thread, as does close, which destroys the source. */
static gboolean
emit_idle (gpointer data)
{
  g_autoptr (VgPipeline) self = g_object_ref (data);

  g_mutex_lock (&self->lock);
  g_clear_pointer (&self->idle, g_source_unref);
  g_mutex_unlock (&self->lock);
  vg_pipeline_emit (self);
  return G_SOURCE_REMOVE;
}

static void
schedule (VgPipeline *self)
{
  if (self->idle || self->quit)
    return;
  self->idle = g_idle_source_new ();
  g_source_set_priority (self->idle, G_PRIORITY_DEFAULT);
  g_source_set_callback (self->idle, emit_idle, self, NULL);
  g_source_attach (self->idle, self->context);
}

void
vg_pipeline_post (VgPipeline *self, guint bits)
{
  self->posted |= bits;
  schedule (self);
}

void
vg_pipeline_post_notice (VgPipeline *self, const char *text)
{
  g_queue_push_tail (&self->notices, g_strdup (text));
  schedule (self);
}

/* The newest counts. */
void
vg_pipeline_post_refusal (VgPipeline *self, guint64 serial, const char *text)
{
  g_free (self->refusal);
  self->refusal = g_strdup (text);
  self->refused_serial = serial;
  schedule (self);
}

void
vg_pipeline_post_error (VgPipeline *self, const GError *error)
{
  g_queue_push_tail (&self->errors, g_error_copy (error));
  schedule (self);
}

void
vg_pipeline_set_state (VgPipeline *self, VgPipelineState state)
{
  self->playback.playing = state == VG_PIPELINE_RUNNING;
  if (self->state == state)
    return;
  self->state = state;
  vg_pipeline_post (self, VG_POST_STATE);
}

static void
move_queue (GQueue *from, GQueue *to)
{
  *to = *from;
  g_queue_init (from);
}

void
vg_pipeline_emit (VgPipeline *self)
{
  g_autofree char *refusal = NULL;
  GQueue notices, errors;
  guint64 refused_serial;
  gpointer item;
  guint posted;

  g_mutex_lock (&self->lock);
  posted = self->posted;
  self->posted = 0;
  move_queue (&self->notices, &notices);
  move_queue (&self->errors, &errors);
  refusal = g_steal_pointer (&self->refusal);
  refused_serial = self->refused_serial;
  g_mutex_unlock (&self->lock);

  if (posted & VG_POST_OPENED)
    g_signal_emit (self, signals[OPENED], 0);
  if (posted & VG_POST_STATE)
    g_signal_emit (self, signals[STATE_CHANGED], 0);
  while ((item = g_queue_pop_head (&notices)))
    {
      g_signal_emit (self, signals[NOTICE], 0, item);
      g_free (item);
    }
  if (refusal)
    g_signal_emit (self, signals[REFUSED], 0, refused_serial, refusal);
  while ((item = g_queue_pop_head (&errors)))
    {
      g_signal_emit (self, signals[FAILED], 0, item);
      g_error_free (item);
    }
  if (posted & VG_POST_RECORDED)
    g_signal_emit (self, signals[RECORDED], 0);
  if (posted & VG_POST_RESULT)
    g_signal_emit (self, signals[RESULT], 0);
}
