/* SPDX-License-Identifier: MIT */
/* Writes each map of a volume also as NIfTI, with the placement of the data. */
#include "app/export/vg-export-private.h"
#include "kernels/base/vg-placement.h"

static gboolean
write_map (VgStaging *staging, const char *prefix, const VgOutput *output, const VgImageInfo *info,
           const VgPlane *plane, GError **error)
{
  g_autofree char *name = g_strconcat (prefix, output->id, VG_EXPORT_VOLUME, NULL);
  g_autofree char *path = vg_staging_path (staging, name, error);
  const char *unit = output->unit;
  g_autofree char *description = g_strdup_printf ("%s%s%s (Vivograph)", output->id,
                                                  *unit == '\0' ? "" : ", ", unit);

  return path != NULL && vg_write_nifti (path, info, plane->data, description, error);
}

gboolean
vg_export_write_volumes (VgExport *self, VgStaging *staging, const char *prefix, VgWork *work,
                         GError **error)
{
  const VgOperation *operation = vg_work_get_operation (work);
  const VgImageInfo *info = vg_work_get_info (work);

  if (info == NULL || self->pages != 1 || !vg_nifti_can_write (info))
    return TRUE;
  for (guint i = 0; i < operation->n_outputs; i++)
    {
      VgPlane plane;
      GError *local = NULL;

      if (!vg_export_load_plane (self, i, &plane, &local))
        {
          if (local == NULL)
            continue;
          g_propagate_error (error, local);
          return FALSE;
        }
      if (!vg_placement_is_of (info, &plane))
        continue;
      if (!write_map (staging, prefix, self->maps[i].output, info, &plane, error))
        return FALSE;
    }
  return TRUE;
}
