/* SPDX-License-Identifier: MIT */
/* The source thread's life: it opens an input, waits until compute has taken
 * it over, reads, and closes.  And its queue, which compute empties. */
#include "app/pipeline/vg-pipeline-private.h"

void
vg_queued_free (VgQueued *queued)
{
  vg_frame_unref (queued->frame);
  g_free (queued);
}

VgFeed *
vg_feed_new (VgPipeline *pipeline, const VgOperation *operation, const void *params,
             const char *const *inputs, const char *read_options)
{
  VgFeed *self = g_new0 (VgFeed, 1);

  self->pipeline = pipeline;
  self->operation = operation;
  self->params = vg_params_copy (&operation->params, params);
  self->inputs = inputs ? g_strdupv ((GStrv) inputs) : g_new0 (char *, 1);
  self->read_options = g_strdup (read_options);
  self->seek_to = -1;
  g_cond_init (&self->wake);
  return self;
}

/* What compute never took was received all the same when it came live. */
void
vg_feed_flush (VgFeed *self)
{
  VgQueued *queued;

  while ((queued = g_queue_pop_head (&self->queue)))
    {
      if (queued->fresh && self->live)
        self->superseded++;
      vg_queued_free (queued);
    }
}

void
vg_feed_free (VgFeed *self)
{
  if (self->thread)
    g_thread_join (self->thread);
  while (self->queue.length > 0)
    vg_queued_free (g_queue_pop_head (&self->queue));
  g_clear_pointer (&self->pool, vg_frame_pool_unref);
  g_clear_pointer (&self->image, vg_image_unref);
  g_clear_pointer (&self->slide, vg_image_unref);
  vg_params_free (&self->operation->params, self->params);
  g_strfreev (self->inputs);
  g_free (self->read_options);
  g_free (self->checkpoint);
  g_free (self->first_bad);
  g_free (self->details);
  g_free (self->caution);
  g_clear_error (&self->error);
  g_cond_clear (&self->wake);
  g_free (self);
}

void
vg_feed_stop (VgFeed *self)
{
  self->stop = TRUE;
  if (self->source)
    vg_source_cancel (self->source);
  g_cond_signal (&self->wake);
}

gboolean
vg_feed_is_made (const VgFeed *self)
{
  return self->inputs[0] == NULL;
}

void
vg_feed_give_up (VgFeed *self)
{
  if (self->running)
    self->aside = self != self->pipeline->feed;
  else
    vg_feed_stop (self);
}

void
vg_feed_seek (VgFeed *self, gint64 frame, gboolean fresh)
{
  vg_feed_flush (self);
  self->seek_to = CLAMP (frame, 0, MAX (self->info.frames, 1) - 1);
  self->next = MAX (self->seek_to - self->history, 0);
  self->restart = TRUE;
  self->seek_fresh = fresh;
  self->seek_serial++;
  self->ended = self->end_seen = FALSE;
  self->due_us = 0;
  g_cond_signal (&self->wake);
}

void
vg_feed_drop_oldest (VgFeed *self)
{
  VgQueued *queued = g_queue_pop_head (&self->queue);

  if (!queued)
    return;
  self->superseded += queued->fresh;
  vg_queued_free (queued);
}

void
vg_feed_read_again (VgFeed *self, gint64 current)
{
  gboolean fresh = FALSE;

  if (self->seek_to >= 0)
    {
      current = self->seek_to;
      fresh = self->seek_fresh;
    }
  for (GList *link = self->queue.head; link; link = link->next)
    {
      const VgQueued *queued = link->data;

      if (queued->wanted && !queued->preroll)
        {
          current = queued->frame->index;
          fresh = queued->fresh;
        }
    }
  vg_feed_seek (self, current, fresh);
}

void
vg_feed_push (VgFeed *self, const VgQueued *queued)
{
  g_queue_push_tail (&self->queue, g_memdup2 (queued, sizeof *queued));
  if (!self->aside)
    g_cond_signal (&self->pipeline->wake);
}

/* The end, with or without an error, which is taken. */
void
vg_feed_end (VgFeed *self, GError *error)
{
  if (error && !self->error)
    self->error = error;
  else
    g_clear_error (&error);
  self->ended = TRUE;
  g_cond_signal (&self->pipeline->wake);
}

gboolean
vg_feed_is_stopped (VgFeed *self)
{
  gboolean stop;

  g_mutex_lock (&self->pipeline->lock);
  stop = self->stop;
  g_mutex_unlock (&self->pipeline->lock);
  return stop;
}

static void
open_input (VgFeed *self, VgSource **source, VgImage **image, GError **error)
{
  const VgPipelineHooks *hooks = &self->pipeline->hooks;
  const char *const *inputs = (const char *const *) self->inputs;

  if (self->operation->input == VG_INPUT_STREAM)
    *source = hooks->open_source (hooks->data, self->operation, self->params, inputs,
                                  self->read_options, error);
  else if (self->operation->input == VG_INPUT_DATASET)
    *image = vg_work_load_part (
        self->operation, self->params, inputs, self->read_options,
        self->operation->synthetic ? &self->operation->synthetic->live : NULL, self->slide, error);
  g_clear_pointer (&self->slide, vg_image_unref);
}

/* Leaves the lock held. */
static void
opened (VgFeed *self, VgSource *source, VgImage *image, GError *error)
{
  g_mutex_lock (&self->pipeline->lock);
  self->source = source;
  self->image = image;
  self->error = error;
  if (source || image)
    {
      self->info = source ? source->info : image->info;
      self->details = g_strdup (source ? source->details : image->details);
      self->caution = g_strdup (source ? source->caution : image->caution);
      self->has_info = TRUE;
      self->live = source && source->info.frames < 0;
    }
  self->opened = TRUE;
  g_cond_signal (&self->pipeline->wake);
}

static gpointer
feed_thread (gpointer data)
{
  VgFeed *self = data;
  VgPipeline *pipeline = self->pipeline;
  VgSource *source = NULL;
  VgImage *image = NULL;
  GError *error = NULL;
  gboolean read;

  open_input (self, &source, &image, &error);
  opened (self, source, image, error);
  while (!self->stop && !self->running)
    g_cond_wait (&self->wake, &pipeline->lock);
  read = source && !self->stop;
  g_mutex_unlock (&pipeline->lock);

  if (read && self->live)
    vg_feed_read_live (self);
  else if (read)
    vg_feed_read_stack (self);

  g_mutex_lock (&pipeline->lock);
  self->source = NULL;
  if (pipeline->recorded == self)
    {
      pipeline->recorded = NULL;
      vg_recorder_end (pipeline->recorder);
    }
  g_mutex_unlock (&pipeline->lock);
  g_clear_pointer (&source, vg_source_close);
  g_mutex_lock (&pipeline->lock);
  self->done = TRUE;
  g_cond_signal (&pipeline->wake);
  g_mutex_unlock (&pipeline->lock);
  return NULL;
}

void
vg_feed_start (VgFeed *self)
{
  self->thread = g_thread_new ("vg-source", feed_thread, self);
}
