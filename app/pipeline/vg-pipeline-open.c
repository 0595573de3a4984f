/* SPDX-License-Identifier: MIT */
/* From an opened input to a running one.  The work before runs until the new one is prepared, and
 * stays when that fails. */
#include "app/pipeline/vg-compute.h"
#include "kernels/base/vg-memory.h"

enum {
  STACK_FRAMES = 3,            /* that are read ahead of a stack */
  LIVE_BYTES = 128 << 20,      /* of the frames that wait of a live source, at least four */
  SYNTHETIC_BYTES = 256 << 20, /* to look back in sample data */
};
/* The most memory to look back in a live source. */
#define LOOK_BACK_BYTES ((gsize) 8 << 30)

/* The newest settings for INPUT, and their serial. */
static void *
newest_params (VgPipeline *self, VgInput *input, guint64 *serial)
{
  gboolean same = self->wanted.operation == input->operation;

  *serial = self->wanted.serial;
  return vg_params_copy (&input->operation->params, same ? self->wanted.params : input->params);
}

static void
fail_to_open (VgPipeline *self, VgInput *input, const GError *error)
{
  vg_input_cancel_opening (input, input == self->input);
  vg_pipeline_drop_opening (self);
  vg_pipeline_post_error (self, error, input->number);
  if (self->input)
    vg_pipeline_post (self, VG_POST_STATE);
  else
    vg_pipeline_set_state (self, VG_PIPELINE_FAILED);
}

/* Frames that may be in use at once: those that wait for compute, are kept to be computed again,
 * are copied by an engine, or wait to be recorded. */
static guint
pool_size (VgInput *input)
{
  gsize bytes = MAX (vg_image_info_frame_bytes (&input->info), 1);
  guint recent = input->queue.live ? (guint) CLAMP (VG_RECENT_BYTES / bytes, 1, VG_RECENT_FRAMES)
                                   : 1;

  return input->queue.max + recent + 8 + vg_recorder_ring (&input->info) +
         (input->look_back != NULL ? vg_look_back_get_most (input->look_back) : 0);
}

/* Memory to look back in a live source, before its first frame is read. */
static void
make_look_back (VgInput *input)
{
  gsize most = vg_input_is_synthetic (input) ? (gsize) SYNTHETIC_BYTES : LOOK_BACK_BYTES;

  if (input->queue.live)
    input->look_back = vg_look_back_new (vg_image_info_frame_bytes (&input->info), VG_LOOK_BACK_S,
                                         MIN (most, vg_memory_available () / 4),
                                         vg_memory_available);
}

static gboolean
make_pool (VgPipeline *self, VgInput *input, const VgCuda *cuda, GError **error)
{
  gsize bytes = vg_image_info_frame_bytes (&input->info);

  if (input->operation->input.kind != VG_INPUT_STREAM || input->pool)
    return TRUE;
  input->queue.max = STACK_FRAMES;
  if (input->queue.live)
    input->queue.max = (guint) CLAMP (LIVE_BYTES / MAX (bytes, 1), 4, VG_QUEUE_LIVE);
  make_look_back (input);
  input->pool = vg_frame_pool_new (&input->info, pool_size (input), cuda, error);
  return input->pool != NULL;
}

/* Data that the operation accepts stay open when only the settings do not fit them. */
static gboolean
suits (VgInput *input)
{
  return input->has_info && vg_input_spec_accepts (&input->operation->input, &input->info);
}

static void
on_report (gpointer prepared, double done)
{
  g_atomic_int_set ((gint *) prepared, (gint) (1000 * CLAMP (done, 0, 1)));
}

/* A work may come with ERROR set: it has no engine state yet, and the next settings are tried on
 * the same data.  DAMAGED: why the work cannot resume from its checkpoint. */
static VgWork *
make_work (VgPipeline *self, VgInput *input, const void *params, GError **damaged, GError **error)
{
  g_autoptr (VgWork)
      work = self->hooks.new_work (self->hooks.data, input->operation, self->backend, error);
  g_autoptr (GBytes) checkpoint = work ? vg_pipeline_find_checkpoint (self, input, damaged) : NULL;
  g_autoptr (GError) why = NULL;

  if (!work)
    return NULL;
  vg_work_set_stop (work, &self->stop);
  vg_work_set_replaced (work, vg_pipeline_is_replaced, self);
  vg_work_keep_baseline (work);
  vg_work_set_report (work, on_report, &self->prepared);
  vg_work_set_checkpoint (work, checkpoint);
  if (!vg_work_prepare (work, params, input->has_info ? &input->info : NULL, input->image, &why) &&
      (!suits (input) || g_error_matches (why, G_IO_ERROR, G_IO_ERROR_CANCELLED)))
    {
      g_propagate_error (error, g_steal_pointer (&why));
      return NULL;
    }
  if (!make_pool (self, input, vg_work_get_cuda (work), error))
    return NULL;
  if (why)
    g_propagate_error (error, g_steal_pointer (&why));
  return g_steal_pointer (&work);
}

/* TRUE: the data give settings, such as the exposure time of a camera, that differ from the
 * defaults.  The work was prepared without them, because they are known only now. */
static gboolean
gives_settings (const VgInput *input)
{
  const VgOperation *operation = input->operation;
  void *defaults, *given;
  gboolean differ;

  if (!input->has_info || vg_input_is_synthetic (input) || operation->adopt == NULL)
    return FALSE;
  defaults = vg_params_new (&operation->params);
  given = vg_params_new (&operation->params);
  operation->adopt (given, &input->info);
  differ = !vg_params_equal (&operation->params, given, defaults);
  vg_params_free (&operation->params, given);
  vg_params_free (&operation->params, defaults);
  return differ;
}

static void
forget_measured (VgPipeline *self)
{
  const VgMeasured none = { .n = 0 };

  self->mailbox.latency_ms = self->mailbox.compute_ms = self->mailbox.times_s = none;
}

/* TRUE: the settings came with a result that exists before the first step.  If the GPU has failed,
 * the next step reports it. */
static gboolean
has_precomputed (VgWork *work, const VgOperation *operation)
{
  VgPlane plane;

  for (guint i = 0; i < operation->n_outputs; i++)
    if (vg_operation_get_role (operation, VG_ROLE_FILE, operation->outputs[i].id) != NULL &&
        vg_work_output (work, i, &plane, NULL))
      return TRUE;
  return FALSE;
}

void
vg_pipeline_forget_precomputed (VgPipeline *self)
{
  if (self->compute->precomputed_params != NULL)
    vg_params_free (&self->operation->params, g_steal_pointer (&self->compute->precomputed_params));
}

/* Resets what the compute thread knows of the input before.  Returns the work before, owned. */
static VgWork *
reset_compute (VgPipeline *self, VgWork *work, const VgOperation *operation)
{
  VgWork *before = self->compute->work;

  vg_pipeline_drop_recent (self);
  vg_pipeline_forget_precomputed (self);
  self->compute->work = work;
  vg_publisher_set_work (&self->compute->publisher, work);
  self->operation = operation;
  self->compute->generation = vg_work_get_generation (work);
  self->compute->baseline = vg_work_get_baseline (work);
  self->compute->fed = self->compute->mixed = self->compute->has_map = self->compute->whole =
      self->compute->recent_due = self->compute->broken_off = self->compute->owes_map = FALSE;
  self->compute->since_jump = 0;
  self->compute->patience_us = VG_PATIENCE_US;
  self->compute->stepping = operation->input.kind != VG_INPUT_STREAM;
  self->compute->one_step = self->compute->behind = self->compute->is_ahead = FALSE;
  self->compute->precomputed = has_precomputed (work, operation);
  if (self->compute->precomputed)
    self->compute->precomputed_params = vg_params_copy (&operation->params,
                                                        vg_work_get_params (work));
  self->compute->is_requested = self->compute->stepping;
  self->compute->requested_us = self->compute->started_us = g_get_monotonic_time ();
  self->compute->published_us = 0;
  self->compute->maps = 0;
  return before;
}

static void
swap (VgPipeline *self, VgInput *input, guint64 serial)
{
  g_clear_pointer (&self->mailbox.result, vg_result_unref);
  forget_measured (self);
  vg_pipeline_forget_last (self);
  self->serial = serial;
  self->input = input;
  self->cancelled = self->map_cancelled = self->looks_back = FALSE;
  self->unprepared = !vg_work_is_ready (self->compute->work);
  self->untold = gives_settings (input);
  self->wanted.again = FALSE;
  self->wanted.steps = 0;
  input->queue.history = vg_work_get_history (self->compute->work);
  vg_pipeline_restore_course (self, input);
  input->is_running = TRUE;
  input->queue.is_detached = input->queue.end_seen = FALSE;
  g_cond_signal (&input->queue.room);
  /* a precomputed result is computed again only on request */
  vg_pipeline_set_state (self, self->unprepared             ? VG_PIPELINE_FAILED
                               : self->compute->precomputed ? VG_PIPELINE_PAUSED
                                                            : VG_PIPELINE_RUNNING);
  if (self->unprepared && input->source && !input->queue.live)
    vg_frame_queue_seek (&input->queue, 0, FALSE); /* so that it is shown */
  vg_pipeline_post (self, VG_POST_OPENED | VG_POST_STATE);
}

/* Shows what there is before the first step. */
static void
show_first (VgPipeline *self)
{
  vg_pipeline_inspect_work (self);
  if (self->compute->precomputed)
    {
      self->compute->has_map = TRUE;
      self->compute->map_serial = self->serial;
      vg_pipeline_show (self, FALSE, FALSE);
    }
  else if (!vg_work_is_ready (self->compute->work) &&
           self->operation->input.kind == VG_INPUT_DATASET)
    vg_pipeline_publish_input (self);
}

gboolean
vg_pipeline_begin_install (VgPipeline *self, VgInstall *task)
{
  VgInput *input = g_steal_pointer (&self->pending);

  if (input->queue.error && !input->is_running)
    {
      fail_to_open (self, input, input->queue.error);
      return FALSE;
    }
  self->preparation = VG_PREPARATION_RUNNING;
  *task = (VgInstall){ .input = input };
  if (vg_pipeline_has_last (self))
    task->last = vg_params_copy (&self->last.operation->params, self->last.params);
  task->params = newest_params (self, input, &task->serial);
  return TRUE;
}

/* What was noticed while INPUT was opened and prepared; the lock is held. */
static void
report (VgPipeline *self, VgInput *input, const GError *damaged, const GError *error)
{
  if (input->caution)
    vg_pipeline_post_notice (self, input->caution);
  if (damaged)
    {
      g_autofree char *text = g_strdup_printf ("%s; the result is computed again from the settings",
                                               damaged->message);

      vg_pipeline_post_notice (self, text);
    }
  if (error)
    vg_pipeline_post_error (self, error, 0);
}

/* Installs WORK, which is taken unless the opening was cancelled.  Returns what is to be freed. */
static VgWork *
install_work (VgPipeline *self, VgInstall *task, VgWork *work, const GError *damaged,
              const GError *error)
{
  VgInput *input = task->input;
  gboolean cancelled = self->preparation == VG_PREPARATION_CANCELLED;

  self->preparation = VG_PREPARATION_NONE;
  if (!work || cancelled)
    {
      if (error && !cancelled)
        fail_to_open (self, input, error);
      vg_input_cancel_opening (input, input == self->input);
      vg_pipeline_post (self, VG_POST_STATE);
      return work;
    }
  vg_pipeline_leave_input (self, input);
  work = reset_compute (self, work, input->operation);
  swap (self, input, task->serial);
  g_clear_pointer (&input->checkpoint, g_free);
  report (self, input, damaged, error);
  return work;
}

void
vg_pipeline_install (VgPipeline *self, VgInstall *task)
{
  VgInput *input = task->input;
  g_autoptr (VgWork) work = NULL;
  g_autoptr (GError) damaged = NULL, error = NULL;
  gboolean installed;

  vg_pipeline_save_checkpoint (self, task->last);
  if (task->last)
    vg_params_free (&self->operation->params, task->last);
  work = make_work (self, input, task->params, &damaged, &error);
  vg_params_free (&input->operation->params, task->params);
  g_mutex_lock (&self->lock);
  work = install_work (self, task, work, damaged, error);
  installed = self->input == input;
  g_mutex_unlock (&self->lock);
  g_clear_pointer (&work, vg_work_free);
  if (installed)
    show_first (self);
}
