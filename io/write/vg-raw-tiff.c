/* SPDX-License-Identifier: MIT */
/* A BigTIFF written front to back: the header, then for each page its samples, its directory and
 * its text.  The link from the previous frame is written last, so that a reader never reaches an
 * incomplete page.  libtiff is not used because it walks the chain of directories for each page,
 * which is too slow for long recordings.
 *
 * Large frames are written to the disk directly from their memory.  This takes less processor time
 * than a copy in the page cache.  The position, the length and the memory address of such a write
 * must be multiples of a block.  So each frame begins at a block; its last samples, its directory
 * and its text are gathered in a buffer, and a link is written with the blocks that contain it. */
#include "io/write/vg-frame-file-private.h"

#include <stdlib.h>
#include <string.h>

enum { SHORT = 3, LONG = 4, ASCII = 2, LONG8 = 16 };
enum { MAX_ENTRIES = 13, ENTRY_BYTES = 20, HEADER_BYTES = 16, FIRST_LINK = 8, WORD = 8 };
enum { TEXT_ENTRY = 8 + 5 * ENTRY_BYTES }; /* where a directory has the entry of its text */

/* The last bytes of a frame, from AT in the file, in memory for direct writes. */
typedef struct
{
  guint8 *bytes;
  gsize size, room;
  guint64 at;
} Tail;

typedef struct
{
  VgFrameFile parent;
  gsize page_bytes, directory_bytes;
  guint64 entries;        /* of a directory; one more for a fourth channel */
  guint64 last_link;      /* position of the "next directory" of the last page */
  guint64 last_directory; /* position of the first directory of the last frame */
  gsize block;            /* all positions and lengths that are written are multiples of it */
  Tail last, now;         /* of the last frame, and of the frame that is being written */
} VgRawTiff;

/* Begins a tail of SIZE bytes, all zero, at position AT in the file.  FALSE: there is no memory. */
static gboolean
tail_begin (Tail *self, guint64 at, gsize size, GError **error)
{
  if (size > self->room)
    {
      free (self->bytes);
      self->room = size;
      self->bytes = vg_frame_file_alloc (&self->room, error);
    }
  if (self->bytes == NULL)
    return FALSE;
  memset (self->bytes, 0, size);
  self->at = at;
  self->size = size;
  return TRUE;
}

static gboolean
write_header (VgRawTiff *self, GError **error)
{
  const guint16 words[3] = { 43, 8, 0 };
  struct iovec part;

  if (!tail_begin (&self->last, 0, vg_align (HEADER_BYTES, self->block), error))
    return FALSE;
  memset (self->last.bytes, G_BYTE_ORDER == G_LITTLE_ENDIAN ? 'I' : 'M', 2);
  memcpy (self->last.bytes + 2, words, sizeof words);
  self->last_link = FIRST_LINK;
  self->parent.offset = self->last.size;
  part = (struct iovec){ self->last.bytes, self->last.size };
  return vg_frame_file_write (&self->parent, &part, 1, 0, error);
}

static guint8 *
put_entry (guint8 *at, guint16 tag, guint16 type, guint64 count, guint64 value)
{
  guint8 field[8] = { 0 };
  const guint16 head[2] = { tag, type };
  const guint16 word = (guint16) value;
  const guint32 dword = (guint32) value;

  if (type == SHORT && count == 1)
    memcpy (field, &word, sizeof word);
  else if (type == LONG)
    memcpy (field, &dword, sizeof dword);
  else
    memcpy (field, &value, sizeof value);
  memcpy (at, head, sizeof head);
  memcpy (at + 4, &count, 8);
  memcpy (at + 12, field, 8);
  return at + ENTRY_BYTES;
}

/* Up to four equal 16-bit values lie in the entry itself. */
static guint64
repeat_word (guint16 word, int n)
{
  guint16 words[4] = { 0 };
  guint64 value;

  for (int i = 0; i < n; i++)
    words[i] = word;
  memcpy (&value, words, sizeof value);
  return value;
}

/* Fills a directory that will stand at AT_OFFSET, entries ascending by tag.  SAMPLES and NEXT are
 * the positions of its samples and of the next directory, or 0. */
static void
fill_directory (VgRawTiff *self, guint8 *directory, guint64 samples, guint64 at_offset,
                guint64 text_bytes, guint64 next)
{
  const VgImageInfo *info = &self->parent.info;
  const int channels = info->channels;
  const guint16 bits = (guint16) (8 * vg_type_size (info->type));
  const guint16 format = info->type == VG_F32 ? 3 : 1;
  guint8 *at = directory + 8;

  memcpy (directory, &self->entries, 8);
  at = put_entry (at, 256, LONG, 1, (guint64) info->width);
  at = put_entry (at, 257, LONG, 1, (guint64) info->height);
  at = put_entry (at, 258, SHORT, (guint64) channels,
                  channels == 1 ? bits : repeat_word (bits, channels));
  at = put_entry (at, 259, SHORT, 1, 1);                     /* uncompressed */
  at = put_entry (at, 262, SHORT, 1, channels >= 3 ? 2 : 1); /* RGB, or black is zero */
  at = put_entry (at, 270, ASCII, text_bytes, at_offset + self->directory_bytes);
  at = put_entry (at, 273, LONG8, 1, samples);
  at = put_entry (at, 277, SHORT, 1, (guint64) channels);
  at = put_entry (at, 278, LONG, 1, (guint64) info->height); /* one strip */
  at = put_entry (at, 279, LONG8, 1, self->page_bytes);
  at = put_entry (at, 284, SHORT, 1, 1); /* interleaved */
  if (channels == 4)
    at = put_entry (at, 338, SHORT, 1, 2); /* alpha, not multiplied */
  at = put_entry (at, 339, SHORT, (guint64) channels,
                  channels == 1 ? format : repeat_word (format, channels));
  memcpy (at, &next, 8);
}

/* Fills the tail of the present page, which begins at `offset`: the samples of PAGE after the first
 * BODY bytes, the directory and TEXT.  NEXT: another page of the frame follows. */
static gboolean
fill_tail (VgRawTiff *self, const guint8 *page, gsize body, const char *text, gboolean next,
           GError **error)
{
  const gsize text_bytes = strlen (text) + 1, rest = self->page_bytes - body;
  const gsize directory = vg_align (rest, WORD);
  Tail *tail = &self->now;

  if (!tail_begin (tail, self->parent.offset + body,
                   vg_align (directory + self->directory_bytes + text_bytes, self->block), error))
    return FALSE;
  memcpy (tail->bytes, page + body, rest);
  memcpy (tail->bytes + directory + self->directory_bytes, text, text_bytes);
  fill_directory (self, tail->bytes + directory, self->parent.offset, tail->at + directory,
                  text_bytes, next ? tail->at + tail->size + body + directory : 0);
  return TRUE;
}

/* Writes the first BODY bytes of PAGE and its tail. */
static gboolean
write_page (VgRawTiff *self, const guint8 *page, gsize body, GError **error)
{
  struct iovec parts[] = { { (void *) page, body }, { self->now.bytes, self->now.size } };

  return vg_frame_file_write (&self->parent, parts, 2, self->parent.offset, error);
}

/* Links the frame whose first directory is at FIRST: writes the blocks with the previous link. */
static gboolean
link_frame (VgRawTiff *self, guint64 first, GError **error)
{
  const gsize at = self->last_link - self->last.at, begin = at / self->block * self->block,
              end = vg_align (at + sizeof first, self->block);
  struct iovec part = { self->last.bytes + begin, end - begin };

  memcpy (self->last.bytes + at, &first, sizeof first);
  return vg_frame_file_write (&self->parent, &part, 1, self->last.at + begin, error);
}

static gboolean
raw_tiff_add (VgFrameFile *file, const void *frame, const char *text, GError **error)
{
  VgRawTiff *self = (VgRawTiff *) file;
  const guint64 begin = file->offset;
  const gsize body = self->page_bytes / self->block * self->block,
              directory = vg_align (self->page_bytes - body, WORD);
  const gint64 pages = file->info.slices * file->info.bins;
  const guint8 *page = frame;
  Tail linked;

  for (gint64 i = 0; i < pages; i++, page += self->page_bytes)
    {
      if (!fill_tail (self, page, body, text, i + 1 < pages, error) ||
          !write_page (self, page, body, error))
        {
          file->offset = begin;
          return FALSE;
        }
      file->offset = self->now.at + self->now.size;
    }
  if (!link_frame (self, begin + body + directory, error))
    {
      file->offset = begin;
      return FALSE;
    }
  linked = self->last;
  self->last = self->now;
  self->now = linked;
  self->last_link = self->last.at + directory + self->directory_bytes - 8;
  self->last_directory = begin + body + directory;
  return TRUE;
}

/* The new text follows the frame, and then its directory refers to it. */
static gboolean
raw_tiff_set_last_text (VgFrameFile *file, const char *text, GError **error)
{
  VgRawTiff *self = (VgRawTiff *) file;
  const guint64 bytes = strlen (text) + 1;
  guint64 place[] = { bytes, file->offset };
  struct iovec whole = { (void *) text, bytes }, entry = { place, sizeof place };

  if (!vg_frame_file_write (file, &whole, 1, file->offset, error))
    return FALSE;
  file->offset += bytes;
  return vg_frame_file_sync (file, error) &&
         vg_frame_file_write (file, &entry, 1, self->last_directory + TEXT_ENTRY + 4, error);
}

static gboolean
raw_tiff_begin (VgFrameFile *file, GError **error)
{
  const VgImageInfo *info = &file->info;
  VgRawTiff *self = (VgRawTiff *) file;
  gboolean direct;

  self->page_bytes = vg_image_info_page_bytes (info);
  self->entries = info->channels == 4 ? MAX_ENTRIES : MAX_ENTRIES - 1;
  self->directory_bytes = 8 + self->entries * ENTRY_BYTES + 8;
  direct = info->slices * info->bins == 1 && self->page_bytes >= VG_FRAME_FILE_LEAST_DIRECT;
  self->block = direct ? VG_FRAME_FILE_BLOCK : WORD;
  if (direct)
    vg_frame_file_write_directly (file);
  return write_header (self, error);
}

static void
raw_tiff_clear (VgFrameFile *file)
{
  VgRawTiff *self = (VgRawTiff *) file;

  free (self->last.bytes);
  free (self->now.bytes);
}

const VgFrameFileClass vg_raw_tiff_class = { .bytes = sizeof (VgRawTiff),
                                             .begin = raw_tiff_begin,
                                             .add = raw_tiff_add,
                                             .set_last_text = raw_tiff_set_last_text,
                                             .clear = raw_tiff_clear };
