/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/compute/vg-work.h"
/* Whether the fit of the mean data of a region and the fits of its pixels agree.  They need not: a
 * fit is not linear, so noise and bounds shift the median of the pixels, and the mean data of
 * different tissues are those of none of them. */
G_BEGIN_DECLS

/* The values of the pixels of a region, those without a value left out. */
typedef struct
{
  double median, q25, q75;
  double error;    /* the median of their standard errors; NaN: not known */
  double bounded;  /* the fraction whose fit has a parameter at a bound (VG_ROLE_BOUND) and is not
                    * good (VG_ROLE_LIMITS_MASK) */
  double outlying; /* the fraction more than 4 standard errors from the median */
  guint64 n;
} VgRegionValues;

/* The fit of the mean data. */
typedef struct
{
  double value, error;
  const char *bound; /* the category of the parameter that ended at a bound; NULL: none */
} VgRegionFit;

/* Adds the exact median and quartiles of MAP in N regions that count as one to STATISTICS, which
 * has the number of their values.  Regions in slices that MAP lacks have none. */
gboolean vg_region_check_add_quartiles (VgWork *work, const VgPlane *map,
                                        const VgRegion *const *regions, guint n,
                                        VgRegionStatistics *statistics, GError **error);

/* Sentences, one a line, if FIT and the median in VALUES differ by more than twice the error of
 * their difference and 5 %, or 2 % if the pixels are of different tissues: both numbers, the
 * reasons, and which to report.  LABEL and UNIT are of the map.  NULL: they agree.  Owned. */
char *vg_region_check_describe (const char *label, const char *unit, const VgRegionFit *fit,
                                const VgRegionValues *values);

/* As above, for N regions that count as one and the result SUM of their data (NULL: none); the
 * first shown map with a standard error is compared, beginning with the view's first.  If they
 * agree, or there is nothing to compare, the first advice of SUM's metrics.  NULL without an error:
 * no reason for doubt is known. */
char *vg_region_check_new (VgWork *work, const VgRegion *const *regions, guint n,
                           const VgCurves *sum, GError **error);

G_END_DECLS
