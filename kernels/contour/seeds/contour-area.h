/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/contour/model/contour-filter.h"
#include "kernels/contour/evolve/contour-scene.h"
#include "kernels/contour/seeds/contour-seeds.h"
/* How much an area of the image looks like a nucleus. */
G_BEGIN_DECLS

/* Least and largest area of a nucleus, in typical ones. */
#define VG_CONTOUR_LEAST_AREA 0.15
#define VG_CONTOUR_MOST_AREA 4.0

typedef struct
{
  VgContourBox box; /* of the image */
  guint8 *bits;     /* of the box, 1 inside */
  double area;
  float fit;       /* with the ellipse of the same moments, intersection over union */
  float x, y;      /* a point inside, near the centroid */
  float likeness;  /* to a nucleus, against other areas of the same place */
  float admission; /* against the image's background */
} VgContourArea;

/* What areas are measured in. */
typedef struct
{
  const float *grey; /* borrowed */
  float *gradient;   /* its magnitude, per pixel */
  int width, height;
  float radius, contrast;
  double typical; /* area of a nucleus of the radius */
  float texture;  /* of the foreground */
} VgContourLook;

/* The median gradient away from the stained area, to *TEXTURE; FALSE: no memory. */
gboolean vg_contour_texture (const float *grey, const VgContourForeground *foreground,
                             float *texture);
/* FALSE: no memory; to be cleared all the same. */
gboolean vg_contour_look_init (VgContourLook *self, const float *grey,
                               const VgContourForeground *foreground);
void vg_contour_look_clear (VgContourLook *self);
/* The areas 1..N of LABELS, which lie in BOXES (N); NULL for those that are too
 * small or too large, and for those that are 0 in WANTED (N).  NULL itself: no memory. */
VgContourArea **vg_contour_areas_measure (const VgContourLook *self, const gint32 *labels,
                                          const VgContourPart *boxes, int n, const gint32 *wanted);
void vg_contour_area_free (VgContourArea *self);
void vg_contour_areas_free (VgContourArea **areas, int n);
/* So like an ellipse that no part could be better. */
gboolean vg_contour_area_is_whole (const VgContourArea *self);

G_END_DECLS
