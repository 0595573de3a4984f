/* SPDX-License-Identifier: MIT */
#pragma once
#include <gtk/gtk.h>
#include "app/session/vg-session.h"
#include "kernels/base/vg-plane.h"
/* Asks what is exported and into which folder, and shows the command that writes the same maps. */
G_BEGIN_DECLS

#define VG_TYPE_EXPORT_DIALOG (vg_export_dialog_get_type ())
G_DECLARE_FINAL_TYPE (VgExportDialog, vg_export_dialog, VG, EXPORT_DIALOG, GtkWindow)
/* signal "chosen" ()   the user agreed; the getters have the answers */

/* The command that writes into FOLDER what SESSION computes, owned; NULL: there is none. */
typedef char *(*VgExportCommand) (gpointer data, const char *folder);

/* FOLDER is proposed.  SHOWN: the map on the screen, of whose size all maps are taken to be.
 * COMMAND is called with PARENT whenever the folder changes. */
GtkWidget *vg_export_dialog_new (GtkWindow *parent, VgSession *session, const char *folder,
                                 const VgPlane *shown, VgExportCommand command);
/* The absolute path of the folder, owned. */
char *vg_export_dialog_get_folder (VgExportDialog *self);
/* Names of result files that are not wanted, NULL-terminated; owned. */
char **vg_export_dialog_get_left_out (VgExportDialog *self);
/* Whether the session is saved beside the results. */
gboolean vg_export_dialog_wants_session (VgExportDialog *self);

G_END_DECLS
