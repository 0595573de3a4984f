/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/session/vg-session.h"
#include "ui/common/vg-bin.h"
/* Chooses the slice of a volume that is shown, all of them, or three planes; hidden without a
 * volume. */
G_BEGIN_DECLS

#define VG_TYPE_SLICE_BOX (vg_slice_box_get_type ())
G_DECLARE_FINAL_TYPE (VgSliceBox, vg_slice_box, VG, SLICE_BOX, VgBin)

GtkWidget *vg_slice_box_new (VgSession *session);
/* Slices of the volume shown; 1: no volume. */
void vg_slice_box_set_slices (VgSliceBox *self, int slices);
/* Shows the slice that the session has now. */
void vg_slice_box_update (VgSliceBox *self);
void vg_slice_box_move (VgSliceBox *self, GtkSpinType direction);

G_END_DECLS
