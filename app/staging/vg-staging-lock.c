/* SPDX-License-Identifier: MIT */
/* Locks a folder, and cleans up after processes that were killed. */
#include "app/staging/vg-staging-private.h"
#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include "app/staging/vg-manifest.h"

int
vg_staging_lock (const char *path, gboolean *busy)
{
  struct stat mine, named;

  *busy = FALSE;
  for (;;)
    {
      int fd = open (path, O_RDONLY | O_DIRECTORY |
                               O_NOFOLLOW * (strstr (path, VG_STAGING_PREFIX) != NULL) | O_CLOEXEC);

      if (fd < 0)
        return -1;
      if (flock (fd, LOCK_EX | LOCK_NB) != 0)
        {
          *busy = errno == EWOULDBLOCK;
          close (fd);
          return -1;
        }
      /* it may have been exchanged for another one meanwhile */
      if (fstat (fd, &mine) == 0 && stat (path, &named) == 0 && mine.st_ino == named.st_ino &&
          mine.st_dev == named.st_dev)
        return fd;
      close (fd);
    }
}

void
vg_staging_remove_tree (const char *path)
{
  GDir *dir = g_dir_open (path, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *child = g_build_filename (path, name, NULL);

      if (g_file_test (child, G_FILE_TEST_IS_DIR) && !g_file_test (child, G_FILE_TEST_IS_SYMLINK))
        vg_staging_remove_tree (child);
      else
        g_unlink (child);
    }
  g_clear_pointer (&dir, g_dir_close);
  g_rmdir (path);
}

static gboolean
exists (const char *path)
{
  GStatBuf status;

  return g_lstat (path, &status) == 0;
}

/* Whether NAME stays inside the folder.  This program writes no other names. */
static gboolean
is_inside (const char *name)
{
  g_auto (GStrv) parts = g_strsplit (name, "/", -1);

  return *name != '\0' && *name != '/' && !g_strv_contains ((const char *const *) parts, "..");
}

/* Moves a file back; the folder of its run may have been removed. */
static gboolean
move_back (const char *old, const char *target)
{
  g_autofree char *parent = g_path_get_dirname (target);

  return g_mkdir_with_parents (parent, 0777) == 0 && g_rename (old, target) == 0;
}

gboolean
vg_staging_restore (const char *folder, const char *hidden)
{
  g_autofree char *list = g_build_filename (hidden, "names", NULL), *text = NULL;
  gsize length = 0;
  gboolean all = TRUE;

  if (!g_file_get_contents (list, &text, &length, NULL))
    return TRUE;
  for (const char *name = text; name < text + length; name += strlen (name) + 1)
    {
      g_autofree char *target = g_build_filename (folder, name, NULL),
                      *old = g_build_filename (hidden, "old", name, NULL);
      g_autofree char *fresh = g_build_filename (hidden, "new", name, NULL);

      if (!is_inside (name))
        continue;
      if (exists (old))
        all = move_back (old, target) && all;
      else if (!exists (fresh))
        all = (g_unlink (target) == 0 || errno == ENOENT) && all;
    }
  if (all)
    g_unlink (list);
  return all;
}

/* Moves files from OLD to FOLDER, except NAMES below PREFIX, which the new results replace. */
static void
rescue_from (const char *old, const char *folder, const char *prefix, GHashTable *names)
{
  g_autoptr (GDir) dir = g_dir_open (old, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *from = g_build_filename (old, name, NULL),
                      *to = g_build_filename (folder, name, NULL);
      g_autofree char *relative = g_strconcat (prefix, name, NULL),
                      *deeper = g_strconcat (relative, "/", NULL);

      if (g_str_has_prefix (name, VG_STAGING_PREFIX) || g_hash_table_contains (names, relative))
        continue;
      if (g_file_test (from, G_FILE_TEST_IS_DIR) && !g_file_test (from, G_FILE_TEST_IS_SYMLINK))
        {
          if (g_file_test (to, G_FILE_TEST_IS_DIR) ||
              (!exists (to) && g_str_has_prefix (name, "run-") && g_mkdir (to, 0777) == 0))
            rescue_from (from, to, deeper, names);
          else if (!exists (to))
            g_rename (from, to);
          g_rmdir (to); /* nothing was to be rescued */
        }
      else if (!exists (to))
        g_rename (from, to);
    }
}

void
vg_staging_rescue (const char *old, const char *folder)
{
  g_autoptr (GHashTable) names = vg_manifest_names (old);

  rescue_from (old, folder, "", names);
}

/* Whether PATH is the old folder of an exchange: it still contains a staging folder. */
static gboolean
was_exchanged (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_prefix (name, VG_STAGING_PREFIX))
      return TRUE;
  return FALSE;
}

/* Cleans up the staging folders of FOLDER in IN, whose names are PREFIX and six characters. */
static void
sweep_in (const char *in, const char *prefix, const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (in, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (in, name, NULL);
      gboolean busy;
      GStatBuf status;
      int lock;

      if (!g_str_has_prefix (name, prefix) || strlen (name) != strlen (prefix) + 6 ||
          g_lstat (path, &status) != 0 || !S_ISDIR (status.st_mode) || status.st_uid != geteuid ())
        continue;
      lock = vg_staging_lock (path, &busy);
      if (busy)
        continue;
      if (was_exchanged (path))
        vg_staging_rescue (path, folder);
      if (vg_staging_restore (folder, path))
        vg_staging_remove_tree (path);
      if (lock >= 0)
        close (lock);
    }
}

void
vg_staging_sweep (const char *folder)
{
  g_autofree char *real = realpath (folder, NULL), *parent = NULL, *base = NULL, *prefix = NULL;

  sweep_in (folder, VG_STAGING_PREFIX, folder);
  if (real == NULL)
    return;
  parent = g_path_get_dirname (real);
  base = g_path_get_basename (real);
  prefix = g_strconcat (".", base, VG_STAGING_PREFIX, NULL);
  sweep_in (parent, prefix, folder);
}
