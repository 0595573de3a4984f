/* SPDX-License-Identifier: MIT */
#include "kernels/contour/engine/contour-run.h"
#include "kernels/contour/seeds/contour-areas.h"
/* The memory of a run, before it begins. */

#define TYPICAL_OBJECTS 500

void
vg_contour_memory (const void *data, const VgImageInfo *info, gsize *host, gsize *device)
{
  const VgContourParams *params = data;
  float radius = params->radius_px > 0.0f ? params->radius_px : 12.0f;
  gboolean full = params->grid == VG_CONTOUR_GRID_FULL;
  gsize pixels, objects;

  *host = *device = 0;
  if (info == NULL || info->width < 1 || info->height < 1)
    return;
  pixels = (gsize) info->width * (gsize) info->height;
  /* a radius below a pixel: no more nuclei than pixels */
  objects = full ? 2
                 : (gsize) MIN ((double) pixels / MAX (G_PI * radius * radius, 1.0) + 1.0,
                                (double) TYPICAL_OBJECTS);
  *host = pixels * (68 + VG_CONTOUR_AREA_BYTES * (gsize) vg_contour_areas_threads (pixels)) +
          objects * vg_contour_object_bytes (info->width, info->height, radius, full);
  /* enlarged tiles need memory while the old ones are there */
  *device = pixels * 28 +
            5 * objects * vg_contour_object_bytes (info->width, info->height, radius, full);
  if (params->force != VG_CONTOUR_FORCE_LEARNED)
    return;
  *host += vg_contour_maps_bytes (pixels);
  *device = MAX (*device, vg_contour_maps_device_bytes ());
}
