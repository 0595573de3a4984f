/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/compute/vg-result.h"
#include "app/session/vg-session.h"
#include "ui/layers/vg-color-bar.h"
#include "ui/volume/vg-section-samples.h"
/* The colours of a result in the three planes, as the session sets them. */
G_BEGIN_DECLS

/* A result of the output that was chosen before keeps its colours until it is replaced. */
void vg_volume_look_take_colors (VgVolumeLook *self, VgSession *session, const VgResult *result);
/* What the colour bar shows, whose texts are borrowed; FALSE: there is no colour bar. */
gboolean vg_volume_look_get_bar (const VgVolumeLook *self, VgSession *session,
                                 const VgResult *result, VgColorBarContent *content);

G_END_DECLS
