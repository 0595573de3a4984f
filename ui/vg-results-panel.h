/* SPDX-License-Identifier: MIT */
#pragma once
#include <gtk/gtk.h>
#include "vg-numbers.h"
/* All of an operation's numbers, with their advice; the status bar has room
 * for the first ones only. */
G_BEGIN_DECLS

#define VG_TYPE_RESULTS_PANEL (vg_results_panel_get_type ())
G_DECLARE_FINAL_TYPE (VgResultsPanel, vg_results_panel, VG, RESULTS_PANEL, GtkWidget)

GtkWidget *vg_results_panel_new (void);
void       vg_results_panel_set (VgResultsPanel *self, const VgNumbers *numbers);   /* NULL: none */

G_END_DECLS
