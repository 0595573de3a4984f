/* SPDX-License-Identifier: MIT */
#pragma once
#include <gtk/gtk.h>
#include "app/annotation/vg-annotation.h"
#include "app/session/vg-session.h"
#include "ui/layers/vg-view-transform.h"
/* The session's arrows and texts over the image.  While it is active a drag draws an arrow, a click
 * sets a text, and both select, move and edit what is there. */
G_BEGIN_DECLS

#define VG_TYPE_ANNOTATION_LAYER (vg_annotation_layer_get_type ())
G_DECLARE_FINAL_TYPE (VgAnnotationLayer, vg_annotation_layer, VG, ANNOTATION_LAYER, GtkWidget)

/* The keys that VIEW gets add, move, edit and remove annotations while the layer is active. */
GtkWidget *vg_annotation_layer_new (VgSession *session, GtkWidget *view);
/* KIND is what is added. */
void vg_annotation_layer_set_active (VgAnnotationLayer *self, gboolean active,
                                     VgAnnotationKind kind);
/* Where the pixels of PLANE are; NULL: there is no image.  SLICE is shown. */
void vg_annotation_layer_set_plane (VgAnnotationLayer *self, const VgPlane *plane,
                                    const VgViewTransform *transform, int slice);

G_END_DECLS
