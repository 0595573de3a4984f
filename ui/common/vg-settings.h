/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib-object.h>
/* What the program remembers between two starts: window size, panes, theme,
 * backend, the last session.  A small key file in the user's configuration
 * folder; a file that can't be read or written costs the memory, never the
 * start. */
G_BEGIN_DECLS

#define VG_TYPE_SETTINGS (vg_settings_get_type ())
G_DECLARE_FINAL_TYPE (VgSettings, vg_settings, VG, SETTINGS, GObject)
/* signal "changed" (const char *key) */

VgSettings *vg_settings_new (void);
int vg_settings_get_int (VgSettings *self, const char *key, int fallback, int min, int max);
char *vg_settings_get_string (VgSettings *self, const char *key); /* NULL: not set */
void vg_settings_set_int (VgSettings *self, const char *key, int value);
void vg_settings_set_string (VgSettings *self, const char *key, const char *value);
/* Writes at once what is still waiting to be written. */
void vg_settings_flush (VgSettings *self);
/* A file that belongs beside the settings (the last session): its name, and writing it. */
char *vg_settings_get_path (VgSettings *self, const char *name);
void vg_settings_save_text (VgSettings *self, const char *name, const char *text);

G_END_DECLS
