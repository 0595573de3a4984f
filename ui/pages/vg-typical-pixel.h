/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* The pixel whose curve is shown before the user has chosen one. */
G_BEGIN_DECLS

/* The index of the median of the N VALUES that have a value and light, and are 1 in LABELS; -1:
 * none is.  LIGHT NULL: the values themselves are the light, unless LABELS say which count.  Dark
 * pixels, and those whose fit failed or ended at a bound, are left out first: where most are so,
 * the median of all would be one of them. */
int vg_typical_pixel_find (const float *values, const float *light, const float *labels, int n);

G_END_DECLS
