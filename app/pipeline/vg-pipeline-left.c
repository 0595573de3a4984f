/* SPDX-License-Identifier: MIT */
/* What is kept while another view is shown.
 *
 * A live source continues, so that its clock, its counts and its recording do.  Its newest frames
 * wait in its queue until the view returns.  It ends with its input, when another live source of
 * the same view replaces it, and when its input is opened with other read options or settings. Time
 * courses are kept until their view returns; a source that the user opens again begins new ones. */
#include "app/pipeline/vg-compute.h"
#include "io/live/vg-live.h"

enum { MOST_COURSES = 6 };

typedef struct
{
  const VgOperation *operation;
  GStrv inputs;
  char *read_options;
  VgTimeCourse *course;
  VgFollowedRegions *followed;
  guint64 regions_serial;
} VgLeftCourse;

void
vg_left_course_free (gpointer data)
{
  VgLeftCourse *self = data;

  g_strfreev (self->inputs);
  g_free (self->read_options);
  vg_time_course_unref (self->course);
  vg_followed_regions_free (self->followed);
  g_free (self);
}

/* Piped data can be opened only once; computed data start again unless the view is returned to. */
VgInput *
vg_pipeline_find_running (VgPipeline *self, const VgOperation *operation, const char *const *inputs,
                          const char *read_options, gboolean resumes)
{
  for (guint i = 0; i < self->inputs->len; i++)
    {
      VgInput *input = self->inputs->pdata[i];

      if (input->is_running && input->queue.live && !input->queue.is_stopped &&
          vg_input_matches (input, operation, inputs, read_options) &&
          (resumes || !vg_input_is_synthetic (input)))
        return input;
    }
  return NULL;
}

/* --- time courses --- */

static VgLeftCourse *
find_course (VgPipeline *self, const VgInput *input)
{
  for (guint i = 0; i < self->compute->courses->len; i++)
    {
      const VgLeftCourse *left = self->compute->courses->pdata[i];

      if (vg_input_matches (input, left->operation, (const char *const *) left->inputs,
                            left->read_options))
        return g_ptr_array_steal_index (self->compute->courses, i);
    }
  return NULL;
}

static void
save_course (VgPipeline *self, const VgInput *input)
{
  VgLeftCourse *left = find_course (self, input);

  g_clear_pointer (&left, vg_left_course_free);
  left = g_new0 (VgLeftCourse, 1);
  left->operation = input->operation;
  left->inputs = g_strdupv (input->inputs);
  left->read_options = g_strdup (input->read_options);
  left->course = vg_time_course_ref (self->course);
  left->followed = g_steal_pointer (&self->compute->publisher.followed);
  left->regions_serial = self->compute->regions_serial;
  g_ptr_array_add (self->compute->courses, left);
  if (self->compute->courses->len > MOST_COURSES)
    g_ptr_array_remove_index (self->compute->courses, 0);
}

void
vg_pipeline_mark_input (VgPipeline *self, const VgInput *input)
{
  for (guint i = 0; input->marks && i < input->marks->len; i++)
    {
      const VgCurveMark *mark = &g_array_index (input->marks, VgCurveMark, i);

      vg_time_course_mark (self->course, mark->x, mark->label);
    }
}

void
vg_pipeline_restore_course (VgPipeline *self, VgInput *input)
{
  /* a source that the user opens begins new courses, even if it is already running */
  VgLeftCourse *left = input->resumes && (input->is_running || !input->queue.live)
                           ? find_course (self, input)
                           : NULL;
  guint n_courses = 0;

  vg_time_course_unref (self->course);
  g_clear_pointer (&self->compute->publisher.followed, vg_followed_regions_free);
  self->compute->regions_serial = 0;
  if (left)
    {
      self->course = vg_time_course_ref (left->course);
      self->compute->publisher.followed = g_steal_pointer (&left->followed);
      self->compute->regions_serial = left->regions_serial;
      self->compute->publisher.course = self->course;
      vg_left_course_free (left);
      if (!vg_input_is_synthetic (input)) /* its time continued */
        vg_time_course_break (self->course);
      return;
    }
  self->compute->publisher.course = self->course = vg_time_course_new ();
  for (guint i = 0; i < input->operation->n_outputs; i++)
    n_courses += input->operation->outputs[i].time_course;
  vg_time_course_reset (self->course, n_courses);
  vg_pipeline_mark_input (self, input);
}

/* --- sources --- */

/* The frames of the last map are computed first when the view returns. */
static void
put_back_recent (VgPipeline *self, VgInput *input)
{
  VgFrame *frame;

  while ((frame = g_queue_pop_tail (&self->compute->recent)))
    vg_frame_queue_put_back (&input->queue, frame);
}

static void
stop_others (VgPipeline *self, const VgInput *left, const VgInput *next)
{
  for (guint i = 0; i < self->inputs->len; i++)
    {
      VgInput *other = self->inputs->pdata[i];
      gboolean replaced = other != left && other->operation == left->operation && !other->recorder;
      gboolean reread = !vg_input_is_synthetic (other) &&
                        g_strv_equal ((const char *const *) other->inputs,
                                      (const char *const *) next->inputs);

      if (!other->queue.is_detached || other == next || !(replaced || reread))
        continue;
      other->queue.is_detached = FALSE;
      vg_input_stop (other);
      vg_frame_queue_flush (&other->queue);
    }
}

void
vg_pipeline_stop_same_device (VgPipeline *self, const VgInput *next)
{
  for (guint i = 0; next->inputs[0] != NULL && i < self->inputs->len; i++)
    {
      VgInput *other = self->inputs->pdata[i];

      if (other == next || other->queue.is_stopped || other->inputs[0] == NULL ||
          !vg_live_is_same_device (other->inputs[0], next->inputs[0]))
        continue;
      other->queue.is_detached = FALSE;
      vg_input_stop (other);
      vg_frame_queue_flush (&other->queue);
    }
}

void
vg_pipeline_leave_input (VgPipeline *self, VgInput *next)
{
  VgInput *input = self->input;

  if (!input)
    return;
  save_course (self, input);
  vg_frame_queue_abandon (&input->queue);
  if (input->queue.live && !input->queue.is_stopped)
    {
      vg_frame_queue_drop_past (&input->queue);
      if (self->looks_back)
        vg_pipeline_drop_recent (self); /* its newest frames do not follow these */
      put_back_recent (self, input);
      input->queue.is_detached = input != next;
      stop_others (self, input, next);
    }
  else
    {
      vg_input_stop (input);
      vg_frame_queue_flush (&input->queue);
    }
}
