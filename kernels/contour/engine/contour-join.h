/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/contour/engine/contour-run.h"
/* Makes one contour of several. */
G_BEGIN_DECLS

/* OBJECT becomes the contours of GROUP, of VgContourObject with one at least, and what lies between
 * them.  Adds to GROUP the objects before FIRST without a seed that touch one of it and are not
 * among EXCEPT. */
void vg_contour_join (VgContourRun *run, VgContourObject *object, GPtrArray *group,
                      const GPtrArray *except, guint first);

G_END_DECLS
