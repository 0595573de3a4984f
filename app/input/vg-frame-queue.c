/* SPDX-License-Identifier: MIT */
/* The frames between reading and computing, and their counts. */
#include "app/input/vg-frame-queue.h"

enum { MAX_BAD_IN_A_ROW = 8 }; /* unreadable frames that end a stack */

void
vg_frame_queue_init (VgFrameQueue *self, GMutex *lock, GCond *filled, const VgPlayback *playback)
{
  *self = (VgFrameQueue){ .lock = lock, .filled = filled, .playback = playback, .seek_to = -1 };
  g_cond_init (&self->room);
}

void
vg_frame_queue_clear (VgFrameQueue *self)
{
  g_queue_clear_full (&self->frames, (GDestroyNotify) vg_queued_frame_free);
  vg_frame_queue_drop_past (self);
  g_free (self->first_bad);
  g_clear_error (&self->error);
  g_cond_clear (&self->room);
}

void
vg_queued_frame_free (VgQueuedFrame *queued)
{
  vg_frame_unref (queued->frame);
  g_free (queued);
}

static VgQueuedFrame *
queued_frame_new (const VgQueuedFrame *order, VgFrame *frame)
{
  VgQueuedFrame *queued = g_memdup2 (order, sizeof *order);

  queued->frame = frame;
  return queued;
}

/* --- the reading thread --- */

static gboolean
is_at_end (VgFrameQueue *self)
{
  if (self->next < self->n_frames)
    return FALSE;
  if (!self->playback->loop || self->n_frames < 2)
    return TRUE;
  self->next = 0;
  self->restart = TRUE;
  return FALSE;
}

static gboolean
is_due (VgFrameQueue *self)
{
  const double fps = self->playback->fps;
  gint64 now = g_get_monotonic_time ();
  gint64 interval;

  if (fps <= 0)
    return TRUE;
  if (self->due_us > now)
    {
      g_cond_wait_until (&self->room, self->lock, self->due_us);
      return FALSE;
    }
  interval = (gint64) (1e6 / fps);
  /* a stack that is late by more than a frame does not catch up */
  self->due_us = (now - self->due_us > interval ? now : self->due_us) + interval;
  return TRUE;
}

static gboolean
next_played (VgFrameQueue *self)
{
  if (self->playback->playing && !self->has_ended && is_at_end (self))
    {
      vg_frame_queue_end (self, NULL);
      return FALSE;
    }
  if (!self->playback->playing || self->has_ended || self->frames.length >= self->max)
    {
      g_cond_wait (&self->room, self->lock);
      return FALSE;
    }
  return is_due (self);
}

gboolean
vg_frame_queue_next (VgFrameQueue *self, VgQueuedFrame *order)
{
  gboolean wanted = self->seek_to >= 0;
  gboolean preroll = wanted && self->next < self->seek_to;

  if (!wanted && !next_played (self))
    return FALSE;
  *order = (VgQueuedFrame){ .index = self->next,
                            .serial = self->seek_serial,
                            .preroll = preroll,
                            .wanted = wanted,
                            .restart = self->restart,
                            .fresh = !preroll && (!wanted || self->seek_fresh) };
  return TRUE;
}

/* Goes on behind ORDER, which ends a seek when it is the requested frame. */
static void
advance (VgFrameQueue *self, const VgQueuedFrame *order, gboolean restart)
{
  self->next = order->index + 1;
  self->restart = restart;
  if (order->wanted && !order->preroll)
    self->seek_to = -1;
}

static gboolean
is_outdated (const VgFrameQueue *self, const VgQueuedFrame *order)
{
  return order->serial != self->seek_serial || self->is_stopped;
}

gboolean
vg_frame_queue_add (VgFrameQueue *self, const VgQueuedFrame *order, VgFrame *frame)
{
  if (is_outdated (self, order))
    {
      vg_frame_unref (frame);
      return FALSE;
    }
  self->bad_in_a_row = 0;
  advance (self, order, FALSE);
  g_queue_push_tail (&self->frames, queued_frame_new (order, frame));
  g_cond_signal (self->filled);
  return TRUE;
}

void
vg_frame_queue_skip (VgFrameQueue *self, const VgQueuedFrame *order, gboolean fatal, GError *error)
{
  g_autoptr (GError) taken = error;

  if (is_outdated (self, order))
    return;
  if (fatal)
    {
      vg_frame_queue_end (self, g_steal_pointer (&taken));
      return;
    }
  self->counts.sent += order->fresh;
  self->counts.bad += order->fresh;
  advance (self, order, TRUE);
  if (++self->bad_in_a_row >= MIN (MAX_BAD_IN_A_ROW, self->n_frames))
    {
      vg_frame_queue_end (self, g_steal_pointer (&taken));
      return;
    }
  if (self->bad_in_a_row == 1 && !self->first_bad)
    self->first_bad = g_strdup (taken->message);
  g_cond_signal (self->filled);
}

/* TRUE: no frame may be discarded. */
static gboolean
is_catching_up (VgFrameQueue *self)
{
  if (self->catch_up_us == 0)
    return FALSE;
  if (self->past.length == 0 && self->frames.length <= 1)
    self->catch_up_us = 0;
  else if (g_get_monotonic_time () >= self->catch_up_us)
    {
      vg_frame_queue_drop_past (self);
      while (self->frames.length > 1)
        vg_frame_queue_drop_oldest (self);
      self->restart = TRUE;
    }
  return self->catch_up_us > 0;
}

void
vg_frame_queue_add_live (VgFrameQueue *self, VgFrame *frame, guint64 missing, gboolean lost,
                         gboolean restart)
{
  const VgQueuedFrame order = { .fresh = TRUE, .restart = restart };

  self->counts.sent += 1 + missing;
  *(lost ? &self->counts.lost : &self->counts.superseded) += missing;
  while (!is_catching_up (self) && self->frames.length >= self->max)
    vg_frame_queue_drop_oldest (self);
  g_queue_push_tail (&self->frames, queued_frame_new (&order, frame));
  if (!self->is_detached)
    g_cond_signal (self->filled);
}

void
vg_frame_queue_skip_live (VgFrameQueue *self, guint64 missing, gboolean lost, GError *error)
{
  self->counts.sent += 1 + missing;
  *(lost ? &self->counts.lost : &self->counts.superseded) += missing;
  if (self->counts.bad++ == 0 && !self->first_bad)
    self->first_bad = g_strdup (error->message);
  g_error_free (error);
  g_cond_signal (self->filled);
}

void
vg_frame_queue_end (VgFrameQueue *self, GError *error)
{
  if (error && !self->error)
    self->error = error;
  else
    g_clear_error (&error);
  self->has_ended = TRUE;
  g_cond_signal (self->filled);
}

/* --- the computing thread and the owner --- */

gboolean
vg_frame_queue_has_frame (const VgFrameQueue *self, gboolean even_paused)
{
  const VgQueuedFrame *queued = self->frames.head ? self->frames.head->data : NULL;

  return self->past.length > 0 ||
         (queued && (queued->wanted || self->playback->playing || even_paused));
}

gboolean
vg_frame_queue_has_jump (const VgFrameQueue *self)
{
  const GList *head = self->past.head ? self->past.head : self->frames.head;
  const VgQueuedFrame *queued = head ? head->data : NULL;

  return queued && queued->wanted && queued->restart;
}

VgQueuedFrame *
vg_frame_queue_take (VgFrameQueue *self)
{
  const gboolean all = is_catching_up (self);
  VgQueuedFrame *queued = g_queue_pop_head (&self->past);

  if (queued)
    return queued;
  while (self->live && !all && self->history == 0 && self->frames.length > 1)
    vg_frame_queue_drop_oldest (self);
  queued = g_queue_pop_head (&self->frames);
  if (self->live && self->restart)
    {
      queued->restart = TRUE;
      self->restart = FALSE;
    }
  if (queued->fresh)
    {
      self->counts.superseded += self->in_hand;
      self->in_hand = TRUE;
      self->counts.sent += !self->live;
    }
  g_cond_signal (&self->room);
  return queued;
}

void
vg_frame_queue_finish (VgFrameQueue *self, gboolean bad)
{
  *(bad ? &self->counts.bad : &self->counts.superseded) += self->in_hand;
  self->in_hand = FALSE;
}

void
vg_frame_queue_publish (VgFrameQueue *self)
{
  /* a second result of the same frame supersedes nothing */
  self->counts.superseded += self->in_result && self->in_hand;
  self->in_result |= self->in_hand;
  self->in_hand = FALSE;
}

void
vg_frame_queue_show (VgFrameQueue *self)
{
  self->counts.shown += self->in_result;
  self->in_result = FALSE;
}

void
vg_frame_queue_abandon (VgFrameQueue *self)
{
  self->counts.superseded += (guint) self->in_hand + (guint) self->in_result;
  self->in_hand = self->in_result = FALSE;
}

void
vg_frame_queue_put_back (VgFrameQueue *self, VgFrame *frame)
{
  const VgQueuedFrame order = { .index = frame->index };

  g_queue_push_head (&self->frames, queued_frame_new (&order, frame));
}

void
vg_frame_queue_add_past (VgFrameQueue *self, VgFrame *frame, gboolean preroll, gboolean restart)
{
  const VgQueuedFrame order = {
    .index = frame->index, .preroll = preroll, .wanted = TRUE, .restart = restart
  };

  g_queue_push_tail (&self->past, queued_frame_new (&order, vg_frame_ref (frame)));
}

void
vg_frame_queue_catch_up (VgFrameQueue *self, gint64 most_us)
{
  self->catch_up_us = g_get_monotonic_time () + most_us;
}

void
vg_frame_queue_drop_past (VgFrameQueue *self)
{
  self->catch_up_us = 0;
  g_queue_clear_full (&self->past, (GDestroyNotify) vg_queued_frame_free);
}

/* The frame after a discarded one does not follow the frame before that either. */
void
vg_frame_queue_drop_oldest (VgFrameQueue *self)
{
  VgQueuedFrame *queued = g_queue_pop_head (&self->frames);

  if (!queued)
    return;
  self->counts.superseded += queued->fresh;
  self->restart |= queued->restart;
  vg_queued_frame_free (queued);
}

void
vg_frame_queue_flush (VgFrameQueue *self)
{
  VgQueuedFrame *queued;

  vg_frame_queue_drop_past (self);
  while (self->live && self->frames.length > 0)
    vg_frame_queue_drop_oldest (self);
  while ((queued = g_queue_pop_head (&self->frames)))
    vg_queued_frame_free (queued);
}

void
vg_frame_queue_seek (VgFrameQueue *self, gint64 frame, gboolean fresh)
{
  vg_frame_queue_flush (self);
  self->seek_to = CLAMP (frame, 0, MAX (self->n_frames, 1) - 1);
  self->next = MAX (self->seek_to - self->history, 0);
  self->restart = TRUE;
  self->seek_fresh = fresh;
  self->seek_serial++;
  self->has_ended = self->end_seen = FALSE;
  self->due_us = 0;
  g_cond_signal (&self->room);
}

void
vg_frame_queue_read_again (VgFrameQueue *self, gint64 current)
{
  gboolean fresh = FALSE;

  if (self->seek_to >= 0)
    {
      current = self->seek_to;
      fresh = self->seek_fresh;
    }
  for (GList *link = self->frames.head; link; link = link->next)
    {
      const VgQueuedFrame *queued = link->data;

      if (queued->wanted && !queued->preroll)
        {
          current = queued->frame->index;
          fresh = queued->fresh;
        }
    }
  vg_frame_queue_seek (self, current, fresh);
}

VgFrameCounts
vg_frame_queue_count (const VgFrameQueue *self)
{
  VgFrameCounts counts = self->counts;

  counts.queued = (guint) self->in_hand + (guint) self->in_result;
  for (const GList *link = self->live ? self->frames.head : NULL; link; link = link->next)
    counts.queued += ((const VgQueuedFrame *) link->data)->fresh != 0;
  return counts;
}
