/* SPDX-License-Identifier: MIT */
/* Connects, waits for peers, and reads their messages. */
#include "io/live/vg-igtl-reader.h"
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>

enum {
  LOOK_US = 100000,     /* between two looks whether the opening is cancelled */
  RETRY_US = 1000000,   /* between two attempts to connect */
  PATIENCE_US = 2000000 /* without a sound message, until a peer gives way to another */
};

/* --- the peer --- */

static void
drop_peer (VgIgtlReader *self)
{
  if (self->peer != NULL)
    g_socket_close (self->peer, NULL);
  g_clear_object (&self->peer);
}

static void
take_peer (VgIgtlReader *self, GSocket *peer)
{
  drop_peer (self);
  self->peer = peer;
  self->sound_us = g_get_monotonic_time ();
}

/* TRUE: the peer has sent no sound message for a while. */
static gboolean
is_doubtful (const VgIgtlReader *self)
{
  return g_get_monotonic_time () - self->sound_us >= PATIENCE_US;
}

/* TRUE: the peer has sent bytes that are not read yet, or has disconnected. */
static gboolean
has_news (const VgIgtlReader *self)
{
  guint8 byte;

  return recv (g_socket_get_fd (self->peer), &byte, 1, MSG_PEEK | MSG_DONTWAIT) >= 0 ||
         (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR);
}

/* Takes a peer that connects if there is none, or if that is doubtful; TRUE: it is another. */
static gboolean
look_for_peer (VgIgtlReader *self)
{
  g_autoptr (GSocket) other = NULL;

  /* a peer that connects again waits until its old connection has ended, and is not refused */
  if (self->peer != NULL && !is_doubtful (self) && has_news (self))
    return FALSE;
  other = self->listener != NULL ? vg_igtl_accept (self->listener) : NULL;
  if (other == NULL)
    return FALSE;
  if (self->peer != NULL && !is_doubtful (self))
    return FALSE; /* closes it */
  take_peer (self, g_steal_pointer (&other));
  return TRUE;
}

/* Waits at most TIMEOUT_US for bytes of the peer, or for another peer.  FALSE: cancelled. */
static gboolean
wait_for_bytes (VgIgtlReader *self, gint64 timeout_us)
{
  struct pollfd fds[3] = {
    { .fd = self->live->cancel_fd, .events = POLLIN },
    { .fd = self->listener != NULL ? g_socket_get_fd (self->listener) : -1, .events = POLLIN },
    { .fd = self->peer != NULL ? g_socket_get_fd (self->peer) : -1, .events = POLLIN },
  };
  struct timespec timeout = { .tv_sec = timeout_us / 1000000,
                              .tv_nsec = timeout_us % 1000000 * 1000 };

  ppoll (fds, G_N_ELEMENTS (fds), &timeout, NULL);
  return (fds[0].revents & POLLIN) == 0 &&
         (self->opening == NULL || !g_cancellable_is_cancelled (self->opening));
}

/* Waits until there is a peer.  FALSE: cancelled. */
static gboolean
find_peer (VgIgtlReader *self)
{
  while (self->peer == NULL)
    {
      g_autoptr (GError) local = NULL;

      if (self->listener == NULL)
        {
          GSocket *peer = vg_igtl_connect (
              &self->address, self->opening != NULL ? self->opening : self->cancellable, &local);

          if (peer != NULL)
            take_peer (self, peer);
          else
            vg_live_report (self->live, VG_LIVE_WAITING, "%s; waiting until it responds",
                            local->message);
        }
      for (gint64 waited = 0; self->peer == NULL && waited < RETRY_US; waited += LOOK_US)
        {
          if (!wait_for_bytes (self, LOOK_US))
            return FALSE;
          look_for_peer (self);
        }
    }
  return TRUE;
}

static VgIgtlResult
read_bytes (VgIgtlReader *self, void *to, gsize n)
{
  guint8 *at = to;

  while (n > 0)
    {
      gssize got = recv (g_socket_get_fd (self->peer), at, n, MSG_DONTWAIT);

      if (got > 0)
        {
          at += got;
          n -= (gsize) got;
        }
      else if (got == 0 || (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR))
        return VG_IGTL_BROKEN;
      else if (!wait_for_bytes (self, LOOK_US))
        return VG_IGTL_CANCELLED;
      else if (look_for_peer (self))
        return VG_IGTL_BROKEN;
    }
  return VG_IGTL_DONE;
}

/* --- messages --- */

/* N bytes of the body, to TO, or NULL to discard them. */
VgIgtlResult
vg_igtl_reader_read (VgIgtlReader *self, void *to, guint64 n)
{
  VgIgtlMessage *message = &self->message;
  guint8 scratch[16384] = { 0 };
  VgIgtlResult result = VG_IGTL_DONE;

  if (n > message->left)
    return VG_IGTL_BROKEN;
  while (n > 0 && result == VG_IGTL_DONE)
    {
      gsize part = (gsize) MIN (n, to != NULL ? G_MAXSSIZE : sizeof scratch);

      if (!wait_for_bytes (self, 0)) /* also of a peer that never pauses */
        return VG_IGTL_CANCELLED;
      if (is_doubtful (self) && look_for_peer (self))
        return VG_IGTL_BROKEN;
      result = read_bytes (self, to != NULL ? to : scratch, part);
      if (result == VG_IGTL_DONE)
        message->crc = vg_igtl_crc (message->crc, to != NULL ? to : scratch, part);
      message->left -= part;
      message->content -= MIN (message->content, part);
      n -= part;
    }
  return result;
}

/* Reads a header, and what stands before the content of the body. */
static VgIgtlResult
begin_message (VgIgtlReader *self)
{
  VgIgtlMessage *message = &self->message;
  guint8 bytes[VG_IGTL_HEADER_BYTES], extended[VG_IGTL_EXTENDED_BYTES];
  guint64 skip, content;
  VgIgtlResult result = wait_for_bytes (self, 0) ? read_bytes (self, bytes, sizeof bytes)
                                                 : VG_IGTL_CANCELLED;

  *message = (VgIgtlMessage){ 0 };
  if (result != VG_IGTL_DONE)
    return result;
  if (!vg_igtl_header_unpack (&message->header, bytes) ||
      message->header.body_bytes > (guint64) VG_SOURCE_MAX_FRAME_BYTES)
    return VG_IGTL_BROKEN;
  message->left = message->content = message->header.body_bytes;
  if (message->header.version < 2 || message->left == 0)
    return VG_IGTL_DONE;
  result = vg_igtl_reader_read (self, extended, sizeof extended);
  if (result != VG_IGTL_DONE)
    return result;
  if (!vg_igtl_extended_unpack (extended, message->header.body_bytes, &skip, &content))
    return VG_IGTL_BROKEN;
  result = vg_igtl_reader_read (self, NULL, skip);
  message->content = content;
  return result;
}

/* Discards the rest; *SOUND: the CRC is right. */
VgIgtlResult
vg_igtl_reader_end (VgIgtlReader *self, gboolean *sound)
{
  VgIgtlResult result = vg_igtl_reader_read (self, NULL, self->message.left);

  *sound = result == VG_IGTL_DONE && self->message.crc == self->message.header.crc;
  if (*sound)
    self->sound_us = g_get_monotonic_time ();
  return result;
}

static gboolean
is_wanted (const VgIgtlReader *self)
{
  const VgIgtlHeader *header = &self->message.header;
  const char *device = self->address.device != NULL ? self->address.device : self->device;

  return g_str_equal (header->type, "IMAGE") &&
         (device == NULL || g_str_equal (header->device, device));
}

/* Reads up to the samples of the next wanted image. */
static VgIgtlResult
find_image (VgIgtlReader *self)
{
  for (;;)
    {
      guint8 bytes[VG_IGTL_IMAGE_BYTES];
      VgIgtlResult result = begin_message (self);
      gboolean sound;

      if (result != VG_IGTL_DONE)
        return result;
      if (is_wanted (self))
        {
          if (self->message.content < sizeof bytes)
            return VG_IGTL_BROKEN;
          result = vg_igtl_reader_read (self, bytes, sizeof bytes);
          if (result == VG_IGTL_DONE &&
              (!vg_igtl_image_unpack (&self->image, bytes) ||
               vg_igtl_image_sample_bytes (&self->image) != self->message.content))
            return VG_IGTL_BROKEN;
          return result;
        }
      result = vg_igtl_reader_end (self, &sound);
      if (result != VG_IGTL_DONE)
        return result;
    }
}

/* Bytes that are no image, or only the beginning of one, end the connection. */
void
vg_igtl_reader_reject (VgIgtlReader *self)
{
  gboolean begun = self->message.header.body_bytes > 0;

  drop_peer (self);
  vg_live_count_interruption (self->live);
  vg_live_report (
      self->live, VG_LIVE_WAITING,
      self->listener != NULL
          ? begun ? "a program that sent to \"%s\" broke off, or its messages are not "
                    "OpenIGTLink images; waiting for a connection"
                  : "the program that sent to \"%s\" disconnected, or sent no OpenIGTLink "
                    "messages; waiting for a connection"
      : begun ? "\"%s\" broke off, or its messages are not OpenIGTLink images; connecting "
                "again"
              : "\"%s\" disconnected, or sends no OpenIGTLink messages; connecting again",
      self->live->parent.name);
}

gboolean
vg_igtl_reader_find (VgIgtlReader *self)
{
  while (find_peer (self))
    {
      VgIgtlResult result = find_image (self);

      if (result != VG_IGTL_BROKEN)
        return result == VG_IGTL_DONE;
      vg_igtl_reader_reject (self);
    }
  return FALSE;
}

gboolean
vg_igtl_reader_init (VgIgtlReader *self, VgLive *live, const VgIgtlAddress *address, GError **error)
{
  *self = (VgIgtlReader){ .live = live, .address = *address };
  self->cancellable = g_cancellable_new ();
  self->opening = g_cancellable_get_current ();
  if (address->listens)
    self->listener = vg_igtl_listen (address, error);
  return !address->listens || self->listener != NULL;
}

void
vg_igtl_reader_opened (VgIgtlReader *self)
{
  self->opening = NULL;
  self->device = g_strdup (self->message.header.device);
}

void
vg_igtl_reader_clear (VgIgtlReader *self)
{
  drop_peer (self);
  g_clear_object (&self->listener);
  g_clear_object (&self->cancellable);
  vg_igtl_address_clear (&self->address);
  g_free (self->device);
}
