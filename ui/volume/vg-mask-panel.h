/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/session/vg-session.h"
#include "app/volume/vg-mask.h"
#include "ui/common/vg-bin.h"
/* Paints a mask in a volume: brush, eraser, fill within limits; undo of strokes; what is inside;
 * files; and use as a setting that takes a mask. */
G_BEGIN_DECLS

#define VG_TYPE_MASK_PANEL (vg_mask_panel_get_type ())
G_DECLARE_FINAL_TYPE (VgMaskPanel, vg_mask_panel, VG, MASK_PANEL, VgBin)
/* signals:
 *   "changed" ()                                    the mask or the tool
 *   "message" (gboolean failed, const char *text)
 *   "ask" (gboolean save)                           for the name of a file
 */

GtkWidget *vg_mask_panel_new (VgSession *session);
/* A mask of another volume is dropped.  INFO may be NULL: such a mask cannot be saved. */
void vg_mask_panel_set_volume (VgMaskPanel *self, const VgVolumeGrid *grid,
                               const VgImageInfo *info);
/* Borrowed until others are set: the grey input, for limits (NULL: none), and the map in UNIT. */
void vg_mask_panel_set_values (VgMaskPanel *self, const float *grey, const float *map,
                               const char *unit);
/* TRUE: the pointer paints. */
gboolean vg_mask_panel_is_painting (VgMaskPanel *self);
/* One byte for each voxel; NULL: there is no mask. */
const guint8 *vg_mask_panel_get_voxels (VgMaskPanel *self);
void vg_mask_panel_begin (VgMaskPanel *self, const VgSection *section, const int at[3]);
void vg_mask_panel_go_on (VgMaskPanel *self, const VgSection *section, const int at[3]);
void vg_mask_panel_end (VgMaskPanel *self);
/* Both report what they did or why not. */
void vg_mask_panel_save (VgMaskPanel *self, const char *path);
void vg_mask_panel_open (VgMaskPanel *self, const char *path);
/* Gives the mask to the session, whose file then holds it. */
void vg_mask_panel_store (VgMaskPanel *self);

G_END_DECLS
