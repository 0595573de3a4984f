/* SPDX-License-Identifier: MIT */
/* Beside each exported map its difference and its ratio to the kept one. */
#include "vg-config.h"
#include "app/export/vg-export-private.h"

static gboolean
write_map (VgStaging *staging, const VgOperation *operation, const VgOutput *output, guint i,
           VgCompare mode, const VgReference *reference, const VgPlane *plane, const float *errors,
           GError **error)
{
  const char *what = mode == VG_COMPARE_RATIO ? "ratio" : "difference",
             *unit = mode == VG_COMPARE_RATIO ? "" : output->unit;
  g_autofree char *name = g_strdup_printf ("%s-%s.tif", output->id, what);
  g_autofree char *path = vg_staging_path (staging, name, error);
  g_autofree char *description = g_strdup_printf (
      "Vivograph %s\noperation=%s\noutput=%s\nlabel=%s, %s\nunit=%s", VG_VERSION, operation->id,
      output->id, output->label, what, unit);
  gsize page = (gsize) plane->width * (gsize) plane->height;
  int slices = MAX (plane->slices, 1);
  g_autofree float *values = g_try_new (float, page *(gsize) slices);
  g_autoptr (VgTiffWriter) writer = NULL;

  if (path == NULL)
    return FALSE;
  if (values == NULL)
    {
      g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_MEMORY,
                   "no memory for the %s of output %s", what, output->id);
      return FALSE;
    }
  memcpy (values, plane->data, page * (gsize) slices * sizeof (float));
  vg_reference_compare (reference, i, mode, plane, values);
  if (mode == VG_COMPARE_RATIO)
    vg_reference_hide_noise (reference, i, plane, errors, values);
  writer = vg_tiff_writer_new (path, plane->width, plane->height, slices, description,
                               plane->pixel_size, plane->unit, error);
  for (int s = 0; writer != NULL && s < slices; s++)
    if (!vg_tiff_writer_add (writer, values + (gsize) s * page, error))
      return FALSE;
  return writer != NULL && vg_tiff_writer_commit (writer, error);
}

/* The present relative errors of output I, a copy; NULL: there are none.  FALSE: an error. */
static gboolean
load_errors (VgExport *self, const VgReference *reference, guint i, float **errors, GError **error)
{
  int of = vg_reference_find_error (reference, i);
  GError *local = NULL;
  VgPlane plane;

  if (of >= 0 && vg_export_load_plane (self, (guint) of, &plane, &local))
    *errors = g_memdup2 (plane.data, (gsize) plane.width * (gsize) plane.height *
                                         (gsize) MAX (plane.slices, 1) * sizeof (float));
  if (local == NULL)
    return TRUE;
  g_propagate_error (error, local);
  return FALSE;
}

gboolean
vg_export_write_compared (VgExport *self, VgStaging *staging, const VgReference *reference,
                          GError **error)
{
  const VgOperation *operation = vg_reference_get_operation (reference);

  for (guint i = 0; i < operation->n_outputs; i++)
    {
      VgPlane plane;
      g_autofree float *errors = NULL;
      GError *local = NULL;

      if (operation->outputs[i].kind == VG_OUTPUT_LABELS)
        continue; /* numbers of objects have no difference */
      if (!load_errors (self, reference, i, &errors, error))
        return FALSE;
      if (!vg_export_load_plane (self, i, &plane, &local))
        {
          if (local == NULL)
            continue;
          g_propagate_error (error, local);
          return FALSE;
        }
      if (!vg_reference_fits (reference, i, &plane, self->maps[i].output->unit, NULL))
        continue;
      if (!write_map (staging, operation, self->maps[i].output, i, VG_COMPARE_DIFFERENCE, reference,
                      &plane, NULL, error) ||
          !write_map (staging, operation, self->maps[i].output, i, VG_COMPARE_RATIO, reference,
                      &plane, errors, error))
        return FALSE;
    }
  return TRUE;
}
