/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/contour/shapes/contour-geojson.h"
#include "kernels/contour/model/contour-params.h"
#include "kernels/core/vg-operation.h"
#include <glib.h>
/* Where nuclei are: automatic seeds on a grey plane in which they are bright. */
G_BEGIN_DECLS

/* What the image shows without seeds. */
typedef struct
{
  int width, height;
  guint8 *mask;   /* above Otsu's threshold, cleaned */
  float level;    /* the threshold */
  float contrast; /* mean inside less mean outside */
  float radius;   /* of a nucleus: given, or measured */
  float texture;  /* typical change of grey per pixel away from the mask */
} VgContourForeground;

/* RADIUS 0: measured from the image.  LIKE: NULL, or the foreground of a
 * larger image whose threshold, contrast, texture and radius hold for this part of it.
 * Stopped by CONTEXT it is not as good, and of no use.  NULL and VG_OPERATION_ERROR_MEMORY. */
VgContourForeground *vg_contour_foreground_new (const float *grey, int width, int height,
                                                float radius, const VgContourForeground *like,
                                                const VgContext *context, GError **error);
void vg_contour_foreground_free (VgContourForeground *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgContourForeground, vg_contour_foreground_free)

/* An array of VgContourPeak (contour-filter.h), the surest first; NULL: no memory. */
GArray *vg_contour_seeds_log (const float *grey, const VgContourForeground *foreground,
                              float sensitivity);
GArray *vg_contour_seeds_radial (const float *grey, const VgContourForeground *foreground,
                                 float sensitivity);
GArray *vg_contour_seeds_watershed (const VgContourForeground *foreground);
/* By SEEDING (VgContourSeeding), incomplete when CONTEXT is stopped meanwhile; automatic: with the
 * areas of contour-areas.h in *AREAS (new), else NULL. */
GArray *vg_contour_seeds (const float *grey, const VgContourForeground *foreground, int seeding,
                          float sensitivity, const VgContext *context, gint32 **areas);
/* The image's foreground cut at the watersheds between SEEDS: labels from 1; new.  NULL: no
 * memory. */
gint32 *vg_contour_watershed (const VgContourForeground *foreground, const VgContourPoint *seeds,
                              guint n);

G_END_DECLS
