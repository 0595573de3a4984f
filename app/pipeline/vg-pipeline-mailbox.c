/* SPDX-License-Identifier: MIT */
/* All that goes to the main thread: the state, notices, errors, and the newest result, which waits
 * in a mailbox until it is taken.  What the threads post is collected, and one idle source emits
 * the signals on the main thread. */
#include "app/pipeline/vg-compute.h"
#include "app/session/vg-display.h"
#include "kernels/base/vg-error.h"

/* --- signals, from any thread --- */

enum { RESULT, STATE_CHANGED, NOTICE, REFUSED, FAILED, OPENED, RECORDED, N_SIGNALS };
static guint signals[N_SIGNALS];

void
vg_pipeline_init_signals (VgPipelineClass *class)
{
  const GType type = G_TYPE_FROM_CLASS (class);

  signals[RESULT] = g_signal_new ("result", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 0);
  signals[STATE_CHANGED] = g_signal_new ("state-changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                         NULL, G_TYPE_NONE, 0);
  signals[NOTICE] = g_signal_new ("notice", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 1, G_TYPE_STRING);
  signals[REFUSED] = g_signal_new ("refused", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 2, G_TYPE_UINT64, G_TYPE_STRING);
  signals[FAILED] = g_signal_new ("failed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 2, G_TYPE_ERROR, G_TYPE_UINT);
  signals[OPENED] = g_signal_new ("opened", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 0);
  signals[RECORDED] = g_signal_new ("recorded", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                    G_TYPE_NONE, 0);
}

/* As the signal "failed" tells it. */
typedef struct
{
  GError *error;
  guint opening;
} Failure;

static void
failure_free (gpointer data)
{
  Failure *failure = data;

  g_error_free (failure->error);
  g_free (failure);
}

static void
move_queue (GQueue *from, GQueue *to)
{
  *to = *from;
  g_queue_init (from);
}

/* Lets computing begin: the receivers of "opened" have sent the settings that the input gives. */
static void
begin_computing (VgPipeline *self)
{
  g_mutex_lock (&self->lock);
  /* meanwhile another input may have been opened, which is told next */
  if ((self->signals.posted & VG_POST_OPENED) == 0)
    self->untold = FALSE;
  g_cond_signal (&self->wake);
  g_mutex_unlock (&self->lock);
}

static void
emit (VgPipeline *self)
{
  g_autofree char *refusal = NULL;
  GQueue notices, errors;
  guint64 refused_serial;
  gpointer item;
  guint posted;

  g_mutex_lock (&self->lock);
  posted = self->signals.posted;
  self->signals.posted = 0;
  move_queue (&self->signals.notices, &notices);
  move_queue (&self->signals.errors, &errors);
  refusal = g_steal_pointer (&self->signals.refusal);
  refused_serial = self->signals.refused_serial;
  g_mutex_unlock (&self->lock);

  if (posted & VG_POST_OPENED)
    {
      g_signal_emit (self, signals[OPENED], 0);
      begin_computing (self);
    }
  if (posted & VG_POST_STATE)
    g_signal_emit (self, signals[STATE_CHANGED], 0);
  while ((item = g_queue_pop_head (&notices)))
    {
      g_signal_emit (self, signals[NOTICE], 0, item);
      g_free (item);
    }
  if (refusal)
    g_signal_emit (self, signals[REFUSED], 0, refused_serial, refusal);
  while ((item = g_queue_pop_head (&errors)))
    {
      const Failure *failure = item;

      g_signal_emit (self, signals[FAILED], 0, failure->error, failure->opening);
      failure_free (item);
    }
  if (posted & VG_POST_RECORDED)
    g_signal_emit (self, signals[RECORDED], 0);
  if (posted & VG_POST_RESULT)
    g_signal_emit (self, signals[RESULT], 0);
}

/* Runs on the main thread, as does close, which destroys the source. */
static gboolean
emit_idle (gpointer data)
{
  g_autoptr (VgPipeline) self = g_object_ref (data);

  g_mutex_lock (&self->lock);
  g_clear_pointer (&self->signals.idle, g_source_unref);
  g_mutex_unlock (&self->lock);
  emit (self);
  return G_SOURCE_REMOVE;
}

static void
schedule (VgPipeline *self)
{
  if (self->signals.idle || self->quit)
    return;
  self->signals.idle = g_idle_source_new ();
  g_source_set_priority (self->signals.idle, G_PRIORITY_DEFAULT);
  g_source_set_callback (self->signals.idle, emit_idle, self, NULL);
  g_source_attach (self->signals.idle, self->signals.context);
}

void
vg_pipeline_post (VgPipeline *self, guint bits)
{
  self->signals.posted |= bits;
  schedule (self);
}

void
vg_pipeline_post_notice (VgPipeline *self, const char *text)
{
  g_queue_push_tail (&self->signals.notices, g_strdup (text));
  schedule (self);
}

/* The newest counts. */
void
vg_pipeline_post_refusal (VgPipeline *self, guint64 serial, const char *text)
{
  g_free (self->signals.refusal);
  self->signals.refusal = g_strdup (text);
  self->signals.refused_serial = serial;
  schedule (self);
}

void
vg_pipeline_post_error (VgPipeline *self, const GError *error, guint opening)
{
  Failure *failure = g_new (Failure, 1);

  *failure = (Failure){ g_error_copy (error), opening };
  g_queue_push_tail (&self->signals.errors, failure);
  schedule (self);
}

void
vg_pipeline_clear_posted (VgPipeline *self)
{
  if (self->signals.idle)
    g_source_destroy (self->signals.idle);
  g_clear_pointer (&self->signals.idle, g_source_unref);
  g_queue_clear_full (&self->signals.notices, g_free);
  g_queue_clear_full (&self->signals.errors, failure_free);
  g_clear_pointer (&self->signals.refusal, g_free);
  self->signals.posted = 0;
}

void
vg_pipeline_set_state (VgPipeline *self, VgPipelineState state)
{
  self->playback.playing = state == VG_PIPELINE_RUNNING;
  if (self->state == state)
    return;
  self->state = state;
  if (self->input)
    g_cond_signal (&self->input->queue.room); /* frames of sample data are wanted again */
  vg_pipeline_post (self, VG_POST_STATE);
}

void
vg_pipeline_set_failed (VgPipeline *self, const GError *error)
{
  self->failed_serial = self->input && self->input->queue.error ? G_MAXUINT64 : self->serial;
  vg_pipeline_post_error (self, error, 0);
  vg_pipeline_set_state (self, VG_PIPELINE_FAILED);
}

/* --- results, from the compute thread --- */

void
vg_pipeline_finish_frame (VgPipeline *self, gboolean bad)
{
  g_mutex_lock (&self->lock);
  vg_frame_queue_finish (&self->input->queue, bad);
  g_mutex_unlock (&self->lock);
}

void
vg_pipeline_fail (VgPipeline *self, const GError *error)
{
  self->compute->stepping = FALSE;
  g_mutex_lock (&self->lock);
  vg_pipeline_set_failed (self, error);
  g_mutex_unlock (&self->lock);
}

/* Moves the work to another device after ERROR, which it takes; says so if there is none. */
static void
leave_gpu (VgPipeline *self, GError *error)
{
  g_autoptr (GError) failure = NULL;

  if (!vg_work_recover (self->compute->work, error, &failure))
    vg_pipeline_fail (self, failure);
}

void
vg_pipeline_inspect_work (VgPipeline *self)
{
  g_autofree char *notice = vg_work_take_notice (self->compute->work);
  const char *device = g_intern_string (vg_work_get_device (self->compute->work));

  vg_pipeline_inspect_baseline (self);
  g_mutex_lock (&self->lock);
  self->cuda = vg_work_get_cuda (self->compute->work);
  if (device != self->device)
    {
      self->device = device;
      vg_pipeline_post (self, VG_POST_STATE);
    }
  if (notice)
    vg_pipeline_post_notice (self, notice);
  g_mutex_unlock (&self->lock);
}

/* The publisher, with the frame in hand. */
static VgPublisher *
get_publisher (VgPipeline *self)
{
  self->compute->publisher.frame = g_queue_peek_tail (&self->compute->recent);
  return &self->compute->publisher;
}

/* If the GPU fails, the work moves to another device. */
static void
describe (VgPipeline *self, VgResult *result, int output, gboolean final)
{
  const VgFrame *frame = g_queue_peek_tail (&self->compute->recent);
  const VgImageInfo *info = vg_work_get_info (self->compute->work);
  GError *error = NULL;

  result->operation = self->operation;
  result->serial = self->compute->map_serial;
  result->regions_serial = self->compute->regions_serial;
  result->output = output;
  result->generation = vg_work_get_generation (self->compute->work);
  result->final = final;
  result->precomputed = self->compute->precomputed;
  result->progress = vg_work_progress (self->compute->work);
  result->metrics = vg_work_results (self->compute->work, &error);
  if (result->plane.data != NULL)
    result->overlay = vg_work_overlay (self->compute->work, (guint) output);
  result->volume = result->plane.data != NULL &&
                   vg_display_get_orientation (self->operation, info, &result->plane,
                                               &result->orientation);
  if (info && result->plane.data != NULL && vg_underlay_fits (info, &result->plane))
    result->place = (VgSlidePlace){ { info->origin[0], info->origin[1] }, info->downsample };
  result->arrived_us = frame ? frame->time_us : self->compute->requested_us;
  if (frame)
    {
      result->frame_index = frame->index;
      result->frame_id = frame->id;
      result->time_s = frame->time_s;
    }
  if (error == NULL)
    return;
  /* the CPU gives the numbers with its map */
  result->metrics = vg_metrics_new ();
  leave_gpu (self, error);
}

/* The newest result replaces one that was not taken. */
static void
put_in_mailbox (VgPipeline *self, VgResult *result)
{
  VgResult *old;

  g_mutex_lock (&self->lock);
  result->finished_us = g_get_monotonic_time ();
  old = self->mailbox.result;
  if (self->input->queue.in_hand || self->compute->is_requested)
    vg_measured_add (&self->mailbox.latency_ms,
                     (double) (result->finished_us - result->arrived_us) * 1e-3);
  if (self->compute->started_us > 0)
    {
      vg_measured_add (&self->mailbox.compute_ms,
                       (double) (result->finished_us - self->compute->started_us) * 1e-3);
      vg_measured_add (&self->mailbox.times_s, (double) result->finished_us * 1e-6);
      self->mailbox.took_us = result->finished_us - self->compute->started_us;
    }
  vg_frame_queue_publish (&self->input->queue);
  self->compute->is_requested = FALSE;
  self->mailbox.result = result;
  if (self->compute->publisher.notice)
    vg_pipeline_post_notice (self, self->compute->publisher.notice);
  g_clear_pointer (&self->compute->publisher.notice, g_free);
  vg_pipeline_post (self, VG_POST_RESULT);
  g_cond_signal (&self->mailbox.changed);
  g_mutex_unlock (&self->lock);
  self->compute->published_us = result->finished_us;
  self->compute->started_us = 0;
  if (old)
    vg_result_unref (old);
}

/* FALSE: the GPU has failed, and the work has moved to another device. */
static gboolean
has_stayed (VgPipeline *self)
{
  return vg_work_get_generation (self->compute->work) == self->compute->generation;
}

/* After a GPU error: what can still be read goes through host memory.  FALSE: the work has moved to
 * another device. */
static gboolean
recover (VgPipeline *self, gboolean final, const GError *gpu_error)
{
  g_autoptr (GError) error = NULL;
  VgResult *result = vg_publisher_make_on_host (get_publisher (self), &error);

  vg_pipeline_inspect_work (self);
  if (result)
    {
      describe (self, result, result->output, final);
      put_in_mailbox (self, result);
      return has_stayed (self);
    }
  else if (!has_stayed (self))
    return FALSE;
  else
    {
      vg_pipeline_finish_frame (self, TRUE);
      vg_pipeline_fail (self, error ? error : gpu_error);
    }
  return TRUE;
}

void
vg_pipeline_publish_input (VgPipeline *self)
{
  VgResult *result;
  int output;

  g_mutex_lock (&self->lock);
  output = self->wanted.operation == self->operation ? self->wanted.output
                                                     : (int) self->operation->view.first_output;
  g_mutex_unlock (&self->lock);
  result = vg_publisher_make_input (get_publisher (self), output, NULL);
  if (!result)
    {
      vg_pipeline_finish_frame (self, FALSE); /* why there is no map has been reported already */
      return;
    }
  self->compute->map_serial = self->serial;
  describe (self, result, result->output, FALSE);
  put_in_mailbox (self, result);
}

gboolean
vg_pipeline_add_to_course (VgPipeline *self)
{
  g_autoptr (GError) error = NULL;

  return vg_publisher_add_to_course (get_publisher (self), &error) || recover (self, FALSE, error);
}

/* Adds output I to KYMOGRAPH, if that follows it.  If the GPU fails, the work moves to another
 * device, whose map gives the row. */
static void
add_row (VgPipeline *self, VgKymograph *kymograph, guint i)
{
  const VgFrame *frame = g_queue_peek_tail (&self->compute->recent);
  g_autofree float *owned = NULL;
  GError *error = NULL;
  VgPlane plane;

  if (frame && vg_kymograph_get_output (kymograph) == i &&
      vg_work_output (self->compute->work, i, &plane, &error) &&
      vg_work_copy_to_host (self->compute->work, &plane, &owned, &error))
    vg_kymograph_add (kymograph, &plane, self->operation, frame->index, frame->time_s);
  if (error)
    leave_gpu (self, error);
}

/* Sends output I, as it was published, and follows the line in it.  FALSE: the GPU has failed, and
 * the work has moved to another device. */
static gboolean
pass_on (VgPipeline *self, guint i)
{
  g_autoptr (VgSender) sender = NULL;
  g_autoptr (VgKymograph) kymograph = NULL;

  g_mutex_lock (&self->lock);
  if (self->sender)
    sender = vg_sender_ref (self->sender);
  if (self->kymograph)
    kymograph = vg_kymograph_ref (self->kymograph);
  g_mutex_unlock (&self->lock);
  if (sender)
    vg_sender_send (sender, self->compute->work, i, g_queue_peek_tail (&self->compute->recent),
                    self->compute->publisher.followed, NULL, NULL);
  if (kymograph && has_stayed (self))
    add_row (self, kymograph, i);
  return has_stayed (self);
}

gboolean
vg_pipeline_publish (VgPipeline *self, gboolean final, gboolean more_to_come)
{
  g_autoptr (GError) error = NULL;
  VgResult *result = vg_publisher_make (get_publisher (self), more_to_come, &error);

  self->compute->maps++;
  self->compute->behind = FALSE;
  self->compute->whole = final;
  if (result)
    {
      const int output = result->plane.data != NULL ? result->output : -1;

      describe (self, result, result->output, final);
      put_in_mailbox (self, result);
      return has_stayed (self) && (output < 0 || pass_on (self, (guint) output));
    }
  else if (error && error->domain == VG_GPU_ERROR)
    return recover (self, final, error);
  else
    {
      vg_pipeline_finish_frame (self, error != NULL);
      if (error)
        vg_pipeline_fail (self, error);
    }
  return TRUE;
}

/* --- results, taken by the main thread --- */

VgResult *
vg_pipeline_take (VgPipeline *self)
{
  VgResult *result;

  g_mutex_lock (&self->lock);
  result = g_steal_pointer (&self->mailbox.result);
  if (self->input)
    vg_frame_queue_show (&self->input->queue);
  g_cond_signal (&self->wake); /* paced work waits for it */
  g_mutex_unlock (&self->lock);
  return result;
}

/* The lock is held. */
static gboolean
is_there (VgPipeline *self, guint64 serial)
{
  return self->mailbox.result && self->mailbox.result->serial >= serial;
}

gboolean
vg_pipeline_await (VgPipeline *self, guint64 serial, gint64 most_us)
{
  const gint64 end = g_get_monotonic_time () + most_us;
  gboolean there;

  g_mutex_lock (&self->lock);
  while (!is_there (self, serial) && self->mailbox.took_us <= most_us &&
         (self->busy_us > 0 || self->serial < serial) &&
         g_cond_wait_until (&self->mailbox.changed, &self->lock, end))
    ;
  there = is_there (self, serial);
  g_mutex_unlock (&self->lock);
  return there;
}
