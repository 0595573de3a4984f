/* SPDX-License-Identifier: MIT */
/* What synthetic data were made from, for comparison with the results. */
#include "app/batch/vg-truth.h"
#include "vg-config.h"
#include "io/write/vg-output-file.h"

static gboolean
write_truth_map (VgStaging *staging, const VgOperation *operation, const VgOutput *output,
                 const VgImage *truth, GError **error)
{
  g_autofree char *name = g_strdup_printf ("truth_%s.tif", output->id);
  g_autofree char *path = vg_staging_path (staging, name, error);
  g_autofree char *description = g_strdup_printf (
      "Vivograph %s\noperation=%s\noutput=%s\nlabel=true %s\nunit=%s", VG_VERSION, operation->id,
      output->id, output->label, output->unit == NULL ? "" : output->unit);
  g_autoptr (VgTiffWriter) writer = NULL;
  gint64 pages = vg_image_info_pages (&truth->info);
  gsize page = vg_image_info_page_samples (&truth->info);

  if (path == NULL)
    return FALSE;
  writer = vg_tiff_writer_new (path, truth->info.width, truth->info.height, pages, description,
                               truth->info.pixel_size, truth->info.pixel_unit, error);
  for (gint64 i = 0; writer != NULL && i < pages; i++)
    if (!vg_tiff_writer_add (writer, (const float *) truth->data + i * page, error))
      return FALSE;
  return writer != NULL && vg_tiff_writer_commit (writer, error);
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
