/* SPDX-License-Identifier: MIT */
#pragma once
#include "vg-colormap.h"
#include "vg-session.h"
#include "vg-statistics.h"
/* From how an output is looked at (and, for automatic limits, what is in it)
 * to the colouring in force; the window's picture, colour bar and histogram
 * and preview.png agree because all ask here. */
G_BEGIN_DECLS

/* OUTPUT says about what centre a diverging map is symmetric; NULL: none.
 * Without a valid sample automatic limits are 0 and 1. */
void vg_display_get_coloring (const VgDisplay *self, const VgOutput *output, const VgStatistics *statistics, VgColoring *coloring);

G_END_DECLS
