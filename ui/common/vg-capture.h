/* SPDX-License-Identifier: MIT */
#pragma once
#include <gtk/gtk.h>
/* Images of widgets. */
G_BEGIN_DECLS

/* PARTS, which end with NULL, as they are seen in WIDGET on the colour GROUND, in device pixels.
 * What is hidden is left out.  NULL and an error: WIDGET is not on the screen. */
GdkTexture *vg_widgets_capture (GtkWidget *widget, GtkWidget *const *parts, const GdkRGBA *ground,
                                GError **error);

G_END_DECLS
