/* SPDX-License-Identifier: MIT */
#pragma once
#include <gio/gio.h>
#include "io/igtl/vg-igtl-address.h"
/* The programs that a sender is connected to, and what each of them still has to get.  Of the
 * thread that sends. */
G_BEGIN_DECLS

enum { VG_MOST_PEERS = 16 };

/* What is sent: the messages of a map, and those of the settings. */
typedef struct
{
  GBytes *map, *values, *settings; /* NULL: none */
  guint64 map_serial, settings_serial;
} VgSending;

typedef struct
{
  VgIgtlAddress address;
  GSocket *listener; /* NULL: it connects */
  GCancellable *cancellable;
  GPtrArray *items; /* of Peer */
  gint64 retry_us;  /* when to connect again */
  guint64 sent, superseded;
} VgPeers;

/* Listens, or connects if it is to be AT_ONCE; takes ADDRESS. */
gboolean vg_peers_init (VgPeers *self, const VgIgtlAddress *address, gboolean at_once,
                        GError **error);
void vg_peers_clear (VgPeers *self);
/* Takes programs that connect, or connects if it is time.  FALSE and an error: that failed. */
gboolean vg_peers_look (VgPeers *self, GError **error);
/* Sends as much of NOW as the programs take without waiting.  TRUE: some is left for a program that
 * is not slow. */
gboolean vg_peers_send (VgPeers *self, const VgSending *now);
/* The programs that have not taken all are slow from now on. */
void vg_peers_give_up (VgPeers *self);
/* Waits until WAKE_FD can be read, a program connects, or one can take more. */
void vg_peers_wait (VgPeers *self, int wake_fd, int timeout_ms);

G_END_DECLS
