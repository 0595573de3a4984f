/* SPDX-License-Identifier: MIT */
/* Results are written into a hidden folder inside the final one, so that a move is a rename. */
#include "app/staging/vg-staging-private.h"
#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>
#include "kernels/base/vg-error.h"
#include "app/staging/vg-manifest.h"
#include "io/source/vg-source.h"
#include "io/write/vg-output-file.h"

enum { MOST_NAMED = 5 }; /* files in the text of vg_staging_list_unlisted */

/* All staging folders of this process, which vg_staging_give_up discards. */
static GMutex all_lock;
static GSList *all;

static void
set_write_error (GError **error, const char *what, const char *path, int code)
{
  g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_WRITE, "%s \"%s\": %s; choose another folder", what,
               path, g_strerror (code));
}

VgStaging *
vg_staging_new (const char *folder, GError **error)
{
  g_autoptr (VgStaging) self = g_new0 (VgStaging, 1);
  g_autofree char *fresh = NULL;
  gboolean busy;

  self->lock = self->hidden_lock = -1;
  g_mutex_lock (&all_lock);
  all = g_slist_prepend (all, self);
  g_mutex_unlock (&all_lock);
  self->folder = g_strdup (folder);
  self->names = g_ptr_array_new_with_free_func (g_free);
  self->protected = g_ptr_array_new_with_free_func (g_free);
  self->unlisted = g_ptr_array_new_with_free_func (g_free);
  self->existing = g_strdup (folder);
  while (!g_file_test (self->existing, G_FILE_TEST_EXISTS) && strcmp (self->existing, ".") != 0)
    {
      g_autofree char *child = self->existing;

      self->existing = g_path_get_dirname (child);
    }
  if (g_mkdir_with_parents (folder, 0777) != 0)
    {
      set_write_error (error, "cannot create the folder", folder, errno);
      return NULL;
    }
  self->lock = vg_staging_lock (folder, &busy);
  if (busy)
    {
      g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_WRITE,
                   "another run is writing to \"%s\"; wait until it ends, or choose another folder",
                   folder);
      return NULL;
    }
  vg_staging_sweep (folder);
  self->leaving = vg_manifest_names (folder);
  self->hidden = g_build_filename (folder, VG_STAGING_PREFIX "XXXXXX", NULL);
  if (g_mkdtemp (self->hidden) == NULL)
    {
      set_write_error (error, "cannot write to the folder", folder, errno);
      g_clear_pointer (&self->hidden, g_free);
      return NULL;
    }
  self->hidden_lock = vg_staging_lock (self->hidden, &busy);
  fresh = g_build_filename (self->hidden, "new", NULL);
  if (g_mkdir (fresh, 0777) != 0)
    {
      set_write_error (error, "cannot write to the folder", folder, errno);
      return NULL;
    }
  return g_steal_pointer (&self);
}

void
vg_staging_protect (VgStaging *self, const char *path)
{
  g_autofree char *options = NULL;

  g_ptr_array_add (self->protected, vg_source_split_path (path, NULL, &options));
}

/* The protected input that the result NAME would replace, or NULL.  A symbolic link is replaced
 * itself, so its target is safe. */
static const char *
find_protected (VgStaging *self, const char *name)
{
  g_autofree char *target = g_build_filename (self->folder, name, NULL);
  GStatBuf there, input;

  if (g_lstat (target, &there) != 0)
    return NULL;
  for (guint i = 0; i < self->protected->len; i++)
    if (g_stat (self->protected->pdata[i], &input) == 0 && input.st_ino == there.st_ino &&
        input.st_dev == there.st_dev)
      return self->protected->pdata[i];
  return NULL;
}

/* A symbolic link exists even if its target does not. */
static gboolean
exists (VgStaging *self, const char *name)
{
  g_autofree char *target = g_build_filename (self->folder, name, NULL);
  GStatBuf status;

  return g_lstat (target, &status) == 0;
}

char *
vg_staging_path (VgStaging *self, const char *name, GError **error)
{
  g_autofree char *path = g_build_filename (self->hidden, "new", name, NULL);
  g_autofree char *parent = g_path_get_dirname (path);
  const char *input = find_protected (self, name);

  if (input != NULL)
    {
      g_set_error (error, VG_USAGE_ERROR, 0,
                   "the result \"%s/%s\" would replace the input \"%s\"; choose another folder",
                   self->folder, name, input);
      return NULL;
    }
  if (g_mkdir_with_parents (parent, 0777) != 0)
    {
      set_write_error (error, "cannot create the folder", parent, errno);
      return NULL;
    }
  if (!g_ptr_array_find_with_equal_func (self->names, name, g_str_equal, NULL))
    {
      if (!g_hash_table_remove (self->leaving, name) && exists (self, name))
        g_ptr_array_add (self->unlisted, g_strdup (name));
      g_ptr_array_add (self->names, g_strdup (name));
    }
  return g_steal_pointer (&path);
}

void
vg_staging_discard (VgStaging *self, const char *name)
{
  g_autofree char *path = g_build_filename (self->hidden, "new", name, NULL);
  guint i;

  if (!g_ptr_array_find_with_equal_func (self->names, name, g_str_equal, &i))
    return;
  g_unlink (path);
  g_ptr_array_remove_index (self->names, i);
  if (g_ptr_array_find_with_equal_func (self->unlisted, name, g_str_equal, &i))
    g_ptr_array_remove_index (self->unlisted, i);
  else if (exists (self, name))
    g_hash_table_add (self->leaving, g_strdup (name));
}

char *
vg_staging_list_unlisted (VgStaging *self)
{
  GString *text = g_string_new (NULL);
  guint n = self->unlisted->len, named = MIN (n, MOST_NAMED);

  for (guint i = 0; i < named; i++)
    g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", (char *) self->unlisted->pdata[i]);
  if (n > named)
    g_string_append_printf (text, " and %u other%s", n - named, n - named > 1 ? "s" : "");
  return g_string_free (text, n == 0);
}

gboolean
vg_staging_is_old (VgStaging *self, const char *name)
{
  return !g_ptr_array_find_with_equal_func (self->names, name, g_str_equal, NULL) &&
         !g_hash_table_contains (self->leaving, name) && exists (self, name);
}

gboolean
vg_staging_check_space (VgStaging *self, guint64 bytes, GError **error)
{
  g_autoptr (GFile) file = g_file_new_for_path (self->hidden);
  g_autoptr (GFileInfo)
      info = g_file_query_filesystem_info (file, G_FILE_ATTRIBUTE_FILESYSTEM_FREE, NULL, NULL);
  g_autofree char *need = NULL, *left = NULL;
  guint64 available;

  if (info == NULL || !g_file_info_has_attribute (info, G_FILE_ATTRIBUTE_FILESYSTEM_FREE))
    return TRUE;
  available = g_file_info_get_attribute_uint64 (info, G_FILE_ATTRIBUTE_FILESYSTEM_FREE);
  if (bytes <= available)
    return TRUE;
  need = g_format_size_full (bytes, G_FORMAT_SIZE_IEC_UNITS);
  left = g_format_size_full (available, G_FORMAT_SIZE_IEC_UNITS);
  g_set_error (
      error, VG_IO_ERROR, VG_IO_ERROR_WRITE,
      "the results may take %s, but the disk of \"%s\" has only %s left; choose another folder",
      need, self->folder, left);
  return FALSE;
}

const GPtrArray *
vg_staging_get_names (VgStaging *self)
{
  return self->names;
}

/* Checks for obstacles that would stop the renames halfway. */
static gboolean
check_targets (VgStaging *self, GError **error)
{
  for (guint i = 0; i < self->names->len; i++)
    {
      g_autofree char *target = g_build_filename (self->folder, self->names->pdata[i], NULL);
      g_autofree char *parent = g_path_get_dirname (target);

      if (g_file_test (target, G_FILE_TEST_IS_DIR))
        {
          set_write_error (error, "cannot replace the folder", target, EISDIR);
          return FALSE;
        }
      if (g_mkdir_with_parents (parent, 0777) != 0)
        {
          set_write_error (error, "cannot create the folder", parent, errno);
          return FALSE;
        }
    }
  return TRUE;
}

static gboolean
is_summary (const char *name)
{
  g_autofree char *base = g_path_get_basename (name);

  return g_str_equal (base, "summary.json");
}

static gboolean
sync_path (const char *path, int flags)
{
  int fd = open (path, flags | O_CLOEXEC);
  gboolean good = fd >= 0 && fsync (fd) == 0;

  if (fd >= 0)
    close (fd);
  return good;
}

/* Puts the replaced files aside, as hard links where the file system has them, and writes the list
 * of all files, so that a later process can restore them. */
static gboolean
put_aside (VgStaging *self, GError **error)
{
  g_autofree char *list = g_build_filename (self->hidden, "names", NULL);
  g_autoptr (GString) names = g_string_new (NULL);
  GHashTableIter leaving;
  gpointer gone;

  for (guint i = 0; i < self->names->len; i++)
    g_string_append_len (names, self->names->pdata[i], (gssize) strlen (self->names->pdata[i]) + 1);
  g_hash_table_iter_init (&leaving, self->leaving);
  while (g_hash_table_iter_next (&leaving, &gone, NULL))
    g_string_append_len (names, gone, (gssize) strlen (gone) + 1);
  if (!vg_write_bytes (list, names->str, names->len, error))
    return FALSE;
  for (const char *name = names->str; name < names->str + names->len; name += strlen (name) + 1)
    {
      g_autofree char *target = g_build_filename (self->folder, name, NULL);
      g_autofree char *old = g_build_filename (self->hidden, "old", name, NULL),
                      *parent = g_path_get_dirname (old);

      if (g_mkdir_with_parents (parent, 0777) != 0)
        {
          set_write_error (error, "cannot create the folder", parent, errno);
          return FALSE;
        }
      if (link (target, old) != 0 && errno != ENOENT && g_rename (target, old) != 0)
        {
          set_write_error (error, "cannot replace", target, errno);
          return FALSE;
        }
    }
  return TRUE;
}

/* Removes the earlier results, which are put aside, and the folders of runs that become empty. */
static gboolean
take_away (VgStaging *self, GError **error)
{
  GHashTableIter leaving;
  gpointer name;

  g_hash_table_iter_init (&leaving, self->leaving);
  while (g_hash_table_iter_next (&leaving, &name, NULL))
    {
      g_autofree char *target = g_build_filename (self->folder, name, NULL),
                      *parent = g_path_get_dirname (target);

      if (g_unlink (target) != 0 && errno != ENOENT)
        {
          set_write_error (error, "cannot remove", target, errno);
          return FALSE;
        }
      if (strchr (name, '/') != NULL)
        g_rmdir (parent);
    }
  return TRUE;
}

/* Moves the new results into place, the summaries last, because they list the other files. */
static gboolean
move_in (VgStaging *self, GError **error)
{
  for (guint i = 0; i < 2 * self->names->len; i++)
    {
      const char *name = self->names->pdata[i % self->names->len];
      g_autofree char *source = g_build_filename (self->hidden, "new", name, NULL),
                      *target = g_build_filename (self->folder, name, NULL);

      if (is_summary (name) != (i >= self->names->len))
        continue;
      if (g_rename (source, target) != 0)
        {
          set_write_error (error, "cannot write", target, errno);
          return FALSE;
        }
    }
  return TRUE;
}

static gboolean
replace (VgStaging *self, GError **error)
{
  g_autofree char *list = g_build_filename (self->hidden, "names", NULL);

  if (put_aside (self, error) && take_away (self, error) && move_in (self, error))
    {
      sync_path (self->folder, O_RDONLY | O_DIRECTORY);
      g_unlink (list);
      return TRUE;
    }
  self->unsettled = !vg_staging_restore (self->folder, self->hidden);
  if (self->unsettled)
    g_prefix_error (
        error,
        "\"%s\" now contains results of two runs; write to it again to repair it: ", self->folder);
  return FALSE;
}

static gboolean
is_input (gpointer name, gpointer value, gpointer staging)
{
  return find_protected (staging, name) != NULL;
}

gboolean
vg_staging_commit (VgStaging *self, GError **error)
{
  VgExchange exchange;

  g_hash_table_foreach_remove (self->leaving, is_input, self);
  if (!check_targets (self, error))
    return FALSE;
  exchange = vg_staging_exchange (self, error);
  if (exchange == VG_EXCHANGE_FAILED || (exchange == VG_EXCHANGE_UNFIT && !replace (self, error)))
    return FALSE;
  g_clear_pointer (&self->existing, g_free);
  return TRUE;
}

/* Removes the folders that were made for the results, if they are empty. */
static void
remove_made (VgStaging *self)
{
  g_autofree char *path = g_strdup (self->folder);

  while (self->existing != NULL && strcmp (path, self->existing) != 0 &&
         (g_rmdir (path) == 0 || errno == ENOENT))
    {
      g_autofree char *child = path;

      path = g_path_get_dirname (child);
    }
}

void
vg_staging_give_up (void)
{
  g_mutex_lock (&all_lock);
  for (GSList *l = all; l != NULL; l = l->next)
    {
      VgStaging *self = l->data;

      if (self->hidden != NULL && vg_staging_restore (self->folder, self->hidden))
        vg_staging_remove_tree (self->hidden);
      remove_made (self);
    }
  g_mutex_unlock (&all_lock);
}

void
vg_staging_free (VgStaging *self)
{
  if (self == NULL)
    return;
  g_mutex_lock (&all_lock);
  all = g_slist_remove (all, self);
  g_mutex_unlock (&all_lock);
  if (self->hidden != NULL && !self->unsettled)
    vg_staging_remove_tree (self->hidden);
  remove_made (self);
  g_ptr_array_unref (self->names);
  g_ptr_array_unref (self->protected);
  g_ptr_array_unref (self->unlisted);
  g_clear_pointer (&self->leaving, g_hash_table_unref);
  if (self->hidden_lock >= 0)
    close (self->hidden_lock);
  if (self->lock >= 0)
    close (self->lock);
  g_free (self->existing);
  g_free (self->hidden);
  g_free (self->folder);
  g_free (self);
}
