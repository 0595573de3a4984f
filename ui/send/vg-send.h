/* SPDX-License-Identifier: MIT */
#pragma once
#include <gtk/gtk.h>
#include "app/send/vg-sender.h"
/* Sending the shown map to other programs: the dialog that starts and stops it, and what the status
 * bar says of it. */
G_BEGIN_DECLS

#define VG_TYPE_SEND (vg_send_get_type ())
G_DECLARE_FINAL_TYPE (VgSend, vg_send, VG, SEND, GObject)
/* signals:
 *   "changed"   vg_send_get_sender is another */

VgSend *vg_send_new (void);
/* NULL: nothing is sent. */
VgSender *vg_send_get_sender (VgSend *self);
/* A label for the status bar; hidden while nothing is sent. */
GtkWidget *vg_send_get_status (VgSend *self);
void vg_send_show_dialog (VgSend *self, GtkWindow *parent);

G_END_DECLS
