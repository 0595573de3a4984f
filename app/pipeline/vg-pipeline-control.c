/* SPDX-License-Identifier: MIT */
/* Play, pause, seek and cancel, called by the main thread. */
#include "app/pipeline/vg-pipeline-private.h"

static void
wake_all (VgPipeline *self)
{
  g_cond_signal (&self->wake);
  if (self->input)
    g_cond_signal (&self->input->queue.room);
}

static gboolean
is_stack (VgPipeline *self)
{
  return self->input && self->input->source && !self->input->queue.live;
}

void
vg_pipeline_set_playback (VgPipeline *self, double fps, gboolean loop)
{
  g_mutex_lock (&self->lock);
  self->playback.fps = CLAMP (fps, 0, 1e6);
  self->playback.loop = loop;
  if (self->input)
    self->input->queue.due_us = 0;
  wake_all (self);
  g_mutex_unlock (&self->lock);
}

/* A simulation or a data set. */
static gboolean
is_whole (VgPipeline *self)
{
  return self->input && self->input->operation->input.kind != VG_INPUT_STREAM;
}

void
vg_pipeline_play (VgPipeline *self)
{
  g_mutex_lock (&self->lock);
  if (self->input && !(self->input->queue.live && self->input->queue.end_seen))
    {
      if (is_stack (self) && self->input->queue.has_ended)
        vg_frame_queue_seek (&self->input->queue, 0, TRUE);
      if (self->unprepared)
        self->wanted.again = TRUE;
      if (is_whole (self) && (self->state == VG_PIPELINE_FAILED ||
                              (self->state == VG_PIPELINE_FINISHED && !self->cancelled)))
        self->wanted.again = TRUE;
      if (self->input->queue.live && self->state == VG_PIPELINE_PAUSED && self->course)
        vg_time_course_break (self->course); /* the frames meanwhile were not computed */
      if (self->input->queue.live && self->state == VG_PIPELINE_PAUSED &&
          vg_input_is_synthetic (self->input))
        vg_frame_queue_flush (&self->input->queue); /* a frame from the beginning of the pause */
      vg_pipeline_leave_past (self);
      self->input->queue.due_us = 0;
      self->wanted.steps = 0;
      self->cancelled = FALSE;
      vg_pipeline_set_state (self, VG_PIPELINE_RUNNING);
      wake_all (self);
    }
  g_mutex_unlock (&self->lock);
}

void
vg_pipeline_pause (VgPipeline *self)
{
  g_mutex_lock (&self->lock);
  if (self->state == VG_PIPELINE_RUNNING)
    {
      vg_pipeline_set_state (self, VG_PIPELINE_PAUSED);
      wake_all (self);
    }
  g_mutex_unlock (&self->lock);
}

void
vg_pipeline_step (VgPipeline *self)
{
  g_mutex_lock (&self->lock);
  if (is_whole (self) &&
      (self->state == VG_PIPELINE_RUNNING || self->state == VG_PIPELINE_PAUSED || self->cancelled))
    {
      self->wanted.steps++;
      self->cancelled = FALSE;
      vg_pipeline_set_state (self, VG_PIPELINE_PAUSED);
      wake_all (self);
    }
  g_mutex_unlock (&self->lock);
}

void
vg_pipeline_seek (VgPipeline *self, gint64 frame)
{
  g_mutex_lock (&self->lock);
  if (is_stack (self))
    {
      vg_frame_queue_seek (&self->input->queue, frame, TRUE);
      self->cancelled = FALSE;
      if (self->state != VG_PIPELINE_RUNNING)
        vg_pipeline_set_state (self, VG_PIPELINE_PAUSED);
      wake_all (self);
    }
  g_mutex_unlock (&self->lock);
}

/* TRUE: the map of a live source takes long, and no other was cancelled since the last map.  The
 * next frame's map may be quick; a second cancellation ends the source. */
static gboolean
computes_live_map (VgPipeline *self)
{
  return self->input->queue.live && !self->input->queue.end_seen && self->busy_us > 0 &&
         !self->map_cancelled;
}

void
vg_pipeline_stop_opening (VgPipeline *self)
{
  if (self->pending)
    {
      VgInput *pending = g_steal_pointer (&self->pending);

      vg_input_cancel_opening (pending, pending == self->input);
      vg_pipeline_drop_opening (self);
    }
  if (self->preparation != VG_PREPARATION_RUNNING)
    return;
  vg_pipeline_drop_opening (self);
  self->preparation = VG_PREPARATION_CANCELLED;
  g_atomic_int_set (&self->stop, 1);
}

/* A cancelled opening leaves the input before in use; cancelled work ends where it is. */
void
vg_pipeline_cancel (VgPipeline *self)
{
  g_mutex_lock (&self->lock);
  if (self->pending || self->preparation != VG_PREPARATION_NONE)
    {
      vg_pipeline_stop_opening (self);
      vg_pipeline_post (self, VG_POST_STATE);
    }
  else if (self->input && self->state != VG_PIPELINE_FAILED && computes_live_map (self))
    {
      self->map_cancelled = TRUE;
      g_atomic_int_set (&self->stop, 1);
    }
  else if (self->input && self->state != VG_PIPELINE_FAILED)
    {
      self->cancelled = TRUE;
      self->cancelled_serial = self->wanted.serial;
      g_atomic_int_set (&self->stop, 1);
      if (self->input->queue.live)
        vg_input_stop (self->input);
      vg_pipeline_set_state (self, VG_PIPELINE_FINISHED);
    }
  wake_all (self);
  g_mutex_unlock (&self->lock);
}

gboolean
vg_pipeline_is_cancelled (VgPipeline *self)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  return self->cancelled && self->state == VG_PIPELINE_FINISHED;
}

const VgSampleEvent *
vg_pipeline_get_event (VgPipeline *self, gboolean *on)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);
  const VgSource *source = self->input != NULL ? self->input->source : NULL;

  *on = source != NULL && source->event_on;
  return source != NULL ? source->event : NULL;
}

gboolean
vg_pipeline_trigger (VgPipeline *self, gboolean on, double *time_s)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);
  VgSource *source = self->input != NULL ? self->input->source : NULL;

  if (source == NULL || source->event == NULL || source->event_on == on)
    return FALSE;
  *time_s = vg_source_trigger (source, on);
  return TRUE;
}
