/* SPDX-License-Identifier: MIT */
#pragma once
#include "ui/common/vg-bin.h"
#include "app/compute/vg-result.h"
#include "app/session/vg-session.h"
/* How the picture is looked at: which output, its colours, its limits. */
G_BEGIN_DECLS

#define VG_TYPE_DISPLAY_PANEL (vg_display_panel_get_type ())
G_DECLARE_FINAL_TYPE (VgDisplayPanel, vg_display_panel, VG, DISPLAY_PANEL, VgBin)

GtkWidget *vg_display_panel_new (VgSession *session);
/* The statistics of the newest result, for the histogram and the automatic limits. */
void vg_display_panel_set_result (VgDisplayPanel *self, VgResult *result);

G_END_DECLS
