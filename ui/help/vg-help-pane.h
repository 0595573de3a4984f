/* SPDX-License-Identifier: MIT */
#pragma once
#include <gtk/gtk.h>
/* The program's documents beside the picture, with search, links and the way back.  Hidden until a
 * page is shown. */
G_BEGIN_DECLS

#define VG_TYPE_HELP_PANE (vg_help_pane_get_type ())
G_DECLARE_FINAL_TYPE (VgHelpPane, vg_help_pane, VG, HELP_PANE, GtkBox)

GtkWidget *vg_help_pane_new (void);
/* Shows the document PAGE, such as "flow.md", or its place "flow.md#first-run".  FALSE: the program
 * has no such document. */
gboolean vg_help_pane_show (VgHelpPane *self, const char *page);
void vg_help_pane_close (VgHelpPane *self);

G_END_DECLS
