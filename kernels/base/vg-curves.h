/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
#include "kernels/base/vg-length.h"
#include "kernels/base/vg-metrics.h"
/* Curves to plot: the data and the fit behind a pixel, a depth profile, a
 * time course.  Filled by an engine, drawn by the plot widget, exported as
 * CSV.  Owns its arrays. */
G_BEGIN_DECLS

typedef enum { VG_SERIES_LINE, VG_SERIES_POINTS, VG_SERIES_BARS } VgSeriesStyle;

typedef struct
{
  char *name;
  VgSeriesStyle style;
  int n;
  double *x, *y;
  double *error;      /* half-width of an error bar, or NULL */
  int color;          /* its place among the colours, from 1; 0: that among the series */
  guint32 rgb;        /* or a colour of its own, 0xRRGGBB; 0: none */
  double divisor;     /* y is the value divided by this, to be seen beside lower curves; 0: 1 */
  gboolean below;     /* drawn in a strip of its own below the others, about 0: residuals */
  gboolean reference; /* of a result that was kept: drawn dashed, points pale */
} VgSeries;

/* A moment that is marked, by a button that was pressed. */
typedef struct
{
  double x;
  const char *label; /* static */
} VgCurveMark;

typedef struct
{
  char *title;
  char *x_label, *x_unit, *y_label, *y_unit;
  gboolean log_x, log_y;
  GPtrArray *series; /* of VgSeries */
  /* A span of x that is marked, NaN: none; and, to choose it by dragging, the
   * two INT parameters that are the first and last sample of the first series
   * in it, counted from 1, or the two FLOAT ones that are its ends (static), or NULL. */
  double span[2];
  const char *span_label, *span_params[2];
  /* Or the map (static) whose values are along x: the window marks the limits of its colours there,
   * to be dragged. */
  const char *span_output;
  GArray *marks; /* of VgCurveMark, in the order of x; NULL: none */
  /* the samples of the first series are the frames: that in view is marked */
  gboolean by_frame;
  /* Where they are, in x_unit, and what the two directions are called (static): told ahead of the
   * title by who knows the unit that lengths are shown in.  NaN: they are of no place. */
  double place[2];
  const char *place_names[2];
  /* What the operation's outputs are of all that the curves are of, taken together, in the order of
   * its table (NaN: none); or NULL.  Owned. */
  float *outputs;
  /* What is told of these in the title, behind whose they are; or NULL.  Owned. */
  char *found;
  /* Further figures of all that the curves are of, of how much they are; or NULL.  Owned. */
  VgMetrics *metrics;
} VgCurves;

VgCurves *vg_curves_new (const char *title, const char *x_label, const char *x_unit,
                         const char *y_label, const char *y_unit);
/* Adds a series of N points whose x and y are zeroed, for the caller to fill. */
VgSeries *vg_curves_add (VgCurves *self, const char *name, VgSeriesStyle style, int n);
/* Lengths along x, and the place, as LENGTH has them.  A span that is dragged stays in the
 * parameters' unit, and so does x then. */
void vg_curves_in_length (VgCurves *self, VgLength length);
/* After the marks there are. */
void vg_curves_mark (VgCurves *self, double x, const char *label);
char *vg_curves_to_csv (const VgCurves *self);
void vg_curves_free (VgCurves *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgCurves, vg_curves_free)

G_END_DECLS
