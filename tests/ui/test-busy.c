/* SPDX-License-Identifier: MIT */
/* Results are shown although the main loop is never idle, as on a slow machine on which drawing
 * takes all the time. */
#include "tests/support/ui/window-fixture.h"

/* Always due, between drawing and what is done when the main loop is idle. */
static gboolean
keep_busy (gpointer data)
{
  return G_SOURCE_CONTINUE;
}

static gboolean
draw_again (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  return G_SOURCE_CONTINUE;
}

static gboolean
shows_flow (WindowFixture *self)
{
  return self->window->result != NULL && g_str_equal (self->window->result->operation->id, "flow");
}

static void
test_never_idle (void)
{
  WindowFixture self = { .application = GTK_APPLICATION (g_application_get_default ()) };
  guint busy, drawing;

  window_begin (&self);
  busy = g_idle_add_full (GDK_PRIORITY_REDRAW + 20, keep_busy, NULL, NULL);
  drawing = gtk_widget_add_tick_callback (GTK_WIDGET (self.window), draw_again, NULL, NULL);
  g_action_group_change_action_state (G_ACTION_GROUP (self.window), "operation",
                                      g_variant_new_string ("flow"));
  window_go_on_until (shows_flow, &self);
  g_source_remove (busy);
  gtk_widget_remove_tick_callback (GTK_WIDGET (self.window), drawing);
  gtk_window_close (GTK_WINDOW (self.window));
  window_end (&self);
}

static void
add_tests (void)
{
  g_test_add_func ("/busy/never-idle", test_never_idle);
}

int
main (int argc, char **argv)
{
  return window_main (argc, argv, add_tests);
}
