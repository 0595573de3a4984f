/* SPDX-License-Identifier: MIT */
#pragma once
#include <gtk/gtk.h>
#include "ui/plot/vg-plot-scene.h"
/* A plot on the screen: cursor with read-out (pointer, or the arrow keys),
 * a box drawn with the pointer zooms, a double click shows all again, and the
 * baseline span is dragged by its edges or its middle. */
G_BEGIN_DECLS

#define VG_TYPE_PLOT_VIEW (vg_plot_view_get_type ())
G_DECLARE_FINAL_TYPE (VgPlotView, vg_plot_view, VG, PLOT_VIEW, GtkWidget)
/* signals:
 *   "baseline-changed" ()   the span was dragged
 *   "zoom-changed" () */

GtkWidget *vg_plot_view_new (const char *accessible_name, const char *empty_text);
/* Takes CURVES; COLORS one per series or NULL for the palette. */
void vg_plot_view_set_curves (VgPlotView *self, VgCurves *curves, const VgPlotColor *colors,
                              guint n_colors);
const VgCurves *vg_plot_view_get_curves (VgPlotView *self);
/* What the curves mark, where it is not they who know it; not what is being dragged.  NaN: none. */
/* What an empty plot says. */
void vg_plot_view_set_empty_text (VgPlotView *self, const char *text);
void vg_plot_view_set_span (VgPlotView *self, double from, double to);
gboolean vg_plot_view_get_baseline (VgPlotView *self, double *from, double *to);
/* The frame in view, from 1 (0: none), is marked in curves that are by frame. */
void vg_plot_view_set_frame (VgPlotView *self, int frame);
/* Marks the frame in view in other curves, by its X; NaN: none. */
void vg_plot_view_set_moment (VgPlotView *self, double x);
/* The curves' own title is shown, where it is another than the plot's name. */
void vg_plot_view_set_titled (VgPlotView *self, gboolean titled);
/* The x range that is shown. */
gboolean vg_plot_view_is_zoomed (VgPlotView *self);
void vg_plot_view_reset_zoom (VgPlotView *self);
/* What is drawn, for export. */
const VgPlotScene *vg_plot_view_get_scene (VgPlotView *self);

G_END_DECLS
