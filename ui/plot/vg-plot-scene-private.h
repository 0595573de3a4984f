/* SPDX-License-Identifier: MIT */
#pragma once
#include "ui/plot/vg-plot-scene.h"
/* What vg-plot-scene.c and vg-plot-frame.c share. */
G_BEGIN_DECLS

typedef struct
{
  cairo_t *cr;
  PangoLayout *layout;
  double grey; /* of text and frame */
  double line; /* height of a line of text, px */
  double foot; /* where the lowest frame ends */
} VgPlotPen;

void vg_plot_pen_set_grey (VgPlotPen *self, double alpha);
/* Width of TEXT, px. */
double vg_plot_pen_measure (VgPlotPen *self, const char *text);
/* ALIGN_X, ALIGN_Y: 0 the point is left/top of the text, 1 right/bottom.  Returns the width. */
double vg_plot_pen_draw (VgPlotPen *self, const char *text, double x, double y, double align_x,
                         double align_y);

const VgSeries *vg_plot_scene_get_series (const VgPlotScene *self, guint i);
guint vg_plot_scene_count (const VgPlotScene *self);
/* "Photons / 3": with the divisor of its values, owned. */
char *vg_plot_scene_name (const VgPlotScene *self, guint i);

/* Sets the margins that the texts around the data need; the ranges of the axes are known. */
void vg_plot_frame_measure (VgPlotScene *self, VgPlotPen *pen, int width, int height);
/* Grid, numbers, titles and legend. */
void vg_plot_frame_draw (VgPlotScene *self, VgPlotPen *pen, int width, int height);

G_END_DECLS
