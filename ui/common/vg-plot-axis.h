/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* One axis of a plot: values to pixels and back, and where the ticks go. */
G_BEGIN_DECLS

typedef struct
{
  double min, max; /* min < max; positive when log_scale */
  gboolean log_scale;
  double start, end; /* pixels of min and max; end < start for an upward axis */
  gboolean whole;    /* its values are whole numbers: no ticks between them */
} VgPlotAxis;

typedef struct
{
  double value;
  char label[24];
} VgPlotTick;

enum { VG_PLOT_MAX_TICKS = 24, VG_PLOT_MAX_MINOR = 8 * 13 };

/* Takes a range in which every value is visible, also when it is empty, a
 * single value or (for a logarithm) not positive. */
void vg_plot_axis_fit (VgPlotAxis *self, double min, double max, gboolean log_scale, gboolean pad);
double vg_plot_axis_to_pixel (const VgPlotAxis *self, double value); /* NaN: not on a log axis */
double vg_plot_axis_to_value (const VgPlotAxis *self, double pixel);
/* About WANTED and at most VG_PLOT_MAX_TICKS ticks at round values. */
guint vg_plot_axis_ticks (const VgPlotAxis *self, int wanted, VgPlotTick *ticks);
/* Values between the decades of a log axis, 2 to 9 times each, for short ticks
 * without figures; 0 on another axis or when there are too many decades. */
guint vg_plot_axis_minor_ticks (const VgPlotAxis *self, double values[VG_PLOT_MAX_MINOR]);

/* "Intensity (DN)"; owned by the caller. */
char *vg_plot_axis_title (const char *name, const char *unit);

G_END_DECLS
