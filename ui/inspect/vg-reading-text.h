/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/reading/vg-reading.h"
/* The numbers of a pixel or a region in words, for the card. */
G_BEGIN_DECLS

/* FALSE: nothing but words is known, such as that a voxel is outside. */
gboolean vg_reading_has_numbers (const VgReading *reading);
/* "2.31 ± 0.04 ns (kept 2.18)", owned.  KEPT: of the result that this one is compared with; NaN:
 * none. */
char *vg_reading_text_item (const VgReading *reading, const VgReadingItem *item, double kept,
                            double kept_error);
/* The place (x, y) of OUTPUT's PLANE, px: "r 0.25, z 0.1 cm", owned; NULL: the pixel says it. */
char *vg_reading_text_place (const VgOutput *output, const VgPlane *plane, double x, double y,
                             int length_unit);
/* Width and height of REGION of PLANE in the VgLength LENGTH_UNIT, or in pixels; owned. */
char *vg_reading_text_size (const VgRegion *region, const VgPlane *plane, int length_unit);
/* What the values of a region, in a VOLUME or in an image, are, and what the KEPT ones are called
 * (NULL: there are none); owned.  NULL: nothing is to be said. */
char *vg_reading_text_note (const VgReading *reading, gboolean volume, const char *kept);

G_END_DECLS
