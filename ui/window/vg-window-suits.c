/* SPDX-License-Identifier: MIT */
/* A file that the view at hand can't open, or that comes before a view has been
 * chosen, goes to the view it belongs to.  The
 * look into its headers is a thread's: large files are slow to open. */
#include "ui/window/vg-window-private.h"
#include "app/opening/vg-suitable.h"

typedef struct
{
  char **inputs;
  char *read_options;
  const VgOperation *present;
  GError *failure; /* of the opening that came to nothing; NULL: there was none yet */
} Look;

static void
look_free (gpointer data)
{
  Look *look = data;

  g_strfreev (look->inputs);
  g_free (look->read_options);
  g_clear_error (&look->failure);
  g_free (look);
}

static void
search (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Look *look = data;
  const VgOperation *found = vg_suitable_operation ((const char *const *) look->inputs,
                                                    look->read_options, look->present);
  guint n = g_strv_length (look->inputs);

  if (found != NULL && (found->input.files[1] < 0 || (int) n <= found->input.files[1]))
    g_task_return_pointer (task, (gpointer) found, NULL);
  else if (look->failure == NULL)
    g_task_return_pointer (task, NULL, NULL);
  else
    g_task_return_error (task, g_error_copy (look->failure));
}

static void
on_looked (GObject *source, GAsyncResult *result, gpointer data)
{
  VgWindow *self = VG_WINDOW (source);
  const Look *look = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  const VgOperation *operation = g_task_propagate_pointer (G_TASK (result), &error);

  if (self->pipeline == NULL || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  if (operation == NULL && error == NULL)
    {
      vg_window_open_here (self, (const char *const *) look->inputs, look->read_options);
      return;
    }
  if (operation == NULL)
    {
      vg_window_fail_opening (self, error);
      return;
    }
  vg_window_go_to (self, operation);
  vg_window_open (self, (const char *const *) look->inputs, look->read_options);
}

void
vg_window_look_for_view (VgWindow *self, const char *const *inputs, const char *read_options,
                         const GError *failure)
{
  g_autoptr (GTask) task = NULL;
  Look *wanted = g_new0 (Look, 1);

  wanted->inputs = g_strdupv ((char **) inputs);
  wanted->read_options = g_strdup (read_options);
  wanted->present = vg_session_get_operation (self->session);
  wanted->failure = failure != NULL ? g_error_copy (failure) : NULL;
  if (self->opening.looking)
    g_cancellable_cancel (self->opening.looking);
  g_clear_object (&self->opening.looking);
  self->opening.looking = g_cancellable_new ();
  task = g_task_new (self, self->opening.looking, on_looked, NULL);
  g_task_set_task_data (task, wanted, look_free);
  g_task_run_in_thread (task, search);
}
