/* SPDX-License-Identifier: MIT */
/* A BigTIFF written front to back: the header, then for each page its samples, its directory and
 * its text.  The link from the previous frame is written last, so that a reader never reaches an
 * incomplete page.  libtiff is not used because it walks the chain of directories for each page,
 * which is too slow for long recordings. */
#include "io/write/vg-raw-tiff.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "kernels/base/vg-error.h"

enum { SHORT = 3, LONG = 4, ASCII = 2, LONG8 = 16 };
enum { MAX_ENTRIES = 13, ENTRY_BYTES = 20, HEADER_BYTES = 16, MOST_PARTS = 1000 };

struct _VgRawTiff
{
  VgImageInfo info;
  char *path, *part;
  gboolean replaces; /* a file at PATH */
  int fd;
  gsize page_bytes, directory_bytes;
  guint64 entries;   /* of a directory; one more for a fourth channel */
  guint64 offset;    /* where the next page's samples begin */
  guint64 last_link; /* position of the "next directory" of the last page */
  guint64 frames;
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
          g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_WRITE,
                       "cannot write \"%s\": %s; free some space, or choose another folder",
                       self->part, g_strerror (n < 0 ? errno : ENOSPC));
          return FALSE;
        }
      at += n;
      offset += (guint64) n;
      length -= (gsize) n;
    }
  return TRUE;
}

static guint64
align (guint64 bytes)
{
  return (bytes + 7) / 8 * 8;
}

static gboolean
write_header (VgRawTiff *self, GError **error)
{
  guint8 header[HEADER_BYTES] = { 0 };
  const guint16 words[3] = { 43, 8, 0 };

  memset (header, G_BYTE_ORDER == G_LITTLE_ENDIAN ? 'I' : 'M', 2);
  memcpy (header + 2, words, sizeof words);
  self->last_link = 8;
  self->offset = HEADER_BYTES;
  return write_all (self, header, sizeof header, 0, error);
}

/* PATH with WORD and, above 1, NUMBER before its suffix: "a.tif", ".part", 2: "a.part-2.tif". */
static char *
part_name (const char *path, const char *word, int number)
{
  const char *name = strrchr (path, '/'), *dot = strrchr (name ? name : path, '.');
  g_autofree char *count = number > 1 ? g_strdup_printf ("-%d", number) : g_strdup ("");

  if (!dot || dot == (name ? name + 1 : path))
    dot = path + strlen (path);
  return g_strdup_printf ("%.*s%s%s%s", (int) (dot - path), path, word, count, dot);
}

/* Creates the part file; one that exists belongs to another recording. */
static gboolean
create_part (VgRawTiff *self, GError **error)
{
  for (int i = 1; i < MOST_PARTS; i++)
    {
      g_autofree char *part = part_name (self->path, ".part", i);

      self->fd = open (part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
      if (self->fd >= 0)
        {
          self->part = g_steal_pointer (&part);
          return TRUE;
        }
      if (errno != EEXIST)
        break;
    }
  g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_WRITE,
               "cannot write \"%s\": %s; choose another folder", self->path, g_strerror (errno));
  return FALSE;
}

VgRawTiff *
vg_raw_tiff_new (const char *path, const VgImageInfo *info, GError **error)
{
  g_autoptr (VgRawTiff) self = g_new0 (VgRawTiff, 1);

  self->info = *info;
  self->path = g_strdup (path);
  self->replaces = g_file_test (path, G_FILE_TEST_EXISTS);
  self->fd = -1;
  self->page_bytes = vg_image_info_page_bytes (info);
  self->entries = info->channels == 4 ? MAX_ENTRIES : MAX_ENTRIES - 1;
  self->directory_bytes = 8 + self->entries * ENTRY_BYTES + 8;
  if (self->page_bytes == 0)
    g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_WRITE,
                 "cannot write \"%s\": a page of %d x %d has no size", path, info->width,
                 info->height);
  else if (g_file_test (path, G_FILE_TEST_IS_DIR))
    g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_WRITE,
                 "cannot write \"%s\": it is a folder; choose another name", path);
  else if (create_part (self, error) && write_header (self, error))
    return g_steal_pointer (&self);
  return NULL;
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
  const VgImageInfo *info = &self->info;
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

/* Writing to the disk begins at once, so that a later sync has little left to wait for. */
static void
begin_writing_out (VgRawTiff *self, guint64 from)
{
#ifdef SYNC_FILE_RANGE_WRITE
  sync_file_range (self->fd, (off64_t) from, (off64_t) (self->offset - from),
                   SYNC_FILE_RANGE_WRITE);
#endif
}

gboolean
vg_raw_tiff_add (VgRawTiff *self, const void *frame, const char *text, GError **error)
{
  const guint64 begin = self->offset, text_bytes = strlen (text) + 1;
  const guint64 samples_bytes = align (self->page_bytes),
                head_bytes = self->directory_bytes + align (text_bytes);
  const guint64 first = begin + samples_bytes;
  const gint64 pages = self->info.slices * self->info.bins;
  g_autofree guint8 *head = g_malloc0 (head_bytes);
  guint64 samples = begin, last = first;

  memcpy (head + self->directory_bytes, text, text_bytes);
  for (gint64 i = 0; i < pages; i++, samples += samples_bytes + head_bytes)
    {
      last = samples + samples_bytes;
      fill_directory (self, head, samples, last, text_bytes,
                      i + 1 < pages ? last + head_bytes + samples_bytes : 0);
      if (!write_all (self, (const char *) frame + (gsize) i * self->page_bytes, self->page_bytes,
                      samples, error) ||
          !write_all (self, head, head_bytes, last, error))
        return FALSE;
    }
  if (!write_all (self, &first, sizeof first, self->last_link, error))
    return FALSE;
  self->last_link = last + self->directory_bytes - 8;
  self->offset = samples;
  self->frames++;
  begin_writing_out (self, begin);
  return TRUE;
}

static gboolean
fail_with (const VgRawTiff *self, const char *what, GError **error)
{
  g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_WRITE, "cannot %s \"%s\": %s", what, self->part,
               g_strerror (errno));
  return FALSE;
}

gboolean
vg_raw_tiff_sync (VgRawTiff *self, GError **error)
{
  return fdatasync (self->fd) == 0 || fail_with (self, "write", error);
}

guint64
vg_raw_tiff_bytes (const VgRawTiff *self)
{
  return self->offset;
}

const char *
vg_raw_tiff_path (const VgRawTiff *self)
{
  return self->part;
}

/* Renames without replacing a file; where the file system cannot, checks for the file first. */
static int
rename_to_free (const char *from, const char *to)
{
  int status = renameat2 (AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE);

  if (status == 0 || (errno != EINVAL && errno != ENOSYS))
    return status;
  if (g_file_test (to, G_FILE_TEST_EXISTS))
    {
      errno = EEXIST;
      return -1;
    }
  return g_rename (from, to);
}

char *
vg_part_rename (const char *part, const char *path, gboolean replace, GError **error)
{
  for (int i = 1; i < MOST_PARTS; i++)
    {
      g_autofree char *to = part_name (path, "", i);

      if ((replace ? g_rename (part, to) : rename_to_free (part, to)) == 0)
        return g_steal_pointer (&to);
      if (errno != EEXIST)
        break;
    }
  g_set_error (
      error, VG_IO_ERROR, VG_IO_ERROR_WRITE,
      "cannot rename \"%s\" to \"%s\": %s; the recording is complete, so rename it by hand", part,
      path, g_strerror (errno));
  return NULL;
}

gboolean
vg_raw_tiff_commit (VgRawTiff *self, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (self->part);
  char *path;
  int status, folder_fd;

  if (self->frames == 0)
    {
      g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_WRITE,
                   "\"%s\" was not written because no frame was received", self->path);
      return FALSE;
    }
  status = ftruncate (self->fd, (off_t) self->offset) == 0 && fsync (self->fd) == 0 ? 0 : -1;
  if (close (self->fd) != 0)
    status = -1;
  self->fd = -1;
  if (status != 0)
    return fail_with (self, "write", error);
  path = vg_part_rename (self->part, self->path, self->replaces, error);
  if (!path)
    return FALSE;
  g_free (self->part);
  self->part = path;
  /* the new name reaches the disk where it can */
  folder_fd = open (folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder_fd >= 0)
    {
      fsync (folder_fd);
      close (folder_fd);
    }
  return TRUE;
}

void
vg_raw_tiff_free (VgRawTiff *self)
{
  if (!self)
    return;
  if (self->fd >= 0)
    close (self->fd);
  if (self->part && self->frames == 0)
    g_unlink (self->part);
  g_free (self->part);
  g_free (self->path);
  g_free (self);
}
