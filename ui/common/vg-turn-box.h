/* SPDX-License-Identifier: MIT */
#pragma once
#include <gtk/gtk.h>
/* A main child with another at its right; in a narrow column the other stands above it. */
G_BEGIN_DECLS

#define VG_TYPE_TURN_BOX (vg_turn_box_get_type ())
G_DECLARE_FINAL_TYPE (VgTurnBox, vg_turn_box, VG, TURN_BOX, GtkWidget)

GtkWidget *vg_turn_box_new (GtkWidget *main, GtkWidget *side);

G_END_DECLS
