/* SPDX-License-Identifier: MIT */
/* What all formats of recordings share: the part file, its writes past the page cache, and its
 * names. */
#include "io/write/vg-frame-file-private.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "kernels/base/vg-error.h"
#include "io/write/vg-output-file.h"

/* FIRST_LINE: more bytes than the first line of an index has. */
enum { MOST_PARTS = 1000, FIRST_LINE = 1024 };

/* DIRECT: writes go to the disk without the page cache, if the disk allows it. */
static void
set_direct (VgFrameFile *self, gboolean direct)
{
  int flags = fcntl (self->fd, F_GETFL);

  self->is_direct = fcntl (self->fd, F_SETFL, direct ? flags | O_DIRECT : flags & ~O_DIRECT) == 0 &&
                    direct;
}

void
vg_frame_file_write_directly (VgFrameFile *self)
{
  set_direct (self, TRUE);
}

guint64
vg_align (guint64 bytes, guint64 unit)
{
  return (bytes + unit - 1) / unit * unit;
}

void
vg_frame_file_fail (const char *path, GError **error)
{
  g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_WRITE,
               "cannot write \"%s\": %s; free some space, or choose another folder", path,
               g_strerror (errno));
}

gboolean
vg_frame_file_write (VgFrameFile *self, struct iovec *parts, int n_parts, guint64 offset,
                     GError **error)
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
          errno = n < 0 ? errno : ENOSPC;
          vg_frame_file_fail (self->part, error);
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

void *
vg_frame_file_alloc (gsize *room, GError **error)
{
  void *memory;

  *room = vg_align (*room, VG_FRAME_FILE_BLOCK);
  memory = aligned_alloc (VG_FRAME_FILE_BLOCK, *room);
  if (memory == NULL)
    {
      *room = 0;
      g_set_error_literal (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_MEMORY,
                           "there is not enough memory to record; close other programs");
    }
  return memory;
}

/* --- the part file --- */

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

char *
vg_raw_index_path (const char *path)
{
  return g_strconcat (path, VG_RAW_INDEX_SUFFIX, NULL);
}

/* The raw file PART has an index that consists of the line about the file alone.  An index that was
 * cut shorter says nothing of the frames. */
static gboolean
has_empty_index (const char *part)
{
  static const char begin[] = VG_RAW_INDEX_BEGIN;
  g_autofree char *path = vg_raw_index_path (part);
  FILE *index = fopen (path, "re");
  char text[FIRST_LINE];
  gsize n;

  if (index == NULL)
    return FALSE;
  n = fread (text, 1, sizeof text, index);
  fclose (index);
  return n < sizeof text && n >= sizeof begin && memcmp (text, begin, sizeof begin - 1) == 0 &&
         memchr (text, '\n', n) == text + n - 1;
}

static gboolean
has_no_frame (int fd, const char *part)
{
  /* the header that a TIFF begins with, and no link to a frame */
  static const char headers[2][8 + 1] = { "II\053\0\010\0\0\0", "MM\0\053\0\010\0\0" };
  const guint64 none = 0;
  char head[16];
  gssize n = pread (fd, head, sizeof head, 0);

  return n == 0 || has_empty_index (part) ||
         (n == sizeof head && memcmp (head, headers[G_BYTE_ORDER == G_BIG_ENDIAN], 8) == 0 &&
          memcmp (head + 8, &none, sizeof none) == 0);
}

/* While PART is locked, no other process makes an index of this name. */
static gboolean
remove_part (const char *part)
{
  g_autofree char *index = vg_raw_index_path (part);

  g_unlink (index);
  return g_unlink (part) == 0;
}

gboolean
vg_part_discard_empty (const char *part)
{
  int fd = open (part, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC); /* NFS locks only such */
  struct stat status;
  gboolean empty = fd >= 0 && fstat (fd, &status) == 0 && S_ISREG (status.st_mode) &&
                   status.st_uid == geteuid () && vg_file_lock (fd, FALSE) &&
                   has_no_frame (fd, part) && remove_part (part);

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
create_part (VgFrameFile *self, GError **error)
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

VgFrameFile *
vg_frame_file_new (const char *path, gboolean replace, const VgImageInfo *info, GError **error)
{
  g_autofree char *lower = g_ascii_strdown (path, -1);
  const VgFrameFileClass *class = g_str_has_suffix (lower, ".raw") ? &vg_raw_frames_class
                                                                   : &vg_raw_tiff_class;
  g_autoptr (VgFrameFile) self = g_malloc0 (class->bytes);

  self->class = class;
  self->info = *info;
  self->path = g_strdup (path);
  self->replaces = replace && g_file_test (path, G_FILE_TEST_EXISTS);
  self->fd = -1;
  if (vg_image_info_page_bytes (info) == 0)
    g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_WRITE,
                 "cannot write \"%s\": a page of %d x %d has no size", path, info->width,
                 info->height);
  else if (g_file_test (path, G_FILE_TEST_IS_DIR))
    g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_WRITE,
                 "cannot write \"%s\": it is a folder; choose another name", path);
  else if (create_part (self, error) && class->begin (self, error))
    return g_steal_pointer (&self);
  return NULL;
}

/* --- frames --- */

/* Writing to the disk begins at once, so that a later sync has little left to wait for. */
static void
begin_writing_out (VgFrameFile *self, guint64 from)
{
#ifdef SYNC_FILE_RANGE_WRITE
  sync_file_range (self->fd, (off64_t) from, (off64_t) (self->offset - from),
                   SYNC_FILE_RANGE_WRITE);
#endif
}

gboolean
vg_frame_file_add (VgFrameFile *self, const void *frame, const char *text, GError **error)
{
  const guint64 begin = self->offset;

  if (!self->class->add (self, frame, text, error))
    return FALSE;
  self->frames++;
  if (!self->is_direct)
    begin_writing_out (self, begin);
  return TRUE;
}

gboolean
vg_frame_file_set_last_text (VgFrameFile *self, const char *text, GError **error)
{
  set_direct (self, FALSE); /* a text is no block */
  return self->class->set_last_text (self, text, error);
}

gboolean
vg_frame_file_sync (VgFrameFile *self, GError **error)
{
  self->synced = self->offset;
  if (fdatasync (self->fd) == 0 && (self->class->sync == NULL || self->class->sync (self)))
    return TRUE;
  vg_frame_file_fail (self->part, error);
  return FALSE;
}

guint64
vg_frame_file_in_memory (const VgFrameFile *self)
{
  return self->is_direct ? 0 : self->offset - self->synced;
}

guint64
vg_frame_file_bytes (const VgFrameFile *self)
{
  return self->offset;
}

const char *
vg_frame_file_path (const VgFrameFile *self)
{
  return self->part;
}

/* --- the end --- */

static int
rename_part (const char *from, const char *to, gboolean replace)
{
  return replace ? g_rename (from, to) : vg_rename_to_free (from, to);
}

/* Moves the raw file PATH and its index, if there are any, out of the way.  *ASIDE, owned: where
 * they are; NULL: there was no file.  FALSE with a reason in errno: they are where they were. */
static gboolean
put_aside (const char *path, char **aside)
{
  g_autofree char *index = vg_raw_index_path (path);

  *aside = NULL;
  for (int i = 1; g_file_test (path, G_FILE_TEST_EXISTS); i++)
    {
      g_autofree char *old = part_name (path, ".old", i), *old_index = vg_raw_index_path (old);

      if (vg_rename_to_free (path, old) == 0)
        {
          if (g_file_test (index, G_FILE_TEST_IS_REGULAR))
            vg_rename_to_free (index, old_index);
          *aside = g_steal_pointer (&old);
          return TRUE;
        }
      if (errno != EEXIST || i == MOST_PARTS)
        return FALSE;
    }
  return TRUE;
}

/* Removes what was put ASIDE, or gives it back its name PATH. */
static void
end_aside (const char *aside, const char *path, gboolean remove)
{
  g_autofree char *index = vg_raw_index_path (path), *old_index = vg_raw_index_path (aside);

  if (remove)
    {
      g_unlink (aside);
      g_unlink (old_index);
      return;
    }
  vg_rename_to_free (old_index, index);
  vg_rename_to_free (aside, path);
}

/* An index goes first: without it nothing says what a raw file contains.  Old samples never have
 * the new index. */
static int
rename_with_index (const char *part, const char *to, gboolean replace)
{
  g_autofree char *from_index = vg_raw_index_path (part), *to_index = vg_raw_index_path (to),
                  *old = NULL;
  int status, code;

  if (!g_file_test (from_index, G_FILE_TEST_IS_REGULAR))
    return rename_part (part, to, replace);
  if (replace && !put_aside (to, &old))
    return -1;
  status = rename_part (from_index, to_index, replace);
  code = errno;
  if (status == 0)
    {
      status = rename_part (part, to, replace);
      code = errno;
      if (status != 0)
        g_rename (to_index, from_index);
    }
  if (old != NULL)
    end_aside (old, to, status == 0);
  errno = code;
  return status;
}

char *
vg_part_rename (const char *part, const char *path, gboolean replace, GError **error)
{
  for (int i = 1; i < MOST_PARTS; i++)
    {
      g_autofree char *to = part_name (path, "", i);

      if (rename_with_index (part, to, replace) == 0)
        return g_steal_pointer (&to);
      if (errno != EEXIST || replace)
        break;
    }
  g_set_error (
      error, VG_IO_ERROR, VG_IO_ERROR_WRITE,
      "cannot rename \"%s\" to \"%s\": %s; the recording is complete, so rename it by hand", part,
      path, g_strerror (errno));
  return NULL;
}

gboolean
vg_frame_file_commit (VgFrameFile *self, GError **error)
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
  status = ftruncate (self->fd, (off_t) self->offset) == 0 && fsync (self->fd) == 0 &&
                   (self->class->sync == NULL || self->class->sync (self))
               ? 0
               : -1;
  if (close (self->fd) != 0)
    status = -1;
  self->fd = -1;
  if (status != 0)
    {
      vg_frame_file_fail (self->part, error);
      return FALSE;
    }
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
vg_frame_file_free (VgFrameFile *self)
{
  if (!self)
    return;
  if (self->part && self->frames == 0)
    remove_part (self->part);
  if (self->fd >= 0)
    close (self->fd);
  self->class->clear (self);
  g_free (self->part);
  g_free (self->path);
  g_free (self);
}
