/* SPDX-License-Identifier: MIT */
#pragma once
#include "ui/common/vg-bin.h"
#include "kernels/base/vg-metrics.h"
/* Numbers in rows of name and value, with their errors and advice: all of an
 * operation's, or those of a voxel or a region beside its curve. */
G_BEGIN_DECLS

#define VG_TYPE_RESULTS_PANEL (vg_results_panel_get_type ())
G_DECLARE_FINAL_TYPE (VgResultsPanel, vg_results_panel, VG, RESULTS_PANEL, VgBin)

GtkWidget *vg_results_panel_new (const char *name); /* for people who do not see it */
void vg_results_panel_set (VgResultsPanel *self, const VgMetrics *metrics); /* NULL: none */

G_END_DECLS
