/* SPDX-License-Identifier: MIT */
#pragma once
#include <gtk/gtk.h>
#include "app/session/vg-session.h"
/* A drop-down of the maps that the settings of a view give, for a plot. */
G_BEGIN_DECLS

#define VG_TYPE_MAP_CHOICE (vg_map_choice_get_type ())
G_DECLARE_FINAL_TYPE (VgMapChoice, vg_map_choice, VG, MAP_CHOICE, GtkWidget)
/* signal "changed" ()   the user chose a map, or other settings replaced it */

/* SECOND: at first a map is chosen that suits the other axis. */
GtkWidget *vg_map_choice_new (VgSession *session, const char *name, gboolean second);
/* The chosen map: index of the output; -1: there is none. */
int vg_map_choice_get (VgMapChoice *self);

G_END_DECLS
