/* SPDX-License-Identifier: MIT */
/* What has been followed in regions over time. */
#include "app/pipeline/vg-pipeline-private.h"

VgCurves *
vg_pipeline_time_course (VgPipeline *self, int output)
{
  g_autoptr (VgTimeCourse) course = NULL;
  const VgOperation *operation;
  const VgOutput *followed;
  gboolean timed;
  guint row = 0;
  VgCurves *curves;

  g_mutex_lock (&self->lock);
  operation = self->operation;
  timed = self->input && (self->input->queue.live || self->input->info.frame_interval_s > 0);
  course = vg_time_course_ref (self->course);
  g_mutex_unlock (&self->lock);
  if (!operation || output < 0 || (guint) output >= operation->n_outputs ||
      !operation->outputs[output].time_course)
    return NULL;
  for (int i = 0; i < output; i++)
    row += operation->outputs[i].time_course;
  followed = &operation->outputs[output];
  curves = vg_curves_new (followed->label, timed ? "Time" : "Frame", timed ? "s" : "",
                          followed->label, followed->unit);
  vg_time_course_get (course, row, curves);
  return curves;
}

void
vg_pipeline_clear_time_course (VgPipeline *self)
{
  g_autoptr (VgTimeCourse) course = NULL;

  g_mutex_lock (&self->lock);
  course = vg_time_course_ref (self->course);
  g_mutex_unlock (&self->lock);
  vg_time_course_clear (course);
}
