/* SPDX-License-Identifier: MIT */
#pragma once
#include "ui/common/vg-bin.h"
#include "app/compute/vg-result.h"
#include "app/session/vg-session.h"
/* The part of the display panel about limits: histogram with handles, entries,
 * and the automatic ones. */
G_BEGIN_DECLS

#define VG_TYPE_LIMITS_PANEL (vg_limits_panel_get_type ())
G_DECLARE_FINAL_TYPE (VgLimitsPanel, vg_limits_panel, VG, LIMITS_PANEL, VgBin)

GtkWidget *vg_limits_panel_new (VgSession *session);
void vg_limits_panel_set_result (VgLimitsPanel *self, VgResult *result);

G_END_DECLS
