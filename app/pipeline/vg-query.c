/* SPDX-License-Identifier: MIT */
/* Copies of queries, and the queue in which they wait. */
#include "app/pipeline/vg-query.h"

/* A query that owns what it points to. */
typedef struct
{
  VgQuery query;
  guint64 serial; /* of the settings with which it was requested */
  /* these settings, if it saves and they were not applied then; else NULL */
  const VgOperation *operation;
  void *params;
} OwnQuery;

static void
free_query (gpointer data)
{
  OwnQuery *own = data;
  VgQuery *query = &own->query;

  for (guint i = 0; query->regions != NULL && query->regions[i] != NULL; i++)
    {
      g_free (query->regions[i]->name);
      g_free ((gpointer) query->regions[i]);
    }
  g_free ((gpointer) query->regions);
  g_free ((gpointer) query->region);
  g_free ((gpointer) query->folder);
  g_free ((gpointer) query->command);
  vg_export_options_free ((gpointer) query->options);
  g_clear_pointer (&query->notes, g_ptr_array_unref);
  if (own->params != NULL)
    vg_params_free (&own->operation->params, own->params);
  g_free (own);
}

static const VgNamedRegion *const *
copy_regions (const VgNamedRegion *const *regions)
{
  GPtrArray *copies = g_ptr_array_new ();

  for (guint i = 0; regions != NULL && regions[i] != NULL; i++)
    {
      VgNamedRegion *copy = g_memdup2 (regions[i], sizeof *copy);

      copy->name = g_strdup (regions[i]->name);
      g_ptr_array_add (copies, copy);
    }
  g_ptr_array_add (copies, NULL);
  return (const VgNamedRegion *const *) g_ptr_array_free (copies, FALSE);
}

static gboolean
saves (const OwnQuery *own)
{
  return own->query.kind >= VG_QUERY_REFERENCE;
}

void
vg_query_queue_push (VgQueryQueue *self, GTask *task, const VgQuery *query, guint64 serial,
                     const VgOperation *operation, const void *params)
{
  OwnQuery *own = g_new (OwnQuery, 1);

  *own = (OwnQuery){ .query = *query, .serial = serial, .operation = operation };
  if (params != NULL && saves (own))
    own->params = vg_params_copy (&operation->params, params);
  own->query.region = g_memdup2 (query->region, sizeof *query->region);
  own->query.folder = g_strdup (query->folder);
  own->query.command = g_strdup (query->command);
  own->query.options = query->options != NULL ? vg_export_options_copy (query->options) : NULL;
  own->query.regions = copy_regions (query->regions);
  if (query->notes != NULL)
    g_ptr_array_ref (query->notes);
  g_task_set_task_data (task, own, free_query);
  g_queue_push_tail (&self->tasks, task);
}

GTask *
vg_query_queue_pop (VgQueryQueue *self)
{
  self->changes_first = 0;
  return g_queue_pop_head (&self->tasks);
}

gboolean
vg_query_queue_saves (const VgQueryQueue *self, guint64 serial)
{
  for (const GList *link = self->tasks.head; link; link = link->next)
    {
      const OwnQuery *own = g_task_get_task_data (link->data);

      if (saves (own) && own->serial <= serial)
        return TRUE;
    }
  return FALSE;
}

const void *
vg_query_queue_get_settings (const VgQueryQueue *self, const VgOperation *operation, guint64 after,
                             guint64 *serial)
{
  for (const GList *link = self->tasks.head; link; link = link->next)
    {
      const OwnQuery *own = g_task_get_task_data (link->data);

      if (own->params == NULL || own->operation != operation || own->serial <= after)
        continue;
      *serial = own->serial;
      return own->params;
    }
  return NULL;
}

void
vg_query_queue_cancel (VgQueryQueue *self)
{
  GTask *task;

  while ((task = g_queue_pop_head (&self->tasks)))
    {
      g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_CANCELLED,
                               "cancelled because the data were closed");
      g_object_unref (task);
    }
}
