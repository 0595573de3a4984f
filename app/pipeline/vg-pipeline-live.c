/* SPDX-License-Identifier: MIT */
/* Reading a live source, which is never made to wait: what compute has not
 * taken is given up for what comes. */
#include "app/pipeline/vg-pipeline-private.h"

static VgFrame *
take_live_frame (VgFeed *self, GError **error)
{
  VgPipeline *pipeline = self->pipeline;
  VgFrame *frame;

  while (!(frame = vg_frame_pool_take (self->pool, error)) && !*error)
    {
      gboolean stop;

      g_mutex_lock (&pipeline->lock);
      vg_feed_drop_oldest (self);
      stop = self->stop;
      g_mutex_unlock (&pipeline->lock);
      if (stop)
        return NULL;
      vg_frame_pool_wait (self->pool, 20000);
    }
  return frame;
}

/* MISSING frames before it were skipped by the source; UNASKED: because nobody wanted them. */
static void
take_in (VgFeed *self, VgFrame *frame, guint64 missing, gboolean unasked)
{
  VgPipeline *pipeline = self->pipeline;
  const VgQueued queued = { .frame = frame, .fresh = TRUE };

  g_mutex_lock (&pipeline->lock);
  if (self->stop)
    {
      g_mutex_unlock (&pipeline->lock);
      vg_frame_unref (frame);
      return;
    }
  self->received += 1 + missing;
  if (self->source->info.gathers || unasked)
    self->superseded += missing;
  else
    self->lost += missing;
  if (pipeline->recorded == self)
    {
      if (missing > 0 && !unasked)
        vg_recorder_miss (pipeline->recorder, missing);
      vg_recorder_push (pipeline->recorder, frame);
    }
  while (self->queue.length >= self->queue_max)
    vg_feed_drop_oldest (self);
  vg_feed_push (self, &queued);
  g_mutex_unlock (&pipeline->lock);
}

/* Pauses a source that computes frames on demand while no view shows them.  TRUE: it was paused. */
static gboolean
rest (VgFeed *self)
{
  VgPipeline *pipeline = self->pipeline;
  gboolean rested = FALSE;

  g_mutex_lock (&pipeline->lock);
  while (self->aside && vg_feed_is_made (self) && pipeline->recorded != self && !self->stop)
    {
      rested = TRUE;
      g_cond_wait (&self->wake, &pipeline->lock);
    }
  g_mutex_unlock (&pipeline->lock);
  return rested;
}

void
vg_feed_read_live (VgFeed *self)
{
  GError *error = NULL;
  gboolean first = TRUE;
  guint64 last = 0;

  while (!vg_feed_is_stopped (self))
    {
      gboolean rested = rest (self);
      VgFrame *frame = take_live_frame (self, &error);
      guint64 missing;

      if (!frame)
        break;
      if (!vg_source_next (self->source, frame->data, &frame->id, &frame->time_s, &error))
        {
          vg_frame_unref (frame);
          break;
        }
      frame->time_us = g_get_monotonic_time ();
      frame->index = (gint64) frame->id;
      missing = !first && frame->id > last + 1 ? frame->id - last - 1 : 0;
      last = frame->id;
      first = FALSE;
      take_in (self, frame, missing, rested);
    }
  g_mutex_lock (&self->pipeline->lock);
  vg_feed_end (self, error);
  g_mutex_unlock (&self->pipeline->lock);
}
