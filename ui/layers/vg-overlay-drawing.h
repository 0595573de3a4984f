/* SPDX-License-Identifier: MIT */
#pragma once
#include <gtk/gtk.h>
#include "ui/layers/vg-axes-layer.h"
/* Parts of the axes layer: what lies over the picture. */
G_BEGIN_DECLS

/* Small text with a dark ground, so that it is legible on any colour map; its
 * middle left is at X, Y.  Returns its width. */
int vg_overlay_draw_text (GtkWidget *widget, GtkSnapshot *snapshot, const char *text, double x,
                          double y);
/* Size of such a text, its ground with it. */
void vg_overlay_text_size (GtkWidget *widget, const char *text, int *width, int *height);
/* VISIBLE: the part of the widget that the picture covers. */
void vg_overlay_draw (GtkWidget *widget, GtkSnapshot *snapshot, const VgAxes *axes,
                      const VgOverlay *overlay, const graphene_rect_t *visible);

G_END_DECLS
