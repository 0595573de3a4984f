/* SPDX-License-Identifier: MIT */
/* From the outputs of a work to a result. */
#include "app/pipeline/vg-publisher.h"

#include <math.h>
#include <string.h>
#include "app/session/vg-display.h"
#include "kernels/base/vg-memory.h"
#include "kernels/shared/vg-outlines-labels.h"

void
vg_publisher_init (VgPublisher *self)
{
  *self = (VgPublisher){
    .pool = vg_result_pool_new (), .underlay_frame = -1, .beside = -1, .whole = -1
  };
}

void
vg_publisher_clear (VgPublisher *self)
{
  vg_publisher_forget_underlay (self);
  vg_followed_regions_free (self->followed);
  vg_followed_regions_free (self->all);
  vg_reference_unref (self->reference);
  vg_result_pool_unref (self->pool);
  g_free (self->compared);
  g_free (self->notice);
}

void
vg_publisher_set_work (VgPublisher *self, VgWork *work)
{
  vg_publisher_forget_underlay (self);
  self->work = work;
  self->operation = vg_work_get_operation (work);
  self->frame = NULL;
  self->statistics_stale = FALSE;
  self->statistics_us = self->beside_us = 0;
}

/* What is not computed is left out; FALSE: FAILURE, which is taken, is an error. */
static gboolean
pass_on (GError *failure, GError **error)
{
  if (failure != NULL)
    g_propagate_error (error, failure);
  return failure == NULL;
}

/* --- time courses --- */

static gboolean
follow_output (VgPublisher *self, guint output, float *means, GError **error)
{
  guint n = vg_followed_regions_n (self->followed);
  VgRegionStatistics statistics;
  GError *local = NULL;
  VgPlane plane;

  if (!vg_work_output (self->work, output, &plane, &local))
    return pass_on (local, error);
  for (guint i = 0; i < n; i++)
    {
      if (!vg_work_measure_region (self->work, output, &plane, self->followed, i, &statistics,
                                   error))
        return FALSE;
      means[i] = (float) statistics.mean;
    }
  return TRUE;
}

gboolean
vg_publisher_add_to_course (VgPublisher *self, GError **error)
{
  const VgOperation *operation = self->operation;
  const VgFrame *frame = self->frame;
  guint n = vg_followed_regions_n (self->followed), row = 0;
  g_autofree float *means = NULL;

  if (!frame || n == 0)
    return TRUE;
  means = g_new (float, (gsize) n *MAX (operation->n_outputs, 1));
  for (gsize i = 0; i < (gsize) n * operation->n_outputs; i++)
    means[i] = NAN;
  for (guint i = 0; i < operation->n_outputs; i++)
    if (operation->outputs[i].time_course &&
        !follow_output (self, i, means + (gsize) n * row++, error))
      return FALSE;
  vg_time_course_add (self->course, frame->time_s, means);
  return TRUE;
}

/* --- results --- */

/* The output that is set, or the first that is computed; FALSE: none, or an error. */
static gboolean
find_output (VgPublisher *self, int *output, VgPlane *plane, GError **error)
{
  guint n = self->operation->n_outputs;
  GError *local = NULL;

  *output = self->output;
  if ((guint) *output < n && vg_work_output (self->work, (guint) *output, plane, &local))
    return TRUE;
  for (*output = 0; (guint) *output < n && local == NULL; ++*output)
    if (vg_work_output (self->work, (guint) *output, plane, &local))
      return TRUE;
  pass_on (local, error);
  return FALSE;
}

/* A reference map is dimmed by its own brightness, a comparison on the host by the present one. */
static gboolean
add_brightness (VgPublisher *self, VgResult *result, GError **error)
{
  int output = vg_operation_find_role (self->operation, VG_ROLE_BRIGHTNESS,
                                       self->operation->outputs[result->output].id);
  g_autofree float *values = NULL;
  GError *local = NULL;
  gsize capacity = 0;
  VgPlane plane;

  if (output < 0)
    return TRUE;
  if (result->compare == VG_COMPARE_OFF)
    return vg_work_output (self->work, (guint) output, &plane, &local)
               ? vg_result_set_brightness (result, &plane, vg_work_get_cuda (self->work), error)
               : pass_on (local, error);
  if ((result->compare != VG_COMPARE_KEPT ||
       !vg_reference_get_plane (self->reference, (guint) output, &plane)) &&
      !vg_work_read_output (self->work, (guint) output, &plane, &values, &capacity, error))
    return error == NULL || *error == NULL;
  return vg_result_set_brightness (result, &plane, NULL, error);
}

/* The outlines that another method finds, from its label image. */
static gboolean
add_other_outlines (VgPublisher *self, VgResult *result, GError **error)
{
  int output = vg_operation_find_role (self->operation, VG_ROLE_OUTLINES, NULL);
  g_autoptr (VgLabelOutlines) borders = NULL;
  g_autofree float *values = NULL;
  gsize capacity = 0;
  VgPlane plane;

  if (output < 0 ||
      !vg_work_read_output (self->work, (guint) output, &plane, &values, &capacity, error))
    return error == NULL || *error == NULL;
  borders = vg_label_outlines_new (&plane);
  return borders == NULL || vg_result_set_second_outlines (result, &borders->outlines, NULL, error);
}

/* Those that the objects are compared with, such as a ground truth. */
static gboolean
add_compared_outlines (VgPublisher *self, VgResult *result, GError **error)
{
  VgOutlines outlines;

  return vg_work_compared (self->work, &outlines, error) &&
         (outlines.n == 0 || vg_result_set_second_outlines (result, &outlines, NULL, error));
}

/* A reference map shows its own outlines, with the present ones over them. */
static gboolean
add_outlines (VgPublisher *self, VgResult *result, GError **error)
{
  const VgCuda *cuda = vg_work_get_cuda (self->work);
  const VgOutlines *reference = result->compare == VG_COMPARE_KEPT
                                    ? vg_reference_get_outlines (self->reference)
                                    : NULL;
  gboolean other = self->other_outlines &&
                   vg_operation_get_role (self->operation, VG_ROLE_OUTLINES, NULL) != NULL;
  VgOutlines outlines;
  gboolean any;

  if (!vg_work_outlines (self->work, &outlines, error))
    return FALSE;
  any = outlines.n > 0;
  if (reference != NULL && reference->n > 0 &&
      !vg_result_set_outlines (result, reference, NULL, error))
    return FALSE;
  if (reference == NULL && any && !vg_result_set_outlines (result, &outlines, cuda, error))
    return FALSE;
  if (reference != NULL && any && !other)
    return vg_result_set_second_outlines (result, &outlines, cuda, error);
  return other ? add_other_outlines (self, result, error)
               : add_compared_outlines (self, result, error);
}

/* Settings without a map still give metrics, plots and texts. */
static VgResult *
make_plain_result (VgPublisher *self)
{
  VgResult *result = vg_result_pool_plain (self->pool);
  guint n = vg_followed_regions_n (self->followed);
  VgRegionResult *regions = vg_result_add_regions (result, n);

  for (guint i = 0; i < n; i++)
    regions[i] = (VgRegionResult){ VG_REGION_STATISTICS_NONE, NAN, NAN, NAN };
  result->whole = (VgRegionResult){ VG_REGION_STATISTICS_NONE, NAN, NAN, NAN };
  result->output = self->output;
  result->statistics = (VgStatistics){ .min = NAN, .max = NAN };
  return result;
}

/* Gives RESULT another map of the same moment, if one is set and computed. */
static gboolean
add_beside (VgPublisher *self, VgResult *result, gboolean may_be_stale, GError **error)
{
  const VgCuda *cuda = vg_work_get_cuda (self->work);
  GError *local = NULL;
  VgPlane plane;

  if (self->beside < 0 || (guint) self->beside >= self->operation->n_outputs ||
      !vg_work_output (self->work, (guint) self->beside, &plane, &local))
    return pass_on (local, error);
  result->beside = vg_result_pool_copy (self->pool, &plane, cuda, error);
  if (!result->beside)
    return FALSE;
  result->beside->operation = self->operation;
  result->beside->output = self->beside;
  return add_brightness (self, result->beside, error) &&
         add_outlines (self, result->beside, error) &&
         vg_publisher_add_beside_statistics (self, result->beside, may_be_stale, error);
}

VgResult *
vg_publisher_make (VgPublisher *self, gboolean may_be_stale, GError **error)
{
  g_autofree char *note = NULL;
  double noise = 0;
  VgCompare mode;
  VgResult *result;
  VgPlane plane;
  int output;

  if (!vg_operation_has_maps (self->operation, vg_work_get_params (self->work)))
    return make_plain_result (self);
  if (!vg_publisher_add_to_course (self, error) || !find_output (self, &output, &plane, error) ||
      !vg_publisher_compare (self, output, &plane, &mode, &note, error) ||
      (mode == VG_COMPARE_OFF && self->operation->outputs[output].hints.decades &&
       !vg_publisher_find_noise (self, output, &plane, &noise, error)))
    return NULL;
  result = vg_result_pool_copy (self->pool, &plane, vg_work_get_cuda (self->work), error);
  if (!result)
    return NULL;
  result->output = output;
  result->compare = mode;
  result->noise = noise;
  result->compare_note = g_steal_pointer (&note);
  vg_publisher_add_underlay (self, result);
  if (add_brightness (self, result, error) && add_outlines (self, result, error) &&
      vg_publisher_add_statistics (self, result, may_be_stale, error) &&
      add_beside (self, result, may_be_stale, error))
    return result;
  vg_result_unref (result);
  return NULL;
}

VgResult *
vg_publisher_make_on_host (VgPublisher *self, GError **error)
{
  g_autofree float *values = NULL;
  VgResult *result = NULL;
  VgPlane plane;
  gsize capacity = 0;

  if (!vg_work_read_output (self->work, (guint) self->output, &plane, &values, &capacity, error))
    return NULL;
  result = vg_result_pool_copy (self->pool, &plane, NULL, error);
  if (!result)
    return NULL;
  result->output = self->output;
  if (vg_publisher_add_statistics (self, result, FALSE, error))
    return result;
  vg_result_unref (result);
  return NULL;
}

VgResult *
vg_publisher_make_input (VgPublisher *self, int output, GError **error)
{
  const VgImageInfo *info = vg_work_get_info (self->work);
  gsize n = info ? (gsize) info->width * (gsize) info->height * (gsize) MAX (info->slices, 1) : 0;
  g_autofree float *values = n > 0 && vg_memory_check (2 * n * sizeof (float),
                                                       "an image of the input", error)
                                 ? g_try_new (float, n)
                                 : NULL;
  VgPlane plane;
  VgResult *result;

  if (!values)
    return NULL;
  for (gsize i = 0; i < n; i++)
    values[i] = NAN;
  plane = (VgPlane){ .place = VG_HOST,
                     .data = values,
                     .width = info->width,
                     .height = info->height,
                     .slices = MAX (info->slices, 1),
                     .pixel_size = { info->pixel_size[0], info->pixel_size[1] } };
  memcpy (plane.unit, info->pixel_unit, sizeof plane.unit);
  result = vg_result_pool_copy (self->pool, &plane, NULL, error);
  if (!result)
    return NULL;
  result->output = output;
  result->input_only = TRUE;
  vg_publisher_add_underlay (self, result);
  if (vg_publisher_add_statistics (self, result, FALSE, error))
    return result;
  vg_result_unref (result);
  return NULL;
}
