/* SPDX-License-Identifier: MIT */
#include "ui/window/vg-session-sender.h"

void
vg_session_sender_send_params (VgSessionSender *self, VgSession *session, VgPipeline *pipeline)
{
  self->params_serial = vg_pipeline_set_params (pipeline, vg_session_get_operation (session),
                                                vg_session_get_params (session));
}

void
vg_session_sender_send_regions (VgSessionSender *self, VgSession *session, VgPipeline *pipeline)
{
  guint n = vg_session_get_n_regions (session);
  g_autofree VgRegion *regions = g_new (VgRegion, n + 1);

  for (guint i = 0; i < n; i++)
    regions[i] = vg_session_get_region (session, i)->region;
  self->regions_serial = vg_pipeline_set_regions (pipeline, regions, n);
}

void
vg_session_sender_send_view (VgSessionSender *self, VgSession *session, VgPipeline *pipeline)
{
  const VgView *view = vg_session_get_view (session);

  vg_pipeline_set_underlay (pipeline, vg_session_get_display (session)->underlay
                                          ? view->underlay_frame
                                          : VG_UNDERLAY_OFF);
  vg_pipeline_set_other_outlines (pipeline, view->other_outlines);
  if (view->output != self->output)
    {
      self->output = view->output;
      vg_pipeline_set_output (pipeline, view->output);
    }
  if (view->playback_fps != self->fps || view->loop != self->loop)
    {
      self->fps = view->playback_fps;
      self->loop = view->loop;
      vg_pipeline_set_playback (pipeline, view->playback_fps, view->loop);
    }
}

void
vg_session_sender_send_all (VgSessionSender *self, VgSession *session, VgPipeline *pipeline)
{
  self->output = -1;
  self->fps = -1;
  vg_session_sender_send_params (self, session, pipeline);
  vg_session_sender_send_regions (self, session, pipeline);
  vg_session_sender_send_view (self, session, pipeline);
}
