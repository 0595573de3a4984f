/* SPDX-License-Identifier: MIT */
#pragma once
#include <cairo.h>
#include "kernels/tables/vg-curves.h"
#include "ui/common/vg-plot-axis.h"
/* Draws one series into a plot: a line with a light band for its error, points or bars
 * with error bars. */
G_BEGIN_DECLS

typedef struct
{
  double red, green, blue;
} VgPlotColor;

void vg_plot_layer_draw (const VgSeries *series, const VgPlotAxis *x, const VgPlotAxis *y,
                         VgPlotColor color, cairo_t *cr);
/* From bar I to the next on the x axis, in the values of that axis. */
double vg_plot_layer_bar_pitch (const VgSeries *series, int i);
/* Index of the sample nearest to X; -1: that has no value, or X lies beyond either end by more than
 * the distance of the last two samples. */
int vg_plot_layer_nearest (const VgSeries *series, double x);

G_END_DECLS
