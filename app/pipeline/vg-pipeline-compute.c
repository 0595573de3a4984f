/* SPDX-License-Identifier: MIT */
/* The compute thread: looks, under the lock, for the most urgent thing to do,
 * lets the lock go, does it, and looks again. */
#include "kernels/base/vg-error.h"
#include "app/pipeline/vg-pipeline-private.h"

enum {
  SHOW_US = 1000000 / 60, /* between two pictures of work in progress */
  /* how long the last whole map stays in view before an unfinished one is shown */
  WHOLE_US = 1000000,
  /* paced work waits so long for one to be taken: a hidden window takes none */
  UNSEEN_US = 1000000 / 20,
};

/* The first step after a change is short: its picture is to be there at once. */
static const double least_budget_s = 0.004, first_budget_s = 0.008;

void
vg_pipeline_fail (VgPipeline *self, const GError *error)
{
  self->stepping = FALSE;
  g_mutex_lock (&self->lock);
  self->failed_serial = self->input && self->input->queue.error ? G_MAXUINT64 : self->serial;
  vg_pipeline_post_error (self, error);
  vg_pipeline_set_state (self, VG_PIPELINE_FAILED);
  g_mutex_unlock (&self->lock);
}

static gboolean
is_stream (VgPipeline *self)
{
  return self->operation->input.kind == VG_INPUT_STREAM;
}

/* --- what the main thread wants --- */

/* The present picture again, with what has changed about it.  Called and left with the lock held,
 * as all that follow. */
static void
show_again (VgPipeline *self)
{
  gboolean coming = is_stream (self) ? vg_pipeline_has_frame (self)
                                     : self->stepping && self->playback.playing;

  g_mutex_unlock (&self->lock);
  if (self->has_map && !coming)
    vg_pipeline_publish (self, !self->stepping, FALSE);
  g_mutex_lock (&self->lock);
}

static void
apply_regions (VgPipeline *self)
{
  vg_followed_regions_free (self->followed);
  self->followed = vg_followed_regions_new (self->wanted.regions, self->wanted.n_regions);
  self->regions_serial = self->wanted.regions_serial;
  vg_time_course_set_regions (self->course, self->wanted.regions, self->wanted.n_regions);
  if (vg_pipeline_has_params (self))
    self->behind = TRUE; /* a region that is a setting: the picture of both comes next */
  else if (self->input)
    show_again (self);
}

static void
apply_output (VgPipeline *self)
{
  self->output = self->wanted.output;
  show_again (self);
}

static void
apply_underlay (VgPipeline *self)
{
  self->underlay_frame = self->wanted.underlay_frame;
  if (self->underlay_frame == VG_UNDERLAY_OFF)
    vg_pipeline_forget_underlay (self);
  show_again (self);
}

static void
apply_other_outlines (VgPipeline *self)
{
  self->other_outlines = self->wanted.other_outlines;
  show_again (self);
}

static void
apply_compare (VgPipeline *self)
{
  VgReference *old = self->reference;

  self->reference = self->wanted.reference ? vg_reference_ref (self->wanted.reference) : NULL;
  self->compare = self->wanted.compare;
  self->compare_serial = self->wanted.compare_serial;
  if (self->input)
    show_again (self);
  vg_reference_unref (old);
}

/* --- work --- */

static void
take_next_frame (VgPipeline *self)
{
  VgQueuedFrame *queued = vg_frame_queue_take (&self->input->queue);

  g_mutex_unlock (&self->lock);
  if (vg_work_is_ready (self->work))
    vg_pipeline_take_frame (self, queued);
  else
    vg_pipeline_look_at_frame (self, queued);
  g_mutex_lock (&self->lock);
  vg_queued_frame_free (queued);
}

static void
report_end (VgPipeline *self)
{
  VgInput *input = self->input;
  g_autoptr (GError) error = input->queue.error ? g_error_copy (input->queue.error) : NULL;

  input->queue.end_seen = TRUE;
  if (!error && self->maps == 0 && !self->cancelled)
    error = g_error_new (VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
                         "the input ended after %" G_GUINT64_FORMAT
                         " frames and gave no picture: these settings need %d; "
                         "choose a shorter window or a longer input",
                         input->queue.counts.received, vg_work_get_history (self->work) + 1);
  if (error)
    {
      g_mutex_unlock (&self->lock);
      vg_pipeline_fail (self, error);
      g_mutex_lock (&self->lock);
      return;
    }
  vg_pipeline_set_state (self, VG_PIPELINE_FINISHED);
}

static void
finish_work (VgPipeline *self)
{
  vg_pipeline_set_state (self, VG_PIPELINE_FINISHED);
}

/* Seconds until the next picture of work in progress is due. */
static double
time_to_picture (VgPipeline *self)
{
  gint64 left = self->published_us + SHOW_US - g_get_monotonic_time ();

  return CLAMP ((double) left * 1e-6, least_budget_s, SHOW_US * 1e-6);
}

/* A vessel that is dragged would empty the map at every move. */
static gboolean
keeps_whole (VgPipeline *self, gboolean playing, gint64 now)
{
  return self->operation->view.keeps_last_map && self->whole && self->stepping && playing &&
         now - self->asked_us < WHOLE_US;
}

/* One step of a simulation or a data set. */
static void
step_work (VgPipeline *self)
{
  g_autoptr (GError) error = NULL;
  gboolean playing = self->playback.playing, first = self->asked && playing;
  gint64 now;
  VgStep step;

  if (!self->playback.playing && self->wanted.steps > 0)
    {
      self->wanted.steps--;
      self->one_step = TRUE;
    }
  self->precomputed = FALSE;
  g_mutex_unlock (&self->lock);
  self->started_us = g_get_monotonic_time ();
  step = vg_work_step (self->work, first ? first_budget_s : time_to_picture (self), &error);
  if (step != VG_STEP_FAILED && vg_work_get_generation (self->work) != self->generation)
    vg_pipeline_recompute (self, VG_WORK_PREPARED);
  else if (step == VG_STEP_FAILED)
    vg_pipeline_fail (self, error);
  else
    {
      self->has_map = TRUE;
      self->stepping = step != VG_STEP_DONE;
      self->behind = TRUE;
      now = g_get_monotonic_time ();
      if (!keeps_whole (self, playing, now) &&
          (!self->stepping || self->one_step || vg_work_is_paced (self->work) ||
           now - self->published_us >= SHOW_US))
        vg_pipeline_publish (self, !self->stepping, FALSE);
      self->one_step = FALSE;
    }
  g_mutex_lock (&self->lock);
  if (step == VG_STEP_DONE && self->state == VG_PIPELINE_PAUSED)
    finish_work (self);
}

static gboolean
do_stream (VgPipeline *self)
{
  VgInput *input = self->input;

  if (input->queue.first_bad)
    {
      vg_pipeline_post_notice (self, input->queue.first_bad);
      g_clear_pointer (&input->queue.first_bad, g_free);
    }
  if (vg_pipeline_has_frame (self))
    {
      take_next_frame (self);
      return TRUE;
    }
  if (input->queue.has_ended && !input->queue.end_seen && input->queue.frames.length == 0)
    {
      report_end (self);
      return TRUE;
    }
  return FALSE;
}

/* Paced work goes on when its last picture has been on the screen; what a person does acts at once.
 * The next is due a picture's time after this one was, not after it was done: what computing takes
 * is no part of the pace.  One that waited for the screen goes by the screen. */
static gboolean
is_due (VgPipeline *self)
{
  gint64 now = g_get_monotonic_time (), due = self->paced_us + SHOW_US;
  gboolean unseen = self->mailbox != NULL;

  if (!self->playback.playing || self->one_step || !vg_work_is_paced (self->work))
    return TRUE;
  if (now >= due && unseen)
    due = self->published_us + UNSEEN_US;
  self->wait_until_us = due;
  if (now < due)
    return FALSE;
  self->paced_us = unseen || now - due > SHOW_US ? now : due;
  return TRUE;
}

static gboolean
do_steps (VgPipeline *self)
{
  gboolean ready = vg_work_is_ready (self->work);

  if (ready && self->stepping && !self->cancelled &&
      (self->playback.playing || self->one_step || self->wanted.steps > 0))
    {
      if (!is_due (self))
        return FALSE;
      step_work (self);
      return TRUE;
    }
  if (self->playback.playing && !self->stepping && ready)
    {
      finish_work (self);
      return TRUE;
    }
  return FALSE;
}

/* --- the loop --- */

/* The lock is given up meanwhile, so that wake may have been signalled in vain. */
static gboolean
reap_one_feed (VgPipeline *self)
{
  for (guint i = 0; i < self->inputs->len; i++)
    {
      VgInput *input = self->inputs->pdata[i];

      if (!input->is_closed || input->queue.is_detached || input == self->input ||
          input == self->pending)
        continue;
      g_ptr_array_remove_index (self->inputs, i);
      g_mutex_unlock (&self->lock);
      vg_input_free (input);
      g_mutex_lock (&self->lock);
      return TRUE;
    }
  return FALSE;
}

/* What is to be kept or written of the work at hand was asked before something else was opened: it
 * is not of that. */
static gboolean
finish_asked (VgPipeline *self)
{
  if (!self->input || !self->pending || !vg_query_queue_saves (&self->queries, G_MAXUINT64))
    return FALSE;
  if (!self->before)
    return vg_pipeline_answer_query (self);
  vg_pipeline_apply_params (self);
  return TRUE;
}

/* TRUE: something was done, look again. */
static gboolean
do_one_thing (VgPipeline *self)
{
  const gboolean same = self->wanted.operation == self->operation;

  self->busy_us = g_get_monotonic_time ();
  g_atomic_int_set (&self->stop, 0);
  if (reap_one_feed (self) || finish_asked (self))
    ;
  else if (self->pending && self->pending->is_opened)
    vg_pipeline_take_over (self);
  else if (vg_pipeline_answer_query (self))
    ;
  else if (self->wanted.regions_serial != self->regions_serial &&
           (self->wanted.regions_operation == NULL ||
            self->wanted.regions_operation == self->operation))
    apply_regions (self);
  else if (self->wanted.compare_serial != self->compare_serial)
    apply_compare (self);
  else if (!self->input)
    return FALSE;
  else if (same && self->wanted.output != self->output)
    apply_output (self);
  else if (same && self->wanted.underlay_frame != self->underlay_frame)
    apply_underlay (self);
  else if (same && self->wanted.other_outlines != self->other_outlines)
    apply_other_outlines (self);
  else if (vg_pipeline_has_params (self))
    vg_pipeline_apply_params (self);
  else if (same && self->wanted.again && !self->cancelled)
    vg_pipeline_start_again (self);
  else if (is_stream (self) ? do_stream (self) : do_steps (self))
    ;
  else if ((self->statistics_stale || (self->behind && self->has_map)) && !self->playback.playing)
    show_again (self);
  else
    return FALSE;
  return TRUE;
}

gpointer
vg_pipeline_compute (gpointer data)
{
  VgPipeline *self = data;

  g_mutex_lock (&self->lock);
  while (!self->quit)
    {
      self->wait_until_us = 0;
      if (do_one_thing (self))
        continue;
      self->busy_us = 0;
      g_cond_signal (&self->arrived);
      if (self->wait_until_us > 0)
        g_cond_wait_until (&self->wake, &self->lock, self->wait_until_us);
      else
        g_cond_wait (&self->wake, &self->lock);
    }
  g_mutex_unlock (&self->lock);

  vg_pipeline_leave (self, NULL);
  vg_pipeline_drop_recent (self);
  g_clear_pointer (&self->work, vg_work_free);
  g_clear_pointer (&self->followed, vg_followed_regions_free);
  g_clear_pointer (&self->reference, vg_reference_unref);
  self->compare = VG_COMPARE_OFF;
  self->compare_serial = 0;
  g_clear_pointer (&self->compared, g_free);
  vg_pipeline_forget_underlay (self);
  vg_pipeline_forget_precomputed (self);
  self->compared_capacity = 0;
  self->operation = NULL;
  return NULL;
}
