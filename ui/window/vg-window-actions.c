/* SPDX-License-Identifier: MIT */
/* The window's actions. */
#include "ui/window/vg-window-private.h"
#include "ui/picture/vg-point-drawing.h"
#include "ui/window/vg-preferences.h"

static VgWindow *
window_of (gpointer data)
{
  return VG_WINDOW (data);
}

static void
on_open (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  vg_window_choose_open (window_of (data), FALSE);
}

static void
on_open_session (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  vg_window_choose_open (window_of (data), TRUE);
}

static void
on_open_path (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  const char *paths[] = { g_variant_get_string (parameter, NULL), NULL };

  vg_window_open_files (window_of (data), paths, NULL);
}

static void
on_sample (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  vg_window_open_files (window_of (data), NULL, NULL);
}

static void
on_last_session (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  vg_window_open_last_session (data);
}

static void
on_save_session (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  if (!vg_window_save (data))
    vg_window_choose_save (data);
}

static void
on_save_session_as (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  vg_window_choose_save (window_of (data));
}

static void
on_export (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  vg_window_choose_export (window_of (data));
}

static void
on_screenshot (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  vg_window_choose_screenshot (window_of (data));
}

static void
on_record (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  VgWindow *self = data;

  if (vg_record_bar_is_recording (VG_RECORD_BAR (self->record_bar)))
    vg_record_bar_stop (VG_RECORD_BAR (self->record_bar));
  else
    vg_window_choose_record (self);
}

static void
on_play_pause (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  VgWindow *self = data;

  if (vg_window_is_running (self))
    vg_pipeline_pause (self->pipeline);
  else if (vg_pipeline_has_ended (self->pipeline) && vg_window_can_run (self))
    vg_window_open_current (self);
  else
    vg_pipeline_play (self->pipeline);
  vg_window_show_state (self);
}

static void
on_cancel (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  VgWindow *self = data;
  VgBanner *finished = VG_BANNER (vg_record_bar_get_finished (VG_RECORD_BAR (self->record_bar)));

  vg_image_view_cancel (VG_IMAGE_VIEW (self->image));
  if (self->writing.exporting)
    g_cancellable_cancel (self->writing.exporting);
  else if (self->opening.active || vg_work_bar_can_cancel (vg_window_get_work_bar (self)))
    {
      vg_pipeline_cancel (self->pipeline);
      vg_response_dropped (&self->response);
      vg_window_abort_opening (self);
    }
  else if (vg_banner_is_shown (VG_BANNER (self->banner)))
    vg_banner_hide (VG_BANNER (self->banner));
  else if (vg_banner_is_shown (finished))
    vg_banner_hide (finished);
  else
    vg_cautions_close (VG_CAUTIONS (self->cautions));
}

/* A step may open earlier inputs. */
static void
go_through_history (VgWindow *self, void (*step) (VgSession *session))
{
  vg_window_mark (self);
  step (self->session);
  vg_window_drop_mark (self);
}

static void
on_undo (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  go_through_history (data, vg_session_undo);
}

static void
on_redo (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  go_through_history (data, vg_session_redo);
}

static void
on_full_screen (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  if (gtk_window_is_fullscreen (GTK_WINDOW (data)))
    gtk_window_unfullscreen (GTK_WINDOW (data));
  else
    gtk_window_fullscreen (GTK_WINDOW (data));
}

static void
on_side_pane (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  VgWindow *self = data;
  gboolean shown = !gtk_widget_get_visible (self->side);

  gtk_widget_set_visible (self->side, shown);
  g_simple_action_set_state (action, g_variant_new_boolean (shown));
}

static void
on_preferences (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  gtk_window_present (
      GTK_WINDOW (vg_preferences_new (GTK_WINDOW (data), window_of (data)->settings)));
}

static void
zoom_by (VgWindow *self, double factor)
{
  VgImageView *image = VG_IMAGE_VIEW (self->image);

  vg_image_view_zoom_to (image, vg_image_view_get_zoom (image) * factor);
  vg_window_show_state (self);
}

static void
on_zoom_in (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  zoom_by (data, 1.25);
}

static void
on_zoom_out (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  zoom_by (data, 1 / 1.25);
}

static void
on_zoom_fit (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  vg_image_view_zoom_fit (VG_IMAGE_VIEW (window_of (data)->image));
  vg_window_show_state (data);
}

static void
on_zoom_one (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  vg_image_view_zoom_to (VG_IMAGE_VIEW (window_of (data)->image), 1);
  vg_window_show_state (data);
}

static const char *const tools[] = { "pan", "rectangle", "ellipse", "polygon", "point" };

static void
on_tool (GSimpleAction *action, GVariant *state, gpointer data)
{
  const char *wanted = g_variant_get_string (state, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (tools); i++)
    if (g_str_equal (tools[i], wanted) &&
        (i != VG_TOOL_POINT || vg_point_drawing_find (window_of (data)->session, VG_POINTS_SET)))
      {
        g_simple_action_set_state (action, state);
        vg_image_view_set_tool (VG_IMAGE_VIEW (window_of (data)->image), (VgTool) i);
      }
}

static void
on_operation (GSimpleAction *action, GVariant *state, gpointer data)
{
  VgWindow *self = data;
  const VgOperation *operation = vg_operation_find (g_variant_get_string (state, NULL));

  if (operation == NULL || operation == vg_session_get_operation (self->session))
    return;
  vg_window_go_to (self, operation);
  if (vg_session_get_inputs (self->session)[0] == NULL) /* the sample, in the same undo step */
    {
      self->taking = TRUE;
      vg_window_adopt (self, NULL, FALSE);
      self->taking = FALSE;
    }
  vg_session_commit (self->session, operation->title);
  vg_window_enable_actions (self);
  self->opening.resume = TRUE;
  vg_window_open_current (self);
}

static void
move_output (VgWindow *self, int by)
{
  const VgOperation *operation = vg_session_get_operation (self->session);
  VgView view = *vg_session_get_view (self->session);

  for (int i = view.output + by; i >= 0 && i < (int) operation->n_outputs; i += by)
    if (operation->outputs[i].kind != VG_OUTPUT_TEXT &&
        vg_operation_output_is_shown (operation, i, vg_session_get_params (self->session)))
      {
        view.output = i;
        vg_session_set_view (self->session, &view);
        return;
      }
}

static void
on_next_output (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  move_output (data, 1);
}

static void
on_previous_output (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  move_output (data, -1);
}

static void
on_next_slice (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  vg_toolbar_move_slice (VG_TOOLBAR (window_of (data)->toolbar), GTK_SPIN_STEP_FORWARD);
}

/* Fitted anew: places in a slice and in a mosaic are not the same. */
static void
on_mosaic (GSimpleAction *action, GVariant *state, gpointer data)
{
  VgWindow *self = data;
  VgView view = *vg_session_get_view (self->session);

  view.mosaic = g_variant_get_boolean (state);
  view.zoom = 0;
  vg_session_set_view (self->session, &view);
}

static void
on_previous_slice (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  vg_toolbar_move_slice (VG_TOOLBAR (window_of (data)->toolbar), GTK_SPIN_STEP_BACKWARD);
}

static void
on_step_forward (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  VgWindow *self = data;

  if (vg_session_get_operation (self->session)->input.kind == VG_INPUT_STREAM)
    vg_frame_bar_step (VG_FRAME_BAR (self->frame_bar), 1);
  else
    vg_pipeline_step (self->pipeline);
}

static void
on_step_back (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  vg_frame_bar_step (VG_FRAME_BAR (window_of (data)->frame_bar), -1);
}

static void
on_clear_time_course (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  vg_pipeline_clear_time_course (window_of (data)->pipeline);
}

static void
on_keep (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  if (window_of (data)->result)
    vg_compare_bar_keep (VG_COMPARE_BAR (window_of (data)->compare));
}

static void
on_forget_reference (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  vg_compare_bar_drop_reference (VG_COMPARE_BAR (window_of (data)->compare));
}

static void
on_compare_choice (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  if (window_of (data)->result)
    vg_compare_bar_compare_choice (VG_COMPARE_BAR (window_of (data)->compare));
}

static void
on_compare (GSimpleAction *action, GVariant *state, gpointer data)
{
  vg_compare_bar_set_mode (VG_COMPARE_BAR (window_of (data)->compare),
                           g_variant_get_string (state, NULL));
}

static void
on_next_compare (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  vg_compare_bar_set_next_mode (VG_COMPARE_BAR (window_of (data)->compare));
}

static void
on_part_shown (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  g_autofree char *read_options = vg_window_analyse_shown (data);

  if (read_options != NULL)
    vg_window_choose_read_options (data, read_options);
}

static void
on_part_region (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  g_autofree char *read_options = vg_window_analyse_region (data);

  if (read_options != NULL)
    vg_window_choose_read_options (data, read_options);
}

static void
on_import_regions (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  const char *path = g_variant_get_string (parameter, NULL);

  if (*path != '\0')
    vg_window_import_regions (window_of (data), path);
  else
    vg_window_choose_regions (window_of (data));
}

static const GActionEntry entries[] = {
  { .name = "open", .activate = on_open },
  { .name = "open-session", .activate = on_open_session },
  { .name = "open-path", .activate = on_open_path, .parameter_type = "s" },
  /* "": chosen in a dialog */
  { .name = "import-regions", .activate = on_import_regions, .parameter_type = "s" },
  { .name = "sample", .activate = on_sample },
  { .name = "last-session", .activate = on_last_session },
  { .name = "save-session", .activate = on_save_session },
  { .name = "save-session-as", .activate = on_save_session_as },
  { .name = "export", .activate = on_export },
  { .name = "screenshot", .activate = on_screenshot },
  { .name = "record", .activate = on_record, .state = "false" },
  { .name = "play-pause", .activate = on_play_pause },
  { .name = "cancel", .activate = on_cancel },
  { .name = "undo", .activate = on_undo },
  { .name = "redo", .activate = on_redo },
  { .name = "full-screen", .activate = on_full_screen },
  { .name = "side-pane", .activate = on_side_pane, .state = "true" },
  { .name = "preferences", .activate = on_preferences },
  { .name = "zoom-in", .activate = on_zoom_in },
  { .name = "zoom-out", .activate = on_zoom_out },
  { .name = "zoom-fit", .activate = on_zoom_fit },
  { .name = "zoom-one", .activate = on_zoom_one },
  { .name = "tool", .parameter_type = "s", .state = "'pan'", .change_state = on_tool },
  { .name = "operation", .parameter_type = "s", .state = "''", .change_state = on_operation },
  { .name = "next-output", .activate = on_next_output },
  { .name = "previous-output", .activate = on_previous_output },
  { .name = "next-slice", .activate = on_next_slice },
  { .name = "previous-slice", .activate = on_previous_slice },
  { .name = "mosaic", .state = "false", .change_state = on_mosaic },
  { .name = "step-forward", .activate = on_step_forward },
  { .name = "step-back", .activate = on_step_back },
  { .name = "keep", .activate = on_keep },
  { .name = "compare-choice", .activate = on_compare_choice },
  { .name = "forget-kept", .activate = on_forget_reference },
  { .name = "compare", .parameter_type = "s", .state = "'off'", .change_state = on_compare },
  { .name = "next-compare", .activate = on_next_compare },
  { .name = "part-shown", .activate = on_part_shown },
  { .name = "part-region", .activate = on_part_region },
  { .name = "clear-time-course", .activate = on_clear_time_course },
};

void
vg_window_add_actions (VgWindow *self)
{
  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  vg_window_add_keys (self);
}
