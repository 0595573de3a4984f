/* SPDX-License-Identifier: MIT */
/* What may be done in the pipeline's present state. */
#include "app/pipeline/vg-pipeline-private.h"

gboolean
vg_pipeline_has_params (VgPipeline *self)
{
  return self->wanted.operation == self->operation && self->wanted.serial != self->serial &&
         !(self->cancelled && self->wanted.serial == self->cancelled_serial);
}

gboolean
vg_pipeline_may_change (VgPipeline *self)
{
  return vg_pipeline_has_params (self) && !vg_query_queue_saves (&self->queries, self->serial);
}

gboolean
vg_pipeline_has_frame (VgPipeline *self)
{
  /* after a cancellation, requested frames of a stack wait until the user continues */
  if (self->cancelled && !self->unprepared && !self->input->queue.live)
    return FALSE;
  /* a live input that no settings have fitted yet is shown as it comes */
  return vg_frame_queue_has_frame (&self->input->queue,
                                   self->unprepared && self->input->queue.live && !self->cancelled);
}
