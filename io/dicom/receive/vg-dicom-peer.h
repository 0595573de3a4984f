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
typedef enum {
  VG_DICOM_PEER_NEW,    /* it has no association yet */
  VG_DICOM_PEER_IDLE,   /* it has one, and has begun nothing */
  VG_DICOM_PEER_BUSY,   /* it is in the middle of a message or a command */
  VG_DICOM_PEER_STORING /* it is in the middle of an object */
} VgDicomPeerStage;

VgDicomPeerStage vg_dicom_peer_get_stage (const VgDicomPeer *self);
/* The complete messages that were taken. */
guint64 vg_dicom_peer_count_messages (const VgDicomPeer *self);
/* The connection is ended from this side: it is counted as broken, with this reason. */
void vg_dicom_peer_give_up (VgDicomPeer *self, VgDicomTold told, const char *sentence);

G_END_DECLS
