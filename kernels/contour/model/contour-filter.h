/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* Small image operations on float planes and masks (0 and 1) of WIDTH x HEIGHT, row by row.  FALSE
 * or NULL, and planes that are of no use: there was no memory. */
G_BEGIN_DECLS

/* In place, the edge continued; SIGMA 0: nothing. */
gboolean vg_contour_gaussian (float *plane, int width, int height, double sigma);
/* The value below which the share Q of N samples lies; to 1/65536 of the range. */
float vg_contour_percentile (const float *samples, gsize n, double q);
/* Otsu's threshold (IEEE Trans. SMC 9, 62, 1979) from 256 bins. */
float vg_contour_otsu (const float *samples, gsize n);
/* Distance of every set pixel to the nearest unset one (Felzenszwalb and
 * Huttenlocher, Theory of Computing 8, 415, 2012); the image's edge is no border. */
gboolean vg_contour_distance (const guint8 *mask, float *distance, int width, int height);
/* The next pixels of VALUE in a row from *END on: *START to *END - 1; FALSE: none. */
gboolean vg_contour_next_run (const guint8 *row, int width, guint8 value, int *start, int *end);
/* Sets unset areas that do not touch the image's edge and are smaller than
 * HOLE pixels, then unsets areas smaller than SPECK pixels. */
gboolean vg_contour_clean (guint8 *mask, int width, int height, int hole, int speck);

typedef struct
{
  int left, top, right, bottom; /* the last two are beyond it */
  gsize size, first;            /* pixels; the first of them, row by row */
} VgContourPart;

/* Parts of set pixels (4-neighbours), from 1 in LABELS in the order of their
 * first pixels; an array of VgContourPart. */
GArray *vg_contour_components (const guint8 *mask, gint32 *labels, int width, int height);
/* Floods the set pixels from the labels > 0, highest PLANE first (Meyer 1994). */
gboolean vg_contour_flood (const float *plane, const guint8 *mask, gint32 *labels, int width,
                           int height);

typedef struct
{
  float x, y, value; /* pixel centres are at i + 1/2 */
} VgContourPeak;

/* Local maxima above THRESHOLD, at least DISTANCE apart, the highest first. */
GArray *vg_contour_peaks (const float *plane, int width, int height, float threshold,
                          double distance);

G_END_DECLS
