/* SPDX-License-Identifier: MIT */
/* What a batch run does with a live source: it waits for it, says what happens to it, ends it when
 * its time is over, and counts what was lost. */
#include "app/batch/vg-batch-private.h"

enum { LOOK_US = 100000 };

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

/* A driver that waits for its device ends with the job. */
static VgSource *
open_source (VgBatch *self, const void *params, const char *const *inputs, GError **error)
{
  const VgBatchJob *job = self->job;
  VgSource *source;

  if (job->cancellable != NULL)
    g_cancellable_push_current (job->cancellable);
  source = vg_work_open_source (self->operation, params, inputs, job->read_options, job->synthetic,
                                error);
  if (job->cancellable != NULL)
    g_cancellable_pop_current (job->cancellable);
  return source;
}

VgSource *
vg_batch_open_source (VgBatch *self, const void *params, const char *const *inputs, GError **error)
{
  const VgBatchJob *job = self->job;
  g_autoptr (VgSource) source = NULL;
  gboolean told = FALSE;

  if (job->seconds > 0)
    self->device.end_us = g_get_monotonic_time () + (gint64) (job->seconds * 1e6);
  while (source == NULL)
    {
      g_autoptr (GError) local = NULL;

      source = open_source (self, params, inputs, &local);
      if (source != NULL)
        break;
      if (!g_error_matches (local, VG_IO_ERROR, VG_IO_ERROR_LATER) || is_over (self))
        {
          g_propagate_error (error, g_steal_pointer (&local));
          return NULL;
        }
      if (!told)
        vg_batch_notify (self, "%s", local->message);
      told = TRUE;
      g_usleep (LOOK_US);
      if (vg_batch_is_cancelled (self, error))
        return NULL;
    }
  return check_limits (self, source, error) ? g_steal_pointer (&source) : NULL;
}

VgFrame *
vg_batch_next_frame (VgBatch *self, VgSource *source, VgReader *reader, GError **error)
{
  while (self->live && !vg_reader_wait (reader, g_get_monotonic_time () + LOOK_US))
    {
      report_status (self, source);
      if (is_over (self))
        vg_reader_stop (reader);
    }
  if (self->live && is_over (self))
    vg_reader_stop (reader);
  if (self->live)
    report_status (self, source);
  return vg_reader_next (reader, error);
}

void
vg_batch_note_lost (VgBatch *self, VgSource *source)
{
  const VgLiveStatus *status = &self->device.status;

  report_status (self, source);
  if (status->lost == 0)
    return;
  if (self->notes == NULL)
    self->notes = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (self->notes,
                   g_strdup_printf ("%" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
                                    " frames were lost before they reached the program",
                                    status->lost, status->lost + status->received + status->bad));
}
