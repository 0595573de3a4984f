/* SPDX-License-Identifier: MIT */
/* Looking back: a live source's last frames are computed again while newer ones arrive. */
#include "app/pipeline/vg-pipeline-private.h"
#include <math.h>

/* For which the newest map may be late after looking back; twice as long if maps take longer than
 * before. */
#define CATCH_UP_S 1.0

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

  if (!self->looks_back)
    self->left_s = vg_time_course_get_end (self->course);
  vg_frame_queue_drop_past (queue);
  for (guint k = from; k <= i; k++)
    vg_frame_queue_add_past (queue, vg_look_back_get (kept, k), k < i, k == from);
  queue->restart = TRUE;
  self->looks_back = TRUE;
}

/* How many of the N frames KEPT, and those that arrive meanwhile, can be computed in CATCH_UP_S. */
static double
count_computable (VgPipeline *self, VgLookBack *kept, guint n)
{
  const double rate = 1e6 / (double) MAX (self->mailbox.frame_us, 1),
               span_s = n > 1 ? vg_look_back_get (kept, n - 1)->time_s -
                                    vg_look_back_get (kept, 0)->time_s
                              : 0,
               arriving = span_s > 0 ? (n - 1) / span_s : 0;

  return CATCH_UP_S * MAX (rate - arriving, 0);
}

/* The time courses lack the frames that arrived while the user looked back.  Finds the first of the
 * N frames KEPT that is added to them: as many of the newest as can be computed, but none of the
 * oldest quarter, whose memory may be needed for new frames before then.  N: there is none. */
static guint
find_missed (VgPipeline *self, VgLookBack *kept, guint n)
{
  guint first = n - (guint) MIN (count_computable (self, kept, n), n - n / 4);

  if (isnan (self->left_s))
    return n;
  while (first < n && vg_look_back_get (kept, first)->time_s <= self->left_s)
    first++;
  if (first < n)
    vg_time_course_join (self->course,
                         first > 0 && vg_look_back_get (kept, first - 1)->time_s <= self->left_s
                             ? self->left_s
                             : vg_look_back_get (kept, first)->time_s);
  return first;
}

/* The frames that were missed and the history of the next frame are computed first, so that its map
 * is shown at once. */
void
vg_pipeline_leave_past (VgPipeline *self)
{
  VgFrameQueue *queue = &self->input->queue;
  VgLookBack *kept = get_kept (self);
  const guint n = kept != NULL ? vg_look_back_get_n (kept) : 0,
              history = (guint) MAX (queue->history, 0);
  guint first;

  if (!self->looks_back)
    return;
  self->looks_back = FALSE;
  vg_frame_queue_flush (queue);
  first = find_missed (self, kept, n);
  for (guint k = first > history ? first - history : 0; k < n; k++)
    {
      vg_frame_queue_add_past (queue, vg_look_back_get (kept, k), k < first, queue->restart);
      queue->restart = FALSE;
    }
  if (first < n)
    vg_frame_queue_catch_up (queue, (gint64) (2 * CATCH_UP_S * G_USEC_PER_SEC));
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
