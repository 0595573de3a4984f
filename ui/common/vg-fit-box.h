/* SPDX-License-Identifier: MIT */
#pragma once
#include <gtk/gtk.h>
/* A line of the first children, as many as fit but not more than MOST, each in full. */
G_BEGIN_DECLS

#define VG_TYPE_FIT_BOX (vg_fit_box_get_type ())
G_DECLARE_FINAL_TYPE (VgFitBox, vg_fit_box, VG, FIT_BOX, GtkWidget)

GtkWidget *vg_fit_box_new (int spacing, int most);
void vg_fit_box_append (VgFitBox *self, GtkWidget *child);
/* CHILD, a label that may be shortened, stands before the others and takes the width that they
 * leave; it is hidden if that is too little to tell something. */
void vg_fit_box_set_rest (VgFitBox *self, GtkWidget *child);

G_END_DECLS
