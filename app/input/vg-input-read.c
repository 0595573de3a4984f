/* SPDX-License-Identifier: MIT */
/* The source thread's reading: a live source never waits for compute, a stack is read a few frames
 * ahead. */
#include "app/input/vg-input.h"

enum { POOL_WAIT_US = 20000 }; /* for a frame's memory, between two checks of is_stopped */

/* NULL without an error: the input is stopped.  A live source gives up its oldest frame to get
 * memory. */
static VgFrame *
take_memory (VgInput *self, GError **error)
{
  VgFrame *frame;

  while (!(frame = vg_frame_pool_take (self->pool, error)) && !*error)
    {
      gboolean is_stopped, is_free;

      g_mutex_lock (self->queue.lock);
      if (self->queue.live)
        vg_frame_queue_drop_oldest (&self->queue);
      is_free = self->look_back && vg_look_back_free_oldest (self->look_back);
      is_stopped = self->queue.is_stopped;
      g_mutex_unlock (self->queue.lock);
      if (is_stopped)
        return NULL;
      if (!is_free)
        vg_frame_pool_wait (self->pool, POOL_WAIT_US);
    }
  return frame;
}

/* --- live --- */

/* The source skipped MISSING frames before FRAME; ON_DEMAND: because it was paused. */
static void
add_live (VgInput *self, VgFrame *frame, guint64 missing, gboolean on_demand)
{
  g_mutex_lock (self->queue.lock);
  if (self->queue.is_stopped)
    vg_frame_unref (frame);
  else
    {
      if (self->recorder && missing > 0 && !on_demand)
        vg_recorder_add_missed (self->recorder, missing);
      if (self->recorder)
        {
          vg_recorder_go_first ();
          vg_recorder_push (self->recorder, frame);
        }
      if (self->look_back)
        vg_look_back_add (self->look_back, frame);
      self->bad = 0;
      vg_frame_queue_add_live (&self->queue, frame, missing,
                               !on_demand && !self->source->info.gathers, frame->interrupted);
    }
  g_mutex_unlock (self->queue.lock);
}

/* The source skipped MISSING frames, and then a damaged one, as ERROR, which is taken, says. */
static void
skip_live (VgInput *self, guint64 missing, gboolean on_demand, GError *error)
{
  g_mutex_lock (self->queue.lock);
  if (self->recorder && !on_demand)
    vg_recorder_add_missed (self->recorder, missing + 1);
  self->bad += on_demand ? 1 : missing + 1;
  vg_frame_queue_skip_live (&self->queue, missing, !on_demand && !self->source->info.gathers,
                            error);
  g_mutex_unlock (self->queue.lock);
}

/* TRUE: nothing waits for a frame of a synthetic source, because another view is shown, or because
 * the view is paused and has a frame.  A recording takes all frames. */
static gboolean
is_at_rest (const VgInput *self)
{
  const VgFrameQueue *queue = &self->queue;

  return vg_input_is_synthetic (self) && !self->recorder && !queue->is_stopped &&
         (queue->is_detached || (!queue->playback->playing && queue->frames.length > 0));
}

/* FALSE: the input is stopped. */
static gboolean
wait_for_demand (VgInput *self, gboolean *paused)
{
  gboolean is_stopped;

  *paused = FALSE;
  g_mutex_lock (self->queue.lock);
  while (is_at_rest (self))
    {
      *paused = TRUE;
      g_cond_wait (&self->queue.room, self->queue.lock);
    }
  is_stopped = self->queue.is_stopped;
  g_mutex_unlock (self->queue.lock);
  return !is_stopped;
}

static void
read_live (VgInput *self)
{
  gboolean is_first = TRUE, paused;
  GError *error = NULL;
  guint64 last = 0;

  while (wait_for_demand (self, &paused))
    {
      VgFrame *frame = take_memory (self, &error);
      gboolean is_good = frame && vg_frame_read (frame, self->source, 0, &error);
      guint64 missing;

      if (!is_good && !(frame && g_error_matches (error, VG_IO_ERROR, VG_IO_ERROR_FRAME)))
        {
          g_clear_pointer (&frame, vg_frame_unref);
          break;
        }
      missing = !is_first && frame->id > last + 1 ? frame->id - last - 1 : 0;
      last = frame->id;
      is_first = FALSE;
      if (is_good)
        {
          add_live (self, frame, missing, paused);
          continue;
        }
      vg_frame_unref (frame);
      skip_live (self, missing, paused, g_steal_pointer (&error));
    }
  g_mutex_lock (self->queue.lock);
  vg_frame_queue_end (&self->queue, error);
  g_mutex_unlock (self->queue.lock);
}

/* --- a stack --- */

static void
read_ordered (VgInput *self, const VgQueuedFrame *order)
{
  GError *error = NULL;
  VgFrame *frame = take_memory (self, &error);
  gboolean no_memory = !frame;

  if (frame && !vg_frame_read (frame, self->source, order->index, &error))
    g_clear_pointer (&frame, vg_frame_unref);
  else if (frame && !self->source->times_s && !(self->source->info.frame_interval_s > 0))
    frame->time_s = (double) order->index; /* time courses count frames */
  g_mutex_lock (self->queue.lock);
  if (!frame)
    vg_frame_queue_skip (&self->queue, order, no_memory, error);
  else if (vg_frame_queue_add (&self->queue, order, frame) && order->fresh && self->recorder)
    vg_recorder_push (self->recorder, frame);
  g_mutex_unlock (self->queue.lock);
}

static void
read_stack (VgInput *self)
{
  gboolean is_stopped = FALSE;

  while (!is_stopped)
    {
      VgQueuedFrame order;
      gboolean has_order;

      g_mutex_lock (self->queue.lock);
      is_stopped = self->queue.is_stopped;
      has_order = !is_stopped && vg_frame_queue_next (&self->queue, &order);
      g_mutex_unlock (self->queue.lock);
      if (has_order)
        read_ordered (self, &order);
    }
}

void
vg_input_read (VgInput *self)
{
  if (self->queue.live)
    read_live (self);
  else
    read_stack (self);
}
