/* SPDX-License-Identifier: MIT */
#pragma once
#include "ui/common/vg-bin.h"
#include "app/pipeline/vg-pipeline.h"
#include "app/session/vg-session.h"
/* Beside the picture: regions against time, the regions' statistics, the
 * curves behind a chosen pixel, and the operation's own plots. */
G_BEGIN_DECLS

#define VG_TYPE_CHARTS (vg_charts_get_type ())
G_DECLARE_FINAL_TYPE (VgCharts, vg_charts, VG, CHARTS, VgBin)
/* signal "message" (gboolean failed, const char *text)   for the banner
 *        "setting" (const char *name)   leads to a setting that mends a plot */

GtkWidget *vg_charts_new (VgSession *session);
void vg_charts_set_pipeline (VgCharts *self, VgPipeline *pipeline);
/* The statistics of a new result; CURRENT as in VgRegionTable. */
void vg_charts_set_result (VgCharts *self, VgResult *result, gboolean current);
/* Of what has opened; NULL: without frames or data.  A single frame has no course in time. */
void vg_charts_set_info (VgCharts *self, const VgImageInfo *info);
/* Asks for new curves for the pages that are seen; a few times a second. */
void vg_charts_refresh (VgCharts *self);
/* Shows the curves behind it, unless the objects are looked at. */
void vg_charts_choose_pixel (VgCharts *self, double x, double y);
/* Whether the page ID, one of vg_session_pages or the id of a plot, is there with these data, and
 * bringing it in sight. */
gboolean vg_charts_has_page (VgCharts *self, const char *id);
void vg_charts_show_page (VgCharts *self, const char *id);
/* A VgObjectTable, shown where the operation lists objects. */
GtkWidget *vg_charts_get_objects (VgCharts *self);
/* A VgScatterPage. */
GtkWidget *vg_charts_get_scatter (VgCharts *self);
/* A VgProfilePage. */
GtkWidget *vg_charts_get_profile (VgCharts *self);

G_END_DECLS
