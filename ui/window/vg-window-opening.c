/* SPDX-License-Identifier: MIT */
/* Opening data changes the session only after the source has opened, so that a bad file changes
 * nothing.  If the session had to change first, by undo, a session file or another view, it is
 * restored when the opening fails: to its state before all openings that have not completed. */
#include "ui/window/vg-window-private.h"
#include "ui/common/vg-translation.h"
#include <string.h>
#include "ui/window/vg-bare-dialog.h"
#include "app/opening/vg-settings-file.h"
#include "io/source/vg-source.h"
#include "ui/window/vg-view-search.h"

void
vg_window_clear_opening (VgWindow *self)
{
  VgOpening *opening = &self->opening;

  g_clear_pointer (&opening->inputs, g_strfreev);
  g_clear_pointer (&opening->read_options, g_free);
  g_clear_pointer (&opening->before, vg_session_mark_free);
  if (opening->params)
    vg_params_free (&opening->operation->params, g_steal_pointer (&opening->params));
  if (opening->search)
    g_cancellable_cancel (opening->search);
  g_clear_object (&opening->search);
  opening->active = opening->choose_view = opening->resume = FALSE;
}

/* Opens INPUTS with PARAMS, which stay the caller's. */
static void
start_opening (VgWindow *self, const char *const *inputs, const char *read_options,
               const void *params)
{
  VgSessionMark *before = g_steal_pointer (&self->opening.before);
  g_autofree char *checkpoint = vg_session_take_checkpoint (self->session);

  vg_pipeline_bring (self->pipeline, checkpoint, self->opening.resume);
  vg_window_clear_opening (self);
  self->opening.active = TRUE;
  self->opening.inputs = inputs ? g_strdupv ((char **) inputs) : g_new0 (char *, 1);
  self->opening.read_options = g_strdup (read_options);
  self->opening.before = before;
  self->opening.number = vg_pipeline_open (self->pipeline, vg_session_get_operation (self->session),
                                           params, (const char *const *) self->opening.inputs,
                                           read_options);
  vg_window_expect_slide (self);
  vg_window_show_title (self);
  vg_window_show_state (self);
}

void
vg_window_open (VgWindow *self, const char *const *inputs, const char *read_options)
{
  const VgOperation *operation = vg_session_get_operation (self->session);
  void *params = vg_session_params_for (self->session, inputs);

  start_opening (self, inputs, read_options, params);
  vg_params_free (&operation->params, params);
}

void
vg_window_open_here (VgWindow *self, const char *const *inputs, const char *read_options)
{
  vg_window_open (self, inputs, read_options);
  self->opening.choose_view = inputs != NULL && inputs[0] != NULL;
}

void
vg_window_open_current (VgWindow *self)
{
  vg_window_open (self, vg_session_get_inputs (self->session),
                  vg_session_get_read_options (self->session));
}

/* ---- the session before an opening ---- */

void
vg_window_mark (VgWindow *self)
{
  vg_commit_flush (self->session);
  if (self->opening.before != NULL)
    return;
  self->opening.before = vg_session_mark (self->session);
  self->opening.marked_at = self->opening.number;
}

void
vg_window_drop_mark (VgWindow *self)
{
  if (self->opening.marked_at == self->opening.number)
    g_clear_pointer (&self->opening.before, vg_session_mark_free);
}

/* Restores the session after an opening that failed. */
static void
restore_session (VgWindow *self)
{
  if (self->opening.before == NULL)
    return;
  self->taking = TRUE;
  vg_session_go_back (self->session, g_steal_pointer (&self->opening.before));
  self->taking = FALSE;
  vg_window_enable_actions (self);
}

void
vg_window_go_to (VgWindow *self, const VgOperation *operation)
{
  vg_window_mark (self);
  /* the first click in another view selects */
  vg_image_view_set_tool (VG_IMAGE_VIEW (self->image), VG_TOOL_PAN);
  self->taking = TRUE;
  vg_session_set_operation (self->session, operation);
  self->taking = FALSE;
}

/* ---- failures ---- */

void
vg_window_abort_opening (VgWindow *self)
{
  if (!self->opening.active)
    return;
  restore_session (self);
  vg_window_clear_opening (self);
  vg_session_journal_end_restoring (self->journal, FALSE);
  if (vg_pipeline_get_opened (self->pipeline) != self->opening.opened)
    {
      /* it has opened meanwhile, or the one before it */
      self->opening.opened = vg_pipeline_get_opened (self->pipeline);
      self->opening.resume = TRUE;
      vg_window_open_current (self);
      return;
    }
  vg_window_show_title (self);
  vg_window_show_slide (self);
  if (vg_window_has_image (self))
    vg_image_view_show (VG_IMAGE_VIEW (self->image), self->result);
  vg_window_send_all (self);
  vg_read_options_panel_reset (vg_window_get_read_options (self));
}

static void
on_geometry (VgBareDialog *dialog, const char *geometry, VgWindow *self)
{
  char **inputs = g_object_get_data (G_OBJECT (dialog), "vg-inputs");

  vg_banner_hide (VG_BANNER (self->banner));
  vg_window_open (self, (const char *const *) inputs, geometry);
}

/* Only for these names the cause of a failure is that the size of the frames is unknown. */
static gboolean
has_bare_name (const char *path)
{
  static const char *const suffixes[] = { ".raw", ".bin", ".dat", ".img" };
  g_autofree char *name = g_ascii_strdown (path, -1);

  for (guint i = 0; i < G_N_ELEMENTS (suffixes); i++)
    if (g_str_has_suffix (name, suffixes[i]))
      return TRUE;
  return FALSE;
}

/* Asks for the size of the frames of a file without a header; FALSE: the file is none. */
static gboolean
ask_for_geometry (VgWindow *self)
{
  const VgOpening *opening = &self->opening;
  g_autofree char *name = NULL;
  GtkWidget *dialog;
  gint64 size;

  if (!opening->active || !opening->choose_view || opening->read_options != NULL ||
      opening->inputs[0] == NULL || !has_bare_name (opening->inputs[0]) ||
      vg_session_get_operation (self->session)->input.kind == VG_INPUT_NONE ||
      !vg_file_is_raw (opening->inputs[0], &size))
    return FALSE;
  name = g_filename_display_basename (opening->inputs[0]);
  dialog = vg_bare_dialog_new (GTK_WINDOW (self), name, size);
  g_object_set_data_full (G_OBJECT (dialog), "vg-inputs", g_strdupv (opening->inputs),
                          (GDestroyNotify) g_strfreev);
  g_signal_connect_object (dialog, "chosen", G_CALLBACK (on_geometry), self, 0);
  gtk_window_present (GTK_WINDOW (dialog));
  return TRUE;
}

static void
fail_opening (VgWindow *self, const GError *error)
{
  if (!ask_for_geometry (self))
    vg_window_show_banner (self, VG_BANNER_ERROR, error->message);
  vg_window_abort_opening (self);
  vg_window_show_state (self);
}

static void
on_view_found (GObject *source, GAsyncResult *result, gpointer data)
{
  VgWindow *self = VG_WINDOW (source);
  const char *const *inputs;
  const char *read_options;
  g_autoptr (GError) error = NULL;
  const VgOperation *operation = vg_view_search_finish (result, &inputs, &read_options, &error);

  if (self->pipeline == NULL || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  if (operation == NULL && error == NULL)
    {
      vg_window_open_here (self, inputs, read_options);
      return;
    }
  if (operation == NULL)
    {
      fail_opening (self, error);
      return;
    }
  vg_window_go_to (self, operation);
  vg_window_open (self, inputs, read_options);
}

void
vg_window_search_view (VgWindow *self, const char *const *inputs, const char *read_options,
                       const GError *failure)
{
  if (self->opening.search)
    g_cancellable_cancel (self->opening.search);
  g_clear_object (&self->opening.search);
  self->opening.search = g_cancellable_new ();
  vg_view_search_async (self, inputs, read_options, vg_session_get_operation (self->session),
                        failure, self->opening.search, on_view_found);
}

/* ---- settings files ---- */

/* Changes to the view that a settings file is for. */
static void
go_to_view_of (VgWindow *self, const char *file)
{
  const VgOperation *operation = vg_settings_file_find (file);

  if (operation != NULL)
    vg_window_go_to (self, operation);
}

gboolean
vg_window_opens_settings (VgWindow *self, const char *const *files)
{
  return vg_session_get_operation (self->session)->import != NULL ||
         vg_settings_file_find (files[0]) != NULL;
}

void
vg_window_open_run (VgWindow *self, const char *const *files, int run)
{
  const VgOperation *operation;
  g_autoptr (GError) error = NULL;
  void *params;
  int n = 0;

  if (vg_session_get_operation (self->session)->import == NULL)
    go_to_view_of (self, files[0]);
  operation = vg_session_get_operation (self->session);
  if (operation->import == NULL)
    {
      g_autofree char *text = g_strdup_printf (
          _ ("%s reads no files of settings, so there is no run to choose"), operation->title);
      vg_window_message (self, TRUE, text);
      return;
    }
  params = vg_params_new (&operation->params);
  n = vg_settings_file_read (operation, files, run, params, NULL, &error);
  if (n == 0)
    {
      vg_params_free (&operation->params, params);
      restore_session (self);
      vg_run_chooser_update (VG_RUN_CHOOSER (self->runs));
      if (run > 0)
        vg_window_message (self, TRUE, error->message);
      else if (vg_settings_file_claimed (files[0]) != NULL)
        fail_opening (self, error);
      else
        vg_window_search_view (self, files, NULL, error);
      return;
    }
  start_opening (self, files, NULL, params);
  self->opening.params = params;
  self->opening.operation = operation;
  self->opening.run = run;
}

/* Adopts the settings of the file that has opened, and shows its precomputed output if it has
 * one. */
static void
adopt_run (VgWindow *self)
{
  const VgOperation *operation = vg_session_get_operation (self->session);
  VgView view = *vg_session_get_view (self->session);

  vg_session_adopt_run (self->session, self->opening.run, self->opening.params);
  for (guint i = operation->n_outputs; i-- > 0;)
    if (vg_operation_get_role (operation, VG_ROLE_FILE, operation->outputs[i].id) != NULL &&
        vg_operation_output_is_shown (operation, i, vg_session_get_params (self->session)))
      view.output = (int) i;
  vg_session_set_view (self->session, &view);
}

void
vg_window_choose_read_options (VgWindow *self, const char *read_options)
{
  g_auto (GStrv) inputs = g_strdupv ((char **) vg_session_get_inputs (self->session));
  g_autofree char *copy = g_strdup (read_options);

  vg_commit_flush (self->session);
  vg_window_open (self, (const char *const *) inputs, copy);
}

/* ---- what has opened ---- */

/* Joins NOTES to one line, with the names of files instead of their paths. */
static char *
join_notes (GPtrArray *notes, const char *const *inputs)
{
  GString *line = g_string_new (NULL);

  for (guint i = 0; i < notes->len; i++)
    {
      const char *note = notes->pdata[i];
      gsize folder = 0;

      for (guint k = 0; inputs[k] != NULL && folder == 0; k++)
        if (g_str_has_prefix (note, inputs[k]) && strrchr (inputs[k], '/') != NULL)
          folder = (gsize) (strrchr (inputs[k], '/') + 1 - inputs[k]);
      g_string_append_printf (line, "%s%s", i > 0 ? " • " : "", note + folder);
    }
  return g_string_free (line, FALSE);
}

/* Shows notes about what may be mistakes in the file, until the user closes them. */
static void
show_notes (VgWindow *self)
{
  g_autoptr (GPtrArray) notes = vg_settings_file_notes (
      vg_session_get_operation (self->session), vg_session_get_inputs (self->session),
      vg_session_get_run (self->session), vg_session_get_params (self->session));
  g_autofree char *text = NULL;

  if (notes->len == 0)
    return;
  text = join_notes (notes, vg_session_get_inputs (self->session));
  vg_window_show_banner (self, VG_BANNER_WARNING, text);
}

/* Fits the view to other data if their size differs or if either of them is a slide, because zoom
 * and centre of one mean nothing for the other. */
static void
fit_view (VgWindow *self, const VgImageInfo *info)
{
  VgView view = *vg_session_get_view (self->session);
  gboolean slide = (info != NULL && info->downsample > 0) || view.part_scale > 0;
  gboolean resized = info != NULL && self->opening.width > 0 &&
                     (info->width != self->opening.width || info->height != self->opening.height);

  if (info != NULL)
    {
      self->opening.width = info->width;
      self->opening.height = info->height;
    }
  if (g_strv_equal (vg_session_get_inputs (self->session),
                    (const char *const *) self->opening.inputs) ||
      (self->opening.inputs[0] != NULL &&
       vg_image_view_has_slide (VG_IMAGE_VIEW (self->image), self->opening.inputs[0])) ||
      !(slide || resized))
    return;
  view.zoom = view.part_x = view.part_y = view.part_scale = 0;
  vg_session_set_view (self->session, &view);
}

void
vg_window_opened (VgWindow *self)
{
  VgImageInfo info;
  gboolean has_info = vg_pipeline_get_info (self->pipeline, &info);
  g_autofree char *details = vg_pipeline_get_details (self->pipeline);
  const char *const *inputs;

  if (self->opening.active && vg_pipeline_get_opened (self->pipeline) != self->opening.number)
    return; /* another opening has begun since */
  self->opening.opened = vg_pipeline_get_opened (self->pipeline);
  self->left_over = self->left_over || self->result != NULL;
  vg_window_set_result (self, NULL);
  vg_cautions_set (VG_CAUTIONS (self->cautions), NULL);
  vg_image_view_set_cuda (VG_IMAGE_VIEW (self->image), vg_pipeline_get_cuda (self->pipeline));
  if (self->opening.active)
    {
      gint64 frame = vg_session_get_view (self->session)->frame;
      gboolean other = !g_strv_equal (vg_session_get_inputs (self->session),
                                      (const char *const *) self->opening.inputs);
      gboolean reread = !other && g_strcmp0 (vg_session_get_read_options (self->session),
                                             self->opening.read_options) != 0;
      self->taking = TRUE;
      fit_view (self, has_info ? &info : NULL);
      vg_session_set_inputs (self->session, (const char *const *) self->opening.inputs);
      vg_session_set_read_options (self->session, self->opening.read_options);
      if (self->opening.params)
        adopt_run (self);
      else
        vg_session_adopt (self->session, has_info ? &info : NULL, other);
      if (reread && has_info)
        vg_window_move_points (self, &info);
      vg_output_choice_update (self->outputs, self->session);
      vg_session_commit (self->session, self->opening.inputs[0] == NULL  ? "Sample data"
                                        : reread                         ? "File Reading"
                                        : other || !self->opening.params ? "Open"
                                                                         : "Run");
      vg_run_chooser_load (VG_RUN_CHOOSER (self->runs));
      vg_run_chooser_update (VG_RUN_CHOOSER (self->runs));
      self->taking = FALSE;
      if (has_info && info.frames > 0 && frame > 0 &&
          vg_session_get_view (self->session)->frame == frame)
        {
          /* a session that was saved at a frame is shown at it */
          vg_pipeline_pause (self->pipeline);
          vg_pipeline_seek (self->pipeline, MIN (frame, info.frames - 1));
        }
      if (!self->opening.started)
        vg_session_forget_history (self->session);
      self->opening.started = TRUE;
      vg_window_clear_opening (self);
      vg_session_journal_end_restoring (self->journal, TRUE);
    }
  vg_window_send_all (self);
  vg_frame_bar_set_info (VG_FRAME_BAR (self->frame_bar), has_info ? &info : NULL);
  vg_charts_set_info (VG_CHARTS (self->charts), has_info ? &info : NULL);
  inputs = vg_session_get_inputs (self->session);
  vg_read_options_panel_set (
      vg_window_get_read_options (self), inputs && inputs[0] && !inputs[1] ? inputs[0] : NULL,
      has_info ? &info : NULL, vg_session_get_read_options (self->session), details);
  vg_window_show_slide (self);
  self->cause.refused_serial = 0;
  self->cause.unprepared = FALSE;
  vg_banner_hide (VG_BANNER (self->banner));
  if (vg_run_chooser_get_n (VG_RUN_CHOOSER (self->runs)) > 0)
    show_notes (self);
  vg_window_show_title (self);
  vg_window_show_state (self);
}

void
vg_window_opening_failed (VgWindow *self, const GError *error)
{
  if (self->opening.active && vg_pipeline_get_state (self->pipeline) == VG_PIPELINE_OPENING)
    vg_window_show_banner (self, VG_BANNER_ERROR, error->message); /* about the input still shown */
  else if (self->opening.active && self->opening.choose_view && self->opening.search == NULL)
    vg_window_search_view (self, (const char *const *) self->opening.inputs,
                           self->opening.read_options, error);
  else
    {
      if (!self->opening.active)
        self->cause.refused_serial = vg_pipeline_get_failed (self->pipeline);
      fail_opening (self, error);
    }
}
