/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* The pixel whose curve is shown until the user chooses one. */
G_BEGIN_DECLS

enum { VG_TYPICAL_PIXEL_SAMPLES = 1 << 16 };

/* The index of the median of those of the N VALUES that are finite, and are 1 in LABELS or, if
 * LABELS is NULL, are not dark in LIGHT (NULL: in VALUES); -1: there is none.  Pixels that are
 * dark, or whose fit failed or ended at a bound, are left out: if most are so, the median would be
 * one of them.  A map of more than VG_TYPICAL_PIXEL_SAMPLES such pixels is sampled at equal
 * distances, so that it does not hold up the main loop. */
int vg_typical_pixel_find (const float *values, const float *light, const float *labels, int n);

G_END_DECLS
