/* SPDX-License-Identifier: MIT */
#pragma once
#include "ui/picture/vg-image-view.h"
#include "ui/plot/vg-plane-scene.h"
/* The layer of a plot page over the image of its plane: guides, pixels, and ellipses to draw and
 * drag.  A double click draws an ellipse, or fits the view if there may be none.  Keys for the
 * selected ellipse: arrows move it (with Shift a tenth as far), + and - scale, [ and ] turn, Delete
 * removes it. */
G_BEGIN_DECLS

#define VG_TYPE_PLANE_LAYER (vg_plane_layer_get_type ())
G_DECLARE_FINAL_TYPE (VgPlaneLayer, vg_plane_layer, VG, PLANE_LAYER, GtkWidget)
/* signals:
 *   "ellipses-changed" (gboolean done)   the user changed them; DONE: this ends an undo step
 *   "selected" ()                        another ellipse is selected, or none */

/* A layer of VIEW, which owns it. */
GtkWidget *vg_plane_layer_new (VgImageView *view);
/* PLOT is owned by the layer from now on; NULL: there is none.  COLORS: of the regions. */
void vg_plane_layer_set (VgPlaneLayer *self, VgPlotPlane *plot, const VgPlotColor *colors,
                         guint n_colors);
/* MAX: the largest number of ellipses; 0: none can be drawn. */
void vg_plane_layer_set_ellipses (VgPlaneLayer *self, const VgEllipse *ellipses, guint n,
                                  guint max);
const VgEllipse *vg_plane_layer_get_ellipses (VgPlaneLayer *self, guint *n);
gboolean vg_plane_layer_is_dragging (VgPlaneLayer *self);
/* Index of the selected ellipse; -1: none. */
int vg_plane_layer_get_selected (VgPlaneLayer *self);
/* Adds an ellipse where most samples are that no ellipse holds. */
void vg_plane_layer_add (VgPlaneLayer *self);
void vg_plane_layer_remove_selected (VgPlaneLayer *self);
/* Zooms to most samples. */
void vg_plane_layer_zoom_data (VgPlaneLayer *self);
/* Shows the guides and most samples. */
void vg_plane_layer_zoom_all (VgPlaneLayer *self);
/* The fraction of the samples that a fit does not show. */
double vg_plane_layer_get_outside (VgPlaneLayer *self);
/* The view with this layer, without selection and pointer; NULL: it has no size yet. */
GskRenderNode *vg_plane_layer_render (VgPlaneLayer *self);

G_END_DECLS
