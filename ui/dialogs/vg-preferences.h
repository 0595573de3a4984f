/* SPDX-License-Identifier: MIT */
#pragma once
#include <gtk/gtk.h>
#include "ui/common/vg-settings.h"
/* The preferences.  Every choice but the language and the start counts at once. */
G_BEGIN_DECLS

#define VG_TYPE_PREFERENCES (vg_preferences_get_type ())
G_DECLARE_FINAL_TYPE (VgPreferences, vg_preferences, VG, PREFERENCES, GtkWindow)

GtkWidget *vg_preferences_new (GtkWindow *parent, VgSettings *settings);

G_END_DECLS
