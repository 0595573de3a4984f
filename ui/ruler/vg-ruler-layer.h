/* SPDX-License-Identifier: MIT */
#pragma once
#include <gtk/gtk.h>
#include "kernels/base/vg-plane.h"
#include "ui/layers/vg-view-transform.h"
/* A line over the image that tells its length.  While it is active a drag draws the line or moves
 * one of its ends; it stays until it is removed or the data have another size. */
G_BEGIN_DECLS

#define VG_TYPE_RULER_LAYER (vg_ruler_layer_get_type ())
G_DECLARE_FINAL_TYPE (VgRulerLayer, vg_ruler_layer, VG, RULER_LAYER, GtkWidget)
/* Signal "changed" (): the line. */

/* The keys that VIEW gets draw the line while the layer is active: Enter, Ctrl and the arrows, and
 * Delete. */
GtkWidget *vg_ruler_layer_new (GtkWidget *view);
void vg_ruler_layer_set_active (VgRulerLayer *self, gboolean active);
/* Where the pixels of PLANE are and how large; NULL: there is no image. */
void vg_ruler_layer_set_plane (VgRulerLayer *self, const VgPlane *plane,
                               const VgViewTransform *transform);
/* The length of the line in pixels; 0: there is no line. */
double vg_ruler_layer_get_pixels (VgRulerLayer *self);
/* The ends of the line, px of the image; FALSE: there is no line. */
gboolean vg_ruler_layer_get_line (VgRulerLayer *self, double x[2], double y[2]);

G_END_DECLS
