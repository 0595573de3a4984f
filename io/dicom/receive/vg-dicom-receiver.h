/* SPDX-License-Identifier: MIT */
#pragma once
#include "io/dicom/receive/vg-dicom-store.h"
/* A listener to which scanners, archives and other programs send MR and CT images by C-STORE; it
 * answers C-ECHO.  Each image becomes a file in a folder, where it is read as any other DICOM file.
 * A thread of its own receives; it keeps no more than a message of each connection in memory. */
G_BEGIN_DECLS

typedef struct _VgDicomReceiver VgDicomReceiver;

/* Whether TEXT is dicom-listen://PORT/FOLDER or dicom-listen://HOST:PORT/FOLDER, and no file has
 * this name. */
gboolean vg_dicom_receiver_is_address (const char *text);
/* FALSE and VG_USAGE_ERROR: it is not of one of these forms. */
gboolean vg_dicom_receiver_check_address (const char *address, GError **error);
/* Listens at ADDRESS: on this computer alone unless HOST says otherwise.  PORT 0: any free one.
 * FOLDER is absolute, or begins with ~.  NULL and VG_USAGE_ERROR or VG_IO_ERROR. */
VgDicomReceiver *vg_dicom_receiver_new (const char *address, GError **error);
/* Stops listening and disconnects all. */
void vg_dicom_receiver_free (VgDicomReceiver *self);
const char *vg_dicom_receiver_get_folder (const VgDicomReceiver *self);
guint16 vg_dicom_receiver_get_port (const VgDicomReceiver *self);
/* A sentence on where it listens, and who can send; owned. */
char *vg_dicom_receiver_describe (const VgDicomReceiver *self);
/* Any thread may call it. */
void vg_dicom_receiver_get_state (VgDicomReceiver *self, VgDicomReceived *state);
/* The names of the files in the folder that were received, also of those that were there before; a
 * set of char *, owned.  Any thread may call it. */
GHashTable *vg_dicom_receiver_list (VgDicomReceiver *self);
/* "12 images received, 1 refused", owned. */
char *vg_dicom_received_to_string (const VgDicomReceived *state);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgDicomReceiver, vg_dicom_receiver_free)

G_END_DECLS
