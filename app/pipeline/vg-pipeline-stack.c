/* SPDX-License-Identifier: MIT */
/* Reading a stack: a few frames ahead, at the chosen pace, and after a seek
 * the wanted frame with its history. */
#include "kernels/base/vg-error.h"
#include "app/pipeline/vg-pipeline-private.h"

enum { BAD_IN_A_ROW = 8 }; /* frames that can't be read before a stack is given up */

/* A frame to read, and what for. */
typedef struct
{
  gint64 index;
  gboolean preroll, wanted, restart, fresh;
  guint serial;
} Order;

static gboolean
at_end (VgFeed *self)
{
  if (self->next < self->info.frames)
    return FALSE;
  if (!self->pipeline->wanted.loop || self->info.frames < 2)
    return TRUE;
  self->next = 0;
  self->restart = TRUE;
  return FALSE;
}

static gboolean
is_due (VgFeed *self)
{
  const double fps = self->pipeline->wanted.fps;
  gint64 now = g_get_monotonic_time ();
  gint64 interval;

  if (fps <= 0)
    return TRUE;
  if (self->due_us > now)
    {
      g_cond_wait_until (&self->wake, &self->pipeline->lock, self->due_us);
      return FALSE;
    }
  interval = (gint64) (1e6 / fps);
  /* late by more than a frame: the pace starts anew, it does not catch up */
  self->due_us = (now - self->due_us > interval ? now : self->due_us) + interval;
  return TRUE;
}

/* FALSE: nothing to read now, after waiting for a reason to ask again.  The
 * lock is held. */
static gboolean
next_order (VgFeed *self, Order *order)
{
  *order = (Order){ .serial = self->seek_serial };
  if (self->seek_to >= 0)
    {
      order->wanted = TRUE;
      order->preroll = self->next < self->seek_to;
      order->fresh = !order->preroll && self->seek_fresh;
    }
  else
    {
      if (!self->pipeline->wanted.playing || self->ended)
        {
          g_cond_wait (&self->wake, &self->pipeline->lock);
          return FALSE;
        }
      if (at_end (self))
        {
          vg_feed_end (self, NULL);
          return FALSE;
        }
      if (self->queue.length >= self->queue_max)
        {
          g_cond_wait (&self->wake, &self->pipeline->lock);
          return FALSE;
        }
      if (!is_due (self))
        return FALSE;
      order->fresh = TRUE;
    }
  order->index = self->next;
  order->restart = self->restart;
  return TRUE;
}

static double
time_of (const VgSource *source, gint64 index)
{
  const VgImageInfo *info = &source->info;

  if (source->times_s)
    return source->times_s[index];
  return info->frame_interval_s > 0 ? (double) index * info->frame_interval_s : (double) index;
}

static void
deliver (VgFeed *self, const Order *order, VgFrame *frame)
{
  VgPipeline *pipeline = self->pipeline;
  const VgQueued queued = { .frame = frame,
                            .preroll = order->preroll,
                            .wanted = order->wanted,
                            .restart = order->restart,
                            .fresh = order->fresh };

  if (pipeline->recorded == self && order->fresh)
    vg_recorder_push (pipeline->recorder, frame);
  self->restart = FALSE;
  self->next = order->index + 1;
  if (order->wanted && !order->preroll)
    self->seek_to = -1;
  vg_feed_push (self, &queued);
}

/* A frame that can't be read is passed over, and said once; a wanted one ends
 * the wish for it. */
static void
pass_over (VgFeed *self, const Order *order, guint *bad_in_a_row, GError *error)
{
  VgPipeline *pipeline = self->pipeline;

  if (order->fresh)
    {
      self->received++;
      self->bad++;
    }
  self->next = order->index + 1;
  self->restart = TRUE;
  if (order->wanted && !order->preroll)
    self->seek_to = -1;
  if (++*bad_in_a_row >= MIN (BAD_IN_A_ROW, self->info.frames))
    {
      vg_feed_end (self, error);
      return;
    }
  if (*bad_in_a_row == 1 && !self->first_bad)
    self->first_bad = g_strdup (error->message);
  g_error_free (error);
  g_cond_signal (&pipeline->wake);
}

static VgFrame *
take_stack_frame (VgFeed *self, GError **error)
{
  VgFrame *frame;

  while (!(frame = vg_frame_pool_take (self->pool, error)) && !*error && !vg_feed_is_stopped (self))
    vg_frame_pool_wait (self->pool, 20000);
  return frame;
}

/* Reads one frame without the lock, then takes it; drops what is no longer wanted. */
static void
read_one (VgFeed *self, const Order *order, guint *bad_in_a_row)
{
  VgPipeline *pipeline = self->pipeline;
  GError *error = NULL;
  VgFrame *frame = take_stack_frame (self, &error);
  gboolean good = frame && vg_source_read (self->source, order->index, frame->data, &error);

  if (good)
    {
      frame->id = (guint64) order->index;
      frame->index = order->index;
      frame->time_us = g_get_monotonic_time ();
      frame->time_s = time_of (self->source, order->index);
    }
  g_mutex_lock (&pipeline->lock);
  if (order->serial != self->seek_serial || self->stop)
    {
      g_clear_pointer (&frame, vg_frame_unref);
      g_clear_error (&error);
    }
  else if (good)
    {
      *bad_in_a_row = 0;
      deliver (self, order, frame);
    }
  else
    {
      gboolean no_memory = !frame;

      g_clear_pointer (&frame, vg_frame_unref);
      if (no_memory)
        vg_feed_end (self, error);
      else
        pass_over (self, order, bad_in_a_row, error);
    }
}

void
vg_feed_read_stack (VgFeed *self)
{
  VgPipeline *pipeline = self->pipeline;
  guint bad_in_a_row = 0;
  Order order;

  g_mutex_lock (&pipeline->lock);
  while (!self->stop)
    if (next_order (self, &order))
      {
        g_mutex_unlock (&pipeline->lock);
        read_one (self, &order, &bad_in_a_row);
      }
  g_mutex_unlock (&pipeline->lock);
}
