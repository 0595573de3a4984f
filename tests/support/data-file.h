/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>

/* The folders of $VIVOGRAPH_DATA, which are separated by colons and need not exist.  They hold more
 * recordings than tests/data.  Free with g_strfreev(). */
static inline char **
data_folders (void)
{
  const char *list = g_getenv ("VIVOGRAPH_DATA");

  return g_strsplit (list != NULL ? list : "", G_SEARCHPATH_SEPARATOR_S, -1);
}

/* The path of the test file (or folder) NAME of a view's FOLDER, such as "flow" and
 * "pylsci_spatial.tif": in the first of data_folders() that has it, else in tests/data, which every
 * checkout has.  NULL if none has it.  Free with g_free(). */
static inline char *
data_file_find (const char *folder, const char *name)
{
  g_auto (GStrv) roots = data_folders ();
  char *path = NULL;

  for (guint i = 0; roots[i] != NULL && path == NULL; i++)
    {
      path = g_build_filename (roots[i], folder, name, NULL);
      if (!g_file_test (path, G_FILE_TEST_EXISTS))
        g_clear_pointer (&path, g_free);
    }
  if (path == NULL)
    path = g_test_build_filename (G_TEST_DIST, "data", folder, name, NULL);
  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    g_clear_pointer (&path, g_free);
  return path;
}

/* As data_file_find(); the running test is skipped where it gives NULL. */
static inline char *
data_file (const char *folder, const char *name)
{
  char *path = data_file_find (folder, name);

  if (path == NULL)
    {
      g_autofree char *why = g_strdup_printf (
          "%s/%s is neither in $VIVOGRAPH_DATA nor in tests/data", folder, name);

      g_test_skip (why);
    }
  return path;
}
