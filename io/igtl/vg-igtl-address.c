/* SPDX-License-Identifier: MIT */
#include "io/igtl/vg-igtl-address.h"
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include "kernels/base/vg-error.h"

enum { CONNECT_S = 5, BACKLOG = 16, DEVICE_BYTES = 20 };

static gboolean
refuse (const char *name, gboolean listens, GError **error)
{
  g_set_error (error, VG_USAGE_ERROR, 0,
               listens ? "\"%s\" is not an address to listen at; write igtl-listen://PORT, or "
                         "igtl-listen://HOST:PORT for peers on other computers"
                       : "\"%s\" is not an address; write igtl://HOST:PORT",
               name);
  return FALSE;
}

/* "18944"; FALSE: it is no port. */
static gboolean
read_port (const char *text, guint16 *port)
{
  guint64 value;

  if (!g_ascii_string_to_unsigned (text, 10, 1, G_MAXUINT16, &value, NULL))
    return FALSE;
  *port = (guint16) value;
  return TRUE;
}

/* Splits HOST:PORT, HOST, [IPV6]:PORT, and PORT alone of a listener. */
static gboolean
read_place (VgIgtlAddress *self, char *place)
{
  char *close = place[0] == '[' ? strchr (place, ']') : NULL, *colon;

  self->port = VG_IGTL_PORT;
  if (self->listens && read_port (place, &self->port))
    {
      self->host = g_strdup ("127.0.0.1");
      return TRUE;
    }
  if (place[0] == '[' && (close == NULL || (close[1] != '\0' && close[1] != ':')))
    return FALSE;
  colon = strchr (close != NULL ? close : place, ':');
  if (colon != NULL && !read_port (colon + 1, &self->port))
    return FALSE;
  *(close != NULL ? close : colon != NULL ? colon : strchr (place, '\0')) = '\0';
  self->host = g_strdup (close != NULL ? place + 1 : place);
  return self->host[0] != '\0' && strpbrk (self->host, " /#?@") == NULL;
}

gboolean
vg_igtl_address_parse (VgIgtlAddress *self, const char *text, gboolean listens, const char *name,
                       GError **error)
{
  g_autofree char *place = NULL;
  char *slash;

  *self = (VgIgtlAddress){ .listens = listens };
  if (!g_str_has_prefix (text, "//"))
    return refuse (name, listens, error);
  place = g_strdup (text + 2);
  slash = strchr (place, '/');
  if (slash != NULL)
    {
      if (slash[1] != '\0')
        self->device = g_strdup (slash + 1);
      *slash = '\0';
    }
  if (self->device != NULL &&
      (strchr (self->device, '/') != NULL || strlen (self->device) > DEVICE_BYTES))
    {
      g_set_error (
          error, VG_USAGE_ERROR, 0,
          "\"%s\" has an invalid device name: the name of an OpenIGTLink device has at most %d "
          "characters and no /",
          name, (int) DEVICE_BYTES);
      vg_igtl_address_clear (self);
      return FALSE;
    }
  if (read_place (self, place))
    return TRUE;
  vg_igtl_address_clear (self);
  return refuse (name, listens, error);
}

gboolean
vg_igtl_address_parse_whole (VgIgtlAddress *self, const char *name, GError **error)
{
  gboolean listens = g_str_has_prefix (name, "igtl-listen:");

  if (listens || g_str_has_prefix (name, "igtl:"))
    return vg_igtl_address_parse (self, strchr (name, ':') + 1, listens, name, error);
  g_set_error (error, VG_USAGE_ERROR, 0,
               "\"%s\" is not an address of OpenIGTLink; write igtl://HOST:PORT to connect to a "
               "program, or igtl-listen://PORT to let programs connect",
               name);
  return FALSE;
}

gboolean
vg_igtl_address_parse_to_send (VgIgtlAddress *self, const char *name, GError **error)
{
  if (!vg_igtl_address_parse_whole (self, name, error))
    return FALSE;
  if (self->device == NULL)
    return TRUE;
  g_set_error (error, VG_USAGE_ERROR, 0,
               "\"%s\" names a device, but maps are sent under their own names; remove /%s", name,
               self->device);
  vg_igtl_address_clear (self);
  return FALSE;
}

void
vg_igtl_address_clear (VgIgtlAddress *self)
{
  g_clear_pointer (&self->host, g_free);
  g_clear_pointer (&self->device, g_free);
}

static gboolean
fail (const VgIgtlAddress *self, GError *local, GError **error)
{
  if (g_error_matches (local, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    g_propagate_error (error, local);
  else
    {
      g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_OPEN, "cannot %s %s, port %d: %s",
                   self->listens ? "listen at" : "connect to", self->host, self->port,
                   local->message);
      g_error_free (local);
    }
  return FALSE;
}

GSocket *
vg_igtl_listen (const VgIgtlAddress *self, GError **error)
{
  g_autoptr (GInetAddress) inet = g_inet_address_new_from_string (self->host);
  g_autoptr (GSocketAddress) address = NULL;
  g_autoptr (GSocket) socket = NULL;
  GError *local = NULL;

  if (inet == NULL && g_str_equal (self->host, "localhost"))
    inet = g_inet_address_new_loopback (G_SOCKET_FAMILY_IPV4);
  if (inet == NULL)
    {
      g_set_error (error, VG_USAGE_ERROR, 0,
                   "\"%s\" is not an IP address of this computer to listen at; write 0.0.0.0 for "
                   "all of them",
                   self->host);
      return NULL;
    }
  address = g_inet_socket_address_new (inet, self->port);
  socket = g_socket_new (g_inet_address_get_family (inet), G_SOCKET_TYPE_STREAM,
                         G_SOCKET_PROTOCOL_TCP, &local);
  if (socket != NULL)
    {
      g_socket_set_blocking (socket, FALSE);
      g_socket_set_listen_backlog (socket, BACKLOG);
    }
  if (socket != NULL && g_socket_bind (socket, address, TRUE, &local) &&
      g_socket_listen (socket, &local))
    return g_steal_pointer (&socket);
  fail (self, local, error);
  return NULL;
}

/* Messages are whole when they are sent: none waits for more. */
static GSocket *
make_ready (GSocket *socket)
{
  g_socket_set_blocking (socket, FALSE);
  g_socket_set_option (socket, IPPROTO_TCP, TCP_NODELAY, 1, NULL);
  return socket;
}

GSocket *
vg_igtl_connect (const VgIgtlAddress *self, GCancellable *cancellable, GError **error)
{
  g_autoptr (GSocketClient) client = g_socket_client_new ();
  g_autoptr (GSocketConnection) connection = NULL;
  GSocket *socket = NULL;
  GError *local = NULL;

  g_socket_client_set_timeout (client, CONNECT_S);
  g_socket_client_set_enable_proxy (client, FALSE);
  connection = g_socket_client_connect_to_host (client, self->host, self->port, cancellable,
                                                &local);
  /* the connection closes its own descriptor when it is freed */
  if (connection != NULL)
    socket = g_socket_new_from_fd (
        fcntl (g_socket_get_fd (g_socket_connection_get_socket (connection)), F_DUPFD_CLOEXEC, 0),
        &local);
  if (socket != NULL)
    return make_ready (socket);
  fail (self, local, error);
  return NULL;
}

GSocket *
vg_igtl_accept (GSocket *listener)
{
  GSocket *peer = g_socket_accept (listener, NULL, NULL);

  return peer != NULL ? make_ready (peer) : NULL;
}
