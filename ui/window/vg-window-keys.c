/* SPDX-License-Identifier: MIT */
/* The keys of the window's actions.  Keys without a modifier belong to the
 * picture, so that typing in an entry never plays or zooms. */
#include "ui/window/vg-window-private.h"

enum { SHORT_STROKE_US = 500000 };

static const struct
{
  const char *action, *keys[3];
} accels[] = {
  { "win.open", { "<Control>o" } },
  { "win.open-session", { "<Control><Shift>o" } },
  { "win.save-session", { "<Control>s" } },
  { "win.save-session-as", { "<Control><Shift>s" } },
  { "win.export", { "<Control>e" } },
  { "win.screenshot", { "<Control><Shift>e" } },
  { "win.record", { "<Control>r" } },
  { "win.undo", { "<Control>z" } },
  { "win.redo", { "<Control><Shift>z", "<Control>y" } },
  { "win.full-screen", { "F11" } },
  { "win.side-pane", { "F9" } },
  { "win.preferences", { "<Control>comma" } },
  { "win.show-help-overlay", { "<Control>question", "<Control>slash" } },
  { "win.cancel", { "Escape" } },
  { "win.zoom-in", { "<Control>plus", "<Control>equal" } },
  { "win.zoom-out", { "<Control>minus" } },
  { "win.zoom-fit", { "<Control>0" } },
  { "win.zoom-one", { "<Control>1" } },
  { "window.close", { "<Control>w" } },
  { "app.quit", { "<Control>q" } },
};

static const struct
{
  const char *keys, *action, *target;
} image_keys[] = {
  { "Page_Up", "win.previous-output" },
  { "Page_Down", "win.next-output" },
  { "<Shift>Page_Up", "win.previous-slice" },
  { "<Shift>Page_Down", "win.next-slice" },
  { "m", "win.mosaic" },
  { "period", "win.step-forward" },
  { "comma", "win.step-back" },
  { "plus|equal|KP_Add", "win.zoom-in" },
  { "minus|KP_Subtract", "win.zoom-out" },
  { "0", "win.zoom-fit" },
  { "1", "win.zoom-one" },
  { "k", "win.keep" },
  { "c", "win.next-compare" },
  { "w", "win.part-shown" },
  { "<Shift>w", "win.part-region" },
  { "h", "win.tool", "pan" },
  { "r", "win.tool", "rectangle" },
  { "e", "win.tool", "ellipse" },
  { "p", "win.tool", "polygon" },
  { "s", "win.tool", "point" },
};

/* Space held down lets the pointer pan; a short stroke that moved nothing
 * pauses or goes on. */
static gboolean
on_space_pressed (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state,
                  VgWindow *self)
{
  if (key == GDK_KEY_space && self->space_us == 0)
    {
      self->space_us = g_get_monotonic_time ();
      self->space_view = *vg_session_get_view (self->session);
    }
  return GDK_EVENT_PROPAGATE;
}

static void
on_space_released (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state,
                   VgWindow *self)
{
  const VgView *view = vg_session_get_view (self->session);
  gint64 held_us = g_get_monotonic_time () - self->space_us;

  if (key != GDK_KEY_space || self->space_us == 0)
    return;
  self->space_us = 0;
  if (held_us < SHORT_STROKE_US && gtk_widget_has_focus (self->image) &&
      view->center_x == self->space_view.center_x && view->center_y == self->space_view.center_y)
    gtk_widget_activate_action (GTK_WIDGET (self), "win.play-pause", NULL);
}

static void
add_space_key (VgWindow *self)
{
  GtkEventController *controller = gtk_event_controller_key_new ();

  gtk_event_controller_set_propagation_phase (controller, GTK_PHASE_CAPTURE);
  g_signal_connect (controller, "key-pressed", G_CALLBACK (on_space_pressed), self);
  g_signal_connect (controller, "key-released", G_CALLBACK (on_space_released), self);
  gtk_widget_add_controller (self->image_box, controller);
}

static void
add_image_keys (VgWindow *self)
{
  GtkEventController *controller = gtk_shortcut_controller_new ();

  for (guint i = 0; i < G_N_ELEMENTS (image_keys); i++)
    {
      GtkShortcut *shortcut = gtk_shortcut_new (
          gtk_shortcut_trigger_parse_string (image_keys[i].keys),
          gtk_named_action_new (image_keys[i].action));
      if (image_keys[i].target)
        gtk_shortcut_set_arguments (shortcut, g_variant_new_string (image_keys[i].target));
      gtk_shortcut_controller_add_shortcut (GTK_SHORTCUT_CONTROLLER (controller), shortcut);
    }
  gtk_widget_add_controller (self->image_box, controller);
}

void
vg_window_add_keys (VgWindow *self)
{
  GtkApplication *application = gtk_window_get_application (GTK_WINDOW (self));

  for (guint i = 0; i < G_N_ELEMENTS (accels); i++)
    {
      const char *keys[] = { accels[i].keys[0], accels[i].keys[1], NULL };
      gtk_application_set_accels_for_action (application, accels[i].action, keys);
    }
  add_image_keys (self);
  add_space_key (self);
}
