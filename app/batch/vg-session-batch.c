/* SPDX-License-Identifier: MIT */
#include "app/batch/vg-session-batch.h"
#include "app/compute/vg-work.h"
#include <string.h>
#include "io/live/vg-live.h"
#include "io/source/vg-read-options.h"

enum { WHOLE = 1000 }; /* of the progress */

struct _VgSessionBatch
{
  const VgOperation *operation;
  VgBackend backend;
  void *params;
  VgOrigin *origins;
  char **inputs;
  char *read_options;
  int run;
  VgSyntheticSize size;
  GPtrArray *regions; /* VgNamedRegion, NULL-terminated */
  VgExportOptions *options;
  VgDisplay display;
  int output;
  gboolean as_stored, sample;
  gint progress; /* atomic, of WHOLE */
  gint stop;
};

static VgNamedRegion *
copy_region (const VgNamedRegion *from)
{
  VgNamedRegion *copy = g_memdup2 (from, sizeof *from);

  copy->name = g_strdup (from->name);
  return copy;
}

/* The same as `demo` has. */
static void
set_size (VgSessionBatch *self, VgSession *session)
{
  g_auto (VgReadOptions) options = { 0 };

  self->sample = self->inputs[0] == NULL && self->operation->input.kind != VG_INPUT_NONE;
  if (!self->sample)
    return;
  self->size = self->operation->input.kind == VG_INPUT_STREAM ? self->operation->synthetic->batch
                                                              : self->operation->synthetic->live;
  if (vg_read_options_parse (&options, self->read_options, NULL) && options.sample != NULL)
    vg_operation_choose_sample (self->operation, options.sample, &self->size, NULL);
}

VgSessionBatch *
vg_session_batch_new (VgSession *session, VgBackend backend, const VgExportOptions *options)
{
  VgSessionBatch *self = g_new0 (VgSessionBatch, 1);
  const VgView *view = vg_session_get_view (session);

  self->operation = vg_session_get_operation (session);
  self->backend = backend;
  self->origins = g_new0 (VgOrigin, MAX (self->operation->params.n_items, 1));
  self->params = vg_session_get_user_params (session, self->origins);
  self->inputs = g_strdupv ((char **) vg_session_get_inputs (session));
  self->read_options = g_strdup (vg_session_get_read_options (session));
  self->run = vg_session_get_run (session) + 1;
  set_size (self, session);
  if (self->sample)
    {
      vg_params_free (&self->operation->params, self->params);
      self->params = vg_params_copy (&self->operation->params, vg_session_get_params (session));
    }
  self->regions = g_ptr_array_new_with_free_func (vg_named_region_free);
  for (guint i = 0; i < vg_session_get_n_regions (session); i++)
    g_ptr_array_add (self->regions, copy_region (vg_session_get_region (session, i)));
  g_ptr_array_add (self->regions, NULL);
  self->options = vg_export_options_copy (options);
  self->output = view->output;
  self->as_stored = view->as_stored;
  self->display = *vg_session_get_display_of (session, view->output);
  return self;
}

void
vg_session_batch_free (VgSessionBatch *self)
{
  if (self == NULL)
    return;
  vg_params_free (&self->operation->params, self->params);
  g_free (self->origins);
  g_strfreev (self->inputs);
  g_free (self->read_options);
  g_ptr_array_steal_index (self->regions, self->regions->len - 1); /* the end */
  g_ptr_array_unref (self->regions);
  vg_export_options_free (self->options);
  g_free (self);
}

static void
take_progress (double fraction, gint64 maps, gpointer data)
{
  VgSessionBatch *self = data;

  if (fraction >= 0)
    g_atomic_int_set (&self->progress, (gint) (CLAMP (fraction, 0, 1) * WHOLE));
}

gboolean
vg_session_batch_run (VgSessionBatch *self, GCancellable *cancellable, GError **error)
{
  g_autoptr (VgWork) work = vg_work_new (self->operation, self->backend, 0, error);
  const VgBatchJob job = { .params = self->params,
                           .origins = self->origins,
                           .inputs = (const char *const *) self->inputs,
                           .run = self->operation->import != NULL ? self->run : 0,
                           .read_options = self->read_options,
                           .synthetic = self->sample ? &self->size : NULL,
                           .in_one_piece = TRUE,
                           .display = &self->display,
                           .preview_output = self->output,
                           .options = self->options,
                           .as_stored = self->as_stored,
                           .regions = (const VgNamedRegion *const *) self->regions->pdata,
                           .cancellable = cancellable,
                           .progress = take_progress,
                           .user_data = self };
  gulong handler;
  gboolean ok;

  if (work == NULL)
    return FALSE;
  handler = g_cancellable_connect (cancellable, G_CALLBACK (vg_work_raise_stop), &self->stop, NULL);
  vg_work_set_stop (work, &self->stop);
  ok = vg_batch_run (&job, work, error);
  g_cancellable_disconnect (cancellable, handler);
  return ok;
}

double
vg_session_batch_get_progress (VgSessionBatch *self)
{
  return (double) g_atomic_int_get (&self->progress) / WHOLE;
}

gint64
vg_session_batch_count_frames (VgSession *session, const VgImageInfo *info)
{
  const VgOperation *operation = vg_session_get_operation (session);
  const char *first = vg_session_get_inputs (session)[0];

  if (first != NULL && (strcmp (first, "-") == 0 || vg_live_is_address (first)))
    return 0;
  if (operation->view.step_param != NULL)
    return -1;
  if (operation->input.kind == VG_INPUT_STREAM && first == NULL)
    return operation->synthetic->batch.frames;
  if (operation->input.kind == VG_INPUT_NONE || info == NULL || info->frames <= 1)
    return 0;
  return info->frames;
}
