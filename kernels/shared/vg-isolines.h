/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* Isolines over a coloured picture, as the fragment shader draws them: for
 * preview.png and where there is no OpenGL. */
G_BEGIN_DECLS

typedef struct
{
  const double *levels;
  int n_levels;
  gboolean log_scale; /* fields are of logarithms */
  /* a sample is a ring about COLUMN and weighs as much: the innermost are the noisiest */
  gboolean rings;
  double column;
} VgIsolines;

/* The sample at column U and row V, whole numbers, which may lie outside; NaN: none. */
typedef float (*VgIsolinesSample) (gconstpointer data, double u, double v);

/* How far vg_isolines_smooth() reaches, in samples of ZOOM pixels, to smooth over
 * PIXELS; not more than MOST. */
double vg_isolines_reach (const VgIsolines *self, double zoom, double pixels, double most);

/* What lines follow at X, Y (the first sample's middle is 0.5): a cubic spline
 * over REACH samples to each side and as many again, so that noise draws no
 * clouds of lines.  NaN where less than half the weight is of samples. */
float vg_isolines_smooth (const VgIsolines *self, VgIsolinesSample sample, gconstpointer data,
                          double x, double y, double reach_x, double reach_y);

/* The same at every place (X[i], Y[j]), WIDTH x HEIGHT of them, of COLUMNS x ROWS samples; the
 * outermost hold on beyond the edges.  FALSE: no memory. */
gboolean vg_isolines_smooth_grid (const VgIsolines *self, const float *samples, int columns,
                                  int rows, const double *x, int width, const double *y, int height,
                                  double reach_x, double reach_y, float *field);

/* FIELD: vg_isolines_smooth() at the middles of WIDTH x HEIGHT pixels, NaN: none. */
void vg_isolines_draw (const VgIsolines *self, const float *field, int width, int height,
                       guint8 *rgba);

G_END_DECLS
