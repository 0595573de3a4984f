/* SPDX-License-Identifier: MIT */
/* New settings: the main thread sets them, and the compute thread applies the newest to the work,
 * in place or with a new engine state, or refuses them if they do not fit. */
#include "app/pipeline/vg-compute.h"

/* --- main thread --- */

/* An output belongs to its operation; the first is the one to begin with. */
void
vg_pipeline_want_params (VgPipeline *self, const VgOperation *operation, const void *params)
{
  void *copy = vg_params_copy (&operation->params, params);

  if (operation != self->wanted.operation)
    {
      self->wanted.output = (int) operation->view.first_output;
      self->wanted.has_display = FALSE;
    }
  if (self->wanted.operation)
    vg_params_free (&self->wanted.operation->params, self->wanted.params);
  self->wanted.operation = operation;
  self->wanted.params = copy;
  self->wanted.serial = ++self->wanted.n_serials;
}

void
vg_pipeline_forget_last (VgPipeline *self)
{
  if (self->last.params)
    vg_params_free (&self->last.operation->params, self->last.params);
  self->last = (VgLastSettings){ .params = NULL };
}

void
vg_pipeline_want_opening (VgPipeline *self, const VgOperation *operation, const void *params)
{
  const VgWanted *wanted = &self->wanted;
  VgLastSettings last = { .operation = wanted->operation,
                          .serial = wanted->serial,
                          .opening_serial = wanted->n_serials + 1,
                          .output = wanted->output,
                          .display = wanted->display,
                          .has_display = wanted->has_display };

  vg_pipeline_forget_last (self);
  if (self->input && wanted->operation)
    last.params = vg_params_copy (&wanted->operation->params, wanted->params);
  self->last = last;
  vg_pipeline_want_params (self, operation, params);
}

void
vg_pipeline_drop_opening (VgPipeline *self)
{
  VgWanted *wanted = &self->wanted;

  if (self->last.params)
    {
      vg_params_free (&wanted->operation->params, wanted->params);
      wanted->operation = self->last.operation;
      wanted->params = g_steal_pointer (&self->last.params);
      wanted->serial = self->last.serial;
      wanted->output = self->last.output;
      wanted->display = self->last.display;
      wanted->has_display = self->last.has_display;
    }
  vg_pipeline_forget_last (self);
}

guint64
vg_pipeline_set_params (VgPipeline *self, const VgOperation *operation, const void *params)
{
  guint64 serial;

  g_mutex_lock (&self->lock);
  vg_pipeline_want_params (self, operation, params);
  serial = self->wanted.serial;
  g_cond_signal (&self->wake);
  g_mutex_unlock (&self->lock);
  return serial;
}

/* --- compute thread --- */

static gboolean
is_stream (VgPipeline *self)
{
  return self->operation->input.kind == VG_INPUT_STREAM;
}

/* There is no engine state now: the next settings, or Run, prepare one. */
static void
fail_to_prepare (VgPipeline *self, const GError *error)
{
  self->compute->has_map = FALSE;
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

/* Settings that do not fit leave the old ones in use. */
static void
refuse (VgPipeline *self, const GError *error)
{
  if (!vg_work_is_ready (self->compute->work))
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
      g_mutex_unlock (&self->lock); /* cancelled since the settings were applied */
      return;
    }
  if (is_stream (self))
    self->cancelled = FALSE;
  if (self->unprepared)
    {
      /* the first settings that fit the input start it */
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

/* The settings are again those of the precomputed result, which is shown again. */
static void
show_precomputed (VgPipeline *self)
{
  vg_pipeline_recompute (self, VG_WORK_PREPARED);
  self->compute->precomputed = self->compute->has_map = TRUE;
  self->compute->map_serial = self->serial;
  g_mutex_lock (&self->lock);
  self->wanted.steps = 0;
  vg_pipeline_set_state (self, VG_PIPELINE_PAUSED);
  g_mutex_unlock (&self->lock);
  vg_pipeline_show (self, FALSE, FALSE);
}

/* An edit beside a precomputed result computes it anew. */
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
  if (change == VG_WORK_PREPARED && self->compute->precomputed_params != NULL &&
      vg_params_equal (&self->operation->params, vg_work_get_params (self->compute->work),
                       self->compute->precomputed_params))
    {
      show_precomputed (self);
      return;
    }
  if (change == VG_WORK_PREPARED && self->compute->precomputed)
    leave_precomputed (self);
  if (change == VG_WORK_UNCHANGED && (self->compute->broken_off || self->compute->is_ahead ||
                                      self->compute->owes_map || self->compute->recent_due))
    change = VG_WORK_UPDATED; /* the work has these settings, but no map of them was made */
  self->compute->is_ahead = FALSE;
  if (change == VG_WORK_UNCHANGED || (change == VG_WORK_UPDATED && self->compute->precomputed))
    {
      /* the same map, so that its serial arrives */
      self->compute->map_serial = self->serial;
      if (self->compute->has_map && !next_is_ready)
        vg_pipeline_show (self, !self->compute->stepping, FALSE);
      return;
    }
  go_on (self);
  self->compute->one_step = TRUE;
  if (is_stream (self) && next_is_ready && !self->compute->recent_due &&
      (change == VG_WORK_UPDATED || vg_work_get_history (self->compute->work) == 0))
    {
      /* the next frame shows it at once */
      self->compute->owes_map = TRUE;
      if (change == VG_WORK_PREPARED)
        {
          self->compute->generation = vg_work_get_generation (self->compute->work);
          self->compute->fed = self->compute->mixed = self->compute->has_map = FALSE;
          vg_pipeline_inspect_work (self);
        }
      return;
    }
  vg_pipeline_recompute (self, change);
}

/* Labels of the buttons that were pressed between BEFORE, which may be NULL, and PARAMS. */
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

/* Buttons act on the frame in hand, where the time courses show a marker. */
static void
mark_presses (VgPipeline *self, const GPtrArray *labels)
{
  const VgFrame *frame = g_queue_peek_tail (&self->compute->recent);

  for (guint i = 0; frame != NULL && i < labels->len; i++)
    vg_time_course_mark (self->course, frame->time_s, labels->pdata[i]);
}

/* Settings of a query that saves come before newer ones. */
VgChange
vg_pipeline_begin_change (VgPipeline *self)
{
  const gboolean last = self->pending && vg_pipeline_has_last (self);
  guint64 serial = last ? self->last.serial : self->wanted.serial;
  const void *asked = last ? NULL
                           : vg_query_queue_get_settings (&self->queries, self->operation,
                                                          self->serial, &serial);

  self->serial = serial;
  self->queries.changes_first += self->queries.tasks.length > 0;
  return (VgChange){ vg_params_copy (&self->operation->params, last    ? self->last.params
                                                               : asked ? asked
                                                                       : self->wanted.params),
                     self->input->info.exposure_ms,
                     is_stream (self) && vg_pipeline_has_frame (self) &&
                         !vg_query_queue_saves (&self->queries, serial) };
}

void
vg_pipeline_apply_params (VgPipeline *self, VgChange *task)
{
  const VgParamTable *table = &self->operation->params;
  VgWork *work = self->compute->work;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) presses = NULL;
  VgWorkChange change;

  self->compute->started_us = self->compute->requested_us = g_get_monotonic_time ();
  self->compute->is_requested = !is_stream (self);
  presses = find_presses (table, vg_work_is_ready (work) ? vg_work_get_params (work) : NULL,
                          task->params);
  vg_work_set_camera_exposure (work, task->exposure_ms);
  change = vg_work_set_params (work, task->params, &error);
  if (change == VG_WORK_UPDATED)
    vg_work_keep_recent (work, &self->compute->recent);
  if (change != VG_WORK_REFUSED)
    mark_presses (self, presses);
  vg_pipeline_inspect_baseline (self);
  vg_params_free (table, task->params);
  g_mutex_lock (&self->lock);
  self->input->queue.history = vg_work_get_history (work);
  g_mutex_unlock (&self->lock);
  if (change == VG_WORK_REFUSED)
    refuse (self, error);
  else
    take_change (self, change, task->next_is_ready);
}

gboolean
vg_pipeline_begin_restart (VgPipeline *self, VgChange *task)
{
  const gboolean last = vg_pipeline_is_opening (self);

  if (!self->wanted.again || self->cancelled ||
      (last ? self->last.operation : self->wanted.operation) != self->operation)
    return FALSE;
  self->wanted.again = FALSE;
  if (last && !vg_work_is_ready (self->compute->work))
    self->serial = self->last.serial;
  *task = (VgChange){ .params = vg_params_copy (&self->operation->params,
                                                last ? self->last.params : self->wanted.params) };
  return TRUE;
}

/* After a failure, the newest settings are tried. */
void
vg_pipeline_start_again (VgPipeline *self, VgChange *task)
{
  VgWork *work = self->compute->work;
  g_autoptr (GError) error = NULL;
  gboolean started;

  self->compute->started_us = self->compute->requested_us = g_get_monotonic_time ();
  self->compute->is_requested = TRUE;
  if (vg_work_is_ready (work))
    started = vg_work_restart (work, &error);
  else
    started = vg_work_set_params (work, task->params, &error) != VG_WORK_REFUSED;
  vg_params_free (&self->operation->params, task->params);
  if (started)
    {
      go_on (self);
      vg_pipeline_recompute (self, VG_WORK_PREPARED);
    }
  else
    fail_to_prepare (self, error);
}
