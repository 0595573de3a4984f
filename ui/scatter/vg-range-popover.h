/* SPDX-License-Identifier: MIT */
#pragma once
#include <gtk/gtk.h>
#include "kernels/base/vg-region.h"
/* A rectangle in a plot by four numbers, for the keyboard. */
G_BEGIN_DECLS

#define VG_TYPE_RANGE_POPOVER (vg_range_popover_get_type ())
G_DECLARE_FINAL_TYPE (VgRangePopover, vg_range_popover, VG, RANGE_POPOVER, GtkPopover)
/* signal "chosen" ()   vg_range_popover_get has a rectangle */

GtkWidget *vg_range_popover_new (void);
/* What the entries begin with: the ends of x and of y. */
void vg_range_popover_set (VgRangePopover *self, const double low[2], const double high[2]);
/* The rectangle as a polygon. */
VgRegion vg_range_popover_get (VgRangePopover *self);

G_END_DECLS
