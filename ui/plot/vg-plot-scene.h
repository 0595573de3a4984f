/* SPDX-License-Identifier: MIT */
#pragma once
#include <pango/pangocairo.h>
#include "ui/plot/vg-plot-layer.h"
/* Everything that makes one picture of a plot, apart from any widget: the
 * same drawing goes to the screen and to PNG, SVG and PDF files. */
G_BEGIN_DECLS

/* Bins of a two-dimensional histogram, drawn below the series. */
typedef struct
{
  double low[2], high[2]; /* their edges along x and y */
  cairo_surface_t *image; /* one pixel for each, from the highest y down; NULL: none */
} VgPlotDensity;

typedef struct
{
  const VgCurves *curves;       /* NULL: an empty frame */
  const VgPlotDensity *density; /* NULL: none */
  const VgPlotColor *colors;    /* one per series, or NULL: the palette */
  guint n_colors;
  VgPlotAxis x, y;
  gboolean zoomed;    /* x and y were chosen; else they follow the data */
  double cursor;      /* x value, NaN: none */
  double frame;       /* x value of the frame in view, NaN: none */
  double baseline[2]; /* x span that the curves mark; NaN: none */
  gboolean dark;
  gboolean titled;  /* the title of the curves is shown, because the user chose their data */
  gboolean crowded; /* when it was drawn, the title had no room beside the data */
  /* of the texts; NULL: a small one without serifs */
  const PangoFontDescription *font;
  /* margins about the frame, as the texts need them; known once it was drawn */
  double left, right, top, bottom;
  const char *empty_text; /* shown when there is nothing to draw */
} VgPlotScene;

typedef struct
{
  double x, y, width, height;
} VgPlotBox;

void vg_plot_scene_init (VgPlotScene *self);
/* Lays out the axes for a picture of that size and draws it. */
void vg_plot_scene_draw (VgPlotScene *self, cairo_t *cr, int width, int height);
/* The frame in view is at X, which is marked unless it is the end of the curves. */
void vg_plot_scene_set_moment (VgPlotScene *self, double x);
/* TRUE: there are series below the others, such as residuals. */
gboolean vg_plot_scene_has_strip (const VgPlotScene *self);
/* Where the data are drawn. */
VgPlotBox vg_plot_scene_get_box (const VgPlotScene *self, int width, int height);
VgPlotColor vg_plot_scene_get_color (const VgPlotScene *self, guint series);
/* Where an end of the span is drawn; limits of colours that lie outside stand at the edge, to be
 * got hold of. */
double vg_plot_scene_get_end (const VgPlotScene *self, int i);
/* "Region 1: 0.0886", newly allocated: a series at the cursor. */
char *vg_plot_scene_read (const VgPlotScene *self, guint series);

G_END_DECLS
