/* SPDX-License-Identifier: MIT */
#pragma once
#include "ui/common/vg-bin.h"
#include "app/compute/vg-result.h"
#include "app/session/vg-session.h"
/* The part of the display panel that lays the input under the map: whether,
 * how much of the map is seen over it, and which time point.  Hidden while the
 * input is not of the map's size. */
G_BEGIN_DECLS

#define VG_TYPE_UNDERLAY_PANEL (vg_underlay_panel_get_type ())
G_DECLARE_FINAL_TYPE (VgUnderlayPanel, vg_underlay_panel, VG, UNDERLAY_PANEL, VgBin)

GtkWidget *vg_underlay_panel_new (VgSession *session);
void vg_underlay_panel_set_result (VgUnderlayPanel *self, const VgResult *result);

G_END_DECLS
