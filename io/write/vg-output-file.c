/* SPDX-License-Identifier: MIT */
/* Files that appear complete or not at all. */
#include "io/write/vg-output-file.h"
#include "kernels/base/vg-error.h"
#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>
#include <zlib.h>

struct _VgOutputFile
{
  char *path, *temporary;
  /* of the temporary file; holds its lock.  Others may close a descriptor of this file and miss an
   * error, but flushing this one reports it. */
  int fd;
  GSList link; /* in the list of all */
};

/* All output files of this process, which vg_output_files_give_up discards.  No function
 * allocates memory while it holds the lock. */
static GMutex all_lock;
static GSList *all;

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

gboolean
vg_file_lock (int fd, gboolean wait)
{
  static const guint32 windows[] = { 0x517b, 0xff534d42, 0xfe534d42 };
  struct statfs disk;

  if (fstatfs (fd, &disk) != 0)
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (windows); i++)
    if ((guint32) disk.f_type == windows[i])
      return FALSE;
  while (flock (fd, LOCK_EX | (wait ? 0 : LOCK_NB)) != 0)
    if (errno != EINTR)
      return FALSE;
  return TRUE;
}

/* TRUE: PATTERN is asked for the first time in this process, or for the first time since many. */
static gboolean
is_first (const char *pattern)
{
  enum { MOST = 1000 };
  static GMutex lock;
  static GHashTable *seen;
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&lock);

  if (seen == NULL)
    seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  if (g_hash_table_size (seen) >= MOST)
    g_hash_table_remove_all (seen);
  return g_hash_table_add (seen, g_strdup (pattern));
}

/* Removes the temporary files in FOLDER that begin with PREFIX and whose processes have ended. */
static void
sweep (const char *folder, const char *prefix)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      struct stat status;
      int fd;

      if (!g_str_has_prefix (name, prefix) || strlen (name) != strlen (prefix) + 6 ||
          lstat (path, &status) != 0 || !S_ISREG (status.st_mode) || status.st_uid != geteuid ())
        continue;
      fd = open (path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC); /* NFS locks only such */
      if (fd >= 0 && vg_file_lock (fd, FALSE))
        g_unlink (path);
      if (fd >= 0)
        close (fd);
    }
}

/* Creates a file named by PATTERN and locks it.  Another process may sweep the file before it is
 * locked; then another is created.  -1: it cannot be created, with the reason in errno. */
static int
make_temporary (char *pattern)
{
  const gsize end = strlen (pattern) - 6;

  for (;;)
    {
      struct stat status;
      int fd;

      memset (pattern + end, 'X', 6);
      fd = g_mkstemp_full (pattern, O_RDWR | O_CLOEXEC, 0666);
      if (fd < 0)
        return -1;
      vg_file_lock (fd, TRUE); /* waits for a sweep, which is short */
      if (fstat (fd, &status) != 0 || status.st_nlink > 0)
        return fd;
      close (fd);
    }
}

VgOutputFile *
vg_output_file_new (const char *path, GError **error)
{
  g_autofree char *base = g_path_get_basename (path);

  return vg_output_file_new_as (path, base, error);
}

VgOutputFile *
vg_output_file_new_as (const char *path, const char *base, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (path);
  /* with the computer's name, because another one may not see the locks of this one */
  g_autofree char *prefix = g_strdup_printf (".%.200s.vivograph-%08x-", base,
                                             g_str_hash (g_get_host_name ()));
  g_autofree char *pattern = g_strdup_printf ("%s/%sXXXXXX", folder, prefix);
  VgOutputFile *self;
  int fd;

  if (g_file_test (path, G_FILE_TEST_IS_DIR))
    {
      set_write_error (error, path, EISDIR);
      return NULL;
    }
  if (is_first (pattern))
    sweep (folder, prefix);
  fd = make_temporary (pattern);
  if (fd < 0)
    {
      set_write_error (error, path, errno);
      return NULL;
    }
  self = g_new0 (VgOutputFile, 1);
  self->fd = fd;
  self->path = g_strdup (path);
  self->temporary = g_steal_pointer (&pattern);
  self->link.data = self;
  g_mutex_lock (&all_lock);
  all = g_slist_concat (&self->link, all);
  g_mutex_unlock (&all_lock);
  return self;
}

const char *
vg_output_file_temporary (VgOutputFile *self)
{
  return self->temporary;
}

int
vg_rename_to_free (const char *from, const char *to)
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

static gboolean
commit (VgOutputFile *self, int (*move) (const char *from, const char *to), gboolean *exists,
        GError **error)
{
  *exists = FALSE;
  if (fsync (self->fd) != 0 || move (self->temporary, self->path) != 0)
    {
      *exists = errno == EEXIST;
      set_write_error (error, self->path, errno);
      return FALSE;
    }
  g_mutex_lock (&all_lock);
  g_clear_pointer (&self->temporary, g_free);
  g_mutex_unlock (&all_lock);
  sync_folder (self->path);
  return TRUE;
}

gboolean
vg_output_file_commit (VgOutputFile *self, GError **error)
{
  gboolean exists;

  return commit (self, g_rename, &exists, error);
}

gboolean
vg_output_file_commit_new (VgOutputFile *self, gboolean *exists, GError **error)
{
  return commit (self, vg_rename_to_free, exists, error);
}

void
vg_output_files_give_up (void)
{
  g_mutex_lock (&all_lock);
  for (GSList *l = all; l != NULL; l = l->next)
    {
      VgOutputFile *self = l->data;

      if (self->temporary)
        g_unlink (self->temporary);
    }
  g_mutex_unlock (&all_lock);
}

void
vg_output_file_free (VgOutputFile *self)
{
  if (!self)
    return;
  if (self->temporary)
    g_unlink (self->temporary);
  g_mutex_lock (&all_lock);
  all = g_slist_remove_link (all, &self->link);
  g_mutex_unlock (&all_lock);
  close (self->fd);
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

  if (!output)
    return FALSE;
  while (done < length)
    {
      gssize n = write (output->fd, (const char *) bytes + done, length - done);

      if (n < 0 && errno != EINTR)
        {
          set_write_error (error, path, errno);
          return FALSE;
        }
      done += (gsize) MAX (n, 0);
    }
  return vg_output_file_commit (output, error);
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
