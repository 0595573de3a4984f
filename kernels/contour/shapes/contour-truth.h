/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/contour/shapes/contour-places.h"
#include "kernels/core/vg-outlines.h"
/* A ground truth, with all that stays the same from one score to the next. */
G_BEGIN_DECLS

/* Two objects by their indices. */
typedef struct
{
  guint a, b;
} VgContourTouch;

typedef struct
{
  GPtrArray *masks; /* of VgContourMask */
  guint beyond;     /* objects of the file that lie outside the image */
  int width, height;
  VgContourPlaces places; /* boxes of the masks */
  GArray *touching;       /* VgContourTouch: pairs of masks within 2 px of each other */
  guint8 *covered; /* 1: the pixel is in an object; a score marks the found ones, and clears them */
  gint64 area;     /* of the covered pixels */
  VgOutline *items; /* outlines in the order of the masks, and their samples; NULL: not made yet */
  float *values;
  gsize n_values;
} VgContourTruth;

/* Consumes MASKS, which are of an image of WIDTH x HEIGHT.  NULL and an error: no memory, or too
 * many of them share a pixel. */
VgContourTruth *vg_contour_truth_new (GPtrArray *masks, guint beyond, int width, int height,
                                      GError **error);
/* Reads a label image or GeoJSON for an image as INFO says.  NULL and an error. */
VgContourTruth *vg_contour_truth_of_file (const VgImage *file, const VgImageInfo *info,
                                          GError **error);
void vg_contour_truth_free (VgContourTruth *self);
/* The outlines of the objects, whose looks the caller sets in `items`.  FALSE: no memory, or more
 * samples than can be drawn. */
gboolean vg_contour_truth_outlines (VgContourTruth *self, VgOutlines *outlines);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgContourTruth, vg_contour_truth_free)

G_END_DECLS
