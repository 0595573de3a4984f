/* SPDX-License-Identifier: MIT */
#pragma once
#include <gtk/gtk.h>
#include "app/compute/vg-reference.h"
#include "app/session/vg-session.h"
#include "app/compute/vg-result.h"
#include "ui/theatre/vg-key-number.h"
/* The pane at the right: the pages Settings, Display and Results, and the work bar. */
G_BEGIN_DECLS

#define VG_TYPE_SIDE_PANE (vg_side_pane_get_type ())
G_DECLARE_FINAL_TYPE (VgSidePane, vg_side_pane, VG, SIDE_PANE, GtkBox)

GtkWidget *vg_side_pane_new (VgSession *session);
/* The VgReadOptionsPanel above the parameters. */
GtkWidget *vg_side_pane_get_read_options (VgSidePane *self);
/* The page Results; it is mapped while it is visible. */
GtkWidget *vg_side_pane_get_results (VgSidePane *self);
/* Puts WIDGET above all on the page Settings. */
void vg_side_pane_put_first (VgSidePane *self, GtkWidget *widget);
/* RESULT: the newest one with an image, for the page Display; NULL: none. */
void vg_side_pane_set_display (VgSidePane *self, VgResult *result);
/* Shows the numbers of KEPT (NULL: none) beside the numbers that are set next. */
void vg_side_pane_set_kept (VgSidePane *self, VgReference *kept);
/* Shows METRICS (NULL: none) on the page Results, with the map's NUMBER in large digits (NULL: the
 * operation's key metric). */
void vg_side_pane_set_metrics (VgSidePane *self, const VgMetrics *metrics,
                               const VgKeyNumber *number);
/* METRICS and INFO for the automatic values among the parameters; NULL: none. */
void vg_side_pane_set_figures (VgSidePane *self, const VgMetrics *metrics, const VgImageInfo *info);
/* The results are of settings that have changed since. */
void vg_side_pane_set_stale (VgSidePane *self, gboolean stale);
gboolean vg_side_pane_is_stale (VgSidePane *self);
/* Shows the page Settings and focuses PARAM's control. */
void vg_side_pane_go_to (VgSidePane *self, const VgParam *param);
/* Shows the page "settings", "display" or "results" and focuses it. */
void vg_side_pane_show_page (VgSidePane *self, const char *name);
/* The same for the page Results. */
void vg_side_pane_show_results (VgSidePane *self);

G_END_DECLS
