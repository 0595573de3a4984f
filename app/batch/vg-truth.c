/* SPDX-License-Identifier: MIT */
/* Writes the ground truth of synthetic data. */
#include "app/batch/vg-truth.h"
#include <string.h>
#include "app/export/vg-export.h"

static gboolean
write_truth_map (VgStaging *staging, const VgOperation *operation, const VgOutput *output,
                 const VgImage *truth, GError **error)
{
  const VgImageInfo *info = &truth->info;
  g_autofree char *name = g_strdup_printf ("truth_%s.tif", output->id),
                  *label = g_strdup_printf ("true %s", output->label);
  VgOutput named = *output;
  VgPlane plane = { .data = truth->data,
                    .width = info->width,
                    .height = info->height,
                    .slices = (int) vg_image_info_pages (info),
                    .pixel_size = { info->pixel_size[0], info->pixel_size[1] } };

  memcpy (plane.unit, info->pixel_unit, sizeof plane.unit);
  named.label = label;
  return vg_export_write_plane (staging, name, operation, &named, &plane, error);
}

gboolean
vg_truth_write (VgStaging *staging, const VgOperation *operation, const void *params,
                const VgSyntheticSize *size, GError **error)
{
  const VgSynthetic *synthetic = operation->synthetic;
  VgImageInfo info = { 0 };
  gpointer handle = synthetic->open (params, size, &info, error);
  gboolean ok = handle != NULL;

  for (guint i = 0; ok && synthetic->truth != NULL && i < operation->n_outputs; i++)
    {
      GError *local = NULL;
      g_autoptr (VgImage) truth = synthetic->truth (handle, i, &local);

      if (local != NULL)
        g_propagate_error (error, local);
      ok = local == NULL &&
           (truth == NULL ||
            write_truth_map (staging, operation, &operation->outputs[i], truth, error));
    }
  if (handle != NULL)
    synthetic->close (handle);
  return ok;
}
