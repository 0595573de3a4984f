/* SPDX-License-Identifier: MIT */
/* What a window was told to write is written when it is closed at once, and
 * what stands in it that is of something before looks like it.  The answers of the compute thread
 * come by the main loop, so nothing here depends on how fast it is. */
#include "ui/choosers/vg-file-chooser.h"
#include "ui/export/vg-export-dialog.h"
#include <glib/gstdio.h>
#include <string.h>
#include "ui/pages/vg-charts-private.h"
#include "ui/pages/vg-plot-page.h"
#include "tests/support/ui/window-fixture.h"

/* Of the settings as they are. */
static gboolean
has_newest (WindowFixture *self)
{
  return window_is_done (self) && self->window->result->final &&
         self->window->result->serial == self->window->sent.params_serial;
}

/* The program ends with its last window. */
static gboolean
would_end (WindowFixture *self)
{
  return gtk_application_get_windows (self->application) == NULL;
}

static gboolean
has_chosen (WindowFixture *self)
{
  g_autoptr (GListModel)
      files = gtk_file_chooser_get_files (GTK_FILE_CHOOSER (vg_file_chooser_get_dialog ()));
  g_autoptr (GFile) file = g_list_model_get_item (files, 0);
  g_autofree char *path = file ? g_file_get_path (file) : NULL;

  return path != NULL && g_str_has_prefix (path, self->folder);
}

typedef struct
{
  GtkFileChooser *chooser;
  GFile *folder;
  const char *name; /* of the file */
} Choice;

static gboolean
enter_choice (gpointer data)
{
  const Choice *choice = data;

  gtk_file_chooser_set_current_folder (choice->chooser, choice->folder, NULL);
  gtk_file_chooser_set_current_name (choice->chooser, choice->name);
  return G_SOURCE_CONTINUE;
}

/* Through the dialog of ACTION.  While it opens GTK may go back to the folder
 * it knows from before: entered again until it is taken. */
static void
choose (WindowFixture *self, const char *action, const char *name)
{
  g_autoptr (GFile) folder = g_file_new_for_path (self->folder);
  Choice choice = { NULL, folder, name };
  guint again;

  g_action_group_activate_action (G_ACTION_GROUP (self->window), action, NULL);
  g_assert_nonnull (vg_file_chooser_get_dialog ());
  choice.chooser = GTK_FILE_CHOOSER (vg_file_chooser_get_dialog ());
  enter_choice (&choice);
  again = g_timeout_add_seconds (2, enter_choice, &choice);
  window_go_on_until (has_chosen, self);
  g_source_remove (again);
  gtk_native_dialog_hide (vg_file_chooser_get_dialog ());
  g_signal_emit_by_name (vg_file_chooser_get_dialog (), "response", GTK_RESPONSE_ACCEPT);
}

/* Exports all maps into the test's folder, through the dialog. */
static void
export_maps (WindowFixture *self)
{
  GListModel *windows = gtk_window_get_toplevels ();
  GtkWindow *dialog = NULL;

  g_action_group_activate_action (G_ACTION_GROUP (self->window), "export", NULL);
  for (guint i = 0; i < g_list_model_get_n_items (windows) && dialog == NULL; i++)
    {
      g_autoptr (GtkWindow) window = g_list_model_get_item (windows, i);

      if (VG_IS_EXPORT_DIALOG (window))
        dialog = window;
    }
  g_assert_nonnull (dialog);
  gtk_editable_set_text (GTK_EDITABLE (window_find (GTK_WIDGET (dialog), GTK_TYPE_ENTRY)),
                         self->folder);
  g_signal_emit_by_name (gtk_window_get_default_widget (dialog), "clicked");
}

static void
test_once (void)
{
  WindowFixture self = { .application = GTK_APPLICATION (g_application_get_default ()) };
  g_autofree char *path = NULL, *text = NULL, *summary = NULL;

  window_begin (&self);
  choose (&self, "save-session", "x.vivograph");
  export_maps (&self);
  gtk_window_close (GTK_WINDOW (self.window));
  window_go_on_until (would_end, &self);
  path = g_build_filename (self.folder, "x.vivograph", NULL);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_nonnull (strstr (text, "\noutcome="));
  summary = g_build_filename (self.folder, "summary.json", NULL);
  g_assert_true (g_file_test (summary, G_FILE_TEST_EXISTS));
  window_end (&self);
}

/* What can't be written is told, by a window that stays. */
static void
test_not_written (void)
{
  WindowFixture self = { .application = GTK_APPLICATION (g_application_get_default ()) };

  window_begin (&self);
  choose (&self, "save-session", "x.vivograph");
  g_rmdir (self.folder);
  gtk_window_close (GTK_WINDOW (self.window));
  while (self.window->writing.n > 0)
    g_main_context_iteration (NULL, TRUE);
  g_assert_nonnull (self.window->pipeline);
  gtk_window_close (GTK_WINDOW (self.window));
  window_end (&self);
}

/* A second close waits for nothing. */
static void
test_twice (void)
{
  WindowFixture self = { .application = GTK_APPLICATION (g_application_get_default ()) };

  window_begin (&self);
  export_maps (&self);
  gtk_window_close (GTK_WINDOW (self.window));
  g_assert_cmpint (vg_pipeline_get_state (self.window->pipeline), ==, VG_PIPELINE_FINISHED);
  g_object_ref (self.window);
  gtk_window_close (GTK_WINDOW (self.window));
  g_assert_cmpint (vg_pipeline_get_state (self.window->pipeline), ==, VG_PIPELINE_IDLE);
  g_object_unref (self.window);
  window_end (&self);
}

static gboolean
is_flow (WindowFixture *self)
{
  return self->window->result != NULL && g_str_equal (self->window->result->operation->id, "flow");
}

static gboolean
is_contour (WindowFixture *self)
{
  return !is_flow (self) && window_is_done (self);
}

static GBytes *
picture_of (WindowFixture *self)
{
  const VgPlane *plane = &self->window->result->plane;

  return g_bytes_new (plane->data,
                      sizeof *plane->data * (gsize) plane->width * (gsize) plane->height);
}

/* Contours that came by edits are there again when their view is, and in what is saved meanwhile.
 */
static void
test_views (void)
{
  WindowFixture self = { .application = GTK_APPLICATION (g_application_get_default ()) };
  const VgParamTable *table = &vg_operation_find ("contour")->params;
  g_autoptr (GBytes) edited = NULL, again = NULL, from_settings = NULL;
  g_autofree char *path = NULL, *text = NULL;

  window_begin (&self);
  vg_session_set_text (self.window->session, vg_params_find (table, "added"), "30.25,40.5;90,100",
                       NULL);
  window_go_on_until (has_newest, &self);
  vg_session_set_number (self.window->session, vg_params_find (table, "curvature"), 0.5);
  window_go_on_until (has_newest, &self);
  edited = picture_of (&self);
  g_action_group_activate_action (G_ACTION_GROUP (self.window), "operation",
                                  g_variant_new_string ("flow"));
  window_go_on_until (is_flow, &self);
  choose (&self, "save-session", "x.vivograph");
  while (self.window->writing.n > 0)
    g_main_context_iteration (NULL, TRUE);
  path = g_build_filename (self.folder, "x.vivograph", NULL);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_nonnull (strstr (text, "\noutcome="));
  g_action_group_activate_action (G_ACTION_GROUP (self.window), "operation",
                                  g_variant_new_string ("contour"));
  window_go_on_until (is_contour, &self);
  again = picture_of (&self);
  g_assert_true (g_bytes_equal (edited, again));
  vg_opening_open_current (self.window->opening, FALSE);
  window_go_on_until (window_has_opened, &self);
  window_go_on_until (has_newest, &self);
  from_settings = picture_of (&self);
  g_assert_false (g_bytes_equal (edited, from_settings));
  gtk_window_close (GTK_WINDOW (self.window));
  window_end (&self);
}

/* --- what is of something before --- */

static gboolean
looks_old (WindowFixture *self)
{
  return gtk_widget_get_opacity (GTK_WIDGET (vg_viewer_get_image (self->window->viewer))) < 1 &&
         vg_side_pane_is_stale (VG_SIDE_PANE (self->window->side));
}

static gboolean
looks_new (WindowFixture *self)
{
  return gtk_widget_get_opacity (GTK_WIDGET (vg_viewer_get_image (self->window->viewer))) == 1 &&
         !vg_side_pane_is_stale (VG_SIDE_PANE (self->window->side));
}

static gboolean
is_idle (WindowFixture *self)
{
  return vg_pipeline_is_cancelled (self->window->pipeline) &&
         vg_pipeline_get_busy_s (self->window->pipeline) == 0;
}

static gboolean
says_so (WindowFixture *self)
{
  return vg_work_bar_is_shown (vg_window_get_work_bar (self->window)) &&
         strstr (vg_work_bar_get_text (vg_window_get_work_bar (self->window)),
                 "still shows the previous settings") != NULL;
}

/* New settings, which need other seeds, cancelled before their first map; FALSE: that was quicker.
 */
static gboolean
cancel_first (WindowFixture *self, double sensitivity)
{
  g_autoptr (VgResult) late = NULL;

  vg_session_set_number (self->window->session,
                         vg_params_find (&vg_operation_find ("contour")->params, "sensitivity"),
                         sensitivity);
  vg_pipeline_cancel (self->window->pipeline);
  window_go_on_until (is_idle, self);
  late = vg_pipeline_take (self->window->pipeline);
  return late == NULL && self->window->result->serial != self->window->sent.params_serial;
}

static gboolean
has_curves (WindowFixture *self)
{
  GtkWidget *page = vg_page_slots_get (VG_CHARTS (self->window->charts)->slots, 0);

  return vg_plot_view_get_curves (vg_plot_page_get_plot (VG_PLOT_PAGE (page))) != NULL;
}

static gboolean
is_answered (WindowFixture *self)
{
  return VG_CHARTS (self->window->charts)->asked == NULL &&
         !VG_CHARTS (self->window->charts)->stale[0];
}

/* The newest map, and the curves beside it. */
static gboolean
is_plotted (WindowFixture *self)
{
  return has_newest (self) && !self->window->fresh && is_answered (self) && has_curves (self);
}

/* Cancelled before their first map, settings stand beside that of those before. */
static void
test_cancelled (void)
{
  WindowFixture self = { .application = GTK_APPLICATION (g_application_get_default ()) };
  double sensitivity = 0.5;
  VgCharts *charts;

  window_begin (&self);
  window_go_on_until (looks_new, &self);
  charts = VG_CHARTS (self.window->charts);
  vg_page_slots_set (charts->slots, 0, charts->plots->pdata[0]); /* a page with curves */
  window_go_on_until (is_plotted, &self);
  while (!cancel_first (&self, sensitivity += 0.01))
    {
      vg_pipeline_play (self.window->pipeline);
      window_go_on_until (is_plotted, &self);
    }
  window_go_on_until (looks_old, &self);
  window_go_on_until (says_so, &self);
  window_go_on_until (is_answered, &self);
  g_assert_true (has_curves (&self)); /* they are the picture's, as it is */
  g_action_group_activate_action (G_ACTION_GROUP (self.window), "play-pause", NULL);
  window_go_on_until (has_newest, &self);
  window_go_on_until (looks_new, &self);
  gtk_window_close (GTK_WINDOW (self.window));
  window_end (&self);
}

static void
on_opened (WindowFixture *self)
{
  g_assert_null (self->window->result);
  g_assert_true (looks_old (self));
}

/* What is opened has its name there before its first map. */
static void
test_opened (void)
{
  WindowFixture self = { .application = GTK_APPLICATION (g_application_get_default ()) };

  window_begin (&self);
  window_go_on_until (looks_new, &self);
  g_signal_connect_swapped (self.window->pipeline, "opened", G_CALLBACK (on_opened), &self);
  vg_opening_open_current (self.window->opening, FALSE);
  g_assert_true (looks_new (&self));
  window_go_on_until (window_has_opened, &self);
  window_go_on_until (has_newest, &self);
  window_go_on_until (looks_new, &self);
  gtk_window_close (GTK_WINDOW (self.window));
  window_end (&self);
}

static void
add_tests (void)
{
  g_test_add_func ("/closing/once", test_once);
  g_test_add_func ("/closing/not-written", test_not_written);
  g_test_add_func ("/closing/twice", test_twice);
  g_test_add_func ("/closing/views", test_views);
  g_test_add_func ("/closing/cancelled", test_cancelled);
  g_test_add_func ("/closing/opened", test_opened);
}

int
main (int argc, char **argv)
{
  return window_main (argc, argv, add_tests);
}
