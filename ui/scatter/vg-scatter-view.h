/* SPDX-License-Identifier: MIT */
#pragma once
#include <gtk/gtk.h>
#include "ui/plot/vg-plot-scene.h"
#include "ui/scatter/vg-scatter-drawing.h"
/* The scatter plot on the screen, and the lasso that is drawn in it by a drag.  Delete or a click
 * removes the lasso. */
G_BEGIN_DECLS

#define VG_TYPE_SCATTER_VIEW (vg_scatter_view_get_type ())
G_DECLARE_FINAL_TYPE (VgScatterView, vg_scatter_view, VG, SCATTER_VIEW, GtkWidget)
/* signal "lasso-changed" () */

GtkWidget *vg_scatter_view_new (void);
/* DRAWING is borrowed until the next call; NULL: the plot says EMPTY.  CURVES, taken, have no
 * series but the names of the axes. */
void vg_scatter_view_set (VgScatterView *self, const VgScatterDrawing *drawing, VgCurves *curves);
void vg_scatter_view_set_empty_text (VgScatterView *self, const char *text);
/* In the units of the axes; of kind NONE: there is none. */
const VgRegion *vg_scatter_view_get_lasso (VgScatterView *self);
/* LASSO NULL: none. */
void vg_scatter_view_set_lasso (VgScatterView *self, const VgRegion *lasso);
/* Saves the plot on white as .png, .svg or .pdf. */
gboolean vg_scatter_view_save (VgScatterView *self, const char *path, GError **error);

G_END_DECLS
