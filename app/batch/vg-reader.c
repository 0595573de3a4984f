/* SPDX-License-Identifier: MIT */
/* The queue is bounded, not the number of frames: an engine may keep frames for as long as its
 * copies take, which never stops the reading. */
#include "app/batch/vg-reader.h"
#include "app/input/vg-frame-pool.h"
#include "app/record/vg-recorder.h"
#include "kernels/base/vg-error.h"

struct _VgReader
{
  VgSource *source;
  VgFramePool *pool;
  gint64 most;   /* frames to read; 0: all */
  double span_s; /* from the first frame to read to the last; 0: all */
  guint depth;   /* frames read ahead */
  GThread *thread;
  GMutex mutex;
  GCond changed;
  GQueue ready;      /* of VgRead, in order */
  gboolean was_full; /* DEPTH frames have waited */
  gboolean stopped;
  gboolean ending; /* no further frame is read */
  gboolean ended;  /* none will become ready */
};

/* A frame, or why it cannot be read. */
typedef struct
{
  VgFrame *frame;
  GError *error;
} VgRead;

/* Read-ahead stays below this unless single frames are larger. */
static const gsize ahead_bytes = 256 << 20;

static void
read_free (gpointer data)
{
  VgRead *read = data;

  g_clear_pointer (&read->frame, vg_frame_unref);
  g_clear_error (&read->error);
  g_free (read);
}

/* Waits for room in the queue; FALSE: stopped. */
static gboolean
wait_for_room (VgReader *self)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  while (!self->stopped && !self->ending && self->ready.length >= self->depth)
    {
      self->was_full = TRUE;
      g_cond_wait (&self->changed, &self->mutex);
    }
  return !self->stopped && !self->ending;
}

static VgFrame *
read_frame (VgReader *self, gint64 index, GError **error)
{
  const VgSource *source = self->source;
  g_autoptr (VgFrame) frame = NULL;

  if ((source->info.frames >= 0 && index >= source->info.frames) ||
      (self->most > 0 && index >= self->most))
    return NULL;
  frame = vg_frame_pool_take (self->pool, error);
  if (frame != NULL && vg_frame_read (frame, self->source, index, error))
    return g_steal_pointer (&frame);
  if (frame == NULL && *error == NULL)
    g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_MEMORY,
                 "there is not enough memory for another frame of \"%s\"; close other programs",
                 source->name);
  return NULL;
}

static gpointer
read_all (gpointer data)
{
  VgReader *self = data;
  gboolean more = TRUE, has_first = FALSE;
  double first_s = 0;

  if (self->source->info.frames < 0) /* what is not read in time is lost */
    vg_recorder_go_first ();
  for (gint64 index = 0; more && wait_for_room (self); index++)
    {
      GError *error = NULL;
      VgFrame *frame = read_frame (self, index, &error);
      const VgRead read = { frame, error };

      more = frame != NULL || g_error_matches (error, VG_IO_ERROR, VG_IO_ERROR_FRAME);
      if (frame != NULL && !has_first)
        first_s = frame->time_s;
      has_first |= frame != NULL;
      if (frame != NULL && self->span_s > 0 && frame->time_s - first_s >= self->span_s)
        more = FALSE;
      g_mutex_lock (&self->mutex);
      if (frame != NULL || error != NULL)
        g_queue_push_tail (&self->ready, g_memdup2 (&read, sizeof read));
      g_cond_broadcast (&self->changed);
      g_mutex_unlock (&self->mutex);
    }
  g_mutex_lock (&self->mutex);
  self->ended = TRUE;
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->mutex);
  return NULL;
}

VgReader *
vg_reader_new (VgSource *source, gint64 most, double span_s, guint depth, const VgCuda *pinned,
               GError **error)
{
  VgFramePool *pool = vg_frame_pool_new (&source->info, G_MAXUINT, pinned, error);
  gsize frame_bytes = vg_image_info_frame_bytes (&source->info);
  VgReader *self;

  if (pool == NULL)
    return NULL;
  self = g_new0 (VgReader, 1);
  self->source = source;
  self->most = most;
  self->span_s = span_s;
  self->pool = pool;
  self->depth = depth > 0 ? depth : (guint) CLAMP (ahead_bytes / frame_bytes, 2, 16);
  g_mutex_init (&self->mutex);
  g_cond_init (&self->changed);
  self->thread = g_thread_new ("reader", read_all, self);
  return self;
}

gboolean
vg_reader_was_full (VgReader *self)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  return self->was_full;
}

guint
vg_reader_waiting (VgReader *self)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  return self->ready.length;
}

gboolean
vg_reader_wait (VgReader *self, gint64 until_us)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  while (!self->stopped && !self->ended && self->ready.length == 0)
    if (!g_cond_wait_until (&self->changed, &self->mutex, until_us))
      return FALSE;
  return TRUE;
}

VgFrame *
vg_reader_next (VgReader *self, GError **error)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);
  g_autofree VgRead *read = NULL;

  while (!self->stopped && !self->ended && self->ready.length == 0)
    g_cond_wait (&self->changed, &self->mutex);
  if (!self->stopped)
    read = g_queue_pop_head (&self->ready);
  if (read != NULL && read->error != NULL)
    g_propagate_error (error, read->error);
  g_cond_broadcast (&self->changed);
  return read != NULL ? read->frame : NULL;
}

void
vg_reader_end (VgReader *self)
{
  g_mutex_lock (&self->mutex);
  self->ending = TRUE;
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->mutex);
  vg_source_cancel (self->source);
}

void
vg_reader_stop (VgReader *self)
{
  g_mutex_lock (&self->mutex);
  self->stopped = TRUE;
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->mutex);
  if (self->source->info.frames < 0)
    vg_source_cancel (self->source);
}

void
vg_reader_free (VgReader *self)
{
  if (self == NULL)
    return;
  vg_reader_stop (self);
  g_thread_join (self->thread);
  g_queue_clear_full (&self->ready, read_free);
  vg_frame_pool_unref (self->pool);
  g_mutex_clear (&self->mutex);
  g_cond_clear (&self->changed);
  g_free (self);
}
