/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* Nuclei in the network's maps. */
G_BEGIN_DECLS

/* A peak belongs to a nucleus of its own if it is higher by this than the saddle to the next;
 * nuclei have a peak of at least that height, at least that mean probability and at least so many
 * pixels.  Chosen on held-out images. */
#define VG_CONTOUR_PART_DEPTH 0.15f
#define VG_CONTOUR_PART_PEAK 0.3f
#define VG_CONTOUR_PART_MEAN 0.75f
enum { VG_CONTOUR_PART_LEAST = 12 };

/* The parts of the pixels where NUCLEUS exceeds LEVEL about the peaks of DISTANCE (0..1) that are
 * higher than PEAK and whose mean NUCLEUS is at least MEAN: an array of VgContourPeak, the highest
 * first, each a pixel of its part; *LABELS (new) numbers the parts from 1 in the array's order.
 * NULL: no memory. */
GArray *vg_contour_parts (const float *nucleus, const float *distance, int width, int height,
                          float level, float peak, float mean, gint32 **labels);

G_END_DECLS
