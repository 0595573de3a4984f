/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/contour/shapes/contour-geojson.h"
#include "kernels/contour/model/contour-params.h"
#include "kernels/core/vg-operation.h"
#include <glib.h>
/* Where nuclei are: automatic seeds on a grey plane in which they are bright. */
G_BEGIN_DECLS

/* Fraction of the preparation that is done when the foreground has been found.  The network takes
 * most of the rest. */
#define VG_CONTOUR_FOREGROUND_SHARE 0.1

/* The foreground of an image and what is estimated from it. */
typedef struct
{
  int width, height;
  guint8 *mask;   /* above Otsu's threshold, cleaned */
  float level;    /* the threshold */
  float contrast; /* mean inside minus mean outside */
  float radius;   /* of a nucleus, px: set or estimated */
  float texture;  /* typical change of grey per pixel outside the mask */
} VgContourForeground;

/* Segments GREY (0..1).  RADIUS 0: estimated.  LIKE: the foreground of the whole slide, whose
 * threshold, contrast, texture and radius are used; NULL: none.  The result is incomplete if
 * CONTEXT is stopped.  NULL with VG_OPERATION_ERROR_MEMORY. */
VgContourForeground *vg_contour_foreground_new (const float *grey, int width, int height,
                                                float radius, const VgContourForeground *like,
                                                const VgContext *context, GError **error);
void vg_contour_foreground_free (VgContourForeground *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgContourForeground, vg_contour_foreground_free)

/* Sorts N > 0 AREAS.  Returns the radius of a disc with the typical area: the smaller ones add up
 * to about 35 % of the sum of all. */
double vg_contour_typical_radius (double *areas, guint n);

/* Seeds by method SEEDING (VgContourSeeding): an array of VgContourPeak (contour-filter.h), most
 * certain first; NULL: out of memory.  Incomplete if CONTEXT is stopped.  *AREAS: with automatic
 * seeding the labels of the areas (contour-areas.h), else NULL. */
GArray *vg_contour_seeds (const float *grey, const VgContourForeground *foreground, int seeding,
                          float sensitivity, const VgContext *context, gint32 **areas);
/* Cuts the foreground at the watersheds between N SEEDS.  Returns labels from 1; NULL: out of
 * memory. */
gint32 *vg_contour_watershed (const VgContourForeground *foreground, const VgContourPoint *seeds,
                              guint n);

G_END_DECLS
