/* SPDX-License-Identifier: MIT */
#pragma once
#include "ui/layers/vg-color-bar.h"
/* The colours of categories in place of a scale: a swatch, the name, and the share of the pixels.
 */
G_BEGIN_DECLS

/* The room that all rows of CONTENT need. */
void vg_color_legend_measure (GtkWidget *widget, const VgColorBarContent *content, int *width,
                              int *height);
/* Draws them from the left upper corner on. */
void vg_color_legend_draw (GtkWidget *widget, GtkSnapshot *snapshot,
                           const VgColorBarContent *content);
/* "Legend: Vessel 12 %, Tissue 80 %" for those who do not see it; owned by the caller. */
char *vg_color_legend_describe (const VgColorBarContent *content);

G_END_DECLS
