/* SPDX-License-Identifier: MIT */
/* The step loop of all kinds of batch runs, and what it reports. */
#include "app/batch/vg-batch-private.h"

static const double step_budget_s = 0.03;

void
vg_batch_add_note (VgBatch *self, char *note)
{
  if (self->notes == NULL)
    self->notes = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (self->notes, note);
}

gboolean
vg_batch_is_cancelled (VgBatch *self, GError **error)
{
  return self->job->cancellable != NULL &&
         g_cancellable_set_error_if_cancelled (self->job->cancellable, error);
}

void
vg_batch_report (VgBatch *self, double fraction)
{
  g_autofree char *notice = vg_work_take_notice (self->work);
  gint64 maps = self->export != NULL   ? vg_export_get_pages (self->export)
                : self->movie != NULL  ? vg_movie_get_frames (self->movie)
                : self->sender != NULL ? self->maps
                                       : self->tiles_done;

  if (notice != NULL)
    vg_batch_notify (self, "%s", notice);
  if (self->tiles > 0)
    fraction = (self->tiles_done + MAX (fraction, 0)) / self->tiles;
  if (self->job->progress != NULL)
    self->job->progress (fraction, maps, self->job->user_data);
}

VgStep
vg_batch_step (VgBatch *self, VgWork *work, VgBatchBetween between, gpointer data, GError **error)
{
  for (;;)
    {
      gint64 start = g_get_monotonic_time ();
      VgStep step = vg_work_step (work, step_budget_s, error);

      /* the times of several tiles overlap */
      if (work == self->work)
        self->seconds += (g_get_monotonic_time () - start) * 1e-6;
      /* the frame of a live source is completed, because it cannot be read again */
      if (step != VG_STEP_FAILED && !self->live && vg_batch_is_cancelled (self, error))
        return VG_STEP_FAILED;
      if (step != VG_STEP_MORE)
        return step;
      if (!between (data, error))
        return VG_STEP_FAILED;
    }
}

static gboolean
film_and_report (gpointer data, GError **error)
{
  VgBatch *self = data;

  if (!vg_batch_film_step (self, error))
    return FALSE;
  if (self->operation->input.kind != VG_INPUT_STREAM)
    vg_batch_report (self, vg_work_progress (self->work));
  return TRUE;
}

VgStep
vg_batch_step_to_end (VgBatch *self, GError **error)
{
  return vg_batch_step (self, self->work, film_and_report, self, error);
}

void
vg_batch_notify (VgBatch *self, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list arguments;

  if (self->job->notice == NULL)
    return;
  va_start (arguments, format);
  text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  self->job->notice (text, self->job->user_data);
}

void
vg_batch_notify_alarms (VgBatch *self)
{
  char *sentence;

  while (self->export != NULL && (sentence = vg_export_take_alarm (self->export)) != NULL)
    {
      vg_batch_notify (self, "%s", sentence);
      g_free (sentence);
    }
}
