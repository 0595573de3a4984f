/* SPDX-License-Identifier: MIT */
/* Runs the steps of the engine, for a frame or for a simulation or a data set, and shows their
 * maps.
 *
 * After a jump (a seek, the end of a loop) the engine's window still holds frames from before it.
 * Nothing is shown until as many frames as the history have been computed: the maps are then those
 * of a state that was prepared at the jump, and what the state has accumulated, such as a baseline,
 * is kept. */
#include "app/pipeline/vg-compute.h"

enum {
  MAX_PATIENCE_US = 64000000,
  COPY_US = 4000, /* when behind, pictures more often than this are not copied */
  /* a map that takes no longer is finished although newer settings wait: a drag shows them all */
  PATIENCE_US = 250000,
  /* how long the last finished map stays in view before an unfinished one is shown */
  WHOLE_US = 1000000,
};

/* The first step after a change is short, so that its map is shown at once. */
static const double least_budget_s = 0.004, first_budget_s = 0.008;

/* --- frames --- */

void
vg_pipeline_drop_recent (VgPipeline *self)
{
  VgFrame *frame;

  while ((frame = g_queue_pop_head (&self->compute->recent)))
    vg_frame_unref (frame);
}

static gboolean
is_live (VgPipeline *self)
{
  return self->input->queue.live; /* set before compute used the input */
}

/* Keeps as many frames as a map needs; of a stack, the one in hand. */
static void
keep_frame (VgPipeline *self, VgFrame *frame)
{
  gsize bytes = MAX (vg_image_info_frame_bytes (frame->info), 1);
  guint max = 1;

  if (is_live (self))
    max = (guint) CLAMP (MIN (vg_work_get_history (self->compute->work) + 1, VG_RECENT_FRAMES), 1,
                         (int) MAX (VG_RECENT_BYTES / bytes, 1));
  g_queue_push_tail (&self->compute->recent, vg_frame_ref (frame));
  while (self->compute->recent.length > max)
    vg_frame_unref (g_queue_pop_head (&self->compute->recent));
}

/* TRUE: newer settings, a seek or another input wait, and no query that saves the present
 * settings' result. */
static gboolean
is_overtaken (VgPipeline *self)
{
  return (vg_pipeline_has_params (self) || vg_frame_queue_has_jump (&self->input->queue) ||
          (self->pending && self->pending->is_opened)) &&
         !vg_query_queue_saves (&self->queries, self->serial);
}

static gboolean
interrupted (VgPipeline *self, gint64 until_us)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  return g_atomic_int_get (&self->stop) ||
         (g_get_monotonic_time () >= until_us && is_overtaken (self));
}

/* After a map that was broken off the next may take longer, and twice as long if that was broken
 * off too, so that a drag shows every other map. */
static VgStep
step_to_end (VgPipeline *self, GError **error)
{
  const gint64 until_us = g_get_monotonic_time () +
                          (self->compute->broken_off ? self->compute->patience_us : PATIENCE_US);
  gboolean again = self->compute->broken_off;
  VgStep step;

  while ((step = vg_work_step (self->compute->work, 0.03, error)) == VG_STEP_MORE &&
         !interrupted (self, until_us))
    ;
  self->compute->broken_off = step == VG_STEP_MORE;
  if (again && self->compute->broken_off)
    self->compute->patience_us = MIN (2 * self->compute->patience_us, MAX_PATIENCE_US);
  return self->compute->broken_off ? VG_STEP_WAIT : step;
}

/* DONE only when the map is of frames that belong together. */
static VgStep
run_frame (VgPipeline *self, VgFrame *frame, gboolean jump, GError **error)
{
  int history = vg_work_get_history (self->compute->work);
  VgStep step;

  if (jump)
    {
      self->compute->mixed = self->compute->fed;
      self->compute->since_jump = 0;
    }
  if (!vg_work_feed (self->compute->work, frame, error))
    return VG_STEP_FAILED;
  self->compute->fed = TRUE;
  self->compute->since_jump++;
  step = step_to_end (self, error);
  if (self->compute->since_jump > history)
    self->compute->mixed = FALSE;
  return step == VG_STEP_DONE && self->compute->mixed ? VG_STEP_WAIT : step;
}

/* TRUE: the GPU has failed, and the work has a new state that knows no frame. */
static gboolean
has_moved (VgPipeline *self)
{
  if (vg_work_get_generation (self->compute->work) == self->compute->generation)
    return FALSE;
  vg_pipeline_inspect_work (self);
  return TRUE;
}

static void
fail_frame (VgPipeline *self, const GError *error)
{
  vg_pipeline_finish_frame (self, TRUE);
  vg_pipeline_fail (self, error);
}

/* Publishes or counts what one frame has given. */
static void
conclude (VgPipeline *self, VgStep step, gboolean preroll, const GError *error)
{
  gboolean playing, behind;

  if (step == VG_STEP_FAILED)
    {
      fail_frame (self, error);
      return;
    }
  self->compute->has_map = step == VG_STEP_DONE && !preroll;
  if (!self->compute->has_map)
    {
      if (!preroll)
        vg_pipeline_finish_frame (self, FALSE);
      return;
    }
  self->compute->map_serial = self->serial;
  g_mutex_lock (&self->lock);
  self->map_cancelled = FALSE;
  playing = self->playback.playing;
  behind = playing && is_live (self) &&
           self->input->queue.frames.length + self->input->queue.past.length > 0;
  g_mutex_unlock (&self->lock);
  if (behind && g_get_monotonic_time () - self->compute->published_us < COPY_US)
    {
      self->compute->maps++;
      self->compute->behind = TRUE; /* a pause before the next frame shows this map */
      if (!vg_pipeline_add_to_course (self))
        vg_pipeline_recompute (self, VG_WORK_PREPARED);
      vg_pipeline_finish_frame (self, FALSE);
    }
  else
    vg_pipeline_show (self, TRUE, playing);
}

/* A frame without an engine state that could compute it is shown as it is. */
static void
show_input_frame (VgPipeline *self, VgQueuedFrame *queued)
{
  if (queued->preroll)
    return;
  keep_frame (self, queued->frame);
  vg_pipeline_publish_input (self);
}

void
vg_pipeline_compute_frame (VgPipeline *self, VgQueuedFrame *queued)
{
  g_autoptr (GError) error = NULL;
  gint64 started_us;
  VgStep step;

  if (!vg_work_is_ready (self->compute->work))
    {
      show_input_frame (self, queued);
      return;
    }
  if (queued->restart || queued->frame->interrupted)
    vg_time_course_break (self->compute->publisher.course);
  if (is_live (self) && queued->restart)
    vg_pipeline_drop_recent (self);
  if (!queued->preroll || is_live (self))
    keep_frame (self, queued->frame);
  self->compute->has_map = self->compute->owes_map = FALSE;
  self->compute->started_us = started_us = g_get_monotonic_time ();
  step = run_frame (self, queued->frame, queued->restart, &error);
  if (step != VG_STEP_FAILED && has_moved (self))
    {
      vg_pipeline_recompute (self, VG_WORK_PREPARED);
      return;
    }
  conclude (self, step, queued->preroll, error);
  if (!self->compute->has_map || queued->preroll)
    return;
  g_mutex_lock (&self->lock);
  self->mailbox.frame_us = g_get_monotonic_time () - started_us;
  g_mutex_unlock (&self->lock);
}

gboolean
vg_pipeline_is_replaced (gpointer pipeline)
{
  VgPipeline *self = pipeline;
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  return g_atomic_int_get (&self->stop) ||
         ((vg_pipeline_has_params (self) || (self->pending && self->pending->is_opened)) &&
          !vg_query_queue_saves (&self->queries, self->serial));
}

/* Computes the recent frames again; stops early for newer settings or another input. */
static void
compute_recent (VgPipeline *self)
{
  guint generation = vg_work_get_generation (self->compute->work);
  gboolean jump = TRUE;

  self->compute->recent_due = TRUE;
  for (GList *link = self->compute->recent.head; link; link = link->next, jump = FALSE)
    {
      g_autoptr (GError) error = NULL;
      VgStep step;

      if (link->next && vg_pipeline_is_replaced (self))
        return;
      step = run_frame (self, link->data, jump, &error);
      if (step != VG_STEP_FAILED && vg_work_get_generation (self->compute->work) != generation)
        {
          vg_pipeline_recompute (self, VG_WORK_PREPARED);
          return;
        }
      if (step == VG_STEP_FAILED || !link->next)
        {
          self->compute->recent_due = FALSE;
          conclude (self, step, FALSE, error);
          return;
        }
    }
}

/* A paused map of a live source that needs a longer history than was kept with it: it is taken from
 * what is kept to look back.  FALSE: there is none. */
static gboolean
read_past_again (VgPipeline *self, const VgFrame *frame)
{
  const guint wanted = (guint) vg_work_get_history (self->compute->work) + 1,
              recent = self->compute->recent.length;
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);
  VgLookBack *kept = self->input->look_back;
  guint i;

  if (self->playback.playing || wanted <= recent || kept == NULL || vg_look_back_get_n (kept) == 0)
    return FALSE;
  i = vg_look_back_find (kept, frame->time_s);
  if (vg_look_back_get (kept, i) != frame || i + 1 <= recent)
    return FALSE;
  self->compute->recent_due = FALSE;
  self->input->queue.history = (int) wanted - 1;
  vg_pipeline_request_past (self, i);
  return TRUE;
}

static void
compute_recent_again (VgPipeline *self)
{
  const VgFrame *frame = g_queue_peek_tail (&self->compute->recent);

  if (is_live (self) && read_past_again (self, frame))
    return;
  if (is_live (self) || vg_work_get_history (self->compute->work) == 0)
    {
      compute_recent (self);
      return;
    }
  self->compute->recent_due = FALSE;
  g_mutex_lock (&self->lock);
  self->input->queue.history = vg_work_get_history (self->compute->work);
  vg_frame_queue_read_again (&self->input->queue, frame->index);
  g_mutex_unlock (&self->lock);
}

/* The frame in hand with other parameters, or on another device. */
void
vg_pipeline_recompute (VgPipeline *self, VgWorkChange change)
{
  g_autoptr (GError) error = NULL;
  VgStep step;

  self->compute->owes_map = FALSE;
  if (change == VG_WORK_PREPARED)
    {
      self->compute->generation = vg_work_get_generation (self->compute->work);
      self->compute->fed = self->compute->mixed = self->compute->has_map =
          self->compute->precomputed = FALSE;
      vg_pipeline_inspect_work (self);
    }
  if (self->operation->input.kind != VG_INPUT_STREAM)
    {
      self->compute->stepping = TRUE;
      return;
    }
  if (!g_queue_peek_tail (&self->compute->recent))
    return;
  if (change == VG_WORK_UPDATED && self->compute->fed && !self->compute->mixed &&
      !self->compute->recent_due)
    {
      step = step_to_end (self, &error);
      if (self->compute->broken_off)
        {
          self->compute->has_map = FALSE; /* a mixture of two settings */
          return;
        }
      if (step == VG_STEP_FAILED || (!has_moved (self) && step != VG_STEP_WAIT))
        {
          conclude (self, step, FALSE, error);
          return;
        }
      self->compute->generation = vg_work_get_generation (self->compute->work);
    }
  compute_recent_again (self);
}

void
vg_pipeline_show (VgPipeline *self, gboolean final, gboolean more_to_come)
{
  if (!vg_pipeline_publish (self, final, more_to_come))
    vg_pipeline_recompute (self, VG_WORK_PREPARED);
}

/* --- a simulation or a data set --- */

/* Seconds until the next map of work in progress is due. */
static double
time_to_map (VgPipeline *self)
{
  gint64 left = self->compute->published_us + VG_SHOW_US - g_get_monotonic_time ();

  return CLAMP ((double) left * 1e-6, least_budget_s, VG_SHOW_US * 1e-6);
}

/* While a vessel is dragged, every change would clear the map for a moment. */
static gboolean
keeps_whole (VgPipeline *self, gboolean playing, gint64 now)
{
  return self->operation->view.keeps_last_map && self->compute->whole && self->compute->stepping &&
         playing && now - self->compute->requested_us < WHOLE_US;
}

void
vg_pipeline_compute_step (VgPipeline *self, gboolean playing)
{
  VgCompute *compute = self->compute;
  gboolean is_first = compute->is_requested && playing;
  g_autoptr (GError) error = NULL;
  gint64 now;
  VgStep step;

  compute->started_us = g_get_monotonic_time ();
  step = vg_work_step (compute->work, is_first ? first_budget_s : time_to_map (self), &error);
  if (step != VG_STEP_FAILED && vg_work_get_generation (compute->work) != compute->generation)
    vg_pipeline_recompute (self, VG_WORK_PREPARED);
  else if (step == VG_STEP_FAILED)
    vg_pipeline_fail (self, error);
  else
    {
      compute->has_map = TRUE;
      compute->map_serial = self->serial;
      compute->stepping = step != VG_STEP_DONE;
      compute->behind = TRUE;
      now = g_get_monotonic_time ();
      if (!keeps_whole (self, playing, now) &&
          (!compute->stepping || compute->one_step || vg_work_is_paced (compute->work) ||
           now - compute->published_us >= VG_SHOW_US))
        vg_pipeline_show (self, !compute->stepping, FALSE);
      compute->one_step = FALSE;
    }
  g_mutex_lock (&self->lock);
  if (step == VG_STEP_DONE && self->state == VG_PIPELINE_PAUSED)
    vg_pipeline_set_state (self, VG_PIPELINE_FINISHED);
  g_mutex_unlock (&self->lock);
}
