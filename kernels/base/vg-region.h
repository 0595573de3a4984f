/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* A region of interest in image pixels; pixel (i, j) covers [i, i+1) x [j, j+1)
 * and belongs to the region when its centre does.  Text form, used by the
 * command line and session files: rect:X,Y,W,H  ellipse:CX,CY,RX,RY
 * polygon:X,Y;X,Y;X,Y...  and corners:X0,Y0,X1,Y1 for a rectangle whose
 * corners "position and size" can't give exactly; four bare numbers are a
 * rect.  A slice other than the
 * first follows as @SLICE. */
G_BEGIN_DECLS

typedef enum {
  VG_REGION_NONE,
  VG_REGION_RECTANGLE,
  VG_REGION_ELLIPSE,
  VG_REGION_POLYGON
} VgRegionKind;
enum { VG_REGION_MAX_POINTS = 256 };

typedef struct
{
  VgRegionKind kind;
  int slice;
  int n_points; /* rectangle: 2 corners; ellipse: centre and radii; polygon: 3.. */
  double x[VG_REGION_MAX_POINTS], y[VG_REGION_MAX_POINTS];
} VgRegion;

gboolean vg_region_contains (const VgRegion *self, double x, double y);
/* The columns x0..x1-1 and rows y0..y1-1 of an image whose pixel centres lie
 * within the region's extent; FALSE when there are none. */
gboolean vg_region_bounds (const VgRegion *self, int width, int height, int *x0, int *y0, int *x1,
                           int *y1);
/* Leaves SELF alone on an error (a usage error). */
gboolean vg_region_parse (VgRegion *self, const char *text, GError **error);
char *vg_region_format (const VgRegion *self);
gboolean vg_region_equal (const VgRegion *a, const VgRegion *b); /* either may be NULL */
/* The x at which a polygon's outline crosses the line Y, in no order; a point
 * is inside when an odd number lies right of it.  At most n_points. */
int vg_region_crossings (const VgRegion *self, double y, double *crossings);

G_END_DECLS
