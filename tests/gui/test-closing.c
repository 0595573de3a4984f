/* SPDX-License-Identifier: MIT */
/* What a window was told to write is written when it is closed at once, and
 * what stands in it that is of something before looks like it.  The answers of the compute thread come by the main loop, so nothing here depends
 * on how fast it is. */
#include <glib/gstdio.h>
#include <string.h>
#include "vg-window-private.h"

GResource *vg_resources_get_resource (void);   /* of the file that is made of them */

typedef struct
{
  GtkApplication *application;
  VgSettings *settings;
  VgWindow *window;
  char *folder;
} Fixture;

static void
go_on_until (gboolean (*condition) (Fixture *self), Fixture *self)
{
  while (!condition (self))
    g_main_context_iteration (NULL, TRUE);
}

static gboolean
is_done (Fixture *self)
{
  return self->window->result != NULL && vg_pipeline_get_state (self->window->pipeline) == VG_PIPELINE_FINISHED;
}

/* Of the settings as they are. */
static gboolean
has_newest (Fixture *self)
{
  return is_done (self) && self->window->result->final && self->window->result->serial == self->window->params_serial;
}

static gboolean
has_opened (Fixture *self)
{
  return !self->window->opening.active;
}

static gboolean
is_gone (Fixture *self)
{
  return self->window == NULL;
}

/* The program ends with its last window. */
static gboolean
would_end (Fixture *self)
{
  return gtk_application_get_windows (self->application) == NULL;
}

static void
begin (Fixture *self)
{
  const VgApplicationOptions options = { .backend = VG_BACKEND_CPU, .display_path = 2, .operation = "contour" };

  self->folder = g_dir_make_tmp ("vg-closing-XXXXXX", NULL);
  self->settings = vg_settings_new ();
  self->window = VG_WINDOW (vg_window_new (self->application, self->settings, &options));
  g_object_add_weak_pointer (G_OBJECT (self->window), (gpointer *) &self->window);
  gtk_window_present (GTK_WINDOW (self->window));
  vg_session_set_number (self->window->session, vg_params_find (&vg_operation_find ("contour")->params, "iterations"), 3);
  vg_window_open_files (self->window, NULL, NULL);
  go_on_until (is_done, self);
}

static void
remove_folder (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      if (g_unlink (path) != 0)
        remove_folder (path);
    }
  g_rmdir (folder);
}

static void
end (Fixture *self)
{
  g_clear_object (&self->settings);
  remove_folder (self->folder);
  g_clear_pointer (&self->folder, g_free);
}

static gboolean
has_chosen (Fixture *self)
{
  g_autoptr (GListModel) files = gtk_file_chooser_get_files (GTK_FILE_CHOOSER (self->window->chooser));
  g_autoptr (GFile) file = g_list_model_get_item (files, 0);
  g_autofree char *path = file ? g_file_get_path (file) : NULL;

  return path != NULL && g_str_has_prefix (path, self->folder);
}

typedef struct
{
  GtkFileChooser *chooser;
  GFile *folder;
  const char *name;      /* of the file, or NULL for the folder itself */
} Choice;

static gboolean
enter_choice (gpointer data)
{
  const Choice *choice = data;

  gtk_file_chooser_set_current_folder (choice->chooser, choice->folder, NULL);
  if (choice->name != NULL)
    gtk_file_chooser_set_current_name (choice->chooser, choice->name);
  return G_SOURCE_CONTINUE;
}

/* Through the dialog of ACTION.  While it opens GTK may go back to the folder
 * it knows from before: entered again until it is taken. */
static void
choose (Fixture *self, const char *action, const char *name)
{
  g_autoptr (GFile) folder = g_file_new_for_path (self->folder);
  Choice choice = { NULL, folder, name };
  guint again;

  g_action_group_activate_action (G_ACTION_GROUP (self->window), action, NULL);
  g_assert_nonnull (self->window->chooser);
  choice.chooser = GTK_FILE_CHOOSER (self->window->chooser);
  enter_choice (&choice);
  again = g_timeout_add_seconds (2, enter_choice, &choice);
  go_on_until (has_chosen, self);
  g_source_remove (again);
  gtk_native_dialog_hide (GTK_NATIVE_DIALOG (self->window->chooser));
  g_signal_emit_by_name (self->window->chooser, "response", GTK_RESPONSE_ACCEPT);
}

static void
test_once (void)
{
  Fixture self = { .application = GTK_APPLICATION (g_application_get_default ()) };
  g_autofree char *path = NULL, *text = NULL, *summary = NULL;

  begin (&self);
  choose (&self, "save-session", "x.vivograph");
  choose (&self, "export", NULL);
  gtk_window_close (GTK_WINDOW (self.window));
  go_on_until (would_end, &self);
  path = g_build_filename (self.folder, "x.vivograph", NULL);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_nonnull (strstr (text, "\noutcome="));
  summary = g_build_filename (self.folder, "summary.json", NULL);
  g_assert_true (g_file_test (summary, G_FILE_TEST_EXISTS));
  go_on_until (is_gone, &self);
  end (&self);
}

/* What can't be written is told, by a window that stays. */
static void
test_not_written (void)
{
  Fixture self = { .application = GTK_APPLICATION (g_application_get_default ()) };

  begin (&self);
  choose (&self, "save-session", "x.vivograph");
  g_rmdir (self.folder);
  gtk_window_close (GTK_WINDOW (self.window));
  while (self.window->writing > 0)
    g_main_context_iteration (NULL, TRUE);
  g_assert_nonnull (self.window->pipeline);
  gtk_window_close (GTK_WINDOW (self.window));
  go_on_until (is_gone, &self);
  end (&self);
}

/* A second close waits for nothing. */
static void
test_twice (void)
{
  Fixture self = { .application = GTK_APPLICATION (g_application_get_default ()) };

  begin (&self);
  choose (&self, "export", NULL);
  gtk_window_close (GTK_WINDOW (self.window));
  g_assert_cmpint (vg_pipeline_get_state (self.window->pipeline), ==, VG_PIPELINE_FINISHED);
  g_object_ref (self.window);
  gtk_window_close (GTK_WINDOW (self.window));
  g_assert_cmpint (vg_pipeline_get_state (self.window->pipeline), ==, VG_PIPELINE_IDLE);
  g_object_unref (self.window);
  go_on_until (is_gone, &self);
  end (&self);
}

static gboolean
is_flow (Fixture *self)
{
  return self->window->result != NULL && g_str_equal (self->window->result->operation->id, "flow");
}

static gboolean
is_contour (Fixture *self)
{
  return !is_flow (self) && is_done (self);
}

static GBytes *
picture_of (Fixture *self)
{
  const VgPlane *plane = &self->window->result->plane;

  return g_bytes_new (plane->data, sizeof *plane->data * (gsize) plane->width * (gsize) plane->height);
}

/* Contours that came by edits are there again when their view is, and in what is saved meanwhile. */
static void
test_views (void)
{
  Fixture self = { .application = GTK_APPLICATION (g_application_get_default ()) };
  const VgParamTable *table = &vg_operation_find ("contour")->params;
  g_autoptr (GBytes) edited = NULL, again = NULL, from_settings = NULL;
  g_autofree char *path = NULL, *text = NULL;

  begin (&self);
  vg_session_set_text (self.window->session, vg_params_find (table, "added"), "30.25,40.5;90,100", NULL);
  go_on_until (has_newest, &self);
  vg_session_set_number (self.window->session, vg_params_find (table, "curvature"), 0.5);
  go_on_until (has_newest, &self);
  edited = picture_of (&self);
  g_action_group_activate_action (G_ACTION_GROUP (self.window), "operation", g_variant_new_string ("flow"));
  go_on_until (is_flow, &self);
  choose (&self, "save-session", "x.vivograph");
  while (self.window->writing > 0)
    g_main_context_iteration (NULL, TRUE);
  path = g_build_filename (self.folder, "x.vivograph", NULL);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_nonnull (strstr (text, "\noutcome="));
  g_action_group_activate_action (G_ACTION_GROUP (self.window), "operation", g_variant_new_string ("contour"));
  go_on_until (is_contour, &self);
  again = picture_of (&self);
  g_assert_true (g_bytes_equal (edited, again));
  vg_window_open_current (self.window);
  go_on_until (has_opened, &self);
  go_on_until (has_newest, &self);
  from_settings = picture_of (&self);
  g_assert_false (g_bytes_equal (edited, from_settings));
  gtk_window_close (GTK_WINDOW (self.window));
  go_on_until (is_gone, &self);
  end (&self);
}

/* --- what is of something before --- */

static gboolean
looks_old (Fixture *self)
{
  return gtk_widget_get_opacity (self->window->image) < 1 && gtk_widget_get_opacity (self->window->results) < 1;
}

static gboolean
looks_new (Fixture *self)
{
  return gtk_widget_get_opacity (self->window->image) == 1 && gtk_widget_get_opacity (self->window->results) == 1;
}

static gboolean
is_idle (Fixture *self)
{
  return vg_pipeline_is_cancelled (self->window->pipeline) && vg_pipeline_get_busy_s (self->window->pipeline) == 0;
}

static gboolean
says_so (Fixture *self)
{
  return gtk_revealer_get_reveal_child (GTK_REVEALER (self->window->progress_revealer))
         && strstr (gtk_label_get_text (GTK_LABEL (self->window->progress_text)), "the map is of the settings before") != NULL;
}

/* New settings, cancelled before their first map; FALSE: that was quicker. */
static gboolean
cancel_first (Fixture *self, double curvature)
{
  g_autoptr (VgResult) late = NULL;

  vg_session_set_number (self->window->session, vg_params_find (&vg_operation_find ("contour")->params, "curvature"), curvature);
  vg_pipeline_cancel (self->window->pipeline);
  go_on_until (is_idle, self);
  late = vg_pipeline_take (self->window->pipeline);
  return late == NULL && self->window->result->serial != self->window->params_serial;
}

/* Cancelled before their first map, settings stand beside that of those before. */
static void
test_cancelled (void)
{
  Fixture self = { .application = GTK_APPLICATION (g_application_get_default ()) };
  double curvature = 0.5;

  begin (&self);
  go_on_until (looks_new, &self);
  go_on_until (has_newest, &self);
  while (!cancel_first (&self, curvature += 0.01))
    {
      vg_pipeline_play (self.window->pipeline);
      go_on_until (has_newest, &self);
    }
  go_on_until (looks_old, &self);
  go_on_until (says_so, &self);
  g_action_group_activate_action (G_ACTION_GROUP (self.window), "play-pause", NULL);
  go_on_until (has_newest, &self);
  go_on_until (looks_new, &self);
  gtk_window_close (GTK_WINDOW (self.window));
  go_on_until (is_gone, &self);
  end (&self);
}

static void
on_opened (Fixture *self)
{
  g_assert_null (self->window->result);
  g_assert_true (looks_old (self));
}

/* What is opened has its name there before its first map. */
static void
test_opened (void)
{
  Fixture self = { .application = GTK_APPLICATION (g_application_get_default ()) };

  begin (&self);
  go_on_until (looks_new, &self);
  g_signal_connect_swapped (self.window->pipeline, "opened", G_CALLBACK (on_opened), &self);
  vg_window_open_current (self.window);
  g_assert_true (looks_new (&self));
  go_on_until (has_opened, &self);
  go_on_until (has_newest, &self);
  go_on_until (looks_new, &self);
  gtk_window_close (GTK_WINDOW (self.window));
  go_on_until (is_gone, &self);
  end (&self);
}

int
main (int argc, char **argv)
{
  g_autoptr (GtkApplication) application = NULL;
  int status;
  g_autofree char *home = g_dir_make_tmp ("vg-home-XXXXXX", NULL);

  g_setenv ("XDG_CONFIG_HOME", home, TRUE);
  g_setenv ("XDG_DATA_HOME", home, TRUE);
  g_test_init (&argc, &argv, NULL);
  g_log_set_always_fatal (G_LOG_FATAL_MASK | G_LOG_LEVEL_CRITICAL);   /* without a session bus GTK only warns */
  gtk_init ();
  g_resources_register (vg_resources_get_resource ());
  application = gtk_application_new ("org.vivograph.Test", G_APPLICATION_NON_UNIQUE);
  g_application_set_default (G_APPLICATION (application));
  g_assert_true (g_application_register (G_APPLICATION (application), NULL, NULL));
  g_test_add_func ("/closing/once", test_once);
  g_test_add_func ("/closing/not-written", test_not_written);
  g_test_add_func ("/closing/twice", test_twice);
  g_test_add_func ("/closing/views", test_views);
  g_test_add_func ("/closing/cancelled", test_cancelled);
  g_test_add_func ("/closing/opened", test_opened);
  status = g_test_run ();
  remove_folder (home);
  return status;
}
