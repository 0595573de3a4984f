/* SPDX-License-Identifier: MIT */
/* The window's actions. */
#include "ui/window/vg-window-private.h"
#include "ui/picture/vg-point-drawing.h"
#include "ui/dialogs/vg-preferences.h"

/* SESSION 1: a session; 0: data. */
static void
choose_open (VgWindow *self, double session)
{
  vg_window_choose_open (self, session > 0);
}

static void
open_path (VgWindow *self, const char *path)
{
  vg_window_open_files (self, (const char *[]){ path, NULL }, NULL);
}

static void
save_session (VgWindow *self)
{
  if (!vg_window_save (self))
    vg_window_choose_save (self);
}

static void
record (VgWindow *self)
{
  if (vg_record_bar_is_recording (VG_RECORD_BAR (self->record.bar)))
    vg_record_bar_stop (VG_RECORD_BAR (self->record.bar));
  else
    vg_window_choose_record (self);
}

static void
play_or_pause (VgWindow *self)
{
  if (vg_window_is_running (self))
    vg_pipeline_pause (self->pipeline);
  else if (vg_pipeline_has_ended (self->pipeline) && vg_window_can_run (self))
    vg_opening_open_current (self->opening, FALSE);
  else
    vg_pipeline_play (self->pipeline);
  vg_window_show_state (self);
}

static void
focus_image (VgWindow *self)
{
  if (!vg_image_view_enter (vg_viewer_get_image (self->viewer)))
    gtk_window_set_focus (GTK_WINDOW (self), NULL);
}

static void
cancel (VgWindow *self)
{
  VgBanner *finished = VG_BANNER (vg_record_bar_get_finished (VG_RECORD_BAR (self->record.bar)));

  vg_image_view_cancel (vg_viewer_get_image (self->viewer));
  if (GTK_IS_TEXT (gtk_window_get_focus (GTK_WINDOW (self)))) /* the keys are the picture's again */
    focus_image (self);
  if (vg_window_leave_theatre (self))
    return;
  if (self->writing.exporting)
    g_cancellable_cancel (self->writing.exporting);
  else if (vg_window_stop_finding (self))
    vg_window_enable_actions (self);
  else if (vg_opening_is_active (self->opening) ||
           vg_work_bar_can_cancel (vg_window_get_work_bar (self)))
    {
      vg_pipeline_cancel (self->pipeline);
      vg_response_dropped (&self->response);
      vg_window_abort_opening (self);
    }
  else if (vg_inspector_close (self->inspector))
    return;
  else if (vg_banner_is_shown (VG_BANNER (self->banner)))
    vg_banner_hide (VG_BANNER (self->banner));
  else if (vg_banner_is_shown (finished))
    vg_banner_hide (finished);
  else
    vg_cautions_close (VG_CAUTIONS (self->cautions));
}

static void
undo (VgWindow *self)
{
  vg_opening_step (self->opening, vg_session_undo);
}

static void
redo (VgWindow *self)
{
  vg_opening_step (self->opening, vg_session_redo);
}

static void
switch_full_screen (VgWindow *self)
{
  if (gtk_window_is_fullscreen (GTK_WINDOW (self)))
    gtk_window_unfullscreen (GTK_WINDOW (self));
  else
    gtk_window_fullscreen (GTK_WINDOW (self));
}

static void
switch_side_pane (VgWindow *self)
{
  VgPanes *panes = VG_PANES (self->panes);

  vg_panes_show_side (panes, !vg_panes_is_side_shown (panes));
}

static void
show_side_page (VgWindow *self, const char *name)
{
  vg_panes_show_side (VG_PANES (self->panes), TRUE);
  vg_side_pane_show_page (VG_SIDE_PANE (self->side), name);
}

static void
choose_plots (VgWindow *self, const char *place)
{
  vg_panes_choose_plots (VG_PANES (self->panes), place);
}

static void
switch_plots (VgWindow *self)
{
  vg_panes_switch_plots (VG_PANES (self->panes));
}

static void
switch_event (VgWindow *self)
{
  GtkToggleButton *event = GTK_TOGGLE_BUTTON (self->event);

  if (gtk_widget_get_visible (self->event))
    gtk_toggle_button_set_active (event, !gtk_toggle_button_get_active (event));
}

static void
show_preferences (VgWindow *self)
{
  gtk_window_present (GTK_WINDOW (vg_preferences_new (GTK_WINDOW (self), self->settings)));
}

static void
zoom_by (VgWindow *self, double factor)
{
  vg_viewer_zoom (self->viewer, factor);
  vg_window_show_state (self);
}

static void
zoom_fit (VgWindow *self)
{
  vg_viewer_zoom (self->viewer, 0);
  vg_window_show_state (self);
}

static void
zoom_one (VgWindow *self)
{
  vg_image_view_zoom_to (vg_viewer_get_image (self->viewer), 1);
  vg_window_show_state (self);
}

static void
switch_planes (VgWindow *self)
{
  VgView view = *vg_session_get_view (self->session);

  view.volume.planes = !view.volume.planes;
  if (view.mosaic)
    view.zoom = 0;
  view.mosaic = FALSE;
  vg_session_set_view (self->session, &view);
}

/* Regions are drawn in one slice. */
static void
leave_planes (VgWindow *self)
{
  if (vg_session_get_view (self->session)->volume.planes)
    switch_planes (self);
}

static void
choose_tool (VgWindow *self, const char *wanted)
{
  for (guint i = 0; vg_window_tools[i] != NULL; i++)
    if (g_str_equal (vg_window_tools[i], wanted) &&
        (i != VG_TOOL_POINT || vg_point_drawing_find (self->session, VG_POINTS_SET)) &&
        (i != VG_TOOL_CORRECT || vg_window_begin_corrections (self)))
      {
        if (i != VG_TOOL_PAN)
          leave_planes (self);
        vg_image_view_set_tool (vg_viewer_get_image (self->viewer), (VgTool) i);
      }
}

static void
choose_operation (VgWindow *self, const char *id)
{
  const VgOperation *operation = vg_operation_find (id);

  if (operation == NULL || operation == vg_session_get_operation (self->session))
    return;
  if (vg_window_stays_empty (self, operation))
    {
      vg_opening_show_view (self->opening, operation);
      vg_window_show_title (self);
      vg_window_show_state (self);
      return;
    }
  vg_opening_switch_view (self->opening, operation);
}

static void
move_output (VgWindow *self, double by)
{
  const VgOperation *operation = vg_session_get_operation (self->session);
  VgView view = *vg_session_get_view (self->session);

  for (int i = view.output + (int) by; i >= 0 && i < (int) operation->n_outputs; i += (int) by)
    if (operation->outputs[i].kind != VG_OUTPUT_TEXT &&
        vg_operation_output_is_shown (operation, i, vg_session_get_params (self->session)))
      {
        view.output = i;
        vg_session_set_view (self->session, &view);
        return;
      }
}

static void
move_slice (VgWindow *self, double by)
{
  vg_slice_box_move (vg_transport_get_slices (VG_TRANSPORT (self->transport)),
                     by > 0 ? GTK_SPIN_STEP_FORWARD : GTK_SPIN_STEP_BACKWARD);
}

/* The image is fitted again, as positions in a slice and in a mosaic differ. */
static void
switch_mosaic (VgWindow *self)
{
  VgView view = *vg_session_get_view (self->session);

  view.mosaic = !view.mosaic;
  view.volume.planes = FALSE;
  view.zoom = 0;
  vg_session_set_view (self->session, &view);
}

static void
step_forward (VgWindow *self)
{
  vg_past_bar_step (vg_transport_get_past (VG_TRANSPORT (self->transport)), 1);
  if (vg_session_get_operation (self->session)->input.kind == VG_INPUT_STREAM)
    vg_frame_bar_step (vg_window_get_frames (self), 1);
  else
    vg_pipeline_step (self->pipeline);
}

static void
step_back (VgWindow *self)
{
  vg_past_bar_step (vg_transport_get_past (VG_TRANSPORT (self->transport)), -1);
  vg_frame_bar_step (vg_window_get_frames (self), -1);
}

static void
clear_time_course (VgWindow *self)
{
  vg_pipeline_clear_time_course (self->pipeline);
}

static void
keep (VgWindow *self)
{
  if (self->result)
    vg_compare_bar_keep (VG_COMPARE_BAR (self->compare));
}

static void
drop_reference (VgWindow *self)
{
  vg_compare_bar_drop_reference (VG_COMPARE_BAR (self->compare));
}

static void
compare_choice (VgWindow *self)
{
  if (self->result)
    vg_compare_bar_compare_choice (VG_COMPARE_BAR (self->compare));
}

static void
choose_comparison (VgWindow *self, const char *mode)
{
  vg_compare_bar_set_mode (VG_COMPARE_BAR (self->compare), mode);
}

static void
show_next_comparison (VgWindow *self)
{
  vg_compare_bar_set_next_mode (VG_COMPARE_BAR (self->compare));
}

static void
analyse (VgWindow *self, char *read_options /* owned; NULL: refused */)
{
  if (read_options != NULL)
    vg_window_choose_read_options (self, read_options);
  g_free (read_options);
}

static void
analyse_shown (VgWindow *self)
{
  analyse (self, vg_window_analyse_shown (self));
}

static void
analyse_region (VgWindow *self)
{
  analyse (self, vg_window_analyse_region (self));
}

static void
tell (VgWindow *self, const char *text)
{
  vg_window_message (self, FALSE, text);
}

/* PATH empty: the file is chosen in a dialog. */
static void
import_regions (VgWindow *self, const char *path)
{
  if (*path != '\0')
    vg_window_import_regions (self, path);
  else
    vg_window_choose_regions (self);
}

static const struct
{
  const char *name;
  void (*act) (VgWindow *self);
  void (*choose) (VgWindow *self, const char *value); /* an action with a string */
  void (*move) (VgWindow *self, double by);
  double by;
  const char *state; /* vg_window_enable_actions() updates it; NULL: none */
} actions[] = {
  { "open", .move = choose_open },
  { "open-folder", vg_window_choose_folder },
  { "open-camera", vg_window_choose_camera },
  { "receive", vg_window_choose_receive },
  { "open-session", .move = choose_open, .by = 1 },
  { "open-path", .choose = open_path },
  { "import-regions", .choose = import_regions },
  { "find-regions", vg_window_find_regions },
  { "take-mean", .choose = vg_window_take_mean },
  { "sample", vg_window_choose_sample },
  { "open-sample", .choose = vg_window_open_sample },
  { "sample-event", switch_event },
  { "last-session", vg_window_open_last_session },
  { "save-session", save_session },
  { "save-session-as", vg_window_choose_save },
  { "export", vg_window_choose_export },
  { "report", vg_window_choose_report },
  { "copy-command", vg_window_copy_command },
  { "copy-methods", vg_window_copy_methods },
  { "screenshot", vg_window_choose_screenshot },
  { "record", record, .state = "false" },
  { "send", vg_window_choose_send },
  { "play-pause", play_or_pause },
  { "cancel", cancel },
  { "undo", undo },
  { "redo", redo },
  { "full-screen", switch_full_screen },
  { "theatre", vg_window_switch_theatre },
  { "mirror", vg_window_switch_mirror, .state = "false" },
  { "next-region", vg_window_choose_next_region },
  { "baseline", vg_window_set_baseline },
  { "mark", vg_window_mark_time },
  { "mark-or-mosaic", vg_window_ask_for_mark },
  { "side-pane", switch_side_pane, .state = "true" },
  { "side-page", .choose = show_side_page },
  { "help", vg_window_show_help },
  { "tour", vg_window_take_tour },
  { "show-help-overlay", vg_window_show_shortcuts },
  { "document", .choose = vg_window_show_document },
  { "find", vg_window_show_finder },
  { "find-setting", .choose = vg_window_find_setting },
  { "find-map", .choose = vg_window_find_map },
  { "find-plot", .choose = vg_window_find_plot },
  { "plots", .choose = choose_plots, .state = "'automatic'" },
  { "switch-plots", switch_plots },
  { "preferences", show_preferences },
  { "zoom-in", .move = zoom_by, .by = 1.25 },
  { "zoom-out", .move = zoom_by, .by = 1 / 1.25 },
  { "zoom-fit", zoom_fit },
  { "zoom-one", zoom_one },
  { "tool", .choose = choose_tool, .state = "'pan'" },
  { "operation", .choose = choose_operation, .state = "''" },
  { "next-output", .move = move_output, .by = 1 },
  { "previous-output", .move = move_output, .by = -1 },
  { "next-slice", .move = move_slice, .by = 1 },
  { "previous-slice", .move = move_slice, .by = -1 },
  { "mosaic", switch_mosaic, .state = "false" },
  { "planes", switch_planes, .state = "false" },
  { "step-forward", step_forward },
  { "step-back", step_back },
  { "keep", keep },
  { "compare-choice", compare_choice },
  { "forget-kept", drop_reference },
  { "compare", .choose = choose_comparison, .state = "'off'" },
  { "next-compare", show_next_comparison },
  { "part-shown", analyse_shown },
  { "part-region", analyse_region },
  { "set-scale", vg_window_choose_scale },
  { "clear-time-course", clear_time_course },
  { "focus-image", focus_image },
  { "tell", .choose = tell },
  { "sweep", vg_window_open_sweep },
};

static void
on_action (GSimpleAction *action, GVariant *value, gpointer data)
{
  guint i = 0;

  while (!g_str_equal (actions[i].name, g_action_get_name (G_ACTION (action))))
    i++;
  if (actions[i].act != NULL)
    actions[i].act (data);
  else if (actions[i].move != NULL)
    actions[i].move (data, actions[i].by);
  else
    actions[i].choose (data, g_variant_get_string (value, NULL));
  vg_window_enable_actions (data);
}

void
vg_window_add_actions (VgWindow *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (actions); i++)
    {
      gboolean is_choice = actions[i].choose != NULL && actions[i].state != NULL;
      const GActionEntry entry = { .name = actions[i].name,
                                   .activate = is_choice ? NULL : on_action,
                                   .change_state = is_choice ? on_action : NULL,
                                   .parameter_type = actions[i].choose != NULL ? "s" : NULL,
                                   .state = actions[i].state };

      g_action_map_add_action_entries (G_ACTION_MAP (self), &entry, 1, self);
    }
  vg_window_add_keys (self);
}
