/* SPDX-License-Identifier: MIT */
#pragma once
#include "ui/params/vg-editor.h"
/* REGION: taken from the picture's selected region, or typed. */
G_BEGIN_DECLS

#define VG_TYPE_REGION_EDITOR (vg_region_editor_get_type ())
G_DECLARE_FINAL_TYPE (VgRegionEditor, vg_region_editor, VG, REGION_EDITOR, VgEditor)

/* A button that makes the picture's selected region, or the only one, the
 * setting of EDITOR, and its part of sync. */
GtkWidget *vg_region_editor_button (VgEditor *editor);
void vg_region_editor_sync_button (GtkWidget *button, VgEditor *editor);

G_END_DECLS
