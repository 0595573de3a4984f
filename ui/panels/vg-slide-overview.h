/* SPDX-License-Identifier: MIT */
#pragma once
#include "ui/common/vg-bin.h"
#include "kernels/base/vg-image.h"
/* A whole slide in small, with the part that is worked on as a rectangle.
 * Another part is drawn with the mouse, a click brings the middle of the part
 * there, and arrow keys move it by half its size. */
G_BEGIN_DECLS

#define VG_TYPE_SLIDE_OVERVIEW (vg_slide_overview_get_type ())
G_DECLARE_FINAL_TYPE (VgSlideOverview, vg_slide_overview, VG, SLIDE_OVERVIEW, VgBin)
/* signal "chosen" (const char *region, int level)   the part in pixels of level 0, and a level at
 * which it can be worked on */

GtkWidget *vg_slide_overview_new (void);
/* The slide at PATH of which data of INFO are a part, at LEVEL.  It is read by
 * a thread; hidden when INFO is of no slide or NULL. */
void vg_slide_overview_set (VgSlideOverview *self, const char *path, const VgImageInfo *info,
                            int level);
/* What of it is visible elsewhere (x0, y0, x1, y1, pixels of level 0), as a thin frame; NULL:
 * nothing. */
void vg_slide_overview_set_shown (VgSlideOverview *self, const double shown[4]);

G_END_DECLS
