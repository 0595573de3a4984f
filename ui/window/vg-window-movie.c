/* SPDX-License-Identifier: MIT */
/* Making a movie after an export, on a thread of its own that computes every frame. */
#include "ui/window/vg-window-private.h"
#include "app/compute/vg-steady-limits.h"
#include "ui/words/vg-translation.h"

gint64
vg_window_count_film (VgWindow *self, double limits[2], double *interval_s)
{
  const VgView *view = vg_session_get_view (self->session);
  const VgOutput *output = vg_session_get_output (self->session);
  VgColoring coloring;
  VgImageInfo info;
  gboolean known = vg_pipeline_get_info (self->pipeline, &info);

  *interval_s = known && vg_session_get_operation (self->session)->input.kind == VG_INPUT_STREAM
                    ? info.frame_interval_s
                    : 0;
  limits[0] = limits[1] = 0;
  if (output->kind != VG_OUTPUT_LABELS && view->compare == VG_COMPARE_OFF && self->result != NULL &&
      self->result->output == view->output)
    {
      vg_steady_limits_get_coloring (vg_steady_limits_of (self->session),
                                     vg_session_get_display (self->session), output, VG_COMPARE_OFF,
                                     &self->result->statistics, &coloring);
      limits[0] = coloring.low;
      limits[1] = coloring.high;
    }
  return vg_session_batch_count_frames (self->session, known ? &info : NULL);
}

static void
run (GTask *task, gpointer window, gpointer batch, GCancellable *cancellable)
{
  GError *error = NULL;

  if (vg_session_batch_run (batch, cancellable, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
on_filmed (GObject *window, GAsyncResult *result, gpointer data)
{
  VgWindow *self = (VgWindow *) window;
  g_autofree char *folder = data, *name = g_path_get_basename (folder), *text = NULL;
  g_autoptr (GError) error = NULL;
  gboolean made = g_task_propagate_boolean (G_TASK (result), &error);

  self->writing.filming = NULL; /* the task frees it */
  if (self->pipeline == NULL)
    return;
  g_clear_object (&self->writing.exporting);
  if (made)
    {
      text = g_strdup_printf (_ ("Made the movie in “%s”."), name);
      vg_window_show_exported (self, folder, FALSE, text);
    }
  else if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      text = g_strdup_printf (_ ("The movie was cancelled. The results are in “%s”."), name);
      vg_window_message (self, FALSE, text);
    }
  else
    vg_window_message (self, TRUE, error->message);
  vg_window_show_state (self);
  vg_window_end_writing (self, made);
}

void
vg_window_film (VgWindow *self, const char *folder, const VgExportOptions *options)
{
  g_autoptr (GTask) task = NULL;

  g_clear_object (&self->writing.exporting);
  self->writing.exporting = g_cancellable_new ();
  self->writing.filming = vg_session_batch_new (self->session, self->backend, options);
  vg_window_begin_writing (self);
  task = g_task_new (self, self->writing.exporting, on_filmed, g_strdup (folder));
  g_task_set_check_cancellable (task, FALSE);
  g_task_set_task_data (task, self->writing.filming, (GDestroyNotify) vg_session_batch_free);
  g_task_run_in_thread (task, run);
}

void
vg_window_abandon_film (VgWindow *self)
{
  if (self->writing.filming != NULL)
    g_cancellable_cancel (self->writing.exporting);
  while (self->writing.filming != NULL)
    g_main_context_iteration (NULL, TRUE);
}
