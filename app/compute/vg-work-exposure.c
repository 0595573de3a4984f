/* SPDX-License-Identifier: MIT */
/* What a frame says of itself.  The settings that were adopted from the exposure time of the camera
 * follow the frame's own, which differs after a change for as long as earlier frames are computed.
 * A window over several frames begins again where they do not belong together. */
#include "app/compute/vg-work-private.h"

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

  if (self->operation->adopt == NULL || !self->has_info || !(self->history.exposure_ms > 0) ||
      !(self->camera_ms > 0) || self->history.exposure_ms == self->camera_ms)
    return fitted;
  camera = adopt_exposure (self, params, self->camera_ms);
  frame = adopt_exposure (self, params, self->history.exposure_ms);
  for (guint i = 0; i < table->n_items; i++)
    if (vg_param_equal (&table->items[i], params, camera))
      vg_param_assign (&table->items[i], fitted, frame);
  vg_params_free (table, camera);
  vg_params_free (table, frame);
  return fitted;
}

void
vg_work_fit_again (VgWork *self)
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
    vg_work_fit_again (self);
}

void
vg_work_forget_frames (VgWork *self)
{
  self->history = (VgFrameHistory){ 0 };
}

gboolean
vg_work_is_mixed (const VgWork *self)
{
  return self->history.mixed;
}

void
vg_work_note_frame (VgWork *self, const VgFrame *frame)
{
  const double before_ms = self->history.exposure_ms;

  vg_frame_history_add (&self->history, frame,
                        vg_operation_cycles_exposures (self->operation, self->params),
                        vg_operation_get_history (self->operation, self->params));
  if (self->history.exposure_ms != before_ms)
    vg_work_fit_again (self);
}
