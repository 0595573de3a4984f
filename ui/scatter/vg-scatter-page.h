/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/pipeline/vg-pipeline.h"
#include "app/session/vg-session.h"
#include "ui/common/vg-bin.h"
#include "ui/layers/vg-tint-layer.h"
/* The page with the scatter plot of two maps.  Pixels inside the lasso are tinted in the image, and
 * pixels of the selected region are coloured in the plot. */
G_BEGIN_DECLS

#define VG_TYPE_SCATTER_PAGE (vg_scatter_page_get_type ())
G_DECLARE_FINAL_TYPE (VgScatterPage, vg_scatter_page, VG, SCATTER_PAGE, VgBin)
/* signal "message" (gboolean failed, const char *text)  for the banner */

GtkWidget *vg_scatter_page_new (VgSession *session);
/* The layer of the image that shows the tint; it replaces the one before. */
void vg_scatter_page_set_layer (VgScatterPage *self, VgTintLayer *layer);
/* Requests the maps of the newest result, the one with the number RESULT, if the page is in sight
 * and does not show them yet. */
void vg_scatter_page_refresh (VgScatterPage *self, VgPipeline *pipeline, guint result);

G_END_DECLS
