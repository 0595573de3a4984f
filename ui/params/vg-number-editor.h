/* SPDX-License-Identifier: MIT */
#pragma once
#include "ui/params/vg-editor.h"
/* INT, FLOAT, DOUBLE: an entry over the hard range, a slider over the useful one. */
G_BEGIN_DECLS

#define VG_TYPE_NUMBER_EDITOR (vg_number_editor_get_type ())
G_DECLARE_FINAL_TYPE (VgNumberEditor, vg_number_editor, VG, NUMBER_EDITOR, VgEditor)

G_END_DECLS
