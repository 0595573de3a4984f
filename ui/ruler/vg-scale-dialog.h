/* SPDX-License-Identifier: MIT */
#pragma once
#include <gtk/gtk.h>
/* Asks for the true length of a line that was drawn, which gives the size of a pixel. */
G_BEGIN_DECLS

#define VG_TYPE_SCALE_DIALOG (vg_scale_dialog_get_type ())
G_DECLARE_FINAL_TYPE (VgScaleDialog, vg_scale_dialog, VG, SCALE_DIALOG, GtkWindow)
/* Signal "chosen" (double pixel_um): the width of a pixel, µm. */

/* N_PIXELS: the length of the line in pixels, greater than 0. */
GtkWidget *vg_scale_dialog_new (GtkWindow *parent, double n_pixels);

G_END_DECLS
