/* SPDX-License-Identifier: MIT */
#pragma once
#include "ui/common/vg-bin.h"
#include "ui/plot/vg-plot-view.h"
/* A plot with its buttons: copy the numbers, save numbers or picture, show
 * all.  What the maps are of all that the curves are of stands beside them. */
G_BEGIN_DECLS

#define VG_TYPE_PLOT_PAGE (vg_plot_page_get_type ())
G_DECLARE_FINAL_TYPE (VgPlotPage, vg_plot_page, VG, PLOT_PAGE, VgBin)
/* signal "message" (gboolean failed, const char *text)  for the banner */

/* TITLED: with the curves' own title. */
GtkWidget *vg_plot_page_new (const char *name, const char *empty_text, gboolean titled);
VgPlotView *vg_plot_page_get_plot (VgPlotPage *self);
/* CURVES (taken; NULL: none) with their numbers beside them. */
void vg_plot_page_set_curves (VgPlotPage *self, VgCurves *curves);
/* A widget over the plot. */
void vg_plot_page_add_head (VgPlotPage *self, GtkWidget *widget);
/* A line over the plot; NULL: none. */
void vg_plot_page_set_note (VgPlotPage *self, const char *text);
/* Adds a choice beside the plot. */
void vg_plot_page_add (VgPlotPage *self, GtkWidget *widget);

G_END_DECLS
