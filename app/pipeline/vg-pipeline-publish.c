/* SPDX-License-Identifier: MIT */
/* From a computed frame or step to a result for the main thread. */
#include "app/pipeline/vg-compute.h"
#include "app/session/vg-display.h"
#include "kernels/base/vg-error.h"

void
vg_pipeline_finish_frame (VgPipeline *self, gboolean bad)
{
  g_mutex_lock (&self->lock);
  vg_frame_queue_finish (&self->input->queue, bad);
  g_mutex_unlock (&self->lock);
}

void
vg_pipeline_fail (VgPipeline *self, const GError *error)
{
  self->compute->stepping = FALSE;
  g_mutex_lock (&self->lock);
  vg_pipeline_set_failed (self, error);
  g_mutex_unlock (&self->lock);
}

void
vg_pipeline_inspect_work (VgPipeline *self)
{
  g_autofree char *notice = vg_work_take_notice (self->compute->work);
  const char *device = g_intern_string (vg_work_get_device (self->compute->work));

  g_mutex_lock (&self->lock);
  self->cuda = vg_work_get_cuda (self->compute->work);
  if (device != self->device)
    {
      self->device = device;
      vg_pipeline_post (self, VG_POST_STATE);
    }
  if (notice)
    vg_pipeline_post_notice (self, notice);
  g_mutex_unlock (&self->lock);
}

/* The publisher, with the frame in hand. */
static VgPublisher *
get_publisher (VgPipeline *self)
{
  self->compute->publisher.frame = g_queue_peek_tail (&self->compute->recent);
  return &self->compute->publisher;
}

static void
describe (VgPipeline *self, VgResult *result, int output, gboolean final)
{
  const VgFrame *frame = g_queue_peek_tail (&self->compute->recent);
  const VgImageInfo *info = vg_work_get_info (self->compute->work);

  result->operation = self->operation;
  result->serial = self->serial;
  result->regions_serial = self->compute->regions_serial;
  result->output = output;
  result->generation = vg_work_get_generation (self->compute->work);
  result->final = final;
  result->precomputed = self->compute->precomputed;
  result->progress = vg_work_progress (self->compute->work);
  result->metrics = vg_work_results (self->compute->work);
  if (result->plane.data != NULL)
    result->overlay = vg_work_overlay (self->compute->work, (guint) output);
  result->volume = result->plane.data != NULL &&
                   vg_display_get_orientation (self->operation, info, &result->plane,
                                               &result->orientation);
  if (info && result->plane.data != NULL && vg_underlay_fits (info, &result->plane))
    result->place = (VgSlidePlace){ { info->origin[0], info->origin[1] }, info->downsample };
  result->arrived_us = frame ? frame->time_us : self->compute->requested_us;
  if (frame)
    {
      result->frame_index = frame->index;
      result->frame_id = frame->id;
      result->time_s = frame->time_s;
    }
}

/* The newest result replaces one that was not taken. */
static void
put_in_mailbox (VgPipeline *self, VgResult *result)
{
  VgResult *old;

  g_mutex_lock (&self->lock);
  result->finished_us = g_get_monotonic_time ();
  old = self->mailbox.result;
  if (self->input->queue.in_hand || self->compute->is_requested)
    vg_measured_add (&self->mailbox.latency_ms,
                     (double) (result->finished_us - result->arrived_us) * 1e-3);
  if (self->compute->started_us > 0)
    {
      vg_measured_add (&self->mailbox.compute_ms,
                       (double) (result->finished_us - self->compute->started_us) * 1e-3);
      vg_measured_add (&self->mailbox.times_s, (double) result->finished_us * 1e-6);
      self->mailbox.took_us = result->finished_us - self->compute->started_us;
    }
  vg_frame_queue_publish (&self->input->queue);
  self->compute->is_requested = FALSE;
  self->mailbox.result = result;
  if (self->compute->publisher.notice)
    vg_pipeline_post_notice (self, self->compute->publisher.notice);
  g_clear_pointer (&self->compute->publisher.notice, g_free);
  vg_pipeline_post (self, VG_POST_RESULT);
  g_cond_signal (&self->mailbox.changed);
  g_mutex_unlock (&self->lock);
  self->compute->published_us = result->finished_us;
  self->compute->started_us = 0;
  if (old)
    vg_result_unref (old);
}

/* After a GPU error: what can still be read goes through host memory.  FALSE: the work has moved to
 * another device. */
static gboolean
recover (VgPipeline *self, gboolean final, const GError *gpu_error)
{
  g_autoptr (GError) error = NULL;
  VgResult *result = vg_publisher_make_on_host (get_publisher (self), &error);

  vg_pipeline_inspect_work (self);
  if (result)
    {
      describe (self, result, result->output, final);
      put_in_mailbox (self, result);
    }
  else if (vg_work_get_generation (self->compute->work) != self->compute->generation)
    return FALSE;
  else
    {
      vg_pipeline_finish_frame (self, TRUE);
      vg_pipeline_fail (self, error ? error : gpu_error);
    }
  return TRUE;
}

void
vg_pipeline_publish_input (VgPipeline *self)
{
  VgResult *result;
  int output;

  g_mutex_lock (&self->lock);
  output = self->wanted.operation == self->operation ? self->wanted.output
                                                     : (int) self->operation->view.first_output;
  g_mutex_unlock (&self->lock);
  result = vg_publisher_make_input (get_publisher (self), output, NULL);
  if (!result)
    {
      vg_pipeline_finish_frame (self, FALSE); /* why there is no map has been reported already */
      return;
    }
  describe (self, result, result->output, FALSE);
  put_in_mailbox (self, result);
}

gboolean
vg_pipeline_add_to_course (VgPipeline *self)
{
  g_autoptr (GError) error = NULL;

  return vg_publisher_add_to_course (get_publisher (self), &error) || recover (self, FALSE, error);
}

gboolean
vg_pipeline_publish (VgPipeline *self, gboolean final, gboolean more_to_come)
{
  g_autoptr (GError) error = NULL;
  VgResult *result = vg_publisher_make (get_publisher (self), more_to_come, &error);

  self->compute->maps++;
  self->compute->behind = FALSE;
  self->compute->whole = final;
  if (result)
    {
      describe (self, result, result->output, final);
      put_in_mailbox (self, result);
    }
  else if (error && error->domain == VG_GPU_ERROR)
    return recover (self, final, error);
  else
    {
      vg_pipeline_finish_frame (self, error != NULL);
      if (error)
        vg_pipeline_fail (self, error);
    }
  return TRUE;
}
