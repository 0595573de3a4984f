/* SPDX-License-Identifier: MIT */
#pragma once
#include "ui/params/vg-editor.h"
/* The controls that are one standard widget: a switch for BOOL, a drop-down
 * for CHOICE, a button for ACTION. */
G_BEGIN_DECLS

#define VG_TYPE_SWITCH_EDITOR (vg_switch_editor_get_type ())
G_DECLARE_FINAL_TYPE (VgSwitchEditor, vg_switch_editor, VG, SWITCH_EDITOR, VgEditor)
#define VG_TYPE_CHOICE_EDITOR (vg_choice_editor_get_type ())
G_DECLARE_FINAL_TYPE (VgChoiceEditor, vg_choice_editor, VG, CHOICE_EDITOR, VgEditor)
#define VG_TYPE_ACTION_EDITOR (vg_action_editor_get_type ())
G_DECLARE_FINAL_TYPE (VgActionEditor, vg_action_editor, VG, ACTION_EDITOR, VgEditor)

G_END_DECLS
