/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/compute/vg-reference.h"
/* The results of the sum of a region's data, such as the fit of its mean curve, with their standard
 * errors, and those of the region with the same name in a kept result. */
G_BEGIN_DECLS

enum { VG_REGION_SUMS_MOST = 50 }; /* regions; a fit of each takes time */

typedef struct
{
  char *name;              /* without the slice (vg_region_file_label) */
  GArray *members;         /* of guint: the numbers of the regions that count as one */
  VgCurves *curves;        /* of the sum */
  double *values, *errors; /* one for each output, the errors in its unit; NaN: none */
} VgRegionSum;

/* One number of a region now and in the kept result; NaN: there is none. */
typedef struct
{
  double value, error, kept, kept_error;
} VgRegionFitted;

/* Of the first regions of REGIONS (NULL-terminated, or NULL), those whose sum has results
 * (VgRegionSum); owned.  NULL and an error: the device has failed. */
GPtrArray *vg_region_sums_new (VgWork *work, const VgNamedRegion *const *regions, GError **error);
/* Keeps the sums of REGIONS in SELF, which nothing else uses yet. */
gboolean vg_region_sums_keep (VgReference *self, VgWork *work, const VgNamedRegion *const *regions,
                              GError **error);
/* Output ID in UNIT of the region called NAME in KEPT (NULL: none). */
void vg_region_sums_find_kept (const VgReference *kept, const char *id, const char *unit,
                               const char *name, VgRegionFitted *fitted);
/* Output I of each of REGIONS (VgRegionFitted), owned, beside those in KEPT (NULL: none). */
GArray *vg_region_sums_list (VgWork *work, guint i, const VgNamedRegion *const *regions,
                             const VgReference *kept, GError **error);
/* The standard error of the change from KEPT to VALUE, which are of different data. */
double vg_region_fitted_get_error (const VgRegionFitted *fitted);

G_END_DECLS
