/* SPDX-License-Identifier: MIT */
/* The compute thread.  It chooses the most urgent task under the lock, does it without the lock,
 * and chooses again. */
#include "app/pipeline/vg-compute.h"
#include <string.h>
#include "kernels/base/vg-error.h"

/* An animation waits so long for a result to be taken: a hidden window takes none. */
enum { UNSEEN_US = 1000000 / 20 };

typedef enum {
  TASK_NONE, /* all is done: wait */
  TASK_DONE, /* choosing it was all there was to do */
  TASK_FREE_INPUT,
  TASK_INSTALL,
  TASK_QUERY,
  TASK_SHOW,
  TASK_PARAMS,
  TASK_RESTART,
  TASK_FRAME,
  TASK_RECOMPUTE,
  TASK_STEP,
} TaskKind;

typedef struct
{
  TaskKind kind;
  VgInput *input;    /* TASK_FREE_INPUT */
  VgInstall install; /* TASK_INSTALL */
  GTask *query;
  VgChange change;      /* TASK_PARAMS, TASK_RESTART */
  VgQueuedFrame *frame; /* owned */
  gboolean playing;     /* TASK_STEP */
} Task;

static gboolean
is_stream (VgPipeline *self)
{
  return self->operation->input.kind == VG_INPUT_STREAM;
}

/* --- choosing a task; the lock is held --- */

/* Shows the present map again unless a newer one comes at once. */
static void
choose_show (VgPipeline *self, Task *task)
{
  gboolean coming = is_stream (self) ? vg_pipeline_has_frame (self)
                                     : self->compute->stepping && self->playback.playing;

  task->kind = self->compute->has_map && !coming ? TASK_SHOW : TASK_DONE;
}

static void
choose_regions (VgPipeline *self, Task *task)
{
  VgPublisher *publisher = &self->compute->publisher;

  vg_followed_regions_free (publisher->followed);
  publisher->followed = vg_followed_regions_new (self->wanted.regions, self->wanted.n_regions);
  self->compute->regions_serial = self->wanted.regions_serial;
  vg_time_course_set_regions (self->course, self->wanted.regions, self->wanted.n_regions);
  task->kind = TASK_DONE;
  if (vg_pipeline_has_params (self))
    self->compute->behind = TRUE; /* a region may be a parameter: both are shown together */
  else if (self->input)
    choose_show (self, task);
}

static void
choose_compare (VgPipeline *self, Task *task)
{
  VgPublisher *publisher = &self->compute->publisher;

  vg_reference_unref (publisher->reference);
  publisher->reference = self->wanted.reference ? vg_reference_ref (self->wanted.reference) : NULL;
  publisher->compare = self->wanted.compare;
  self->compute->compare_serial = self->wanted.compare_serial;
  task->kind = TASK_DONE;
  if (self->input)
    choose_show (self, task);
}

/* What results show of the work: another output, underlay or outlines. */
static gboolean
choose_shown (VgPipeline *self, Task *task)
{
  VgPublisher *publisher = &self->compute->publisher;

  if (self->wanted.output == publisher->output &&
      self->wanted.underlay_frame == publisher->underlay_frame &&
      self->wanted.underlay_window[0] == publisher->underlay_window[0] &&
      self->wanted.underlay_window[1] == publisher->underlay_window[1] &&
      self->wanted.other_outlines == publisher->other_outlines &&
      self->wanted.beside == publisher->beside && self->wanted.whole == publisher->whole)
    return FALSE;
  publisher->output = self->wanted.output;
  publisher->underlay_frame = self->wanted.underlay_frame;
  memcpy (publisher->underlay_window, self->wanted.underlay_window,
          sizeof publisher->underlay_window);
  publisher->other_outlines = self->wanted.other_outlines;
  publisher->beside = self->wanted.beside;
  publisher->whole = self->wanted.whole;
  if (publisher->underlay_frame == VG_UNDERLAY_OFF)
    vg_publisher_forget_underlay (publisher);
  choose_show (self, task);
  return TRUE;
}

static void
report_end (VgPipeline *self)
{
  VgFrameQueue *queue = &self->input->queue;
  g_autoptr (GError) error = queue->error ? g_error_copy (queue->error) : NULL;

  queue->end_seen = TRUE;
  if (!error && self->compute->maps == 0 && !self->cancelled)
    error = g_error_new (VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
                         "the input ended after %" G_GUINT64_FORMAT
                         " frames, but a map with these settings needs %d; choose a shorter "
                         "window, or a longer input",
                         queue->counts.sent, vg_work_get_history (self->compute->work) + 1);
  if (error)
    {
      self->compute->stepping = FALSE;
      vg_pipeline_set_failed (self, error);
    }
  else
    vg_pipeline_set_state (self, VG_PIPELINE_FINISHED);
}

static gboolean
choose_frame (VgPipeline *self, Task *task)
{
  VgFrameQueue *queue = &self->input->queue;

  if (queue->first_bad)
    {
      vg_pipeline_post_notice (self, queue->first_bad);
      g_clear_pointer (&queue->first_bad, g_free);
    }
  if (vg_pipeline_has_frame (self))
    {
      task->kind = TASK_FRAME;
      task->frame = vg_frame_queue_take (queue);
      return TRUE;
    }
  if (self->compute->owes_map && !self->cancelled)
    {
      task->kind = TASK_RECOMPUTE;
      return TRUE;
    }
  if (!queue->has_ended || queue->end_seen || queue->frames.length > 0)
    return FALSE;
  report_end (self);
  task->kind = TASK_DONE;
  return TRUE;
}

/* An animation computes its next step when the last one has been shown; what the user does acts at
 * once.  Steps are due at fixed intervals, whatever computing takes, except after a step that
 * waited for the screen. */
static gboolean
is_due (VgPipeline *self)
{
  gint64 now = g_get_monotonic_time (), due = self->compute->paced_us + VG_SHOW_US;
  gboolean unseen = self->mailbox.result != NULL;

  if (!self->playback.playing || self->compute->one_step || !vg_work_is_paced (self->compute->work))
    return TRUE;
  if (now >= due && unseen)
    due = self->compute->published_us + UNSEEN_US;
  self->compute->wait_until_us = due;
  if (now < due)
    return FALSE;
  self->compute->paced_us = unseen || now - due > VG_SHOW_US ? now : due;
  return TRUE;
}

static gboolean
choose_step (VgPipeline *self, Task *task)
{
  VgCompute *compute = self->compute;
  gboolean playing = self->playback.playing;

  if (!vg_work_is_ready (compute->work))
    return FALSE;
  if (compute->stepping && !self->cancelled &&
      (playing || compute->one_step || self->wanted.steps > 0))
    {
      if (!is_due (self))
        return FALSE;
      if (!playing && self->wanted.steps > 0)
        {
          self->wanted.steps--;
          compute->one_step = TRUE;
        }
      compute->precomputed = FALSE;
      task->kind = TASK_STEP;
      task->playing = playing;
      return TRUE;
    }
  if (!playing || compute->stepping)
    return FALSE;
  vg_pipeline_set_state (self, VG_PIPELINE_FINISHED);
  task->kind = TASK_DONE;
  return TRUE;
}

static gboolean
choose_closed_input (VgPipeline *self, Task *task)
{
  for (guint i = 0; i < self->inputs->len; i++)
    {
      VgInput *input = self->inputs->pdata[i];

      if (!input->is_closed || input->queue.is_detached || input == self->input ||
          input == self->pending)
        continue;
      g_ptr_array_remove_index (self->inputs, i);
      task->kind = TASK_FREE_INPUT;
      task->input = input;
      return TRUE;
    }
  return FALSE;
}

static gboolean
choose_query (VgPipeline *self, Task *task)
{
  task->query = vg_pipeline_next_query (self);
  if (!task->query)
    return FALSE;
  task->kind = TASK_QUERY;
  self->busy_us = 0; /* the window shows by itself that a query runs */
  return TRUE;
}

static void
choose_params (VgPipeline *self, Task *task)
{
  task->kind = TASK_PARAMS;
  task->change = vg_pipeline_begin_change (self);
}

/* A query that saves the present work was requested before another input was opened: it is answered
 * first, with the last settings of that work. */
static gboolean
choose_to_save (VgPipeline *self, Task *task)
{
  if (!self->input || !self->pending || !vg_query_queue_saves (&self->queries, G_MAXUINT64))
    return FALSE;
  if (!vg_pipeline_has_last (self))
    return choose_query (self, task) || (vg_pipeline_owes_map (self) && choose_step (self, task));
  choose_params (self, task);
  return TRUE;
}

static gboolean
has_regions (VgPipeline *self)
{
  return self->wanted.regions_serial != self->compute->regions_serial &&
         (self->wanted.regions_operation == NULL ||
          self->wanted.regions_operation == self->operation);
}

static Task
choose (VgPipeline *self)
{
  const gboolean same = self->wanted.operation == self->operation;
  VgCompute *compute = self->compute;
  Task task = { TASK_NONE };

  if (choose_closed_input (self, &task) || choose_to_save (self, &task))
    ;
  else if (self->pending && self->pending->is_opened)
    task.kind = vg_pipeline_begin_install (self, &task.install) ? TASK_INSTALL : TASK_DONE;
  else if (choose_query (self, &task))
    ;
  else if (has_regions (self))
    choose_regions (self, &task);
  else if (self->wanted.compare_serial != compute->compare_serial)
    choose_compare (self, &task);
  else if (!self->input || (same && choose_shown (self, &task)))
    ;
  else if (vg_pipeline_may_change (self))
    choose_params (self, &task);
  else if (vg_pipeline_begin_restart (self, &task.change))
    task.kind = TASK_RESTART;
  else if (self->untold ||
           (is_stream (self) ? choose_frame (self, &task) : choose_step (self, &task)))
    ;
  else if (compute->has_map && (compute->publisher.statistics_stale || compute->behind) &&
           !self->playback.playing)
    choose_show (self, &task);
  return task;
}

/* --- doing it; the lock is not held --- */

static void
perform (VgPipeline *self, Task *task)
{
  switch (task->kind)
    {
    case TASK_NONE:
    case TASK_DONE:
      break;
    case TASK_FREE_INPUT:
      vg_input_free (task->input);
      break;
    case TASK_INSTALL:
      vg_pipeline_install (self, &task->install);
      break;
    case TASK_QUERY:
      vg_pipeline_answer_query (self, task->query);
      break;
    case TASK_SHOW:
      vg_pipeline_show (self, !self->compute->stepping, FALSE);
      break;
    case TASK_PARAMS:
      vg_pipeline_apply_params (self, &task->change);
      break;
    case TASK_RESTART:
      vg_pipeline_start_again (self, &task->change);
      break;
    case TASK_FRAME:
      vg_pipeline_compute_frame (self, task->frame);
      vg_queued_frame_free (task->frame);
      break;
    case TASK_RECOMPUTE:
      vg_pipeline_recompute (self, VG_WORK_UPDATED);
      break;
    case TASK_STEP:
      vg_pipeline_compute_step (self, task->playing);
      break;
    }
}

/* --- the loop --- */

/* Nothing is to be done; the lock is held. */
static void
wait_for_task (VgPipeline *self)
{
  self->busy_us = 0;
  g_cond_signal (&self->mailbox.changed);
  if (self->compute->wait_until_us > 0)
    g_cond_wait_until (&self->wake, &self->lock, self->compute->wait_until_us);
  else
    g_cond_wait (&self->wake, &self->lock);
}

static void
compute_clear (VgPipeline *self, VgCompute *compute)
{
  vg_pipeline_save_checkpoint (self, NULL);
  vg_pipeline_drop_recent (self);
  vg_pipeline_forget_precomputed (self);
  vg_publisher_clear (&compute->publisher);
  g_ptr_array_unref (compute->courses);
  g_clear_pointer (&compute->work, vg_work_free);
  self->operation = NULL;
  self->compute = NULL;
}

gpointer
vg_pipeline_compute (gpointer data)
{
  VgPipeline *self = data;
  VgCompute compute = { .courses = g_ptr_array_new_with_free_func (vg_left_course_free) };

  self->compute = &compute;
  vg_publisher_init (&compute.publisher);
  g_mutex_lock (&self->lock);
  while (!self->quit)
    {
      Task task;

      compute.wait_until_us = 0;
      self->busy_us = g_get_monotonic_time ();
      g_atomic_int_set (&self->stop, 0);
      g_atomic_int_set (&self->prepared, -1000);
      task = choose (self);
      if (task.kind == TASK_NONE)
        {
          wait_for_task (self);
          continue;
        }
      g_mutex_unlock (&self->lock);
      perform (self, &task);
      g_mutex_lock (&self->lock);
    }
  g_mutex_unlock (&self->lock);
  compute_clear (self, &compute);
  return NULL;
}
