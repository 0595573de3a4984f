/* SPDX-License-Identifier: MIT */
#pragma once
#include <gtk/gtk.h>
#include "app/session/vg-session.h"
/* What the window shows while nothing is open: what the view does, the files that it opens, those
 * that were open before, and its samples. */
G_BEGIN_DECLS

#define VG_TYPE_WELCOME (vg_welcome_get_type ())
G_DECLARE_FINAL_TYPE (VgWelcome, vg_welcome, VG, WELCOME, GtkWidget)
/* signals "sample" (const char *operation, const char *path, const char *read_options)   NULL PATH:
 *   the operation's own data, or its simulation; as VgGallery's "chosen"
 * "recent" (const char *path) */

/* Follows the view of SESSION, which is kept. */
GtkWidget *vg_welcome_new (VgSession *session);
/* Lists the recent files and the samples anew if the widget is seen. */
void vg_welcome_refresh (VgWelcome *self);

G_END_DECLS
