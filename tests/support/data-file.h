/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>

/* The path of the test file (or folder) NAME of a view's FOLDER, such as
 * "flow" and "pylsci_spatial.tif": in $VIVOGRAPH_DATA, a larger collection
 * that need not exist, or else in tests/data, which every checkout has.  NULL
 * where neither has it.  Free with g_free(). */
static inline char *
data_file_find (const char *folder, const char *name)
{
  const char *root = g_getenv ("VIVOGRAPH_DATA");
  char *path = root != NULL ? g_build_filename (root, folder, name, NULL) : NULL;

  if (path == NULL || !g_file_test (path, G_FILE_TEST_EXISTS))
    {
      g_free (path);
      path = g_test_build_filename (G_TEST_DIST, "data", folder, name, NULL);
    }
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
