/* SPDX-License-Identifier: MIT */
/* Choices are stored under the keys that the theme follower and the window
 * listen to. */
#include "ui/window/vg-preferences.h"
#include "ui/common/vg-translation.h"
#include "ui/common/vg-widgets.h"

struct _VgPreferences
{
  GtkWindow parent_instance;
  VgSettings *settings;
  GtkWidget *grid;
};

G_DEFINE_FINAL_TYPE (VgPreferences, vg_preferences, GTK_TYPE_WINDOW)

static const struct
{
  const char *key, *label, *name, *help;
  const char *const choices[4];
} rows[] = {
  { "theme",
    N_ ("_Theme"),
    N_ ("Theme"),
    N_ ("Light or dark window"),
    { N_ ("System"), N_ ("Light"), N_ ("Dark"), NULL } },
  { "backend",
    N_ ("P_rocessor"),
    N_ ("Processor"),
    N_ ("Processor for computing; changing it restarts the source"),
    { N_ ("Automatic"), N_ ("CPU"), N_ ("CUDA GPU"), NULL } },
  { "display",
    N_ ("_Rendering"),
    N_ ("Rendering"),
    N_ ("How maps reach the screen: directly on the GPU, or through the computer's memory"),
    { N_ ("Automatic"), N_ ("GPU interop"), N_ ("Host memory"), NULL } },
};

static void
on_selected (GtkDropDown *drop_down, GParamSpec *pspec, VgPreferences *self)
{
  const char *key = g_object_get_data (G_OBJECT (drop_down), "vg-key");

  vg_settings_set_int (self->settings, key, (int) gtk_drop_down_get_selected (drop_down));
}

static void
vg_preferences_dispose (GObject *object)
{
  g_clear_object (&VG_PREFERENCES (object)->settings);
  G_OBJECT_CLASS (vg_preferences_parent_class)->dispose (object);
}

static void
vg_preferences_class_init (VgPreferencesClass *class)
{
  G_OBJECT_CLASS (class)->dispose = vg_preferences_dispose;
  gtk_widget_class_add_binding_action (GTK_WIDGET_CLASS (class), GDK_KEY_Escape, 0, "window.close",
                                       NULL);
}

static void
vg_preferences_init (VgPreferences *self)
{
  self->grid = g_object_new (GTK_TYPE_GRID, "column-spacing", 18, "row-spacing", 12, "margin-top",
                             18, "margin-bottom", 18, "margin-start", 18, "margin-end", 18, NULL);
  gtk_window_set_title (GTK_WINDOW (self), _ ("Preferences"));
  gtk_window_set_resizable (GTK_WINDOW (self), FALSE);
  gtk_window_set_child (GTK_WINDOW (self), self->grid);
}

GtkWidget *
vg_preferences_new (GtkWindow *parent, VgSettings *settings)
{
  VgPreferences *self = g_object_new (VG_TYPE_PREFERENCES, "transient-for", parent,
                                      "destroy-with-parent", TRUE, NULL);

  self->settings = g_object_ref (settings);
  for (int i = 0; i < (int) G_N_ELEMENTS (rows); i++)
    {
      GtkWidget *label = gtk_label_new_with_mnemonic (_ (rows[i].label)),
                *drop_down = vg_choice_new (rows[i].choices);
      gtk_label_set_xalign (GTK_LABEL (label), 0);
      vg_label_set_target (label, drop_down);
      gtk_drop_down_set_selected (GTK_DROP_DOWN (drop_down),
                                  vg_settings_get_int (settings, rows[i].key, 0, 0, 2));
      g_object_set_data (G_OBJECT (drop_down), "vg-key", (gpointer) rows[i].key);
      vg_widget_describe (drop_down, _ (rows[i].name), _ (rows[i].help));
      gtk_widget_set_size_request (drop_down, 180, -1);
      g_signal_connect (drop_down, "notify::selected", G_CALLBACK (on_selected), self);
      gtk_grid_attach (GTK_GRID (self->grid), label, 0, i, 1, 1);
      gtk_grid_attach (GTK_GRID (self->grid), drop_down, 1, i, 1, 1);
    }
  return GTK_WIDGET (self);
}
