/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* GeoJSON (RFC 7946) as QuPath and others write it, in pixels of the image:
 * points, polygons with holes, several of them; collections of any depth.
 * Lines are counted and left out. */
G_BEGIN_DECLS

typedef struct
{
  double x, y;
} VgContourPoint;

/* One feature's outline: rings one after the other, a point is inside when it
 * is inside an odd number of a polygon's rings, and inside any polygon. */
typedef struct
{
  GArray *points;       /* of VgContourPoint, all rings; a ring's last is not its first again */
  GArray *ring_ends;    /* of guint, behind the last point */
  GArray *polygon_ends; /* of guint, behind the last ring */
} VgContourShape;

typedef struct
{
  GArray *points;    /* of VgContourPoint: Point and MultiPoint */
  GPtrArray *shapes; /* of VgContourShape: Polygon and MultiPolygon */
  guint lines;
} VgContourGeometry;

/* NULL and VG_IO_ERROR with the line for text that is not GeoJSON, or has
 * coordinates beyond +-1e7. */
VgContourGeometry *vg_contour_geojson_read (const char *name, const char *text, gsize length,
                                            GError **error);
void vg_contour_geometry_free (VgContourGeometry *self);
VgContourShape *vg_contour_shape_new (void);
void vg_contour_shape_free (VgContourShape *self);
void vg_contour_shape_end_ring (VgContourShape *self);
/* Adds a point inside each polygon of the shape, its centroid where that lies
 * inside: a first ring is the outline and others are holes, however they wind.
 * How many have no area, and no point. */
guint vg_contour_shape_seeds (const VgContourShape *self, GArray *points);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgContourGeometry, vg_contour_geometry_free)

G_END_DECLS
