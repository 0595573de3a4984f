/* SPDX-License-Identifier: MIT */
#pragma once
#include "ui/common/vg-bin.h"
#include "ui/params/vg-editor.h"
/* A drop-down that fills the table of a parameter with a preset. */
G_BEGIN_DECLS

#define VG_TYPE_PRESET_CHOOSER (vg_preset_chooser_get_type ())
G_DECLARE_FINAL_TYPE (VgPresetChooser, vg_preset_chooser, VG, PRESET_CHOOSER, VgBin)

/* The parameter is that of EDITOR, which the chooser is part of. */
GtkWidget *vg_preset_chooser_new (VgEditor *editor);
/* A label that tells where the values are from, as long as they are those of a preset; it is for
 * the caller to place. */
GtkWidget *vg_preset_chooser_get_source (VgPresetChooser *self);
/* Shows the preset that the table is. */
void vg_preset_chooser_sync (VgPresetChooser *self);

G_END_DECLS
