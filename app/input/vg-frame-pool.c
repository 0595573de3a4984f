/* SPDX-License-Identifier: MIT */
/* Frames that a stall or a recording needed are freed later: frames that stayed idle for PERIOD
 * returns are surplus, and as many of the returning frames are freed, one at a time so that no
 * thread waits for many. */
#include "app/input/vg-frame-pool.h"

#include <sys/mman.h>
#include "kernels/base/vg-error.h"

/* returns between two checks; idle frames that are never freed */
enum { PERIOD = 256, SPARE = 4 };

struct _VgFramePool
{
  GMutex lock;
  GCond returned;
  VgImageInfo info;
  gsize bytes;
  guint max, size;
  guint returns, least_idle; /* since the last look */
  guint surplus;             /* still to be freed */
  const VgCuda *cuda;
  GPtrArray *idle;           /* of VgFrame */
  gatomicrefcount ref_count; /* the owner's, and one per frame in use */
};

static void
frame_free (VgFramePool *self, VgFrame *frame)
{
  if (frame->pinned)
    self->cuda->host_free (frame->data);
  else
    munmap (frame->data, self->bytes);
  g_clear_pointer (&frame->settings, g_ref_string_release);
  g_free (frame);
}

static void
pool_unref (VgFramePool *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  for (guint i = 0; i < self->idle->len; i++)
    frame_free (self, self->idle->pdata[i]);
  g_ptr_array_unref (self->idle);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->returned);
  g_free (self);
}

static void
look_for_surplus (VgFramePool *self)
{
  if (++self->returns < PERIOD)
    return;
  self->surplus = self->least_idle > SPARE ? self->least_idle - SPARE : 0;
  self->returns = 0;
  self->least_idle = self->idle->len;
}

static void
frame_release (VgFrame *frame)
{
  VgFramePool *self = frame->owner;
  gboolean surplus;

  g_mutex_lock (&self->lock);
  look_for_surplus (self);
  surplus = self->surplus > 0;
  if (surplus)
    {
      self->surplus--;
      self->size--;
    }
  else
    {
      g_ptr_array_add (self->idle, frame);
      g_cond_signal (&self->returned);
    }
  g_mutex_unlock (&self->lock);
  if (surplus)
    frame_free (self, frame);
  pool_unref (self);
}

VgFramePool *
vg_frame_pool_new (const VgImageInfo *info, guint max, const VgCuda *cuda, GError **error)
{
  gsize bytes = vg_image_info_frame_bytes (info);
  VgFramePool *self;

  if (bytes == 0)
    {
      g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
                   "frames of %d x %d cannot be used", info->width, info->height);
      return NULL;
    }
  self = g_new0 (VgFramePool, 1);
  self->info = *info;
  self->bytes = bytes;
  self->max = MAX (max, 1);
  self->cuda = cuda;
  self->idle = g_ptr_array_new ();
  g_mutex_init (&self->lock);
  g_cond_init (&self->returned);
  g_atomic_ref_count_init (&self->ref_count);
  return self;
}

/* Page-locked if possible, else pages of its own, because the heap could not return memory below a
 * frame that is in use. */
static VgFrame *
frame_new (VgFramePool *self, GError **error)
{
  VgFrame *frame = g_new0 (VgFrame, 1);

  frame->info = &self->info;
  frame->owner = self;
  frame->release = frame_release;
  if (self->cuda)
    frame->data = self->cuda->host_alloc (self->bytes, NULL);
  frame->pinned = frame->data != NULL;
  if (!frame->data)
    frame->data = mmap (NULL, self->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
                        0);
  if (frame->data == MAP_FAILED)
    {
      g_free (frame);
      g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_MEMORY,
                   "there is not enough memory for a frame of %" G_GSIZE_FORMAT
                   " bytes; close other programs, or open smaller images",
                   self->bytes);
      return NULL;
    }
  return frame;
}

VgFrame *
vg_frame_pool_take (VgFramePool *self, GError **error)
{
  VgFrame *frame = NULL;
  g_autoptr (GError) local = NULL;
  guint size;

  g_mutex_lock (&self->lock);
  if (self->idle->len > 0)
    frame = g_ptr_array_steal_index_fast (self->idle, self->idle->len - 1);
  else
    {
      self->surplus = 0;
      if (self->size < self->max && (frame = frame_new (self, &local)))
        self->size++;
    }
  self->least_idle = MIN (self->least_idle, self->idle->len);
  size = self->size;
  g_mutex_unlock (&self->lock);

  if (frame)
    {
      g_atomic_ref_count_init (&frame->ref_count);
      g_atomic_ref_count_inc (&self->ref_count);
    }
  else if (local && size == 0)
    g_propagate_error (error, g_steal_pointer (&local));
  return frame;
}

gboolean
vg_frame_read (VgFrame *frame, VgSource *source, gint64 index, GError **error)
{
  if (source->info.frames >= 0)
    {
      if (!vg_source_read (source, index, frame->data, error))
        return FALSE;
      frame->id = (guint64) index;
      frame->time_s = source->times_s ? source->times_s[index]
                                      : (double) index * source->info.frame_interval_s;
      frame->interrupted = vg_source_is_interrupted (source, index);
    }
  else if (!vg_source_next (source, frame->data, &frame->id, &frame->time_s, error))
    return FALSE;
  else
    {
      VgLiveStatus status;

      vg_source_get_status (source, &status);
      frame->interrupted = status.interrupted != source->interrupted;
      source->interrupted = status.interrupted;
    }
  frame->index = (gint64) frame->id;
  frame->device_ns = source->device_ns;
  frame->exposure_ms = source->info.frames >= 0 ? vg_source_find_exposure (source, index)
                                                : source->exposure_ms;
  if (frame->settings != source->settings)
    {
      g_clear_pointer (&frame->settings, g_ref_string_release);
      frame->settings = source->settings ? g_ref_string_acquire (source->settings) : NULL;
    }
  frame->time_us = g_get_monotonic_time ();
  return TRUE;
}

void
vg_frame_pool_wait (VgFramePool *self, gint64 timeout_us)
{
  gint64 end = g_get_monotonic_time () + timeout_us;

  g_mutex_lock (&self->lock);
  while (self->idle->len == 0 && self->size > 0 &&
         g_cond_wait_until (&self->returned, &self->lock, end))
    ;
  g_mutex_unlock (&self->lock);
}

guint
vg_frame_pool_size (VgFramePool *self)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  return self->size;
}

void
vg_frame_pool_unref (VgFramePool *self)
{
  if (self)
    pool_unref (self);
}
