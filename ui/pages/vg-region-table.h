/* SPDX-License-Identifier: MIT */
#pragma once
#include "ui/common/vg-bin.h"
#include "app/compute/vg-result.h"
#include "app/session/vg-session.h"
/* One row per region: colour, name (editable), the fit of its mean curve, and the statistics of the
 * shown map inside it. */
G_BEGIN_DECLS

#define VG_TYPE_REGION_TABLE (vg_region_table_get_type ())
G_DECLARE_FINAL_TYPE (VgRegionTable, vg_region_table, VG, REGION_TABLE, VgBin)

/* signal "message" (gboolean failed, const char *text)  for the banner */

GtkWidget *vg_region_table_new (VgSession *session);
/* CURRENT: the result's regions are the session's. */
void vg_region_table_set_result (VgRegionTable *self, const VgResult *result, gboolean current);
/* The output that the rows are of; -1: there are none. */
int vg_region_table_get_output (VgRegionTable *self);
/* The fits of the regions (VgRegionFitted, one for each), of OUTPUT; others are ignored. */
void vg_region_table_set_fitted (VgRegionTable *self, const GArray *fitted, int output);

/* A heading and a line for each region, with BETWEEN between the cells. */
char *vg_region_table_to_text (VgRegionTable *self, const char *between);

G_END_DECLS
