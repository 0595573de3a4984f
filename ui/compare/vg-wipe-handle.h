/* SPDX-License-Identifier: MIT */
#pragma once
#include <gtk/gtk.h>
/* The line of a wipe with a knob on it, over the whole picture: a scale of 0 to 100 % from left to
 * right.  The pointer reaches the picture beside the line. */
G_BEGIN_DECLS

#define VG_TYPE_WIPE_HANDLE (vg_wipe_handle_get_type ())
G_DECLARE_FINAL_TYPE (VgWipeHandle, vg_wipe_handle, VG, WIPE_HANDLE, GtkScale)

GtkWidget *vg_wipe_handle_new (void);

G_END_DECLS
