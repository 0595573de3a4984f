/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/contour/engine/contour-run.h"
/* Splits a contour that contains several nuclei between the seeds that the user set inside it. */
G_BEGIN_DECLS

/* Labels the pixels of MASK (WIDTH x HEIGHT, 0 or 1) with 1 to N for the nearest of N POINTS (N >=
 * 1, px in the mask), measured from the edge of a disc about each point.  REST: also look for one
 * more nucleus away from all points, which becomes N + 1.  Returns the highest label; 0: out of
 * memory. */
guint vg_contour_split (const guint8 *mask, int width, int height, const VgContourPoint *points,
                        guint n, gboolean rest, gint32 *labels);
/* Objects of RUN from FIRST on are new discs.  A disc that the user set inside another contour
 * takes its part of that contour, which keeps the rest and is removed if nothing is left.  FALSE:
 * out of memory; the run must be freed. */
gboolean vg_contour_split_hosts (VgContourRun *run, guint first);

G_END_DECLS
