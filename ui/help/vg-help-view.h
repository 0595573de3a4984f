/* SPDX-License-Identifier: MIT */
#pragma once
#include <gtk/gtk.h>
/* A document of the program, as text that can be selected and searched. */
G_BEGIN_DECLS

#define VG_TYPE_HELP_VIEW (vg_help_view_get_type ())
G_DECLARE_FINAL_TYPE (VgHelpView, vg_help_view, VG, HELP_VIEW, GtkTextView)
/* signal "link" (const char *target)   "files.md#regions", or an address of the web */

GtkWidget *vg_help_view_new (void);
/* TEXT in Markdown; FOLDER: of the resources that its pictures are in. */
void vg_help_view_set (VgHelpView *self, const char *text, const char *folder);
/* Scrolls to a heading, or to a row of a table whose first cell is ANCHOR (an option without
 * "--"). FALSE: there is none. */
gboolean vg_help_view_go_to (VgHelpView *self, const char *anchor);
/* Marks all places with TEXT, and shows the next one after the last one shown; returns their
 * number. */
guint vg_help_view_search (VgHelpView *self, const char *text, gboolean forward);

G_END_DECLS
