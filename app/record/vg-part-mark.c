/* SPDX-License-Identifier: MIT */
/* A mark is a file of two lines: where the recording is, and what it is to be called. */
#include "app/record/vg-part-mark.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include "io/write/vg-raw-tiff.h"

#define PREFIX "recording-"
enum { MOST_BYTES = 2 * 4096 + 2, MOST_LEFT = 16 };

struct _VgPartMark
{
  char *mark, *part, *path;
  int fd;
};

static char *
find_folder (void)
{
  return g_build_filename (g_get_user_state_dir (), "vivograph", "recordings", NULL);
}

void
vg_part_mark_leave (VgPartMark *self)
{
  if (!self)
    return;
  close (self->fd); /* and so the lock */
  g_free (self->mark);
  g_free (self->part);
  g_free (self->path);
  g_free (self);
}

void
vg_part_mark_free (VgPartMark *self)
{
  if (self)
    g_unlink (self->mark);
  vg_part_mark_leave (self);
}

/* Both as they are found from any folder. */
static char *
make_absolute (const char *path)
{
  return g_canonicalize_filename (path, NULL);
}

VgPartMark *
vg_part_mark_new (const char *part, const char *path)
{
  g_autofree char *folder = find_folder (), *text = NULL;
  VgPartMark *self;

  if (g_mkdir_with_parents (folder, 0700) != 0)
    return NULL;
  self = g_new0 (VgPartMark, 1);
  self->mark = g_build_filename (folder, PREFIX "XXXXXX", NULL);
  self->part = make_absolute (part);
  self->path = make_absolute (path);
  self->fd = g_mkstemp_full (self->mark, O_RDWR | O_CLOEXEC, 0600);
  text = g_strdup_printf ("%s\n%s\n", self->part, self->path);
  if (self->fd >= 0 && flock (self->fd, LOCK_EX | LOCK_NB) == 0 &&
      strpbrk (self->part, "\n") == NULL && strpbrk (self->path, "\n") == NULL &&
      write (self->fd, text, strlen (text)) == (gssize) strlen (text))
    return self;
  vg_part_mark_free (self);
  return NULL;
}

/* NULL: its program is alive, or it is none. */
static VgPartMark *
take_left (const char *mark)
{
  char text[MOST_BYTES + 1];
  int fd = open (mark, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  struct stat status;
  char *middle, *end;
  VgPartMark *self;
  gssize n;

  if (fd < 0)
    return NULL;
  if (fstat (fd, &status) != 0 || !S_ISREG (status.st_mode) || flock (fd, LOCK_EX | LOCK_NB) != 0 ||
      g_access (mark, F_OK) != 0 || (n = pread (fd, text, MOST_BYTES, 0)) < 0)
    {
      close (fd);
      return NULL;
    }
  text[n] = '\0';
  middle = strchr (text, '\n');
  end = middle ? strchr (middle + 1, '\n') : NULL;
  self = g_new0 (VgPartMark, 1);
  self->fd = fd;
  self->mark = g_strdup (mark);
  self->part = middle ? g_strndup (text, (gsize) (middle - text)) : g_strdup ("");
  self->path = end ? g_strndup (middle + 1, (gsize) (end - middle - 1)) : g_strdup ("");
  if (g_path_is_absolute (self->path) && g_path_is_absolute (self->part) &&
      g_file_test (self->part, G_FILE_TEST_IS_REGULAR))
    return self;
  vg_part_mark_free (self); /* nothing is left of it */
  return NULL;
}

GPtrArray *
vg_part_mark_find_left (void)
{
  GPtrArray *left = g_ptr_array_new_with_free_func ((GDestroyNotify) vg_part_mark_leave);
  g_autofree char *folder = find_folder ();
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir && left->len < MOST_LEFT && (name = g_dir_read_name (dir)))
    {
      g_autofree char *mark = g_build_filename (folder, name, NULL);
      VgPartMark *found = g_str_has_prefix (name, PREFIX) ? take_left (mark) : NULL;

      if (found)
        g_ptr_array_add (left, found);
    }
  return left;
}

const char *
vg_part_mark_get_part (const VgPartMark *self)
{
  return self->part;
}

char *
vg_part_mark_keep (VgPartMark *self, GError **error)
{
  return vg_part_rename (self->part, self->path, FALSE, error);
}

gboolean
vg_part_mark_discard (VgPartMark *self, GError **error)
{
  g_autoptr (GFile) file = g_file_new_for_path (self->part);

  return g_file_trash (file, NULL, error);
}
