/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/shared/vg-colormap.h"
#include "kernels/base/vg-placement.h"
#include "app/session/vg-session.h"
#include "kernels/base/vg-statistics.h"
/* From the display state of an output, and for automatic limits its statistics, to its colours.
 * Image, colour bar, histogram and preview.png agree because all of them call these functions. */
G_BEGIN_DECLS

/* Sets COLORING.  OUTPUT gives the centre of a diverging map; NULL: none.  Without a valid sample
 * automatic limits are 0 and 1.  A label image has the limits of its table, else 0 to
 * VG_DISPLAY_LABELS with the colour map "categories", else those of all its numbers, whatever
 * limits SELF has. */
void vg_display_get_coloring (const VgDisplay *self, const VgOutput *output,
                              const VgStatistics *statistics, VgColoring *coloring);

/* What the colour bar of a map shows: 0: a scale between the limits; N > 0: the colours of the
 * labels 1 to N; VG_DISPLAY_NO_BAR: nothing, for an instance map, for more labels than there are
 * colours, or for none. */
enum { VG_DISPLAY_NO_BAR = -1, VG_DISPLAY_LABELS = 15 };
int vg_display_get_bar (const VgOutput *output, const VgColoring *coloring,
                        const VgStatistics *statistics);

/* Shares, 0 to 1, of the pixels with each of the labels 0 to VG_DISPLAY_LABELS, from STATISTICS of
 * an image that has no others. */
void vg_display_get_shares (const VgStatistics *statistics, double shares[VG_DISPLAY_LABELS + 1]);

/* Black and white level of the grey input; FALSE: they are automatic. */
gboolean vg_display_get_window (const VgDisplay *self, double limits[2]);

/* All slices of a volume as one tall plane: limits and histogram are those of the volume, whichever
 * slice is shown. */
VgPlane vg_display_get_volume (const VgPlane *plane);

/* The values of a brightness output at which a map is black and at full brightness: 0, or the 1st
 * percentile if there are negative values, and the 99th percentile.  Both are 0, and nothing is
 * dimmed, without a valid sample. */
void vg_display_get_brightness (const VgStatistics *statistics, double limits[2]);

/* The values of the isolines, ascending; returns their number.  On a log scale with `decades` each
 * power of ten between the limits is added, or each second, third ... if there are too many. */
enum { VG_DISPLAY_LEVELS = 2 * VG_DISPLAY_ISOLINES };
int vg_display_get_levels (const VgDisplay *self, const VgColoring *coloring,
                           double levels[VG_DISPLAY_LEVELS]);

/* The value below which isolines would follow noise: there the mean of ERROR, in % of the samples
 * of PLANE, is above 30 or unknown.  Both are in host memory.  0: nowhere; infinity: everywhere. */
double vg_display_get_noise (const VgPlane *plane, const VgPlane *error);
/* Keeps of N LEVELS those that the user entered and those from NOISE on; returns their number. */
int vg_display_drop_noise (const VgDisplay *self, double noise, double *levels, int n);

/* The isolines that the user entered, from and to text: numbers between spaces, semicolons, or
 * commas before a space; another comma is a decimal comma.  An error leaves SELF as it is. */
gboolean vg_display_parse_isolines (VgDisplay *self, const char *text, GError **error);
char *vg_display_format_isolines (const VgDisplay *self);
/* Sorts these isolines and removes those that are not finite or occur twice. */
void vg_display_sort_isolines (VgDisplay *self);

/* The orientation of PLANE in the patient, and how it is turned on the screen, from the placement
 * in INFO (or NULL).  It is not turned if the operation draws over its maps, because overlays are
 * in the file's order.  FALSE: the file has no placement for this plane. */
gboolean vg_display_get_orientation (const VgOperation *operation, const VgImageInfo *info,
                                     const VgPlane *plane, VgOrientation *orientation);

G_END_DECLS
