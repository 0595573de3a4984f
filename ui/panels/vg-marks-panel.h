/* SPDX-License-Identifier: MIT */
#pragma once
#include "ui/common/vg-bin.h"
#include "app/compute/vg-result.h"
#include "app/session/vg-session.h"
/* What is drawn over and beside the picture: isolines, axes with their unit
 * of length, and what the operation gives.  Part of the display pane. */
G_BEGIN_DECLS

#define VG_TYPE_MARKS_PANEL (vg_marks_panel_get_type ())
G_DECLARE_FINAL_TYPE (VgMarksPanel, vg_marks_panel, VG, MARKS_PANEL, VgBin)

GtkWidget *vg_marks_panel_new (VgSession *session);
/* Whether its pixels have a size decides what is offered. */
void vg_marks_panel_set_result (VgMarksPanel *self, const VgResult *result);

G_END_DECLS
