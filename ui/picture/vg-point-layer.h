/* SPDX-License-Identifier: MIT */
#pragma once
#include "ui/picture/vg-point-drawing.h"
/* Draws the points of the session's tables over the picture: those set by
 * hand, and with the point tool those taken out; takes no input of its own. */
G_BEGIN_DECLS

#define VG_TYPE_POINT_LAYER (vg_point_layer_get_type ())
G_DECLARE_FINAL_TYPE (VgPointLayer, vg_point_layer, VG, POINT_LAYER, GtkWidget)

GtkWidget *vg_point_layer_new (VgSession *session, VgPointDrawing *drawing);
void vg_point_layer_set_transform (VgPointLayer *self, const VgViewTransform *transform);
/* The tool is in hand: points are large, and all of them are seen. */
void vg_point_layer_set_active (VgPointLayer *self, gboolean active);

G_END_DECLS
