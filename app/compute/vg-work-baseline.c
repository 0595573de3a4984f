/* SPDX-License-Identifier: MIT */
/* The frames of the baseline.  A change of settings that would make an engine collect another
 * baseline computes the old one again from its frames, so that what was compared with it stays
 * comparable. */
#include "app/compute/vg-work-private.h"
#include <string.h>
#include "kernels/base/vg-memory.h"

enum { MOST_BYTES = 512 << 20, MEMORY_PART = 4 };

/* NULL: the engine has no baseline. */
static const VgEngineBaseline *
get_engine (VgWork *self)
{
  return self->engine->resume != NULL ? self->engine->resume->baseline : NULL;
}

static void
release_copy (VgFrame *frame)
{
  if (frame->settings != NULL)
    g_ref_string_release (frame->settings);
  g_free (frame->data);
  g_free (frame);
}

/* The pool of a source cannot spare its frames for long.  NULL: no memory. */
static VgFrame *
copy_frame (VgWork *self, const VgFrame *frame)
{
  const gsize bytes = vg_image_info_frame_bytes (&self->info);
  gpointer data = g_try_malloc (bytes);
  VgFrame *copy;

  if (data == NULL)
    return NULL;
  memcpy (data, frame->data, bytes);
  copy = g_new (VgFrame, 1);
  *copy = *frame;
  copy->info = &self->info;
  copy->data = data;
  if (frame->settings != NULL)
    g_ref_string_acquire (copy->settings);
  copy->pinned = FALSE;
  copy->release = release_copy;
  copy->owner = NULL;
  g_atomic_ref_count_init (&copy->ref_count);
  return copy;
}

static void
drop_frames (VgWork *self)
{
  VgFrame *frame;

  while ((frame = g_queue_pop_head (&self->baseline.frames)) != NULL)
    vg_frame_unref (frame);
}

void
vg_work_forget_baseline (VgWork *self)
{
  drop_frames (self);
  self->baseline.full = self->baseline.broken_off = FALSE;
  self->baseline.state = VG_BASELINE_COLLECTING;
  self->baseline.maps = 0;
}

void
vg_work_keep_baseline (VgWork *self)
{
  self->baseline.keeps = TRUE;
}

void
vg_work_set_replaced (VgWork *self, gboolean (*is_replaced) (gpointer data), gpointer data)
{
  self->is_replaced = is_replaced;
  self->is_replaced_data = data;
}

/* TRUE: work is to end early, because newer settings wait or it is stopped. */
static gboolean
is_replaced (VgWork *self)
{
  return (self->stop != NULL && g_atomic_int_get (self->stop)) ||
         (self->is_replaced != NULL && self->is_replaced (self->is_replaced_data));
}

static gboolean
fits (VgWork *self)
{
  const gsize bytes = vg_image_info_frame_bytes (&self->info),
              kept = bytes * self->baseline.frames.length,
              most = MIN (MOST_BYTES, (vg_memory_available () + kept) / MEMORY_PART);

  return kept + bytes <= most;
}

static void
keep (VgWork *self, const VgFrame *frame)
{
  const VgFrame *last = g_queue_peek_tail (&self->baseline.frames);
  VgFrame *copy;

  if (self->baseline.full ||
      (last != NULL && last->id == frame->id && last->time_us == frame->time_us))
    return;
  copy = fits (self) ? copy_frame (self, frame) : NULL;
  if (copy != NULL)
    {
      g_queue_push_tail (&self->baseline.frames, copy);
      return;
    }
  drop_frames (self); /* a part of the baseline would be another one */
  self->baseline.full = TRUE;
}

void
vg_work_keep_frame (VgWork *self, const VgFrame *frame)
{
  if (self->baseline.keeps && get_engine (self) != NULL &&
      get_engine (self)->get (self->state).state == VG_BASELINE_COLLECTING)
    keep (self, frame);
}

void
vg_work_keep_recent (VgWork *self, const GQueue *recent)
{
  if (!self->baseline.keeps || self->state == NULL || get_engine (self) == NULL ||
      self->baseline.frames.length > 0 || vg_work_get_baseline (self) == VG_BASELINE_ABSENT)
    return;
  for (const GList *link = recent->head; link != NULL; link = link->next)
    keep (self, link->data);
}

void
vg_work_note_baseline (VgWork *self)
{
  VgBaseline now;

  if (self->state == NULL || get_engine (self) == NULL || self->baseline.broken_off)
    return;
  now = get_engine (self)->get (self->state);
  self->baseline.state = now.state;
  if (now.state == VG_BASELINE_COMPLETE && self->baseline.maps == 0)
    self->baseline.maps = now.maps;
}

VgBaselineState
vg_work_get_baseline (VgWork *self)
{
  vg_work_note_baseline (self);
  return self->baseline.state;
}

/* TRUE: the user begins a baseline with these settings. */
static gboolean
is_set (VgWork *self, const void *params)
{
  const VgParam *action = vg_params_find (&self->operation->params, get_engine (self)->action);

  return action != NULL && !vg_param_equal (action, self->params, params);
}

/* PARAMS with the length of the complete baseline, which another length does not change. */
static void *
keep_length (VgWork *self, const void *params)
{
  const VgParamTable *table = &self->operation->params;
  void *kept = vg_params_copy (table, params);

  vg_param_set_number (vg_params_find (table, get_engine (self)->length), kept,
                       self->baseline.maps);
  return kept;
}

/* FALSE and a NULL error: newer settings or a stop broke it off. */
static gboolean
feed_baseline (VgWork *self, GError **error)
{
  GError *local = NULL;

  for (GList *link = self->baseline.frames.head; link != NULL && local == NULL; link = link->next)
    {
      if (is_replaced (self))
        return FALSE;
      vg_work_note_frame (self, link->data);
      if (self->engine->feed (self->state, link->data, &local))
        while (self->engine->step (self->state, 1, &local) == VG_STEP_MORE)
          ;
    }
  if (local != NULL && local->domain == VG_GPU_ERROR)
    {
      g_propagate_error (error, local);
      return FALSE;
    }
  g_clear_error (&local); /* a frame that the settings refuse ends the baseline */
  return TRUE;
}

/* With PARAMS, which the exposure time of each frame changes.  FALSE: an error of the GPU. */
static gboolean
compute_again (VgWork *self, const void *params, GError **error)
{
  void *before = self->params, *kept = keep_length (self, params);
  GError *local = NULL;

  self->params = kept;
  vg_work_fit_again (self);
  self->baseline.broken_off = !feed_baseline (self, &local);
  self->params = before;
  vg_params_free (&self->operation->params, kept);
  if (local != NULL)
    {
      g_propagate_error (error, local);
      return FALSE;
    }
  get_engine (self)->end (self->state);
  self->params = (void *) params;
  vg_work_fit_again (self);
  self->params = before;
  return TRUE;
}

gboolean
vg_work_owes_baseline (VgWork *self)
{
  return self->baseline.broken_off && !is_replaced (self);
}

gboolean
vg_work_restore_baseline (VgWork *self, const void *params, GError **error)
{
  if (!self->baseline.keeps || get_engine (self) == NULL)
    return TRUE;
  if (self->baseline.state == VG_BASELINE_COLLECTING || is_set (self, params))
    {
      vg_work_forget_baseline (self); /* it begins with the frames that follow */
      return TRUE;
    }
  if (self->baseline.state != VG_BASELINE_COMPLETE)
    get_engine (self)->end (self->state);
  else if (!compute_again (self, params, error))
    return FALSE;
  vg_work_note_baseline (self);
  /* the window of the state holds frames that do not belong to the next one */
  self->history.mixed = TRUE;
  self->history.n = 0;
  return TRUE;
}

gboolean
vg_work_update_engine (VgWork *self, const void *params, const void *fitted)
{
  const VgEngineBaseline *baseline = get_engine (self);
  const int maps = baseline != NULL ? baseline->get (self->state).maps : 0;
  gboolean complete;

  if (self->baseline.broken_off && !is_set (self, params))
    return FALSE; /* only a new state computes it from its first frame */
  complete = vg_work_get_baseline (self) == VG_BASELINE_COMPLETE;
  if (!self->engine->update (self->state, fitted))
    return FALSE;
  if (baseline == NULL || !self->baseline.keeps ||
      (baseline->get (self->state).maps >= maps && !is_set (self, params)))
    return TRUE;
  self->baseline.state = complete ? VG_BASELINE_COMPLETE : VG_BASELINE_COLLECTING;
  if (complete && !is_set (self, params))
    {
      if (vg_operation_get_history (self->operation, params) > 0)
        {
          /* its window holds frames that would become part of the baseline */
          self->baseline.broken_off = TRUE;
          return FALSE;
        }
      self->generation++; /* the caller feeds the history again */
    }
  return vg_work_restore_baseline (self, params, NULL);
}
