/* SPDX-License-Identifier: MIT */
#pragma once
#include "ui/common/vg-bin.h"
#include "app/session/vg-session.h"
#include "kernels/base/vg-metrics.h"
/* Over a plot that is wrong: why, and buttons that set what mends it, or lead to it. */
G_BEGIN_DECLS

#define VG_TYPE_PAGE_CAUTION (vg_page_caution_get_type ())
G_DECLARE_FINAL_TYPE (VgPageCaution, vg_page_caution, VG, PAGE_CAUTION, VgBin)
/* signal "setting" (const char *name)   the user wants to see to it */

GtkWidget *vg_page_caution_new (VgSession *session);
/* METRIC of the session's operation with advice; NULL, or one without: nothing is wrong. */
void vg_page_caution_set (VgPageCaution *self, const VgMetric *metric);

G_END_DECLS
