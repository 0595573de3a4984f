/* SPDX-License-Identifier: MIT */
/* Beside each exported map its difference and its ratio to the kept one. */
#include "app/export/vg-export-private.h"

/* The present relative errors of output I, a copy; NULL: there are none.  FALSE: an error. */
static gboolean
load_errors (VgExport *self, const VgReference *reference, guint i, float **errors, GError **error)
{
  int of = vg_reference_find_error (reference, i);
  GError *local = NULL;
  VgPlane plane;

  if (of >= 0 && vg_export_load_plane (self, (guint) of, &plane, &local))
    {
      gsize n = (gsize) plane.width * (gsize) plane.height * (gsize) MAX (plane.slices, 1);

      *errors = g_try_new (float, n);
      if (*errors != NULL)
        memcpy (*errors, plane.data, n * sizeof (float));
      else
        local = g_error_new (
            VG_OPERATION_ERROR, VG_OPERATION_ERROR_MEMORY,
            "there is not enough memory for the errors of output %s; close other programs",
            self->maps[i].output->id);
    }
  if (local == NULL)
    return TRUE;
  g_propagate_error (error, local);
  return FALSE;
}

/* ERRORS as load_errors gives them.  NULL: no memory. */
static float *
compare (const VgReference *reference, const VgOutput *output, guint i, VgCompare mode,
         const VgPlane *plane, const float *errors, GError **error)
{
  gsize n = (gsize) plane->width * (gsize) plane->height * (gsize) MAX (plane->slices, 1);
  float *values = g_try_new (float, n);

  if (values == NULL)
    {
      g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_MEMORY,
                   "there is not enough memory for the %s of output %s",
                   mode == VG_COMPARE_RATIO ? "ratio" : "difference", output->id);
      return NULL;
    }
  memcpy (values, plane->data, n * sizeof (float));
  vg_reference_compare (reference, i, mode, plane, values);
  if (mode == VG_COMPARE_RATIO)
    vg_reference_hide_noise (reference, i, plane, errors, values);
  return values;
}

float *
vg_export_compare (VgExport *self, const VgReference *reference, guint i, VgCompare mode,
                   const VgPlane *plane, GError **error)
{
  g_autofree float *errors = NULL;

  if (mode == VG_COMPARE_RATIO && !load_errors (self, reference, i, &errors, error))
    return NULL;
  return compare (reference, self->maps[i].output, i, mode, plane, errors, error);
}

static gboolean
write_map (VgStaging *staging, const VgOperation *operation, const VgOutput *output, guint i,
           VgCompare mode, const VgReference *reference, const VgPlane *plane, const float *errors,
           GError **error)
{
  gboolean ratio = mode == VG_COMPARE_RATIO;
  const char *what = ratio ? "ratio" : "difference";
  g_autofree char *name = g_strdup_printf ("%s-%s.tif", output->id, what),
                  *label = g_strdup_printf ("%s, %s", output->label, what);
  g_autofree float *values = compare (reference, output, i, mode, plane, errors, error);
  VgOutput named = *output;
  VgPlane compared = *plane;

  if (values == NULL)
    return FALSE;
  compared.data = values;
  named.label = label;
  named.unit = ratio ? "" : output->unit;
  return vg_export_write_plane (staging, name, operation, &named, &compared, error);
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
