/* SPDX-License-Identifier: MIT */
#include "ui/pages/vg-profile-page.h"
#include "ui/scatter/vg-scatter-page.h"
#include "ui/window/vg-window-private.h"
#include "ui/words/vg-translation.h"
#include "ui/common/vg-widgets.h"
#include "ui/common/vg-object.h"

enum { TICK_MS = 100, CHARTS_EVERY = 2, MOST_DEFERRED = 2 };

G_DEFINE_FINAL_TYPE (VgWindow, vg_window, GTK_TYPE_APPLICATION_WINDOW)

/* ---- image ---- */

static void
on_probe (VgImageView *image, double x, double y, int slice, double value, gboolean inside,
          VgWindow *self)
{
  vg_probe_set_pointer (self->probe, x, y, slice, value, inside);
  vg_inspector_set_pointer (self->inspector, x, y, slice, inside);
}

static void
on_pixel (VgImageView *image, double x, double y, VgWindow *self)
{
  VgView view = *vg_session_get_view (self->session);

  view.volume.column = (int) x + 1; /* the three planes begin there */
  view.volume.row = (int) y + 1;
  vg_session_set_view (self->session, &view);
  vg_object_selection_choose_at (self->objects, x, y);
  vg_charts_choose_pixel (VG_CHARTS (self->charts), x, y);
  vg_inspector_choose_pixel (self->inspector, x, y);
}

/* The crosshair of the three planes is at a voxel of the shown slice. */
static void
on_moved (VgWindow *self, int x, int y, int z, double value)
{
  vg_probe_set_pointer (self->probe, x + 0.5, y + 0.5, z, value, TRUE);
  vg_charts_choose_pixel (VG_CHARTS (self->charts), x + 0.5, y + 0.5);
  vg_inspector_choose_pixel (self->inspector, x + 0.5, y + 0.5);
}

static void
on_sections_failed (VgWindow *self, const char *why)
{
  vg_window_show_banner (self, VG_BANNER_WARNING, why);
}

static void
on_gl_failed (VgWindow *self, const char *why) /* NULL: it works again */
{
  if (why != NULL)
    vg_banner_show (VG_BANNER (self->banner), VG_BANNER_ERROR, why);
  else if (self->cause.gl_failure != NULL)
    vg_banner_withdraw (VG_BANNER (self->banner), self->cause.gl_failure);
  g_free (self->cause.gl_failure);
  self->cause.gl_failure = g_strdup (why);
}

/* Connects a new image view to the parts of the window. */
static void
connect_image (VgWindow *self)
{
  VgImageView *image = vg_viewer_get_image (self->viewer);
  GtkWidget *tint = vg_image_view_get_tint (image);

  g_signal_connect_object (image, "probe", G_CALLBACK (on_probe), self, 0);
  g_signal_connect_object (image, "pixel-chosen", G_CALLBACK (on_pixel), self, 0);
  vg_connect (image, "gl-failed", on_gl_failed, self);
  vg_connect (image, "tool-changed", vg_window_enable_actions, self);
  vg_object_selection_set_image (self->objects, image);
  vg_window_watch_strokes (self);
  vg_probe_set_image (self->probe, GTK_WIDGET (image));
  vg_window_watch_slide (self);
  vg_inspector_set_image (self->inspector, image);
  vg_camera_set_tint (self->camera, tint);
  vg_compare_bar_set_image (VG_COMPARE_BAR (self->compare), image);
  vg_profile_page_set_ruler (VG_PROFILE_PAGE (vg_charts_get_profile (VG_CHARTS (self->charts))),
                             VG_RULER_LAYER (vg_image_view_get_ruler (image)));
  vg_scatter_page_set_layer (VG_SCATTER_PAGE (vg_charts_get_scatter (VG_CHARTS (self->charts))),
                             VG_TINT_LAYER (tint));
}

static void
set_display_path (VgWindow *self, int display_path)
{
  vg_viewer_set_display_path (self->viewer, display_path);
  connect_image (self);
  vg_window_show_slide (self);
  if (vg_window_has_image (self))
    vg_window_show_image (self, self->result);
}

/* ---- pipeline ---- */

static void
on_notice (VgWindow *self, const char *text)
{
  vg_window_set_cuda (self);
  vg_window_show_banner (self, VG_BANNER_WARNING, text);
}

/* The image stays that of earlier settings; the banner is hidden once settings are accepted. */
static void
on_refused (VgWindow *self, guint64 serial, const char *text)
{
  if (self->sweep != NULL)
    vg_sweep_dialog_refuse (VG_SWEEP_DIALOG (self->sweep), serial, text);
  self->cause.refused_serial = serial;
  vg_response_dropped (&self->response);
  vg_window_show_banner (self, VG_BANNER_WARNING, text);
}

/* Gives the pipeline, or NULL, to the parts that ask it. */
static void
set_pipeline (VgWindow *self, VgPipeline *pipeline)
{
  vg_charts_set_pipeline (VG_CHARTS (self->charts), pipeline);
  vg_compare_bar_set_pipeline (VG_COMPARE_BAR (self->compare), pipeline);
  vg_record_bar_set_pipeline (VG_RECORD_BAR (self->record.bar), pipeline);
  vg_object_selection_set_pipeline (self->objects, pipeline);
  vg_probe_set_pipeline (self->probe, pipeline);
  vg_inspector_set_pipeline (self->inspector, pipeline);
  vg_event_button_set_pipeline (VG_EVENT_BUTTON (self->event), pipeline);
}

static void
connect_pipeline (VgWindow *self)
{
  self->response.serial = 0;
  vg_connect (self->pipeline, "opened", vg_window_opened, self);
  vg_connect (self->pipeline, "failed", vg_window_opening_failed, self);
  vg_connect (self->pipeline, "notice", on_notice, self);
  vg_connect (self->pipeline, "refused", on_refused, self);
  vg_window_connect_results (self);
  vg_connect (self->pipeline, "recorded", vg_record_bar_finish, self->record.bar);
  vg_connect (self->pipeline, "state-changed", vg_window_state_changed, self);
  set_pipeline (self, self->pipeline);
  vg_window_set_sender (self);
}

void
vg_window_start_pipeline (VgWindow *self)
{
  self->pipeline = vg_pipeline_new (self->backend);
  vg_opening_set_pipeline (self->opening, self->pipeline);
  connect_pipeline (self);
}

void
vg_window_stop_pipeline (VgWindow *self)
{
  set_pipeline (self, NULL);
  vg_window_show_image (self, NULL);
  vg_side_pane_set_display (VG_SIDE_PANE (self->side), NULL);
  vg_window_set_result (self, NULL);
  vg_window_free_shown (self);
  self->left_over = FALSE;
  g_clear_handle_id (&self->result_id, g_source_remove);
  g_signal_handlers_disconnect_by_data (self->pipeline, self);
  g_signal_handlers_disconnect_by_data (self->pipeline, self->record.bar);
  vg_pipeline_close (self->pipeline);
  g_clear_object (&self->pipeline);
  vg_opening_set_pipeline (self->opening, NULL);
}

/* ---- assembly ---- */

static void
on_seek (VgWindow *self, gint64 frame)
{
  vg_pipeline_seek (self->pipeline, frame);
}

static void
on_run (VgWindow *self, int run)
{
  vg_session_commit_waiting (self->session);
  vg_window_open_run (self, vg_session_get_inputs (self->session), run);
}

static gboolean
on_restore (VgWindow *self, const char *file, const char *path)
{
  return vg_window_load_session (self, file, path);
}

static void
on_journal_failed (VgWindow *self, const char *text)
{
  vg_window_show_banner (self, VG_BANNER_WARNING, text);
}

static const VgUnderlay *
get_underlay (gpointer owner)
{
  VgWindow *self = owner;

  return self->result != NULL ? self->result->underlay : NULL;
}

static void
make_parts (VgWindow *self, int display_path)
{
  self->header = vg_header_new ();
  self->outputs = vg_output_choice_new ();
  self->toolbar = vg_toolbar_new (self->session);
  self->compare = vg_compare_bar_new (self->session);
  self->event = vg_event_button_new ();
  self->viewer = vg_viewer_new (self->session, display_path);
  self->banner = vg_banner_new ();
  self->question = vg_banner_new ();
  self->cautions = vg_cautions_new ();
  self->transport = vg_transport_new (self->session);
  self->record.bar = vg_record_bar_new ();
  self->status = vg_status_bar_new ();
  self->charts = vg_charts_new (self->session);
  self->side = vg_side_pane_new (self->session);
  self->journal = vg_session_journal_new (self->session);
  self->objects = vg_object_selection_new (self->session,
                                           vg_charts_get_objects (VG_CHARTS (self->charts)));
  self->probe = vg_probe_new (self->session, self->objects, VG_STATUS_BAR (self->status));
  self->inspector = vg_inspector_new (self->session, self->objects, VG_COMPARE_BAR (self->compare));
  vg_inspector_set_room (self->inspector,
                         vg_sections_get_room (vg_viewer_get_sections (self->viewer)));
}

/* A box with WIDGET, which theatre mode hides while the widget stays shown or hidden by itself. */
static GtkWidget *
frame (GtkWidget *widget)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  gtk_box_append (GTK_BOX (box), widget);
  return box;
}

/* Messages lie over the upper edge of the image, beside the colour bar. */
static gboolean
place_messages (GtkOverlay *stage, GtkWidget *messages, GdkRectangle *place, VgWindow *self)
{
  int width = gtk_widget_get_width (GTK_WIDGET (stage)) -
              vg_image_view_get_bar (vg_viewer_get_image (self->viewer)),
      least, height;

  gtk_widget_measure (messages, GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL, NULL);
  width = MAX (width, least);
  gtk_widget_measure (messages, GTK_ORIENTATION_VERTICAL, width, NULL, &height, NULL, NULL);
  *place = (GdkRectangle){ 0, 0, width, height };
  return TRUE;
}

static void
place_widgets (VgWindow *self)
{
  VgRecordBar *record_bar = VG_RECORD_BAR (self->record.bar);
  GtkWidget *no_title = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  /* from top to bottom, above the image; there a recording moves no button that is in use */
  GtkWidget *above[] = { frame (self->toolbar), frame (self->record.bar) };
  /* and over it, so that a message does not change its size */
  GtkWidget *messages[] = { frame (self->cautions),
                            vg_record_bar_get_interrupted (record_bar),
                            vg_record_bar_get_finished (record_bar),
                            frame (vg_session_journal_get_banner (self->journal)),
                            frame (self->question),
                            self->banner };
  GtkWidget *stage = gtk_overlay_new (), *over = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  vg_window_add_welcome (self);
  vg_viewer_add_over (self->viewer, vg_inspector_get_card (self->inspector));
  vg_viewer_add_over (self->viewer, self->compare);
  self->theatre = vg_theatre_new (GTK_WIDGET (self->viewer));
  vg_theatre_add_button (VG_THEATRE (self->theatre), self->event);
  gtk_overlay_set_child (GTK_OVERLAY (stage), self->theatre);
  gtk_overlay_add_overlay (GTK_OVERLAY (stage), over);
  g_signal_connect_object (stage, "get-child-position", G_CALLBACK (place_messages), self, 0);
  vg_inspector_set_messages (self->inspector, over);
  gtk_box_append (GTK_BOX (over), vg_theatre_get_banner (VG_THEATRE (self->theatre)));
  for (guint i = 0; i < G_N_ELEMENTS (messages); i++)
    gtk_box_append (GTK_BOX (over), messages[i]);
  gtk_box_append (GTK_BOX (self->image_box), stage);
  /* GTK hides the title bar in full screen, so the header with the menus is an ordinary widget */
  gtk_widget_set_visible (no_title, FALSE);
  gtk_window_set_titlebar (GTK_WINDOW (self), no_title);
  gtk_box_append (GTK_BOX (self->box), vg_header_get_widget (self->header));
  g_object_bind_property (self, "fullscreened", vg_header_get_widget (self->header),
                          "show-title-buttons", G_BINDING_SYNC_CREATE | G_BINDING_INVERT_BOOLEAN);
  for (guint i = 0; i < G_N_ELEMENTS (above); i++)
    gtk_box_insert_child_after (GTK_BOX (self->image_box), above[i], i > 0 ? above[i - 1] : NULL);
  vg_toolbar_insert (VG_TOOLBAR (self->toolbar),
                     vg_compare_bar_get_button (VG_COMPARE_BAR (self->compare)));
  gtk_box_append (GTK_BOX (self->image_box), frame (self->transport));
  self->panes = vg_panes_new ();
  vg_panes_set_picture (VG_PANES (self->panes), self->image_box);
  vg_panes_set_plots (VG_PANES (self->panes), self->charts);
  vg_panes_set_side (VG_PANES (self->panes), self->side);
  gtk_box_append (GTK_BOX (self->box), vg_window_add_help (self, self->panes));
  gtk_box_append (GTK_BOX (self->box), frame (self->status));
}

static void
on_compared (VgWindow *self)
{
  self->fresh = self->result != NULL; /* the kept numbers come or go beside its own */
  vg_window_show_state (self);
}

static void
connect_parts (VgWindow *self)
{
  VgSections *sections = vg_viewer_get_sections (self->viewer);

  vg_window_connect_banners (self);
  vg_window_connect_opening (self);
  vg_window_watch_question (self);
  vg_window_watch_mirror (self);
  vg_window_watch_camera (self);
  vg_connect (vg_theatre_get_mirror (VG_THEATRE (self->theatre)), "changed",
              vg_window_enable_actions, self);
  g_signal_connect_swapped (self->panes, "changed", G_CALLBACK (vg_window_enable_actions), self);
  g_signal_connect_swapped (vg_window_get_frames (self), "seek", G_CALLBACK (on_seek), self);
  g_signal_connect_swapped (vg_toolbar_get_runs (VG_TOOLBAR (self->toolbar)), "chosen",
                            G_CALLBACK (on_run), self);
  g_signal_connect_swapped (vg_window_get_read_options (self), "changed",
                            G_CALLBACK (vg_window_choose_read_options), self);
  g_signal_connect_swapped (self->compare, "changed", G_CALLBACK (on_compared), self);
  g_signal_connect_swapped (self->record.bar, "changed", G_CALLBACK (vg_window_enable_actions),
                            self);
  vg_connect (vg_inspector_get_card (self->inspector), "message", vg_window_message, self);
  vg_level_add_drag (GTK_WIDGET (self->viewer), self->session, get_underlay, self);
  vg_connect (sections, "moved", on_moved, self);
  vg_connect (sections, "failed", on_sections_failed, self);
  vg_connect (vg_sections_get_mask (sections), "ask", vg_window_choose_mask, self);
  vg_connect (vg_sections_get_mask (sections), "message", vg_window_message, self);
  vg_connect (self->journal, "restore", on_restore, self);
  vg_connect (self->journal, "failed", on_journal_failed, self);
}

static void
on_setting (VgWindow *self, const char *key)
{
  if (self->pipeline == NULL)
    return;
  if (g_str_equal (key, "backend"))
    {
      g_autoptr (VgPipeline) before = g_object_ref (self->pipeline);

      self->backend = (VgBackend) vg_settings_get_int (self->settings, key, VG_BACKEND_AUTO,
                                                       VG_BACKEND_AUTO, VG_BACKEND_CUDA);
      vg_window_note_frame (self);
      vg_record_bar_finish (VG_RECORD_BAR (self->record.bar));
      vg_window_stop_pipeline (self);
      vg_window_start_pipeline (self);
      vg_pipeline_inherit (self->pipeline, before);
      vg_opening_open_current (self->opening, TRUE);
    }
  else if (g_str_equal (key, "display"))
    set_display_path (self, vg_settings_get_int (self->settings, key, 0, 0, 2));
  else
    vg_window_follow_preference (self, key);
}

static gboolean
on_tick (gpointer data)
{
  VgWindow *self = data;

  /* drawing now would delay the result that a slider waits for */
  if (vg_response_is_due (&self->response, g_get_monotonic_time ()) &&
      self->tick.deferred++ < MOST_DEFERRED)
    return G_SOURCE_CONTINUE;
  self->tick.deferred = 0;
  vg_window_show_result (self);
  vg_inspector_refresh (self->inspector);
  if (++self->tick.n % CHARTS_EVERY == 0)
    {
      if (gtk_widget_get_visible (self->charts))
        vg_charts_refresh (VG_CHARTS (self->charts));
      vg_object_selection_refresh (self->objects);
      vg_window_show_state (self);
    }
  return G_SOURCE_CONTINUE;
}

/* ---- the end ---- */

static gboolean
on_close (VgWindow *self)
{
  if (self->writing.autosave_id > 0)
    vg_window_autosave (self);
  if (!vg_window_may_close (self))
    return TRUE;
  vg_record_bar_finish (VG_RECORD_BAR (self->record.bar));
  vg_window_remember (self);
  vg_session_journal_close (self->journal);
  if (self->writing.n > 0) /* aborted: the threads must end before the program does */
    {
      if (self->writing.exporting)
        g_cancellable_cancel (self->writing.exporting); /* the folder stays as it was */
      vg_window_abandon_film (self);
      vg_pipeline_close (self->pipeline);
    }
  return FALSE;
}

static void
vg_window_dispose (GObject *object)
{
  VgWindow *self = VG_WINDOW (object);

  g_clear_handle_id (&self->tick.id, g_source_remove);
  g_clear_handle_id (&self->writing.autosave_id, g_source_remove);
  if (self->journal)
    vg_session_journal_close (self->journal);
  if (self->sweep != NULL)
    gtk_window_destroy (GTK_WINDOW (self->sweep));
  g_clear_object (&self->writing.exporting);
  vg_window_stop_finding (self);
  if (self->pipeline)
    vg_window_stop_pipeline (self);
  g_clear_object (&self->journal);
  g_clear_object (&self->probe);
  g_clear_object (&self->inspector);
  g_clear_object (&self->opening);
  vg_window_free_shown (self);
  g_clear_object (&self->objects);
  g_clear_object (&self->correction);
  g_clear_pointer (&self->outputs, vg_output_choice_free);
  g_clear_pointer (&self->header, vg_header_free);
  g_clear_pointer (&self->cause.gl_failure, g_free);
  g_clear_pointer (&self->cause.exported, g_free);
  vg_window_forget_found (self);
  g_clear_pointer (&self->cause.bare, g_strfreev);
  /* a text that loses the keyboard while the window is taken apart still changes the session */
  if (self->session)
    g_signal_handlers_disconnect_by_data (self->session, self);
  g_clear_object (&self->session);
  g_clear_object (&self->settings);
  G_OBJECT_CLASS (vg_window_parent_class)->dispose (object);
}

static void
vg_window_class_init (VgWindowClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = vg_window_dispose;
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/vivograph/Vivograph/vg-window.ui");
  gtk_widget_class_bind_template_child (widget_class, VgWindow, box);
  gtk_widget_class_bind_template_child (widget_class, VgWindow, image_box);
}

static void
vg_window_init (VgWindow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

GtkWidget *
vg_window_new (GtkApplication *application, VgSettings *settings,
               const VgApplicationOptions *options, VgOpening *opening)
{
  VgWindow *self = g_object_new (VG_TYPE_WINDOW, "application", application, NULL);
  g_autofree char *last = NULL;

  self->settings = g_object_ref (settings);
  self->opening = g_object_ref (opening);
  self->session = g_object_ref (vg_opening_get_session (opening));
  self->pipeline = g_object_ref (vg_opening_get_pipeline (opening));
  self->backend = vg_window_choose_backend (settings, options);
  vg_window_apply_preferences (self);
  vg_window_accept_drops (self); /* while the window is empty: it puts all into another widget */
  make_parts (self, vg_window_choose_display (settings, options));
  place_widgets (self);
  connect_parts (self);
  vg_window_add_actions (self);
  vg_window_add_finder (self);
  vg_window_set_ground (self);
  connect_image (self);
  connect_pipeline (self);
  vg_window_connect_session (self);
  g_signal_connect (self, "realize", G_CALLBACK (vg_window_watch_painting), NULL);
  vg_window_restore_size (self);
  vg_connect (settings, "changed", on_setting, self);
  g_signal_connect (self, "close-request", G_CALLBACK (on_close), NULL);
  last = vg_settings_get_path (settings, VG_LAST_SESSION);
  g_simple_action_set_enabled (
      G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self), "last-session")),
      g_file_test (last, G_FILE_TEST_IS_REGULAR));
  self->tick.id = g_timeout_add (TICK_MS, on_tick, self);
  vg_window_enable_actions (self);         /* the rest once it is known whether anything opens */
  gtk_window_set_focus (GTK_WINDOW (self), /* its keys work from the start */
                        GTK_WIDGET (vg_viewer_get_image (self->viewer)));
  return GTK_WIDGET (self);
}
