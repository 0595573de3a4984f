/* SPDX-License-Identifier: MIT */
/* The time courses and their marks, which are read at once. */
#include <math.h>
#include "app/pipeline/vg-compute.h"
#include "app/pipeline/vg-pipeline-private.h"

/* What the value of output I in a region is: "Flow index, mean", and of a ratio the quotient of the
 * sums over the region; owned. */
static char *
name_mean (const VgOperation *operation, guint i, const char *label)
{
  return vg_operation_get_role (operation, VG_ROLE_NUMERATOR, operation->outputs[i].id) != NULL
             ? g_strdup_printf ("%s, ratio of the means", label)
             : g_strdup_printf ("%s, mean", label);
}

VgCurves *
vg_pipeline_time_course (VgPipeline *self, int output)
{
  g_autoptr (VgTimeCourse) course = NULL;
  const VgOperation *operation;
  const char *name = NULL;
  gboolean timed, followed;
  g_autofree char *label = NULL;
  guint row = 0;
  VgCurves *curves;

  g_mutex_lock (&self->lock);
  operation = self->operation;
  timed = self->input && (self->input->queue.live || self->input->info.frame_interval_s > 0);
  course = vg_time_course_ref (self->course);
  followed = operation && output >= 0 && (guint) output < operation->n_outputs &&
             operation->outputs[output].time_course;
  if (followed)
    name = self->wanted.operation == operation && self->wanted.params != NULL
               ? vg_operation_output_label (operation, (guint) output, self->wanted.params)
               : operation->outputs[output].label;
  g_mutex_unlock (&self->lock);
  if (!followed)
    return NULL;
  for (int i = 0; i < output; i++)
    row += operation->outputs[i].time_course;
  label = name_mean (operation, (guint) output, name);
  curves = vg_curves_new (name, timed ? "Time" : "Frame", timed ? "s" : "", label,
                          operation->outputs[output].unit);
  vg_time_course_get (course, row, curves);
  return curves;
}

void
vg_pipeline_clear_time_course (VgPipeline *self)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  vg_time_course_clear (self->course);
  if (self->input)
    vg_pipeline_mark_input (self, self->input);
}

/* The number of the frame at MARK, from 1. */
static double
find_number (const VgInput *input, const VgCurveMark *mark)
{
  return input->source ? (double) vg_source_find_frame (input->source, mark->x) + 1 : NAN;
}

GArray *
vg_pipeline_get_marks (VgPipeline *self, gboolean by_frame)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);
  GArray *marks = self->course ? vg_time_course_get_marks (self->course, -INFINITY)
                               : g_array_new (FALSE, FALSE, sizeof (VgCurveMark));

  for (guint i = 0; by_frame && i < marks->len; i++)
    {
      VgCurveMark *mark = &g_array_index (marks, VgCurveMark, i);

      mark->x = self->input ? find_number (self->input, mark) : NAN;
    }
  return marks;
}

void
vg_pipeline_mark_time (VgPipeline *self, double time_s, const char *label)
{
  if (self->recorder)
    vg_recorder_add_mark (self->recorder, time_s, label);
  g_mutex_lock (&self->lock);
  vg_time_course_mark (self->course, time_s, g_intern_string (label));
  g_mutex_unlock (&self->lock);
}
