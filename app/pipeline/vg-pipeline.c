/* SPDX-License-Identifier: MIT */
/* The pipeline as a GObject: its creation and end, its openings, what its results show, and its
 * state. */
#include "app/pipeline/vg-pipeline-private.h"

#include <string.h>
#include "kernels/base/vg-error.h"

G_DEFINE_FINAL_TYPE (VgPipeline, vg_pipeline, G_TYPE_OBJECT)

enum { LATER_US = 300000 }; /* until a source without frames is opened again */

/* Source thread.  A source that has nothing to deliver yet, such as an empty folder, is told once
 * and opened again until it has. */
static VgSource *
open_source (gpointer data, const VgOperation *operation, const void *params,
             const char *const *inputs, const char *read_options, GError **error)
{
  const VgSyntheticSize *size = operation->synthetic ? &operation->synthetic->live : NULL;
  VgPipeline *self = data;
  gboolean is_told = FALSE;

  while (!g_cancellable_set_error_if_cancelled (g_cancellable_get_current (), error))
    {
      g_autoptr (GError) local = NULL;
      gint64 begin = g_get_monotonic_time ();
      VgSource *source = vg_work_open_source (operation, params, inputs, read_options, size,
                                              &local);

      if (!g_error_matches (local, VG_IO_ERROR, VG_IO_ERROR_LATER))
        {
          if (local)
            g_propagate_error (error, g_steal_pointer (&local));
          return source;
        }
      g_mutex_lock (&self->lock);
      /* once it is cancelled, another opening may follow at any time */
      if (!is_told && !g_cancellable_is_cancelled (g_cancellable_get_current ()))
        vg_pipeline_post_notice (self, local->message);
      g_mutex_unlock (&self->lock);
      is_told = TRUE;
      /* an attempt may read a long file: at most a quarter of the time is spent on it */
      g_usleep ((gulong) MAX (LATER_US, 3 * (g_get_monotonic_time () - begin)));
    }
  return NULL;
}

static VgWork *
new_work (gpointer data, const VgOperation *operation, VgBackend backend, GError **error)
{
  return vg_work_new (operation, backend, 0, error);
}

void
vg_pipeline_set_hooks (VgPipeline *self, const VgPipelineHooks *hooks)
{
  self->hooks = *hooks;
}

static void
vg_pipeline_dispose (GObject *object)
{
  vg_pipeline_close (VG_PIPELINE (object));
  G_OBJECT_CLASS (vg_pipeline_parent_class)->dispose (object);
}

static void
vg_pipeline_finalize (GObject *object)
{
  VgPipeline *self = VG_PIPELINE (object);

  if (self->wanted.operation)
    vg_params_free (&self->wanted.operation->params, self->wanted.params);
  g_free (self->next_checkpoint);
  g_ptr_array_unref (self->left);
  g_free (self->wanted.regions);
  vg_reference_unref (self->wanted.reference);
  g_ptr_array_unref (self->inputs);
  vg_time_course_unref (self->course);
  vg_sender_unref (self->sender);
  vg_kymograph_unref (self->kymograph);
  g_main_context_unref (self->signals.context);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->wake);
  g_cond_clear (&self->mailbox.changed);
  G_OBJECT_CLASS (vg_pipeline_parent_class)->finalize (object);
}

static void
vg_pipeline_class_init (VgPipelineClass *class)
{
  G_OBJECT_CLASS (class)->dispose = vg_pipeline_dispose;
  G_OBJECT_CLASS (class)->finalize = vg_pipeline_finalize;
  vg_pipeline_init_signals (class);
}

static void
vg_pipeline_init (VgPipeline *self)
{
  g_mutex_init (&self->lock);
  g_cond_init (&self->wake);
  g_cond_init (&self->mailbox.changed);
  self->mailbox.took_us = self->mailbox.frame_us = G_MAXINT64;
  self->hooks = (VgPipelineHooks){ open_source, new_work, self };
  self->signals.context = g_main_context_ref_thread_default ();
  self->inputs = g_ptr_array_new ();
  self->left = g_ptr_array_new_with_free_func (vg_left_checkpoint_free);
  self->course = vg_time_course_new ();
  self->device = "";
  self->playback.fps = 25;
  self->playback.loop = TRUE;
  self->wanted.underlay_frame = VG_UNDERLAY_OFF;
  self->wanted.beside = self->wanted.whole = -1;
  self->prepared = -1000;
}

VgPipeline *
vg_pipeline_new (VgBackend backend)
{
  VgPipeline *self = g_object_new (VG_TYPE_PIPELINE, NULL);

  self->backend = backend;
  return self;
}

guint
vg_pipeline_open (VgPipeline *self, const VgOperation *operation, const void *params,
                  const char *const *inputs, const char *read_options)
{
  const char *const none[] = { NULL };
  VgInput *input;
  guint number;

  g_mutex_lock (&self->lock);
  input = vg_pipeline_find_running (self, operation, inputs ? inputs : none, read_options,
                                    self->next_resumes);
  if (!input)
    {
      input = vg_input_new (&self->hooks, operation, params, inputs, read_options, &self->lock,
                            &self->wake, &self->playback);
      g_ptr_array_add (self->inputs, input);
    }
  g_free (input->checkpoint);
  input->checkpoint = g_steal_pointer (&self->next_checkpoint);
  input->resumes = self->next_resumes;
  if (self->input && self->input->operation == operation && self->input->image &&
      self->input->image->slide)
    input->slide = vg_image_ref (self->input->image->slide);
  vg_pipeline_stop_opening (self);
  vg_pipeline_stop_same_device (self, input);
  input->number = number = ++self->openings;
  self->pending = input;
  vg_pipeline_want_opening (self, operation, params);
  if (!self->thread)
    self->thread = g_thread_new ("vg-compute", vg_pipeline_compute, self);
  if (!input->thread)
    vg_input_start (input);
  g_cond_signal (&self->wake);
  vg_pipeline_post (self, VG_POST_STATE);
  g_mutex_unlock (&self->lock);
  return number;
}

void
vg_pipeline_set_output (VgPipeline *self, int output)
{
  g_mutex_lock (&self->lock);
  if (self->wanted.operation && output >= 0 && (guint) output < self->wanted.operation->n_outputs)
    self->wanted.output = output;
  g_cond_signal (&self->wake);
  g_mutex_unlock (&self->lock);
}

void
vg_pipeline_set_compare (VgPipeline *self, VgReference *reference, VgCompare mode)
{
  VgReference *old;

  g_mutex_lock (&self->lock);
  old = self->wanted.reference;
  self->wanted.reference = reference ? vg_reference_ref (reference) : NULL;
  self->wanted.compare = reference ? mode : VG_COMPARE_OFF;
  self->wanted.compare_serial++;
  g_cond_signal (&self->wake);
  g_mutex_unlock (&self->lock);
  vg_reference_unref (old);
}

void
vg_pipeline_set_underlay (VgPipeline *self, gint64 frame)
{
  g_mutex_lock (&self->lock);
  self->wanted.underlay_frame = MAX (frame, VG_UNDERLAY_OFF);
  g_cond_signal (&self->wake);
  g_mutex_unlock (&self->lock);
}

void
vg_pipeline_set_window (VgPipeline *self, const double limits[2])
{
  g_mutex_lock (&self->lock);
  self->wanted.underlay_window[0] = limits[0];
  self->wanted.underlay_window[1] = limits[1];
  g_cond_signal (&self->wake);
  g_mutex_unlock (&self->lock);
}

void
vg_pipeline_set_beside (VgPipeline *self, int output)
{
  g_mutex_lock (&self->lock);
  self->wanted.beside = output;
  g_cond_signal (&self->wake);
  g_mutex_unlock (&self->lock);
}

void
vg_pipeline_set_whole (VgPipeline *self, int slice)
{
  g_mutex_lock (&self->lock);
  self->wanted.whole = slice;
  g_cond_signal (&self->wake);
  g_mutex_unlock (&self->lock);
}

void
vg_pipeline_set_other_outlines (VgPipeline *self, gboolean on)
{
  g_mutex_lock (&self->lock);
  self->wanted.other_outlines = on != FALSE;
  g_cond_signal (&self->wake);
  g_mutex_unlock (&self->lock);
}

void
vg_pipeline_set_display (VgPipeline *self, const VgDisplay *display, gboolean as_stored)
{
  g_mutex_lock (&self->lock);
  self->wanted.as_stored = as_stored;
  self->wanted.has_display = display != NULL;
  if (display)
    self->wanted.display = *display;
  g_mutex_unlock (&self->lock);
}

guint64
vg_pipeline_set_regions (VgPipeline *self, const VgRegion *regions, guint n)
{
  VgRegion *copy = g_memdup2 (regions, n * sizeof *regions);
  guint64 serial;

  g_mutex_lock (&self->lock);
  g_free (self->wanted.regions);
  self->wanted.regions = copy;
  self->wanted.n_regions = n;
  self->wanted.regions_operation = self->wanted.operation;
  serial = ++self->wanted.regions_serial;
  g_cond_signal (&self->wake);
  g_mutex_unlock (&self->lock);
  return serial;
}

/* --- the present state --- */

VgPipelineState
vg_pipeline_get_state (VgPipeline *self)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  return self->pending || self->preparation != VG_PREPARATION_NONE ? VG_PIPELINE_OPENING
                                                                   : self->state;
}

guint
vg_pipeline_get_opened (VgPipeline *self)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  return self->input ? self->input->number : 0;
}

guint64
vg_pipeline_get_failed (VgPipeline *self)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  return self->failed_serial;
}

double
vg_pipeline_get_busy_s (VgPipeline *self)
{
  gint64 since_us;

  g_mutex_lock (&self->lock);
  since_us = self->busy_us;
  g_mutex_unlock (&self->lock);
  return since_us > 0 ? (double) (g_get_monotonic_time () - since_us) * 1e-6 : 0;
}

double
vg_pipeline_get_prepared (VgPipeline *self)
{
  return g_atomic_int_get (&self->prepared) * 1e-3;
}

gboolean
vg_pipeline_get_info (VgPipeline *self, VgImageInfo *info)
{
  gboolean known;

  g_mutex_lock (&self->lock);
  known = self->input && self->input->has_info;
  if (known)
    *info = self->input->info;
  g_mutex_unlock (&self->lock);
  return known;
}

char *
vg_pipeline_get_details (VgPipeline *self)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  return self->input ? g_strdup (self->input->details) : NULL;
}

char **
vg_pipeline_get_series (VgPipeline *self)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  return self->input ? g_strdupv (self->input->series) : NULL;
}

void
vg_pipeline_get_counts (VgPipeline *self, VgPipelineCounts *counts)
{
  VgFrameCounts frames = { 0 };
  VgMeasured latency, compute, results;
  gboolean live = FALSE;

  g_mutex_lock (&self->lock);
  if (self->input)
    {
      frames = vg_frame_queue_count (&self->input->queue);
      live = self->input->queue.live && !vg_input_is_synthetic (self->input);
    }
  latency = self->mailbox.latency_ms;
  compute = self->mailbox.compute_ms;
  results = self->mailbox.times_s;
  g_mutex_unlock (&self->lock);
  *counts = (VgPipelineCounts){ .live = live,
                                .sent = frames.sent,
                                .shown = frames.shown,
                                .superseded = frames.superseded,
                                .lost = frames.lost,
                                .bad = frames.bad,
                                .queued = frames.queued };
  counts->results_per_s = vg_measured_rate (&results, (double) g_get_monotonic_time () * 1e-6);
  counts->latency_p50_ms = vg_measured_quantile (&latency, 0.5);
  counts->latency_p99_ms = vg_measured_quantile (&latency, 0.99);
  counts->compute_ms = vg_measured_quantile (&compute, 0.5);
}

char *
vg_pipeline_counts_to_text (const VgPipelineCounts *counts)
{
  g_autofree char *sent = g_strdup_printf ("%" G_GUINT64_FORMAT, counts->sent),
                  *ends = g_strdup_printf (
                      "%" G_GUINT64_FORMAT " shown + %" G_GUINT64_FORMAT
                      " superseded + %" G_GUINT64_FORMAT " bad + %" G_GUINT64_FORMAT
                      " lost + %" G_GUINT64_FORMAT " waiting",
                      counts->shown, counts->superseded, counts->bad, counts->lost, counts->queued);

  if (counts->live)
    return g_strdup_printf (counts->sent == 1 ? "%s frame sent = %s" : "%s frames sent = %s", sent,
                            ends);
  return g_strdup_printf (counts->sent == 1 ? "%s frame read = %s" : "%s frames read = %s", sent,
                          ends);
}

gboolean
vg_pipeline_has_ended (VgPipeline *self)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  return self->input && self->input->queue.live &&
         (self->input->queue.end_seen || self->input->queue.is_stopped);
}

const char *
vg_pipeline_get_device (VgPipeline *self)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  return self->device;
}

const VgCuda *
vg_pipeline_get_cuda (VgPipeline *self)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  return self->cuda;
}

/* --- the end --- */

static void
stop_threads (VgPipeline *self)
{
  g_mutex_lock (&self->lock);
  self->quit = TRUE;
  g_atomic_int_set (&self->stop, 1);
  for (guint i = 0; i < self->inputs->len; i++)
    vg_input_stop (self->inputs->pdata[i]);
  g_cond_signal (&self->wake);
  g_mutex_unlock (&self->lock);
  g_thread_join (self->thread);
  self->thread = NULL;
  vg_pipeline_forget_last (self);
  vg_pipeline_record_stop (self, NULL, NULL);
  for (guint i = 0; i < self->inputs->len; i++)
    vg_input_free (self->inputs->pdata[i]);
  g_ptr_array_set_size (self->inputs, 0);
}

void
vg_pipeline_close (VgPipeline *self)
{
  if (!self->thread)
    return;
  stop_threads (self);
  vg_query_queue_cancel (&self->queries);
  vg_pipeline_clear_posted (self);
  g_clear_pointer (&self->mailbox.result, vg_result_unref);
  self->input = self->pending = NULL;
  self->cuda = NULL;
  self->device = "";
  self->state = VG_PIPELINE_IDLE;
  self->quit = FALSE;
  self->busy_us = 0;
  self->prepared = -1000;
}
