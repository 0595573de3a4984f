/* SPDX-License-Identifier: MIT */
/* What work has come to beyond its settings (VgEngine.outcome): remembered of
 * an operation that is left, gone on from when it is come back to, and
 * gathered for a session. */
#include "vg-outcome-text.h"
#include "vg-pipeline-private.h"

/* That of the work at hand into OUTCOMES, which LOCK (or NULL) guards; without one nothing is known of it any more. */
static void
put_present (VgPipeline *self, GMutex *lock, GHashTable *outcomes)
{
  GBytes *outcome;

  if (self->work == NULL || !vg_work_is_ready (self->work))
    return;
  outcome = vg_work_outcome (self->work);
  if (lock)
    g_mutex_lock (lock);
  if (outcome != NULL)
    g_hash_table_insert (outcomes, (gpointer) self->operation, outcome);
  else
    g_hash_table_remove (outcomes, self->operation);
  if (lock)
    g_mutex_unlock (lock);
}

void
vg_pipeline_leave (VgPipeline *self, const void *params)
{
  if (self->work == NULL)
    return;
  /* settings that need another state have no outcome */
  if (params != NULL)
    vg_work_update (self->work, params);
  put_present (self, &self->lock, self->left);
}

GBytes *
vg_pipeline_come_to (VgPipeline *self, VgFeed *feed, GError **error)
{
  GBytes *outcome = NULL;

  if (feed->outcome != NULL)
    return vg_outcome_parse (feed->outcome, error);
  g_mutex_lock (&self->lock);
  if (feed->goes_on)
    outcome = g_hash_table_lookup (self->left, feed->operation);
  if (outcome != NULL)
    g_bytes_ref (outcome);
  g_mutex_unlock (&self->lock);
  return outcome;
}

GHashTable *
vg_pipeline_gather (VgPipeline *self, GError **error)
{
  g_autoptr (GHashTable) all = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_bytes_unref);
  g_autoptr (GHashTable) packed = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  GHashTableIter iter;
  gpointer operation, outcome;

  g_mutex_lock (&self->lock);
  g_hash_table_iter_init (&iter, self->left);
  while (g_hash_table_iter_next (&iter, &operation, &outcome))
    g_hash_table_insert (all, operation, g_bytes_ref (outcome));
  g_mutex_unlock (&self->lock);
  put_present (self, NULL, all);
  g_hash_table_iter_init (&iter, all);
  while (g_hash_table_iter_next (&iter, &operation, &outcome))
    {
      char *text = vg_outcome_format (outcome, error);

      if (text == NULL)
        return NULL;
      g_hash_table_insert (packed, operation, text);
    }
  /* what is being opened with one has the newest */
  g_mutex_lock (&self->lock);
  if (self->pending != NULL && self->pending->outcome != NULL)
    g_hash_table_insert (packed, (gpointer) self->pending->operation, g_strdup (self->pending->outcome));
  g_mutex_unlock (&self->lock);
  return g_steal_pointer (&packed);
}

void
vg_pipeline_bring (VgPipeline *self, const char *packed, gboolean goes_on)
{
  g_free (self->outcome);
  self->outcome = g_strdup (packed);
  self->goes_on = goes_on;
}

void
vg_pipeline_inherit (VgPipeline *self, VgPipeline *other)
{
  GHashTable *left;

  g_mutex_lock (&self->lock);
  left = self->left;
  self->left = other->left;   /* its thread has ended */
  other->left = left;
  g_mutex_unlock (&self->lock);
}

gboolean
vg_pipeline_has_outcome (VgPipeline *self)
{
  gboolean has;

  g_mutex_lock (&self->lock);
  has = g_hash_table_size (self->left) > 0 || (self->feed != NULL && self->feed->operation->cpu->outcome != NULL)
        || (self->pending != NULL && self->pending->outcome != NULL);
  g_mutex_unlock (&self->lock);
  return has;
}
