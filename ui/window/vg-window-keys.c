/* SPDX-License-Identifier: MIT */
/* The keys of the window's actions.  A key without a modifier goes first to what has the focus, so
 * that typing in an entry never triggers an action. */
#include "ui/window/vg-window-private.h"
#include <string.h>

enum { SHORT_STROKE_US = 500000, MOST_VIEW_KEYS = 9 };

/* Space, while it is held in the image of a window. */
typedef struct
{
  VgWindow *window;
  gint64 since_us; /* 0: it is not held */
  VgView view;     /* as it was when it was pressed */
} SpaceKey;

static const struct
{
  const char *action, *keys[3];
} accels[] = {
  { "win.open", { "<Control>o" } },
  { "win.sample", { "<Control>d" } },
  { "win.open-session", { "<Control><Shift>o" } },
  { "win.save-session", { "<Control>s" } },
  { "win.save-session-as", { "<Control><Shift>s" } },
  { "win.export", { "<Control>e" } },
  { "win.screenshot", { "<Control><Shift>e" } },
  { "win.record", { "<Control>r" } },
  { "win.undo", { "<Control>z" } },
  { "win.redo", { "<Control><Shift>z", "<Control>y" } },
  { "win.help", { "F1" } },
  { "win.find", { "<Control>k" } },
  { "win.side-page('settings')", { "F5" } },
  { "win.side-page('display')", { "F6" } },
  { "win.side-page('results')", { "F7" } },
  { "win.theatre", { "F11" } },
  { "win.mirror", { "<Control>F11" } },
  { "win.full-screen", { "<Shift>F11" } },
  { "win.baseline", { "<Control>b" } },
  { "win.mark", { "<Control>m" } },
  { "win.switch-plots", { "F8" } },
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
  { "m", "win.mark-or-mosaic" },
  { "t", "win.planes" },
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
  { "d", "win.tool", "ruler" },
  { "o", "win.tool", "correct" },
  { "a", "win.tool", "arrow" },
  { "x", "win.tool", "text" },
};

/* While Space is held the pointer pans; a short stroke that moved nothing pauses or resumes. */
static gboolean
on_space_pressed (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state,
                  SpaceKey *self)
{
  if (key == GDK_KEY_space && self->since_us == 0)
    {
      self->since_us = g_get_monotonic_time ();
      self->view = *vg_session_get_view (self->window->session);
    }
  return GDK_EVENT_PROPAGATE;
}

static void
on_space_released (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state,
                   SpaceKey *self)
{
  const VgView *view = vg_session_get_view (self->window->session);
  gint64 held_us = g_get_monotonic_time () - self->since_us;

  if (key != GDK_KEY_space || self->since_us == 0)
    return;
  self->since_us = 0;
  if (held_us < SHORT_STROKE_US &&
      gtk_widget_has_focus (GTK_WIDGET (vg_viewer_get_image (self->window->viewer))) &&
      view->center_x == self->view.center_x && view->center_y == self->view.center_y)
    gtk_widget_activate_action (GTK_WIDGET (self->window), "win.play-pause", NULL);
}

static void
add_space_key (VgWindow *self)
{
  GtkEventController *controller = gtk_event_controller_key_new ();
  SpaceKey *space = g_new0 (SpaceKey, 1);

  space->window = self;
  g_object_set_data_full (G_OBJECT (controller), "vg-space", space, g_free);
  gtk_event_controller_set_propagation_phase (controller, GTK_PHASE_CAPTURE);
  g_signal_connect (controller, "key-pressed", G_CALLBACK (on_space_pressed), space);
  g_signal_connect (controller, "key-released", G_CALLBACK (on_space_released), space);
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
  gtk_widget_add_controller (GTK_WIDGET (self), controller);
}

char *
vg_window_name_key (VgWindow *self, const char *action)
{
  GtkApplication *application = gtk_window_get_application (GTK_WINDOW (self));
  g_auto (GStrv) accelerators = gtk_application_get_accels_for_action (application, action);
  g_autofree char *keys = g_strdup (accelerators[0]);
  guint key;
  GdkModifierType modifiers;

  for (guint i = 0; keys == NULL && i < G_N_ELEMENTS (image_keys); i++)
    {
      g_autofree char *detailed = image_keys[i].target != NULL
                                      ? g_strdup_printf ("%s('%s')", image_keys[i].action,
                                                         image_keys[i].target)
                                      : g_strdup (image_keys[i].action);

      if (g_str_equal (detailed, action))
        keys = g_strndup (image_keys[i].keys, strcspn (image_keys[i].keys, "|"));
    }
  if (keys == NULL || !gtk_accelerator_parse (keys, &key, &modifiers))
    return NULL;
  return gtk_accelerator_get_label (key, modifiers);
}

void
vg_window_add_keys (VgWindow *self)
{
  GtkApplication *application = gtk_window_get_application (GTK_WINDOW (self));
  guint n;
  const VgOperation *const *operations = vg_operations (&n);

  for (guint i = 0; i < G_N_ELEMENTS (accels); i++)
    {
      const char *keys[] = { accels[i].keys[0], accels[i].keys[1], NULL };
      gtk_application_set_accels_for_action (application, accels[i].action, keys);
    }
  for (guint i = 0; i < n && i < MOST_VIEW_KEYS; i++)
    {
      g_autofree char *action = g_strdup_printf ("win.operation('%s')", operations[i]->id);
      g_autofree char *key = g_strdup_printf ("<Alt>%u", i + 1);

      gtk_application_set_accels_for_action (application, action, (const char *[]){ key, NULL });
    }
  add_image_keys (self);
  add_space_key (self);
}
