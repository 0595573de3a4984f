/* SPDX-License-Identifier: MIT */
#pragma once
#include <gtk/gtk.h>
/* The window's title bar: menus, undo and redo, views, title, recording. */
G_BEGIN_DECLS

typedef struct _VgHeader VgHeader;

VgHeader *vg_header_new (void);
void vg_header_free (VgHeader *self);
GtkWidget *vg_header_get_widget (VgHeader *self);
/* The view's title, where a menu stands for the buttons. */
void vg_header_set_view (VgHeader *self, const char *title);
/* Names of the steps that undo and redo act on; NULL: none. */
void vg_header_set_steps (VgHeader *self, const char *undo, const char *redo);
/* The name of what is open, which is cut short where there is little room, with WHOLE, all that is
 * to be said of it, as its tooltip. */
void vg_header_set_source (VgHeader *self, const char *name, const char *whole);
const char *vg_header_get_source (VgHeader *self);
void vg_header_set_can_record (VgHeader *self, gboolean can_record);

G_END_DECLS
