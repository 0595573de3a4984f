/* SPDX-License-Identifier: MIT */
#pragma once
#include "contour-scene.h"
/* The end of an evolution: split, vanished and merged contours. */
G_BEGIN_DECLS

/* How many met which fate. */
typedef struct
{
  guint split, vanished, faint, merged;
} VgContourSettled;

void vg_contour_settled_add (VgContourSettled *self, const VgContourObject *object);

/* SMALLEST: least area, of a disc of the scene's radius; CONTRAST: least
 * difference of the means inside and outside. */
void vg_contour_settle (VgContourScene *scene, float smallest, float contrast, VgContourSettled *settled);

G_END_DECLS
