/* SPDX-License-Identifier: MIT */
/* Looking back: a live source's last frames are computed again while newer ones arrive. */
#include "app/pipeline/vg-pipeline-private.h"

/* What is kept of the input in use; NULL: nothing. */
static VgLookBack *
get_kept (VgPipeline *self)
{
  VgLookBack *kept = self->input != NULL ? self->input->look_back : NULL;

  return kept != NULL && vg_look_back_get_n (kept) > 0 ? kept : NULL;
}

void
vg_pipeline_request_past (VgPipeline *self, guint i)
{
  VgFrameQueue *queue = &self->input->queue;
  VgLookBack *kept = self->input->look_back;
  guint history = (guint) MAX (queue->history, 0), from = i > history ? i - history : 0;

  vg_frame_queue_drop_past (queue);
  for (guint k = from; k <= i; k++)
    vg_frame_queue_add_past (queue, vg_look_back_get (kept, k), k < i, k == from);
  queue->restart = TRUE;
  self->looks_back = TRUE;
}

/* The history of the next frame is computed first, so that its map is shown at once. */
void
vg_pipeline_leave_past (VgPipeline *self)
{
  VgFrameQueue *queue = &self->input->queue;
  VgLookBack *kept = get_kept (self);
  guint n = kept != NULL ? vg_look_back_get_n (kept) : 0, history = (guint) MAX (queue->history, 0);

  if (!self->looks_back)
    return;
  self->looks_back = FALSE;
  vg_frame_queue_flush (queue);
  for (guint k = n > history ? n - history : 0; k < n; k++)
    {
      vg_frame_queue_add_past (queue, vg_look_back_get (kept, k), TRUE, queue->restart);
      queue->restart = FALSE;
    }
}

gboolean
vg_pipeline_look_back (VgPipeline *self, double time_s)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);
  VgLookBack *kept = get_kept (self);

  if (kept == NULL || self->state == VG_PIPELINE_FAILED)
    return FALSE;
  vg_pipeline_request_past (self, vg_look_back_find (kept, time_s));
  if (self->state == VG_PIPELINE_RUNNING)
    vg_pipeline_set_state (self, VG_PIPELINE_PAUSED);
  g_cond_signal (&self->wake);
  return TRUE;
}

gboolean
vg_pipeline_get_past (VgPipeline *self, VgPast *past)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);
  VgLookBack *kept = get_kept (self);
  guint n = kept != NULL ? vg_look_back_get_n (kept) : 0;

  if (n == 0)
    return FALSE;
  *past = (VgPast){ .oldest_s = vg_look_back_get (kept, 0)->time_s,
                    .newest_s = vg_look_back_get (kept, n - 1)->time_s,
                    .frames = n,
                    .bytes = n * (guint64) vg_image_info_frame_bytes (&self->input->info),
                    .shown = self->looks_back };
  return TRUE;
}

VgFrame *
vg_pipeline_get_newest (VgPipeline *self)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);
  VgLookBack *kept = get_kept (self);

  return kept != NULL ? vg_frame_ref (vg_look_back_get (kept, vg_look_back_get_n (kept) - 1))
                      : NULL;
}
