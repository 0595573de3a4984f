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
#include "io/write/vg-raw-tiff.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>
#include "kernels/base/vg-error.h"
#include "io/write/vg-output-file.h"

enum { SHORT = 3, LONG = 4, ASCII = 2, LONG8 = 16 };
enum { MAX_ENTRIES = 13, ENTRY_BYTES = 20, HEADER_BYTES = 16, FIRST_LINK = 8, MOST_PARTS = 1000 };
/* Bytes.  Direct writes in multiples of BLOCK suit all disks.  Frames of LEAST_DIRECT bytes or more
 * are written directly. */
enum { BLOCK = 4096, WORD = 8, LEAST_DIRECT = 16 * BLOCK };

/* The last bytes of a frame, from AT in the file, in memory for direct writes. */
typedef struct
{
  guint8 *bytes;
  gsize size, room;
  guint64 at;
} Tail;

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
  guint64 synced;    /* bytes that have reached the disk */
  guint64 frames;
  gsize block;        /* all positions and lengths that are written are multiples of it */
  gboolean is_direct; /* past the page cache */
  Tail last, now;     /* of the last frame, and of the frame that is being written */
};

/* DIRECT: writes go to the disk without the page cache, if the disk allows it. */
static void
set_direct (VgRawTiff *self, gboolean direct)
{
  int flags = fcntl (self->fd, F_GETFL);

  self->is_direct = fcntl (self->fd, F_SETFL, direct ? flags | O_DIRECT : flags & ~O_DIRECT) == 0 &&
                    direct;
}

static guint64
align (guint64 bytes, guint64 unit)
{
  return (bytes + unit - 1) / unit * unit;
}

/* Writes the PARTS one after the other. */
static gboolean
write_all (VgRawTiff *self, struct iovec *parts, int n_parts, guint64 offset, GError **error)
{
  while (n_parts > 0)
    {
      ssize_t n = pwritev (self->fd, parts, n_parts, (off_t) offset);

      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0 && (errno == EINVAL || errno == EFAULT) && self->is_direct)
        {
          set_direct (self, FALSE); /* this disk or this memory does not allow it */
          continue;
        }
      if (n <= 0)
        {
          g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_WRITE,
                       "cannot write \"%s\": %s; free some space, or choose another folder",
                       self->part, g_strerror (n < 0 ? errno : ENOSPC));
          return FALSE;
        }
      offset += (guint64) n;
      for (; n_parts > 0 && (gsize) n >= parts->iov_len; parts++, n_parts--)
        n -= (ssize_t) parts->iov_len;
      if (n_parts > 0)
        {
          parts->iov_base = (char *) parts->iov_base + n;
          parts->iov_len -= (gsize) n;
        }
    }
  return TRUE;
}

/* Begins a tail of SIZE bytes, all zero, at position AT in the file.  FALSE: there is no memory. */
static gboolean
tail_begin (Tail *self, guint64 at, gsize size, GError **error)
{
  if (size > self->room)
    {
      free (self->bytes);
      self->room = align (size, BLOCK);
      self->bytes = aligned_alloc (BLOCK, self->room);
    }
  if (self->bytes == NULL)
    {
      self->room = 0;
      g_set_error_literal (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_MEMORY,
                           "there is not enough memory to record; close other programs");
      return FALSE;
    }
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

  if (!tail_begin (&self->last, 0, align (HEADER_BYTES, self->block), error))
    return FALSE;
  memset (self->last.bytes, G_BYTE_ORDER == G_LITTLE_ENDIAN ? 'I' : 'M', 2);
  memcpy (self->last.bytes + 2, words, sizeof words);
  self->last_link = FIRST_LINK;
  self->offset = self->last.size;
  part = (struct iovec){ self->last.bytes, self->last.size };
  return write_all (self, &part, 1, 0, error);
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

gboolean
vg_part_discard_empty (const char *part)
{
  /* a file without content, or with the header that write_header writes and no frame */
  static const char headers[2][FIRST_LINK + 1] = { "II\053\0\010\0\0\0", "MM\0\053\0\010\0\0" };
  int fd = open (part, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC); /* NFS locks only such */
  char head[HEADER_BYTES];
  const guint64 none = 0;
  struct stat status;
  gssize n;
  gboolean empty = fd >= 0 && fstat (fd, &status) == 0 && S_ISREG (status.st_mode) &&
                   status.st_uid == geteuid () && vg_file_lock (fd, FALSE) &&
                   ((n = pread (fd, head, sizeof head, 0)) == 0 ||
                    (n == sizeof head &&
                     memcmp (head, headers[G_BYTE_ORDER == G_BIG_ENDIAN], FIRST_LINK) == 0 &&
                     memcmp (head + FIRST_LINK, &none, sizeof none) == 0)) &&
                   g_unlink (part) == 0;

  if (fd >= 0)
    close (fd);
  return empty;
}

/* Creates and locks a file that does not exist yet; -1: it cannot, with the reason in errno. */
static int
create_locked (const char *path)
{
  struct stat status;
  int fd = open (path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);

  if (fd < 0)
    return -1;
  vg_file_lock (fd, TRUE);
  if (fstat (fd, &status) != 0 || status.st_nlink > 0)
    return fd;
  close (fd); /* another process has removed it as an abandoned file */
  errno = EEXIST;
  return -1;
}

/* Creates the part file.  An existing one belongs to another recording, unless it is empty. */
static gboolean
create_part (VgRawTiff *self, GError **error)
{
  for (int i = 1; i < MOST_PARTS; i++)
    {
      g_autofree char *part = part_name (self->path, ".part", i);

      vg_part_discard_empty (part);
      self->fd = create_locked (part);
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
  self->block = info->slices * info->bins == 1 && self->page_bytes >= LEAST_DIRECT ? BLOCK : WORD;
  if (self->page_bytes == 0)
    g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_WRITE,
                 "cannot write \"%s\": a page of %d x %d has no size", path, info->width,
                 info->height);
  else if (g_file_test (path, G_FILE_TEST_IS_DIR))
    g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_WRITE,
                 "cannot write \"%s\": it is a folder; choose another name", path);
  else if (create_part (self, error))
    {
      if (self->block == BLOCK)
        set_direct (self, TRUE);
      if (write_header (self, error))
        return g_steal_pointer (&self);
    }
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

/* Fills the tail of the present page, which begins at `offset`: the samples of PAGE after the first
 * BODY bytes, the directory and TEXT.  NEXT: another page of the frame follows. */
static gboolean
fill_tail (VgRawTiff *self, const guint8 *page, gsize body, const char *text, gboolean next,
           GError **error)
{
  const gsize text_bytes = strlen (text) + 1, rest = self->page_bytes - body;
  const gsize directory = align (rest, WORD);
  Tail *tail = &self->now;

  if (!tail_begin (tail, self->offset + body,
                   align (directory + self->directory_bytes + text_bytes, self->block), error))
    return FALSE;
  memcpy (tail->bytes, page + body, rest);
  memcpy (tail->bytes + directory + self->directory_bytes, text, text_bytes);
  fill_directory (self, tail->bytes + directory, self->offset, tail->at + directory, text_bytes,
                  next ? tail->at + tail->size + body + directory : 0);
  return TRUE;
}

/* Writes the first BODY bytes of PAGE and its tail. */
static gboolean
write_page (VgRawTiff *self, const guint8 *page, gsize body, GError **error)
{
  struct iovec parts[] = { { (void *) page, body }, { self->now.bytes, self->now.size } };

  return write_all (self, parts, 2, self->offset, error);
}

/* Links the frame whose first directory is at FIRST: writes the blocks with the previous link. */
static gboolean
link_frame (VgRawTiff *self, guint64 first, GError **error)
{
  const gsize at = self->last_link - self->last.at, begin = at / self->block * self->block,
              end = align (at + sizeof first, self->block);
  struct iovec part = { self->last.bytes + begin, end - begin };

  memcpy (self->last.bytes + at, &first, sizeof first);
  return write_all (self, &part, 1, self->last.at + begin, error);
}

gboolean
vg_raw_tiff_add (VgRawTiff *self, const void *frame, const char *text, GError **error)
{
  const guint64 begin = self->offset;
  const gsize body = self->page_bytes / self->block * self->block,
              directory = align (self->page_bytes - body, WORD);
  const gint64 pages = self->info.slices * self->info.bins;
  const guint8 *page = frame;
  Tail linked;

  for (gint64 i = 0; i < pages; i++, page += self->page_bytes)
    {
      if (!fill_tail (self, page, body, text, i + 1 < pages, error) ||
          !write_page (self, page, body, error))
        {
          self->offset = begin;
          return FALSE;
        }
      self->offset = self->now.at + self->now.size;
    }
  if (!link_frame (self, begin + body + directory, error))
    {
      self->offset = begin;
      return FALSE;
    }
  linked = self->last;
  self->last = self->now;
  self->now = linked;
  self->last_link = self->last.at + directory + self->directory_bytes - 8;
  self->frames++;
  if (!self->is_direct)
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
  self->synced = self->offset;
  return fdatasync (self->fd) == 0 || fail_with (self, "write", error);
}

guint64
vg_raw_tiff_in_memory (const VgRawTiff *self)
{
  return self->is_direct ? 0 : self->offset - self->synced;
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
  free (self->last.bytes);
  free (self->now.bytes);
  g_free (self->part);
  g_free (self->path);
  g_free (self);
}
