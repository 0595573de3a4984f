/* SPDX-License-Identifier: MIT */
#pragma once
#include <gtk/gtk.h>
#include "app/session/vg-session.h"
#include "ui/volume/vg-section-samples.h"
/* One section through a volume: the map over the input, the crosshair, and letters at the edges.  A
 * click or a drag chooses a voxel; the wheel and Shift+Page Up and Down step through the volume,
 * the arrow keys go from voxel to voxel. */
G_BEGIN_DECLS

#define VG_TYPE_SECTION_VIEW (vg_section_view_get_type ())
G_DECLARE_FINAL_TYPE (VgSectionView, vg_section_view, VG, SECTION_VIEW, GtkWidget)
/* signals:
 *   "chosen" (int x, int y, int z)   a voxel
 *   "painted" (int x, int y, int z, int phase)   likewise while painting: a VgStroke
 *   "zoomed" (double factor)         Ctrl and the wheel
 */

typedef enum { VG_STROKE_BEGIN, VG_STROKE_GO_ON, VG_STROKE_END } VgStroke;

GtkWidget *vg_section_view_new (VgSession *session, VgSectionKind kind);
/* All sections of the volume, whose scale they share. */
void vg_section_view_set_volume (VgSectionView *self, const VgVolumeGrid *grid,
                                 const VgSection sections[VG_N_SECTIONS]);
void vg_section_view_set_look (VgSectionView *self, const VgVolumeLook *look);
/* The crosshair is at voxel AT.  ZOOM 1: the whole section is seen; else its part about CENTER. */
void vg_section_view_set_place (VgSectionView *self, const int at[3], double zoom,
                                const double center[3]);
/* The pointer, and Return at the crosshair, paint in place of moving the crosshair. */
void vg_section_view_set_painting (VgSectionView *self, gboolean painting);
/* One byte for each voxel, borrowed until another is set; NULL: none.  Called again when it has
 * changed. */
void vg_section_view_set_mask (VgSectionView *self, const guint8 *mask);

G_END_DECLS
