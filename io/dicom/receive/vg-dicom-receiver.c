/* SPDX-License-Identifier: MIT */
#include "io/dicom/receive/vg-dicom-receiver.h"
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>
#include "io/dicom/receive/vg-dicom-peer.h"
#include "io/dicom/vg-dicom-module.h"
#include "io/igtl/vg-igtl-address.h"
#include "kernels/base/vg-error.h"

#define SCHEME "dicom-listen:"

enum {
  MOST_PEERS = 8,
  PIECE_BYTES = 65536,
  LOOK_MS = 1000,
  OWES_S = 30,   /* without a byte, in the middle of something */
  WHOLE_S = 60,  /* until it has an association, and for each message, however its bytes drip */
  IDLE_S = 3600, /* a scanner may keep its connection between two time points */
  /* after which a connection gives way, if there are too many */
  NEW_GIVES_WAY_S = 1,
  IDLE_GIVES_WAY_S = 5
};

typedef struct
{
  GSocket *socket; /* NULL: free */
  VgDicomPeer *peer;
  gint64 heard_us; /* when the last bytes were taken */
  gint64 since_us; /* when it was accepted, ended its last message or began one after a pause */
} Connection;

struct _VgDicomReceiver
{
  char *host, *folder;
  guint16 port;
  GSocket *listener;
  VgDicomStore *store;
  GThread *thread;
  int cancel_fd;
  gint64 rests_us; /* before which no connection is accepted: the system had none left */
  Connection connections[MOST_PEERS]; /* of the thread */
};

/* ---- connections ---- */

static void
disconnect (Connection *self)
{
  g_clear_pointer (&self->peer, vg_dicom_peer_free);
  if (self->socket != NULL)
    {
      g_socket_shutdown (self->socket, FALSE, TRUE, NULL);
      g_socket_close (self->socket, NULL);
    }
  g_clear_object (&self->socket);
}

/* FALSE: the peer does not take its answer. */
static gboolean
send_answer (Connection *self, const GByteArray *answer)
{
  /* an answer is short, and no peer sends on before it has it */
  return answer->len == 0 || send (g_socket_get_fd (self->socket), answer->data, answer->len,
                                   MSG_DONTWAIT | MSG_NOSIGNAL) == (gssize) answer->len;
}

/* Takes what has come. */
static void
hear (Connection *self, guint8 *piece)
{
  g_autoptr (GByteArray) answer = g_byte_array_new ();
  gssize n = recv (g_socket_get_fd (self->socket), piece, PIECE_BYTES, MSG_DONTWAIT);
  const int now = 1;
  gboolean idle, goes_on;
  guint64 messages;

  if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR))
    return;
  if (n <= 0)
    {
      disconnect (self);
      return;
    }
  /* a sender may wait for the confirmation of a command before it sends the data */
  setsockopt (g_socket_get_fd (self->socket), IPPROTO_TCP, TCP_QUICKACK, &now, sizeof now);
  idle = vg_dicom_peer_get_stage (self->peer) == VG_DICOM_PEER_IDLE;
  messages = vg_dicom_peer_count_messages (self->peer);
  goes_on = vg_dicom_peer_take (self->peer, piece, (gsize) n, answer);
  self->heard_us = g_get_monotonic_time ();
  if (idle || vg_dicom_peer_count_messages (self->peer) > messages)
    self->since_us = self->heard_us;
  if (!send_answer (self, answer) || !goes_on)
    disconnect (self);
}

/* Nothing could be read from the peer at NOW_US. */
static void
drop_silent (Connection *self, gint64 now_us)
{
  gint64 silent_s = (now_us - self->heard_us) / G_USEC_PER_SEC;
  gint64 since_s = (now_us - self->since_us) / G_USEC_PER_SEC;
  gboolean owes = vg_dicom_peer_get_stage (self->peer) != VG_DICOM_PEER_IDLE;

  if (owes && silent_s >= OWES_S)
    vg_dicom_peer_give_up (
        self->peer, VG_DICOM_TOLD_SILENT,
        "a program sent nothing for 30 s, so it was disconnected; start the transfer again");
  else if (owes && since_s >= WHOLE_S)
    vg_dicom_peer_give_up (self->peer, VG_DICOM_TOLD_SLOW,
                           "a program took more than 60 s for a message, so it was disconnected; "
                           "start the transfer again");
  else if (silent_s < IDLE_S)
    return;
  disconnect (self);
}

/* How readily the connection gives way to a new one; 0: not at all, as it may be in the middle of
 * an image. */
static int
give_way (const Connection *self)
{
  gint64 now_us = g_get_monotonic_time ();

  switch (vg_dicom_peer_get_stage (self->peer))
    {
    case VG_DICOM_PEER_NEW:
      return now_us - self->since_us >= NEW_GIVES_WAY_S * G_USEC_PER_SEC ? 2 : 0;
    case VG_DICOM_PEER_IDLE:
      return now_us - self->heard_us >= IDLE_GIVES_WAY_S * G_USEC_PER_SEC ? 1 : 0;
    default:
      return 0;
    }
}

static void
count_many (VgDicomReceiver *self, VgDicomPeer *peer)
{
  static const char sentence[] = "too many programs are connected at the same time, so one was "
                                 "disconnected; send its images again later";

  if (peer != NULL)
    vg_dicom_peer_give_up (peer, VG_DICOM_TOLD_MANY, sentence);
  else
    vg_dicom_store_count_broken (self->store, VG_DICOM_TOLD_MANY, sentence);
}

/* A free connection, or that of the peer that gives way most readily, which is disconnected; NULL:
 * none does. */
static Connection *
find_free (VgDicomReceiver *self)
{
  Connection *found = NULL;

  for (guint i = 0; i < MOST_PEERS; i++)
    {
      Connection *connection = &self->connections[i];
      int way, best;

      if (connection->socket == NULL)
        return connection;
      way = give_way (connection);
      best = found != NULL ? give_way (found) : 0;
      if (way > best || (way > 0 && way == best && connection->heard_us < found->heard_us))
        found = connection;
    }
  if (found != NULL)
    {
      count_many (self, found->peer);
      disconnect (found);
    }
  return found;
}

static void
accept_peer (VgDicomReceiver *self)
{
  g_autoptr (GSocket) socket = vg_igtl_accept (self->listener);
  gint64 now_us = g_get_monotonic_time ();
  Connection *connection = socket != NULL ? find_free (self) : NULL;

  if (socket == NULL)
    self->rests_us = now_us + G_USEC_PER_SEC;
  else if (connection == NULL)
    count_many (self, NULL);
  else
    *connection = (Connection){ g_steal_pointer (&socket), vg_dicom_peer_new (self->store), now_us,
                                now_us };
}

/* Since US nobody listened to the peers, because the disk was slow, for instance: that is no
 * silence of theirs. */
static void
forgive (VgDicomReceiver *self, gint64 us)
{
  gint64 spent_us = g_get_monotonic_time () - us;

  for (guint i = 0; i < MOST_PEERS; i++)
    {
      self->connections[i].heard_us += spent_us;
      self->connections[i].since_us += spent_us;
    }
}

static gpointer
run (gpointer data)
{
  VgDicomReceiver *self = data;
  g_autofree guint8 *piece = g_malloc (PIECE_BYTES);

  for (;;)
    {
      gboolean rests = g_get_monotonic_time () < self->rests_us;
      struct pollfd fds[MOST_PEERS + 2] = {
        { .fd = self->cancel_fd, .events = POLLIN },
        { .fd = rests ? -1 : g_socket_get_fd (self->listener), .events = POLLIN },
      };
      gint64 now_us;

      for (guint i = 0; i < MOST_PEERS; i++)
        {
          GSocket *socket = self->connections[i].socket;

          fds[2 + i] = (struct pollfd){ .fd = socket != NULL ? g_socket_get_fd (socket) : -1,
                                        .events = POLLIN };
        }
      if (poll (fds, G_N_ELEMENTS (fds), LOOK_MS) < 0 && errno != EINTR)
        g_usleep (LOOK_MS * 1000);
      now_us = g_get_monotonic_time ();
      if ((fds[0].revents & POLLIN) != 0)
        break;
      for (guint i = 0; i < MOST_PEERS; i++)
        {
          if (fds[2 + i].revents != 0)
            hear (&self->connections[i], piece);
          else if (self->connections[i].socket != NULL)
            drop_silent (&self->connections[i], now_us);
        }
      forgive (self, now_us);
      if ((fds[1].revents & POLLIN) != 0)
        accept_peer (self);
    }
  for (guint i = 0; i < MOST_PEERS; i++)
    disconnect (&self->connections[i]);
  return NULL;
}

/* ---- address ---- */

gboolean
vg_dicom_receiver_is_address (const char *text)
{
  return g_str_has_prefix (text, SCHEME) && !g_file_test (text, G_FILE_TEST_EXISTS);
}

/* Reads PORT, HOST:PORT or [IPV6]:PORT. */
static gboolean
read_place (VgDicomReceiver *self, const char *text)
{
  const char *colon = strrchr (text, ':'), *number = colon != NULL ? colon + 1 : text;
  gboolean brackets = text[0] == '[';
  guint64 port;

  if (!g_ascii_string_to_unsigned (number, 10, 0, G_MAXUINT16, &port, NULL))
    return FALSE;
  self->port = (guint16) port;
  if (colon == NULL)
    self->host = g_strdup ("127.0.0.1");
  else if (brackets && colon > text + 2 && colon[-1] == ']')
    self->host = g_strndup (text + 1, (gsize) (colon - text) - 2);
  else if (!brackets)
    self->host = g_strndup (text, (gsize) (colon - text));
  return self->host != NULL && *self->host != '\0' &&
         (brackets || strchr (self->host, ':') == NULL);
}

static gboolean
read_address (VgDicomReceiver *self, const char *address, GError **error)
{
  const char *text = address + strlen (SCHEME),
             *slash = g_str_has_prefix (text, "//") ? strchr (text + 2, '/') : NULL;
  g_autofree char *place = slash != NULL ? g_strndup (text + 2, (gsize) (slash - text) - 2) : NULL,
                  *folder = NULL;

  if (slash != NULL && slash[1] != '\0' && read_place (self, place))
    {
      gboolean home = g_str_has_prefix (slash, "/~/");

      folder = g_build_filename (home ? g_get_home_dir () : "/", slash + (home ? 3 : 1), NULL);
      self->folder = g_canonicalize_filename (folder, NULL);
      return TRUE;
    }
  g_set_error (error, VG_USAGE_ERROR, 0,
               "\"%s\" is not an address for receiving DICOM images; write "
               "dicom-listen://PORT/FOLDER, such as dicom-listen://11112/data/received, or "
               "dicom-listen://HOST:PORT/FOLDER for senders on other computers",
               address);
  return FALSE;
}

static gboolean
begin_to_listen (VgDicomReceiver *self, GError **error)
{
  const VgIgtlAddress place = { .host = self->host, .port = self->port, .listens = TRUE };
  g_autoptr (GSocketAddress) bound = NULL;

  self->listener = vg_igtl_listen (&place, error);
  if (self->listener == NULL)
    return FALSE;
  bound = g_socket_get_local_address (self->listener, NULL);
  if (bound != NULL)
    self->port = g_inet_socket_address_get_port (G_INET_SOCKET_ADDRESS (bound));
  self->cancel_fd = eventfd (0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (self->cancel_fd >= 0)
    self->thread = g_thread_try_new ("vg-dicom", run, self, NULL);
  if (self->thread == NULL)
    g_set_error_literal (error, VG_IO_ERROR, VG_IO_ERROR_OPEN,
                         "cannot listen for DICOM images: too many files or threads are open in "
                         "the system; close other programs");
  return self->thread != NULL;
}

gboolean
vg_dicom_receiver_check_address (const char *address, GError **error)
{
  VgDicomReceiver parts = { 0 };
  gboolean good = read_address (&parts, address, error);

  g_free (parts.host);
  g_free (parts.folder);
  return good;
}

VgDicomReceiver *
vg_dicom_receiver_new (const char *address, GError **error)
{
  g_autoptr (VgDicomReceiver) self = g_new0 (VgDicomReceiver, 1);
  const char *reason;

  self->cancel_fd = -1;
  if (!read_address (self, address, error))
    return NULL;
  if (!vg_dicom_module_is_there (&reason))
    {
      g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_UNSUPPORTED,
                   "cannot listen for DICOM images: %s", reason);
      return NULL;
    }
  self->store = vg_dicom_store_new (self->folder, VG_DICOM_STORE_BYTES, error);
  return self->store != NULL && begin_to_listen (self, error) ? g_steal_pointer (&self) : NULL;
}

void
vg_dicom_receiver_free (VgDicomReceiver *self)
{
  if (self == NULL)
    return;
  if (self->thread != NULL)
    {
      eventfd_write (self->cancel_fd, 1);
      g_thread_join (self->thread);
    }
  if (self->cancel_fd >= 0)
    close (self->cancel_fd);
  g_clear_object (&self->listener);
  vg_dicom_store_free (self->store);
  g_free (self->host);
  g_free (self->folder);
  g_free (self);
}

/* ---- state ---- */

const char *
vg_dicom_receiver_get_folder (const VgDicomReceiver *self)
{
  return self->folder;
}

guint16
vg_dicom_receiver_get_port (const VgDicomReceiver *self)
{
  return self->port;
}

char *
vg_dicom_receiver_describe (const VgDicomReceiver *self)
{
  g_autoptr (GInetAddress) inet = g_inet_address_new_from_string (self->host);
  gboolean alone = inet == NULL || g_inet_address_get_is_loopback (inet);

  return g_strdup_printf (
      alone ? "listening for DICOM images at %s, port %u; only programs on this computer can send "
              "images, which are stored in \"%s\""
            : "listening for DICOM images at %s, port %u; programs on other computers can also "
              "send, without a password. Images are stored in \"%s\"",
      self->host, self->port, self->folder);
}

void
vg_dicom_receiver_get_state (VgDicomReceiver *self, VgDicomReceived *state)
{
  vg_dicom_store_get_state (self->store, state);
}

GHashTable *
vg_dicom_receiver_list (VgDicomReceiver *self)
{
  return vg_dicom_store_list (self->store);
}

char *
vg_dicom_received_to_string (const VgDicomReceived *state)
{
  GString *text = g_string_new (NULL);

  g_string_printf (text, "%" G_GUINT64_FORMAT " image%s received", state->stored,
                   state->stored == 1 ? "" : "s");
  if (state->repeated > 0)
    g_string_append_printf (text, ", %" G_GUINT64_FORMAT " already in the folder", state->repeated);
  if (state->refused > 0)
    g_string_append_printf (text, ", %" G_GUINT64_FORMAT " refused", state->refused);
  if (state->broken > 0)
    g_string_append_printf (text, ", %" G_GUINT64_FORMAT " connection%s interrupted", state->broken,
                            state->broken == 1 ? "" : "s");
  return g_string_free (text, FALSE);
}
