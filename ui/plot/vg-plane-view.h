/* SPDX-License-Identifier: MIT */
#pragma once
#include <gtk/gtk.h>
#include "ui/plot/vg-plane-scene.h"
/* The plane of a plot page with ellipses to draw and drag.  Wheel: zoom at the
 * pointer; dragging the ground: pan; double click: all of it, or an ellipse
 * there where there may be any.  Keys for the selected ellipse: arrows move
 * (with Shift a tenth as far), + and - scale, [ and ] turn, Delete removes. */
G_BEGIN_DECLS

#define VG_TYPE_PLANE_VIEW (vg_plane_view_get_type ())
G_DECLARE_FINAL_TYPE (VgPlaneView, vg_plane_view, VG, PLANE_VIEW, GtkWidget)
/* signals:
 *   "ellipses-changed" (gboolean done)   by hand; done: an undo step
 *   "selected" ()                        another ellipse, or none
 *   "zoom-changed" ()
 */

GtkWidget *vg_plane_view_new (const char *accessible_name, const char *empty_text);
/* Takes PICTURE (NULL: none); OUTPUT: what its plane is of. */
void vg_plane_view_set (VgPlaneView *self, VgPlotPlane *picture, const VgOutput *output,
                        const VgPlotColor *colors, guint n_colors);
/* MAX: as many as there may be; 0: none can be drawn. */
void vg_plane_view_set_ellipses (VgPlaneView *self, const VgEllipse *ellipses, guint n, guint max);
const VgEllipse *vg_plane_view_get_ellipses (VgPlaneView *self, guint *n);
gboolean vg_plane_view_is_dragging (VgPlaneView *self);
int vg_plane_view_get_selected (VgPlaneView *self); /* -1: none */
/* Where most samples are that no ellipse holds. */
void vg_plane_view_add (VgPlaneView *self);
void vg_plane_view_remove_selected (VgPlaneView *self);
gboolean vg_plane_view_is_zoomed (VgPlaneView *self);
void vg_plane_view_zoom_fit (VgPlaneView *self);
void vg_plane_view_zoom_data (VgPlaneView *self); /* to the counts */
const VgPlaneScene *vg_plane_view_get_scene (VgPlaneView *self);

G_END_DECLS
