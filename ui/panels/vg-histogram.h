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
 *   "limits-auto" ()                             double click: the limits follow the data
 */

GtkWidget *vg_histogram_new (void);
/* Copies all; COLORING's limits are where the handles are.  On a log scale bars are of the N values
 * SAMPLED from all over the map: the statistics' bins are equal, so one of them may hold decades.
 */
void vg_histogram_set (VgHistogram *self, const VgStatistics *statistics,
                       const VgColoring *coloring, const float *sampled, int n);

G_END_DECLS
