/* SPDX-License-Identifier: MIT */
/* The recorder's ring and thread. */
#include "vg-recorder.h"

#include "vg-error.h"
#include "vg-raw-tiff.h"

struct _VgRecorder
{
  GMutex lock;
  GCond wake;
  GThread *thread;
  GQueue ring;               /* of VgFrame */
  guint ring_max;
  gboolean stop;
  guint64 kept, lost;
  GError *error;             /* the first; nothing is written after it */
  char *path;
  VgRawTiff *file;           /* recorder thread, until it is joined */
  VgRecorderFailed failed;
  gpointer data;
};

guint
vg_recorder_ring (const VgImageInfo *info)
{
  gsize bytes = MAX (vg_image_info_frame_bytes (info), 1);

  return (guint) CLAMP (VG_RECORDER_BYTES / bytes, 4, VG_RECORDER_FRAMES);
}

static void
fail (VgRecorder *self, GError *error)
{
  g_mutex_lock (&self->lock);
  self->error = error;
  self->lost++;
  g_mutex_unlock (&self->lock);
  self->failed (self->data, error);
}

/* Sets *FRAME, or returns FALSE when all is written and no more will come. */
static gboolean
next_frame (VgRecorder *self, VgFrame **frame)
{
  g_mutex_lock (&self->lock);
  while (self->ring.length == 0 && !self->stop)
    g_cond_wait (&self->wake, &self->lock);
  *frame = g_queue_pop_head (&self->ring);
  g_mutex_unlock (&self->lock);
  return *frame != NULL;
}

static gpointer
record (gpointer data)
{
  VgRecorder *self = data;
  VgFrame *frame;

  while (next_frame (self, &frame))
    {
      GError *error = NULL;

      /* self->error is this thread's own writing */
      if (!self->error && !vg_raw_tiff_add (self->file, frame->data, &error))
        fail (self, error);
      else
        {
          g_mutex_lock (&self->lock);
          *(self->error ? &self->lost : &self->kept) += 1;
          g_mutex_unlock (&self->lock);
        }
      vg_frame_unref (frame);
    }
  return NULL;
}

VgRecorder *
vg_recorder_new (const VgImageInfo *info, const char *path, VgRecorderFailed failed, gpointer data, GError **error)
{
  g_autoptr (GString) description = g_string_new ("Recorded by Vivograph\n");
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  VgRawTiff *file;
  VgRecorder *self;

  if (info->frame_interval_s > 0)
    g_string_append_printf (description, "frame_interval_s=%s\n", g_ascii_dtostr (number, sizeof number, info->frame_interval_s));
  if (info->exposure_ms > 0)
    g_string_append_printf (description, "exposure_ms=%s\n", g_ascii_dtostr (number, sizeof number, info->exposure_ms));
  if (info->significant_bits > 0)
    g_string_append_printf (description, "significant_bits=%d\n", info->significant_bits);
  file = vg_raw_tiff_new (path, info, description->str, error);
  if (!file)
    return NULL;
  self = g_new0 (VgRecorder, 1);
  g_mutex_init (&self->lock);
  g_cond_init (&self->wake);
  self->ring_max = vg_recorder_ring (info);
  self->path = g_strdup (path);
  self->file = file;
  self->failed = failed;
  self->data = data;
  self->thread = g_thread_new ("vg-recorder", record, self);
  return self;
}

void
vg_recorder_push (VgRecorder *self, VgFrame *frame)
{
  g_mutex_lock (&self->lock);
  if (self->ring.length >= self->ring_max || self->error)
    self->lost++;
  else
    {
      g_queue_push_tail (&self->ring, vg_frame_ref (frame));
      g_cond_signal (&self->wake);
    }
  g_mutex_unlock (&self->lock);
}

void
vg_recorder_miss (VgRecorder *self, guint64 n)
{
  g_mutex_lock (&self->lock);
  self->lost += n;
  g_mutex_unlock (&self->lock);
}

gboolean
vg_recorder_stop (VgRecorder *self, guint64 *kept, guint64 *lost, GError **error)
{
  gboolean done;

  g_mutex_lock (&self->lock);
  self->stop = TRUE;
  g_cond_signal (&self->wake);
  g_mutex_unlock (&self->lock);
  g_thread_join (self->thread);

  if (kept)
    *kept = self->kept;
  if (lost)
    *lost = self->lost;
  done = vg_raw_tiff_commit (self->file, error);
  if (done && self->error)
    {
      g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_WRITE, "%s; the %" G_GUINT64_FORMAT " frames before are in the file",
                   self->error->message, self->kept);
      done = FALSE;
    }
  g_clear_error (&self->error);
  vg_raw_tiff_free (self->file);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->wake);
  g_free (self->path);
  g_free (self);
  return done;
}
