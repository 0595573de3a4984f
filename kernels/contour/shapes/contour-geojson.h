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
/* Sets CROSSINGS (double) to the x, ascending, at which the rings FIRST to END - 1 cross the
 * line at Y. */
void vg_contour_shape_cross (const VgContourShape *self, guint first, guint end, double y,
                             GArray *crossings);
/* Adds a point inside each polygon of the shape, its centroid where that lies
 * inside: a first ring is the outline and others are holes, however they wind.
 * How many have no area, and no point. */
guint vg_contour_shape_seeds (const VgContourShape *self, GArray *points);
/* Index of the first point of a ring; the ring before ends there. */
static inline guint
vg_contour_shape_ring_start (const VgContourShape *self, guint ring)
{
  return ring == 0 ? 0 : g_array_index (self->ring_ends, guint, ring - 1);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgContourGeometry, vg_contour_geometry_free)

G_END_DECLS
