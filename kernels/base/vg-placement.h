/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/base/vg-image.h"
#include "kernels/base/vg-plane.h"
/* What a volume's placement says of directions and places in the body
 * (nifti1.h: x grows to the patient's right, y to the front, z to the head). */
G_BEGIN_DECLS

/* Which way a volume lies: 'R' right, 'L' left, 'A' anterior, 'P' posterior,
 * 'S' superior, 'I' inferior. */
typedef struct
{
  gboolean known;  /* FALSE: the file does not say */
  char ends[3][2]; /* of its axes: the side where the first sample lies, and the last */
  /* x, y run against the custom of radiologists: right of the patient on the left, front or head
   * up, front on the left */
  gboolean turned[2];
  /* and then rows are shown as columns: x is not the one of the two that custom has across */
  gboolean swapped;
} VgOrientation;

/* The middle of sample (i, j, k) in mm: MATRIX times (i, j, k, 1), by the sform,
 * else the qform.  FALSE: neither is there, or none that a volume can have. */
gboolean vg_placement_matrix (const VgPlacement *self, double matrix[3][4]);
/* INFO says how its volume lies, or that it does not, and PLANE has that volume's samples. */
gboolean vg_placement_is_of (const VgImageInfo *info, const VgPlane *plane);
/* By the body's axis that each of the volume's is nearest to. */
void vg_placement_orientation (const VgPlacement *self, VgOrientation *orientation);
/* How far the samples of OTHER lie from those of SELF with the same numbers, in
 * samples along one axis and in mm (may be NULL), at the worst corner of a
 * volume of such an extent; 0 when either place is not known. */
double vg_placement_apart (const VgPlacement *self, const VgPlacement *other,
                           const gint64 extent[3], double *mm);

G_END_DECLS
