/* SPDX-License-Identifier: MIT */
#pragma once
#include <gtk/gtk.h>
#include "kernels/base/vg-plane.h"
#include "ui/layers/vg-region-shape.h"
#include "ui/layers/vg-view-transform.h"
/* Strokes of the pointer over the image, while the layer is active. */
G_BEGIN_DECLS

#define VG_TYPE_STROKE_LAYER (vg_stroke_layer_get_type ())
G_DECLARE_FINAL_TYPE (VgStrokeLayer, vg_stroke_layer, VG, STROKE_LAYER, GtkWidget)
/* signals:
 *   "stroke" ()         one was drawn
 *   "click" (double x, double y)   a press that did not move, px of the image
 *   "key" (guint key)   n, N, Return, Delete or Escape in the view */

/* The keys are those that VIEW gets. */
GtkWidget *vg_stroke_layer_new (GtkWidget *view);
void vg_stroke_layer_set_active (VgStrokeLayer *self, gboolean active);
/* Where the pixels of PLANE are; NULL: there is no image. */
void vg_stroke_layer_set_plane (VgStrokeLayer *self, const VgPlane *plane,
                                const VgViewTransform *transform);
/* The last stroke, px of the image. */
const VgPoint *vg_stroke_layer_get_line (VgStrokeLayer *self, guint *n);
/* It stays until this; the next one replaces it. */
void vg_stroke_layer_clear (VgStrokeLayer *self);

G_END_DECLS
