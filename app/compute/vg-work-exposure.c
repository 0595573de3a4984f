/* SPDX-License-Identifier: MIT */
/* What a frame says of itself.  The settings that were adopted from the exposure time of the camera
 * follow the frame's own, which differs after a change for as long as earlier frames are computed.
 * A window over several frames begins again where they do not belong together. */
#include "app/compute/vg-work-private.h"
#include "kernels/shared/vg-exposure.h"

/* A copy of PARAMS with what the metadata give if the exposure time is MS. */
static void *
adopt_exposure (VgWork *self, const void *params, double ms)
{
  void *adopted = vg_params_copy (&self->operation->params, params);
  VgImageInfo info = self->info;

  info.exposure_ms = ms;
  self->operation->adopt (adopted, &info);
  return adopted;
}

void *
vg_work_fit_params (VgWork *self, const void *params)
{
  const VgParamTable *table = &self->operation->params;
  void *fitted = vg_params_copy (table, params), *camera, *frame;

  if (self->operation->adopt == NULL || !self->has_info || !(self->frame_ms > 0) ||
      !(self->camera_ms > 0) || self->frame_ms == self->camera_ms)
    return fitted;
  camera = adopt_exposure (self, params, self->camera_ms);
  frame = adopt_exposure (self, params, self->frame_ms);
  for (guint i = 0; i < table->n_items; i++)
    if (vg_param_equal (&table->items[i], params, camera))
      vg_param_assign (&table->items[i], fitted, frame);
  vg_params_free (table, camera);
  vg_params_free (table, frame);
  return fitted;
}

static void
fit_again (VgWork *self)
{
  void *fitted = vg_work_fit_params (self, self->params);

  self->engine->update (self->state, fitted);
  vg_params_free (&self->operation->params, fitted);
}

void
vg_work_set_camera_exposure (VgWork *self, double ms)
{
  if (ms == self->camera_ms)
    return;
  self->camera_ms = ms;
  if (self->state != NULL && self->params != NULL)
    fit_again (self);
}

void
vg_work_forget_frames (VgWork *self)
{
  self->frame_ms = 0;
  self->frame_id = 0;
  self->frame_us = 0;
  self->n_frames = 0;
  self->mixed = FALSE;
}

gboolean
vg_work_is_mixed (const VgWork *self)
{
  return self->mixed;
}

/* The frame that is fed next does not belong to those before it if it BREAKS with them. */
static void
count_frame (VgWork *self, const VgFrame *frame, gboolean breaks)
{
  /* after a change of settings the same frame may come once more */
  const gboolean again = self->n_frames > 0 && frame->id == self->frame_id &&
                         frame->time_us == self->frame_us;

  if (self->n_frames > 0 && breaks)
    {
      self->mixed = TRUE;
      self->n_frames = 0;
    }
  if (!again || self->n_frames == 0)
    self->n_frames = MIN (self->n_frames + 1, G_MAXINT - 1);
  self->mixed = self->mixed &&
                self->n_frames <= vg_operation_get_history (self->operation, self->params);
  self->frame_id = frame->id;
  self->frame_us = frame->time_us;
}

void
vg_work_note_frame (VgWork *self, const VgFrame *frame)
{
  const gboolean changed = frame->exposure_ms > 0 &&
                           vg_exposure_differs (frame->exposure_ms, self->frame_ms);

  count_frame (self, frame, frame->interrupted || (changed && self->frame_ms > 0));
  if (!changed)
    return;
  self->frame_ms = frame->exposure_ms;
  fit_again (self);
}
