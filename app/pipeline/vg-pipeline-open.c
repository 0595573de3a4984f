/* SPDX-License-Identifier: MIT */
/* From an opened input to a running one.  What runs goes on until the new
 * work is prepared, and for good when that fails. */
#include "kernels/base/vg-error.h"
#include "app/pipeline/vg-pipeline-private.h"

/* The parameters that the main thread wants by now. */
static void *
newest_params (VgPipeline *self, VgInput *input, guint64 *serial)
{
  gboolean same = self->wanted.operation == input->operation;

  *serial = self->wanted.serial;
  return vg_params_copy (&input->operation->params, same ? self->wanted.params : input->params);
}

static void
give_up (VgPipeline *self, VgInput *input, const GError *error)
{
  vg_input_cancel_opening (input, input == self->input);
  vg_pipeline_post_error (self, error);
  if (self->input)
    vg_pipeline_post (self, VG_POST_STATE);
  else
    vg_pipeline_set_state (self, VG_PIPELINE_FAILED);
}

/* Frames that may be out at once: waiting for compute, kept to compute again,
 * held by an engine that copies, waiting to be recorded. */
static guint
pool_size (VgInput *input)
{
  gsize bytes = MAX (vg_image_info_frame_bytes (&input->info), 1);
  guint recent = input->queue.live ? (guint) CLAMP (VG_RECENT_BYTES / bytes, 1, VG_RECENT_FRAMES)
                                   : 1;

  return input->queue.max + recent + 8 + vg_recorder_ring (&input->info);
}

static gboolean
make_pool (VgInput *input, const VgCuda *cuda, GError **error)
{
  gsize bytes = vg_image_info_frame_bytes (&input->info);

  if (input->operation->input.kind != VG_INPUT_STREAM || input->pool)
    return TRUE;
  input->queue.max = VG_QUEUE_STACK;
  if (input->queue.live)
    input->queue.max = (guint) CLAMP (VG_QUEUE_LIVE_BYTES / MAX (bytes, 1), 4, VG_QUEUE_LIVE);
  input->pool = vg_frame_pool_new (&input->info, pool_size (input), cuda, error);
  return input->pool != NULL;
}

/* What the operation is made for stays open when only the settings do not fit it. */
static gboolean
suits (VgInput *input)
{
  return input->has_info && vg_input_spec_accepts (&input->operation->input, &input->info);
}

/* With ERROR set, a work that has no state yet: the next settings are tried on the same data.
 * DAMAGED: why it does not go on from the outcome it was to go on from. */
static VgWork *
make_work (VgPipeline *self, VgInput *input, const void *params, GError **damaged, GError **error)
{
  g_autoptr (VgWork)
      work = self->hooks.new_work (self->hooks.data, input->operation, self->backend, error);
  g_autoptr (GBytes) checkpoint = work ? vg_pipeline_come_to (self, input, damaged) : NULL;
  g_autoptr (GError) why = NULL;

  if (!work)
    return NULL;
  vg_work_set_stop (work, &self->stop);
  vg_work_bring (work, checkpoint);
  if (!vg_work_prepare (work, params, input->has_info ? &input->info : NULL, input->image, &why) &&
      (!suits (input) || g_error_matches (why, G_IO_ERROR, G_IO_ERROR_CANCELLED)))
    {
      g_propagate_error (error, g_steal_pointer (&why));
      return NULL;
    }
  if (!make_pool (input, vg_work_get_cuda (work), error))
    return NULL;
  if (why)
    g_propagate_error (error, g_steal_pointer (&why));
  return g_steal_pointer (&work);
}

static void
forget_measured (VgPipeline *self)
{
  const VgMeasured none = { .n = 0 };

  self->latency = self->compute = self->results = none;
}

/* An old result came with the settings: it is there before the first step. */
static gboolean
has_precomputed (VgWork *work, const VgOperation *operation)
{
  VgPlane plane;

  for (guint i = 0; i < operation->n_outputs; i++)
    if (vg_operation_get_role (operation, VG_ROLE_FILE, operation->outputs[i].id) != NULL &&
        vg_work_output (work, i, &plane))
      return TRUE;
  return FALSE;
}

void
vg_pipeline_forget_precomputed (VgPipeline *self)
{
  if (self->precomputed_params != NULL)
    vg_params_free (&self->operation->params, g_steal_pointer (&self->precomputed_params));
}

/* What only the compute thread knows of the input before.  The work before is the caller's. */
static VgWork *
start_anew (VgPipeline *self, VgWork *work, const VgOperation *operation)
{
  VgWork *before = self->work;

  vg_pipeline_drop_recent (self);
  vg_pipeline_forget_underlay (self);
  vg_pipeline_forget_precomputed (self);
  self->work = work;
  self->operation = operation;
  self->generation = vg_work_get_generation (work);
  self->fed = self->mixed = self->has_map = self->whole = self->refeed = self->broken_off = FALSE;
  self->since_jump = 0;
  self->patience_us = VG_PATIENCE_US;
  self->stepping = operation->input.kind != VG_INPUT_STREAM;
  self->one_step = self->behind = FALSE;
  self->precomputed = has_precomputed (work, operation);
  if (self->precomputed)
    self->precomputed_params = vg_params_copy (&operation->params, vg_work_get_params (work));
  self->asked = self->stepping;
  self->asked_us = self->started_us = g_get_monotonic_time ();
  self->statistics_stale = FALSE;
  self->statistics_us = self->published_us = 0;
  self->maps = 0;
  return before;
}

static void
swap (VgPipeline *self, VgInput *input, guint64 serial)
{
  VgResult *mailbox = g_steal_pointer (&self->mailbox);

  forget_measured (self);
  self->serial = serial;
  self->input = input;
  self->course_operation = input->operation;
  self->cancelled = self->passed_over = FALSE;
  self->unprepared = !vg_work_is_ready (self->work);
  self->wanted.again = FALSE;
  self->wanted.steps = 0;
  input->queue.history = vg_work_get_history (self->work);
  vg_pipeline_take_course (self, input);
  input->is_running = TRUE;
  input->queue.is_detached = input->queue.end_seen = FALSE;
  g_cond_signal (&input->queue.room);
  /* a precomputed result is computed again only on request */
  vg_pipeline_set_state (self, self->unprepared    ? VG_PIPELINE_FAILED
                               : self->precomputed ? VG_PIPELINE_PAUSED
                                                   : VG_PIPELINE_RUNNING);
  if (self->unprepared && input->source && !input->queue.live)
    vg_frame_queue_seek (&input->queue, 0, FALSE); /* to be seen */
  vg_pipeline_post (self, VG_POST_OPENED | VG_POST_STATE);
  if (mailbox)
    vg_result_unref (mailbox);
}

/* What there is to see before the first step. */
static void
show_first (VgPipeline *self)
{
  vg_pipeline_look_at_work (self);
  if (self->precomputed)
    {
      self->has_map = TRUE;
      vg_pipeline_publish (self, FALSE, FALSE);
    }
  else if (!vg_work_is_ready (self->work) && self->operation->input.kind == VG_INPUT_DATASET)
    vg_pipeline_publish_input (self);
}

void
vg_pipeline_take_over (VgPipeline *self)
{
  VgInput *input = g_steal_pointer (&self->pending);
  g_autoptr (VgWork) work = NULL, before = NULL;
  g_autoptr (GError) damaged = NULL, error = NULL;
  void *params, *last;
  guint64 serial;

  if (input->queue.error && !input->is_running)
    {
      give_up (self, input, input->queue.error);
      return;
    }
  self->preparing = TRUE;
  self->give_up_opening = FALSE;
  last = g_steal_pointer (&self->before);
  params = newest_params (self, input, &serial);
  g_mutex_unlock (&self->lock);
  vg_pipeline_leave (self, last);
  if (last)
    vg_params_free (&self->operation->params, last);
  work = make_work (self, input, params, &damaged, &error);
  vg_params_free (&input->operation->params, params);
  g_mutex_lock (&self->lock);
  self->preparing = FALSE;
  if (!work || self->give_up_opening)
    {
      if (error && !self->give_up_opening)
        give_up (self, input, error);
      vg_input_cancel_opening (input, input == self->input);
      vg_pipeline_post (self, VG_POST_STATE);
    }
  else
    {
      vg_pipeline_leave_input (self, input);
      before = start_anew (self, g_steal_pointer (&work), input->operation);
      swap (self, input, serial);
      g_clear_pointer (&input->checkpoint, g_free);
      if (input->caution)
        vg_pipeline_post_notice (self, input->caution);
      if (damaged)
        {
          g_autofree char *text = g_strdup_printf ("%s; it is computed from the settings",
                                                   damaged->message);

          vg_pipeline_post_notice (self, text);
        }
      if (error)
        vg_pipeline_post_error (self, error);
    }
  g_mutex_unlock (&self->lock);
  g_clear_pointer (&before, vg_work_free);
  g_clear_pointer (&work, vg_work_free);
  if (self->input == input)
    show_first (self);
  g_mutex_lock (&self->lock);
}
