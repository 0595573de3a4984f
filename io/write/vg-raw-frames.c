/* SPDX-License-Identifier: MIT */
/* Bare frames one after the other, and an index beside them: a text with one line of JSON about the
 * file, and one for each frame, which is written after the samples of the frame.
 *
 * Frames need not be multiples of a block, as direct writes must be.  So each write begins with the
 * last bytes of the frame before, and ends with zeros that the next one replaces. */
#include "io/write/vg-frame-file-private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct
{
  VgFrameFile parent;
  int index;
  gsize frame_bytes, room;
  guint8 *blocks;      /* from the last whole block of the file on */
  gsize carried;       /* bytes of the frame before in it */
  guint64 index_bytes; /* of complete lines */
  guint64 last_line;   /* where the last of them begins */
} VgRawFrames;

static gboolean
write_line (VgRawFrames *self, const char *line, GError **error)
{
  const gsize length = strlen (line);
  gsize done = 0;

  while (done < length)
    {
      ssize_t n = pwrite (self->index, line + done, length - done,
                          (off_t) (self->index_bytes + done));

      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        {
          g_autofree char *path = vg_raw_index_path (self->parent.part);

          errno = n < 0 ? errno : ENOSPC;
          vg_frame_file_fail (path, error);
          if (ftruncate (self->index, (off_t) self->index_bytes) != 0)
            g_debug ("an incomplete line stays in %s", path); /* readers ignore it */
          return FALSE;
        }
      done += (gsize) n;
    }
  self->last_line = self->index_bytes;
  self->index_bytes += length;
  return TRUE;
}

/* What a program needs to read the samples; the shape is that of a frame in C order. */
static char *
describe_file (const VgImageInfo *info)
{
  static const char *const types[] = {
    [VG_U8] = "u1", [VG_U16] = "u2", [VG_U32] = "u4", [VG_F32] = "f4"
  };
  const gint64 sizes[] = { info->slices, info->bins, info->height, info->width, info->channels };
  g_autoptr (GString) shape = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    if (sizes[i] > 1 || i == 2 || i == 3)
      g_string_append_printf (shape, "%s%" G_GINT64_FORMAT, shape->len > 0 ? ", " : "", sizes[i]);
  return g_strdup_printf (VG_RAW_INDEX_BEGIN
                          " \"dtype\": \"%s%s\", \"shape\": [%s], \"width\": %d"
                          ", \"height\": %d, \"channels\": %d, \"bins\": %" G_GINT64_FORMAT
                          ", \"slices\": %" G_GINT64_FORMAT "}\n",
                          info->type == VG_U8               ? "|"
                          : G_BYTE_ORDER == G_LITTLE_ENDIAN ? "<"
                                                            : ">",
                          types[info->type], shape->str, info->width, info->height, info->channels,
                          (gint64) info->bins, (gint64) info->slices);
}

static gboolean
raw_frames_begin (VgFrameFile *file, GError **error)
{
  VgRawFrames *self = (VgRawFrames *) file;
  g_autofree char *path = vg_raw_index_path (file->part), *text = describe_file (&file->info);

  self->frame_bytes = vg_image_info_frame_bytes (&file->info);
  self->room = self->frame_bytes + VG_FRAME_FILE_BLOCK;
  self->index = open (path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (self->index < 0)
    {
      vg_frame_file_fail (path, error);
      return FALSE;
    }
  self->blocks = vg_frame_file_alloc (&self->room, error);
  if (self->blocks == NULL)
    return FALSE;
  if (self->frame_bytes >= VG_FRAME_FILE_LEAST_DIRECT)
    vg_frame_file_write_directly (file);
  return write_line (self, text, error);
}

/* The line of the frame at OFFSET, owned. */
static char *
format_line (guint64 offset, const char *text)
{
  return g_strdup_printf (VG_RECORDED ", \"offset\": %" G_GUINT64_FORMAT "%s\n", offset,
                          text + strlen (VG_RECORDED));
}

static gboolean
raw_frames_add (VgFrameFile *file, const void *frame, const char *text, GError **error)
{
  VgRawFrames *self = (VgRawFrames *) file;
  const gsize filled = self->carried + self->frame_bytes,
              size = vg_align (filled, VG_FRAME_FILE_BLOCK),
              whole = filled / VG_FRAME_FILE_BLOCK * VG_FRAME_FILE_BLOCK;
  g_autofree char *line = format_line (file->offset, text);
  struct iovec part = { self->blocks, size };

  memcpy (self->blocks + self->carried, frame, self->frame_bytes);
  memset (self->blocks + filled, 0, size - filled);
  if (!vg_frame_file_write (file, &part, 1, file->offset - self->carried, error) ||
      !write_line (self, line, error))
    return FALSE;
  file->offset += self->frame_bytes;
  self->carried = filled - whole;
  if (whole > 0)
    memcpy (self->blocks, self->blocks + whole, self->carried);
  return TRUE;
}

/* The end of the new line first: if the disk is full, the old line stays. */
static gboolean
raw_frames_set_last_text (VgFrameFile *file, const char *text, GError **error)
{
  VgRawFrames *self = (VgRawFrames *) file;
  const guint64 begin = self->last_line;
  const gsize before = (gsize) (self->index_bytes - begin);
  g_autofree char *line = format_line (file->offset - self->frame_bytes, text),
                  *path = vg_raw_index_path (file->part);

  if (!write_line (self, line + before, error))
    return FALSE;
  if (pwrite (self->index, line, before, (off_t) begin) == (gssize) before)
    return TRUE;
  vg_frame_file_fail (path, error);
  return FALSE;
}

static gboolean
raw_frames_sync (VgFrameFile *file)
{
  return fdatasync (((VgRawFrames *) file)->index) == 0;
}

static void
raw_frames_clear (VgFrameFile *file)
{
  VgRawFrames *self = (VgRawFrames *) file;

  if (self->index > 0)
    close (self->index);
  free (self->blocks);
}

const VgFrameFileClass vg_raw_frames_class = { .bytes = sizeof (VgRawFrames),
                                               .begin = raw_frames_begin,
                                               .add = raw_frames_add,
                                               .set_last_text = raw_frames_set_last_text,
                                               .sync = raw_frames_sync,
                                               .clear = raw_frames_clear };
