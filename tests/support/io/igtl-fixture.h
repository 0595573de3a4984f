/* SPDX-License-Identifier: MIT */
#pragma once
#include <gio/gio.h>
#include "io/source/vg-source.h"
/* A peer that sends whatever bytes it is given. */
G_BEGIN_DECLS

/* What it sends, in order; NULL in `pieces`: it closes the connection and the next one begins. */
typedef struct
{
  GSocket *listener; /* NULL: it connects to `port` */
  guint16 port;
  GPtrArray *pieces; /* of GBytes */
  GThread *thread;
  gint again; /* atomic: it connects and sends all until this is FALSE */
} IgtlPeer;

guint16 igtl_find_port (void);
void igtl_peer_init (IgtlPeer *self, gboolean listens);
/* PIECE is taken. */
void igtl_peer_add (IgtlPeer *self, GBytes *piece);
/* Starts it, and opens the source that reads from it; DEVICE: "" or "/NAME". */
VgSource *igtl_peer_open (IgtlPeer *self, const char *device);
/* The thread of a peer. */
gpointer igtl_peer_run (gpointer peer);
/* Waits until all is sent. */
void igtl_peer_clear (IgtlPeer *self);

G_END_DECLS
