/* SPDX-License-Identifier: MIT */
/* Files that appear complete or not at all. */
#include "io/write/vg-output-file.h"
#include "kernels/base/vg-error.h"
#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

struct _VgOutputFile
{
  char *path, *temporary;
};

static void
set_write_error (GError **error, const char *path, int code)
{
  const char *advice = code == ENOSPC || code == EDQUOT || code == EFBIG
                           ? "; free some space, or choose another folder"
                       : code == EACCES || code == EROFS || code == EPERM
                           ? "; choose a folder that you can write to"
                       : code == ENOENT ? "; create the folder first"
                                        : "";
  g_autofree char *name = g_filename_display_name (path);

  g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_WRITE, "cannot write \"%s\": %s%s", name,
               g_strerror (code), advice);
}

/* Flushes the folder, so that the rename reaches the disk too; some file systems cannot, which is
 * no error. */
static void
sync_folder (const char *path)
{
  g_autofree char *folder = g_path_get_dirname (path);
  int fd = open (folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

  if (fd < 0)
    return;
  fsync (fd);
  close (fd);
}

VgOutputFile *
vg_output_file_new (const char *path, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *base = g_path_get_basename (path);
  g_autofree char *pattern = g_strdup_printf ("%s/.%.200s.XXXXXX", folder, base);
  VgOutputFile *self;
  int fd;

  if (g_file_test (path, G_FILE_TEST_IS_DIR))
    {
      set_write_error (error, path, EISDIR);
      return NULL;
    }
  fd = g_mkstemp_full (pattern, O_RDWR | O_CLOEXEC, 0666);
  if (fd < 0)
    {
      set_write_error (error, path, errno);
      return NULL;
    }
  close (fd);
  self = g_new0 (VgOutputFile, 1);
  self->path = g_strdup (path);
  self->temporary = g_steal_pointer (&pattern);
  return self;
}

const char *
vg_output_file_temporary (VgOutputFile *self)
{
  return self->temporary;
}

gboolean
vg_output_file_commit (VgOutputFile *self, GError **error)
{
  int fd = open (self->temporary, O_RDONLY | O_CLOEXEC);
  gboolean good = fd >= 0 && fsync (fd) == 0;
  int code = errno;

  if (fd >= 0)
    close (fd);
  if (good && g_rename (self->temporary, self->path) != 0)
    {
      code = errno;
      good = FALSE;
    }
  if (!good)
    {
      set_write_error (error, self->path, code);
      return FALSE;
    }
  g_clear_pointer (&self->temporary, g_free);
  sync_folder (self->path);
  return TRUE;
}

void
vg_output_file_free (VgOutputFile *self)
{
  if (!self)
    return;
  if (self->temporary)
    g_unlink (self->temporary);
  g_free (self->temporary);
  g_free (self->path);
  g_free (self);
}

struct _VgTextFile
{
  VgOutputFile *output;
  gzFile stream;
};

/* zlib sets no errno when memory is short. */
static gboolean
fail_text (VgTextFile *self, GError **error)
{
  set_write_error (error, self->output->path, errno != 0 ? errno : ENOMEM);
  return FALSE;
}

VgTextFile *
vg_text_file_new (const char *path, gboolean gzip, GError **error)
{
  g_autoptr (VgTextFile) self = g_new0 (VgTextFile, 1);

  self->output = vg_output_file_new (path, error);
  if (self->output == NULL)
    return NULL;
  errno = 0;
  self->stream = gzopen (self->output->temporary, gzip ? "wbe" : "wbeT");
  if (self->stream != NULL)
    return g_steal_pointer (&self);
  fail_text (self, error);
  return NULL;
}

void
vg_text_file_set_fast (VgTextFile *self)
{
  gzsetparams (self->stream, 1, Z_DEFAULT_STRATEGY);
}

gboolean
vg_text_file_begin_gzip (VgTextFile *self, GError **error)
{
  errno = 0;
  if (gzclose (g_steal_pointer (&self->stream)) == Z_OK)
    self->stream = gzopen (self->output->temporary, "abe");
  return self->stream != NULL || fail_text (self, error);
}

gboolean
vg_text_file_add (VgTextFile *self, const char *text, gsize length, GError **error)
{
  while (length > 0)
    {
      uInt n = (uInt) MIN (length, G_MAXINT / 2);

      errno = 0;
      if (gzwrite (self->stream, text, n) != (int) n)
        return fail_text (self, error);
      text += n;
      length -= n;
    }
  return TRUE;
}

gboolean
vg_text_file_commit (VgTextFile *self, GError **error)
{
  errno = 0;
  if (gzclose (g_steal_pointer (&self->stream)) != Z_OK)
    return fail_text (self, error);
  return vg_output_file_commit (self->output, error);
}

void
vg_text_file_free (VgTextFile *self)
{
  if (!self)
    return;
  if (self->stream)
    gzclose (self->stream);
  vg_output_file_free (self->output);
  g_free (self);
}

gboolean
vg_write_bytes (const char *path, const void *bytes, gsize length, GError **error)
{
  g_autoptr (VgOutputFile) output = vg_output_file_new (path, error);
  gsize done = 0;
  int fd, code = 0;

  if (!output)
    return FALSE;
  fd = open (output->temporary, O_WRONLY | O_CLOEXEC);
  if (fd < 0)
    code = errno;
  while (code == 0 && done < length)
    {
      gssize n = write (fd, (const char *) bytes + done, length - done);

      if (n < 0 && errno != EINTR)
        code = errno;
      else if (n > 0)
        done += (gsize) n;
    }
  if (fd >= 0 && close (fd) != 0 && code == 0)
    code = errno;
  if (code == 0)
    return vg_output_file_commit (output, error);
  set_write_error (error, path, code);
  return FALSE;
}

gboolean
vg_file_checksum (const char *path, guint64 *bytes, guint32 *checksum, GError **error)
{
  int fd = open (path, O_RDONLY | O_CLOEXEC);
  guint8 piece[32768];
  gssize n = -1;

  *bytes = 0;
  *checksum = (guint32) crc32 (0, NULL, 0);
  while (fd >= 0 && ((n = read (fd, piece, sizeof piece)) > 0 || (n < 0 && errno == EINTR)))
    if (n > 0)
      {
        *checksum = (guint32) crc32 (*checksum, piece, (uInt) n);
        *bytes += (guint64) n;
      }
  if (n < 0)
    {
      g_autofree char *name = g_filename_display_name (path);

      g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_WRITE,
                   "\"%s\" could not be read back after it was written: %s; check the disk, or "
                   "choose another folder",
                   name, g_strerror (errno));
    }
  if (fd >= 0)
    close (fd);
  return n == 0;
}
