/* SPDX-License-Identifier: MIT */
/* OpenIGTLink messages, after the specification of protocol version 3 at openigtlink.org.  It is
 * written here and not taken from the library of that name, which allocates what a header claims,
 * and whose CRC takes longer than the network. */
#include "io/igtl/vg-igtl-message.h"
#include <string.h>

enum { LAST_VERSION = 9, UTF8 = 106 /* IANA's number of the character set */ };

/* --- bytes --- */

static guint64
get (const guint8 *bytes, int n)
{
  guint64 value = 0;

  for (int i = 0; i < n; i++)
    value = value << 8 | bytes[i];
  return value;
}

static void
put (guint8 *bytes, int n, guint64 value)
{
  for (int i = n - 1; i >= 0; i--, value >>= 8)
    bytes[i] = (guint8) value;
}

/* --- CRC --- */

/* The polynomial of ECMA-182, the highest bit first. */
#define POLYNOMIAL G_GUINT64_CONSTANT (0x42F0E1EBA9EA3693)

/* TABLE[k][b]: what byte B becomes after K further bytes of 0, so that eight bytes are taken at
 * once. */
static const guint64 (*get_tables (void))[256]
{
  static guint64 tables[8][256];
  static gsize ready;

  if (g_once_init_enter (&ready))
    {
      for (guint byte = 0; byte < 256; byte++)
        {
          guint64 crc = (guint64) byte << 56;

          for (int bit = 0; bit < 8; bit++)
            crc = crc >> 63 ? crc << 1 ^ POLYNOMIAL : crc << 1;
          tables[0][byte] = crc;
        }
      for (int k = 1; k < 8; k++)
        for (guint byte = 0; byte < 256; byte++)
          tables[k][byte] = tables[k - 1][byte] << 8 ^ tables[0][tables[k - 1][byte] >> 56];
      g_once_init_leave (&ready, 1);
    }
  return (const guint64 (*)[256]) tables;
}

guint64
vg_igtl_crc (guint64 crc, gconstpointer data, gsize n)
{
  const guint64 (*tables)[256] = get_tables ();
  const guint8 *at = data;

  for (; n >= 8; n -= 8, at += 8)
    {
      guint64 word;

      memcpy (&word, at, sizeof word);
      crc ^= GUINT64_FROM_BE (word);
      crc = tables[7][crc >> 56] ^ tables[6][crc >> 48 & 255] ^ tables[5][crc >> 40 & 255] ^
            tables[4][crc >> 32 & 255] ^ tables[3][crc >> 24 & 255] ^ tables[2][crc >> 16 & 255] ^
            tables[1][crc >> 8 & 255] ^ tables[0][crc & 255];
    }
  for (; n > 0; n--, at++)
    crc = crc << 8 ^ tables[0][crc >> 56 ^ *at];
  return crc;
}

/* --- header --- */

/* Seconds in 32 bits, and a fraction in 32. */
static gint64
stamp_to_ns (guint64 stamp)
{
  return (gint64) (stamp >> 32) * 1000000000 +
         (gint64) (((stamp & G_MAXUINT32) * 1000000000 + (1u << 31)) >> 32);
}

static guint64
stamp_from_ns (gint64 ns)
{
  guint64 seconds = (guint64) MAX (ns, 0) / 1000000000, rest = (guint64) MAX (ns, 0) % 1000000000;

  return MIN (seconds, G_MAXUINT32) << 32 | ((rest << 32) + 500000000) / 1000000000;
}

gboolean
vg_igtl_header_unpack (VgIgtlHeader *self, const guint8 bytes[VG_IGTL_HEADER_BYTES])
{
  g_autofree char *device = NULL;
  char name[21] = "";

  *self = (VgIgtlHeader){ .version = (int) get (bytes, 2),
                          .time_ns = stamp_to_ns (get (bytes + 34, 8)),
                          .body_bytes = get (bytes + 42, 8),
                          .crc = get (bytes + 50, 8) };
  memcpy (self->type, bytes + 2, 12);
  for (int i = 0; self->type[i] != '\0'; i++)
    if (!g_ascii_isupper (self->type[i]) && !g_ascii_isdigit (self->type[i]) &&
        self->type[i] != '_')
      return FALSE;
  memcpy (name, bytes + 14, 20);
  device = g_utf8_make_valid (name, -1);
  g_strlcpy (self->device, device, sizeof self->device);
  return self->version >= 1 && self->version <= LAST_VERSION && self->type[0] != '\0';
}

void
vg_igtl_header_pack (const VgIgtlHeader *self, guint8 bytes[VG_IGTL_HEADER_BYTES])
{
  memset (bytes, 0, VG_IGTL_HEADER_BYTES);
  put (bytes, 2, (guint64) self->version);
  memcpy (bytes + 2, self->type, strnlen (self->type, 12));
  memcpy (bytes + 14, self->device, strnlen (self->device, 20));
  put (bytes + 34, 8, stamp_from_ns (self->time_ns));
  put (bytes + 42, 8, self->body_bytes);
  put (bytes + 50, 8, self->crc);
}

gboolean
vg_igtl_extended_unpack (const guint8 bytes[VG_IGTL_EXTENDED_BYTES], guint64 body_bytes,
                         guint64 *skip, guint64 *content_bytes)
{
  guint64 extended = get (bytes, 2), around = extended + get (bytes + 2, 2) + get (bytes + 4, 4);

  if (extended < VG_IGTL_EXTENDED_BYTES || around > body_bytes)
    return FALSE;
  *skip = extended - VG_IGTL_EXTENDED_BYTES;
  *content_bytes = body_bytes - around;
  return TRUE;
}

/* --- image --- */

gsize
vg_igtl_type_size (VgIgtlType type)
{
  switch (type)
    {
    case VG_IGTL_INT8:
    case VG_IGTL_UINT8:
      return 1;
    case VG_IGTL_INT16:
    case VG_IGTL_UINT16:
      return 2;
    case VG_IGTL_INT32:
    case VG_IGTL_UINT32:
    case VG_IGTL_FLOAT32:
      return 4;
    case VG_IGTL_FLOAT64:
      return 8;
    default:
      return 0;
    }
}

gboolean
vg_igtl_image_unpack (VgIgtlImage *self, const guint8 bytes[VG_IGTL_IMAGE_BYTES])
{
  gboolean sound = bytes[4] == 1 || bytes[4] == 2;

  *self = (VgIgtlImage){ .components = bytes[2],
                         .type = (VgIgtlType) bytes[3],
                         .big_endian = bytes[4] == 1 };
  for (int axis = 0; axis < 3; axis++)
    {
      self->size[axis] = (int) get (bytes + 6 + 2 * axis, 2);
      sound &= self->size[axis] > 0 && get (bytes + 60 + 2 * axis, 2) == 0 &&
               get (bytes + 66 + 2 * axis, 2) == (guint64) self->size[axis];
    }
  for (int i = 0; i < 12; i++)
    {
      guint32 bits = (guint32) get (bytes + 12 + 4 * i, 4);

      memcpy (&self->matrix[i % 3][i / 3], &bits, sizeof bits);
      if (bytes[5] == 2 && i % 3 < 2) /* left and posterior */
        self->matrix[i % 3][i / 3] = -self->matrix[i % 3][i / 3];
    }
  return sound && self->components > 0 && vg_igtl_type_size (self->type) > 0;
}

void
vg_igtl_image_pack (const VgIgtlImage *self, guint8 bytes[VG_IGTL_IMAGE_BYTES])
{
  memset (bytes, 0, VG_IGTL_IMAGE_BYTES);
  put (bytes, 2, 1);
  bytes[2] = (guint8) self->components;
  bytes[3] = (guint8) self->type;
  bytes[4] = self->big_endian ? 1 : 2;
  bytes[5] = 1; /* right, anterior, superior */
  for (int axis = 0; axis < 3; axis++)
    {
      put (bytes + 6 + 2 * axis, 2, (guint64) self->size[axis]);
      put (bytes + 66 + 2 * axis, 2, (guint64) self->size[axis]);
    }
  for (int i = 0; i < 12; i++)
    {
      guint32 bits;

      memcpy (&bits, &self->matrix[i % 3][i / 3], sizeof bits);
      put (bytes + 12 + 4 * i, 4, bits);
    }
}

guint64
vg_igtl_image_sample_bytes (const VgIgtlImage *self)
{
  guint64 bytes = (guint64) self->components * vg_igtl_type_size (self->type);

  for (int axis = 0; axis < 3; axis++)
    if (!g_uint64_checked_mul (&bytes, bytes, (guint64) self->size[axis]))
      return 0;
  return bytes;
}

/* --- whole messages --- */

void
vg_igtl_finish (guint8 *message, const char *type, const char *device, gint64 time_ns,
                gsize body_bytes)
{
  VgIgtlHeader header = { .version = 1, .time_ns = time_ns, .body_bytes = body_bytes };
  const char *end;

  g_strlcpy (header.type, type, sizeof header.type);
  g_strlcpy (header.device, device, sizeof header.device);
  if (!g_utf8_validate (header.device, -1, &end))
    header.device[end - header.device] = '\0';
  header.crc = vg_igtl_crc (0, message + VG_IGTL_HEADER_BYTES, body_bytes);
  vg_igtl_header_pack (&header, message);
}

/* Room for a message with a body of BODY_BYTES at the end of TO. */
static guint8 *
add_message (GByteArray *to, gsize body_bytes)
{
  guint before = to->len;

  g_byte_array_set_size (to, before + VG_IGTL_HEADER_BYTES + (guint) body_bytes);
  return to->data + before;
}

void
vg_igtl_append_string (GByteArray *to, const char *device, gint64 time_ns, const char *text)
{
  gsize n = MIN (strlen (text), VG_IGTL_MOST_TEXT);
  guint8 *message = add_message (to, 4 + n);

  put (message + VG_IGTL_HEADER_BYTES, 2, UTF8);
  put (message + VG_IGTL_HEADER_BYTES + 2, 2, n);
  memcpy (message + VG_IGTL_HEADER_BYTES + 4, text, n);
  vg_igtl_finish (message, "STRING", device, time_ns, 4 + n);
}

/* The unit is left open: it has no place for most of the units of maps. */
void
vg_igtl_append_values (GByteArray *to, const char *device, gint64 time_ns, const double *values,
                       guint n)
{
  guint count = MIN (n, VG_IGTL_MOST_VALUES);
  guint8 *message = add_message (to, 10 + 8 * (gsize) count),
         *body = message + VG_IGTL_HEADER_BYTES;

  memset (body, 0, 10);
  body[0] = (guint8) count;
  for (guint i = 0; i < count; i++)
    {
      guint64 bits;

      memcpy (&bits, &values[i], sizeof bits);
      put (body + 10 + 8 * (gsize) i, 8, bits);
    }
  vg_igtl_finish (message, "SENSOR", device, time_ns, 10 + 8 * (gsize) count);
}
