/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/contour/shapes/contour-truth.h"
#include "kernels/contour/model/contour-grey.h"
#include "kernels/contour/net/contour-convolution.h"
#include "kernels/contour/seeds/contour-seeds.h"
#include "kernels/core/vg-operation.h"
/* Slide calibration: scales and thresholds that are computed once on a whole slide and used by
 * every tile, so that tiles agree with the analysis in one piece. */
G_BEGIN_DECLS

/* Gaussian sigma of the image in which seeds are found, px. */
#define VG_CONTOUR_BASE_SMOOTHING 1.0

typedef struct
{
  VgContourScale scale;
  VgContourForeground *foreground; /* without its mask */
  gboolean measured;               /* the radius was estimated */
  /* of VgContourPoint, px of the whole slide, from the seed file; NULL: automatic seeds */
  GArray *seeds;
  guint without_area;    /* polygons in the seed file without an area */
  int reach;             /* px from which the network acts on a pixel; 0: the classical force */
  gboolean areas;        /* seeds are found as areas, which need a wider halo */
  double seconds;        /* duration of the calibration */
  VgContourTruth *truth; /* in px of the whole slide; NULL: no ground truth */
} VgContourCalibration;

gpointer vg_contour_calibration_new (const VgContext *context, const VgImageInfo *whole,
                                     GError **error);
void vg_contour_calibration_free (gpointer calibration);

/* Seed points of FILE in pixels of the image INFO: centroids of labels, points inside polygons, and
 * points.  *WITHOUT counts polygons without an area.  Returns a new array of VgContourPoint; NULL
 * with an error if FILE is invalid. */
GArray *vg_contour_points_of_file (const VgImage *file, const VgImageInfo *info, guint *without,
                                   GError **error);
/* The image or text that was read for the file parameter ID; NULL: none. */
const VgImage *vg_contour_find_file (const VgContext *context, const char *id);
/* Estimates the intensity scale (*SCALE) and the foreground of IMAGE, a reduced image of the slide.
 * Returns the foreground without its mask; NULL with an error. */
VgContourForeground *vg_contour_calibrate (const VgImage *image, const VgContourParams *params,
                                           const VgContext *context, VgContourScale *scale,
                                           GError **error);
/* The same for SLIDE.  The result is cached in SLIDE, which owns it, until PARAMS change. */
const VgContourForeground *vg_contour_calibrate_slide (VgImage *slide,
                                                       const VgContourParams *params,
                                                       const VgContext *context,
                                                       VgContourScale *scale, GError **error);
/* Returns PARAMS with at least the smoothing that seeds need. */
VgContourParams vg_contour_seed_params (const VgContourParams *params);

extern const VgTiled vg_contour_tiled;
/* The window of a tile of WIDTH x HEIGHT whose nuclei may affect those of its core.  What lies
 * beyond is only input to the network. */
VgContourWindow vg_contour_tile_window (const VgPart *part, int width, int height);

G_END_DECLS
