/* SPDX-License-Identifier: MIT */
#pragma once
#include <gtk/gtk.h>
/* Asks for what a file of bare frames does not say: how wide and high they
 * are, and what their samples are.  Says how many frames that makes. */
G_BEGIN_DECLS

#define VG_TYPE_BARE_DIALOG (vg_bare_dialog_get_type ())
G_DECLARE_FINAL_TYPE (VgBareDialog, vg_bare_dialog, VG, BARE_DIALOG, GtkWindow)
/* signal "chosen" (const char *geometry)   "1392x1040:u16", as vg-read-options.h has it */

/* NAME and SIZE, in bytes, of the file. */
GtkWidget *vg_bare_dialog_new (GtkWindow *parent, const char *name, gint64 size);

G_END_DECLS
