/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* The width of a vessel that a profile crosses. */
G_BEGIN_DECLS

typedef enum {
  VG_VESSEL_NONE,      /* nothing stands out from the noise of the profile */
  VG_VESSEL_UNCERTAIN, /* something does, but its edges are not measured: all numbers are NaN */
  VG_VESSEL_MEASURED,
} VgVesselState;

/* In the unit of the profile's step; NaN where it is not measured. */
typedef struct
{
  double width, width_error; /* full width at half maximum, and its standard error */
  double centre;             /* distance of its middle from the first value */
} VgVesselWidth;

/* Fits to N VALUES, evenly spaced by STEP, a vessel that is brighter or darker than its
 * surroundings: a box with blurred edges over a level that may slope,
 *   level + slope x + height [F ((x - left) / blur) - F ((x - right) / blur)]
 * with the normal distribution F.  Positive values are compared as logarithms, because the noise of
 * a contrast is proportional to it.  The standard error allows for noise that neighbours share. */
VgVesselState vg_vessel_measure (const double *values, int n, double step, VgVesselWidth *vessel);

G_END_DECLS
