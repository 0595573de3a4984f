/* SPDX-License-Identifier: MIT */
#pragma once
#include "ui/common/vg-bin.h"
#include "app/session/vg-session.h"
/* Over a plot that is wrong: why, and buttons that lead to the settings which mend it. */
G_BEGIN_DECLS

#define VG_TYPE_PAGE_CAUTION (vg_page_caution_get_type ())
G_DECLARE_FINAL_TYPE (VgPageCaution, vg_page_caution, VG, PAGE_CAUTION, VgBin)
/* signal "setting" (const char *name)   a button was pressed */

GtkWidget *vg_page_caution_new (VgSession *session);
/* TEXT that names settings of the session's operation; NULL: nothing is wrong. */
void vg_page_caution_set (VgPageCaution *self, const char *text);

G_END_DECLS
