/* SPDX-License-Identifier: MIT */
/* GTK 4.8 does not follow the desktop's colour scheme by itself, so it is
 * read from the settings portal (org.freedesktop.appearance, color-scheme:
 * 1 dark, 2 light) and handed to GtkSettings.  No portal: light. */
#include "ui/common/vg-theme.h"
#include "ui/common/vg-object.h"
#include <gtk/gtk.h>

struct _VgThemeFollower
{
  GObject parent_instance;
  VgSettings *settings;
  GCancellable *cancellable;
  GDBusProxy *portal;
  gboolean system_dark;
};

G_DEFINE_FINAL_TYPE (VgThemeFollower, vg_theme_follower, G_TYPE_OBJECT)

static void
apply (VgThemeFollower *self)
{
  int theme = vg_settings_get_int (self->settings, "theme", VG_THEME_SYSTEM, VG_THEME_SYSTEM,
                                   VG_THEME_DARK);
  gboolean dark = theme == VG_THEME_DARK || (theme == VG_THEME_SYSTEM && self->system_dark), was;

  /* GTK reads its style sheet again even if the value stays */
  g_object_get (gtk_settings_get_default (), "gtk-application-prefer-dark-theme", &was, NULL);
  if (was != dark)
    g_object_set (gtk_settings_get_default (), "gtk-application-prefer-dark-theme", dark, NULL);
}

static void
take_scheme (VgThemeFollower *self, GVariant *value)
{
  g_autoptr (GVariant) inner = g_variant_ref (value);

  while (g_variant_is_of_type (inner, G_VARIANT_TYPE_VARIANT))
    {
      GVariant *next = g_variant_get_variant (inner);
      g_variant_unref (inner);
      inner = next;
    }
  if (!g_variant_is_of_type (inner, G_VARIANT_TYPE_UINT32))
    return;
  self->system_dark = g_variant_get_uint32 (inner) == 1;
  apply (self);
}

static void
on_portal_signal (GDBusProxy *portal, const char *sender, const char *name, GVariant *arguments,
                  VgThemeFollower *self)
{
  const char *space, *key;
  g_autoptr (GVariant) value = NULL;

  if (g_strcmp0 (name, "SettingChanged") != 0 ||
      !g_variant_is_of_type (arguments, G_VARIANT_TYPE ("(ssv)")))
    return;
  g_variant_get (arguments, "(&s&sv)", &space, &key, &value);
  if (g_str_equal (space, "org.freedesktop.appearance") && g_str_equal (key, "color-scheme"))
    take_scheme (self, value);
}

static void
on_read (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (GVariant) reply = g_dbus_proxy_call_finish (G_DBUS_PROXY (source), result, NULL);
  g_autoptr (GVariant) value = NULL;

  /* No reply: the portal is absent, or this object is gone. */
  if (reply == NULL || !g_variant_is_of_type (reply, G_VARIANT_TYPE ("(v)")))
    return;
  g_variant_get (reply, "(v)", &value);
  take_scheme (data, value);
}

static void
on_portal (GObject *source, GAsyncResult *result, gpointer data)
{
  GDBusProxy *portal = g_dbus_proxy_new_for_bus_finish (result, NULL);
  VgThemeFollower *self = data;

  if (portal == NULL)
    return;
  self->portal = portal;
  g_signal_connect_object (portal, "g-signal", G_CALLBACK (on_portal_signal), self, 0);
  g_dbus_proxy_call (portal, "Read",
                     g_variant_new ("(ss)", "org.freedesktop.appearance", "color-scheme"),
                     G_DBUS_CALL_FLAGS_NONE, 2000, self->cancellable, on_read, self);
}

static void
on_setting (VgThemeFollower *self, const char *key)
{
  if (g_str_equal (key, "theme"))
    apply (self);
}

static void
vg_theme_follower_dispose (GObject *object)
{
  VgThemeFollower *self = VG_THEME_FOLLOWER (object);

  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_object (&self->portal);
  g_clear_object (&self->settings);
  G_OBJECT_CLASS (vg_theme_follower_parent_class)->dispose (object);
}

static void
vg_theme_follower_class_init (VgThemeFollowerClass *class)
{
  G_OBJECT_CLASS (class)->dispose = vg_theme_follower_dispose;
}

static void
vg_theme_follower_init (VgThemeFollower *self)
{
  self->cancellable = g_cancellable_new ();
}

VgThemeFollower *
vg_theme_follower_new (VgSettings *settings)
{
  VgThemeFollower *self = g_object_new (VG_TYPE_THEME_FOLLOWER, NULL);

  self->settings = g_object_ref (settings);
  vg_connect (settings, "changed", on_setting, self);
  apply (self);
  g_dbus_proxy_new_for_bus (G_BUS_TYPE_SESSION, G_DBUS_PROXY_FLAGS_DO_NOT_LOAD_PROPERTIES, NULL,
                            "org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop",
                            "org.freedesktop.portal.Settings", self->cancellable, on_portal, self);
  return self;
}
