/* SPDX-License-Identifier: MIT */
#pragma once
#include "ui/params/vg-editor.h"
/* TABLE: rows of numbers that are added, removed and moved, and presets. */
G_BEGIN_DECLS

#define VG_TYPE_TABLE_EDITOR (vg_table_editor_get_type ())
G_DECLARE_FINAL_TYPE (VgTableEditor, vg_table_editor, VG, TABLE_EDITOR, VgEditor)

G_END_DECLS
