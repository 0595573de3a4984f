/* SPDX-License-Identifier: MIT */
/* The comparison of a map with its reference result, and the noise of a map. */
#include "kernels/base/vg-error.h"
#include "app/pipeline/vg-publisher.h"

/* A pixel whose value is little more than noise has no ratio; FALSE: an error. */
static gboolean
hide_noise (VgPublisher *self, guint output, const VgPlane *plane, GError **error)
{
  int i = vg_reference_find_error (self->reference, output);
  g_autofree float *errors = NULL;
  g_autoptr (GError) local = NULL;
  gsize capacity = 0;
  VgPlane own;

  if (i < 0)
    return TRUE;
  if (!vg_work_read_output (self->work, (guint) i, &own, &errors, &capacity, &local) &&
      local != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }
  vg_reference_hide_noise (self->reference, output, plane,
                           errors != NULL && own.width == plane->width &&
                                   own.height == plane->height && own.slices == plane->slices
                               ? errors
                               : NULL,
                           self->compared);
  return TRUE;
}

gboolean
vg_publisher_compare (VgPublisher *self, int output, VgPlane *plane, VgCompare *mode, char **note,
                      GError **error)
{
  g_autoptr (GError) why = NULL;

  *mode = VG_COMPARE_OFF;
  if (self->compare == VG_COMPARE_OFF || !self->reference ||
      vg_reference_get_operation (self->reference) != self->operation)
    return TRUE;
  if (self->compare > VG_COMPARE_KEPT && self->operation->outputs[output].kind == VG_OUTPUT_LABELS)
    {
      *note = g_strdup_printf ("%s has no difference or ratio because its values number objects. "
                               "Compare Now and Kept instead.",
                               self->operation->outputs[output].label);
      return TRUE;
    }
  if (!vg_reference_fits (self->reference, (guint) output, plane,
                          vg_operation_output_unit (self->operation, (guint) output,
                                                    vg_work_get_params (self->work)),
                          &why))
    {
      *note = g_strdup (why->message);
      return TRUE;
    }
  if (!vg_work_read_output (self->work, (guint) output, plane, &self->compared,
                            &self->compared_capacity, error))
    {
      if (error && *error == NULL)
        g_set_error_literal (error, VG_GPU_ERROR, VG_GPU_ERROR_FAILED,
                             "the GPU failed before the map could be compared");
      return FALSE;
    }
  vg_reference_compare (self->reference, (guint) output, self->compare, plane, self->compared);
  if (self->compare == VG_COMPARE_RATIO && !hide_noise (self, (guint) output, plane, error))
    return FALSE;
  *mode = self->compare;
  return TRUE;
}

gboolean
vg_publisher_find_noise (VgPublisher *self, int output, const VgPlane *plane, double *noise,
                         GError **error)
{
  gint64 now = g_get_monotonic_time ();
  guint generation = vg_work_get_generation (self->work);
  GError *local = NULL;

  *noise = self->noise;
  if (plane->place == VG_DEVICE && self->noise_generation == generation &&
      self->noise_output == output && now - self->noise_us < VG_STATISTICS_US)
    return TRUE;
  *noise = 0;
  if (!vg_work_find_noise (self->work, (guint) output, plane, &self->noise, &local))
    {
      if (local != NULL)
        g_propagate_error (error, local);
      return local == NULL;
    }
  *noise = self->noise;
  self->noise_generation = generation;
  self->noise_output = output;
  self->noise_us = now;
  return TRUE;
}
