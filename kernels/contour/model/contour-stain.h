/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/contour/model/contour-grey.h"
/* Directions of stains in optical density. */
G_BEGIN_DECLS

/* Sets SCALE's row, which takes stain CHANNEL (VgContourChannel) out of an optical density, and
 * what was found about its colour.  DENSITY: natural, three values for each of N pixels.  FALSE: no
 * memory. */
gboolean vg_contour_stain_find (const float *density, gsize n, int channel, VgContourScale *scale);
/* The rows that take haematoxylin and a SECOND stain (VG_CONTOUR_EOSIN or VG_CONTOUR_DAB) out of an
 * optical density: Ruifrok's directions, and as the third, which takes up the rest, the one
 * perpendicular to both. */
void vg_contour_stain_pair (VgContourChannel second, double rows[2][3]);

G_END_DECLS
