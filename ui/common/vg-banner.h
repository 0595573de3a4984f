/* SPDX-License-Identifier: MIT */
#pragma once
#include "ui/common/vg-bin.h"
/* One line over the picture that says what went wrong, or what the user
 * should know.  Never modal; closed by its button or by the next message. */
G_BEGIN_DECLS

typedef enum {
  VG_BANNER_NOTICE,  /* goes away by itself */
  VG_BANNER_WARNING, /* stays */
  VG_BANNER_ERROR,   /* stays, in the error colour */
} VgBannerKind;

#define VG_TYPE_BANNER (vg_banner_get_type ())
G_DECLARE_FINAL_TYPE (VgBanner, vg_banner, VG, BANNER, VgBin)
/* signals:
 *   "closed" ()   by its button
 *   "more"   ()   the button beside the line was pressed
 *   "second" ()   and so was the one beside that */

GtkWidget *vg_banner_new (void);
void vg_banner_show (VgBanner *self, VgBannerKind kind, const char *text);
void vg_banner_hide (VgBanner *self);
/* Hides TEXT, whose cause is gone; another message stays. */
void vg_banner_withdraw (VgBanner *self, const char *text);
gboolean vg_banner_is_shown (VgBanner *self);
/* A button beside the line, until another is shown; NULL: none. */
void vg_banner_set_more (VgBanner *self, const char *text);
/* and one more, for two ways to answer */
void vg_banner_set_second (VgBanner *self, const char *text);
/* The notice that is shown stays until it is closed. */
void vg_banner_stay (VgBanner *self);

G_END_DECLS
