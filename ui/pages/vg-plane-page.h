/* SPDX-License-Identifier: MIT */
#pragma once
#include "ui/common/vg-bin.h"
#include "ui/plot/vg-plane-layer.h"
#include "app/session/vg-session.h"
#include "ui/pages/vg-page-caution.h"
/* A plot page over a plane (VgPlot.plane) with its buttons.  Its ellipses are
 * those of the session's table; drawing the first shows the output that
 * colours pixels by them. */
G_BEGIN_DECLS

#define VG_TYPE_PLANE_PAGE (vg_plane_page_get_type ())
G_DECLARE_FINAL_TYPE (VgPlanePage, vg_plane_page, VG, PLANE_PAGE, VgBin)
/* signal "message" (gboolean failed, const char *text)  for the banner */

/* PLOT: of the session's present operation. */
GtkWidget *vg_plane_page_new (VgSession *session, guint plot);
/* PLOT is owned by the page from now on; NULL: there is none with these settings. */
void vg_plane_page_set (VgPlanePage *self, VgPlotPlane *plot);

VgPageCaution *vg_plane_page_get_caution (VgPlanePage *self);

G_END_DECLS
