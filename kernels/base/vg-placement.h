/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/base/vg-image.h"
#include "kernels/base/vg-plane.h"
/* Directions and positions of a volume in the patient.  As in nifti1.h, x grows to the patient's
 * right, y to the front and z to the head. */
G_BEGIN_DECLS

/* Orientation of the axes of a volume: 'R' right, 'L' left, 'A' anterior, 'P' posterior, 'S'
 * superior, 'I' inferior. */
typedef struct
{
  gboolean known;  /* FALSE: the file gives no orientation */
  char ends[3][2]; /* per axis: the side of the first and of the last sample */
  /* x, y are displayed mirrored to follow the radiological convention: patient's right on the left,
   * front or head up, front on the left */
  gboolean turned[2];
  /* after mirroring, x and y are exchanged to follow that convention */
  gboolean swapped;
} VgOrientation;

/* Matrix from sample numbers (i, j, k, 1) to the position of the sample's centre in mm, from the
 * sform, else the qform.  FALSE: neither is valid. */
gboolean vg_placement_matrix (const VgPlacement *self, double matrix[3][4]);
/* TRUE if INFO has a placement or is known to have none, and PLANE has the size of its volume. */
gboolean vg_placement_is_of (const VgImageInfo *info, const VgPlane *plane);
/* Sets the orientation from the patient axis nearest to each axis of the volume. */
void vg_placement_orientation (const VgPlacement *self, VgOrientation *orientation);
/* The largest distance between samples of SELF and OTHER with equal numbers, at the corners of a
 * volume of size EXTENT: in samples along one axis, and in mm (may be NULL).  0 if a placement is
 * unknown. */
double vg_placement_apart (const VgPlacement *self, const VgPlacement *other,
                           const gint64 extent[3], double *mm);

/* IMAGE on the grid of DATA: a new image with the size and the placement of DATA, and 0 where IMAGE
 * has no sample.  The axes may have other directions and another order, and slices of IMAGE that
 * are 0 may lie between those of DATA.  IMAGE itself, referenced, if its samples are at most half a
 * sample away from those of DATA, or a placement is unknown.  WHOLE: it must have a sample for each
 * of DATA.  NULL and an error: samples of IMAGE are not where those of DATA are. */
VgImage *vg_image_place (VgImage *image, const VgImageInfo *data, gboolean whole, GError **error);

G_END_DECLS
