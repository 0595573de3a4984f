/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* A region of interest in image pixels; pixel (i, j) covers [i, i+1) x [j, j+1)
 * and belongs to the region when its centre does.  Text form, used by the
 * command line and session files: rect:X,Y,W,H  ellipse:CX,CY,RX,RY
 * polygon:X,Y;X,Y;X,Y... */
G_BEGIN_DECLS

typedef enum { VG_REGION_NONE, VG_REGION_RECTANGLE, VG_REGION_ELLIPSE, VG_REGION_POLYGON } VgRegionKind;
enum { VG_REGION_MAX_POINTS = 256 };

typedef struct
{
  VgRegionKind kind;
  int slice;
  int n_points;          /* rectangle: 2 corners; ellipse: centre and radii; polygon: 3.. */
  double x[VG_REGION_MAX_POINTS], y[VG_REGION_MAX_POINTS];
} VgRegion;

gboolean vg_region_contains (const VgRegion *self, double x, double y);
/* Smallest pixel box clipped to the image; FALSE when it holds no pixel. */
gboolean vg_region_bounds   (const VgRegion *self, int width, int height, int *x0, int *y0, int *x1, int *y1);
gboolean vg_region_parse    (VgRegion *self, const char *text, GError **error);
char    *vg_region_format   (const VgRegion *self);
gboolean vg_region_equal    (const VgRegion *a, const VgRegion *b);

G_END_DECLS
