/* SPDX-License-Identifier: MIT */
#pragma once
#include <gtk/gtk.h>
#include "kernels/shared/vg-colormap.h"
#include "kernels/base/vg-statistics.h"
/* The distribution of the shown values, the colours they get below it, and
 * two handles that move the limits. */
G_BEGIN_DECLS

#define VG_TYPE_HISTOGRAM (vg_histogram_get_type ())
G_DECLARE_FINAL_TYPE (VgHistogram, vg_histogram, VG, HISTOGRAM, GtkWidget)
/* signals:
 *   "limits-changed" (double low, double high)   while a handle is dragged
 *   "limits-done" ()                             it was let go
 *   "limits-auto" ()                             double click: the limits become automatic
 */

GtkWidget *vg_histogram_new (void);
/* Copies all; COLORING's limits are where the handles are.  Bars of a log scale are of STATISTICS'
 * octaves, or if these were not counted of its equal bins. */
void vg_histogram_set (VgHistogram *self, const VgStatistics *statistics,
                       const VgColoring *coloring);

G_END_DECLS
