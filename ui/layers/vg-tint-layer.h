/* SPDX-License-Identifier: MIT */
#pragma once
#include <gtk/gtk.h>
#include "kernels/base/vg-plane.h"
#include "ui/layers/vg-view-transform.h"
/* A tint over some pixels of the image, such as those inside a lasso in a plot. */
G_BEGIN_DECLS

#define VG_TYPE_TINT_LAYER (vg_tint_layer_get_type ())
G_DECLARE_FINAL_TYPE (VgTintLayer, vg_tint_layer, VG, TINT_LAYER, GtkWidget)

GtkWidget *vg_tint_layer_new (void);
/* TEXTURE covers all of the current slice, whatever its own size; NULL: there is no tint. */
void vg_tint_layer_set_texture (VgTintLayer *self, GdkTexture *texture);
/* Where the pixels of PLANE are; NULL: there is no image. */
void vg_tint_layer_set_plane (VgTintLayer *self, const VgPlane *plane,
                              const VgViewTransform *transform);

G_END_DECLS
