/* SPDX-License-Identifier: MIT */
/* Checkpoints of works: saved when other data or another view are opened, restored when they
 * return, and collected for a session. */
#include "app/session/vg-checkpoint-text.h"
#include "app/pipeline/vg-compute.h"

enum { MOST_LEFT = 16, MOST_LEFT_BYTES = 512 << 20 };

typedef struct
{
  const VgOperation *operation;
  GStrv inputs;
  char *read_options;
  GBytes *checkpoint;
} VgLeftCheckpoint;

void
vg_left_checkpoint_free (gpointer data)
{
  VgLeftCheckpoint *self = data;

  g_strfreev (self->inputs);
  g_free (self->read_options);
  g_bytes_unref (self->checkpoint);
  g_free (self);
}

static gboolean
is_of (const VgLeftCheckpoint *left, const VgInput *input)
{
  return vg_input_matches (input, left->operation, (const char *const *) left->inputs,
                           left->read_options);
}

static gboolean
has_newer (GPtrArray *checkpoints, guint i)
{
  const VgOperation *operation = ((const VgLeftCheckpoint *) checkpoints->pdata[i])->operation;

  while (++i < checkpoints->len)
    if (((const VgLeftCheckpoint *) checkpoints->pdata[i])->operation == operation)
      return TRUE;
  return FALSE;
}

/* Removes the oldest; the newest of each operation stays, whatever its size. */
static void
thin (GPtrArray *checkpoints)
{
  gsize bytes = 0;
  guint i = 0;

  for (guint k = 0; k < checkpoints->len; k++)
    bytes += g_bytes_get_size (((const VgLeftCheckpoint *) checkpoints->pdata[k])->checkpoint);
  while (i < checkpoints->len && (checkpoints->len > MOST_LEFT || bytes > MOST_LEFT_BYTES))
    if (has_newer (checkpoints, i))
      {
        bytes -= g_bytes_get_size (((const VgLeftCheckpoint *) checkpoints->pdata[i])->checkpoint);
        g_ptr_array_remove_index (checkpoints, i);
      }
    else
      i++;
}

void
vg_pipeline_save_checkpoint (VgPipeline *self, const void *params)
{
  const VgInput *input = self->input;
  VgLeftCheckpoint *present;
  GBytes *checkpoint;

  if (self->compute->work == NULL)
    return;
  /* settings that need another engine state have no checkpoint */
  if (params != NULL && vg_work_update (self->compute->work, params))
    self->compute->is_ahead = TRUE;
  if (!vg_work_is_ready (self->compute->work))
    return;
  checkpoint = vg_work_checkpoint (self->compute->work);
  g_mutex_lock (&self->lock);
  /* without a checkpoint, older ones of the operation are outdated */
  for (guint i = self->left->len; i-- > 0;)
    if (is_of (self->left->pdata[i], input) ||
        (checkpoint == NULL &&
         ((VgLeftCheckpoint *) self->left->pdata[i])->operation == input->operation))
      g_ptr_array_remove_index (self->left, i);
  if (checkpoint != NULL)
    {
      present = g_new (VgLeftCheckpoint, 1);
      *present = (VgLeftCheckpoint){ input->operation, g_strdupv (input->inputs),
                                     g_strdup (input->read_options), checkpoint };
      g_ptr_array_add (self->left, present);
      thin (self->left);
    }
  g_mutex_unlock (&self->lock);
}

GBytes *
vg_pipeline_find_checkpoint (VgPipeline *self, VgInput *input, GError **error)
{
  GBytes *checkpoint = NULL;

  if (input->checkpoint != NULL)
    return vg_checkpoint_parse (input->checkpoint, error);
  g_mutex_lock (&self->lock);
  for (guint i = 0; input->resumes && checkpoint == NULL && i < self->left->len; i++)
    if (is_of (self->left->pdata[i], input))
      checkpoint = g_bytes_ref (((VgLeftCheckpoint *) self->left->pdata[i])->checkpoint);
  g_mutex_unlock (&self->lock);
  return checkpoint;
}

/* The checkpoint of the work; without one, older ones of its operation are outdated. */
static void
put_present (VgPipeline *self, GHashTable *checkpoints)
{
  GBytes *checkpoint;

  if (self->compute->work == NULL || !vg_work_is_ready (self->compute->work))
    return;
  checkpoint = vg_work_checkpoint (self->compute->work);
  if (checkpoint != NULL)
    g_hash_table_insert (checkpoints, (gpointer) self->operation, checkpoint);
  else
    g_hash_table_remove (checkpoints, self->operation);
}

GHashTable *
vg_pipeline_collect_checkpoints (VgPipeline *self, GError **error)
{
  g_autoptr (GHashTable)
      all = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_bytes_unref);
  g_autoptr (GHashTable) packed = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  GHashTableIter iter;
  gpointer operation, checkpoint;

  g_mutex_lock (&self->lock);
  for (guint i = 0; i < self->left->len; i++) /* the newest of each operation stays */
    {
      const VgLeftCheckpoint *left = self->left->pdata[i];

      g_hash_table_insert (all, (gpointer) left->operation, g_bytes_ref (left->checkpoint));
    }
  g_mutex_unlock (&self->lock);
  put_present (self, all);
  g_hash_table_iter_init (&iter, all);
  while (g_hash_table_iter_next (&iter, &operation, &checkpoint))
    {
      char *text = vg_checkpoint_format (checkpoint, error);

      if (text == NULL)
        return NULL;
      g_hash_table_insert (packed, operation, text);
    }
  /* an input that is opening has the newest checkpoint */
  g_mutex_lock (&self->lock);
  if (self->pending != NULL && self->pending->checkpoint != NULL)
    g_hash_table_insert (packed, (gpointer) self->pending->operation,
                         g_strdup (self->pending->checkpoint));
  g_mutex_unlock (&self->lock);
  return g_steal_pointer (&packed);
}

void
vg_pipeline_set_checkpoint (VgPipeline *self, const char *packed, gboolean goes_on)
{
  g_free (self->next_checkpoint);
  self->next_checkpoint = g_strdup (packed);
  self->next_resumes = goes_on;
}

void
vg_pipeline_inherit (VgPipeline *self, VgPipeline *other)
{
  GPtrArray *left;

  g_mutex_lock (&self->lock);
  left = self->left;
  self->left = other->left; /* its thread has ended */
  other->left = left;
  g_mutex_unlock (&self->lock);
}

gboolean
vg_pipeline_has_checkpoint (VgPipeline *self)
{
  const VgEngineResume *resume;
  gboolean has;

  g_mutex_lock (&self->lock);
  resume = self->input != NULL ? self->input->operation->cpu->resume : NULL;
  has = self->left->len > 0 || (resume != NULL && resume->checkpoint != NULL) ||
        (self->pending != NULL && self->pending->checkpoint != NULL);
  g_mutex_unlock (&self->lock);
  return has;
}
