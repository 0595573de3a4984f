/* SPDX-License-Identifier: MIT */
/* The pipeline's state, and what may be done in it. */
#include "app/pipeline/vg-pipeline-private.h"

gboolean
vg_pipeline_has_params (VgPipeline *self)
{
  return self->wanted.operation == self->operation && self->wanted.serial != self->serial &&
         !(self->cancelled && self->wanted.serial == self->cancelled_serial);
}

gboolean
vg_pipeline_has_frame (VgPipeline *self)
{
  /* a live input that no settings have fitted yet is shown as it comes */
  return vg_frame_queue_has_frame (&self->input->queue,
                                   self->unprepared && self->input->queue.live && !self->cancelled);
}

void
vg_pipeline_set_state (VgPipeline *self, VgPipelineState state)
{
  self->playback.playing = state == VG_PIPELINE_RUNNING;
  if (self->state == state)
    return;
  self->state = state;
  vg_pipeline_post (self, VG_POST_STATE);
}

void
vg_pipeline_set_failed (VgPipeline *self, const GError *error)
{
  self->failed_serial = self->input && self->input->queue.error ? G_MAXUINT64 : self->serial;
  vg_pipeline_post_error (self, error);
  vg_pipeline_set_state (self, VG_PIPELINE_FAILED);
}
