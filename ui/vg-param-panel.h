/* SPDX-License-Identifier: MIT */
#pragma once
#include <gtk/gtk.h>
#include "vg-session.h"
/* The parameters of the session's operation, generated from its table: groups
 * with headings, rows that come and go with their conditions, the advanced
 * ones folded away, and a button that resets all. */
G_BEGIN_DECLS

#define VG_TYPE_PARAM_PANEL (vg_param_panel_get_type ())
G_DECLARE_FINAL_TYPE (VgParamPanel, vg_param_panel, VG, PARAM_PANEL, GtkWidget)

GtkWidget *vg_param_panel_new (VgSession *session);

G_END_DECLS
