/* SPDX-License-Identifier: MIT */
/* Any bytes as what a peer sends by OpenIGTLink after a first image, before it closes the
 * connection. The checksums of its messages are made right unless the first byte is odd. */
#include "tests/fuzz/fuzz.h"
#include "io/igtl/vg-igtl-address.h"
#include "io/igtl/vg-igtl-message.h"
#include "io/live/vg-live.h"

enum { MAX_FRAME = 1 << 20, MOST_BYTES = 65536 };

typedef struct
{
  GSocket *listener;
  const guint8 *bytes;
  gsize length;
  GMutex lock;
  VgSource *source; /* under the lock; NULL: it is not open yet */
  gboolean ended;   /* the same: the reader has closed the connection */
} Peer;

static void
send_all (GSocket *socket, const guint8 *bytes, gsize length)
{
  for (gsize done = 0; done < length;)
    {
      gssize n = g_socket_send (socket, (const char *) bytes + done, length - done, NULL, NULL);

      if (n <= 0)
        return;
      done += (gsize) n;
    }
}

/* An image of 3 x 2 pixels with 16 bits. */
static void
send_first (GSocket *socket)
{
  enum { BODY = VG_IGTL_IMAGE_BYTES + 12 };
  VgIgtlImage image = { .components = 1, .type = VG_IGTL_UINT16, .size = { 3, 2, 1 } };
  guint8 message[VG_IGTL_HEADER_BYTES + BODY] = { 0 };

  vg_igtl_image_pack (&image, message + VG_IGTL_HEADER_BYTES);
  vg_igtl_finish (message, "IMAGE", "Camera", 0, BODY);
  send_all (socket, message, sizeof message);
}

/* Sends all bytes, and cancels the reader once it has read them or has had enough, because it would
 * wait for another peer.  It cannot connect again, because nobody listens any more. */
static gpointer
run_peer (gpointer data)
{
  Peer *self = data;
  g_autoptr (GSocket) socket = g_socket_accept (self->listener, NULL, NULL);
  char byte;

  fuzz_require (socket != NULL, "nobody connects");
  g_socket_close (self->listener, NULL);
  send_first (socket);
  send_all (socket, self->bytes, self->length);
  g_socket_shutdown (socket, FALSE, TRUE, NULL);
  g_socket_receive (socket, &byte, 1, NULL, NULL);
  g_mutex_lock (&self->lock);
  self->ended = TRUE;
  if (self->source != NULL)
    vg_source_cancel (self->source);
  g_mutex_unlock (&self->lock);
  return NULL;
}

/* Makes SOURCE the one to cancel; NULL: it will be closed. */
static void
set_source (Peer *self, VgSource *source)
{
  g_mutex_lock (&self->lock);
  self->source = source;
  if (self->ended && source != NULL)
    vg_source_cancel (source);
  g_mutex_unlock (&self->lock);
}

static void
take_frames (VgSource *source)
{
  gsize bytes = vg_image_info_frame_bytes (&source->info);
  g_autofree void *frame = NULL;
  gboolean good = TRUE, more = bytes <= MAX_FRAME;
  double time_s;
  guint64 id;

  fuzz_require (bytes > 0 && source->info.frames == -1, "no live source");
  frame = more ? g_malloc (bytes) : NULL;
  while (more)
    {
      g_autoptr (GError) error = NULL;

      good = vg_source_next (source, frame, &id, &time_s, &error);
      fuzz_require_message (error != NULL, error);
      more = good || g_error_matches (error, VG_IO_ERROR, VG_IO_ERROR_FRAME);
    }
}

static void
fix_checksums (guint8 *bytes, gsize length)
{
  for (gsize at = 0; at + VG_IGTL_HEADER_BYTES <= length;)
    {
      VgIgtlHeader header;

      if (!vg_igtl_header_unpack (&header, bytes + at) ||
          header.body_bytes > length - at - VG_IGTL_HEADER_BYTES)
        return;
      header.crc = GUINT64_TO_BE (
          vg_igtl_crc (0, bytes + at + VG_IGTL_HEADER_BYTES, (gsize) header.body_bytes));
      memcpy (bytes + at + VG_IGTL_HEADER_BYTES - sizeof header.crc, &header.crc,
              sizeof header.crc);
      at += VG_IGTL_HEADER_BYTES + (gsize) header.body_bytes;
    }
}

static GSocket *
listen_anywhere (char **address)
{
  g_autoptr (GInetAddress) loopback = g_inet_address_new_loopback (G_SOCKET_FAMILY_IPV4);
  g_autoptr (GSocketAddress) any = g_inet_socket_address_new (loopback, 0), own = NULL;
  GSocket *listener = g_socket_new (G_SOCKET_FAMILY_IPV4, G_SOCKET_TYPE_STREAM,
                                    G_SOCKET_PROTOCOL_TCP, NULL);

  fuzz_require (g_socket_bind (listener, any, TRUE, NULL) && g_socket_listen (listener, NULL),
                "cannot listen");
  own = g_socket_get_local_address (listener, NULL);
  *address = g_strdup_printf ("igtl://127.0.0.1:%d",
                              g_inet_socket_address_get_port (G_INET_SOCKET_ADDRESS (own)));
  return listener;
}

void
fuzz_one (const guint8 *data, gsize length)
{
  g_autofree guint8 *bytes = length > 1 ? g_memdup2 (data + 1, length - 1) : NULL;
  g_autofree char *address = NULL;
  Peer peer = { .bytes = bytes, .length = length > 1 ? MIN (length - 1, MOST_BYTES) : 0 };
  g_autoptr (VgSource) source = NULL;
  GThread *thread;

  if (length > 1 && !(data[0] & 1))
    fix_checksums (bytes, peer.length);
  g_mutex_init (&peer.lock);
  peer.listener = listen_anywhere (&address);
  thread = g_thread_new ("peer", run_peer, &peer);
  source = vg_live_open (address, NULL, NULL);
  fuzz_require (source != NULL, "refuses a sound image");
  set_source (&peer, source);
  take_frames (source);
  set_source (&peer, NULL);
  g_clear_pointer (&source, vg_source_close);
  g_thread_join (thread);
  g_object_unref (peer.listener);
  g_mutex_clear (&peer.lock);
}
