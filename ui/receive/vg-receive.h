/* SPDX-License-Identifier: MIT */
#pragma once
#include <gtk/gtk.h>
/* Receiving DICOM images: the dialog that starts and stops it, what the status bar says of it, and
 * when the series that arrives is worth opening (again). */
G_BEGIN_DECLS

#define VG_TYPE_RECEIVE (vg_receive_get_type ())
G_DECLARE_FINAL_TYPE (VgReceive, vg_receive, VG, RECEIVE, GObject)
/* signals:
 *   "arrived" (const char *path, const char *opened)   the series of the received image PATH has
 *                                    more complete time points than before, or has become the one
 *                                    with the most images; emitted again and again until
 *                                    vg_receive_note_opened is called.  OPENED: the PATH that was
 *                                    noted last since the reception began, or NULL
 *   "event" (const char *sentence)   something was refused or broke off */

VgReceive *vg_receive_new (void);
/* The series that "arrived" was opened, or is not to be. */
void vg_receive_note_opened (VgReceive *self);
/* Receives at ADDRESS (vg-dicom-receiver.h), in the place of another one, which goes on if ADDRESS
 * is none. */
gboolean vg_receive_start (VgReceive *self, const char *address, GError **error);
/* A label for the status bar; hidden while nothing is received. */
GtkWidget *vg_receive_get_status (VgReceive *self);
void vg_receive_show_dialog (VgReceive *self, GtkWindow *parent);

G_END_DECLS
