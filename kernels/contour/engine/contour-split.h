/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/contour/engine/contour-run.h"
/* A contour that holds several nuclei, shared out to seeds that are set in it. */
G_BEGIN_DECLS

/* Labels the set pixels of MASK (WIDTH x HEIGHT) 1 to N, each with the one of N POINTS (N >= 1, in
 * pixels of the mask) whose disc it is nearest to.  REST: if there is another nucleus, away from
 * all points, that is N + 1. Returns the highest label; 0: no memory. */
guint vg_contour_split (const guint8 *mask, int width, int height, const VgContourPoint *points,
                        guint n, gboolean rest, gint32 *labels);
/* RUN's objects from FIRST on are new discs.  Those set by hand that lie inside the contour of
 * another object are given their part of it.  That object keeps what is left; where nothing is, it
 * goes.  FALSE: no memory, and the run is of no use. */
gboolean vg_contour_split_hosts (VgContourRun *run, guint first);

G_END_DECLS
