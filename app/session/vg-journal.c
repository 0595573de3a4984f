/* SPDX-License-Identifier: MIT */
/* NAME.lock holds the path of the session file, NAME.vivograph the text.  The lock file is created
 * first and deleted last, both under the lock. */
#include "app/session/vg-journal.h"
#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include "kernels/base/vg-error.h"
#include "io/write/vg-output-file.h"

#define PREFIX "unsaved-"
#define LOCK ".lock"
#define TEXT ".vivograph"
enum { MAX_PATH = 4096, MAX_LEFT = 16 };

struct _VgJournal
{
  char *lock, *text; /* names of the files */
  char *path;        /* of the session file; NULL: none */
  int lock_fd;
  gint64 time;
};

char *
vg_journal_folder (void)
{
  return g_build_filename (g_get_user_state_dir (), "vivograph", NULL);
}

static void
release (VgJournal *self)
{
  close (self->lock_fd); /* and so the lock */
  g_free (self->lock);
  g_free (self->text);
  g_free (self->path);
  g_free (self);
}

/* Whether FD is still the file at PATH: another program may have deleted it meanwhile. */
static gboolean
is_in_place (const char *path, int fd)
{
  struct stat named, open;

  return stat (path, &named) == 0 && fstat (fd, &open) == 0 && named.st_ino == open.st_ino &&
         named.st_dev == open.st_dev;
}

static VgJournal *
acquire (const char *lock, int flags)
{
  int fd = open (lock, flags | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0600);
  VgJournal *self;

  if (fd < 0)
    return NULL;
  if (flock (fd, LOCK_EX | LOCK_NB) != 0 || !is_in_place (lock, fd))
    {
      close (fd);
      return NULL;
    }
  self = g_new0 (VgJournal, 1);
  self->lock_fd = fd;
  self->lock = g_strdup (lock);
  self->text = g_strdup_printf ("%.*s" TEXT, (int) (strlen (lock) - strlen (LOCK)), lock);
  return self;
}

VgJournal *
vg_journal_new (const char *folder, GError **error)
{
  VgJournal *self = NULL;

  if (g_mkdir_with_parents (folder, 0700) != 0)
    {
      g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_WRITE, "cannot create the folder \"%s\": %s",
                   folder, g_strerror (errno));
      return NULL;
    }
  for (int i = 0; i < 100 && self == NULL; i++)
    {
      g_autofree char *name = g_strdup_printf (PREFIX "%08x" LOCK, g_random_int ()),
                      *lock = g_build_filename (folder, name, NULL);

      self = acquire (lock, O_CREAT | O_EXCL);
    }
  if (self == NULL)
    g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_WRITE, "cannot write to the folder \"%s\": %s",
                 folder, g_strerror (errno));
  return self;
}

gboolean
vg_journal_write (VgJournal *self, const char *text, const char *path, GError **error)
{
  gsize length = path != NULL ? strlen (path) : 0;

  if (g_strcmp0 (path, self->path) != 0)
    {
      g_free (self->path);
      self->path = g_strdup (path);
      if (ftruncate (self->lock_fd, 0) != 0 ||
          (length > 0 && pwrite (self->lock_fd, path, length, 0) != (gssize) length))
        g_debug ("%s: %s", self->lock, g_strerror (errno)); /* Save asks for the name again */
    }
  return vg_write_bytes (self->text, text, strlen (text), error);
}

void
vg_journal_clear (VgJournal *self)
{
  g_unlink (self->text);
}

void
vg_journal_free (VgJournal *self)
{
  if (self == NULL)
    return;
  g_unlink (self->text);
  g_unlink (self->lock);
  release (self);
}

void
vg_journal_leave (VgJournal *self)
{
  if (self != NULL)
    release (self);
}

static gint
newest_first (gconstpointer a, gconstpointer b)
{
  const VgJournal *p = *(VgJournal *const *) a, *q = *(VgJournal *const *) b;

  return (p->time < q->time) - (p->time > q->time);
}

/* FALSE: the journal is empty, so it is not offered. */
static gboolean
inspect (VgJournal *self)
{
  struct stat status;
  char path[MAX_PATH + 1];
  gssize n;

  if (lstat (self->text, &status) != 0 || !S_ISREG (status.st_mode) || status.st_size == 0)
    return FALSE;
  self->time = status.st_mtime;
  n = pread (self->lock_fd, path, MAX_PATH, 0);
  if (n > 0 && memchr (path, '\0', (gsize) n) == NULL)
    self->path = g_strndup (path, (gsize) n);
  return TRUE;
}

GPtrArray *
vg_journal_find_left (const char *folder)
{
  GPtrArray *left = g_ptr_array_new_with_free_func ((GDestroyNotify) vg_journal_leave);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && left->len < MAX_LEFT && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *lock = g_build_filename (folder, name, NULL);
      VgJournal *found = g_str_has_prefix (name, PREFIX) && g_str_has_suffix (name, LOCK)
                             ? acquire (lock, 0)
                             : NULL;

      if (found == NULL)
        continue;
      if (inspect (found))
        g_ptr_array_add (left, found);
      else
        vg_journal_free (found);
    }
  g_ptr_array_sort (left, newest_first);
  return left;
}

const char *
vg_journal_get_file (VgJournal *self)
{
  return self->text;
}

const char *
vg_journal_get_path (VgJournal *self)
{
  return self->path;
}

gint64
vg_journal_get_time (VgJournal *self)
{
  return self->time;
}
