/* SPDX-License-Identifier: MIT */
#pragma once
#include "io/dicom/receive/vg-dicom-store.h"
/* One connection: from the bytes that a peer sends to stored objects, and to the bytes of the
 * answer.  It does no input and output of its own but that of the store. */
G_BEGIN_DECLS

typedef struct _VgDicomPeer VgDicomPeer;

/* STORE is borrowed. */
VgDicomPeer *vg_dicom_peer_new (VgDicomStore *store);
/* Counts a connection that ends in the middle of something. */
void vg_dicom_peer_free (VgDicomPeer *self);
/* Takes the N bytes that came next, and appends to ANSWER what is to be sent.  FALSE: the
 * connection ends after it. */
gboolean vg_dicom_peer_take (VgDicomPeer *self, const guint8 *bytes, gsize n, GByteArray *answer);
/* Whether the peer has begun something, or nothing yet, so that more must come soon. */
gboolean vg_dicom_peer_owes (const VgDicomPeer *self);
/* The peer has owed it for too long: it is counted as broken. */
void vg_dicom_peer_give_up (VgDicomPeer *self);

G_END_DECLS
