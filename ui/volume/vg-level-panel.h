/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/session/vg-session.h"
#include "kernels/shared/vg-underlay.h"
#include "ui/common/vg-bin.h"
/* Level and width of the grey input as numbers, with presets where it holds CT numbers.  Hidden
 * while no grey input lies under the map. */
G_BEGIN_DECLS

#define VG_TYPE_LEVEL_PANEL (vg_level_panel_get_type ())
G_DECLARE_FINAL_TYPE (VgLevelPanel, vg_level_panel, VG, LEVEL_PANEL, VgBin)

GtkWidget *vg_level_panel_new (VgSession *session);
void vg_level_panel_set_underlay (VgLevelPanel *self, VgUnderlay *underlay); /* NULL: none */

G_END_DECLS
