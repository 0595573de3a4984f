/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/profile/vg-kymograph.h"
#include "app/session/vg-session.h"
#include "ui/common/vg-bin.h"
/* The picture of a kymograph in the colours of its map: distance to the right, time downwards. */
G_BEGIN_DECLS

#define VG_TYPE_KYMOGRAPH_VIEW (vg_kymograph_view_get_type ())
/* signal "message" (gboolean failed, const char *text)  for the banner */
G_DECLARE_FINAL_TYPE (VgKymographView, vg_kymograph_view, VG, KYMOGRAPH_VIEW, VgBin)

GtkWidget *vg_kymograph_view_new (void);
/* Shows what KYMOGRAPH (NULL: nothing) has now, of OUTPUT as DISPLAY colours it. */
void vg_kymograph_view_show (VgKymographView *self, VgKymograph *kymograph, const VgOutput *output,
                             const VgDisplay *display);

G_END_DECLS
