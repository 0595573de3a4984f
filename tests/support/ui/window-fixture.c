/* SPDX-License-Identifier: MIT */
#include "tests/support/ui/window-fixture.h"
#include <glib/gstdio.h>

GResource *vg_resources_get_resource (void); /* of the file that is made of them */

void
window_go_on_until (gboolean (*condition) (WindowFixture *self), WindowFixture *self)
{
  while (!condition (self))
    g_main_context_iteration (NULL, TRUE);
}

gboolean
window_is_done (WindowFixture *self)
{
  return self->window->result != NULL &&
         vg_pipeline_get_state (self->window->pipeline) == VG_PIPELINE_FINISHED;
}

gboolean
window_has_opened (WindowFixture *self)
{
  return !vg_opening_is_active (self->window->opening);
}

static gboolean
window_is_gone (WindowFixture *self)
{
  return self->window == NULL;
}

void
window_begin (WindowFixture *self)
{
  const char *const none[] = { NULL };
  const VgApplicationOptions options = {
    .backend = VG_BACKEND_CPU, .display_path = 2, .operation = "contour", .files = none
  };
  g_autoptr (VgOpening) opening = NULL;

  self->folder = g_dir_make_tmp ("vg-closing-XXXXXX", NULL);
  self->settings = vg_settings_new ();
  opening = vg_window_prepare (self->settings, &options);
  self->window = VG_WINDOW (vg_window_new (self->application, self->settings, &options, opening));
  g_object_add_weak_pointer (G_OBJECT (self->window), (gpointer *) &self->window);
  gtk_window_present (GTK_WINDOW (self->window));
  vg_session_set_number (self->window->session,
                         vg_params_find (&vg_operation_find ("contour")->params, "iterations"), 3);
  vg_window_open_files (self->window, NULL, NULL);
  window_go_on_until (window_is_done, self);
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

void
window_end (WindowFixture *self)
{
  window_go_on_until (window_is_gone, self);
  g_clear_object (&self->settings);
  remove_folder (self->folder);
  g_clear_pointer (&self->folder, g_free);
}

GtkWidget *
window_find (GtkWidget *root, GType type)
{
  GtkWidget *found = G_TYPE_CHECK_INSTANCE_TYPE (root, type) ? root : NULL;

  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = window_find (child, type);
  return found;
}

gboolean
window_tells (GtkWidget *root, const char *text)
{
  if (GTK_IS_LABEL (root) && strstr (gtk_label_get_text (GTK_LABEL (root)), text) != NULL &&
      gtk_widget_get_visible (root))
    return TRUE;
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (window_tells (child, text))
      return TRUE;
  return FALSE;
}

int
window_main (int argc, char **argv, void (*add_tests) (void))
{
  g_autoptr (GtkApplication) application = NULL;
  int status;
  g_autofree char *home = g_dir_make_tmp ("vg-home-XXXXXX", NULL);

  g_setenv ("XDG_CONFIG_HOME", home, TRUE);
  g_setenv ("XDG_DATA_HOME", home, TRUE);
  g_setenv ("XDG_STATE_HOME", home, TRUE);
  g_test_init (&argc, &argv, NULL);
  /* without a session bus GTK only warns */
  g_log_set_always_fatal (G_LOG_FATAL_MASK | G_LOG_LEVEL_CRITICAL);
  gtk_init ();
  g_resources_register (vg_resources_get_resource ());
  application = gtk_application_new ("org.vivograph.Test", G_APPLICATION_NON_UNIQUE);
  g_application_set_default (G_APPLICATION (application));
  g_assert_true (g_application_register (G_APPLICATION (application), NULL, NULL));
  add_tests ();
  status = g_test_run ();
  remove_folder (home);
  return status;
}
