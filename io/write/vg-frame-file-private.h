/* SPDX-License-Identifier: MIT */
#pragma once
#include <sys/uio.h>
#include "io/write/vg-frame-file.h"
G_BEGIN_DECLS

/* Bytes.  Direct writes in multiples of a block suit all disks.  Smaller frames are written through
 * the page cache. */
enum { VG_FRAME_FILE_BLOCK = 4096, VG_FRAME_FILE_LEAST_DIRECT = 16 * VG_FRAME_FILE_BLOCK };

/* What a format of recordings implements; NULL: nothing to do. */
typedef struct
{
  gsize bytes;                                           /* of its struct */
  gboolean (*begin) (VgFrameFile *self, GError **error); /* once there is a part file */
  gboolean (*add) (VgFrameFile *self, const void *frame, const char *text, GError **error);
  gboolean (*set_last_text) (VgFrameFile *self, const char *text, GError **error);
  gboolean (*sync) (VgFrameFile *self); /* of what is beside the file; FALSE: failed with errno */
  void (*clear) (VgFrameFile *self);
} VgFrameFileClass;

extern const VgFrameFileClass vg_raw_tiff_class, vg_raw_frames_class;

struct _VgFrameFile
{
  const VgFrameFileClass *class;
  VgImageInfo info;
  char *path, *part;
  gboolean replaces; /* a file at PATH */
  int fd;
  gboolean is_direct; /* past the page cache */
  guint64 offset;     /* end of the last frame; a class moves it when a frame is complete */
  guint64 synced;     /* bytes that have reached the disk */
  guint64 frames;
};

guint64 vg_align (guint64 bytes, guint64 unit);
/* Begins direct writes, if the disk allows them. */
void vg_frame_file_write_directly (VgFrameFile *self);
/* Writes the PARTS one after the other.  For direct writes all addresses, lengths and the OFFSET
 * are multiples of a block. */
gboolean vg_frame_file_write (VgFrameFile *self, struct iovec *parts, int n_parts, guint64 offset,
                              GError **error);
/* Memory for direct writes, of at least *ROOM bytes, which is rounded up; freed with free().  NULL
 * and an error: there is none. */
void *vg_frame_file_alloc (gsize *room, GError **error);
/* Sets the error that follows from errno: PATH cannot be written. */
void vg_frame_file_fail (const char *path, GError **error);

G_END_DECLS
