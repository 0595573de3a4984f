/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/session/vg-session.h"
/* Regions for programs that show objects, such as QuPath: which objects lie in which region, by
 * their centroids, and the regions themselves.  INFO describes the image in whose pixels the
 * regions are; of a slide region, objects are in pixels of the finest level. */
G_BEGIN_DECLS

/* Adds the column "region" to the text of VgObjects.table: the names of the regions that contain
 * the centroid, as "A; B", in quotation marks. */
typedef struct _VgRegionColumn VgRegionColumn;

/* REGIONS, NULL-terminated, are borrowed. */
VgRegionColumn *vg_region_column_new (const VgNamedRegion *const *regions, const VgImageInfo *info);
void vg_region_column_free (VgRegionColumn *self);
/* Appends the lines ROWS, whose last ends too, to TEXT; the first of all is the heading. */
void vg_region_column_add (VgRegionColumn *self, const char *rows, GString *text);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgRegionColumn, vg_region_column_free)

/* The whole TABLE with that column.  Owned. */
char *vg_region_objects_to_csv (const char *table, const VgNamedRegion *const *regions,
                                const VgImageInfo *info);
/* The regions as annotations in GeoJSON; ellipses become polygons.  Owned. */
char *vg_region_objects_to_geojson (const VgNamedRegion *const *regions, const VgImageInfo *info);
/* The area of REGION in the image, or of all of the image if it is NULL, in mm^2; NaN: the size of
 * a pixel is not known. */
double vg_region_objects_area_mm2 (const VgRegion *region, const VgImageInfo *info);

G_END_DECLS
