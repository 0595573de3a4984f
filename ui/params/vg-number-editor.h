/* SPDX-License-Identifier: MIT */
#pragma once
#include "ui/params/vg-editor.h"
/* INT, FLOAT, DOUBLE: an entry over the hard range, a slider over the useful one. */
G_BEGIN_DECLS

#define VG_TYPE_NUMBER_EDITOR (vg_number_editor_get_type ())
G_DECLARE_FINAL_TYPE (VgNumberEditor, vg_number_editor, VG, NUMBER_EDITOR, VgEditor)

/* Told are what a value of 0 came to (NaN: not known), and what pixels of this size (0: not known)
 * make of it in micrometres. */
void vg_number_editor_set_figures (VgNumberEditor *self, double measured, double pixel_um);

G_END_DECLS
