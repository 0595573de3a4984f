/* SPDX-License-Identifier: MIT */
/* What work has come to beyond its settings (VgEngine.outcome): remembered
 * when its operation or its data are left, another part of a slide among
 * them, gone on from when they are come back to, and gathered for a session. */
#include "app/session/vg-checkpoint-text.h"
#include "app/pipeline/vg-pipeline-private.h"

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
has_newer (GPtrArray *outcomes, guint i)
{
  const VgOperation *operation = ((const VgLeftCheckpoint *) outcomes->pdata[i])->operation;

  while (++i < outcomes->len)
    if (((const VgLeftCheckpoint *) outcomes->pdata[i])->operation == operation)
      return TRUE;
  return FALSE;
}

/* Those that were left first go first; the newest of each operation stays, whatever its size. */
static void
thin (GPtrArray *outcomes)
{
  gsize bytes = 0;
  guint i = 0;

  for (guint k = 0; k < outcomes->len; k++)
    bytes += g_bytes_get_size (((const VgLeftCheckpoint *) outcomes->pdata[k])->checkpoint);
  while (i < outcomes->len && (outcomes->len > MOST_LEFT || bytes > MOST_LEFT_BYTES))
    if (has_newer (outcomes, i))
      {
        bytes -= g_bytes_get_size (((const VgLeftCheckpoint *) outcomes->pdata[i])->checkpoint);
        g_ptr_array_remove_index (outcomes, i);
      }
    else
      i++;
}

void
vg_pipeline_leave (VgPipeline *self, const void *params)
{
  const VgInput *input = self->input;
  VgLeftCheckpoint *present;
  GBytes *checkpoint;

  if (self->work == NULL)
    return;
  /* settings that need another state have no outcome */
  if (params != NULL)
    vg_work_update (self->work, params);
  if (!vg_work_is_ready (self->work))
    return;
  checkpoint = vg_work_checkpoint (self->work);
  g_mutex_lock (&self->lock);
  /* without one nothing is known of the operation any more */
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
vg_pipeline_come_to (VgPipeline *self, VgInput *input, GError **error)
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

/* That of the work at hand; without one nothing is known of it any more. */
static void
put_present (VgPipeline *self, GHashTable *outcomes)
{
  GBytes *checkpoint;

  if (self->work == NULL || !vg_work_is_ready (self->work))
    return;
  checkpoint = vg_work_checkpoint (self->work);
  if (checkpoint != NULL)
    g_hash_table_insert (outcomes, (gpointer) self->operation, checkpoint);
  else
    g_hash_table_remove (outcomes, self->operation);
}

GHashTable *
vg_pipeline_gather (VgPipeline *self, GError **error)
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
  /* what is being opened with one has the newest */
  g_mutex_lock (&self->lock);
  if (self->pending != NULL && self->pending->checkpoint != NULL)
    g_hash_table_insert (packed, (gpointer) self->pending->operation,
                         g_strdup (self->pending->checkpoint));
  g_mutex_unlock (&self->lock);
  return g_steal_pointer (&packed);
}

void
vg_pipeline_bring (VgPipeline *self, const char *packed, gboolean goes_on)
{
  g_free (self->checkpoint);
  self->checkpoint = g_strdup (packed);
  self->goes_on = goes_on;
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
