/* SPDX-License-Identifier: MIT */
#pragma once
#include <gtk/gtk.h>
#include "ui/params/vg-editor.h"
/* Name, reset button and editor of a setting: in one line where both fit, the name in at most two
 * lines of text, and else the editor below.  An editor that expands, such as a slider with its
 * entry, gives way to a long name. */
G_BEGIN_DECLS

#define VG_TYPE_PARAM_LINE (vg_param_line_get_type ())
G_DECLARE_FINAL_TYPE (VgParamLine, vg_param_line, VG, PARAM_LINE, GtkWidget)

/* NAME and RESET may be NULL. */
GtkWidget *vg_param_line_new (GtkWidget *name, GtkWidget *reset, GtkWidget *editor);

G_END_DECLS
