/* SPDX-License-Identifier: MIT */
#pragma once
#include "ui/common/vg-bin.h"
#include "app/session/vg-session.h"
#include "kernels/base/vg-metrics.h"
#include "kernels/base/vg-image.h"
/* The parameters of the session's operation, generated from its table: groups
 * with headings, rows that come and go with their conditions, the advanced
 * ones folded away, and a button that resets all. */
G_BEGIN_DECLS

#define VG_TYPE_PARAM_PANEL (vg_param_panel_get_type ())
G_DECLARE_FINAL_TYPE (VgParamPanel, vg_param_panel, VG, PARAM_PANEL, VgBin)

GtkWidget *vg_param_panel_new (VgSession *session);
/* Above them, to scroll with them. */
void vg_param_panel_put_first (VgParamPanel *self, GtkWidget *widget);
/* Of the result in view: what a measured parameter came to, the advice of a number that is called
 * as a parameter, and the input's pixel size; NULL: none. */
void vg_param_panel_set_figures (VgParamPanel *self, const VgMetrics *metrics,
                                 const VgImageInfo *info);

/* The focus goes to PARAM's control, and the panel to where that is. */
void vg_param_panel_go_to (VgParamPanel *self, const VgParam *param);

G_END_DECLS
