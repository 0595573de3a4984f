/* SPDX-License-Identifier: MIT */
#include "io/dicom/receive/vg-dicom-series.h"
#include "io/dicom/vg-dicom-stack.h"
#include "kernels/base/vg-error.h"

/* The number of frames of STACK in the files NAMES; *PATH, borrowed: one of them, BEFORE if it is
 * among them. */
static guint
count_received (const VgDicomStack *stack, GHashTable *names, const char *before, const char **path)
{
  guint n = 0;

  *path = NULL;
  for (guint i = 0; i < stack->members->len; i++)
    {
      const VgDicomFrame *frame = vg_dicom_stack_frame (stack, i);
      const char *file = frame != NULL ? stack->scan->files->pdata[frame->file] : "";
      g_autofree char *name = g_path_get_basename (file);

      if (!g_hash_table_contains (names, name))
        continue;
      n++;
      if (*path == NULL || g_strcmp0 (file, before) == 0)
        *path = file;
    }
  return n;
}

char *
vg_dicom_find_series (const char *folder, GHashTable *names, const char *before, GError **error)
{
  g_autoptr (VgDicomReader) reader = vg_dicom_reader_new ();
  g_autoptr (VgDicomScan) scan = NULL;
  g_autoptr (GPtrArray) stacks = NULL;
  GHashTableIter iter;
  gpointer name = NULL;
  g_autofree char *any = NULL;
  const char *found = NULL;
  guint most = 0;

  g_hash_table_iter_init (&iter, names);
  if (g_hash_table_iter_next (&iter, &name, NULL))
    {
      any = g_build_filename (folder, name, NULL);
      scan = vg_dicom_scan_new (reader, any, TRUE, error);
      if (scan == NULL)
        return NULL;
      stacks = vg_dicom_stacks_new (scan);
    }
  for (guint i = 0; stacks != NULL && i < stacks->len; i++)
    {
      const char *path;
      guint n = count_received (stacks->pdata[i], names, before, &path);

      if (n > most || (n > 0 && n == most && g_strcmp0 (path, before) == 0))
        {
          most = n;
          found = path;
        }
    }
  if (found == NULL)
    g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_OPEN,
                 "no image was received in \"%s\" that can be read", folder);
  return g_strdup (found);
}
