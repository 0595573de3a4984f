/* SPDX-License-Identifier: MIT */
/* The window's Export. */
#include "kernels/base/vg-error.h"
#include "app/export/vg-export-private.h"
#include "app/staging/vg-manifest.h"

static gboolean
is_cancelled (const VgExportInfo *info, GError **error)
{
  if (!g_cancellable_is_cancelled (info->cancellable))
    return FALSE;
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED,
                       "the export was cancelled; the folder is as it was");
  return TRUE;
}

/* Settings that give maps have one by now: their work was not cancelled before. */
static gboolean
has_what_it_gives (VgWork *work, GError **error)
{
  const VgOperation *operation = vg_work_get_operation (work);
  VgPlane plane;

  if (!vg_operation_has_maps (operation, vg_work_get_params (work)))
    return TRUE;
  for (guint i = 0; i < operation->n_outputs; i++)
    if (vg_work_output (work, i, &plane))
      return TRUE;
  g_set_error_literal (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_FAILED,
                       "there is no map of these settings to export; Run computes it");
  return FALSE;
}

gboolean
vg_export_current (const char *folder, VgWork *work, const VgExportInfo *info, guint *n_maps,
                   GError **error)
{
  g_autoptr (VgStaging) staging = vg_staging_new (folder, error);
  g_autoptr (VgExport) export = NULL;

  if (staging == NULL || is_cancelled (info, error) || !has_what_it_gives (work, error))
    return FALSE;
  vg_export_protect_inputs (staging, vg_work_get_operation (work), vg_work_get_params (work),
                            info->inputs);
  export = vg_export_new (staging, "", vg_work_get_operation (work), 1, info->regions);
  if (!vg_export_add (export, work, info->frame, NULL, error))
    return FALSE;
  if (vg_export_get_pages (export) == 0)
    {
      g_set_error (error, VG_GPU_ERROR, VG_GPU_ERROR_FAILED,
                   "the GPU failed before the maps could be written; try again");
      return FALSE;
    }
  *n_maps = 0;
  for (guint i = 0; i < export->n_maps; i++)
    *n_maps += export->maps[i].writer != NULL;
  if (info->reference != NULL &&
      vg_reference_get_operation (info->reference) == vg_work_get_operation (work) &&
      !vg_export_write_compared (export, staging, info->reference, error))
    return FALSE;
  return !is_cancelled (info, error) && vg_export_finish (export, work, info, error) &&
         !is_cancelled (info, error) && vg_staging_commit (staging, error);
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

GPtrArray *
vg_export_find_old (const char *folder, const VgOperation *operation, const void *params)
{
  static const char *const endings[] = { ".tif", VG_EXPORT_VOLUME, "-difference.tif",
                                         "-ratio.tif" },
                           *const always[] = { "regions.csv", "preview.png" };
  g_autoptr (GHashTable) names = vg_manifest_names (folder);
  GPtrArray *old = g_ptr_array_new_with_free_func (g_free);
  GHashTableIter iter;
  gpointer name;

  g_hash_table_add (names, g_strdup ("summary.json"));
  for (guint i = 0; i < G_N_ELEMENTS (always); i++)
    g_hash_table_add (names, g_strdup (always[i]));
  for (guint i = 0; i < operation->n_outputs; i++)
    for (guint k = 0;
         k < G_N_ELEMENTS (endings) && vg_operation_output_is_shown (operation, i, params); k++)
      g_hash_table_add (names, g_strconcat (operation->outputs[i].id, endings[k], NULL));
  g_hash_table_iter_init (&iter, names);
  while (g_hash_table_iter_next (&iter, &name, NULL))
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      if (g_file_test (path, G_FILE_TEST_EXISTS))
        g_ptr_array_add (old, g_strdup (name));
    }
  g_ptr_array_sort (old, compare_names);
  return old;
}
