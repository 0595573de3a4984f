/* SPDX-License-Identifier: MIT */
/* Remembered state in $XDG_CONFIG_HOME/vivograph/window.ini.  Changes are
 * collected for a second, so that dragging a pane does not write each pixel. */
#include "ui/common/vg-settings.h"
#include "ui/common/vg-object.h"
#include <glib/gstdio.h>

enum { MAX_BYTES = 1 << 20, SAVE_DELAY_S = 1 };
static const char GROUP[] = "window";

struct _VgSettings
{
  GObject parent_instance;
  GKeyFile *file;
  char *folder;
  guint save_id;
};

G_DEFINE_FINAL_TYPE (VgSettings, vg_settings, G_TYPE_OBJECT)

/* A file of at most MAX_BYTES, or NULL. */
static char *
load_bounded (const char *path, gsize *length)
{
  GStatBuf info;
  char *text = NULL;

  if (g_stat (path, &info) != 0 || info.st_size > MAX_BYTES)
    return NULL;
  return g_file_get_contents (path, &text, length, NULL) ? text : NULL;
}

static void
save_bytes (VgSettings *self, const char *name, const char *text, gssize length)
{
  g_autofree char *path = g_build_filename (self->folder, name, NULL);
  g_autoptr (GError) error = NULL;

  if (g_mkdir_with_parents (self->folder, 0700) != 0 ||
      !g_file_set_contents_full (path, text, length, G_FILE_SET_CONTENTS_CONSISTENT, 0600, &error))
    g_debug ("%s cannot be saved: %s", path,
             error ? error->message : "the folder cannot be created");
}

void
vg_settings_flush (VgSettings *self)
{
  g_autofree char *text = NULL;
  gsize length;

  if (self->save_id == 0)
    return;
  g_clear_handle_id (&self->save_id, g_source_remove);
  text = g_key_file_to_data (self->file, &length, NULL);
  save_bytes (self, "window.ini", text, (gssize) length);
}

static gboolean
on_save (gpointer data)
{
  vg_settings_flush (data);
  return G_SOURCE_REMOVE;
}

static void
changed (VgSettings *self, const char *key)
{
  if (self->save_id == 0)
    self->save_id = g_timeout_add_seconds (SAVE_DELAY_S, on_save, self);
  g_signal_emit_by_name (self, "changed", key);
}

int
vg_settings_get_int (VgSettings *self, const char *key, int fallback, int min, int max)
{
  g_autoptr (GError) error = NULL;
  int value = g_key_file_get_integer (self->file, GROUP, key, &error);

  return error ? fallback : CLAMP (value, min, max);
}

char *
vg_settings_get_string (VgSettings *self, const char *key)
{
  return g_key_file_get_string (self->file, GROUP, key, NULL);
}

void
vg_settings_set_int (VgSettings *self, const char *key, int value)
{
  g_autofree char *text = g_strdup_printf ("%d", value);

  vg_settings_set_string (self, key, text);
}

void
vg_settings_set_string (VgSettings *self, const char *key, const char *value)
{
  g_autofree char *old = vg_settings_get_string (self, key);

  if (g_strcmp0 (old, value) == 0)
    return;
  g_key_file_set_string (self->file, GROUP, key, value ? value : "");
  changed (self, key);
}

char *
vg_settings_get_path (VgSettings *self, const char *name)
{
  return g_build_filename (self->folder, name, NULL);
}

void
vg_settings_save_text (VgSettings *self, const char *name, const char *text)
{
  save_bytes (self, name, text, -1);
}

static void
vg_settings_finalize (GObject *object)
{
  VgSettings *self = VG_SETTINGS (object);

  vg_settings_flush (self);
  g_key_file_unref (self->file);
  g_free (self->folder);
  G_OBJECT_CLASS (vg_settings_parent_class)->finalize (object);
}

static void
vg_settings_class_init (VgSettingsClass *class)
{
  G_OBJECT_CLASS (class)->finalize = vg_settings_finalize;
  vg_signal_new (VG_TYPE_SETTINGS, "changed", 1, G_TYPE_STRING);
}

static void
vg_settings_init (VgSettings *self)
{
  g_autofree char *text = NULL, *path = NULL;
  gsize length = 0;

  self->folder = g_build_filename (g_get_user_config_dir (), "vivograph", NULL);
  self->file = g_key_file_new ();
  path = vg_settings_get_path (self, "window.ini");
  text = load_bounded (path, &length);
  if (text && !g_key_file_load_from_data (self->file, text, length, G_KEY_FILE_NONE, NULL))
    g_debug ("the saved window state cannot be read, so defaults are used");
}

VgSettings *
vg_settings_new (void)
{
  return g_object_new (VG_TYPE_SETTINGS, NULL);
}
