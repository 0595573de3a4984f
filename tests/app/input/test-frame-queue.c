/* SPDX-License-Identifier: MIT */
/* The frame queue by itself, without threads: order, seeks and counts. */
#include "app/input/vg-frame-queue.h"
#include "kernels/base/vg-error.h"

typedef struct
{
  GMutex lock;
  GCond filled;
  VgPlayback playback;
  VgFrameQueue queue;
} Fixture;

static void
begin (Fixture *self, gint64 n_frames)
{
  g_mutex_init (&self->lock);
  g_cond_init (&self->filled);
  self->playback = (VgPlayback){ .playing = TRUE };
  vg_frame_queue_init (&self->queue, &self->lock, &self->filled, &self->playback);
  self->queue.n_frames = n_frames;
  self->queue.live = n_frames < 0;
  self->queue.max = 3;
  g_mutex_lock (&self->lock);
}

static void
end (Fixture *self)
{
  const VgFrameCounts n = vg_frame_queue_count (&self->queue);

  g_assert_cmpuint (n.sent, ==, n.shown + n.superseded + n.bad + n.lost + n.queued);
  vg_frame_queue_clear (&self->queue);
  g_mutex_unlock (&self->lock);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->filled);
}

static void
free_frame (VgFrame *frame)
{
  g_free (frame);
}

static VgFrame *
frame_new (gint64 index)
{
  VgFrame *frame = g_new0 (VgFrame, 1);

  frame->index = index;
  frame->release = free_frame;
  g_atomic_ref_count_init (&frame->ref_count);
  return frame;
}

static void
read_one (Fixture *self, gint64 index)
{
  VgQueuedFrame order;

  g_assert_true (vg_frame_queue_next (&self->queue, &order));
  g_assert_cmpint (order.index, ==, index);
  g_assert_true (vg_frame_queue_add (&self->queue, &order, frame_new (index)));
}

static VgQueuedFrame
take (Fixture *self)
{
  VgQueuedFrame *queued = vg_frame_queue_take (&self->queue);
  VgQueuedFrame copy = *queued;

  vg_queued_frame_free (queued);
  return copy;
}

static void
test_play (void)
{
  VgQueuedFrame order;
  Fixture self;

  begin (&self, 3);
  for (int i = 0; i < 3; i++)
    read_one (&self, i);
  g_assert_cmpuint (vg_frame_queue_count (&self.queue).sent, ==, 0);
  g_assert_cmpint (take (&self).index, ==, 0);
  vg_frame_queue_publish (&self.queue);
  g_assert_cmpuint (vg_frame_queue_count (&self.queue).queued, ==, 1);
  vg_frame_queue_show (&self.queue);
  g_assert_cmpint (take (&self).index, ==, 1);
  vg_frame_queue_finish (&self.queue, TRUE);
  g_assert_false (vg_frame_queue_next (&self.queue, &order));
  g_assert_true (self.queue.has_ended);
  g_assert_cmpuint (self.queue.counts.sent, ==, 2);
  g_assert_cmpuint (self.queue.counts.shown, ==, 1);
  g_assert_cmpuint (self.queue.counts.bad, ==, 1);
  end (&self);
}

static void
test_loop (void)
{
  Fixture self;
  VgQueuedFrame first, second;

  begin (&self, 2);
  self.playback.loop = TRUE;
  read_one (&self, 0);
  read_one (&self, 1);
  take (&self);
  take (&self);
  read_one (&self, 0);
  read_one (&self, 1);
  first = take (&self);
  second = take (&self);
  g_assert_true (first.restart);
  g_assert_false (second.restart);
  end (&self);
}

/* A seek discards what was read ahead and reads the history of the requested frame first. */
static void
test_seek (void)
{
  VgQueuedFrame order, queued;
  Fixture self;

  begin (&self, 10);
  self.playback.playing = FALSE;
  self.queue.history = 2;
  vg_frame_queue_seek (&self.queue, 7, TRUE);
  g_assert_true (vg_frame_queue_next (&self.queue, &order));
  vg_frame_queue_seek (&self.queue, 5, TRUE);
  g_assert_false (vg_frame_queue_add (&self.queue, &order, frame_new (order.index)));
  for (int i = 3; i < 6; i++)
    read_one (&self, i);
  g_assert_true (vg_frame_queue_has_jump (&self.queue));
  for (int i = 3; i < 6; i++)
    {
      g_assert_true (vg_frame_queue_has_frame (&self.queue, FALSE));
      queued = take (&self);
      g_assert_cmpint (queued.index, ==, i);
      g_assert_cmpint (queued.restart, ==, i == 3);
      g_assert_cmpint (queued.preroll, ==, i < 5);
      g_assert_cmpint (queued.fresh, ==, i == 5);
    }
  g_assert_cmpuint (self.queue.counts.sent, ==, 1);
  g_assert_cmpint (self.queue.seek_to, ==, -1);
  end (&self);
}

static void
test_unreadable (void)
{
  VgQueuedFrame order;
  Fixture self;

  begin (&self, 20);
  read_one (&self, 0);
  for (int i = 1; i < 9; i++)
    {
      g_assert_false (self.queue.has_ended);
      g_assert_true (vg_frame_queue_next (&self.queue, &order));
      vg_frame_queue_skip (&self.queue, &order, FALSE,
                           g_error_new_literal (VG_USAGE_ERROR, 0, "damaged"));
    }
  g_assert_true (self.queue.has_ended);
  g_assert_error (self.queue.error, VG_USAGE_ERROR, 0);
  g_assert_cmpstr (self.queue.first_bad, ==, "damaged");
  g_assert_cmpuint (self.queue.counts.bad, ==, 8);
  end (&self);
}

/* A live source never waits: the oldest frames are superseded, and without history all but the
 * newest. */
static void
test_live (void)
{
  Fixture self;

  begin (&self, -1);
  for (int i = 0; i < 5; i++)
    vg_frame_queue_add_live (&self.queue, frame_new (i), i == 4, TRUE, FALSE);
  g_assert_cmpuint (self.queue.frames.length, ==, 3);
  g_assert_cmpuint (self.queue.counts.sent, ==, 6);
  g_assert_cmpuint (self.queue.counts.lost, ==, 1);
  g_assert_cmpuint (self.queue.counts.superseded, ==, 2);
  take (&self);
  g_assert_cmpuint (self.queue.frames.length, ==, 0);
  g_assert_cmpuint (self.queue.counts.superseded, ==, 4);
  vg_frame_queue_put_back (&self.queue, frame_new (4));
  g_assert_false (take (&self).fresh);
  vg_frame_queue_abandon (&self.queue);
  g_assert_cmpuint (self.queue.counts.superseded, ==, 5);
  end (&self);
}

/* After a lost connection the first frame of the new one begins anew, not one that waited before
 * it; if that frame is discarded, the next one does. */
static void
test_interrupted (void)
{
  Fixture self;

  begin (&self, -1);
  self.queue.history = 1; /* every frame is computed */
  for (int i = 0; i < 3; i++)
    vg_frame_queue_add_live (&self.queue, frame_new (i), 0, FALSE, i == 2);
  for (int i = 0; i < 3; i++)
    g_assert_cmpint (take (&self).restart, ==, i == 2);
  for (int i = 3; i < 7; i++)
    vg_frame_queue_add_live (&self.queue, frame_new (i), 0, FALSE, i == 3);
  for (int i = 4; i < 7; i++)
    g_assert_cmpint (take (&self).restart, ==, i == 4);
  self.queue.history = 0; /* the newest only */
  for (int i = 7; i < 10; i++)
    vg_frame_queue_add_live (&self.queue, frame_new (i), 0, FALSE, i == 8);
  g_assert_true (take (&self).restart);
  vg_frame_queue_add_live (&self.queue, frame_new (10), 0, FALSE, TRUE);
  vg_frame_queue_flush (&self.queue);
  for (int i = 11; i < 13; i++)
    {
      vg_frame_queue_add_live (&self.queue, frame_new (i), 0, FALSE, FALSE);
      g_assert_cmpint (take (&self).restart, ==, i == 11);
    }
  end (&self);
}

/* After looking back no live frame is discarded until the past is computed, and if that takes too
 * long, what is discarded leaves a gap. */
static void
test_catch_up (void)
{
  Fixture self;

  for (int late = 0; late < 2; late++)
    {
      VgFrame *past = frame_new (0);

      begin (&self, -1);
      vg_frame_queue_add_past (&self.queue, past, FALSE, FALSE);
      vg_frame_unref (past);
      vg_frame_queue_catch_up (&self.queue, late ? 0 : G_MAXINT64 / 2);
      for (int i = 1; i <= 5; i++)
        vg_frame_queue_add_live (&self.queue, frame_new (i), 0, FALSE, FALSE);
      for (int i = 0; i <= 5 && !late; i++)
        {
          const VgQueuedFrame queued = take (&self);

          g_assert_cmpuint (self.queue.frames.length, ==, 5 - i);
          g_assert_false (queued.restart);
        }
      if (late)
        g_assert_true (take (&self).restart);
      g_assert_cmpuint (self.queue.counts.superseded, ==, 4);
      vg_frame_queue_add_live (&self.queue, frame_new (6), 0, FALSE, FALSE);
      vg_frame_queue_add_live (&self.queue, frame_new (7), 0, FALSE, FALSE);
      g_assert_false (take (&self).restart); /* only the newest, as always */
      g_assert_cmpuint (self.queue.frames.length, ==, 0);
      vg_frame_queue_finish (&self.queue, FALSE);
      end (&self);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/frame-queue/play", test_play);
  g_test_add_func ("/frame-queue/loop", test_loop);
  g_test_add_func ("/frame-queue/seek", test_seek);
  g_test_add_func ("/frame-queue/unreadable", test_unreadable);
  g_test_add_func ("/frame-queue/live", test_live);
  g_test_add_func ("/frame-queue/interrupted", test_interrupted);
  g_test_add_func ("/frame-queue/catch-up", test_catch_up);
  return g_test_run ();
}
