/* SPDX-License-Identifier: MIT */
#pragma once
#include <gtk/gtk.h>
#include "app/volume/vg-section.h"
#include "render/vg-pane.h"
/* One section through a volume: the map over the input, the crosshair, and letters at the edges.  A
 * click or a drag chooses a voxel; the wheel and Shift+Page Up and Down step through the volume,
 * the arrow keys go from voxel to voxel. */
G_BEGIN_DECLS

#define VG_TYPE_SECTION_VIEW (vg_section_view_get_type ())
G_DECLARE_FINAL_TYPE (VgSectionView, vg_section_view, VG, SECTION_VIEW, GtkWidget)
/* signals:
 *   "chosen" (int x, int y, int z)   a voxel
 *   "zoomed" (double factor)         Ctrl and the wheel
 */

/* What is drawn, and how.  The volumes are borrowed until others are set. */
typedef struct
{
  VgScene scene;       /* colours, underlay and background */
  const float *map;    /* NULL: none */
  const float *light;  /* that dims the map; NULL: none */
  const guint8 *under; /* RGBA of an input in colour; NULL: none */
  const float *grey;   /* of the grey input, shown between the limits; NULL: none */
  double window[2];    /* its black and white level */
} VgVolumeLook;

GtkWidget *vg_section_view_new (VgSectionKind kind);
/* All sections of the volume, whose scale they share. */
void vg_section_view_set_volume (VgSectionView *self, const VgVolumeGrid *grid,
                                 const VgSection sections[VG_N_SECTIONS]);
void vg_section_view_set_look (VgSectionView *self, const VgVolumeLook *look);
/* The crosshair is at voxel AT.  ZOOM 1: the whole section is seen; else its part about CENTER. */
void vg_section_view_set_place (VgSectionView *self, const int at[3], double zoom,
                                const double center[3]);

G_END_DECLS
