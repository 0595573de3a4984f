/* SPDX-License-Identifier: MIT */
/* Signals from any thread: what is posted is collected, and one idle source emits it on the main
 * thread. */
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

static void
move_queue (GQueue *from, GQueue *to)
{
  *to = *from;
  g_queue_init (from);
}

static void
emit (VgPipeline *self)
{
  g_autofree char *refusal = NULL;
  GQueue notices, errors;
  guint64 refused_serial;
  gpointer item;
  guint posted;

  g_mutex_lock (&self->lock);
  posted = self->signals.posted;
  self->signals.posted = 0;
  move_queue (&self->signals.notices, &notices);
  move_queue (&self->signals.errors, &errors);
  refusal = g_steal_pointer (&self->signals.refusal);
  refused_serial = self->signals.refused_serial;
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

/* Runs on the main thread, as does close, which destroys the source. */
static gboolean
emit_idle (gpointer data)
{
  g_autoptr (VgPipeline) self = g_object_ref (data);

  g_mutex_lock (&self->lock);
  g_clear_pointer (&self->signals.idle, g_source_unref);
  g_mutex_unlock (&self->lock);
  emit (self);
  return G_SOURCE_REMOVE;
}

static void
schedule (VgPipeline *self)
{
  if (self->signals.idle || self->quit)
    return;
  self->signals.idle = g_idle_source_new ();
  g_source_set_priority (self->signals.idle, G_PRIORITY_DEFAULT);
  g_source_set_callback (self->signals.idle, emit_idle, self, NULL);
  g_source_attach (self->signals.idle, self->signals.context);
}

void
vg_pipeline_post (VgPipeline *self, guint bits)
{
  self->signals.posted |= bits;
  schedule (self);
}

void
vg_pipeline_post_notice (VgPipeline *self, const char *text)
{
  g_queue_push_tail (&self->signals.notices, g_strdup (text));
  schedule (self);
}

/* The newest counts. */
void
vg_pipeline_post_refusal (VgPipeline *self, guint64 serial, const char *text)
{
  g_free (self->signals.refusal);
  self->signals.refusal = g_strdup (text);
  self->signals.refused_serial = serial;
  schedule (self);
}

void
vg_pipeline_post_error (VgPipeline *self, const GError *error)
{
  g_queue_push_tail (&self->signals.errors, g_error_copy (error));
  schedule (self);
}

void
vg_pipeline_clear_posted (VgPipeline *self)
{
  if (self->signals.idle)
    g_source_destroy (self->signals.idle);
  g_clear_pointer (&self->signals.idle, g_source_unref);
  g_queue_clear_full (&self->signals.notices, g_free);
  g_queue_clear_full (&self->signals.errors, (GDestroyNotify) g_error_free);
  g_clear_pointer (&self->signals.refusal, g_free);
  self->signals.posted = 0;
}
