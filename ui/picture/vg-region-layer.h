/* SPDX-License-Identifier: MIT */
#pragma once
#include "render/vg-mosaic.h"
#include "ui/picture/vg-region-drawing.h"
/* Draws the session's regions and the one being drawn over the picture; takes
 * no input of its own. */
G_BEGIN_DECLS

#define VG_TYPE_REGION_LAYER (vg_region_layer_get_type ())
G_DECLARE_FINAL_TYPE (VgRegionLayer, vg_region_layer, VG, REGION_LAYER, GtkWidget)

GtkWidget *vg_region_layer_new (VgSession *session, VgRegionDrawing *drawing);
/* Regions of SLICE are drawn, in a mosaic those of all slices, each on its
 * tile; SLICE's tile is framed. */
void vg_region_layer_set_transform (VgRegionLayer *self, const VgViewTransform *transform,
                                    const VgViewTransform *tile, int slice, const VgMosaic *mosaic);
/* The part of a slide that is worked on is framed; NULL: there is no slide. */
void vg_region_layer_set_part (VgRegionLayer *self, const VgExtent *part);

G_END_DECLS
