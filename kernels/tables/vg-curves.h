/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
#include "kernels/base/vg-length.h"
#include "kernels/base/vg-metrics.h"
/* Curves of a plot, such as a decay with its fit, a depth profile or a time course.  An engine
 * fills them in; they are drawn, or exported as CSV. */
G_BEGIN_DECLS

typedef enum { VG_SERIES_LINE, VG_SERIES_POINTS, VG_SERIES_BARS } VgSeriesStyle;

typedef struct
{
  char *name;
  VgSeriesStyle style;
  int n;
  double *x, *y;
  double *error;      /* half-width of an error bar, or NULL */
  int color;          /* index of its colour, from 1; 0: the index of the series */
  guint32 rgb;        /* colour 0xRRGGBB in place of that; 0: none */
  double divisor;     /* y is the value divided by this, to fit beside lower curves; 0: 1 */
  gboolean below;     /* residuals: drawn in a strip below the other series */
  gboolean reference; /* of the reference result: drawn dashed, points pale */
} VgSeries;

/* A moment that was marked by the user, or in the file. */
typedef struct
{
  double x;
  const char *label; /* static or interned */
} VgCurveMark;

enum { VG_CURVES_MOST_MARKS = 256 };

typedef struct
{
  char *title;
  char *x_label, *x_unit, *y_label, *y_unit;
  gboolean log_x, log_y;
  GPtrArray *series; /* of VgSeries */
  /* Marked range of x; NaN: none.  It can be dragged if span_params (static) names its parameters:
   * two INT for the first and last sample of the first series, from 1, or two FLOAT: its ends. */
  double span[2];
  const char *span_label, *span_params[2];
  /* Map (static) whose values are along x: its colour limits are marked and can be dragged; or
   * NULL. */
  const char *span_output;
  GArray *marks; /* of VgCurveMark, ordered by x; NULL: none */
  /* the samples of the first series are frames: the displayed frame is marked */
  gboolean by_frame;
  /* Position of the curves' pixel in x_unit (NaN: none) and the names of the two axes (static);
   * shown before the title. */
  double place[2];
  const char *place_names[2];
  /* Values of the operation's outputs for the sum of the curves' pixels, in the order of its table
   * (NaN: none); owned, or NULL. */
  float *outputs;
  /* Text about these values after the title; owned, or NULL. */
  char *found;
  /* Further metrics of the curves; owned, or NULL. */
  VgMetrics *metrics;
} VgCurves;

VgCurves *vg_curves_new (const char *title, const char *x_label, const char *x_unit,
                         const char *y_label, const char *y_unit);
/* Adds a series of N points; its x and y are zero until the caller fills them in. */
VgSeries *vg_curves_add (VgCurves *self, const char *name, VgSeriesStyle style, int n);
/* The mean of the finite values with END - SPAN < x <= END, and in N (or NULL) how many there are;
 * NaN: none. */
double vg_series_get_mean (const VgSeries *self, double end, double span, int *n);
/* Converts lengths along x and the position to the unit LENGTH.  A range that can be dragged keeps
 * the unit of its parameters, and x with it. */
void vg_curves_in_length (VgCurves *self, VgLength length);
/* Adds a mark to MARKS (of VgCurveMark, ordered by x), unless it is there or X is not finite.  Only
 * the last VG_CURVES_MOST_MARKS stay.  TRUE: MARKS has taken LABEL, which it may have removed. */
gboolean vg_curve_marks_add (GArray *marks, double x, const char *label);
/* Adds a mark to the curves in the same way. */
void vg_curves_mark (VgCurves *self, double x, const char *label);
/* The texts of the MARKS (may be NULL) with FROM < x <= TO, joined by "; ", owned; NULL: none. */
char *vg_curve_marks_between (const GArray *marks, double from, double to);
/* A column of x, then one for each series with the same x, and at the end, if there are marks, the
 * column "Mark": the text of each mark is in the first row at or after it.  The rows are those of
 * the longest series.  Marks before the first row or after the last one are left out. */
char *vg_curves_to_csv (const VgCurves *self);
void vg_curves_free (VgCurves *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgCurves, vg_curves_free)

G_END_DECLS
