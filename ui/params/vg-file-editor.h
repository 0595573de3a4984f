/* SPDX-License-Identifier: MIT */
#pragma once
#include "ui/params/vg-editor.h"
/* FILE: choose, see, clear; where the parameter allows it, a region instead. */
G_BEGIN_DECLS

#define VG_TYPE_FILE_EDITOR (vg_file_editor_get_type ())
G_DECLARE_FINAL_TYPE (VgFileEditor, vg_file_editor, VG, FILE_EDITOR, VgEditor)

G_END_DECLS
