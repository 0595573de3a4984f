/* SPDX-License-Identifier: MIT */
/* Sockets that do not block, so that a program that reads slowly delays no other. */
#include "app/send/vg-sender-peers.h"
#include <errno.h>
#include <poll.h>
#include <sys/socket.h>

enum { RETRY_US = 1000000, MOST_PARTS = 3 };

typedef struct
{
  GSocket *socket;
  GBytes *parts[MOST_PARTS];           /* that are being sent, in this order; NULL: sent */
  gsize offset;                        /* of the first of them */
  guint64 map_serial, settings_serial; /* of what was sent, or is being sent */
  gboolean slow;                       /* nobody waits for it */
} Peer;

static void
peer_free (gpointer data)
{
  Peer *peer = data;

  for (int i = 0; i < MOST_PARTS; i++)
    g_clear_pointer (&peer->parts[i], g_bytes_unref);
  g_socket_close (peer->socket, NULL);
  g_object_unref (peer->socket);
  g_free (peer);
}

static void
add_peer (VgPeers *self, GSocket *socket)
{
  Peer *peer = g_new0 (Peer, 1);

  peer->socket = socket;
  g_ptr_array_add (self->items, peer);
}

gboolean
vg_peers_init (VgPeers *self, const VgIgtlAddress *address, gboolean at_once, GError **error)
{
  *self = (VgPeers){ .address = *address };
  self->cancellable = g_cancellable_new ();
  self->items = g_ptr_array_new_with_free_func (peer_free);
  if (!address->listens)
    return !at_once || vg_peers_look (self, error);
  self->listener = vg_igtl_listen (address, error);
  return self->listener != NULL;
}

void
vg_peers_clear (VgPeers *self)
{
  g_ptr_array_unref (self->items);
  g_clear_object (&self->listener);
  g_clear_object (&self->cancellable);
  vg_igtl_address_clear (&self->address);
}

gboolean
vg_peers_look (VgPeers *self, GError **error)
{
  GSocket *socket;

  if (self->listener != NULL)
    {
      while ((socket = vg_igtl_accept (self->listener)) != NULL)
        if (self->items->len < VG_MOST_PEERS)
          add_peer (self, socket);
        else
          g_object_unref (socket);
      return TRUE;
    }
  if (self->items->len > 0 || g_get_monotonic_time () < self->retry_us)
    return TRUE;
  socket = vg_igtl_connect (&self->address, self->cancellable, error);
  self->retry_us = g_get_monotonic_time () + RETRY_US;
  if (socket != NULL)
    add_peer (self, socket);
  return socket != NULL;
}

/* Chooses what PEER gets next.  FALSE: it has all of NOW. */
static gboolean
fill (VgPeers *self, Peer *peer, const VgSending *now)
{
  int n = 0;

  if (now->settings != NULL && peer->settings_serial != now->settings_serial)
    {
      peer->settings_serial = now->settings_serial;
      peer->parts[n++] = g_bytes_ref (now->settings);
    }
  if (now->map != NULL && peer->map_serial != now->map_serial)
    {
      if (peer->map_serial > 0)
        self->superseded += now->map_serial - peer->map_serial - 1;
      peer->map_serial = now->map_serial;
      peer->parts[n++] = g_bytes_ref (now->map);
      if (now->values != NULL)
        peer->parts[n++] = g_bytes_ref (now->values);
      self->sent++;
    }
  return n > 0;
}

/* The first part of PEER that is not sent yet; NULL: none. */
static GBytes **
find_part (Peer *peer)
{
  for (int i = 0; i < MOST_PARTS; i++)
    if (peer->parts[i] != NULL)
      return &peer->parts[i];
  return NULL;
}

/* What a program sends is read and not used.  FALSE: it has disconnected. */
static gboolean
discard_input (Peer *peer)
{
  guint8 scratch[16384];
  gssize n = recv (g_socket_get_fd (peer->socket), scratch, sizeof scratch, MSG_DONTWAIT);

  return n > 0 || (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR));
}

/* FALSE: the program has disconnected. */
static gboolean
send_to (VgPeers *self, Peer *peer, const VgSending *now)
{
  if (!discard_input (peer))
    return FALSE;
  while (find_part (peer) != NULL || fill (self, peer, now))
    {
      GBytes **part = find_part (peer);
      gsize size;
      const guint8 *data = g_bytes_get_data (*part, &size);
      gssize n = send (g_socket_get_fd (peer->socket), data + peer->offset, size - peer->offset,
                       MSG_DONTWAIT | MSG_NOSIGNAL);

      if (n < 0)
        return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
      peer->offset += (gsize) n;
      if (peer->offset < size)
        continue;
      g_clear_pointer (part, g_bytes_unref);
      peer->offset = 0;
    }
  return TRUE;
}

gboolean
vg_peers_send (VgPeers *self, const VgSending *now)
{
  gboolean left = FALSE;

  for (guint i = self->items->len; i-- > 0;)
    {
      Peer *peer = self->items->pdata[i];

      if (!send_to (self, peer, now))
        g_ptr_array_remove_index_fast (self->items, i);
      else
        left |= find_part (peer) != NULL && !peer->slow;
    }
  return left;
}

void
vg_peers_give_up (VgPeers *self)
{
  for (guint i = 0; i < self->items->len; i++)
    {
      Peer *peer = self->items->pdata[i];

      peer->slow |= find_part (peer) != NULL;
    }
}

void
vg_peers_wait (VgPeers *self, int wake_fd, int timeout_ms)
{
  struct pollfd fds[2 + VG_MOST_PEERS] = {
    { .fd = wake_fd, .events = POLLIN },
    { .fd = self->listener != NULL ? g_socket_get_fd (self->listener) : -1, .events = POLLIN },
  };

  for (guint i = 0; i < self->items->len; i++)
    {
      Peer *peer = self->items->pdata[i];

      fds[2 + i].fd = g_socket_get_fd (peer->socket);
      fds[2 + i].events = POLLIN | (find_part (peer) != NULL ? POLLOUT : 0);
    }
  poll (fds, 2 + self->items->len, timeout_ms);
}
