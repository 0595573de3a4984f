/* SPDX-License-Identifier: MIT */
/* A BigTIFF written front to back: header, then for each page its directory
 * and its samples.  Both have a fixed size, so every "next directory" offset
 * is known beforehand and only the last one is patched.  (A general TIFF
 * library walks the chain of directories, which long recordings can't pay.) */
#include "vg-raw-tiff.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>
#include "vg-error.h"
#include "vg-output-file.h"

enum { SHORT = 3, LONG = 4, ASCII = 2, LONG8 = 16 };
enum { MAX_ENTRIES = 13, ENTRY_BYTES = 20, MAX_DIRECTORY_BYTES = 8 + MAX_ENTRIES * ENTRY_BYTES + 8, HEADER_BYTES = 16 };

struct _VgRawTiff
{
  VgImageInfo info;
  char *path;
  VgOutputFile *file;
  int fd;
  gsize page_bytes, directory_bytes;
  guint64 entries;           /* of a directory: one more when a fourth channel is to be explained */
  guint64 description_at, description_bytes;
  guint64 offset;            /* of the next directory */
  guint64 last_link;         /* of the last whole page's "next directory" */
  guint64 pages;
};

static gboolean
write_all (VgRawTiff *self, const void *bytes, gsize length, guint64 offset, GError **error)
{
  const char *at = bytes;

  while (length > 0)
    {
      ssize_t n = pwrite (self->fd, at, length, (off_t) offset);

      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        {
          g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_WRITE, "cannot write %s: %s; free some space or choose another folder",
                       self->path, g_strerror (n < 0 ? errno : ENOSPC));
          return FALSE;
        }
      at += n;
      offset += (guint64) n;
      length -= (gsize) n;
    }
  return TRUE;
}

static gboolean
write_header (VgRawTiff *self, const char *description, GError **error)
{
  guint8 header[HEADER_BYTES] = { 0 };
  const guint16 words[3] = { 43, 8, 0 };
  guint64 first;

  memset (header, G_BYTE_ORDER == G_LITTLE_ENDIAN ? 'I' : 'M', 2);
  memcpy (header + 2, words, sizeof words);
  self->description_at = HEADER_BYTES;
  self->description_bytes = strlen (description) + 1;
  first = (HEADER_BYTES + self->description_bytes + 7) / 8 * 8;
  memcpy (header + 8, &first, 8);
  self->last_link = 8;
  self->offset = first;
  return write_all (self, header, sizeof header, 0, error) &&
         write_all (self, description, self->description_bytes, self->description_at, error);
}

VgRawTiff *
vg_raw_tiff_new (const char *path, const VgImageInfo *info, const char *description, GError **error)
{
  g_autoptr (VgRawTiff) self = g_new0 (VgRawTiff, 1);

  self->info = *info;
  self->path = g_strdup (path);
  self->fd = -1;
  self->page_bytes = vg_image_info_page_bytes (info);
  self->entries = info->channels == 4 ? MAX_ENTRIES : MAX_ENTRIES - 1;
  self->directory_bytes = 8 + self->entries * ENTRY_BYTES + 8;
  if (self->page_bytes == 0)
    {
      g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_WRITE, "cannot write %s: a page of %d x %d has no size", path, info->width, info->height);
      return NULL;
    }
  self->file = vg_output_file_new (path, error);
  if (!self->file)
    return NULL;
  self->fd = open (vg_output_file_temporary (self->file), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (self->fd < 0)
    {
      g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_WRITE, "cannot write %s: %s; choose another folder", path, g_strerror (errno));
      return NULL;
    }
  return write_header (self, description, error) ? g_steal_pointer (&self) : NULL;
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

/* Directory entries ascend by tag. */
static void
fill_directory (VgRawTiff *self, guint8 *directory)
{
  const VgImageInfo *info = &self->info;
  const int channels = info->channels;
  const guint16 bits = (guint16) (8 * vg_type_size (info->type));
  const guint16 format = info->type == VG_F32 ? 3 : 1;
  const guint64 samples = self->offset + self->directory_bytes;
  const guint64 next = samples + (self->page_bytes + 7) / 8 * 8;
  guint8 *at = directory + 8;

  memcpy (directory, &self->entries, 8);
  at = put_entry (at, 256, LONG, 1, (guint64) info->width);
  at = put_entry (at, 257, LONG, 1, (guint64) info->height);
  at = put_entry (at, 258, SHORT, (guint64) channels, channels == 1 ? bits : repeat_word (bits, channels));
  at = put_entry (at, 259, SHORT, 1, 1);                       /* uncompressed */
  at = put_entry (at, 262, SHORT, 1, channels >= 3 ? 2 : 1);   /* RGB, or black is zero */
  at = put_entry (at, 270, ASCII, self->description_bytes, self->description_at);
  at = put_entry (at, 273, LONG8, 1, samples);
  at = put_entry (at, 277, SHORT, 1, (guint64) channels);
  at = put_entry (at, 278, LONG, 1, (guint64) info->height);   /* one strip */
  at = put_entry (at, 279, LONG8, 1, self->page_bytes);
  at = put_entry (at, 284, SHORT, 1, 1);                       /* interleaved */
  if (channels == 4)
    at = put_entry (at, 338, SHORT, 1, 2);                     /* alpha, not multiplied */
  at = put_entry (at, 339, SHORT, (guint64) channels, channels == 1 ? format : repeat_word (format, channels));
  memcpy (at, &next, 8);
}

static gboolean
add_page (VgRawTiff *self, const void *page, GError **error)
{
  guint8 directory[MAX_DIRECTORY_BYTES];

  fill_directory (self, directory);
  if (!write_all (self, directory, self->directory_bytes, self->offset, error) ||
      !write_all (self, page, self->page_bytes, self->offset + self->directory_bytes, error))
    return FALSE;
  self->last_link = self->offset + self->directory_bytes - 8;
  self->offset += self->directory_bytes + (self->page_bytes + 7) / 8 * 8;
  self->pages++;
  return TRUE;
}

/* Half a time point is none: its pages are forgotten. */
gboolean
vg_raw_tiff_add (VgRawTiff *self, const void *frame, GError **error)
{
  const VgRawTiff before = *self;
  gint64 pages = self->info.slices * self->info.bins;

  for (gint64 i = 0; i < pages; i++)
    if (!add_page (self, (const char *) frame + (gsize) i * self->page_bytes, error))
      {
        self->offset = before.offset;
        self->last_link = before.last_link;
        self->pages = before.pages;
        return FALSE;
      }
  return TRUE;
}

gboolean
vg_raw_tiff_commit (VgRawTiff *self, GError **error)
{
  const guint64 end = 0;
  int status;

  if (self->pages == 0)
    {
      g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_WRITE, "%s was not written: no frame came", self->path);
      return FALSE;
    }
  if (!write_all (self, &end, sizeof end, self->last_link, error))
    return FALSE;
  status = ftruncate (self->fd, (off_t) self->offset);
  if (close (self->fd) != 0)
    status = -1;
  self->fd = -1;
  if (status != 0)
    {
      g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_WRITE, "cannot write %s: %s; free some space", self->path, g_strerror (errno));
      return FALSE;
    }
  return vg_output_file_commit (self->file, error);
}

void
vg_raw_tiff_free (VgRawTiff *self)
{
  if (!self)
    return;
  if (self->fd >= 0)
    close (self->fd);
  g_clear_pointer (&self->file, vg_output_file_free);
  g_free (self->path);
  g_free (self);
}
