/* SPDX-License-Identifier: MIT */
/* The source thread: opens an input, then reads frames into the queue.  A
 * live source is never made to wait: what compute has not taken is given up
 * for what comes.  A stack is read a few frames ahead, at the chosen pace. */
#include "vg-pipeline-private.h"

#include "vg-error.h"

enum { BAD_IN_A_ROW = 8 };    /* frames that can't be read before a stack is given up */

void
vg_queued_free (VgQueued *queued)
{
  vg_frame_unref (queued->frame);
  g_free (queued);
}

VgFeed *
vg_feed_new (VgPipeline *pipeline, const VgOperation *operation, const void *params,
             const char *const *inputs, const char *geometry)
{
  VgFeed *self = g_new0 (VgFeed, 1);

  self->pipeline = pipeline;
  self->operation = operation;
  self->params = vg_params_copy (&operation->params, params);
  self->inputs = inputs ? g_strdupv ((GStrv) inputs) : g_new0 (char *, 1);
  self->geometry = g_strdup (geometry);
  self->seek_to = -1;
  g_cond_init (&self->wake);
  return self;
}

/* What compute never took was received all the same when it came live. */
void
vg_feed_flush (VgFeed *self)
{
  VgQueued *queued;

  while ((queued = g_queue_pop_head (&self->queue)))
    {
      if (queued->fresh && self->live)
        self->pipeline->superseded++;
      vg_queued_free (queued);
    }
}

void
vg_feed_free (VgFeed *self)
{
  if (self->thread)
    g_thread_join (self->thread);
  while (self->queue.length > 0)
    vg_queued_free (g_queue_pop_head (&self->queue));
  g_clear_pointer (&self->pool, vg_frame_pool_unref);
  g_clear_pointer (&self->image, vg_image_unref);
  vg_params_free (&self->operation->params, self->params);
  g_strfreev (self->inputs);
  g_free (self->geometry);
  g_free (self->first_bad);
  g_clear_error (&self->error);
  g_cond_clear (&self->wake);
  g_free (self);
}

void
vg_feed_stop (VgFeed *self)
{
  self->stop = TRUE;
  if (self->source)
    vg_source_cancel (self->source);
  g_cond_signal (&self->wake);
}

void
vg_feed_seek (VgFeed *self, gint64 frame, gboolean fresh)
{
  vg_feed_flush (self);
  self->seek_to = CLAMP (frame, 0, MAX (self->info.frames, 1) - 1);
  self->next = MAX (self->seek_to - self->history, 0);
  self->restart = TRUE;
  self->seek_fresh = fresh;
  self->seek_serial++;
  self->ended = self->end_seen = FALSE;
  self->due_us = 0;
  g_cond_signal (&self->wake);
}

void
vg_feed_drop_oldest (VgFeed *self)
{
  VgQueued *queued = g_queue_pop_head (&self->queue);

  if (!queued)
    return;
  self->pipeline->superseded++;
  vg_queued_free (queued);
}

void
vg_feed_read_again (VgFeed *self, gint64 current)
{
  gboolean fresh = FALSE;

  if (self->seek_to >= 0)
    {
      current = self->seek_to;
      fresh = self->seek_fresh;
    }
  for (GList *link = self->queue.head; link; link = link->next)
    {
      const VgQueued *queued = link->data;

      if (queued->wanted && !queued->preroll)
        {
          current = queued->frame->index;
          fresh = queued->fresh;
        }
    }
  vg_feed_seek (self, current, fresh);
}

static void
push (VgFeed *self, const VgQueued *queued)
{
  g_queue_push_tail (&self->queue, g_memdup2 (queued, sizeof *queued));
  g_cond_signal (&self->pipeline->wake);
}

/* The end, with or without an error, which is taken. */
static void
end (VgFeed *self, GError *error)
{
  if (error && !self->error)
    self->error = error;
  else
    g_clear_error (&error);
  self->ended = TRUE;
  g_cond_signal (&self->pipeline->wake);
}

/* --- live --- */

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

static void
take_in (VgFeed *self, VgFrame *frame, guint64 missing)
{
  VgPipeline *pipeline = self->pipeline;
  const VgQueued queued = { .frame = frame, .fresh = TRUE };

  g_mutex_lock (&pipeline->lock);
  pipeline->received += 1 + missing;
  pipeline->lost += missing;
  if (pipeline->recorder && pipeline->recorded == self)
    {
      if (missing > 0)
        vg_recorder_miss (pipeline->recorder, missing);
      vg_recorder_push (pipeline->recorder, frame);
    }
  if (self->queue.length >= self->queue_max)
    vg_feed_drop_oldest (self);
  push (self, &queued);
  g_mutex_unlock (&pipeline->lock);
}

static gboolean
stopped (VgFeed *self)
{
  gboolean stop;

  g_mutex_lock (&self->pipeline->lock);
  stop = self->stop;
  g_mutex_unlock (&self->pipeline->lock);
  return stop;
}

static void
read_live (VgFeed *self)
{
  GError *error = NULL;
  gboolean first = TRUE;
  guint64 last = 0;

  while (!stopped (self))
    {
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
      take_in (self, frame, missing);
    }
  g_mutex_lock (&self->pipeline->lock);
  end (self, error);
  g_mutex_unlock (&self->pipeline->lock);
}

/* --- stacks --- */

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
  *order = (Order) { .serial = self->seek_serial };
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
          end (self, NULL);
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
time_of (const VgImageInfo *info, gint64 index)
{
  return info->frame_interval_s > 0 ? (double) index * info->frame_interval_s : (double) index;
}

static void
deliver (VgFeed *self, const Order *order, VgFrame *frame)
{
  VgPipeline *pipeline = self->pipeline;
  const VgQueued queued = { .frame = frame, .preroll = order->preroll, .wanted = order->wanted,
                            .restart = order->restart, .fresh = order->fresh };

  if (pipeline->recorder && pipeline->recorded == self && order->fresh)
    vg_recorder_push (pipeline->recorder, frame);
  self->restart = FALSE;
  self->next = order->index + 1;
  if (order->wanted && !order->preroll)
    self->seek_to = -1;
  push (self, &queued);
}

/* A frame that can't be read is passed over, and said once; a wanted one ends
 * the wish for it. */
static void
pass_over (VgFeed *self, const Order *order, guint *bad_in_a_row, GError *error)
{
  VgPipeline *pipeline = self->pipeline;

  if (order->fresh)
    {
      pipeline->received++;
      pipeline->bad++;
    }
  self->next = order->index + 1;
  self->restart = TRUE;
  if (order->wanted && !order->preroll)
    self->seek_to = -1;
  if (++*bad_in_a_row >= MIN (BAD_IN_A_ROW, self->info.frames))
    {
      end (self, error);
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

  while (!(frame = vg_frame_pool_take (self->pool, error)) && !*error && !stopped (self))
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
      frame->time_s = time_of (&self->info, order->index);
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
        end (self, error);
      else
        pass_over (self, order, bad_in_a_row, error);
    }
}

static void
read_stack (VgFeed *self)
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

/* --- opening --- */

static void
open_input (VgFeed *self, VgSource **source, VgImage **image, GError **error)
{
  const VgPipelineHooks *hooks = &self->pipeline->hooks;
  const char *const *inputs = (const char *const *) self->inputs;

  if (self->operation->input == VG_INPUT_STREAM)
    *source = hooks->open_source (hooks->data, self->operation, self->params, inputs, self->geometry, error);
  else if (self->operation->input == VG_INPUT_DATASET)
    *image = vg_work_load_dataset (self->operation, self->params, inputs, self->geometry,
                                   self->operation->synthetic ? &self->operation->synthetic->live : NULL, error);
}

/* Leaves the lock held. */
static void
opened (VgFeed *self, VgSource *source, VgImage *image, GError *error)
{
  g_mutex_lock (&self->pipeline->lock);
  self->source = source;
  self->image = image;
  self->error = error;
  if (source || image)
    {
      self->info = source ? source->info : image->info;
      self->has_info = TRUE;
      self->live = source && source->info.frames < 0;
    }
  self->opened = TRUE;
  g_cond_signal (&self->pipeline->wake);
}

static gpointer
feed_thread (gpointer data)
{
  VgFeed *self = data;
  VgPipeline *pipeline = self->pipeline;
  VgSource *source = NULL;
  VgImage *image = NULL;
  GError *error = NULL;
  gboolean read;

  open_input (self, &source, &image, &error);
  opened (self, source, image, error);
  while (!self->stop && !self->running)
    g_cond_wait (&self->wake, &pipeline->lock);
  read = source && !self->stop;
  g_mutex_unlock (&pipeline->lock);

  if (read && self->live)
    read_live (self);
  else if (read)
    read_stack (self);

  g_mutex_lock (&pipeline->lock);
  self->source = NULL;
  g_mutex_unlock (&pipeline->lock);
  g_clear_pointer (&source, vg_source_close);
  g_mutex_lock (&pipeline->lock);
  self->done = TRUE;
  g_cond_signal (&pipeline->wake);
  g_mutex_unlock (&pipeline->lock);
  return NULL;
}

void
vg_feed_start (VgFeed *self)
{
  self->thread = g_thread_new ("vg-source", feed_thread, self);
}
