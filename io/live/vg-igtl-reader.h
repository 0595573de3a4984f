/* SPDX-License-Identifier: MIT */
#pragma once
#include <gio/gio.h>
#include "io/igtl/vg-igtl-address.h"
#include "io/igtl/vg-igtl-message.h"
#include "io/live/vg-live-private.h"
/* The messages of a peer that connects, or that is connected to.
 *
 * Nothing that a peer sends is believed before it is checked, and nothing is allocated by what it
 * claims.  A peer whose bytes are no messages is disconnected.  A peer that has sent no sound
 * message for a while gives way to another one. */
G_BEGIN_DECLS

/* The message that is being read. */
typedef struct
{
  VgIgtlHeader header;
  guint64 left, content; /* bytes that have not been read: of the body, and of its content */
  guint64 crc;
} VgIgtlMessage;

typedef struct
{
  VgLive *live; /* borrowed: how the source does */
  VgIgtlAddress address;
  GSocket *listener; /* NULL: it connects */
  GSocket *peer;     /* or NULL */
  GCancellable *cancellable;
  GCancellable *opening; /* of the thread that opens; NULL: it is open */
  gint64 sound_us;       /* when the peer connected, or sent its last sound message */
  VgIgtlMessage message;
  VgIgtlImage image; /* of the message, if it is a wanted image */
  char *device;      /* whose images are read; NULL: any */
} VgIgtlReader;

typedef enum { VG_IGTL_DONE, VG_IGTL_BROKEN, VG_IGTL_CANCELLED } VgIgtlResult;

/* Listens if ADDRESS says so, which is taken. */
gboolean vg_igtl_reader_init (VgIgtlReader *self, VgLive *live, const VgIgtlAddress *address,
                              GError **error);
void vg_igtl_reader_clear (VgIgtlReader *self);
/* Only images of the device of the present one are wanted from now on. */
void vg_igtl_reader_opened (VgIgtlReader *self);

/* Waits for a peer and reads its messages up to the samples of a wanted image.  FALSE: cancelled.
 */
gboolean vg_igtl_reader_find (VgIgtlReader *self);
/* N bytes of the body, to TO, or NULL to discard them. */
VgIgtlResult vg_igtl_reader_read (VgIgtlReader *self, void *to, guint64 n);
/* Discards the rest of the body; *SOUND: the CRC is right. */
VgIgtlResult vg_igtl_reader_end (VgIgtlReader *self, gboolean *sound);
/* Disconnects a peer that broke off, or whose bytes are no images. */
void vg_igtl_reader_reject (VgIgtlReader *self);

G_END_DECLS
