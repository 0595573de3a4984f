/* SPDX-License-Identifier: MIT */
#pragma once
#include "ui/common/vg-bin.h"
#include "app/compute/vg-reference.h"
#include "app/session/vg-session.h"
#include "kernels/base/vg-metrics.h"
#include "ui/theatre/vg-key-number.h"
/* Numbers in rows of name and value, with their errors, below their warnings: those of a voxel or
 * a region beside its curve, or as a report all of an operation's.  A report has the map's number,
 * or else the key metric, in large digits, leads from a warning to the setting that it names, and
 * can be copied. */
G_BEGIN_DECLS

#define VG_TYPE_RESULTS_PANEL (vg_results_panel_get_type ())
G_DECLARE_FINAL_TYPE (VgResultsPanel, vg_results_panel, VG, RESULTS_PANEL, VgBin)

/* signal "go-to" (const VgParam *param)   to the setting that a warning names */

/* SESSION NULL: no report.  NAME: for people who do not see it. */
GtkWidget *vg_results_panel_new (VgSession *session, const char *name);
/* Sets the map's number, which the next vg_results_panel_set() shows; NULL: none. */
void vg_results_panel_set_number (VgResultsPanel *self, const VgKeyNumber *number);
/* Shows the numbers of KEPT, with which the present result is compared, beside the numbers that are
 * set next; NULL: nothing is compared. */
void vg_results_panel_set_kept (VgResultsPanel *self, VgReference *kept);
void vg_results_panel_set (VgResultsPanel *self, const VgMetrics *metrics); /* NULL: none */

G_END_DECLS
