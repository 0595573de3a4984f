/* SPDX-License-Identifier: MIT */
/* The input under the map.  It is made when it is requested and again when another frame of it is
 * shown; results share it. */
#include "app/pipeline/vg-publisher.h"

void
vg_publisher_forget_underlay (VgPublisher *self)
{
  g_clear_pointer (&self->underlay, vg_underlay_unref);
  self->underlay_data = NULL;
  self->has_underlay_limits = FALSE;
}

/* The whole data set IMAGE, or the newest frame of a stream. */
static const void *
find_input (VgPublisher *self, VgImage *image, const VgImageInfo **info, gint64 *n_frames,
            guint64 *id)
{
  const VgFrame *frame = self->frame;

  *id = 0;
  *n_frames = 1;
  if (self->operation->input.kind == VG_INPUT_DATASET && image)
    {
      *info = &image->info;
      *n_frames = MAX ((*info)->frames, 1);
      return image->data;
    }
  if (self->operation->input.kind != VG_INPUT_STREAM || !frame)
    return NULL;
  *info = frame->info;
  *id = frame->id;
  return frame->data;
}

/* Without memory for an underlay, the map is shown without it. */
static void
make_underlay (VgPublisher *self, const VgImageInfo *info, const void *data, gint64 n_frames,
               gint64 wanted)
{
  gint64 frame = MIN (wanted, n_frames); /* from 1; 0: all */
  const char *first = (const char *) data +
                      (gsize) MAX (frame - 1, 0) * vg_image_info_frame_bytes (info);
  g_autoptr (GError) error = NULL;

  g_clear_pointer (&self->underlay, vg_underlay_unref);
  if (!self->has_underlay_limits)
    vg_underlay_limits (info, data, n_frames, self->underlay_limits);
  /* frames of a stream have limits of their own */
  self->has_underlay_limits = self->operation->input.kind == VG_INPUT_DATASET;
  self->underlay = vg_underlay_new (info, first, frame > 0 ? 1 : n_frames, self->underlay_limits,
                                    &error);
  if (self->underlay)
    return;
  g_free (self->notice);
  self->notice = g_strdup (error->message);
}

/* Without memory for another one the underlay keeps its limits. */
static void
set_window (VgPublisher *self)
{
  const double *wanted = self->underlay_window;
  const double *limits = wanted[1] > wanted[0] ? wanted : self->underlay->automatic;
  g_autoptr (GError) error = NULL;
  VgUnderlay *other;

  if (self->underlay->grey == NULL ||
      (self->underlay->limits[0] == limits[0] && self->underlay->limits[1] == limits[1]))
    return;
  other = vg_underlay_new_window (self->underlay, limits, &error);
  if (other == NULL)
    {
      g_free (self->notice);
      self->notice = g_strdup (error->message);
      return;
    }
  vg_underlay_unref (self->underlay);
  self->underlay = other;
}

void
vg_publisher_add_underlay (VgPublisher *self, VgResult *result)
{
  const VgImageInfo *info = NULL;
  gint64 n_frames, wanted = self->underlay_frame;
  guint64 id;
  guint generation;
  VgImage *image = vg_work_get_series (self->work);
  const void *data = find_input (self, image, &info, &n_frames, &id);

  if (!data || !vg_underlay_fits (info, &result->plane))
    return;
  result->underlay_frames = n_frames;
  if (result->input_only)
    wanted = MAX (wanted, 0);
  if (wanted < 0)
    return;
  result->underlay_corrected = image != NULL && image != vg_work_get_image (self->work);
  generation = result->underlay_corrected ? vg_work_get_generation (self->work) : 0;
  if (self->underlay_generation != generation)
    vg_publisher_forget_underlay (self);
  self->underlay_generation = generation;
  if (self->underlay_data != data || self->underlay_id != id || self->underlay_made != wanted)
    {
      make_underlay (self, info, data, n_frames, wanted);
      self->underlay_data = data;
      self->underlay_id = id;
      self->underlay_made = wanted;
    }
  if (self->underlay != NULL)
    set_window (self);
  result->underlay = self->underlay ? vg_underlay_ref (self->underlay) : NULL;
}
