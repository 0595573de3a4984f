/* SPDX-License-Identifier: MIT */
#pragma once
#include "ui/common/vg-bin.h"
#include "app/pipeline/vg-pipeline.h"
#include "ui/pages/vg-plot-page.h"
#include "app/session/vg-session.h"
/* The page with each region's mean against time: which output, how much of
 * the past; presses of buttons, such as of a baseline, are marked. */
G_BEGIN_DECLS

#define VG_TYPE_TIME_PAGE (vg_time_page_get_type ())
G_DECLARE_FINAL_TYPE (VgTimePage, vg_time_page, VG, TIME_PAGE, VgBin)

GtkWidget *vg_time_page_new (VgSession *session);
VgPlotPage *vg_time_page_get_page (VgTimePage *self);
/* TIME_S: of the map that is shown. */
void vg_time_page_refresh (VgTimePage *self, VgPipeline *pipeline, double time_s);
/* FALSE: the operation follows nothing in time. */
gboolean vg_time_page_is_used (VgTimePage *self);

G_END_DECLS
