/* SPDX-License-Identifier: MIT */
#pragma once
#include <gtk/gtk.h>
/* A bar of round length over the picture. */
G_BEGIN_DECLS

#define VG_TYPE_SCALE_BAR (vg_scale_bar_get_type ())
G_DECLARE_FINAL_TYPE (VgScaleBar, vg_scale_bar, VG, SCALE_BAR, GtkWidget)

GtkWidget *vg_scale_bar_new (void);
/* Widget pixels per UNIT; 0: nothing to show. */
void vg_scale_bar_set (VgScaleBar *self, double pixels_per_unit, const char *unit);

G_END_DECLS
