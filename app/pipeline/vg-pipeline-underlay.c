/* SPDX-License-Identifier: MIT */
/* The input under the map: made when it is asked for, and again when another
 * frame of it is to be seen; results share it. */
#include "app/pipeline/vg-pipeline-private.h"

void
vg_pipeline_forget_underlay (VgPipeline *self)
{
  g_clear_pointer (&self->underlay, vg_underlay_unref);
  self->underlay_data = NULL;
  self->underlay_surveyed = FALSE;
}

/* What a map is of: the whole data set, or the newest frame of a stream. */
static const void *
find_input (VgPipeline *self, const VgImageInfo **info, gint64 *n_frames, guint64 *id)
{
  const VgFrame *frame = g_queue_peek_tail (&self->recent);

  *id = 0;
  *n_frames = 1;
  if (self->operation->input.kind == VG_INPUT_DATASET && self->input->image)
    {
      *info = &self->input->image->info;
      *n_frames = MAX ((*info)->frames, 1);
      return self->input->image->data;
    }
  if (self->operation->input.kind != VG_INPUT_STREAM || !frame)
    return NULL;
  *info = frame->info;
  *id = frame->id;
  return frame->data;
}

/* A picture goes without when there is no memory for one. */
static void
make_underlay (VgPipeline *self, const VgImageInfo *info, const void *data, gint64 n_frames,
               gint64 wanted)
{
  gint64 frame = MIN (wanted, n_frames); /* from 1; 0: all */
  const char *first = (const char *) data +
                      (gsize) MAX (frame - 1, 0) * vg_image_info_frame_bytes (info);
  g_autoptr (GError) error = NULL;

  g_clear_pointer (&self->underlay, vg_underlay_unref);
  if (!self->underlay_surveyed)
    vg_underlay_limits (info, data, n_frames, self->underlay_limits);
  /* frames of a stream have limits of their own */
  self->underlay_surveyed = self->operation->input.kind == VG_INPUT_DATASET;
  self->underlay = vg_underlay_new (info, first, frame > 0 ? 1 : n_frames, self->underlay_limits,
                                    &error);
  if (self->underlay)
    return;
  g_mutex_lock (&self->lock);
  vg_pipeline_post_notice (self, error->message);
  g_mutex_unlock (&self->lock);
}

void
vg_pipeline_add_underlay (VgPipeline *self, VgResult *result)
{
  const VgImageInfo *info = NULL;
  gint64 n_frames, wanted = self->underlay_frame;
  guint64 id;
  const void *data = find_input (self, &info, &n_frames, &id);

  if (!data || !vg_underlay_fits (info, &result->plane))
    return;
  result->underlay_frames = n_frames;
  if (result->input_only)
    wanted = MAX (wanted, 0);
  if (wanted == VG_UNDERLAY_OFF)
    return;
  if (self->underlay_data != data || self->underlay_id != id || self->underlay_made != wanted)
    {
      make_underlay (self, info, data, n_frames, wanted);
      self->underlay_data = data;
      self->underlay_id = id;
      self->underlay_made = wanted;
    }
  result->underlay = self->underlay ? vg_underlay_ref (self->underlay) : NULL;
}
