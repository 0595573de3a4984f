/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/scatter/vg-map-pair.h"
#include "kernels/base/vg-region.h"
/* A scatter plot of two maps: how often their values occur together, and which pixels or objects
 * lie inside a lasso drawn in the plot.  It is computed in a separate thread. */
G_BEGIN_DECLS

enum { VG_SCATTER_SIDE = 192, VG_SCATTER_MOST_TINT = 1024 };

/* Ends of the axes: x in [0], y in [1]. */
typedef struct
{
  double low[2], high[2];
} VgScatterRange;

/* Samples with a value in both maps. */
typedef struct
{
  guint64 n;
  double mean[2], sd[2]; /* NaN without a sample; the standard deviation is 0 for one */
  double correlation;    /* Pearson's; NaN: a map is constant */
} VgScatterSummary;

typedef struct
{
  VgScatterRange range;
  guint64 outside;    /* samples beyond the ends of the axes */
  guint32 *counts;    /* VG_SCATTER_SIDE rows of as many bins, from the lowest y up */
  guint32 *in_region; /* the counts of the pixels of the region; NULL: there is no region */
  VgScatterSummary all, inside; /* of all samples, and of those inside the lasso */
  /* Tint of the pixels inside the lasso, 0 to 255, at most VG_SCATTER_MOST_TINT on a side;
   * NULL: there is no lasso. */
  guint8 *tint;
  int tint_width, tint_height;
} VgScatter;

/* The ends of axes that contain most samples of PAIR.  The ends BEFORE (NULL: none) are kept
 * while they suit, so that the axes do not move with every live map. */
VgScatterRange vg_scatter_find_range (const VgMapPair *pair, const VgScatterRange *before);
/* REGION, in pixels, and LASSO, in the units of the maps, may be NULL. */
VgScatter *vg_scatter_new (const VgMapPair *pair, const VgScatterRange *range,
                           const VgRegion *region, const VgRegion *lasso);
void vg_scatter_free (VgScatter *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgScatter, vg_scatter_free)

G_END_DECLS
