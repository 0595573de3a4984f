/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* The width of a vessel that a profile crosses. */
G_BEGIN_DECLS

/* Of N VALUES, evenly spaced by STEP: the full width at half of the largest departure from the
 * level at the two ends, whether the vessel is brighter or darker than its surroundings.  *WIDTH
 * and *CENTRE, the distance of its middle from the first value, are in the unit of STEP.  FALSE and
 * both NaN: the profile does not fall to half on both sides of its peak. */
gboolean vg_vessel_measure (const double *values, int n, double step, double *width,
                            double *centre);

G_END_DECLS
