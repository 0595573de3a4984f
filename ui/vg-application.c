/* SPDX-License-Identifier: MIT */
/* The GTK application: reads the window's command line, keeps settings and
 * theme, and opens one window.  Every start is a process of its own: a second
 * camera is a second program, and a hang of one leaves the other alone. */
#include "vg-application.h"
#include <string.h>
#include "vg-config.h"
#include "vg-theme.h"
#include "vg-window.h"
#include "vivograph-resources.h"

typedef struct
{
  VgApplicationOptions options;
  char *backend, *display, *session, *operation, *geometry;
  char **files;
  VgSettings *settings;
  VgThemeFollower *theme;
  GtkWidget *window;
} Program;

static void
on_about (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  gtk_show_about_dialog (gtk_application_get_active_window (data), "program-name", "Vivograph", "version", VG_VERSION,
                         "logo-icon-name", "org.vivograph.Vivograph", "license-type", GTK_LICENSE_MIT_X11,
                         "comments", "Living tissue while it is being computed", NULL);
}

static void
on_quit (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  GtkWindow *window = gtk_application_get_active_window (data);

  if (window)
    gtk_window_close (window);
}

static void
on_startup (GApplication *application, Program *program)
{
  static const GActionEntry entries[] = { { .name = "about", .activate = on_about }, { .name = "quit", .activate = on_quit } };
  g_autoptr(GtkCssProvider) css = gtk_css_provider_new ();

  g_action_map_add_action_entries (G_ACTION_MAP (application), entries, G_N_ELEMENTS (entries), application);
  gtk_css_provider_load_from_resource (css, "/org/vivograph/Vivograph/vivograph.css");
  gtk_style_context_add_provider_for_display (gdk_display_get_default (), GTK_STYLE_PROVIDER (css), GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
  program->settings = vg_settings_new ();
  program->theme = vg_theme_follower_new (program->settings);
}

static void
on_activate (GApplication *application, Program *program)
{
  VgWindow *window;

  if (program->window)
    {
      gtk_window_present (GTK_WINDOW (program->window));
      return;
    }
  program->window = vg_window_new (GTK_APPLICATION (application), program->settings, &program->options);
  g_object_add_weak_pointer (G_OBJECT (program->window), (gpointer *) &program->window);
  window = VG_WINDOW (program->window);
  gtk_window_present (GTK_WINDOW (window));
  if (program->options.session)
    vg_window_open_session (window, program->options.session);
  else
    vg_window_open_files (window, (const char *const *) program->files, program->options.geometry);
}

/* "auto", FIRST, SECOND to 0, 1, 2. */
static gboolean
parse_choice (const char *option, const char *text, const char *first, const char *second, int *value)
{
  if (text == NULL)
    return TRUE;
  if (strcmp (text, "auto") == 0)
    *value = 0;
  else if (strcmp (text, first) == 0)
    *value = 1;
  else if (strcmp (text, second) == 0)
    *value = 2;
  else
    {
      g_printerr ("vivograph: --%s is auto, %s or %s, not \"%s\"\n", option, first, second, text);
      return FALSE;
    }
  return TRUE;
}

static int
on_local_options (GApplication *application, GVariantDict *dict, Program *program)
{
  int backend = (int) program->options.backend;

  if (!parse_choice ("backend", program->backend, "cpu", "cuda", &backend)
      || !parse_choice ("display", program->display, "interop", "host", &program->options.display_path))
    return 2;
  program->options.backend = (VgBackend) backend;
  if (program->session)
    program->options.session = program->session;
  if (program->geometry)
    program->options.geometry = program->geometry;
  if (program->operation)
    program->options.operation = program->operation;
  if (program->options.operation && vg_operation_find (program->options.operation) == NULL)
    {
      g_printerr ("vivograph: there is no operation \"%s\"; see vivograph describe\n", program->options.operation);
      return 2;
    }
  return -1;
}

static void
on_shutdown (GApplication *application, Program *program)
{
  if (program->settings)
    vg_settings_flush (program->settings);
}

/* Without a graphics device GTK would draw every frame of the whole window in
 * software OpenGL; its own renderer redraws only what changed and is twice as
 * fast.  The picture keeps its OpenGL either way. */
static void
choose_gtk_renderer (void)
{
  static const char *const devices[] = { "/dev/dri", "/dev/nvidiactl", "/dev/dxg" };

  for (guint i = 0; i < G_N_ELEMENTS (devices); i++)
    if (g_file_test (devices[i], G_FILE_TEST_EXISTS))
      return;
  g_setenv ("GSK_RENDERER", "cairo", FALSE);
}

int
vg_application_run (const VgApplicationOptions *options, int argc, char **argv)
{
  Program program = { .options = *options };
  const GOptionEntry entries[] = {
    { "backend", 0, 0, G_OPTION_ARG_STRING, &program.backend, "Compute on the CPU or with CUDA", "auto|cpu|cuda" },
    { "display", 0, 0, G_OPTION_ARG_STRING, &program.display, "How maps reach the screen", "auto|interop|host" },
    { "session", 0, 0, G_OPTION_ARG_FILENAME, &program.session, "Session file to restore", "FILE" },
    { "operation", 0, 0, G_OPTION_ARG_STRING, &program.operation, "View to start with", "ID" },
    { "geometry", 0, 0, G_OPTION_ARG_STRING, &program.geometry, "Size and type of raw frames", "WxH:TYPE" },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &program.files, NULL, "[FILE…]" },
    { NULL },
  };
  g_autoptr(GtkApplication) application = gtk_application_new ("org.vivograph.Vivograph", G_APPLICATION_NON_UNIQUE);
  int status;

  choose_gtk_renderer ();
  g_set_application_name ("Vivograph");
  /* Named here, or the linker would leave the resources out. */
  g_resources_register (vg_resources_get_resource ());
  g_application_add_main_option_entries (G_APPLICATION (application), entries);
  g_signal_connect (application, "handle-local-options", G_CALLBACK (on_local_options), &program);
  g_signal_connect (application, "startup", G_CALLBACK (on_startup), &program);
  g_signal_connect (application, "activate", G_CALLBACK (on_activate), &program);
  g_signal_connect (application, "shutdown", G_CALLBACK (on_shutdown), &program);
  status = g_application_run (G_APPLICATION (application), argc, argv);
  g_clear_object (&program.theme);
  g_clear_object (&program.settings);
  g_strfreev (program.files);
  g_free (program.backend);
  g_free (program.display);
  g_free (program.session);
  g_free (program.operation);
  g_free (program.geometry);
  return status;
}
