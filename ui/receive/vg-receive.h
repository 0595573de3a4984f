/* SPDX-License-Identifier: MIT */
#pragma once
#include <gtk/gtk.h>
/* Receiving DICOM images: the dialog that starts and stops it, what the status bar says of it, and
 * when the series that arrives is worth opening (again). */
G_BEGIN_DECLS

#define VG_TYPE_RECEIVE (vg_receive_get_type ())
G_DECLARE_FINAL_TYPE (VgReceive, vg_receive, VG, RECEIVE, GObject)
/* signals:
 *   "arrived" (const char *folder)   its series has more complete time points than before; emitted
 *                                    again and again until vg_receive_note_opened is called
 *   "event" (const char *sentence)   something was refused or broke off */

VgReceive *vg_receive_new (void);
void vg_receive_note_opened (VgReceive *self);
/* Receives at ADDRESS (vg-dicom-receiver.h), in the place of another one. */
gboolean vg_receive_start (VgReceive *self, const char *address, GError **error);
/* A label for the status bar; hidden while nothing is received. */
GtkWidget *vg_receive_get_status (VgReceive *self);
void vg_receive_show_dialog (VgReceive *self, GtkWindow *parent);

G_END_DECLS
