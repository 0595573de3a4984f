/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/contour/model/contour-grey.h"
#include "kernels/contour/seeds/contour-seeds.h"
#include "kernels/core/vg-operation.h"
/* What all tiles of a large image have in common.  Whatever is measured over
 * a whole image belongs here, so that tiles and one piece agree. */
G_BEGIN_DECLS

/* px: sigma of what seeds are looked for in. */
#define VG_CONTOUR_BASE_SMOOTHING 1.0

typedef struct
{
  VgContourScale scale;
  VgContourForeground *foreground; /* of the sample; its mask is not kept */
  gboolean measured;               /* its radius */
  /* of VgContourPoint in the whole image, from the file; NULL: automatic */
  GArray *seeds;
  guint without_area; /* polygons of that file */
  gboolean areas;     /* seeds are looked for as areas, which need more about them */
  double seconds;     /* that the look at the whole took */
  GPtrArray *truth;   /* of VgContourMask of the whole image, or NULL */
} VgContourCalibration;

gpointer vg_contour_calibration_new (const VgContext *context, const VgImageInfo *whole,
                                     GError **error);
void vg_contour_calibration_free (gpointer survey);

/* Centroids of a file's labels, places in its polygons, and its points, in pixels of a image as
 * INFO says; new. *WITHOUT: polygons that have no area. */
GArray *vg_contour_points_of_file (const VgImage *file, const VgImageInfo *info, guint *without,
                                   GError **error);
/* The content of FILE parameter ID, or NULL. */
const VgImage *vg_contour_find_file (const VgContext *context, const char *id);
/* Scale and foreground of a look at a whole, for its parts; the foreground's mask is not kept. */
VgContourForeground *vg_contour_calibrate (const VgImage *image, const VgContourParams *params,
                                           const VgContext *context, VgContourScale *scale,
                                           GError **error);
/* The same of SLIDE, borrowed: as it was measured there last, while the settings are the same. */
const VgContourForeground *vg_contour_calibrate_slide (VgImage *slide,
                                                       const VgContourParams *params,
                                                       const VgContext *context,
                                                       VgContourScale *scale, GError **error);
/* What seeds are looked for in: PARAMS with the least smoothing. */
VgContourParams vg_contour_seed_params (const VgContourParams *params);

extern const VgTiled vg_contour_tiled;

G_END_DECLS
