/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* Software drawing of isolines, equal to the fragment shader, for preview.png and displays without
 * OpenGL. */
G_BEGIN_DECLS

typedef struct
{
  const double *levels;
  int n_levels;
  gboolean log_scale; /* levels and fields are logarithms */
  /* samples are rings about COLUMN, weighted by their area, because the inner ones are noisiest */
  gboolean rings;
  double column;
} VgIsolines;

/* Half-width, in samples of ZOOM pixels, for smoothing over PIXELS; at most MOST. */
double vg_isolines_reach (const VgIsolines *self, double zoom, double pixels, double most);

/* Smoothed values at each (X[i], Y[j]) for WIDTH x HEIGHT points of COLUMNS x ROWS samples, where
 * the first sample's centre is 0.5: a cubic spline over REACH samples to each side and as many
 * again, so that noise draws no clouds of lines.  Edge samples are repeated outside.  NaN if less
 * than half of the weight lies on valid samples.  FALSE: out of memory. */
gboolean vg_isolines_smooth_grid (const VgIsolines *self, const float *samples, int columns,
                                  int rows, const double *x, int width, const double *y, int height,
                                  double reach_x, double reach_y, float *field);

/* Draws the lines over RGBA.  FIELD: smoothed values at the centres of WIDTH x HEIGHT pixels; NaN:
 * none. */
void vg_isolines_draw (const VgIsolines *self, const float *field, int width, int height,
                       guint8 *rgba);

G_END_DECLS
