/* SPDX-License-Identifier: MIT */
/* What a batch run does with a live source: it waits for it, says what happens to it, ends it when
 * its time is over, and counts what was lost. */
#include "app/batch/vg-batch-private.h"
#include "app/record/vg-recorder.h"
#include "io/live/vg-live.h"
#include "io/source/vg-frame-account.h"

enum { LOOK_US = 100000, LATE_US = 2000000 /* until an opening is said to wait */ };

/* Reports what the source says, once. */
static void
report_status (VgBatch *self, VgSource *source)
{
  const guint said = self->device.status.said;

  vg_source_get_status (source, &self->device.status);
  if (self->device.status.said != said && self->device.status.state != VG_LIVE_ENDED)
    vg_batch_notify (self, "%s", self->device.status.sentence);
}

static gboolean
is_over (const VgBatch *self)
{
  return self->device.end_us > 0 && g_get_monotonic_time () >= self->device.end_us;
}

/* FALSE and an error: the limits of the job do not fit SOURCE. */
static gboolean
check_limits (VgBatch *self, const VgSource *source, GError **error)
{
  if (!(self->job->seconds > 0) || source->info.frames < 0)
    return TRUE;
  g_set_error (error, VG_USAGE_ERROR, 0,
               "--seconds applies to live sources only, but \"%s\" has %" G_GINT64_FORMAT
               " frames; use --max-frames instead",
               source->name, source->info.frames);
  return FALSE;
}

/* An opening that may wait for its device. */
typedef struct
{
  VgBatch *batch;
  const char *name;
  GCancellable *cancellable;
  gboolean done; /* guarded by `lock` */
  GMutex lock;
  GCond changed;
} Opening;

/* Reports an opening that takes long, and ends it with the job or when its time is over. */
static gpointer
watch_opening (gpointer data)
{
  Opening *self = data;
  const gint64 late_us = g_get_monotonic_time () + LATE_US;
  gboolean told = FALSE;

  g_mutex_lock (&self->lock);
  while (!self->done)
    {
      if (vg_batch_is_cancelled (self->batch, NULL) || is_over (self->batch))
        g_cancellable_cancel (self->cancellable);
      if (!told && g_get_monotonic_time () >= late_us)
        vg_batch_notify (self->batch, "\"%s\" has sent no frame yet; waiting for one", self->name);
      told = told || g_get_monotonic_time () >= late_us;
      g_cond_wait_until (&self->changed, &self->lock, g_get_monotonic_time () + LOOK_US);
    }
  g_mutex_unlock (&self->lock);
  return NULL;
}

/* A driver that waits for its device ends with the job. */
static VgSource *
open_source (VgBatch *self, const void *params, const char *const *inputs, GError **error)
{
  const VgBatchJob *job = self->job;
  const char *name = job->synthetic == NULL && inputs != NULL ? inputs[0] : NULL;
  Opening opening = { .batch = self, .name = name };
  GThread *thread = NULL;
  VgSource *source;

  if (name != NULL && vg_live_is_address (name))
    {
      g_mutex_init (&opening.lock);
      g_cond_init (&opening.changed);
      opening.cancellable = g_cancellable_new ();
      thread = g_thread_new ("opening", watch_opening, &opening);
      g_cancellable_push_current (opening.cancellable);
    }
  source = vg_work_open_source (self->operation, params, inputs, job->read_options, job->synthetic,
                                error);
  if (thread == NULL)
    return source;
  g_cancellable_pop_current (opening.cancellable);
  g_mutex_lock (&opening.lock);
  opening.done = TRUE;
  g_cond_signal (&opening.changed);
  g_mutex_unlock (&opening.lock);
  g_thread_join (thread);
  g_object_unref (opening.cancellable);
  g_cond_clear (&opening.changed);
  g_mutex_clear (&opening.lock);
  return source;
}

VgSource *
vg_batch_open_source (VgBatch *self, const void *params, const char *const *inputs, GError **error)
{
  const VgBatchJob *job = self->job;
  g_autoptr (VgSource) source = NULL;
  gboolean reported = FALSE;

  if (job->seconds > 0)
    self->device.end_us = g_get_monotonic_time () + (gint64) (job->seconds * 1e6);
  while (source == NULL)
    {
      g_autoptr (GError) local = NULL;

      source = open_source (self, params, inputs, &local);
      if (source != NULL)
        break;
      if ((g_error_matches (local, G_IO_ERROR, G_IO_ERROR_CANCELLED) ||
           (g_error_matches (local, VG_IO_ERROR, VG_IO_ERROR_LATER) && is_over (self))) &&
          !vg_batch_is_cancelled (self, NULL))
        {
          g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_OPEN,
                       "\"%s\" sent no frame within %g s; check that its program is running",
                       inputs[0], job->seconds);
          return NULL;
        }
      if (!g_error_matches (local, VG_IO_ERROR, VG_IO_ERROR_LATER))
        {
          g_propagate_error (error, g_steal_pointer (&local));
          return NULL;
        }
      if (!reported)
        vg_batch_notify (self, "%s", local->message);
      reported = TRUE;
      g_usleep (LOOK_US);
      if (vg_batch_is_cancelled (self, error))
        return NULL;
    }
  return check_limits (self, source, error) ? g_steal_pointer (&source) : NULL;
}

/* Once. */
static void
warn_early (VgBatch *self, VgReader *reader)
{
  if (self->device.told_full || self->device.status.lost == 0 || !vg_reader_was_full (reader))
    return;
  self->device.told_full = TRUE;
  vg_batch_notify (self, "frames come faster than this computer computes them, so some are lost");
}

VgFrame *
vg_batch_next_frame (VgBatch *self, VgSource *source, VgReader *reader, GError **error)
{
  while (self->live && !vg_reader_wait (reader, g_get_monotonic_time () + LOOK_US))
    {
      report_status (self, source);
      if (is_over (self))
        vg_reader_end (reader);
    }
  if (self->live && is_over (self))
    vg_reader_end (reader);
  if (self->live)
    report_status (self, source);
  warn_early (self, reader);
  return vg_reader_next (reader, error);
}

guint
vg_batch_depth (VgBatch *self, const VgSource *source)
{
  const VgBatchJob *job = self->job;

  /* what is sent or watched must not be old */
  if (source->info.frames >= 0 || self->sender != NULL ||
      (job->options != NULL && job->options->alarm > 0))
    return 0;
  return vg_recorder_ring (&source->info);
}

/* What became of the frames of STATUS, and what the user can do if they come faster than they are
 * computed. */
static void
note_too_fast (VgBatch *self, const VgLiveStatus *status)
{
  const gboolean has_gpu = vg_work_get_cuda (self->work) != NULL;
  g_autofree char *account = vg_account_to_text (status);

  vg_batch_add_note (
      self,
      g_strdup_printf ("frames came faster than this computer computes them, so some were lost: "
                       "%s; %" G_GINT64_FORMAT " have maps. To compute all, record them first "
                       "(vivograph record \"%s\" --out recording.tif) and run on the recording. "
                       "Or set a lower frame rate or a smaller region%s",
                       account, self->maps, self->job->inputs[0],
                       has_gpu ? "" : ", or use a computer with a GPU"));
}

void
vg_batch_note_frames (VgBatch *self, VgSource *source, VgReader *reader)
{
  VgLiveStatus *status = &self->device.status, told;
  g_autoptr (GPtrArray) warnings = g_ptr_array_new ();

  if (self->device.noted)
    return;
  self->device.noted = TRUE;
  if (self->live)
    report_status (self, source);
  else
    vg_source_account (source, status);
  told = *status;
  if (self->live && status->lost > 0 && vg_reader_was_full (reader))
    {
      note_too_fast (self, status);
      told.lost = told.bad = 0;
    }
  if (self->live && g_cancellable_is_cancelled (self->job->cancellable) &&
      vg_reader_waiting (reader) > 0)
    vg_batch_add_note (self, g_strdup_printf ("the run was cancelled: %u frames that were received "
                                              "have no maps",
                                              vg_reader_waiting (reader)));
  if (vg_operation_cycles_exposures (self->operation, vg_work_get_params (self->work)))
    told.exposures = 0;
  vg_account_warn (&source->info, &told, warnings);
  for (guint i = 0; i < warnings->len; i++)
    vg_batch_add_note (self, warnings->pdata[i]);
}
