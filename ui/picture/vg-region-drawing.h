/* SPDX-License-Identifier: MIT */
#pragma once
#include "ui/picture/vg-image-view.h"
#include "ui/layers/vg-region-shape.h"
#include "ui/layers/vg-view-transform.h"
/* What the hand does to regions: draws them with the chosen tool, selects,
 * moves, changes and removes them in the session, one undo step each.  Knows
 * image coordinates only; REACH is how near to a handle is near enough. */
G_BEGIN_DECLS

#define VG_TYPE_REGION_DRAWING (vg_region_drawing_get_type ())
G_DECLARE_FINAL_TYPE (VgRegionDrawing, vg_region_drawing, VG, REGION_DRAWING, GObject)
/* signals: "changed" ()   the region being drawn */

VgRegionDrawing *vg_region_drawing_new (VgSession *session);
void vg_region_drawing_set_tool (VgRegionDrawing *self, VgTool tool);
VgTool vg_region_drawing_get_tool (VgRegionDrawing *self);
void vg_region_drawing_set_extent (VgRegionDrawing *self, const VgExtent *extent, int slice);
/* The region being drawn, to be shown; NULL: none.  The last point of a
 * polygon follows the pointer. */
const VgRegion *vg_region_drawing_get_draft (VgRegionDrawing *self);
int vg_region_drawing_get_selected (VgRegionDrawing *self); /* -1: none */

/* A press, its moves and its release; FALSE: it is not for a region. */
gboolean vg_region_drawing_press (VgRegionDrawing *self, VgPoint at, double reach);
void vg_region_drawing_drag (VgRegionDrawing *self, VgPoint at, gboolean square);
void vg_region_drawing_release (VgRegionDrawing *self, VgPoint at, double reach, gboolean moved,
                                int n_press);
void vg_region_drawing_hover (VgRegionDrawing *self, VgPoint at);
/* Name of the cursor that says what a press would do; NULL: nothing. */
const char *vg_region_drawing_cursor (VgRegionDrawing *self, VgPoint at, double reach);
/* Selects the region at a point, the smallest of several. */
gboolean vg_region_drawing_select_at (VgRegionDrawing *self, VgPoint at);
/* The one whose outline is within REACH. */
gboolean vg_region_drawing_select_outline (VgRegionDrawing *self, VgPoint at, double reach);

/* For the keyboard; FALSE when there was nothing to do. */
/* the draft, else the selection */
gboolean vg_region_drawing_cancel (VgRegionDrawing *self);
/* closes the polygon */
gboolean vg_region_drawing_finish (VgRegionDrawing *self);
/* last vertex, else the selected region */
gboolean vg_region_drawing_remove (VgRegionDrawing *self);
gboolean vg_region_drawing_add_at (VgRegionDrawing *self, VgPoint middle, double size);
gboolean vg_region_drawing_nudge (VgRegionDrawing *self, double dx, double dy, gboolean grow);
gboolean vg_region_drawing_select_next (VgRegionDrawing *self, int step);

G_END_DECLS
