/* SPDX-License-Identifier: MIT */
#include "io/dicom/receive/vg-dicom-message.h"
#include <string.h>

#define APPLICATION_CONTEXT "1.2.840.10008.3.1.1.1"
#define IMPLEMENTATION "2.25.167958070710061318375108470243790294776"
#define VERSION_NAME "VIVOGRAPH"

/* Items of messages that set up an association. */
enum {
  ITEM_APPLICATION = 0x10,
  ITEM_CONTEXT = 0x20,
  ITEM_CONTEXT_ANSWER = 0x21,
  ITEM_CLASS = 0x30,
  ITEM_SYNTAX = 0x40,
  ITEM_USER = 0x50,
  ITEM_LONGEST = 0x51,
  ITEM_IMPLEMENTATION = 0x52,
  ITEM_VERSION = 0x55
};

enum { REQUEST_HEAD = 68, ITEM_HEAD = 4, CONTEXT_HEAD = 4, RESPONSE = 0x8000, NO_DATA = 0x0101 };

/* Elements of group 0. */
enum {
  GROUP_LENGTH = 0x0000,
  AFFECTED_CLASS = 0x0002,
  COMMAND_FIELD = 0x0100,
  MESSAGE_ID = 0x0110,
  RESPONDED_ID = 0x0120,
  DATA_TYPE = 0x0800,
  STATUS = 0x0900,
  AFFECTED_INSTANCE = 0x1000
};

static const char *const classes[] = {
  "1.2.840.10008.1.1",           /* verification */
  "1.2.840.10008.5.1.4.1.1.4",   /* MR */
  "1.2.840.10008.5.1.4.1.1.4.1", /* enhanced MR */
  "1.2.840.10008.5.1.4.1.1.4.4", /* enhanced MR converted from MR */
  "1.2.840.10008.5.1.4.1.1.2",   /* CT */
  "1.2.840.10008.5.1.4.1.1.2.1", /* enhanced CT */
  "1.2.840.10008.5.1.4.1.1.2.2", /* enhanced CT converted from CT */
};

/* Those that the reader decodes.  An uncompressed one is preferred. */
static const char *const syntaxes[] = {
  "1.2.840.10008.1.2.1",    /* explicit VR, little endian */
  "1.2.840.10008.1.2",      /* implicit VR, little endian */
  "1.2.840.10008.1.2.2",    /* explicit VR, big endian */
  "1.2.840.10008.1.2.4.70", /* JPEG lossless, first-order prediction */
  "1.2.840.10008.1.2.4.57", /* JPEG lossless */
  "1.2.840.10008.1.2.4.80", /* JPEG-LS lossless */
  "1.2.840.10008.1.2.5",    /* RLE */
  "1.2.840.10008.1.2.4.81", /* JPEG-LS near-lossless */
  "1.2.840.10008.1.2.4.51", /* JPEG, 12 bits */
  "1.2.840.10008.1.2.4.50", /* JPEG, 8 bits */
};

/* ---- bytes ---- */

static guint16
get_u16 (const guint8 *at)
{
  return (guint16) (at[0] << 8 | at[1]);
}

static guint32
get_u32_le (const guint8 *at)
{
  return (guint32) at[0] | (guint32) at[1] << 8 | (guint32) at[2] << 16 | (guint32) at[3] << 24;
}

static void
add_u8 (GByteArray *to, guint8 value)
{
  g_byte_array_append (to, &value, 1);
}

static void
add_u16 (GByteArray *to, guint value)
{
  const guint8 bytes[2] = { (guint8) (value >> 8), (guint8) value };

  g_byte_array_append (to, bytes, 2);
}

static void
add_u32 (GByteArray *to, guint32 value)
{
  add_u16 (to, value >> 16);
  add_u16 (to, value & 0xffff);
}

static void
add_u16_le (GByteArray *to, guint value)
{
  const guint8 bytes[2] = { (guint8) value, (guint8) (value >> 8) };

  g_byte_array_append (to, bytes, 2);
}

static void
add_u32_le (GByteArray *to, guint32 value)
{
  add_u16_le (to, value & 0xffff);
  add_u16_le (to, value >> 16);
}

/* Sets the length, a big-endian number of SIZE bytes at BEGIN, to that of all that follows it. */
static void
set_length (GByteArray *to, guint begin, guint size)
{
  guint32 length = to->len - begin - size;

  for (guint i = 0; i < size; i++)
    to->data[begin + i] = (guint8) (length >> 8 * (size - 1 - i));
}

/* ---- UIDs ---- */

gboolean
vg_dicom_uid_is_valid (const char *text)
{
  gsize length = strlen (text);

  return length >= 1 && length <= VG_DICOM_UID_MOST && strspn (text, "0123456789.") == length &&
         text[0] != '.' && text[length - 1] != '.' && strstr (text, "..") == NULL;
}

/* Copies the LENGTH bytes AT of a UID, which zeros or blanks fill up.  FALSE: it is none. */
static gboolean
get_uid (const guint8 *at, gsize length, char uid[VG_DICOM_UID_MOST + 1])
{
  while (length > 0 && (at[length - 1] == '\0' || at[length - 1] == ' '))
    length--;
  if (length == 0 || length > VG_DICOM_UID_MOST || memchr (at, '\0', length) != NULL)
    return FALSE;
  memcpy (uid, at, length);
  uid[length] = '\0';
  return vg_dicom_uid_is_valid (uid);
}

/* The text of TABLE that is the same as the LENGTH bytes AT; N: none. */
static guint
find_known (const char *const *table, guint n, const guint8 *at, gsize length)
{
  char uid[VG_DICOM_UID_MOST + 1];
  guint i = get_uid (at, length, uid) ? 0 : n;

  while (i < n && strcmp (table[i], uid) != 0)
    i++;
  return i;
}

/* ---- association ---- */

/* The next item of *AT, which *LENGTH bytes are left of, and its content.  FALSE: it is longer. */
static gboolean
next_item (const guint8 **at, gsize *length, guint8 *type, const guint8 **content, gsize *size)
{
  if (*length < ITEM_HEAD || get_u16 (*at + 2) > *length - ITEM_HEAD)
    return FALSE;
  *type = **at;
  *size = get_u16 (*at + 2);
  *content = *at + ITEM_HEAD;
  *at += ITEM_HEAD + *size;
  *length -= ITEM_HEAD + *size;
  return TRUE;
}

static gboolean
read_context (VgDicomContext *context, const guint8 *at, gsize length)
{
  guint best = G_N_ELEMENTS (syntaxes), class = G_N_ELEMENTS (classes);

  if (length < CONTEXT_HEAD || at[0] % 2 == 0)
    return FALSE;
  *context = (VgDicomContext){ .id = at[0] };
  at += CONTEXT_HEAD;
  length -= CONTEXT_HEAD;
  while (length > 0)
    {
      const guint8 *content;
      guint8 type;
      gsize size;

      if (!next_item (&at, &length, &type, &content, &size))
        return FALSE;
      if (type == ITEM_CLASS)
        class = find_known (classes, G_N_ELEMENTS (classes), content, size);
      else if (type == ITEM_SYNTAX)
        best = MIN (best, find_known (syntaxes, G_N_ELEMENTS (syntaxes), content, size));
    }
  context->object_class = class < G_N_ELEMENTS (classes) ? classes[class] : NULL;
  context->syntax = best < G_N_ELEMENTS (syntaxes) ? syntaxes[best] : NULL;
  context->result = context->object_class == NULL ? 3 : context->syntax == NULL ? 4 : 0;
  return TRUE;
}

/* Reads the contexts of a request. */
static gboolean
read_request (VgDicomAssociation *self, const guint8 *body, gsize length)
{
  const guint8 *at = body + REQUEST_HEAD;
  gsize left = length - REQUEST_HEAD;

  while (left > 0)
    {
      const guint8 *content;
      guint8 type;
      gsize size;

      if (!next_item (&at, &left, &type, &content, &size))
        return FALSE;
      if (type != ITEM_CONTEXT)
        continue;
      if (self->n == VG_DICOM_CONTEXTS_MOST ||
          !read_context (&self->contexts[self->n], content, size))
        return FALSE;
      for (guint i = 0; i < self->n; i++)
        if (self->contexts[i].id == self->contexts[self->n].id)
          return FALSE;
      self->accepts |= self->contexts[self->n].result == 0;
      self->n++;
    }
  return self->n > 0;
}

static void
add_text_item (GByteArray *to, guint8 type, const char *text)
{
  add_u8 (to, type);
  add_u8 (to, 0);
  add_u16 (to, (guint) strlen (text));
  g_byte_array_append (to, (const guint8 *) text, (guint) strlen (text));
}

/* Appends the head of an item; returns where its length is. */
static guint
begin_item (GByteArray *to, guint8 type)
{
  add_u8 (to, type);
  add_u8 (to, 0);
  add_u16 (to, 0);
  return to->len - 2;
}

static void
add_answer (const VgDicomAssociation *self, const guint8 *body, GByteArray *answer)
{
  guint begin = answer->len + 2, user, item;

  add_u8 (answer, VG_DICOM_ACCEPT);
  add_u8 (answer, 0);
  add_u32 (answer, 0);
  add_u16 (answer, 1); /* version of the protocol */
  add_u16 (answer, 0);
  g_byte_array_append (answer, body + 4, REQUEST_HEAD - 4); /* the names are repeated */
  add_text_item (answer, ITEM_APPLICATION, APPLICATION_CONTEXT);
  for (guint i = 0; i < self->n; i++)
    {
      const VgDicomContext *context = &self->contexts[i];

      item = begin_item (answer, ITEM_CONTEXT_ANSWER);
      add_u8 (answer, context->id);
      add_u8 (answer, 0);
      add_u8 (answer, context->result);
      add_u8 (answer, 0);
      add_text_item (answer, ITEM_SYNTAX, context->syntax != NULL ? context->syntax : syntaxes[1]);
      set_length (answer, item, 2);
    }
  user = begin_item (answer, ITEM_USER);
  item = begin_item (answer, ITEM_LONGEST);
  add_u32 (answer, VG_DICOM_MESSAGE_MOST);
  set_length (answer, item, 2);
  add_text_item (answer, ITEM_IMPLEMENTATION, IMPLEMENTATION);
  add_text_item (answer, ITEM_VERSION, VERSION_NAME);
  set_length (answer, user, 2);
  set_length (answer, begin, 4);
}

gboolean
vg_dicom_association_answer (VgDicomAssociation *self, const guint8 *body, gsize length,
                             GByteArray *answer)
{
  *self = (VgDicomAssociation){ .n = 0 };
  /* bit 0 of the versions is that of the only one */
  if (length < REQUEST_HEAD || get_u16 (body) % 2 == 0 || !read_request (self, body, length))
    return FALSE;
  add_answer (self, body, answer);
  return TRUE;
}

const VgDicomContext *
vg_dicom_association_find (const VgDicomAssociation *self, guint8 id)
{
  for (guint i = 0; i < self->n; i++)
    if (self->contexts[i].id == id && self->contexts[i].result == 0)
      return &self->contexts[i];
  return NULL;
}

void
vg_dicom_message_add (GByteArray *answer, VgDicomMessageType type, const guint8 body[4])
{
  add_u8 (answer, (guint8) type);
  add_u8 (answer, 0);
  add_u32 (answer, 4);
  g_byte_array_append (answer, body, 4);
}

/* ---- commands ---- */

/* Takes the element (0000,ELEMENT) with LENGTH bytes AT.  FALSE: its value is impossible. */
static gboolean
take_element (VgDicomCommand *self, guint element, const guint8 *at, gsize length)
{
  guint16 number = length == 2 ? (guint16) (at[0] | at[1] << 8) : 0;

  switch (element)
    {
    case AFFECTED_CLASS:
      return get_uid (at, length, self->object_class);
    case AFFECTED_INSTANCE:
      return get_uid (at, length, self->instance);
    case COMMAND_FIELD:
      self->field = number;
      return length == 2;
    case MESSAGE_ID:
      self->message = number;
      return length == 2;
    case DATA_TYPE:
      self->has_data = number != NO_DATA;
      return length == 2;
    default:
      return TRUE;
    }
}

gboolean
vg_dicom_command_parse (VgDicomCommand *self, const guint8 *bytes, gsize length)
{
  *self = (VgDicomCommand){ .field = 0 };
  while (length > 0)
    {
      gsize size;

      if (length < 8 || bytes[0] != 0 || bytes[1] != 0)
        return FALSE;
      size = get_u32_le (bytes + 4);
      if (size > length - 8 ||
          !take_element (self, (guint) (bytes[2] | bytes[3] << 8), bytes + 8, size))
        return FALSE;
      bytes += 8 + size;
      length -= 8 + size;
    }
  return self->field != 0 && self->field < RESPONSE;
}

static void
add_short_element (GByteArray *to, guint element, guint value)
{
  add_u16_le (to, 0);
  add_u16_le (to, element);
  add_u32_le (to, 2);
  add_u16_le (to, value);
}

static void
add_uid_element (GByteArray *to, guint element, const char *uid)
{
  guint length = (guint) strlen (uid);

  if (length == 0)
    return;
  add_u16_le (to, 0);
  add_u16_le (to, element);
  add_u32_le (to, length + length % 2);
  g_byte_array_append (to, (const guint8 *) uid, length + length % 2); /* with its zero */
}

void
vg_dicom_command_respond (const VgDicomCommand *self, guint8 context, VgDicomStatus status,
                          GByteArray *answer)
{
  g_autoptr (GByteArray) set = g_byte_array_new ();

  add_uid_element (set, AFFECTED_CLASS, self->object_class);
  add_short_element (set, COMMAND_FIELD, RESPONSE | self->field);
  add_short_element (set, RESPONDED_ID, self->message);
  add_short_element (set, DATA_TYPE, NO_DATA);
  add_short_element (set, STATUS, status);
  add_uid_element (set, AFFECTED_INSTANCE, self->instance);
  add_u8 (answer, VG_DICOM_DATA);
  add_u8 (answer, 0);
  add_u32 (answer, set->len + 12 + 6); /* with the group length, and the head of the part */
  add_u32 (answer, set->len + 12 + 2);
  add_u8 (answer, context);
  add_u8 (answer, VG_DICOM_PART_COMMAND | VG_DICOM_PART_LAST);
  add_u16_le (answer, 0);
  add_u16_le (answer, GROUP_LENGTH);
  add_u32_le (answer, 4);
  add_u32_le (answer, set->len);
  g_byte_array_append (answer, set->data, set->len);
}

/* ---- files ---- */

static void
add_meta (GByteArray *to, guint element, const char *vr, const char *text)
{
  guint length = (guint) strlen (text);

  add_u16_le (to, 2);
  add_u16_le (to, element);
  g_byte_array_append (to, (const guint8 *) vr, 2);
  add_u16_le (to, length + length % 2);
  g_byte_array_append (to, (const guint8 *) text, length);
  if (length % 2 != 0)
    add_u8 (to, g_str_equal (vr, "UI") ? '\0' : ' ');
}

GByteArray *
vg_dicom_file_head (const VgDicomCommand *command, const char *syntax)
{
  static const guint8 preamble[128];
  /* (0002,0001), the version of the head */
  static const guint8 version[] = { 2, 0, 1, 0, 'O', 'B', 0, 0, 2, 0, 0, 0, 0, 1 };
  GByteArray *head = g_byte_array_new ();
  g_autoptr (GByteArray) meta = g_byte_array_new ();

  g_byte_array_append (meta, version, sizeof version);
  add_meta (meta, 0x0002, "UI", command->object_class);
  add_meta (meta, 0x0003, "UI", command->instance);
  add_meta (meta, 0x0010, "UI", syntax);
  add_meta (meta, 0x0012, "UI", IMPLEMENTATION);
  add_meta (meta, 0x0013, "SH", VERSION_NAME);
  g_byte_array_append (head, preamble, sizeof preamble);
  g_byte_array_append (head, (const guint8 *) "DICM", 4);
  add_u16_le (head, 2);
  add_u16_le (head, 0);
  g_byte_array_append (head, (const guint8 *) "UL\4\0", 4);
  add_u32_le (head, meta->len);
  g_byte_array_append (head, meta->data, meta->len);
  return head;
}
