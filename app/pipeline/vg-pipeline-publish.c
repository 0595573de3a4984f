/* SPDX-License-Identifier: MIT */
/* From the work's outputs to a result in the mailbox. */
#include <math.h>
#include <string.h>
#include "app/session/vg-display.h"
#include "kernels/base/vg-error.h"
#include "kernels/base/vg-memory.h"
#include "kernels/shared/vg-outlines-labels.h"
#include "app/pipeline/vg-pipeline-private.h"

void
vg_pipeline_settle (VgPipeline *self, gboolean bad)
{
  g_mutex_lock (&self->lock);
  vg_frame_queue_finish (&self->input->queue, bad);
  g_mutex_unlock (&self->lock);
}

void
vg_pipeline_look_at_work (VgPipeline *self)
{
  g_autofree char *notice = vg_work_take_notice (self->work);
  const char *device = g_intern_string (vg_work_get_device (self->work));

  g_mutex_lock (&self->lock);
  self->cuda = vg_work_get_cuda (self->work);
  if (device != self->device)
    {
      self->device = device;
      vg_pipeline_post (self, VG_POST_STATE);
    }
  if (notice)
    vg_pipeline_post_notice (self, notice);
  g_mutex_unlock (&self->lock);
}

/* --- time courses --- */

static gboolean
follow_output (VgPipeline *self, guint output, float *means, GError **error)
{
  guint n = vg_followed_regions_n (self->followed);
  VgRegionStatistics statistics;
  VgPlane plane;

  if (!vg_work_output (self->work, output, &plane))
    return TRUE;
  for (guint i = 0; i < n; i++)
    {
      if (!vg_followed_regions_compute (self->followed, i, &plane, vg_work_get_cuda (self->work),
                                        &statistics, error))
        return FALSE;
      means[i] = (float) statistics.mean;
    }
  return TRUE;
}

static gboolean
follow (VgPipeline *self, GError **error)
{
  const VgOperation *operation = self->operation;
  const VgFrame *frame = g_queue_peek_tail (&self->recent);
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

/* --- the result --- */

/* The wanted output, or the first there is. */
static gboolean
find_output (VgPipeline *self, int *output, VgPlane *plane)
{
  guint n = self->operation->n_outputs;

  *output = self->output;
  if ((guint) *output < n && vg_work_output (self->work, (guint) *output, plane))
    return TRUE;
  for (*output = 0; (guint) *output < n; ++*output)
    if (vg_work_output (self->work, (guint) *output, plane))
      return TRUE;
  return FALSE;
}

static void
describe (VgPipeline *self, VgResult *result, int output, gboolean final)
{
  const VgFrame *frame = g_queue_peek_tail (&self->recent);
  const VgImageInfo *info = vg_work_get_info (self->work);

  result->operation = self->operation;
  result->serial = self->serial;
  result->regions_serial = self->regions_serial;
  result->output = output;
  result->generation = vg_work_get_generation (self->work);
  result->final = final;
  result->precomputed = self->precomputed;
  result->progress = vg_work_progress (self->work);
  result->metrics = vg_work_results (self->work);
  if (result->plane.data != NULL)
    result->overlay = vg_work_overlay (self->work, (guint) output);
  result->volume = result->plane.data != NULL &&
                   vg_display_get_orientation (self->operation, info, &result->plane,
                                               &result->orientation);
  if (info && result->plane.data != NULL && vg_underlay_fits (info, &result->plane))
    result->place = (VgSlidePlace){ { info->origin[0], info->origin[1] }, info->downsample };
  result->arrived_us = frame ? frame->time_us : self->asked_us;
  if (frame)
    {
      result->frame_index = frame->index;
      result->frame_id = frame->id;
      result->time_s = frame->time_s;
    }
}

/* The newest result wins; the frame of the one it replaces was not shown,
 * unless both are of the same frame. */
static void
put_in_mailbox (VgPipeline *self, VgResult *result)
{
  VgResult *old;

  g_mutex_lock (&self->lock);
  result->finished_us = g_get_monotonic_time ();
  old = self->mailbox;
  if (self->input->queue.in_hand || self->asked)
    vg_measured_add (&self->latency, (double) (result->finished_us - result->arrived_us) * 1e-3);
  if (self->started_us > 0)
    {
      vg_measured_add (&self->compute, (double) (result->finished_us - self->started_us) * 1e-3);
      vg_measured_add (&self->results, (double) result->finished_us * 1e-6);
      self->took_us = result->finished_us - self->started_us;
    }
  vg_frame_queue_publish (&self->input->queue);
  self->asked = FALSE;
  self->mailbox = result;
  vg_pipeline_post (self, VG_POST_RESULT);
  g_cond_signal (&self->arrived);
  g_mutex_unlock (&self->lock);
  self->published_us = result->finished_us;
  self->started_us = 0;
  if (old)
    vg_result_unref (old);
}

/* The plane that dims the shown one, from where it is; a kept map's own dims that, and the present
 * one dims what is made of both, in host memory as they are. */
static gboolean
add_brightness (VgPipeline *self, VgResult *result, GError **error)
{
  int output = vg_operation_find_role (self->operation, VG_ROLE_BRIGHTNESS,
                                       self->operation->outputs[result->output].id);
  g_autofree float *values = NULL;
  gsize capacity = 0;
  VgPlane plane;

  if (output < 0)
    return TRUE;
  if (result->compare == VG_COMPARE_OFF)
    return !vg_work_output (self->work, (guint) output, &plane) ||
           vg_result_set_brightness (result, &plane, vg_work_get_cuda (self->work), 0, error);
  if ((result->compare != VG_COMPARE_KEPT ||
       !vg_reference_get_plane (self->reference, (guint) output, &plane)) &&
      !vg_work_read_output (self->work, (guint) output, &plane, &values, &capacity, error))
    return error == NULL || *error == NULL;
  return vg_result_set_brightness (result, &plane, NULL, 0, error);
}

/* The borders that another method finds, from its map of labels. */
static gboolean
add_other_outlines (VgPipeline *self, VgResult *result, GError **error)
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
  return borders == NULL ||
         vg_result_set_second_outlines (result, &borders->outlines, NULL, 0, error);
}

/* Of a kept map its own, with the present ones over them. */
static gboolean
add_outlines (VgPipeline *self, VgResult *result, GError **error)
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
      !vg_result_set_outlines (result, reference, NULL, 0, error))
    return FALSE;
  if (reference == NULL && any && !vg_result_set_outlines (result, &outlines, cuda, 0, error))
    return FALSE;
  if (reference != NULL && any && !other)
    return vg_result_set_second_outlines (result, &outlines, cuda, 0, error);
  return !other || add_other_outlines (self, result, error);
}

/* Settings that give no map: numbers, plots and texts are of them all the same. */
static VgResult *
make_plain_result (VgPipeline *self)
{
  VgResult *result = vg_result_pool_plain (self->results_pool);
  guint n = vg_followed_regions_n (self->followed);
  VgRegionResult *regions = vg_result_add_regions (result, n);

  for (guint i = 0; i < n; i++)
    regions[i].statistics = (VgRegionStatistics){ NAN, NAN, NAN, NAN, 0, 0 };
  result->output = self->output;
  result->statistics = (VgStatistics){ .min = NAN, .max = NAN };
  return result;
}

static VgResult *
make_result (VgPipeline *self, gboolean may_be_stale, GError **error)
{
  g_autofree char *note = NULL;
  VgCompare mode;
  VgResult *result;
  VgPlane plane;
  int output;

  if (!vg_operation_has_maps (self->operation, vg_work_get_params (self->work)))
    return make_plain_result (self);
  if (!follow (self, error) || !find_output (self, &output, &plane) ||
      !vg_pipeline_compare (self, output, &plane, &mode, &note, error))
    return NULL;
  result = vg_result_pool_copy (self->results_pool, &plane, vg_work_get_cuda (self->work), 0,
                                error);
  if (!result)
    return NULL;
  result->output = output;
  result->compare = mode;
  result->noise = mode == VG_COMPARE_OFF && self->operation->outputs[output].hints.decades
                      ? vg_pipeline_noise_of (self, output, &plane)
                      : 0;
  result->compare_note = g_steal_pointer (&note);
  vg_pipeline_add_underlay (self, result);
  if (add_brightness (self, result, error) && add_outlines (self, result, error) &&
      vg_pipeline_add_statistics (self, result, may_be_stale, error))
    return result;
  vg_result_unref (result);
  return NULL;
}

/* The device failed beside the engine: what can still be read goes through
 * the host; if nothing can, the work has moved to the CPU by asking. */
static VgResult *
make_host_result (VgPipeline *self, GError **error)
{
  g_autofree float *values = NULL;
  VgResult *result = NULL;
  VgPlane plane;
  gsize capacity = 0;

  if (!vg_work_read_output (self->work, (guint) self->output, &plane, &values, &capacity, error))
    return NULL;
  result = vg_result_pool_copy (self->results_pool, &plane, NULL, 0, error);
  if (!result)
    return NULL;
  result->output = self->output;
  if (vg_pipeline_add_statistics (self, result, FALSE, error))
    return result;
  vg_result_unref (result);
  return NULL;
}

static void
recover (VgPipeline *self, gboolean final, const GError *gpu_error)
{
  g_autoptr (GError) error = NULL;
  VgResult *result = make_host_result (self, &error);

  vg_pipeline_look_at_work (self);
  if (result)
    {
      describe (self, result, result->output, final);
      put_in_mailbox (self, result);
    }
  else if (vg_work_get_generation (self->work) != self->generation)
    vg_pipeline_recompute (self, VG_WORK_PREPARED);
  else
    {
      vg_pipeline_settle (self, TRUE);
      vg_pipeline_fail (self, error ? error : gpu_error);
    }
}

/* A plane of the input's size without values. */
static VgResult *
make_input_result (VgPipeline *self, GError **error)
{
  const VgImageInfo *info = vg_work_get_info (self->work);
  gsize n = info ? (gsize) info->width * (gsize) info->height * (gsize) MAX (info->slices, 1) : 0;
  g_autofree float *values = n > 0 && vg_memory_check (2 * n * sizeof (float),
                                                       "a picture of the input", error)
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
  result = vg_result_pool_copy (self->results_pool, &plane, NULL, 0, error);
  if (!result)
    return NULL;
  g_mutex_lock (&self->lock);
  result->output = self->wanted.operation == self->operation
                       ? self->wanted.output
                       : (int) self->operation->view.first_output;
  g_mutex_unlock (&self->lock);
  result->input_only = TRUE;
  vg_pipeline_add_underlay (self, result);
  if (vg_pipeline_add_statistics (self, result, FALSE, error))
    return result;
  vg_result_unref (result);
  return NULL;
}

void
vg_pipeline_publish_input (VgPipeline *self)
{
  VgResult *result = make_input_result (self, NULL);

  if (!result)
    {
      vg_pipeline_settle (self, FALSE); /* why there is no map has been said already */
      return;
    }
  describe (self, result, result->output, FALSE);
  put_in_mailbox (self, result);
}

void
vg_pipeline_follow (VgPipeline *self)
{
  g_autoptr (GError) error = NULL;

  if (!follow (self, &error))
    recover (self, FALSE, error);
}

void
vg_pipeline_publish (VgPipeline *self, gboolean final, gboolean more_to_come)
{
  g_autoptr (GError) error = NULL;
  VgResult *result = make_result (self, more_to_come, &error);

  self->maps++;
  self->behind = FALSE;
  self->whole = final;
  if (result)
    {
      describe (self, result, result->output, final);
      put_in_mailbox (self, result);
    }
  else if (error && error->domain == VG_GPU_ERROR)
    recover (self, final, error);
  else
    {
      vg_pipeline_settle (self, error != NULL);
      if (error)
        vg_pipeline_fail (self, error);
    }
}
