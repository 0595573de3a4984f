/* SPDX-License-Identifier: MIT */
/* Results are shown although the main loop is never idle, as on a slow machine on which drawing
 * takes all the time; and how a stream is shown that is paused. */
#include "app/compute/vg-steady-limits.h"
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

static gboolean
has_limits (WindowFixture *self)
{
  return shows_flow (self) && vg_steady_limits_of (self->window->session)->held;
}

static gboolean
is_live (WindowFixture *self)
{
  return window_tells (self->window->transport, "Sample");
}

static gboolean
is_paused (WindowFixture *self)
{
  return window_tells (self->window->transport, "Paused");
}

static gboolean
is_enabled (WindowFixture *self, const char *action)
{
  return g_action_group_get_action_enabled (G_ACTION_GROUP (self->window), action);
}

/* A paused stream is not called live and keeps its colours; in theatre mode no key changes a tool.
 */
static void
test_paused (void)
{
  WindowFixture self = { .application = GTK_APPLICATION (g_application_get_default ()) };
  VgSteadyLimits *limits;

  window_begin (&self);
  g_action_group_change_action_state (G_ACTION_GROUP (self.window), "operation",
                                      g_variant_new_string ("flow"));
  window_go_on_until (has_limits, &self);
  window_go_on_until (is_live, &self);
  g_assert_true (is_enabled (&self, "tool"));
  g_action_group_activate_action (G_ACTION_GROUP (self.window), "play-pause", NULL);
  window_go_on_until (is_paused, &self);
  limits = vg_steady_limits_of (self.window->session);
  g_assert_true (limits->held);
  g_action_group_activate_action (G_ACTION_GROUP (self.window), "theatre", NULL);
  g_assert_false (is_enabled (&self, "tool"));
  g_assert_false (is_enabled (&self, "keep"));
  g_action_group_activate_action (G_ACTION_GROUP (self.window), "theatre", NULL);
  g_assert_true (is_enabled (&self, "tool"));
  gtk_window_close (GTK_WINDOW (self.window));
  window_end (&self);
}

static void
add_tests (void)
{
  g_test_add_func ("/busy/paused", test_paused);
  g_test_add_func ("/busy/never-idle", test_never_idle);
}

int
main (int argc, char **argv)
{
  return window_main (argc, argv, add_tests);
}
