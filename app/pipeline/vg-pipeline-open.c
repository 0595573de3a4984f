/* SPDX-License-Identifier: MIT */
/* From an opened input to a running one.  What runs goes on until the new
 * work is prepared, and for good when that fails. */
#include "kernels/base/vg-error.h"
#include "app/pipeline/vg-pipeline-private.h"

/* The parameters that the main thread wants by now. */
static void *
newest_params (VgPipeline *self, VgFeed *feed, guint64 *serial)
{
  gboolean same = self->wanted.operation == feed->operation;

  *serial = self->wanted.serial;
  return vg_params_copy (&feed->operation->params, same ? self->wanted.params : feed->params);
}

static void
give_up (VgPipeline *self, VgFeed *feed, const GError *error)
{
  vg_feed_give_up (feed);
  vg_pipeline_post_error (self, error);
  if (self->feed)
    vg_pipeline_post (self, VG_POST_STATE);
  else
    vg_pipeline_set_state (self, VG_PIPELINE_FAILED);
}

/* Frames that may be out at once: waiting for compute, kept to compute again,
 * held by an engine that copies, waiting to be recorded. */
static guint
pool_size (VgFeed *feed)
{
  gsize bytes = MAX (vg_image_info_frame_bytes (&feed->info), 1);
  guint recent = feed->live ? (guint) CLAMP (VG_RECENT_BYTES / bytes, 1, VG_RECENT_FRAMES) : 1;

  return feed->queue_max + recent + 8 + vg_recorder_ring (&feed->info);
}

static gboolean
make_pool (VgFeed *feed, const VgCuda *cuda, GError **error)
{
  gsize bytes = vg_image_info_frame_bytes (&feed->info);

  if (feed->operation->input != VG_INPUT_STREAM || feed->pool)
    return TRUE;
  feed->queue_max = VG_QUEUE_STACK;
  if (feed->live)
    feed->queue_max = (guint) CLAMP (VG_QUEUE_LIVE_BYTES / MAX (bytes, 1), 4, VG_QUEUE_LIVE);
  feed->pool = vg_frame_pool_new (&feed->info, pool_size (feed), cuda, error);
  return feed->pool != NULL;
}

/* What the operation is made for stays open when only the settings do not fit it. */
static gboolean
suits (VgFeed *feed)
{
  return feed->has_info && feed->operation->suits != NULL && feed->operation->suits (&feed->info);
}

/* With ERROR set, a work that has no state yet: the next settings are tried on the same data.
 * DAMAGED: why it does not go on from the outcome it was to go on from. */
static VgWork *
make_work (VgPipeline *self, VgFeed *feed, const void *params, GError **damaged, GError **error)
{
  g_autoptr (VgWork)
      work = self->hooks.new_work (self->hooks.data, feed->operation, self->backend, error);
  g_autoptr (GBytes) checkpoint = work ? vg_pipeline_come_to (self, feed, damaged) : NULL;
  g_autoptr (GError) why = NULL;

  if (!work)
    return NULL;
  vg_work_set_stop (work, &self->stop);
  vg_work_bring (work, checkpoint);
  if (!vg_work_prepare (work, params, feed->has_info ? &feed->info : NULL, feed->image, &why) &&
      (!suits (feed) || g_error_matches (why, G_IO_ERROR, G_IO_ERROR_CANCELLED)))
    {
      g_propagate_error (error, g_steal_pointer (&why));
      return NULL;
    }
  if (!make_pool (feed, vg_work_get_cuda (work), error))
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
  self->stepping = operation->input != VG_INPUT_STREAM;
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
swap (VgPipeline *self, VgFeed *feed, guint64 serial)
{
  VgResult *mailbox = g_steal_pointer (&self->mailbox);

  forget_measured (self);
  self->serial = serial;
  self->feed = feed;
  self->course_operation = feed->operation;
  self->cancelled = self->passed_over = FALSE;
  self->unprepared = !vg_work_is_ready (self->work);
  /* nothing is computed anew before it is asked for */
  self->wanted.playing = !self->precomputed && !self->unprepared;
  self->wanted.again = FALSE;
  self->wanted.steps = 0;
  feed->history = vg_work_get_history (self->work);
  vg_pipeline_take_course (self, feed);
  feed->running = TRUE;
  feed->aside = feed->end_seen = FALSE;
  g_cond_signal (&feed->wake);
  vg_pipeline_set_state (self, self->unprepared    ? VG_PIPELINE_FAILED
                               : self->precomputed ? VG_PIPELINE_PAUSED
                                                   : VG_PIPELINE_RUNNING);
  if (self->unprepared && feed->source && !feed->live)
    vg_feed_seek (feed, 0, FALSE); /* to be seen */
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
  else if (!vg_work_is_ready (self->work) && self->operation->input == VG_INPUT_DATASET)
    vg_pipeline_publish_input (self);
}

void
vg_pipeline_take_over (VgPipeline *self)
{
  VgFeed *feed = g_steal_pointer (&self->pending);
  g_autoptr (VgWork) work = NULL, before = NULL;
  g_autoptr (GError) damaged = NULL, error = NULL;
  void *params, *last;
  guint64 serial;

  if (feed->error && !feed->running)
    {
      give_up (self, feed, feed->error);
      return;
    }
  self->preparing = TRUE;
  self->give_up_opening = FALSE;
  last = g_steal_pointer (&self->before);
  params = newest_params (self, feed, &serial);
  g_mutex_unlock (&self->lock);
  vg_pipeline_leave (self, last);
  if (last)
    vg_params_free (&self->operation->params, last);
  work = make_work (self, feed, params, &damaged, &error);
  vg_params_free (&feed->operation->params, params);
  g_mutex_lock (&self->lock);
  self->preparing = FALSE;
  if (!work || self->give_up_opening)
    {
      if (error && !self->give_up_opening)
        give_up (self, feed, error);
      vg_feed_give_up (feed);
      vg_pipeline_post (self, VG_POST_STATE);
    }
  else
    {
      vg_pipeline_leave_feed (self, feed);
      before = start_anew (self, g_steal_pointer (&work), feed->operation);
      swap (self, feed, serial);
      g_clear_pointer (&feed->checkpoint, g_free);
      if (feed->caution)
        vg_pipeline_post_notice (self, feed->caution);
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
  if (self->feed == feed)
    show_first (self);
  g_mutex_lock (&self->lock);
}
