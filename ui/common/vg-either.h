/* SPDX-License-Identifier: MIT */
#pragma once
#include <gtk/gtk.h>
/* The first of two widgets where there is room for it, else the second, which does the same in less
 * width. */
G_BEGIN_DECLS

#define VG_TYPE_EITHER (vg_either_get_type ())
G_DECLARE_FINAL_TYPE (VgEither, vg_either, VG, EITHER, GtkWidget)

/* Both are taken. */
GtkWidget *vg_either_new (GtkWidget *wide, GtkWidget *narrow);

G_END_DECLS
