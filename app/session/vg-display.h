/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/shared/vg-colormap.h"
#include "kernels/base/vg-placement.h"
#include "app/session/vg-session.h"
#include "kernels/base/vg-statistics.h"
/* From how an output is looked at (and, for automatic limits, what is in it)
 * to the colouring in force; the window's picture, colour bar and histogram
 * and preview.png agree because all ask here. */
G_BEGIN_DECLS

/* OUTPUT says about what centre a diverging map is symmetric; NULL: none.
 * Without a valid sample automatic limits are 0 and 1.  Labels have the
 * limits of their table, or all their numbers, whatever SELF says. */
void vg_display_get_coloring (const VgDisplay *self, const VgOutput *output,
                              const VgStatistics *statistics, VgColoring *coloring);

/* What a colour bar says of a map: 0: a scale between the limits; N > 0: the colours of the labels
 * 1 to N, each with its number; none, for numbers of objects, of more things than there are
 * categories, or of nothing. */
enum { VG_DISPLAY_NO_BAR = -1, VG_DISPLAY_LABELS = 15 };
int vg_display_get_bar (const VgOutput *output, const VgColoring *coloring,
                        const VgStatistics *statistics);

/* All slices of a volume as one tall picture: limits and histogram are of the
 * whole, and stay while slices are paged through. */
VgPlane vg_display_get_volume (const VgPlane *plane);

/* From black to full for a map that is dimmed by one with STATISTICS: from 0,
 * or from its 1st percentile when it is below 0, to the 99th.  Equal when
 * there is nothing to go by, and then nothing is dimmed. */
void vg_display_get_brightness (const VgStatistics *statistics, double limits[2]);

/* Values at which lines are drawn: those typed in, and on a log scale with
 * decades set each power of ten between the limits (each second, third...
 * one when there are more than fit).  Ascending; returns how many. */
enum { VG_DISPLAY_LEVELS = 2 * VG_DISPLAY_ISOLINES };
int vg_display_get_levels (const VgDisplay *self, const VgColoring *coloring,
                           double levels[VG_DISPLAY_LEVELS]);

/* The value down from which lines would follow noise: where the mean of ERROR, in % of PLANE's
 * values at the same samples, is above 30, or not known.  Both in host memory.  0: nowhere;
 * infinity: everywhere. */
double vg_display_get_noise (const VgPlane *plane, const VgPlane *error);
/* Of N LEVELS those that were typed in and those not below NOISE; returns how many. */
int vg_display_drop_noise (const VgDisplay *self, double noise, double *levels, int n);

/* The typed ones as text: numbers with blanks or semicolons between, a comma
 * being a decimal one; "" is none.  An error leaves SELF as it is. */
gboolean vg_display_parse_isolines (VgDisplay *self, const char *text, GError **error);
char *vg_display_format_isolines (const VgDisplay *self);
/* Ascending, finite, none twice. */
void vg_display_sort_isolines (VgDisplay *self);

/* How PLANE, computed from what INFO (NULL: nothing) says, lies in the body, and what of it is
 * turned on the screen: nothing where the operation draws over its maps, which it does in the
 * file's order.  FALSE: it is of no file that has a place for it. */
gboolean vg_display_get_orientation (const VgOperation *operation, const VgImageInfo *info,
                                     const VgPlane *plane, VgOrientation *orientation);

G_END_DECLS
