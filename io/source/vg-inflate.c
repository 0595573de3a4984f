/* SPDX-License-Identifier: MIT */
/* Inflates deflate and gzip (RFC 1951 and 1952) with zlib, block by block; reads the local header
 * of a ZIP entry (APPNOTE 4.3.7). */
#include "io/source/vg-inflate.h"
#include "io/source/vg-bytes.h"
#include "io/source/vg-source-private.h"
#include <zlib.h>
#include "kernels/base/vg-error.h"

enum { BLOCK = 32 << 10, LOCAL_HEADER = 30 };

struct _VgInflate
{
  int fd;
  char *name;
  gint64 at, end;
  VgPacking packing;
  gboolean ended;
  z_stream stream;
  guint8 block[BLOCK];
};

VgInflate *
vg_inflate_new (int fd, const char *name, gint64 offset, gint64 end, VgPacking packing)
{
  VgInflate *self = g_new0 (VgInflate, 1);

  self->fd = fd;
  self->name = g_strdup (name);
  self->at = offset;
  self->end = end;
  self->packing = packing;
  if (packing != VG_PACKED_NONE) /* the first read reports a lack of memory */
    inflateInit2 (&self->stream, packing == VG_PACKED_GZIP ? 16 + MAX_WBITS : -MAX_WBITS);
  return self;
}

void
vg_inflate_free (VgInflate *self)
{
  if (!self)
    return;
  if (self->packing != VG_PACKED_NONE)
    inflateEnd (&self->stream);
  g_free (self->name);
  g_free (self);
}

static gboolean
fail (VgInflate *self, const char *why, GError **error)
{
  g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT,
               "\"%s\" %s. It is damaged or cut short; copy it again.", self->name, why);
  return FALSE;
}

/* Reads the next block; FALSE: the file has ended. */
static gboolean
refill (VgInflate *self)
{
  gssize n = vg_pread_all (self->fd, self->block, (gsize) CLAMP (self->end - self->at, 0, BLOCK),
                           self->at);

  if (n <= 0)
    return FALSE;
  self->at += n;
  self->stream.next_in = self->block;
  self->stream.avail_in = (uInt) n;
  return TRUE;
}

/* Begins the next member of a gzip file; FALSE: there is none.  Zeros after the last member are
 * padding. */
static gboolean
next_member (VgInflate *self)
{
  if (self->packing != VG_PACKED_GZIP || (self->stream.avail_in == 0 && !refill (self)) ||
      *self->stream.next_in != 0x1f)
    return FALSE;
  return inflateReset (&self->stream) == Z_OK;
}

static gboolean
inflate_block (VgInflate *self, void *buffer, gsize length, gsize *done, GError **error)
{
  uInt room = (uInt) MIN (length - *done, G_MAXINT);
  int status;

  if (self->stream.avail_in == 0 && !refill (self))
    return fail (self, "ends inside its compressed data", error);
  self->stream.next_out = (guint8 *) buffer + *done;
  self->stream.avail_out = room;
  status = inflate (&self->stream, Z_NO_FLUSH);
  *done += room - self->stream.avail_out;
  self->ended = status == Z_STREAM_END && !next_member (self);
  if (status == Z_MEM_ERROR || self->stream.state == NULL)
    {
      g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_MEMORY,
                   "there is not enough memory to unpack \"%s\"; close other programs", self->name);
      return FALSE;
    }
  return status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR ||
         fail (self, "has compressed data that cannot be unpacked", error);
}

gssize
vg_inflate_some (VgInflate *self, void *buffer, gsize length, GError **error)
{
  gsize done = 0;

  if (self->packing == VG_PACKED_NONE)
    {
      done = (gsize) CLAMP (self->end - self->at, 0, (gint64) MIN (length, G_MAXINT));
      return vg_inflate_read (self, buffer, done, error) ? (gssize) done : -1;
    }
  while (done < length && !self->ended)
    if (!inflate_block (self, buffer, length, &done, error))
      return -1;
  return (gssize) done;
}

gboolean
vg_inflate_read (VgInflate *self, void *buffer, gsize length, GError **error)
{
  gsize done = 0;

  if (self->packing == VG_PACKED_NONE)
    {
      if ((gint64) length > self->end - self->at ||
          vg_pread_all (self->fd, buffer, length, self->at) != (gssize) length)
        return fail (self, "ends inside its data", error);
      self->at += (gint64) length;
      return TRUE;
    }
  while (done < length)
    if (self->ended ? !fail (self, "has less compressed data than it declares", error)
                    : !inflate_block (self, buffer, length, &done, error))
      return FALSE;
  return TRUE;
}

gboolean
vg_inflate_at_end (VgInflate *self)
{
  guint8 more;
  gsize done = 0;

  if (self->packing == VG_PACKED_NONE)
    return self->at >= self->end;
  while (!self->ended && done == 0)
    if (!inflate_block (self, &more, 1, &done, NULL))
      break;
  return done == 0;
}

gboolean
vg_zip_local_header (int fd, gint64 offset, gint64 *data, gboolean *deflated)
{
  guint8 head[LOCAL_HEADER];
  guint method;

  if (offset < 0 || vg_pread_all (fd, head, sizeof head, offset) != sizeof head ||
      memcmp (head, "PK\3\4", 4) != 0)
    return FALSE;
  method = vg_get_u16 (head + 8);
  *deflated = method == 8;
  *data = offset + LOCAL_HEADER + vg_get_u16 (head + 26) + vg_get_u16 (head + 28);
  /* bit 0: encrypted */
  return (method == 0 || method == 8) && (vg_get_u16 (head + 6) & 1) == 0;
}

gboolean
vg_is_gzip (const guint8 *head, gsize length)
{
  return length >= 3 && head[0] == 0x1f && head[1] == 0x8b && head[2] == 8;
}

static gboolean
zip_detect (const guint8 *head, gsize length, gint64 size)
{
  return length >= 4 && memcmp (head, "PK\3\4", 4) == 0;
}

const VgFormat vg_zip_format = { .id = "zip", .name = "ZIP archive", .detect = zip_detect };
