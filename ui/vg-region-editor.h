/* SPDX-License-Identifier: MIT */
#pragma once
#include "vg-editor.h"
/* REGION: taken from the picture's selected region, or typed. */
G_BEGIN_DECLS

#define VG_TYPE_REGION_EDITOR (vg_region_editor_get_type ())
G_DECLARE_FINAL_TYPE (VgRegionEditor, vg_region_editor, VG, REGION_EDITOR, VgEditor)

/* The text of the selected region, or of the only one; NULL: none. */
char *vg_region_editor_selected (VgSession *session);

G_END_DECLS
