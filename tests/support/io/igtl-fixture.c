/* SPDX-License-Identifier: MIT */
#include "tests/support/io/igtl-fixture.h"
#include "io/igtl/vg-igtl-address.h"
#include "io/live/vg-live.h"

static GSocket *
join (IgtlPeer *self)
{
  VgIgtlAddress address = { .host = (char *) "127.0.0.1", .port = self->port };
  GSocket *socket = NULL;

  while (socket == NULL)
    {
      if (self->listener != NULL)
        g_socket_condition_timed_wait (self->listener, G_IO_IN, 1000000, NULL, NULL);
      socket = self->listener != NULL ? vg_igtl_accept (self->listener)
                                      : vg_igtl_connect (&address, NULL, NULL);
      if (socket == NULL)
        g_usleep (20000);
    }
  g_socket_set_blocking (socket, TRUE);
  return socket;
}

static void
send_all (IgtlPeer *self)
{
  GSocket *socket = join (self);

  for (guint i = 0; i < self->pieces->len; i++)
    {
      GBytes *piece = self->pieces->pdata[i];
      gsize size = 0;
      const char *bytes = piece != NULL ? g_bytes_get_data (piece, &size) : NULL;

      if (piece == NULL)
        {
          g_socket_close (socket, NULL);
          g_object_unref (socket);
          socket = join (self);
        }
      for (gsize done = 0; done < size;)
        {
          /* in small parts, so that a read is of less than a message */
          gssize n = g_socket_send (socket, bytes + done, MIN (size - done, 37), NULL, NULL);

          if (n < 0)
            break;
          done += (gsize) n;
        }
    }
  g_socket_close (socket, NULL);
  g_object_unref (socket);
}

gpointer
igtl_peer_run (gpointer data)
{
  IgtlPeer *self = data;

  do
    {
      send_all (self);
      if (g_atomic_int_get (&self->again))
        g_usleep (50000);
    }
  while (g_atomic_int_get (&self->again));
  return NULL;
}

/* A free port below the ephemeral ports: one of those could be given to another program meanwhile,
 * or a socket that connects to it could be connected to itself. */
guint16
igtl_find_port (void)
{
  g_autoptr (GInetAddress) loopback = g_inet_address_new_loopback (G_SOCKET_FAMILY_IPV4);

  for (;;)
    {
      g_autoptr (GSocket) socket = g_socket_new (G_SOCKET_FAMILY_IPV4, G_SOCKET_TYPE_STREAM,
                                                 G_SOCKET_PROTOCOL_TCP, NULL);
      guint16 port = (guint16) g_random_int_range (10000, 32768);
      g_autoptr (GSocketAddress) address = g_inet_socket_address_new (loopback, port);

      if (g_socket_bind (socket, address, TRUE, NULL))
        return port;
    }
}

void
igtl_peer_init (IgtlPeer *self, gboolean listens)
{
  *self = (IgtlPeer){ .port = igtl_find_port (), .pieces = g_ptr_array_new () };
  if (listens)
    {
      VgIgtlAddress address = { .host = (char *) "127.0.0.1", .port = self->port, .listens = TRUE };

      self->listener = vg_igtl_listen (&address, NULL);
      g_assert_nonnull (self->listener);
    }
}

void
igtl_peer_add (IgtlPeer *self, GBytes *piece)
{
  g_ptr_array_add (self->pieces, piece);
}

VgSource *
igtl_peer_open (IgtlPeer *self, const char *device)
{
  g_autofree char *address = self->listener != NULL
                                 ? g_strdup_printf ("igtl://127.0.0.1:%d%s", self->port, device)
                                 : g_strdup_printf ("igtl-listen://%d%s", self->port, device);
  g_autoptr (GError) error = NULL;
  VgSource *source;

  self->thread = g_thread_new ("peer", igtl_peer_run, self);
  source = vg_live_open (address, NULL, &error);
  g_assert_no_error (error);
  return source;
}

void
igtl_peer_clear (IgtlPeer *self)
{
  g_thread_join (self->thread);
  for (guint i = 0; i < self->pieces->len; i++)
    g_clear_pointer ((GBytes **) &self->pieces->pdata[i], g_bytes_unref);
  g_ptr_array_unref (self->pieces);
  g_clear_object (&self->listener);
}
