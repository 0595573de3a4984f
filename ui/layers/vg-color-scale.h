/* SPDX-License-Identifier: MIT */
#pragma once
#include "ui/common/vg-plot-axis.h"
#include "ui/layers/vg-color-bar.h"
/* How the scale of a colour bar is drawn.  Even in value (in decades on a log scale), so that gamma
 * shows as colours that crowd at one end. */
G_BEGIN_DECLS

enum {
  VG_COLOR_SCALE_WIDTH = 14,
  VG_COLOR_SCALE_GAP = 8,    /* between the colours and a number */
  VG_COLOR_SCALE_LABEL = 52, /* for a number, at least */
  VG_COLOR_SCALE_END = 10    /* half the height of the numbers at the ends, which are not drawn */
};

/* In the font of WIDGET: the room of UNIT, and the width of a number beside the colours. */
void vg_color_scale_measure_unit (GtkWidget *widget, const char *unit, int *width, int *height);
int vg_color_scale_measure_number (GtkWidget *widget);
/* The unit at the top of WIDGET, and the colours in BAR with ticks along AXIS.  RAMP keeps the
 * colours; the caller clears it when these change. */
void vg_color_scale_draw (GtkWidget *widget, GtkSnapshot *snapshot,
                          const VgColorBarContent *content, const VgPlotAxis *axis,
                          const graphene_rect_t *bar, GdkTexture **ramp);

G_END_DECLS
