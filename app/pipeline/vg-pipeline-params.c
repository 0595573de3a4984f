/* SPDX-License-Identifier: MIT */
/* New settings into the work, in place or from the start, and what becomes of
 * those that do not fit. */
#include "app/pipeline/vg-pipeline-private.h"

static gboolean
is_stream (VgPipeline *self)
{
  return self->operation->input.kind == VG_INPUT_STREAM;
}

gboolean
vg_pipeline_has_params (VgPipeline *self)
{
  return self->wanted.operation == self->operation && self->wanted.serial != self->serial &&
         !(self->cancelled && self->wanted.serial == self->cancelled_serial);
}

gboolean
vg_pipeline_has_frame (VgPipeline *self)
{
  /* a live input that no settings have fitted yet is shown as it comes */
  return vg_frame_queue_has_frame (&self->input->queue,
                                   self->unprepared && self->input->queue.live && !self->cancelled);
}

/* There is no state now: the next settings, and Run, make one. */
static void
fail_to_prepare (VgPipeline *self, const GError *error)
{
  self->has_map = FALSE;
  if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      vg_pipeline_fail (self, error);
      return;
    }
  g_mutex_lock (&self->lock);
  self->unprepared = self->cancelled = TRUE;
  vg_pipeline_set_state (self, VG_PIPELINE_FINISHED);
  g_mutex_unlock (&self->lock);
}

/* Settings that do not fit leave the old ones at work. */
static void
refuse (VgPipeline *self, const GError *error)
{
  if (!vg_work_is_ready (self->work))
    {
      fail_to_prepare (self, error);
      return;
    }
  g_mutex_lock (&self->lock);
  vg_pipeline_post_refusal (self, self->serial, error->message);
  g_mutex_unlock (&self->lock);
}

static void
go_on (VgPipeline *self)
{
  g_mutex_lock (&self->lock);
  if (self->cancelled && g_atomic_int_get (&self->stop))
    {
      g_mutex_unlock (&self->lock); /* cancelled since they were taken */
      return;
    }
  if (is_stream (self))
    self->cancelled = FALSE;
  if (self->unprepared)
    {
      /* the first settings that fit what has been opened: it begins as it would have */
      self->unprepared = self->cancelled = FALSE;
      vg_pipeline_set_state (self, VG_PIPELINE_RUNNING);
      g_cond_signal (&self->input->queue.room);
    }
  if (is_stream (self) && self->state == VG_PIPELINE_FAILED && !self->input->queue.error)
    vg_pipeline_set_state (self, VG_PIPELINE_PAUSED);
  if (!is_stream (self) &&
      (self->state == VG_PIPELINE_FINISHED || self->state == VG_PIPELINE_FAILED))
    {
      self->cancelled = FALSE;
      vg_pipeline_set_state (self, VG_PIPELINE_RUNNING);
    }
  g_mutex_unlock (&self->lock);
}

/* Settings are again those that an old result came with: it is there again. */
static void
show_precomputed (VgPipeline *self)
{
  vg_pipeline_recompute (self, VG_WORK_PREPARED);
  self->precomputed = self->has_map = TRUE;
  g_mutex_lock (&self->lock);
  self->wanted.steps = 0;
  vg_pipeline_set_state (self, VG_PIPELINE_PAUSED);
  g_mutex_unlock (&self->lock);
  vg_pipeline_publish (self, FALSE, FALSE);
}

/* An edit beside an old result asks for the work that it shows. */
static void
leave_precomputed (VgPipeline *self)
{
  g_mutex_lock (&self->lock);
  vg_pipeline_set_state (self, VG_PIPELINE_RUNNING);
  g_mutex_unlock (&self->lock);
}

static void
take_change (VgPipeline *self, VgWorkChange change, gboolean next_is_ready)
{
  if (change == VG_WORK_PREPARED && self->precomputed_params != NULL &&
      vg_params_equal (&self->operation->params, vg_work_get_params (self->work),
                       self->precomputed_params))
    {
      show_precomputed (self);
      return;
    }
  if (change == VG_WORK_PREPARED && self->precomputed)
    leave_precomputed (self);
  if (change == VG_WORK_UNCHANGED && self->broken_off)
    change = VG_WORK_UPDATED; /* goes on where it was */
  if (change == VG_WORK_UNCHANGED || (change == VG_WORK_UPDATED && self->precomputed))
    {
      /* the same picture, so that its serial is seen to have arrived */
      if (self->has_map && !next_is_ready)
        vg_pipeline_publish (self, !self->stepping, FALSE);
      return;
    }
  go_on (self);
  self->one_step = TRUE;
  if (is_stream (self) && next_is_ready && !self->refeed &&
      (change == VG_WORK_UPDATED || vg_work_get_history (self->work) == 0))
    {
      /* the next frame shows it at once */
      if (change == VG_WORK_PREPARED)
        {
          self->generation = vg_work_get_generation (self->work);
          self->fed = self->mixed = self->has_map = FALSE;
          vg_pipeline_look_at_work (self);
        }
      return;
    }
  vg_pipeline_recompute (self, change);
}

/* Labels of the buttons that were pressed between BEFORE (NULL: nothing was) and PARAMS. */
static GPtrArray *
find_presses (const VgParamTable *table, const void *before, const void *params)
{
  GPtrArray *labels = g_ptr_array_new ();

  for (guint i = 0; before != NULL && i < table->n_items; i++)
    if (table->items[i].kind == VG_PARAM_ACTION &&
        vg_param_get_number (&table->items[i], before) !=
            vg_param_get_number (&table->items[i], params))
      g_ptr_array_add (labels, (gpointer) table->items[i].label);
  return labels;
}

/* They act on the frame in hand: the time courses show it there. */
static void
mark_presses (VgPipeline *self, const GPtrArray *labels)
{
  const VgFrame *frame = g_queue_peek_tail (&self->recent);

  for (guint i = 0; frame != NULL && i < labels->len; i++)
    vg_time_course_mark (self->course, frame->time_s, labels->pdata[i]);
}

void
vg_pipeline_apply_params (VgPipeline *self)
{
  const VgParamTable *table = &self->operation->params;
  gboolean before = self->pending && self->before;
  void *params = before ? g_steal_pointer (&self->before)
                        : vg_params_copy (table, self->wanted.params);
  gboolean ready = is_stream (self) && vg_pipeline_has_frame (self);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) presses = NULL;
  VgWorkChange change;

  self->serial = before ? self->before_serial : self->wanted.serial;
  self->queries.changes_first += self->queries.tasks.length > 0;
  g_mutex_unlock (&self->lock);
  self->started_us = self->asked_us = g_get_monotonic_time ();
  self->asked = !is_stream (self);
  presses = find_presses (
      table, vg_work_is_ready (self->work) ? vg_work_get_params (self->work) : NULL, params);
  change = vg_work_set_params (self->work, params, &error);
  if (change != VG_WORK_REFUSED)
    mark_presses (self, presses);
  vg_params_free (table, params);
  g_mutex_lock (&self->lock);
  self->input->queue.history = vg_work_get_history (self->work);
  g_mutex_unlock (&self->lock);
  if (change == VG_WORK_REFUSED)
    refuse (self, error);
  else
    take_change (self, change, ready);
  g_mutex_lock (&self->lock);
}

/* What was done is done anew; after a failure, with the newest settings. */
void
vg_pipeline_start_again (VgPipeline *self)
{
  void *params = vg_params_copy (&self->operation->params, self->wanted.params);
  g_autoptr (GError) error = NULL;
  gboolean started;

  self->wanted.again = FALSE;
  g_mutex_unlock (&self->lock);
  self->started_us = self->asked_us = g_get_monotonic_time ();
  self->asked = TRUE;
  if (vg_work_is_ready (self->work))
    started = vg_work_restart (self->work, &error);
  else
    started = vg_work_set_params (self->work, params, &error) != VG_WORK_REFUSED;
  vg_params_free (&self->operation->params, params);
  if (started)
    {
      go_on (self);
      vg_pipeline_recompute (self, VG_WORK_PREPARED);
    }
  else
    fail_to_prepare (self, error);
  g_mutex_lock (&self->lock);
}
