/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/pipeline/vg-pipeline.h"
#include "app/session/vg-session.h"
/* Sends what the session says to the pipeline: parameters, regions, and the view. */
G_BEGIN_DECLS

typedef struct
{
  guint64 params_serial;  /* of the parameters that were sent last */
  guint64 regions_serial; /* and of the regions */
  int output;             /* sent last; -1: none */
  double fps;             /* of playback; negative: none was sent */
  gboolean loop;
} VgSessionSender;

void vg_session_sender_send_params (VgSessionSender *self, VgSession *session,
                                    VgPipeline *pipeline);
void vg_session_sender_send_regions (VgSessionSender *self, VgSession *session,
                                     VgPipeline *pipeline);
/* Underlay and outlines, and the output and the playback if they have changed. */
void vg_session_sender_send_view (VgSessionSender *self, VgSession *session, VgPipeline *pipeline);
/* All of it, to a pipeline that has opened other input. */
void vg_session_sender_send_all (VgSessionSender *self, VgSession *session, VgPipeline *pipeline);

G_END_DECLS
