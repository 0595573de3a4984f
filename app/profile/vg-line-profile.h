/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/compute/vg-work.h"
#include "app/profile/vg-profile-line.h"
#include "app/profile/vg-vessel-width.h"
#include "kernels/tables/vg-curves.h"
/* The values of a map along a straight line, as a plot. */
G_BEGIN_DECLS

/* N values of a slice of PLANE, in host memory, evenly spaced from one end of LINE to the other:
 * bilinear, and averaged over lines 1 px apart.  Samples outside the image or without a value are
 * left out of an average; NaN: all of them were. */
void vg_line_profile_sample (const VgPlane *plane, const VgProfileLine *line, int n,
                             double *values);
/* The vessel that LINE crosses in PLANE.  POWER is that of the output (VgOutput.mixing_power):
 * values with it are averaged and compared.  UNIT is set to that of the numbers. */
VgVesselState vg_line_profile_measure (const VgPlane *plane, const VgProfileLine *line,
                                       double power, VgVesselWidth *vessel, char unit[8]);
/* The number of values that a profile of LINE has: one per pixel; 0: the line has no length. */
int vg_line_profile_count (const VgProfileLine *line);
/* Its length in the unit of PLANE or, if that has no scale, in px; UNIT says which. */
double vg_line_profile_length (const VgPlane *plane, const VgProfileLine *line, char unit[8]);
/* The values of PLANE, of LABEL and UNIT, one per pixel of the line, against the distance from its
 * first end in the plane's unit, or px.  LABELS: each value is that of one pixel, whatever the
 * width of the line.  Else the metrics have the width of the vessel that the line crosses, by
 * vg_line_profile_measure with POWER, and its standard error.  NULL: the line has no length. */
VgCurves *vg_line_profile_new (const VgPlane *plane, const VgProfileLine *line, const char *label,
                               const char *unit, double power, gboolean labels);
/* Of output I of WORK; NULL and an error: it is not computed, or the line has no length. */
VgCurves *vg_line_profile_read (VgWork *work, guint i, const VgProfileLine *line, GError **error);

G_END_DECLS
