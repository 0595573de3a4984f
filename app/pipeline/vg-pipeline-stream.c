/* SPDX-License-Identifier: MIT */
/* Frames into the work.
 *
 * An operation without history is given the newest frame.  One with history
 * is given every frame in order, so that its window has no gaps as long as
 * compute keeps up; only the newest result is shown.
 *
 * After a jump (a seek, the turn of a loop) the window still holds frames
 * from before it, so nothing is shown until as many frames as the history
 * have gone by: the maps are the same as those of a state that was prepared
 * at the jump, and what the state has gathered (a baseline) is kept. */
#include "kernels/base/vg-error.h"
#include "app/pipeline/vg-pipeline-private.h"

enum {
  SHOW_US = 4000, /* when behind, pictures more often than this are not copied */
  /* a map that takes no longer is finished though a newer one is wanted: a drag shows them all */
  PATIENCE_US = 250000,
};

void
vg_pipeline_drop_recent (VgPipeline *self)
{
  VgFrame *frame;

  while ((frame = g_queue_pop_head (&self->recent)))
    vg_frame_unref (frame);
}

static gboolean
is_live (VgPipeline *self)
{
  return self->input->queue.live; /* set before compute took the input over */
}

/* As many frames as compute a picture again; of a stack, the one in hand. */
static void
keep_frame (VgPipeline *self, VgFrame *frame)
{
  gsize bytes = MAX (vg_image_info_frame_bytes (frame->info), 1);
  guint max = 1;

  if (is_live (self))
    max = (guint) CLAMP (MIN (vg_work_get_history (self->work) + 1, VG_RECENT_FRAMES), 1,
                         (int) MAX (VG_RECENT_BYTES / bytes, 1));
  g_queue_push_tail (&self->recent, vg_frame_ref (frame));
  while (self->recent.length > max)
    vg_frame_unref (g_queue_pop_head (&self->recent));
}

/* Something else is wanted by now: newer settings, a frame that was gone to, another input.  What
 * is to be kept or written of the present settings comes first. */
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
  gboolean stop;

  g_mutex_lock (&self->lock);
  stop = g_atomic_int_get (&self->stop) ||
         (g_get_monotonic_time () >= until_us && is_overtaken (self));
  g_mutex_unlock (&self->lock);
  return stop;
}

/* After a map that was given up there is more patience, and twice as much where that was too
 * little: a drag shows every other. */
static VgStep
step_to_end (VgPipeline *self, GError **error)
{
  const gint64 until_us = g_get_monotonic_time () +
                          (self->broken_off ? self->patience_us : PATIENCE_US);
  gboolean again = self->broken_off;
  VgStep step;

  while ((step = vg_work_step (self->work, 0.03, error)) == VG_STEP_MORE &&
         !interrupted (self, until_us))
    ;
  self->broken_off = step == VG_STEP_MORE;
  if (again && self->broken_off)
    self->patience_us = MIN (2 * self->patience_us, VG_MOST_PATIENCE_US);
  return self->broken_off ? VG_STEP_WAIT : step;
}

/* DONE only when the map is of frames that belong together. */
static VgStep
run_frame (VgPipeline *self, VgFrame *frame, gboolean jump, GError **error)
{
  int history = vg_work_get_history (self->work);
  VgStep step;

  if (jump)
    {
      self->mixed = self->fed;
      self->since_jump = 0;
    }
  if (!vg_work_feed (self->work, frame, error))
    return VG_STEP_FAILED;
  self->fed = TRUE;
  self->since_jump++;
  step = step_to_end (self, error);
  if (self->since_jump > history)
    self->mixed = FALSE;
  return step == VG_STEP_DONE && self->mixed ? VG_STEP_WAIT : step;
}

/* The work has a new state that knows no frame: the GPU has failed. */
static gboolean
has_moved (VgPipeline *self)
{
  if (vg_work_get_generation (self->work) == self->generation)
    return FALSE;
  vg_pipeline_look_at_work (self);
  return TRUE;
}

static void
fail_frame (VgPipeline *self, const GError *error)
{
  vg_pipeline_settle (self, TRUE);
  vg_pipeline_fail (self, error);
}

/* What one frame has come to. */
static void
conclude (VgPipeline *self, VgStep step, gboolean preroll, const GError *error)
{
  gboolean playing, behind;

  if (step == VG_STEP_FAILED)
    {
      fail_frame (self, error);
      return;
    }
  self->has_map = step == VG_STEP_DONE && !preroll;
  if (!self->has_map)
    {
      if (!preroll)
        vg_pipeline_settle (self, FALSE);
      return;
    }
  g_mutex_lock (&self->lock);
  self->passed_over = FALSE;
  playing = self->playback.playing;
  behind = playing && is_live (self) && self->input->queue.frames.length > 0;
  g_mutex_unlock (&self->lock);
  if (behind && g_get_monotonic_time () - self->published_us < SHOW_US)
    {
      self->maps++;
      vg_pipeline_follow (self);
      vg_pipeline_settle (self, FALSE);
    }
  else
    vg_pipeline_publish (self, TRUE, playing);
}

void
vg_pipeline_take_frame (VgPipeline *self, VgQueuedFrame *queued)
{
  g_autoptr (GError) error = NULL;
  VgStep step;

  if (!queued->preroll)
    keep_frame (self, queued->frame);
  self->has_map = FALSE;
  self->started_us = g_get_monotonic_time ();
  step = run_frame (self, queued->frame, queued->restart, &error);
  if (step != VG_STEP_FAILED && has_moved (self))
    vg_pipeline_recompute (self, VG_WORK_PREPARED);
  else
    conclude (self, step, queued->preroll, error);
}

void
vg_pipeline_look_at_frame (VgPipeline *self, VgQueuedFrame *queued)
{
  if (queued->preroll)
    return;
  keep_frame (self, queued->frame);
  vg_pipeline_publish_input (self);
}

static gboolean
newer_params (VgPipeline *self)
{
  gboolean newer;

  g_mutex_lock (&self->lock);
  newer = g_atomic_int_get (&self->stop) || self->wanted.serial != self->serial;
  g_mutex_unlock (&self->lock);
  return newer;
}

/* Feeds the kept frames to the end; broken off for newer parameters. */
static void
feed_recent (VgPipeline *self)
{
  guint generation = vg_work_get_generation (self->work);
  gboolean jump = TRUE;

  self->refeed = TRUE;
  for (GList *link = self->recent.head; link; link = link->next, jump = FALSE)
    {
      g_autoptr (GError) error = NULL;
      VgStep step;

      if (link->next && newer_params (self))
        return;
      step = run_frame (self, link->data, jump, &error);
      if (step != VG_STEP_FAILED && vg_work_get_generation (self->work) != generation)
        {
          vg_pipeline_recompute (self, VG_WORK_PREPARED);
          return;
        }
      if (step == VG_STEP_FAILED || !link->next)
        {
          self->refeed = FALSE;
          conclude (self, step, FALSE, error);
          return;
        }
    }
}

static void
refeed (VgPipeline *self)
{
  const VgFrame *frame = g_queue_peek_tail (&self->recent);

  if (is_live (self) || vg_work_get_history (self->work) == 0)
    {
      feed_recent (self);
      return;
    }
  self->refeed = FALSE;
  g_mutex_lock (&self->lock);
  self->input->queue.history = vg_work_get_history (self->work);
  vg_frame_queue_read_again (&self->input->queue, frame->index);
  g_mutex_unlock (&self->lock);
}

/* The frame in hand with other parameters, or on another device. */
void
vg_pipeline_recompute (VgPipeline *self, VgWorkChange change)
{
  g_autoptr (GError) error = NULL;
  VgStep step;

  if (change == VG_WORK_PREPARED)
    {
      self->generation = vg_work_get_generation (self->work);
      self->fed = self->mixed = self->has_map = self->precomputed = FALSE;
      vg_pipeline_look_at_work (self);
    }
  if (self->operation->input.kind != VG_INPUT_STREAM)
    {
      self->stepping = TRUE;
      return;
    }
  if (!g_queue_peek_tail (&self->recent))
    return;
  if (change == VG_WORK_UPDATED && self->fed && !self->mixed && !self->refeed)
    {
      step = step_to_end (self, &error);
      if (self->broken_off)
        {
          self->has_map = FALSE; /* of neither settings: those to come finish it */
          return;
        }
      if (step == VG_STEP_FAILED || (!has_moved (self) && step != VG_STEP_WAIT))
        {
          conclude (self, step, FALSE, error);
          return;
        }
      self->generation = vg_work_get_generation (self->work);
    }
  refeed (self);
}
