/* SPDX-License-Identifier: MIT */
/* What may be done in the pipeline's present state. */
#include "app/pipeline/vg-compute.h"
#include "app/pipeline/vg-pipeline-private.h"
#include <glib/gi18n.h>

/* Settings SERIAL of OPERATION are newer than those of the work, and were not cancelled. */
static gboolean
may_apply (VgPipeline *self, const VgOperation *operation, guint64 serial)
{
  return operation == self->operation && serial > self->serial &&
         !(self->cancelled && serial == self->cancelled_serial);
}

gboolean
vg_pipeline_is_opening (VgPipeline *self)
{
  return self->last.opening_serial > 0;
}

gboolean
vg_pipeline_has_params (VgPipeline *self)
{
  return !vg_pipeline_is_opening (self) &&
         may_apply (self, self->wanted.operation, self->wanted.serial);
}

gboolean
vg_pipeline_has_last (VgPipeline *self)
{
  return self->last.params != NULL && may_apply (self, self->last.operation, self->last.serial);
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

void
vg_pipeline_inspect_baseline (VgPipeline *self)
{
  const VgBaselineState now = vg_work_get_baseline (self->compute->work);
  const VgFrame *frame = g_queue_peek_tail (&self->compute->recent);

  if (now == VG_BASELINE_ABSENT && self->compute->baseline != now && frame != NULL)
    vg_time_course_mark (self->course, frame->time_s, N_ ("No baseline"));
  self->compute->baseline = now;
}
