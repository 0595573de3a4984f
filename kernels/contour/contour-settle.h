/* SPDX-License-Identifier: MIT */
#pragma once
#include "contour-scene.h"
/* The end of an evolution: split, vanished and merged contours. */
G_BEGIN_DECLS

typedef struct
{
  guint split;             /* lost parts but the largest */
  guint vanished;          /* smaller than the least area */
  guint faint;             /* no brighter than their surroundings */
  guint merged;            /* lay within another */
} VgContourSettled;

/* SMALLEST: least area, of a disc of the scene's radius; CONTRAST: least
 * difference of the means inside and outside. */
void vg_contour_settle (VgContourScene *scene, float smallest, float contrast, VgContourSettled *settled);

G_END_DECLS
