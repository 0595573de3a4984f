/* SPDX-License-Identifier: MIT */
#include "io/dicom/receive/vg-dicom-peer.h"

enum { PART_HEAD = 6 }; /* bytes before the data of a part: length, context and control header */

struct _VgDicomPeer
{
  VgDicomStore *store;
  GByteArray *message; /* that is being received */
  guint64 messages;    /* that are complete */
  gboolean associated, ended;
  VgDicomAssociation association;
  GByteArray *command; /* parts of one */
  guint8 context;      /* of the command, and of its data */
  /* of the C-STORE whose data come */
  gboolean storing;
  VgDicomCommand store_command;
  gboolean has_bytes;    /* of a data set */
  VgDicomObject *object; /* NULL: the data are discarded */
  VgDicomStatus status;  /* of discarded data */
};

VgDicomPeer *
vg_dicom_peer_new (VgDicomStore *store)
{
  VgDicomPeer *self = g_new0 (VgDicomPeer, 1);

  self->store = store;
  self->message = g_byte_array_new ();
  self->command = g_byte_array_new ();
  return self;
}

static void
count_broken (VgDicomPeer *self)
{
  vg_dicom_store_count_broken (
      self->store, VG_DICOM_TOLD_BROKEN,
      "a program disconnected early, or sent something other than DICOM messages; other programs "
      "can still send");
}

/* Whether the peer is in the middle of something. */
static gboolean
has_begun (const VgDicomPeer *self)
{
  return self->storing || self->message->len > 0 || self->command->len > 0;
}

void
vg_dicom_peer_free (VgDicomPeer *self)
{
  if (self == NULL)
    return;
  if (!self->ended && has_begun (self))
    count_broken (self);
  if (self->associated)
    vg_dicom_store_count_open (self->store, -1);
  vg_dicom_object_drop (self->object);
  g_byte_array_unref (self->message);
  g_byte_array_unref (self->command);
  g_free (self);
}

VgDicomPeerStage
vg_dicom_peer_get_stage (const VgDicomPeer *self)
{
  return !self->associated  ? VG_DICOM_PEER_NEW
         : self->storing    ? VG_DICOM_PEER_STORING
         : has_begun (self) ? VG_DICOM_PEER_BUSY
                            : VG_DICOM_PEER_IDLE;
}

guint64
vg_dicom_peer_count_messages (const VgDicomPeer *self)
{
  return self->messages;
}

void
vg_dicom_peer_give_up (VgDicomPeer *self, VgDicomTold told, const char *sentence)
{
  self->ended = TRUE;
  vg_dicom_store_count_broken (self->store, told, sentence);
}

/* Ends a connection whose bytes make no sense. */
static gboolean
abort_peer (VgDicomPeer *self, GByteArray *answer)
{
  static const guint8 reason[4] = { 0, 0, 2, 6 }; /* service provider; invalid parameter value */

  vg_dicom_message_add (answer, VG_DICOM_ABORT, reason);
  count_broken (self);
  self->ended = TRUE;
  return FALSE;
}

static gboolean
associate (VgDicomPeer *self, const guint8 *body, gsize length, GByteArray *answer)
{
  if (self->associated || !vg_dicom_association_answer (&self->association, body, length, answer))
    return abort_peer (self, answer);
  self->associated = TRUE;
  vg_dicom_store_count_open (self->store, 1);
  if (!self->association.accepts)
    vg_dicom_store_count_refused (
        self->store, VG_DICOM_TOLD_CLASS,
        "a program offered objects that are not MR or CT images, or that have a compression that "
        "Vivograph cannot read; they were refused");
  return TRUE;
}

/* ---- commands ---- */

/* Begins a C-STORE on CONTEXT. */
static void
begin_store (VgDicomPeer *self, const VgDicomCommand *command, const VgDicomContext *context)
{
  self->storing = TRUE;
  self->has_bytes = FALSE;
  self->store_command = *command;
  self->status = VG_DICOM_SUCCESS;
  if (!g_str_equal (command->object_class, context->object_class))
    self->status = VG_DICOM_WRONG_CLASS;
  else if (!vg_dicom_uid_is_valid (command->instance))
    self->status = VG_DICOM_INVALID_INSTANCE;
  if (self->status == VG_DICOM_SUCCESS)
    self->object = vg_dicom_store_begin (self->store, command, context->syntax);
  else
    vg_dicom_store_count_refused (
        self->store, VG_DICOM_TOLD_CLASS,
        "an object has another class (SOP class) than agreed, or no valid UID; it was refused");
}

/* The class of C-ECHO, which has no data to store. */
static gboolean
is_verification (const VgDicomContext *context)
{
  return g_str_equal (context->object_class, "1.2.840.10008.1.1");
}

static gboolean
obey (VgDicomPeer *self, GByteArray *answer)
{
  const VgDicomContext *context = vg_dicom_association_find (&self->association, self->context);
  VgDicomCommand command;

  if (!vg_dicom_command_parse (&command, self->command->data, self->command->len))
    return abort_peer (self, answer);
  g_byte_array_set_size (self->command, 0);
  if (command.field == VG_DICOM_C_ECHO && !command.has_data)
    vg_dicom_command_respond (&command, self->context, VG_DICOM_SUCCESS, answer);
  else if (command.field == VG_DICOM_C_STORE && command.has_data && !is_verification (context))
    begin_store (self, &command, context);
  else if (!command.has_data)
    {
      vg_dicom_store_count_refused (self->store, VG_DICOM_TOLD_COMMAND,
                                    "a program requested a service other than storing images "
                                    "(C-STORE); the request was refused");
      vg_dicom_command_respond (&command, self->context, VG_DICOM_NO_OPERATION, answer);
    }
  else
    return abort_peer (self, answer);
  return TRUE;
}

static void
end_store (VgDicomPeer *self, GByteArray *answer)
{
  if (self->object != NULL && !self->has_bytes)
    {
      vg_dicom_object_drop (g_steal_pointer (&self->object));
      vg_dicom_store_count_refused (self->store, VG_DICOM_TOLD_EMPTY,
                                    "an image was sent without its data; it was refused");
      self->status = VG_DICOM_NOT_UNDERSTOOD;
    }
  else if (self->object != NULL)
    self->status = vg_dicom_object_end (g_steal_pointer (&self->object));
  self->storing = FALSE;
  vg_dicom_command_respond (&self->store_command, self->context, self->status, answer);
}

/* ---- messages ---- */

/* Takes one part of a P-DATA-TF. */
static gboolean
take_part (VgDicomPeer *self, guint8 id, guint8 control, const guint8 *data, gsize n,
           GByteArray *answer)
{
  gboolean last = (control & VG_DICOM_PART_LAST) != 0,
           is_command = (control & VG_DICOM_PART_COMMAND) != 0,
           begun = self->storing || self->command->len > 0;

  /* a command, then its data, all on one context */
  if (vg_dicom_association_find (&self->association, id) == NULL || is_command == self->storing ||
      (begun && id != self->context))
    return abort_peer (self, answer);
  self->context = id;
  if (!is_command)
    {
      self->has_bytes |= n > 0;
      if (self->object != NULL)
        vg_dicom_object_add (self->object, data, n);
      if (last)
        end_store (self, answer);
      return TRUE;
    }
  if (self->command->len + n > VG_DICOM_COMMAND_MOST)
    return abort_peer (self, answer);
  g_byte_array_append (self->command, data, (guint) n);
  return !last || obey (self, answer);
}

static gboolean
take_data (VgDicomPeer *self, const guint8 *body, gsize length, GByteArray *answer)
{
  gboolean goes_on = self->associated && length > 0;

  if (!goes_on)
    return abort_peer (self, answer);
  while (goes_on && length > 0)
    {
      gsize part = length < PART_HEAD ? 0
                                      : (gsize) body[0] << 24 | (gsize) body[1] << 16 |
                                            (gsize) body[2] << 8 | (gsize) body[3];

      if (part < PART_HEAD - 4 || part > length - 4)
        return abort_peer (self, answer);
      goes_on = take_part (self, body[4], body[5], body + PART_HEAD, part - 2, answer);
      body += part + 4;
      length -= part + 4;
    }
  return goes_on;
}

static gboolean
take_message (VgDicomPeer *self, GByteArray *answer)
{
  static const guint8 nothing[4];
  const guint8 *body = self->message->data + VG_DICOM_MESSAGE_HEAD;
  gsize length = self->message->len - VG_DICOM_MESSAGE_HEAD;

  switch (self->message->data[0])
    {
    case VG_DICOM_ASSOCIATE:
      return associate (self, body, length, answer);
    case VG_DICOM_DATA:
      return take_data (self, body, length, answer);
    case VG_DICOM_RELEASE:
      if (!self->associated || self->storing)
        return abort_peer (self, answer);
      vg_dicom_message_add (answer, VG_DICOM_RELEASED, nothing);
      self->ended = TRUE;
      return FALSE;
    case VG_DICOM_ABORT:
      if (self->storing)
        count_broken (self);
      self->ended = TRUE;
      return FALSE;
    default:
      return abort_peer (self, answer);
    }
}

/* The bytes that the message lacks; of its header alone until that is complete. */
static gsize
count_missing (const VgDicomPeer *self)
{
  const guint8 *head = self->message->data;
  gsize length;

  if (self->message->len < VG_DICOM_MESSAGE_HEAD)
    return VG_DICOM_MESSAGE_HEAD - self->message->len;
  length = (gsize) head[2] << 24 | (gsize) head[3] << 16 | (gsize) head[4] << 8 | (gsize) head[5];
  return length > VG_DICOM_MESSAGE_MOST ? G_MAXSIZE
                                        : VG_DICOM_MESSAGE_HEAD + length - self->message->len;
}

gboolean
vg_dicom_peer_take (VgDicomPeer *self, const guint8 *bytes, gsize n, GByteArray *answer)
{
  while (n > 0)
    {
      gsize missing = count_missing (self), part = MIN (missing, n);
      gboolean known = self->message->len >= 1;

      g_byte_array_append (self->message, bytes, (guint) part);
      bytes += part;
      n -= part;
      /* a length is not waited for if the first byte is none of a message */
      if (!known &&
          (self->message->data[0] < VG_DICOM_ASSOCIATE || self->message->data[0] > VG_DICOM_ABORT))
        return abort_peer (self, answer);
      missing = count_missing (self);
      if (missing == G_MAXSIZE)
        return abort_peer (self, answer);
      if (missing > 0 || self->message->len < VG_DICOM_MESSAGE_HEAD)
        continue;
      self->messages++;
      if (!take_message (self, answer))
        return FALSE;
      g_byte_array_set_size (self->message, 0);
    }
  return TRUE;
}
