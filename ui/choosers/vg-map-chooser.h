/* SPDX-License-Identifier: MIT */
#pragma once
#include <gtk/gtk.h>
#include "app/session/vg-session.h"
G_BEGIN_DECLS

/* A drop-down of the maps that SESSION's operation has with its settings, each with its unit; it
 * follows and sets the one that the session's view shows. */
GtkWidget *vg_map_chooser_new (VgSession *session, const char *name);

G_END_DECLS
