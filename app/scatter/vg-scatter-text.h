/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/scatter/vg-scatter.h"
/* The statistics of a scatter plot as a table: number of samples, means, standard deviations and
 * correlation of all samples, and of those inside the lasso. */
G_BEGIN_DECLS

/* CSV, owned.  NAMES and UNITS ("": none) of the maps along x and y. */
char *vg_scatter_to_csv (const VgScatter *self, const char *const names[2],
                         const char *const units[2]);

G_END_DECLS
