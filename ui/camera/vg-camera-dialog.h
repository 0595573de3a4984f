/* SPDX-License-Identifier: MIT */
#pragma once
#include <gtk/gtk.h>
/* Asks for a camera: those that are there, which come and go in the list, or an address. */
G_BEGIN_DECLS

#define VG_TYPE_CAMERA_DIALOG (vg_camera_dialog_get_type ())
G_DECLARE_FINAL_TYPE (VgCameraDialog, vg_camera_dialog, VG, CAMERA_DIALOG, GtkWindow)
/* signal "chosen" (const char *address, const char *name)   a live source to open; NAME: what the
 * list calls it, or NULL */

/* PRESENT: the address that is open, or NULL. */
GtkWidget *vg_camera_dialog_new (GtkWindow *parent, const char *present);

G_END_DECLS
