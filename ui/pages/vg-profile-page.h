/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/pipeline/vg-pipeline.h"
#include "app/session/vg-session.h"
#include "ui/common/vg-bin.h"
#include "ui/ruler/vg-ruler-layer.h"
/* The page with the values of the shown map along the ruler's line. */
G_BEGIN_DECLS

#define VG_TYPE_PROFILE_PAGE (vg_profile_page_get_type ())
G_DECLARE_FINAL_TYPE (VgProfilePage, vg_profile_page, VG, PROFILE_PAGE, VgBin)
/* signal "message" (gboolean failed, const char *text)  for the banner */

GtkWidget *vg_profile_page_new (VgSession *session);
/* The ruler of the image; it replaces the one before. */
void vg_profile_page_set_ruler (VgProfilePage *self, VgRulerLayer *ruler);
/* Requests the values in the newest result, the one with the number RESULT, if the page is in sight
 * and does not show them yet. */
void vg_profile_page_refresh (VgProfilePage *self, VgPipeline *pipeline, guint result);

G_END_DECLS
