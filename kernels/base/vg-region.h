/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* A region of interest in image pixels.  Pixel (i, j) covers [i, i+1) x [j, j+1) and belongs to the
 * region if its centre does.  Text form of the command line and of sessions: rect:X,Y,W,H or four
 * bare numbers, ellipse:CX,CY,RX,RY, polygon:X,Y;X,Y;X,Y...  corners:X0,Y0,X1,Y1 is a rectangle
 * whose size has no exact text.  @SLICE follows for slices other than the first. */
G_BEGIN_DECLS

typedef enum {
  VG_REGION_NONE,
  VG_REGION_RECTANGLE,
  VG_REGION_ELLIPSE,
  VG_REGION_POLYGON
} VgRegionKind;
enum { VG_REGION_MAX_POINTS = 256 };
/* The slice of a region that counts in all slices of a volume; it has no text form. */
enum { VG_REGION_EVERY_SLICE = -1 };

typedef struct
{
  VgRegionKind kind;
  int slice;
  int n_points; /* rectangle: 2 corners; ellipse: centre and radii; polygon: 3.. */
  double x[VG_REGION_MAX_POINTS], y[VG_REGION_MAX_POINTS];
} VgRegion;

gboolean vg_region_contains (const VgRegion *self, double x, double y);
/* The columns x0..x1-1 and rows y0..y1-1 of an image that contain the region's pixels.  FALSE:
 * none. */
gboolean vg_region_bounds (const VgRegion *self, int width, int height, int *x0, int *y0, int *x1,
                           int *y1);
static inline gboolean
vg_region_is_in_slice (const VgRegion *self, gint64 slice)
{
  return self->slice == VG_REGION_EVERY_SLICE || self->slice == slice;
}

/* FALSE with a usage error, and SELF unchanged, if TEXT is invalid. */
gboolean vg_region_parse (VgRegion *self, const char *text, GError **error);
/* TRUE if TEXT begins like a region, and is no name of a file. */
gboolean vg_region_is_meant (const char *text);
char *vg_region_format (const VgRegion *self);
/* TRUE if TEXT is what vg_region_format returns; the text of another region is seldom formatted. */
gboolean vg_region_has_text (const VgRegion *self, const char *text);
gboolean vg_region_equal (const VgRegion *a, const VgRegion *b); /* either may be NULL */
/* The x at which a polygon's outline crosses the line Y, unsorted, at most n_points; returns their
 * number.  A point is inside if an odd number lies to its right. */
int vg_region_crossings (const VgRegion *self, double y, double *crossings);

G_END_DECLS
