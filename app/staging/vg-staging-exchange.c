/* SPDX-License-Identifier: MIT */
/* Exchanges a folder that holds nothing but results for the new one in one step of the file system,
 * so that old and new results are never mixed. */
#include "app/staging/vg-staging-private.h"
#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>
#include "kernels/base/vg-error.h"
#include "app/staging/vg-manifest.h"

enum { MOST_ENTRIES = 10000 };

/* Whether a new folder can take the place of PATH: it belongs to this user, has no access list and
 * is not the current folder. */
static gboolean
is_plain_folder (const char *path, struct stat *status)
{
  struct stat here;

  if (lstat (path, status) != 0 || !S_ISDIR (status->st_mode) || status->st_uid != geteuid ())
    return FALSE;
  if (stat (".", &here) == 0 && here.st_ino == status->st_ino && here.st_dev == status->st_dev)
    return FALSE;
  return getxattr (path, "system.posix_acl_access", NULL, 0) <= 0 &&
         getxattr (path, "system.posix_acl_default", NULL, 0) <= 0;
}

/* Links the earlier results OURS that stay from OLD into NEW.  PREFIX precedes their names.  FALSE:
 * OLD has other files. */
static gboolean
bring_along (VgStaging *self, const char *old, const char *new, const char *prefix,
             GHashTable *ours, guint *entries)
{
  g_autoptr (GDir) dir = g_dir_open (old, 0, NULL);
  const char *name;
  gboolean good = dir != NULL;

  while (good && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *from = g_build_filename (old, name, NULL),
                      *to = g_build_filename (new, name, NULL);
      g_autofree char *relative = g_strconcat (prefix, name, NULL),
                      *deeper = g_strconcat (relative, "/", NULL);
      struct stat status, other;

      if (*prefix == '\0' && g_str_has_prefix (name, VG_STAGING_PREFIX))
        continue;
      good = ++*entries < MOST_ENTRIES && lstat (from, &status) == 0;
      if (!good)
        break;
      if (S_ISDIR (status.st_mode))
        {
          good = g_str_has_prefix (name, "run-") && is_plain_folder (from, &status) &&
                 (g_mkdir (to, 0777) == 0 || errno == EEXIST) &&
                 chmod (to, status.st_mode & 07777) == 0 &&
                 bring_along (self, from, to, deeper, ours, entries);
          g_rmdir (to); /* where nothing stays */
        }
      else if (S_ISREG (status.st_mode) && g_hash_table_contains (self->leaving, relative))
        continue;
      else if (lstat (to, &other) != 0)
        good = S_ISREG (status.st_mode) && g_hash_table_contains (ours, relative) &&
               link (from, to) == 0;
    }
  return good;
}

/* Gives PATH the mode and group of the old folder. */
static gboolean
look_alike (const char *path, const struct stat *status)
{
  struct stat own;

  if (stat (path, &own) != 0)
    return FALSE;
  return (own.st_gid == status->st_gid || chown (path, (uid_t) -1, status->st_gid) == 0) &&
         chmod (path, status->st_mode & 07777) == 0;
}

static void
sync_path (const char *path)
{
  int fd = open (path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

  if (fd < 0)
    return;
  fsync (fd);
  close (fd);
}

VgExchange
vg_staging_exchange (VgStaging *self, GError **error)
{
  g_autofree char *real = realpath (self->folder, NULL),
                  *fresh = g_build_filename (self->hidden, "new", NULL);
  g_autoptr (GHashTable) ours = vg_manifest_names (self->folder);
  g_autofree char *parent = NULL, *base = NULL, *beside = NULL, *name = NULL;
  struct stat status;
  guint entries = 0;

  if (real == NULL || !is_plain_folder (real, &status) ||
      !bring_along (self, real, fresh, "", ours, &entries) || !look_alike (fresh, &status))
    return VG_EXCHANGE_UNFIT;
  parent = g_path_get_dirname (real);
  base = g_path_get_basename (real);
  name = g_strdup_printf (".%s%s%s", base, VG_STAGING_PREFIX, strrchr (self->hidden, '-') + 1);
  beside = g_build_filename (parent, name, NULL);
  sync_path (fresh);
  if (g_file_test (beside, G_FILE_TEST_EXISTS) || g_rename (fresh, beside) != 0)
    return VG_EXCHANGE_UNFIT;
  if (renameat2 (AT_FDCWD, beside, AT_FDCWD, real, RENAME_EXCHANGE) != 0)
    {
      if (g_rename (beside, fresh) == 0)
        return VG_EXCHANGE_UNFIT;
      vg_staging_remove_tree (beside);
      g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_WRITE,
                   "cannot write \"%s\": %s; choose another folder", self->folder,
                   g_strerror (errno));
      return VG_EXCHANGE_FAILED;
    }
  sync_path (parent);
  vg_staging_rescue (beside, real);
  g_free (self->hidden);
  self->hidden = g_steal_pointer (&beside);
  return VG_EXCHANGE_DONE;
}
