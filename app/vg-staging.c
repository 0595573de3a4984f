/* SPDX-License-Identifier: MIT */
/* A hidden folder beside the final files, so that moving them is a rename. */
#include "vg-staging.h"
#include <errno.h>
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <string.h>
#include "vg-error.h"

struct _VgStaging
{
  char *folder, *hidden;
  char *existing;         /* the nearest folder that was there already; NULL: nothing is to be removed */
  GPtrArray *names;       /* relative to either folder */
  GPtrArray *protected;   /* paths */
};

static void
set_write_error (GError **error, const char *what, const char *path, int code)
{
  g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_WRITE, "%s %s: %s; choose another folder", what, path, g_strerror (code));
}

VgStaging *
vg_staging_new (const char *folder, GError **error)
{
  g_autoptr (VgStaging) self = g_new0 (VgStaging, 1);

  self->folder = g_strdup (folder);
  self->names = g_ptr_array_new_with_free_func (g_free);
  self->protected = g_ptr_array_new_with_free_func (g_free);
  self->existing = g_strdup (folder);
  while (!g_file_test (self->existing, G_FILE_TEST_EXISTS) && strcmp (self->existing, ".") != 0)
    {
      g_autofree char *child = self->existing;

      self->existing = g_path_get_dirname (child);
    }
  if (g_mkdir_with_parents (folder, 0777) != 0)
    {
      set_write_error (error, "can not make the folder", folder, errno);
      return NULL;
    }
  self->hidden = g_build_filename (folder, ".vivograph-XXXXXX", NULL);
  if (g_mkdtemp (self->hidden) == NULL)
    {
      set_write_error (error, "can not write to the folder", folder, errno);
      g_clear_pointer (&self->hidden, g_free);
      return NULL;
    }
  return g_steal_pointer (&self);
}

void
vg_staging_protect (VgStaging *self, const char *path)
{
  g_ptr_array_add (self->protected, g_strdup (path));
}

/* A link in the folder is replaced itself, so what it points to is safe. */
static gboolean
check_protected (VgStaging *self, const char *name, GError **error)
{
  g_autofree char *target = g_build_filename (self->folder, name, NULL);
  GStatBuf there, input;

  if (g_lstat (target, &there) != 0)
    return TRUE;
  for (guint i = 0; i < self->protected->len; i++)
    if (g_stat (self->protected->pdata[i], &input) == 0 && input.st_ino == there.st_ino && input.st_dev == there.st_dev)
      {
        g_set_error (error, VG_USAGE_ERROR, 0, "the result %s would replace the input %s; choose another folder",
                     target, (const char *) self->protected->pdata[i]);
        return FALSE;
      }
  return TRUE;
}

char *
vg_staging_path (VgStaging *self, const char *name, GError **error)
{
  g_autofree char *path = g_build_filename (self->hidden, name, NULL);
  g_autofree char *parent = g_path_get_dirname (path);

  if (!check_protected (self, name, error))
    return NULL;
  if (g_mkdir_with_parents (parent, 0777) != 0)
    {
      set_write_error (error, "can not make the folder", parent, errno);
      return NULL;
    }
  if (!g_ptr_array_find_with_equal_func (self->names, name, g_str_equal, NULL))
    g_ptr_array_add (self->names, g_strdup (name));
  return g_steal_pointer (&path);
}

gboolean
vg_staging_is_old (VgStaging *self, const char *name)
{
  g_autofree char *target = g_build_filename (self->folder, name, NULL);

  return !g_ptr_array_find_with_equal_func (self->names, name, g_str_equal, NULL) && g_file_test (target, G_FILE_TEST_EXISTS);
}

gboolean
vg_staging_check_space (VgStaging *self, guint64 bytes, GError **error)
{
  g_autoptr (GFile) file = g_file_new_for_path (self->hidden);
  g_autoptr (GFileInfo) info = g_file_query_filesystem_info (file, G_FILE_ATTRIBUTE_FILESYSTEM_FREE, NULL, NULL);
  g_autofree char *need = NULL, *left = NULL;
  guint64 available;

  if (info == NULL || !g_file_info_has_attribute (info, G_FILE_ATTRIBUTE_FILESYSTEM_FREE))
    return TRUE;
  available = g_file_info_get_attribute_uint64 (info, G_FILE_ATTRIBUTE_FILESYSTEM_FREE);
  if (bytes <= available)
    return TRUE;
  need = g_format_size_full (bytes, G_FORMAT_SIZE_IEC_UNITS);
  left = g_format_size_full (available, G_FORMAT_SIZE_IEC_UNITS);
  g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_WRITE, "the results may take %s and the disk of %s has %s left; choose another folder",
               need, self->folder, left);
  return FALSE;
}

const GPtrArray *
vg_staging_get_names (VgStaging *self)
{
  return self->names;
}

gboolean
vg_staging_commit (VgStaging *self, GError **error)
{
  /* what could stop a rename halfway is looked for first */
  for (guint i = 0; i < self->names->len; i++)
    {
      g_autofree char *target = g_build_filename (self->folder, self->names->pdata[i], NULL);
      g_autofree char *parent = g_path_get_dirname (target);

      if (g_file_test (target, G_FILE_TEST_IS_DIR))
        {
          set_write_error (error, "can not replace the folder", target, EISDIR);
          return FALSE;
        }
      if (g_mkdir_with_parents (parent, 0777) != 0)
        {
          set_write_error (error, "can not make the folder", parent, errno);
          return FALSE;
        }
    }
  for (guint i = 0; i < self->names->len; i++)
    {
      g_autofree char *source = g_build_filename (self->hidden, self->names->pdata[i], NULL);
      g_autofree char *target = g_build_filename (self->folder, self->names->pdata[i], NULL);

      if (g_rename (source, target) != 0)
        {
          set_write_error (error, "can not write", target, errno);
          return FALSE;
        }
    }
  g_clear_pointer (&self->existing, g_free);
  return TRUE;
}

/* Removes a folder of ours; symbolic links are not followed. */
static void
remove_tree (const char *path)
{
  GDir *dir = g_dir_open (path, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *child = g_build_filename (path, name, NULL);

      if (g_file_test (child, G_FILE_TEST_IS_DIR) && !g_file_test (child, G_FILE_TEST_IS_SYMLINK))
        remove_tree (child);
      else
        g_unlink (child);
    }
  g_clear_pointer (&dir, g_dir_close);
  g_rmdir (path);
}

/* The folder and those above it that had to be made, as far as they are empty. */
static void
remove_made (VgStaging *self)
{
  g_autofree char *path = g_strdup (self->folder);

  while (self->existing != NULL && strcmp (path, self->existing) != 0 && (g_rmdir (path) == 0 || errno == ENOENT))
    {
      g_autofree char *child = path;

      path = g_path_get_dirname (child);
    }
}

void
vg_staging_free (VgStaging *self)
{
  if (self == NULL)
    return;
  if (self->hidden != NULL)
    remove_tree (self->hidden);
  remove_made (self);
  g_ptr_array_unref (self->names);
  g_ptr_array_unref (self->protected);
  g_free (self->existing);
  g_free (self->hidden);
  g_free (self->folder);
  g_free (self);
}
