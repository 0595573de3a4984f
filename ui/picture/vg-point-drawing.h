/* SPDX-License-Identifier: MIT */
#pragma once
#include "ui/picture/vg-image-view.h"
#include "ui/layers/vg-region-shape.h"
#include "ui/layers/vg-view-transform.h"
/* What the hand does to the points of TABLE parameters that are places in the
 * picture (VgTableSpec.points): sets, drags, selects and removes them in the
 * session, one undo step each.  Knows image coordinates only. */
G_BEGIN_DECLS

#define VG_TYPE_POINT_DRAWING (vg_point_drawing_get_type ())
G_DECLARE_FINAL_TYPE (VgPointDrawing, vg_point_drawing, VG, POINT_DRAWING, GObject)
/* signals: "changed" ()   what is selected */

/* A row of the table of PARAM. */
typedef struct
{
  const VgParam *param; /* NULL: none */
  int row;
} VgPointRow;

VgPointDrawing *vg_point_drawing_new (VgSession *session);
/* The first parameter of the session's operation with points of KIND, or NULL. */
const VgParam *vg_point_drawing_find (VgSession *session, VgPoints kind);
/* Its rows: x, y and more; owned by the parameters, NULL: none. */
const VgTable *vg_point_drawing_table (VgSession *session, const VgParam *param);
VgPointRow vg_point_drawing_get_selected (VgPointDrawing *self);
void vg_point_drawing_set_extent (VgPointDrawing *self, const VgExtent *extent);

/* The nearest point within REACH becomes the selected one, and is dragged
 * until the release; FALSE: there is none. */
gboolean vg_point_drawing_press (VgPointDrawing *self, VgPoint at, double reach);
void vg_point_drawing_drag (VgPointDrawing *self, VgPoint at);
void vg_point_drawing_release (VgPointDrawing *self, gboolean moved);
gboolean vg_point_drawing_is_over (VgPointDrawing *self, VgPoint at, double reach);
/* A new point; FALSE: outside, or the table is full. */
gboolean vg_point_drawing_add (VgPointDrawing *self, VgPoint at);

/* For the keyboard; FALSE when there was nothing to do. */
gboolean vg_point_drawing_cancel (VgPointDrawing *self);
gboolean vg_point_drawing_remove (VgPointDrawing *self);
gboolean vg_point_drawing_nudge (VgPointDrawing *self, double dx, double dy);
gboolean vg_point_drawing_select_next (VgPointDrawing *self, int step);

/* The object that came from the point X, Y is not wanted: its row goes if it
 * was set, else the point is marked as taken out.  FALSE: there is no table for it. */
gboolean vg_point_drawing_take_out (VgPointDrawing *self, VgPoint at);

G_END_DECLS
