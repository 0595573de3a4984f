/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* A part of a file as a stream of bytes: as it is, or inflated from raw
 * deflate or from gzip (all members of it).  No more is held than a block. */
G_BEGIN_DECLS

/* What deflate can make of one byte at most. */
#define VG_DEFLATE_MAX_RATIO 1032

typedef enum { VG_PACKED_NOT, VG_PACKED_DEFLATE, VG_PACKED_GZIP } VgPacking;

typedef struct _VgInflate VgInflate;

/* From OFFSET to END at most; FD is borrowed, NAME for messages is copied. */
VgInflate *vg_inflate_new (int fd, const char *name, gint64 offset, gint64 end, VgPacking packing);
/* As many as there are, at most LENGTH; negative: an error. */
gssize vg_inflate_some (VgInflate *self, void *buffer, gsize length, GError **error);
/* LENGTH bytes, or FALSE and an error when there are fewer. */
gboolean vg_inflate_read (VgInflate *self, void *buffer, gsize length, GError **error);
/* TRUE when nothing is left; only an inflated stream knows its own end. */
gboolean vg_inflate_at_end (VgInflate *self);
void vg_inflate_free (VgInflate *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgInflate, vg_inflate_free)

/* A ZIP entry's local header at OFFSET: where its bytes begin and whether
 * they are deflated.  FALSE: there is none, or it cannot be read here. */
gboolean vg_zip_local_header (int fd, gint64 offset, gint64 *data, gboolean *deflated);
/* Whether a file that begins with the LENGTH bytes HEAD is compressed with gzip (RFC 1952). */
gboolean vg_is_gzip (const guint8 *head, gsize length);

G_END_DECLS
