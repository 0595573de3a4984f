/* SPDX-License-Identifier: MIT */
/* Opening changes the session only after the source has opened, so a bad file
 * leaves everything as it was.  When the session itself changed first (undo,
 * a session file, another operation), it goes back to what it was; when what
 * had been on its way then follows another, to what it was before either. */
#include "ui/window/vg-window-private.h"
#include "ui/common/vg-translation.h"
#include <string.h>
#include "ui/window/vg-bare-dialog.h"
#include "app/opening/vg-settings-file.h"

void
vg_window_clear_opening (VgWindow *self)
{
  VgOpening *opening = &self->opening;

  g_clear_pointer (&opening->inputs, g_strfreev);
  g_clear_pointer (&opening->read_options, g_free);
  g_clear_pointer (&opening->before, vg_session_mark_free);
  if (opening->params)
    vg_params_free (&opening->operation->params, g_steal_pointer (&opening->params));
  if (opening->looking)
    g_cancellable_cancel (opening->looking);
  g_clear_object (&opening->looking);
  opening->active = opening->choose_view = opening->goes_on = FALSE;
}

/* Opens with PARAMS, which are borrowed. */
static void
start_opening (VgWindow *self, const char *const *inputs, const char *read_options,
               const void *params)
{
  VgSessionMark *before = g_steal_pointer (&self->opening.before);
  g_autofree char *checkpoint = vg_session_take_checkpoint (self->session);

  vg_pipeline_bring (self->pipeline, checkpoint, self->opening.goes_on);
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
  void *params = vg_window_params_for (self, inputs);

  start_opening (self, inputs, read_options, params);
  vg_params_free (&operation->params, params);
}

void
vg_window_open_here (VgWindow *self, const char *const *inputs, const char *read_options)
{
  vg_window_open (self, inputs, read_options);
  self->opening.choose_view = inputs != NULL && inputs[0] != NULL;
}

/* ---- runs of settings files ---- */

static void
show_runs (VgWindow *self)
{
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  int run = vg_session_get_run (self->session);
  gboolean was_taking = self->taking;

  for (int i = 0; i < self->n_runs; i++)
    {
      const char *own = self->run_names && i < (int) g_strv_length (self->run_names)
                            ? self->run_names[i]
                            : "";
      g_autofree char *name = g_strdup_printf (_ ("Run %d of %d%s%s"), i + 1, self->n_runs,
                                               *own ? ": " : "", own);
      gtk_string_list_append (names, name);
    }
  self->taking = TRUE;
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->runs), G_LIST_MODEL (names));
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->runs),
                              run < self->n_runs ? (guint) run : GTK_INVALID_LIST_POSITION);
  self->taking = was_taking;
  gtk_widget_set_visible (self->run_box, self->n_runs > 1);
}

/* How many runs the inputs hold, and what they are called. */
static void
count_runs (VgWindow *self)
{
  const VgOperation *operation = vg_session_get_operation (self->session);
  const char *const *inputs = vg_session_get_inputs (self->session);

  g_clear_pointer (&self->run_names, g_strfreev);
  self->n_runs = 0;
  if (operation->import == NULL || inputs[0] == NULL)
    return;
  self->run_names = vg_settings_file_names (operation, inputs);
  self->n_runs = (int) g_strv_length (self->run_names);
}

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

/* The session as it was before an opening that came to nothing. */
static void
give_back (VgWindow *self)
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
  /* a click there is to choose, not to draw */
  vg_image_view_set_tool (VG_IMAGE_VIEW (self->image), VG_TOOL_PAN);
  self->taking = TRUE;
  vg_session_set_operation (self->session, operation);
  self->taking = FALSE;
}

/* Files of settings say which view they are for. */
static void
follow_file (VgWindow *self, const char *file)
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

/* Nothing changes when a file can not be read. */
void
vg_window_open_run (VgWindow *self, const char *const *files, int run)
{
  const VgOperation *operation;
  g_autoptr (GError) error = NULL;
  void *params;
  int n = 0;

  if (vg_session_get_operation (self->session)->import == NULL)
    follow_file (self, files[0]);
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
      give_back (self);
      show_runs (self);
      if (run > 0)
        vg_window_message (self, TRUE, error->message);
      else if (vg_settings_file_claimed (files[0]) != NULL)
        vg_window_fail_opening (self, error);
      else
        vg_window_look_for_view (self, files, NULL, error);
      return;
    }
  start_opening (self, files, NULL, params);
  self->opening.params = params;
  self->opening.operation = operation;
  self->opening.run = run;
}

void
vg_window_choose_run (VgWindow *self)
{
  guint run = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->runs));
  g_auto (GStrv) inputs = NULL;

  if (self->taking || run == GTK_INVALID_LIST_POSITION ||
      (int) run == vg_session_get_run (self->session))
    return;
  vg_commit_flush (self->session);
  inputs = g_strdupv ((char **) vg_session_get_inputs (self->session));
  vg_window_open_run (self, (const char *const *) inputs, (int) run);
}

/* The settings of the file that has opened.  An output that they bring with
 * them, such as an old result, is what the file was opened for. */
static void
take_run (VgWindow *self)
{
  const VgOperation *operation = vg_session_get_operation (self->session);
  VgView view = *vg_session_get_view (self->session);

  vg_session_set_run (self->session, self->opening.run);
  vg_session_set_params (self->session, self->opening.params);
  vg_session_take_said (self->session, self->opening.params, FALSE);
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

void
vg_window_open_current (VgWindow *self)
{
  vg_window_open (self, vg_session_get_inputs (self->session),
                  vg_session_get_read_options (self->session));
}

/* ---- what has opened ---- */

/* In one line, with files by their names only: the title has their folder. */
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

/* What looks like a mistake in the file, though it can be meant: it stays in view until it is
 * closed. */
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
  vg_window_tell (self, VG_BANNER_WARNING, text);
}

/* Other data of another size are seen whole, and so are those that are a slide, or were opened
 * after one: a view of the one says nothing of the other. */
static void
fit_other (VgWindow *self, const VgImageInfo *info)
{
  VgView view = *vg_session_get_view (self->session);
  gboolean slide = (info != NULL && info->downsample > 0) || view.part_scale > 0;
  gboolean resized = info != NULL && self->input_width > 0 &&
                     (info->width != self->input_width || info->height != self->input_height);

  if (info != NULL)
    {
      self->input_width = info->width;
      self->input_height = info->height;
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
vg_window_take_opened (VgWindow *self)
{
  VgImageInfo info;
  gboolean has_info = vg_pipeline_get_info (self->pipeline, &info);
  g_autofree char *details = vg_pipeline_get_details (self->pipeline);
  const char *const *inputs;

  if (self->opening.active && vg_pipeline_get_opened (self->pipeline) != self->opening.number)
    return; /* of an opening that another has followed since */
  self->opened = vg_pipeline_get_opened (self->pipeline);
  self->left_over = self->left_over || self->result != NULL;
  g_clear_pointer (&self->result, vg_result_unref);
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
      fit_other (self, has_info ? &info : NULL);
      vg_session_set_inputs (self->session, (const char *const *) self->opening.inputs);
      vg_session_set_read_options (self->session, self->opening.read_options);
      if (self->opening.params)
        take_run (self);
      else
        vg_window_take_said (self, has_info ? &info : NULL, other);
      if (reread && has_info)
        vg_window_move_places (self, &info);
      vg_window_choose_output (self);
      vg_session_commit (self->session, self->opening.inputs[0] == NULL  ? "Sample data"
                                        : reread                         ? "File Reading"
                                        : other || !self->opening.params ? "Open"
                                                                         : "Run");
      count_runs (self);
      show_runs (self);
      self->taking = FALSE;
      if (has_info && info.frames > 0 && frame > 0 &&
          vg_session_get_view (self->session)->frame == frame)
        {
          /* A session that was left at a frame comes back at that frame, not moving away from it.
           */
          vg_pipeline_pause (self->pipeline);
          vg_pipeline_seek (self->pipeline, MIN (frame, info.frames - 1));
        }
      if (!self->started)
        vg_session_forget_history (self->session);
      self->started = TRUE;
      vg_window_clear_opening (self);
      vg_window_end_restoring (self, TRUE);
    }
  vg_window_send_all (self);
  vg_frame_bar_set_info (VG_FRAME_BAR (self->frame_bar), has_info ? &info : NULL);
  vg_charts_set_info (VG_CHARTS (self->charts), has_info ? &info : NULL);
  inputs = vg_session_get_inputs (self->session);
  vg_read_options_panel_set (VG_READ_OPTIONS_PANEL (self->read_options),
                             inputs && inputs[0] && !inputs[1] ? inputs[0] : NULL,
                             has_info ? &info : NULL, vg_session_get_read_options (self->session),
                             details);
  vg_window_show_slide (self);
  self->refused_serial = 0;
  self->unprepared = FALSE;
  vg_banner_hide (VG_BANNER (self->banner));
  if (self->n_runs > 0)
    show_notes (self);
  vg_window_show_title (self);
  vg_window_show_state (self);
}

void
vg_window_give_up_opening (VgWindow *self)
{
  if (!self->opening.active)
    return;
  give_back (self);
  vg_window_clear_opening (self);
  vg_window_end_restoring (self, FALSE);
  if (vg_pipeline_get_opened (self->pipeline) != self->opened)
    {
      /* it had just opened, or the one before it had */
      self->opened = vg_pipeline_get_opened (self->pipeline);
      self->opening.goes_on = TRUE;
      vg_window_open_current (self);
      return;
    }
  vg_window_show_title (self);
  vg_window_show_slide (self);
  if (vg_window_has_picture (self))
    vg_image_view_show (VG_IMAGE_VIEW (self->image), self->result);
  vg_window_send_all (self);
  vg_read_options_panel_reset (VG_READ_OPTIONS_PANEL (self->read_options));
}

static void
on_geometry (VgBareDialog *dialog, const char *geometry, VgWindow *self)
{
  char **inputs = g_object_get_data (G_OBJECT (dialog), "vg-inputs");

  vg_banner_hide (VG_BANNER (self->banner));
  vg_window_open (self, (const char *const *) inputs, geometry);
}

/* By name: what any other file is lacking is not the size of its frames. */
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

/* Files of bare frames that were chosen without saying how large these are:
 * the window asks.  FALSE: it is not that. */
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

void
vg_window_fail_opening (VgWindow *self, const GError *error)
{
  if (!ask_for_geometry (self))
    vg_window_tell (self, VG_BANNER_ERROR, error->message);
  vg_window_give_up_opening (self);
  vg_window_show_state (self);
}

void
vg_window_opening_failed (VgWindow *self, const GError *error)
{
  if (self->opening.active && vg_pipeline_get_state (self->pipeline) == VG_PIPELINE_OPENING)
    vg_window_tell (self, VG_BANNER_ERROR, error->message); /* of what is still shown */
  else if (self->opening.active && self->opening.choose_view && self->opening.looking == NULL)
    vg_window_look_for_view (self, (const char *const *) self->opening.inputs,
                             self->opening.read_options, error);
  else
    {
      if (!self->opening.active)
        self->refused_serial = vg_pipeline_get_failed (self->pipeline);
      vg_window_fail_opening (self, error);
    }
}
