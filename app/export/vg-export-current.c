/* SPDX-License-Identifier: MIT */
/* The window's Export. */
#include "kernels/base/vg-error.h"
#include "app/export/vg-export-private.h"

static gboolean
is_cancelled (const VgExportInfo *info, GError **error)
{
  if (!g_cancellable_is_cancelled (info->cancellable))
    return FALSE;
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED,
                       "The export was cancelled. The folder is unchanged.");
  return TRUE;
}

/* Settings that give maps have one by now: their work was not cancelled before. */
static gboolean
has_what_it_gives (VgWork *work, GError **error)
{
  const VgOperation *operation = vg_work_get_operation (work);
  GError *local = NULL;
  VgPlane plane;

  if (!vg_operation_has_maps (operation, vg_work_get_params (work)))
    return TRUE;
  for (guint i = 0; i < operation->n_outputs && local == NULL; i++)
    if (vg_work_output (work, i, &plane, &local))
      return TRUE;
  if (local == NULL)
    g_set_error_literal (&local, VG_OPERATION_ERROR, VG_OPERATION_ERROR_FAILED,
                         "There is no map with these settings yet. Choose Run, then export again.");
  g_propagate_error (error, local);
  return FALSE;
}

/* The files of an export are known when it is complete. */
static gboolean
may_replace (VgStaging *staging, const VgExportInfo *info, GError **error)
{
  g_autofree char *names = info->replace ? NULL : vg_staging_list_unlisted (staging);

  if (names != NULL)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_EXISTS,
                 "The export would replace files that are not from an earlier export: %s", names);
  return names == NULL;
}

gboolean
vg_export_current (const char *folder, VgWork *work, const VgExportInfo *info, guint *n_maps,
                   GError **error)
{
  g_autoptr (VgStaging) staging = vg_staging_new (folder, error);
  g_autoptr (VgExport) export = NULL;
  g_autoptr (VgMetrics) metrics = NULL;
  g_autoptr (GPtrArray) notes = g_ptr_array_new_with_free_func (g_free);
  VgExportInfo whole = *info;

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
  if (info->reference != NULL &&
      vg_reference_get_operation (info->reference) == vg_work_get_operation (work) &&
      !vg_export_write_compared (export, staging, info->reference, error))
    return FALSE;
  whole.metrics = metrics = vg_work_results (work, error);
  for (guint i = 0; info->notes != NULL && i < info->notes->len; i++)
    g_ptr_array_add (notes, g_strdup (info->notes->pdata[i]));
  whole.notes = notes;
  if (metrics == NULL || !vg_export_add_checks (work, info, notes, error) ||
      is_cancelled (info, error) || !vg_export_finish (export, work, &whole, error))
    return FALSE;
  *n_maps = 0;
  for (guint i = 0; i < export->n_maps; i++)
    *n_maps += export->maps[i].writer != NULL;
  return !is_cancelled (info, error) && may_replace (staging, info, error) &&
         vg_staging_commit (staging, error);
}
