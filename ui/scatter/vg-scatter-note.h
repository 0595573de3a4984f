/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/scatter/vg-scatter.h"
/* What is written below a scatter plot. */
G_BEGIN_DECLS

/* How many pixels, or OBJECTS, there are, and how many are inside the lasso, with their means;
 * owned. NAMES and UNITS ("": none) of the maps along x and y. */
char *vg_scatter_note (const VgScatter *scatter, gboolean objects, const char *const names[2],
                       const char *const units[2]);

G_END_DECLS
