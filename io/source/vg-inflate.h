/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* A part of a file as a stream of bytes, plain or inflated from raw deflate (RFC 1951) or from gzip
 * with any number of members (RFC 1952).  Memory holds one block at a time. */
G_BEGIN_DECLS

/* Bytes to which deflate can expand one byte at most. */
#define VG_DEFLATE_MAX_RATIO 1032

typedef enum { VG_PACKED_NONE, VG_PACKED_DEFLATE, VG_PACKED_GZIP } VgPacking;

typedef struct _VgInflate VgInflate;

/* A stream of the bytes from OFFSET to END of FD, which stays the caller's.  NAME: for messages. */
VgInflate *vg_inflate_new (int fd, const char *name, gint64 offset, gint64 end, VgPacking packing);
/* Reads up to LENGTH bytes; their number, or a negative number and an error. */
gssize vg_inflate_some (VgInflate *self, void *buffer, gsize length, GError **error);
/* Reads LENGTH bytes; FALSE and an error: there are fewer. */
gboolean vg_inflate_read (VgInflate *self, void *buffer, gsize length, GError **error);
/* Whether all bytes were read.  A compressed stream is inflated one byte further to find out. */
gboolean vg_inflate_at_end (VgInflate *self);
void vg_inflate_free (VgInflate *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgInflate, vg_inflate_free)

/* Reads the local header of a ZIP entry at OFFSET: *DATA is where its bytes begin.  FALSE: there is
 * no such header, or the entry is encrypted or compressed by another method than deflate. */
gboolean vg_zip_local_header (int fd, gint64 offset, gint64 *data, gboolean *deflated);
/* Whether a file that begins with the LENGTH bytes HEAD is compressed with gzip (RFC 1952). */
gboolean vg_is_gzip (const guint8 *head, gsize length);

G_END_DECLS
