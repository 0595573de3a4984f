/* SPDX-License-Identifier: MIT */
/* The life of an input and of its thread. */
#include "app/input/vg-input.h"
#include "io/source/vg-frame-account.h"

VgInput *
vg_input_new (const VgPipelineHooks *hooks, const VgOperation *operation, const void *params,
              const char *const *inputs, const char *read_options, GMutex *lock, GCond *filled,
              const VgPlayback *playback)
{
  VgInput *self = g_new0 (VgInput, 1);

  self->hooks = hooks;
  self->operation = operation;
  self->params = vg_params_copy (&operation->params, params);
  self->inputs = inputs ? g_strdupv ((GStrv) inputs) : g_new0 (char *, 1);
  self->read_options = g_strdup (read_options);
  self->opening = g_cancellable_new ();
  vg_frame_queue_init (&self->queue, lock, filled, playback);
  return self;
}

void
vg_input_free (VgInput *self)
{
  if (self->thread)
    g_thread_join (self->thread);
  g_clear_object (&self->opening);
  vg_frame_queue_clear (&self->queue);
  g_clear_pointer (&self->look_back, vg_look_back_free);
  g_clear_pointer (&self->pool, vg_frame_pool_unref);
  g_clear_pointer (&self->image, vg_image_unref);
  g_clear_pointer (&self->slide, vg_image_unref);
  vg_params_free (&self->operation->params, self->params);
  g_strfreev (self->inputs);
  g_free (self->read_options);
  g_free (self->checkpoint);
  g_free (self->details);
  g_clear_pointer (&self->marks, g_array_unref);
  g_strfreev (self->series);
  g_free (self->caution);
  g_free (self);
}

gboolean
vg_input_matches (const VgInput *self, const VgOperation *operation, const char *const *inputs,
                  const char *read_options)
{
  return self->operation == operation &&
         g_strv_equal ((const char *const *) self->inputs, inputs) &&
         g_strcmp0 (self->read_options, read_options) == 0;
}

gboolean
vg_input_is_synthetic (const VgInput *self)
{
  return self->inputs[0] == NULL;
}

void
vg_input_stop (VgInput *self)
{
  self->queue.is_stopped = TRUE;
  g_cancellable_cancel (self->opening);
  if (self->source)
    vg_source_cancel (self->source);
  g_cond_signal (&self->queue.room);
}

void
vg_input_cancel_opening (VgInput *self, gboolean in_use)
{
  if (self->is_running)
    self->queue.is_detached = !in_use;
  else
    vg_input_stop (self);
}

void
vg_input_account (VgInput *self, VgLiveStatus *status)
{
  if (self->source)
    vg_source_account (self->source, status);
  else
    *status = self->sent;
}

static void
open_input (VgInput *self, VgSource **source, VgImage **image, GError **error)
{
  const char *const *inputs = (const char *const *) self->inputs;
  const VgOperation *operation = self->operation;

  if (operation->input.kind == VG_INPUT_STREAM)
    *source = self->hooks->open_source (self->hooks->data, operation, self->params, inputs,
                                        self->read_options, error);
  else if (operation->input.kind == VG_INPUT_DATASET)
    *image = vg_work_load_part (operation, self->params, inputs, self->read_options,
                                operation->synthetic ? &operation->synthetic->live : NULL,
                                self->slide, error);
  g_clear_pointer (&self->slide, vg_image_unref);
}

/* Publishes what has been opened, or ERROR, which is taken; the lock is held. */
static void
set_opened (VgInput *self, VgSource *source, VgImage *image, GError *error)
{
  self->source = source;
  self->image = image;
  self->queue.error = error;
  if (source || image)
    {
      self->info = source ? source->info : image->info;
      self->details = g_strdup (source ? source->details : image->details);
      self->marks = source && source->marks ? g_array_ref (source->marks) : NULL;
      self->series = g_strdupv (source ? source->series : image->series);
      self->caution = g_strdup (source ? source->caution : image->caution);
      self->has_info = TRUE;
      self->queue.n_frames = self->info.frames;
      self->queue.live = source && source->info.frames < 0;
    }
  self->is_opened = TRUE;
  g_cond_signal (self->queue.filled);
}

static gpointer
run_thread (gpointer data)
{
  VgInput *self = data;
  GMutex *lock = self->queue.lock;
  VgSource *source = NULL;
  VgImage *image = NULL;
  GError *error = NULL;
  gboolean read;

  g_cancellable_push_current (self->opening);
  open_input (self, &source, &image, &error);
  g_cancellable_pop_current (self->opening);
  g_mutex_lock (lock);
  set_opened (self, source, image, error);
  while (!self->queue.is_stopped && !self->is_running)
    g_cond_wait (&self->queue.room, lock);
  read = source && !self->queue.is_stopped;
  g_mutex_unlock (lock);
  if (read)
    vg_input_read (self);

  g_mutex_lock (lock);
  if (source)
    vg_source_account (source, &self->sent);
  self->source = NULL;
  if (self->recorder)
    vg_recorder_end (g_steal_pointer (&self->recorder));
  g_mutex_unlock (lock);
  g_clear_pointer (&source, vg_source_close);
  g_mutex_lock (lock);
  self->is_closed = TRUE;
  g_cond_signal (self->queue.filled);
  g_mutex_unlock (lock);
  return NULL;
}

void
vg_input_start (VgInput *self)
{
  self->thread = g_thread_new ("vg-source", run_thread, self);
}
