/* SPDX-License-Identifier: MIT */
#pragma once
#include <gtk/gtk.h>
#include "kernels/shared/vg-colormap.h"
/* The colours between the limits, upright, with values at round numbers and
 * their unit. */
G_BEGIN_DECLS

#define VG_TYPE_COLOR_BAR (vg_color_bar_get_type ())
G_DECLARE_FINAL_TYPE (VgColorBar, vg_color_bar, VG, COLOR_BAR, GtkWidget)

GtkWidget *vg_color_bar_new (void);
/* LABELS > 0: the colours of the numbers 1 to LABELS, each with its number, or by NAMES (of the
 * numbers from 0 on, for good; or NULL); else all between the limits. UNIT may be ""; DIMMED_BY
 * says what the picture is dimmed by, or NULL. OPACITY: of the map over a picture; below 1 the bar
 * lies over black to white likewise. */
void vg_color_bar_set (VgColorBar *self, const VgColoring *coloring, int labels,
                       const char *const *names, const char *unit, const char *dimmed_by,
                       double opacity);

G_END_DECLS
