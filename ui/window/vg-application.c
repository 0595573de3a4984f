/* SPDX-License-Identifier: MIT */
/* The GTK application: keeps settings and theme, and opens one window.  Every
 * start is a process of its own: a second camera is a second program, and a
 * hang of one leaves the other alone. */
#include "ui/window/vg-application.h"
#include "ui/words/vg-translation.h"
#include "vg-config.h"
#include "ui/common/vg-theme.h"
#include "ui/window/vg-window.h"
#include "app/session/vg-journal.h"
#include "app/watchdog/vg-watchdog.h"
#include "vivograph-resources.h"
#if defined(GDK_WINDOWING_X11) && VG_HAVE_X11
#include <gdk/x11/gdkx.h>
#endif

typedef struct
{
  VgApplicationOptions options;
  VgSettings *settings;
  VgThemeFollower *theme;
  VgOpening *opening;
  GtkWidget *window;
  VgWatchdog *watchdog;
} Program;

static void
on_about (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  gtk_show_about_dialog (
      gtk_application_get_active_window (data), "program-name", "Vivograph", "version", VG_VERSION,
      "logo-icon-name", "org.vivograph.Vivograph", "license-type", GTK_LICENSE_MIT_X11, "comments",
      _ ("Live maps of blood flow, fluorescence lifetime, light and perfusion"), NULL);
}

static void
on_quit (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  GtkWindow *window = gtk_application_get_active_window (data);

  if (window)
    gtk_window_close (window);
}

static void
add_style (const char *name)
{
  g_autoptr (GtkCssProvider) css = gtk_css_provider_new ();
  g_autofree char *path = g_strconcat ("/org/vivograph/Vivograph/", name, NULL);

  gtk_css_provider_load_from_resource (css, path);
  gtk_style_context_add_provider_for_display (gdk_display_get_default (), GTK_STYLE_PROVIDER (css),
                                              GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
}

static void
on_startup (GApplication *application, Program *program)
{
  static const GActionEntry entries[] = { { .name = "about", .activate = on_about },
                                          { .name = "quit", .activate = on_quit } };

  g_action_map_add_action_entries (G_ACTION_MAP (application), entries, G_N_ELEMENTS (entries),
                                   application);
  add_style ("vivograph.css");
  if (!gdk_display_is_composited (gdk_display_get_default ()))
    add_style ("opaque.css");
  program->theme = vg_theme_follower_new (program->settings);
}

static void
on_activate (GApplication *application, Program *program)
{
  g_autofree char *folder = vg_journal_folder ();
  VgWindow *window;

  if (program->window)
    {
      gtk_window_present (GTK_WINDOW (program->window));
      return;
    }
  program->window = vg_window_new (GTK_APPLICATION (application), program->settings,
                                   &program->options, program->opening);
  g_object_add_weak_pointer (G_OBJECT (program->window), (gpointer *) &program->window);
  window = VG_WINDOW (program->window);
  if (program->options.session)
    vg_window_open_session (window, program->options.session);
  else if (program->options.run > 0 && program->options.files[0])
    vg_window_open_run (window, program->options.files, program->options.run - 1);
  else if (program->options.settings)
    vg_window_open_in (window, vg_operation_find (program->options.operation),
                       program->options.files, program->options.read_options,
                       program->options.settings);
  else if (program->options.files[0] || program->options.operation)
    vg_window_open_files (window, program->options.files, program->options.read_options);
  else
    vg_window_begin (window);
  /* last, so that the input opens while GTK lays the window out */
  gtk_window_present (GTK_WINDOW (window));
  if (program->watchdog == NULL)
    program->watchdog = vg_watchdog_new (folder);
}

static void
on_shutdown (GApplication *application, Program *program)
{
  if (program->settings)
    vg_settings_flush (program->settings);
}

/* Without a graphics device OpenGL would run on the CPU.  GTK's own renderer redraws only
 * what changed and is twice as fast; colouring the picture takes no longer than with OpenGL, whose
 * start would take 0.1 s. */
static void
choose_renderer (void)
{
  static const char *const devices[] = { "/dev/dri", "/dev/nvidiactl", "/dev/dxg" };

  for (guint i = 0; i < G_N_ELEMENTS (devices); i++)
    if (g_file_test (devices[i], G_FILE_TEST_EXISTS))
      return;
  g_setenv ("GSK_RENDERER", "cairo", FALSE);
  g_setenv ("GDK_DEBUG", "gl-disable", FALSE);
}

/* The one of the preferences, in the order in which they list it; GTK and gettext read the
 * variable. */
static void
choose_language (VgSettings *settings)
{
  static const char *const languages[] = { NULL, "en", "de" };
  const char *language =
      languages[vg_settings_get_int (settings, "language", 0, 0, G_N_ELEMENTS (languages) - 1)];

  if (language != NULL)
    g_setenv ("LANGUAGE", language, TRUE);
}

#if defined(GDK_WINDOWING_X11) && VG_HAVE_X11
/* GDK 4.8 sometimes moves or raises one of its windows that is gone already, and ends the program
 * because the X server complains.  A trap that stays set makes it ignore what no other trap
 * expects.  A handler of our own would not do: while GDK has a trap set its own handler is in
 * place, and the complaint about an earlier request may arrive just then. */
static void
survive_x_errors (void)
{
  if (GDK_IS_X11_DISPLAY (gdk_display_get_default ()))
    gdk_x11_display_error_trap_push (gdk_display_get_default ());
}
#else
static void
survive_x_errors (void)
{
}
#endif

int
vg_application_run (const VgApplicationOptions *options)
{
  Program program = { .options = *options };
  g_autoptr (GtkApplication) application = NULL;
  char *arguments[] = { (char *) "vivograph", NULL };
  int status;

  program.settings = vg_settings_new ();
  choose_language (program.settings);
  choose_renderer ();
  program.opening = vg_window_prepare (program.settings, options);
  gtk_disable_setlocale (); /* main has set it, with a decimal point */
  if (!gtk_init_check ())
    {
      g_printerr ("vivograph: no display for the window; set DISPLAY or WAYLAND_DISPLAY, or "
                  "compute without a window: vivograph run --help\n");
      g_object_unref (program.opening);
      g_object_unref (program.settings);
      return 1;
    }
  survive_x_errors ();
  application = gtk_application_new ("org.vivograph.Vivograph", G_APPLICATION_NON_UNIQUE);
  g_set_application_name ("Vivograph");
  /* Named here, or the linker would leave the resources out. */
  g_resources_register (vg_resources_get_resource ());
  g_signal_connect (application, "startup", G_CALLBACK (on_startup), &program);
  g_signal_connect (application, "activate", G_CALLBACK (on_activate), &program);
  g_signal_connect (application, "shutdown", G_CALLBACK (on_shutdown), &program);
  status = g_application_run (G_APPLICATION (application), 1, arguments);
  vg_watchdog_free (program.watchdog);
  g_clear_object (&program.theme);
  g_clear_object (&program.opening);
  g_clear_object (&program.settings);
  return status;
}
