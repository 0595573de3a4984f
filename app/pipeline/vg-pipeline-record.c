/* SPDX-License-Identifier: MIT */
/* Recording, which belongs to the source: which view is looked at makes no difference to it.  And
 * to whom the maps are sent, and the line that is followed in them. */
#include "kernels/base/vg-error.h"
#include "app/pipeline/vg-pipeline-private.h"

enum { MOST_ROWS = 4096 }; /* of a kymograph */

static void
detach_recorder (VgPipeline *self)
{
  for (guint i = 0; i < self->inputs->len; i++)
    ((VgInput *) self->inputs->pdata[i])->recorder = NULL;
}

/* Recorder thread. */
static void
on_ended (gpointer data)
{
  VgPipeline *self = data;

  g_mutex_lock (&self->lock);
  detach_recorder (self);
  vg_pipeline_post (self, VG_POST_RECORDED);
  g_mutex_unlock (&self->lock);
}

/* The marks that the user set since FROM_S. */
static void
push_marks (VgPipeline *self, double from_s)
{
  g_autoptr (GArray) marks = vg_time_course_get_marks (self->course, from_s);

  for (guint i = 0; i < marks->len; i++)
    {
      const VgCurveMark *mark = &g_array_index (marks, VgCurveMark, i);

      vg_recorder_add_mark (self->recorder, mark->x, mark->label);
    }
}

/* Gives the recorder what INPUT keeps from FROM_US on; the lock is held, so that the next frame
 * that the source thread pushes is the one after it. */
static void
push_past (VgPipeline *self, VgInput *input, gint64 from_us)
{
  const VgLookBack *kept = input->look_back;
  const guint n = kept != NULL ? vg_look_back_get_n (kept) : 0;
  guint first = 0;

  while (first < n && vg_look_back_get (kept, first)->time_us < from_us)
    first++;
  if (first == n)
    return;
  push_marks (self, vg_look_back_get (kept, first)->time_s);
  vg_look_back_record (kept, first, n - first, self->recorder);
  vg_recorder_add_missed (self->recorder, input->bad);
}

gboolean
vg_pipeline_record_start (VgPipeline *self, const char *path, gint64 from_us, GError **error)
{
  VgImageInfo info = { 0 };
  gboolean stream;
  VgInput *input;

  if (self->recorder)
    {
      g_set_error_literal (error, VG_USAGE_ERROR, 0, "a recording is running; stop it first");
      return FALSE;
    }
  g_mutex_lock (&self->lock);
  input = self->input;
  stream = input && input->source;
  if (stream)
    info = input->info;
  g_mutex_unlock (&self->lock);
  if (!stream)
    {
      g_set_error_literal (error, VG_USAGE_ERROR, 0,
                           "there are no frames to record; open a stream first");
      return FALSE;
    }
  self->recorder = vg_recorder_new (&info, path, TRUE, on_ended, self, error);
  if (!self->recorder)
    return FALSE;
  g_mutex_lock (&self->lock);
  if (g_ptr_array_find (self->inputs, input, NULL) && info.frames < 0)
    vg_recorder_set_source (self->recorder, input->source->details, input->source->name);
  if (g_ptr_array_find (self->inputs, input, NULL))
    push_past (self, input, from_us);
  if (g_ptr_array_find (self->inputs, input, NULL) && !input->queue.has_ended &&
      !input->queue.is_stopped)
    {
      input->recorder = self->recorder;
      g_cond_signal (&input->queue.room); /* paused sample data wait there */
    }
  else
    vg_recorder_end (self->recorder); /* it has ended meanwhile */
  g_mutex_unlock (&self->lock);
  return TRUE;
}

gboolean
vg_pipeline_record_get_status (VgPipeline *self, VgRecording *now)
{
  if (self->recorder)
    vg_recorder_get_status (self->recorder, now);
  return self->recorder != NULL;
}

void
vg_pipeline_record_end (VgPipeline *self)
{
  g_mutex_lock (&self->lock);
  detach_recorder (self);
  if (self->recorder)
    vg_recorder_end (self->recorder);
  g_mutex_unlock (&self->lock);
}

gboolean
vg_pipeline_record_stop (VgPipeline *self, VgRecording *report, GError **error)
{
  if (!self->recorder)
    {
      g_set_error_literal (error, VG_USAGE_ERROR, 0, "no recording is running");
      return FALSE;
    }
  vg_pipeline_record_end (self);
  return vg_recorder_stop (g_steal_pointer (&self->recorder), report, error);
}

void
vg_pipeline_set_sender (VgPipeline *self, VgSender *sender)
{
  g_autoptr (VgSender) before = NULL;

  if (sender)
    vg_sender_ref (sender);
  g_mutex_lock (&self->lock);
  before = self->sender;
  self->sender = sender;
  g_mutex_unlock (&self->lock);
}

VgKymograph *
vg_pipeline_follow_line (VgPipeline *self, guint output, const VgProfileLine *line)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  if (!line || !self->kymograph || !vg_kymograph_is_of (self->kymograph, output, line))
    {
      g_clear_pointer (&self->kymograph, vg_kymograph_unref);
      if (line)
        self->kymograph = vg_kymograph_new (output, line, MOST_ROWS);
    }
  return self->kymograph ? vg_kymograph_ref (self->kymograph) : NULL;
}
