/* SPDX-License-Identifier: MIT */
/* Single values of a reference result, for the card beside a pixel or a region. */
#include "app/compute/vg-reference.h"
#include <math.h>
#include "kernels/base/vg-statistics.h"

/* FALSE: SELF has no map ID in UNIT that is like SHOWN. */
static gboolean
find_plane (const VgReference *self, const char *id, const char *unit, const VgPlane *shown,
            VgPlane *plane)
{
  int output = vg_operation_find_output (vg_reference_get_operation (self), id);

  return output >= 0 && vg_reference_get_plane (self, (guint) output, plane) &&
         vg_reference_fits (self, (guint) output, shown, unit, NULL);
}

double
vg_reference_get_value (const VgReference *self, const char *id, const char *unit,
                        const VgPlane *shown, const int xyz[3])
{
  VgPlane plane;

  if (!find_plane (self, id, unit, shown, &plane) || xyz[0] < 0 || xyz[0] >= plane.width ||
      xyz[1] < 0 || xyz[1] >= plane.height || xyz[2] < 0 || xyz[2] >= MAX (plane.slices, 1))
    return NAN;
  return (double)
      plane.data[((gsize) xyz[2] * (gsize) plane.height + (gsize) xyz[1]) * (gsize) plane.width +
                 (gsize) xyz[0]];
}

double
vg_reference_get_mean (const VgReference *self, const char *id, const char *unit,
                       const VgPlane *shown, const VgRegion *region, gboolean median)
{
  VgRegionStatistics statistics;
  g_autofree guint8 *mask = NULL;
  VgRegionCover at;
  int slice, role;
  VgPlane plane, numerator;

  if (!find_plane (self, id, unit, shown, &plane) || !vg_region_cover (region, &plane, &at))
    return NAN;
  mask = at.mask;
  if (mask == NULL)
    return NAN;
  plane = vg_region_plane (region, &plane);
  slice = CLAMP (region->slice, 0, MAX (plane.slices, 1) - 1);
  vg_region_statistics_compute (&statistics, &plane, mask, at.x0, at.y0, at.x1, at.y1, slice);
  if (median)
    {
      vg_region_statistics_add_quartiles (&statistics, &plane, mask, at.x0, at.y0, at.x1, at.y1,
                                          slice, 0);
      return statistics.median;
    }
  role = vg_operation_find_role (vg_reference_get_operation (self), VG_ROLE_NUMERATOR, id);
  return role >= 0 && vg_reference_get_plane (self, (guint) role, &numerator)
             ? vg_region_statistics_get_ratio (&plane, &numerator, mask, at.x0, at.y0, at.x1, at.y1,
                                               slice)
             : statistics.mean;
}
