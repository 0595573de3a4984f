/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/contour/engine/contour-run.h"
/* Splits a contour that contains several nuclei between the seeds that the user set inside it. */
G_BEGIN_DECLS

/* Objects of RUN from FIRST on are new discs.  A disc that the user set inside another contour
 * takes its part of that contour, which keeps the rest and is removed if nothing is left.  FALSE:
 * out of memory; the run must be freed. */
gboolean vg_contour_split_hosts (VgContourRun *run, guint first);

G_END_DECLS
