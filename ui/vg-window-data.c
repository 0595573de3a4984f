/* SPDX-License-Identifier: MIT */
/* Session to pipeline, pipeline to widgets.
 *
 * Opening changes the session only after the source has opened, so a bad file
 * leaves everything as it was.  When the session itself changed first (undo,
 * a session file, another operation), its text from before is put back. */
#include "vg-window-private.h"
#include <math.h>
#include <string.h>
#include "vg-settings-file.h"

void
vg_window_message (VgWindow *self, gboolean failed, const char *text)
{
  vg_banner_show (VG_BANNER (self->banner), failed ? VG_BANNER_ERROR : VG_BANNER_NOTICE, text);
}

gboolean
vg_window_is_running (VgWindow *self)
{
  VgPipelineState state = vg_pipeline_get_state (self->pipeline);

  return state == VG_PIPELINE_RUNNING || state == VG_PIPELINE_OPENING;
}

void
vg_window_note_frame (VgWindow *self)
{
  VgView view = *vg_session_get_view (self->session);

  if (self->result == NULL || vg_session_get_inputs (self->session)[0] == NULL)
    return;
  view.frame = self->result->frame_index;
  self->taking = TRUE;
  vg_session_set_view (self->session, &view);
  self->taking = FALSE;
}

/* ---- opening ---- */

static void
opening_clear (VgOpening *opening)
{
  g_clear_pointer (&opening->inputs, g_strfreev);
  g_clear_pointer (&opening->reading, g_free);
  g_clear_pointer (&opening->previous, g_free);
  if (opening->params)
    vg_params_free (&opening->operation->params, g_steal_pointer (&opening->params));
  if (opening->looking)
    g_cancellable_cancel (opening->looking);
  g_clear_object (&opening->looking);
  opening->active = opening->choose_view = FALSE;
}

/* Takes what WANTED says other than the session; ONLY_DEFAULTS: leaves alone
 * what the user has set. */
static void
take_params (VgWindow *self, const void *wanted, gboolean only_defaults)
{
  const VgParamTable *table = &vg_session_get_operation (self->session)->params;
  void *defaults = vg_params_new (table);

  for (guint i = 0; i < table->n_items; i++)
    {
      const VgParam *param = &table->items[i];
      g_autofree char *now = vg_param_format (param, vg_session_get_params (self->session));
      g_autofree char *usual = vg_param_format (param, defaults);
      g_autofree char *text = vg_param_format (param, wanted);
      if (param->kind != VG_PARAM_ACTION && g_strcmp0 (now, text) != 0 && (!only_defaults || g_strcmp0 (now, usual) == 0))
        vg_session_set_text (self->session, param, text, NULL);
    }
  vg_params_free (table, defaults);
}

static void
take_synthetic_settings (VgWindow *self)
{
  const VgOperation *operation = vg_session_get_operation (self->session);
  void *wanted;

  if (operation->synthetic == NULL || operation->synthetic->settings == NULL)
    return;
  wanted = vg_params_copy (&operation->params, vg_session_get_params (self->session));
  operation->synthetic->settings (wanted);
  take_params (self, wanted, FALSE);
  vg_params_free (&operation->params, wanted);
}

void
vg_window_forget_adopted (VgWindow *self)
{
  if (self->adopted)
    vg_params_free (&self->adopted_operation->params, g_steal_pointer (&self->adopted));
  self->adopted_operation = NULL;
}

/* What the file before said of itself holds no longer: such parameters are as good as not set. */
static void
drop_adopted (VgWindow *self)
{
  const VgOperation *operation = vg_session_get_operation (self->session);
  void *wanted, *defaults;

  if (self->adopted_operation != operation)
    return;
  wanted = vg_params_copy (&operation->params, vg_session_get_params (self->session));
  defaults = vg_params_new (&operation->params);
  for (guint i = 0; i < operation->params.n_items; i++)
    {
      const VgParam *param = &operation->params.items[i];
      g_autofree char *now = vg_param_format (param, wanted), *said = vg_param_format (param, self->adopted);
      g_autofree char *usual = vg_param_format (param, defaults);

      if (strcmp (now, said) == 0 && strcmp (said, usual) != 0)
        vg_param_parse (param, wanted, usual, NULL);
    }
  take_params (self, wanted, FALSE);
  vg_params_free (&operation->params, defaults);
  vg_params_free (&operation->params, wanted);
}

static void
take_file_settings (VgWindow *self, const VgImageInfo *info)
{
  const VgOperation *operation = vg_session_get_operation (self->session);
  void *wanted;

  drop_adopted (self);
  vg_window_forget_adopted (self);
  if (operation->adopt == NULL)
    return;
  self->adopted_operation = operation;
  self->adopted = vg_params_new (&operation->params);
  operation->adopt (self->adopted, info);
  wanted = vg_params_copy (&operation->params, vg_session_get_params (self->session));
  operation->adopt (wanted, info);
  take_params (self, wanted, TRUE);
  vg_params_free (&operation->params, wanted);
}

/* Opens with PARAMS, which are borrowed. */
static void
start_opening (VgWindow *self, const char *const *inputs, const char *reading, const void *params)
{
  g_autofree char *previous = g_steal_pointer (&self->opening.previous);

  opening_clear (&self->opening);
  self->opening.active = TRUE;
  self->opening.inputs = inputs ? g_strdupv ((char **) inputs) : g_new0 (char *, 1);
  self->opening.reading = g_strdup (reading);
  self->opening.synthetic_settings = FALSE;
  self->opening.previous = g_steal_pointer (&previous);
  vg_pipeline_open (self->pipeline, vg_session_get_operation (self->session), params,
                    (const char *const *) self->opening.inputs, reading);
  vg_window_show_state (self);
}

void
vg_window_open (VgWindow *self, const char *const *inputs, const char *reading, gboolean synthetic_settings)
{
  const VgOperation *operation = vg_session_get_operation (self->session);
  void *params = vg_params_copy (&operation->params, vg_session_get_params (self->session));

  /* without an instrument the defaults are the better sample */
  synthetic_settings = synthetic_settings && operation->input != VG_INPUT_NONE && operation->synthetic && operation->synthetic->settings;
  if (synthetic_settings)
    operation->synthetic->settings (params);
  start_opening (self, inputs, reading, params);
  self->opening.synthetic_settings = synthetic_settings;
  vg_params_free (&operation->params, params);
}

void
vg_window_open_here (VgWindow *self, const char *const *inputs, const char *reading, gboolean synthetic_settings)
{
  vg_window_open (self, inputs, reading, synthetic_settings);
  self->opening.choose_view = inputs != NULL && inputs[0] != NULL;
}

/* ---- runs of settings files ---- */

static void
show_runs (VgWindow *self)
{
  g_autoptr(GtkStringList) names = gtk_string_list_new (NULL);
  int run = vg_session_get_run (self->session);
  gboolean was_taking = self->taking;

  for (int i = 0; i < self->n_runs; i++)
    {
      const char *own = self->run_names && i < (int) g_strv_length (self->run_names) ? self->run_names[i] : "";
      g_autofree char *name = g_strdup_printf ("Run %d of %d%s%s", i + 1, self->n_runs, *own ? ": " : "", own);
      gtk_string_list_append (names, name);
    }
  self->taking = TRUE;
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->runs), G_LIST_MODEL (names));
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->runs), run < self->n_runs ? (guint) run : GTK_INVALID_LIST_POSITION);
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
  if (operation->read_settings == NULL || inputs[0] == NULL)
    return;
  self->run_names = vg_settings_file_names (operation, inputs);
  self->n_runs = (int) g_strv_length (self->run_names);
}

/* The session as it was before an opening that came to nothing. */
static void
give_back (VgWindow *self)
{
  g_autofree char *previous = g_steal_pointer (&self->opening.previous);

  if (previous == NULL)
    return;
  self->taking = TRUE;
  vg_session_from_text (self->session, previous, strlen (previous), NULL);
  self->taking = FALSE;
  vg_window_enable_actions (self);
}

void
vg_window_go_to (VgWindow *self, const VgOperation *operation)
{
  vg_commit_flush (self->session);
  g_free (self->opening.previous);
  self->opening.previous = vg_session_to_text (self->session);
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
  return vg_session_get_operation (self->session)->read_settings != NULL || vg_settings_file_find (files[0]) != NULL;
}

/* Nothing changes when a file can not be read. */
void
vg_window_open_run (VgWindow *self, const char *const *files, int run)
{
  const VgOperation *operation;
  g_autoptr(GError) error = NULL;
  void *params;
  int n = 0;

  if (vg_session_get_operation (self->session)->read_settings == NULL)
    follow_file (self, files[0]);
  operation = vg_session_get_operation (self->session);
  if (operation->read_settings == NULL)
    {
      g_autofree char *text = g_strdup_printf ("%s reads no files of settings, so there is no run to choose", operation->title);
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
      if (run == 0)
        vg_window_look_for_view (self, files, NULL, error);
      else
        vg_window_message (self, TRUE, error->message);
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
  g_auto(GStrv) inputs = NULL;

  if (self->taking || run == GTK_INVALID_LIST_POSITION || (int) run == vg_session_get_run (self->session))
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
  for (guint i = operation->n_outputs; i-- > 0;)
    if (operation->outputs[i].brought && vg_operation_output_is_shown (operation, i, vg_session_get_params (self->session)))
      view.output = (int) i;
  vg_session_set_view (self->session, &view);
}

void
vg_window_choose_reading (VgWindow *self, const char *reading)
{
  g_auto (GStrv) inputs = g_strdupv ((char **) vg_session_get_inputs (self->session));
  g_autofree char *copy = g_strdup (reading);

  vg_commit_flush (self->session);
  vg_window_open (self, (const char *const *) inputs, copy, FALSE);
}

void
vg_window_open_current (VgWindow *self)
{
  vg_window_open (self, vg_session_get_inputs (self->session), vg_session_get_reading (self->session), FALSE);
}

/* ---- session to pipeline ---- */

static void
send_regions (VgWindow *self)
{
  guint n = vg_session_get_n_regions (self->session);
  g_autofree VgRegion *regions = g_new (VgRegion, n + 1);

  for (guint i = 0; i < n; i++)
    regions[i] = vg_session_get_region (self->session, i)->region;
  self->regions_serial = vg_pipeline_set_regions (self->pipeline, regions, n);
}

static void
send_view (VgWindow *self)
{
  const VgView *view = vg_session_get_view (self->session);

  vg_pipeline_set_underlay (self->pipeline, vg_session_get_display (self->session)->underlay ? view->underlay_frame : VG_UNDERLAY_OFF);

  if (view->output != self->shown_output)
    {
      self->shown_output = view->output;
      vg_pipeline_set_output (self->pipeline, view->output);
    }
  if (view->compare != self->shown_compare)
    vg_window_send_compare (self);
  if (view->playback_fps != self->fps || view->loop != self->loop)
    {
      self->fps = view->playback_fps;
      self->loop = view->loop;
      vg_pipeline_set_playback (self->pipeline, view->playback_fps, view->loop);
    }
}

static void
send_all (VgWindow *self)
{
  self->shown_output = self->shown_compare = -1;
  self->fps = -1;
  vg_pipeline_set_params (self->pipeline, vg_session_get_params (self->session));
  send_regions (self);
  send_view (self);
}

/* An output that the parameters no longer give is not left on the screen. */
static void
choose_output (VgWindow *self)
{
  const VgOperation *operation = vg_session_get_operation (self->session);
  VgView view = *vg_session_get_view (self->session);

  if (vg_operation_output_is_shown (operation, view.output, vg_session_get_params (self->session)))
    return;
  for (guint i = 0; i < operation->n_outputs; i++)
    if (operation->outputs[i].kind != VG_OUTPUT_TEXT && vg_operation_output_is_shown (operation, i, vg_session_get_params (self->session)))
      {
        view.output = (int) i;
        vg_session_set_view (self->session, &view);
        return;
      }
}

static void
on_session_changed (VgWindow *self, guint flags)
{
  if (flags & (VG_CHANGED_OPERATION | VG_CHANGED_INPUTS))
    {
      vg_window_show_title (self);
      vg_window_forget_objects (self);
    }
  if (flags & VG_CHANGED_HISTORY)
    vg_window_enable_actions (self);
  if (self->taking)
    return;
  if (flags & (VG_CHANGED_OPERATION | VG_CHANGED_INPUTS))
    {
      vg_window_enable_actions (self);
      vg_window_open_current (self);
      return;
    }
  if (flags & VG_CHANGED_PARAMS)
    {
      vg_response_changed (&self->response, vg_pipeline_set_params (self->pipeline, vg_session_get_params (self->session)),
                           g_get_monotonic_time ());
      choose_output (self);
    }
  if (flags & VG_CHANGED_REGIONS)
    send_regions (self);
  if (flags & VG_CHANGED_VIEW)
    {
      send_view (self);
      vg_window_show_slice (self);
      vg_window_enable_actions (self);
    }
}

void
vg_window_watch_session (VgWindow *self)
{
  g_signal_connect_object (self->session, "changed", G_CALLBACK (on_session_changed), self, G_CONNECT_SWAPPED);
}

/* ---- pipeline to widgets ---- */

/* What looks like a mistake in the file, though it can be meant: it stays in view until it is closed. */
static void
show_notes (VgWindow *self)
{
  g_autoptr (GPtrArray) notes = vg_settings_file_notes (vg_session_get_operation (self->session), vg_session_get_inputs (self->session),
                                                        vg_session_get_run (self->session));
  g_autofree char *text = NULL;

  if (notes->len == 0)
    return;
  g_ptr_array_add (notes, NULL);
  text = g_strjoinv ("\n", (char **) notes->pdata);
  vg_banner_show (VG_BANNER (self->banner), VG_BANNER_WARNING, text);
}

static void
on_opened (VgWindow *self)
{
  VgImageInfo info;
  gboolean has_info = vg_pipeline_get_info (self->pipeline, &info);
  g_autofree char *details = vg_pipeline_get_details (self->pipeline);
  const char *const *inputs;

  g_clear_pointer (&self->result, vg_result_unref);
  vg_image_view_set_cuda (VG_IMAGE_VIEW (self->image), vg_pipeline_get_cuda (self->pipeline));
  if (self->opening.active)
    {
      gint64 frame = vg_session_get_view (self->session)->frame;
      gboolean another = !self->opening.params || !g_strv_equal (vg_session_get_inputs (self->session), (const char *const *) self->opening.inputs);
      gboolean reread = g_strv_equal (vg_session_get_inputs (self->session), (const char *const *) self->opening.inputs)
                        && g_strcmp0 (vg_session_get_reading (self->session), self->opening.reading) != 0;
      self->taking = TRUE;
      vg_session_set_inputs (self->session, (const char *const *) self->opening.inputs);
      vg_session_set_reading (self->session, self->opening.reading);
      if (self->opening.params)
        take_run (self);
      else if (self->opening.synthetic_settings)
        take_synthetic_settings (self);
      else if (has_info && self->opening.inputs[0])
        take_file_settings (self, &info);
      choose_output (self);
      vg_session_commit (self->session, self->opening.inputs[0] == NULL ? "Sample data" : reread ? "File Reading" : another ? "Open" : "Run");
      count_runs (self);
      show_runs (self);
      self->taking = FALSE;
      if (has_info && info.frames > 0 && frame > 0 && vg_session_get_view (self->session)->frame == frame)
        {
          /* A session that was left at a frame comes back at that frame, not moving away from it. */
          vg_pipeline_pause (self->pipeline);
          vg_pipeline_seek (self->pipeline, MIN (frame, info.frames - 1));
        }
      if (!self->started)
        vg_session_forget_history (self->session);
      self->started = TRUE;
      opening_clear (&self->opening);
    }
  send_all (self);
  vg_frame_bar_set_info (VG_FRAME_BAR (self->frame_bar), has_info ? &info : NULL);
  inputs = vg_session_get_inputs (self->session);
  vg_reading_panel_set (VG_READING_PANEL (self->reading), inputs && inputs[0] && !inputs[1] ? inputs[0] : NULL, has_info ? &info : NULL,
                        vg_session_get_reading (self->session), details);
  self->refused_serial = 0;
  vg_banner_hide (VG_BANNER (self->banner));
  if (self->n_runs > 0)
    show_notes (self);
  vg_window_show_title (self);
  vg_window_show_state (self);
}

void
vg_window_give_up_opening (VgWindow *self)
{
  g_autofree char *previous = g_steal_pointer (&self->opening.previous);

  if (!self->opening.active)
    return;
  opening_clear (&self->opening);
  self->taking = TRUE;
  if (previous)
    vg_session_from_text (self->session, previous, strlen (previous), NULL);
  self->taking = FALSE;
  send_all (self);
  vg_reading_panel_reset (VG_READING_PANEL (self->reading));
}

void
vg_window_fail_opening (VgWindow *self, const GError *error)
{
  vg_banner_show (VG_BANNER (self->banner), VG_BANNER_ERROR, error->message);
  vg_window_give_up_opening (self);
  vg_window_show_state (self);
}

static void
on_failed (VgWindow *self, const GError *error)
{
  if (self->opening.active && self->opening.choose_view && self->opening.looking == NULL)
    vg_window_look_for_view (self, (const char *const *) self->opening.inputs, self->opening.reading, error);
  else
    vg_window_fail_opening (self, error);
}

static void
on_notice (VgWindow *self, const char *text)
{
  vg_image_view_set_cuda (VG_IMAGE_VIEW (self->image), vg_pipeline_get_cuda (self->pipeline));
  vg_banner_show (VG_BANNER (self->banner), VG_BANNER_WARNING, text);
}

/* The picture stays that of the settings before; the words go when settings
 * fit again. */
static void
on_refused (VgWindow *self, guint64 serial, const char *text)
{
  self->refused_serial = serial;
  self->response.serial = 0;   /* no picture will come of it */
  self->response.taken = FALSE;
  vg_banner_show (VG_BANNER (self->banner), VG_BANNER_WARNING, text);
}

static gboolean
take_result (gpointer data)
{
  VgWindow *self = data;
  VgResult *result = vg_pipeline_take (self->pipeline);
  gboolean first;

  self->take_id = 0;
  if (result == NULL)
    return G_SOURCE_REMOVE;
  first = self->result == NULL;
  g_clear_pointer (&self->result, vg_result_unref);
  self->result = result;
  self->fresh = TRUE;
  if (first)
    vg_window_show_state (self);   /* export and the like are possible from now on */
  gtk_stack_set_visible_child_name (GTK_STACK (self->image_stack), "image");
  vg_image_view_show (VG_IMAGE_VIEW (self->image), result);
  vg_response_taken (&self->response, result->serial);
  if (self->refused_serial > 0 && result->serial > self->refused_serial)
    {
      self->refused_serial = 0;
      vg_banner_hide (VG_BANNER (self->banner));
    }
  vg_window_check_compare (self, result);
  return G_SOURCE_REMOVE;
}

/* Taken when nothing else waits: where drawing is slower than computing, a
 * picture after each result would leave no time for anything of lower
 * priority, the accessibility bus among it. */
static void
on_result (VgWindow *self)
{
  if (self->take_id == 0)
    self->take_id = g_idle_add (take_result, self);
}

static void
on_state (VgWindow *self)
{
  if (!vg_window_is_running (self))
    vg_window_note_frame (self);
  vg_window_show_state (self);
}

static void
on_painted (VgWindow *self)
{
  vg_response_painted (&self->response, g_get_monotonic_time ());
}

void
vg_window_watch_painting (VgWindow *self)
{
  g_signal_connect_object (gtk_widget_get_frame_clock (GTK_WIDGET (self)), "after-paint", G_CALLBACK (on_painted), self,
                           G_CONNECT_SWAPPED);
}

void
vg_window_start_pipeline (VgWindow *self)
{
  self->response.serial = 0;
  self->pipeline = vg_pipeline_new (self->backend);
  g_signal_connect_object (self->pipeline, "opened", G_CALLBACK (on_opened), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->pipeline, "failed", G_CALLBACK (on_failed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->pipeline, "notice", G_CALLBACK (on_notice), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->pipeline, "refused", G_CALLBACK (on_refused), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->pipeline, "result", G_CALLBACK (on_result), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->pipeline, "state-changed", G_CALLBACK (on_state), self, G_CONNECT_SWAPPED);
  vg_charts_set_pipeline (VG_CHARTS (self->charts), self->pipeline);
}

void
vg_window_stop_pipeline (VgWindow *self)
{
  vg_charts_set_pipeline (VG_CHARTS (self->charts), NULL);
  vg_image_view_show (VG_IMAGE_VIEW (self->image), NULL);
  g_clear_pointer (&self->result, vg_result_unref);
  g_clear_handle_id (&self->take_id, g_source_remove);
  g_signal_handlers_disconnect_by_data (self->pipeline, self);
  vg_pipeline_close (self->pipeline);
  g_clear_object (&self->pipeline);
  opening_clear (&self->opening);
}
