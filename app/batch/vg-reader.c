/* SPDX-License-Identifier: MIT */
/* The queue is bounded, not the number of frames: an engine may keep frames
 * for as long as its copies take, and never stops the reading by that. */
#include "app/batch/vg-reader.h"
#include "kernels/base/vg-error.h"

struct _VgReader
{
  VgSource *source;
  const VgCuda *pinned;
  gsize frame_bytes;
  guint depth; /* frames read ahead */
  GThread *thread;
  GMutex mutex;
  GCond changed;
  GQueue ready, idle; /* of VgRead, in order; of VgFrame, to be used again */
  gboolean stopped, ended;
  GError *error;
};

/* A frame, or why it can't be read. */
typedef struct
{
  VgFrame *frame;
  GError *error;
} VgRead;

/* Read-ahead stays below this unless single frames are larger. */
static const gsize ahead_bytes = 256 << 20;

static void
release_frame (VgFrame *frame)
{
  VgReader *self = frame->owner;

  g_mutex_lock (&self->mutex);
  g_queue_push_tail (&self->idle, frame);
  g_mutex_unlock (&self->mutex);
}

static void
free_frame (VgReader *self, VgFrame *frame)
{
  if (frame->pinned)
    self->pinned->host_free (frame->data);
  else
    g_free (frame->data);
  g_free (frame);
}

static VgFrame *
new_frame (VgReader *self, GError **error)
{
  VgFrame *frame = g_new0 (VgFrame, 1);

  frame->info = &self->source->info;
  frame->owner = self;
  frame->release = release_frame;
  if (self->pinned != NULL)
    frame->data = self->pinned->host_alloc (self->frame_bytes, NULL);
  frame->pinned = frame->data != NULL;
  if (frame->data == NULL)
    frame->data = g_try_malloc (self->frame_bytes);
  if (frame->data == NULL)
    {
      g_free (frame);
      g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_MEMORY,
                   "no memory for a frame of %s, %" G_GSIZE_FORMAT " bytes", self->source->name,
                   self->frame_bytes);
      return NULL;
    }
  return frame;
}

/* An idle frame or a new one, once the queue has room; NULL: stopped. */
static VgFrame *
take_idle (VgReader *self, GError **error)
{
  VgFrame *frame;
  gboolean stopped;

  g_mutex_lock (&self->mutex);
  while (!self->stopped && self->ready.length >= self->depth)
    g_cond_wait (&self->changed, &self->mutex);
  stopped = self->stopped;
  frame = stopped ? NULL : g_queue_pop_head (&self->idle);
  g_mutex_unlock (&self->mutex);
  if (frame == NULL && !stopped)
    frame = new_frame (self, error);
  return frame;
}

/* FALSE: the end, or an error; VG_IO_ERROR_FRAME: of this frame only. */
static gboolean
fill_frame (VgReader *self, VgFrame *frame, gint64 index, GError **error)
{
  VgSource *source = self->source;

  if (source->info.frames < 0)
    {
      if (!vg_source_next (source, frame->data, &frame->id, &frame->time_s, error))
        return FALSE;
      frame->index = (gint64) frame->id;
    }
  else
    {
      if (index >= source->info.frames || !vg_source_read (source, index, frame->data, error))
        return FALSE;
      frame->id = (guint64) index;
      frame->index = index;
      frame->time_s = source->times_s ? source->times_s[index]
                                      : index * source->info.frame_interval_s;
    }
  frame->time_us = g_get_monotonic_time ();
  g_atomic_ref_count_init (&frame->ref_count);
  return TRUE;
}

static gpointer
read_all (gpointer data)
{
  VgReader *self = data;
  GError *error = NULL;
  gboolean more = TRUE;
  VgFrame *frame;

  for (gint64 index = 0; more && (frame = take_idle (self, &error)) != NULL; index++)
    {
      gboolean filled = fill_frame (self, frame, index, &error),
               damaged = g_error_matches (error, VG_IO_ERROR, VG_IO_ERROR_FRAME);
      const VgRead read = { filled ? frame : NULL, damaged ? g_steal_pointer (&error) : NULL };

      more = filled || damaged;
      g_mutex_lock (&self->mutex);
      if (more)
        g_queue_push_tail (&self->ready, g_memdup2 (&read, sizeof read));
      if (!filled)
        g_queue_push_tail (&self->idle, frame);
      g_cond_broadcast (&self->changed);
      g_mutex_unlock (&self->mutex);
    }
  g_mutex_lock (&self->mutex);
  self->error = error;
  self->ended = TRUE;
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->mutex);
  return NULL;
}

VgReader *
vg_reader_new (VgSource *source, const VgCuda *pinned)
{
  VgReader *self = g_new0 (VgReader, 1);

  self->source = source;
  self->pinned = pinned;
  self->frame_bytes = vg_image_info_frame_bytes (&source->info);
  self->depth = (guint) CLAMP (ahead_bytes / MAX (self->frame_bytes, 1), 2, 16);
  g_mutex_init (&self->mutex);
  g_cond_init (&self->changed);
  g_queue_init (&self->ready);
  g_queue_init (&self->idle);
  self->thread = g_thread_new ("reader", read_all, self);
  return self;
}

VgFrame *
vg_reader_next (VgReader *self, GError **error)
{
  g_autofree VgRead *read = NULL;

  g_mutex_lock (&self->mutex);
  while (!self->stopped && !self->ended && self->ready.length == 0)
    g_cond_wait (&self->changed, &self->mutex);
  if (!self->stopped)
    read = g_queue_pop_head (&self->ready);
  if (read != NULL && read->error != NULL)
    g_propagate_error (error, read->error);
  else if (read == NULL && !self->stopped && self->error != NULL)
    g_propagate_error (error, g_steal_pointer (&self->error));
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->mutex);
  return read != NULL ? read->frame : NULL;
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
  VgFrame *frame;
  VgRead *read;

  if (self == NULL)
    return;
  vg_reader_stop (self);
  g_thread_join (self->thread);
  while ((read = g_queue_pop_head (&self->ready)) != NULL)
    {
      if (read->frame != NULL)
        free_frame (self, read->frame);
      g_clear_error (&read->error);
      g_free (read);
    }
  while ((frame = g_queue_pop_head (&self->idle)) != NULL)
    free_frame (self, frame);
  g_clear_error (&self->error);
  g_mutex_clear (&self->mutex);
  g_cond_clear (&self->changed);
  g_free (self);
}
