/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/session/vg-session.h"
/* Regions for programs that show objects, such as QuPath: which objects lie in which region, by
 * their centroids, and the regions themselves.  INFO describes the image in whose pixels the
 * regions are; of a slide region, objects are in pixels of the finest level. */
G_BEGIN_DECLS

/* TABLE, the text of VgObjects.table, with a further column "region": the names of the REGIONS
 * (NULL-terminated) that contain the centroid, as "A; B", in quotation marks.  Owned. */
char *vg_region_objects_to_csv (const char *table, const VgNamedRegion *const *regions,
                                const VgImageInfo *info);
/* The regions as annotations in GeoJSON; ellipses become polygons.  Owned. */
char *vg_region_objects_to_geojson (const VgNamedRegion *const *regions, const VgImageInfo *info);
/* The area of REGION in the image, or of all of the image if it is NULL, in mm^2; NaN: the size of
 * a pixel is not known. */
double vg_region_objects_area_mm2 (const VgRegion *region, const VgImageInfo *info);

G_END_DECLS
