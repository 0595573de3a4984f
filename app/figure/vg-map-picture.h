/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/session/vg-session.h"
#include "kernels/base/vg-placement.h"
#include "kernels/base/vg-statistics.h"
#include "kernels/core/vg-operation.h"
#include "kernels/shared/vg-colormap.h"
#include "kernels/shared/vg-underlay.h"
/* The pixels of a map as the window shows it: colours, underlay, isolines, outlines and overlay,
 * without a legend. */
G_BEGIN_DECLS

/* What is drawn.  Samples are in host memory. */
typedef struct
{
  const VgOutput *output;
  const VgPlane *plane;
  int slice;   /* of the plane */
  int longest; /* samples that are drawn along the longer axis at most; 0: 2048 */
  const VgDisplay *display;
  /* Each of these may be NULL. */
  const VgPlane *brightness;        /* of the size of the plane; used if the display turns it on */
  const VgPlane *limits_mask;       /* automatic limits are those of its pixels */
  const VgUnderlay *underlay;       /* used as `brightness` is */
  const VgOverlay *overlay;         /* what the operation draws over the map */
  const VgOutlines *outlines;       /* of objects */
  const VgOutlines *compared;       /* drawn over them, such as those of a ground truth */
  const VgOrientation *orientation; /* which axes are reversed; its letters are not drawn */
  const GPtrArray *annotations;     /* of VgAnnotation; figures draw them, pictures do not */
  double noise; /* isolines at decades below it are left out (vg_display_get_noise); 0: none */
} VgMapView;

typedef struct
{
  guint8 *rgba; /* width * height opaque pixels */
  int width, height;
  int columns, rows;    /* samples that are drawn, some of them for several of the plane */
  double per_sample[2]; /* pixels for each sample of the plane, along the axes of the picture */
  VgColoring coloring;
  int bar; /* as vg_display_get_bar gives it */
} VgMapPicture;

/* A mirrored plane is drawn with both halves; small maps are magnified by whole numbers, huge ones
 * reduced by averaging.  FALSE and an error: there is no memory. */
gboolean vg_map_picture_draw (VgMapPicture *self, const VgMapView *view, GError **error);
void vg_map_picture_clear (VgMapPicture *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (VgMapPicture, vg_map_picture_clear)

/* Where the image coordinates X, Y of the plane are in the picture, in pixels. */
void vg_map_picture_place (const VgMapPicture *self, const VgMapView *view, double x, double y,
                           double at[2]);

/* The statistics by which PLANE, of OUTPUT, is coloured: of all slices, weighed by BRIGHTNESS
 * (NULL: none), or in the LIMITS_MASK (NULL: everywhere).  LIMITS are those of the brightness; 0
 * and 0: it does not fit. */
void vg_map_picture_measure (const VgPlane *plane, const VgOutput *output,
                             const VgPlane *brightness, const VgPlane *limits_mask,
                             VgStatistics *statistics, double limits[2]);
/* Sets the error of too little memory for a map; returns FALSE. */
gboolean vg_map_picture_set_no_memory (GError **error);

G_END_DECLS
