/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/base/vg-metrics.h"
/* How well objects agree with the true ones. */
G_BEGIN_DECLS

typedef struct
{
  double dice, sensitivity, ppv; /* of the pixels in any object */
  double aji;                    /* aggregated Jaccard index */
  double f1, pq;                 /* pairs with an intersection over union above 0.5 */
  /* touching true pairs whose both nuclei have a pair; NaN: none touch */
  double overlap_resolved;
  double hausdorff_px; /* mean over the pairs; NaN: no pair */
  guint matched;
} VgContourMetrics;

/* FOUND and TRUTH: of VgContourMask (contour-mask.h), of an image of WIDTH x HEIGHT.  FALSE: no
 * memory. */
gboolean vg_contour_metrics (const GPtrArray *found, const GPtrArray *truth, int width, int height,
                             VgContourMetrics *metrics);

/* The figures as results; BEYOND: true objects that lie beyond the image. */
void vg_contour_metrics_add (const VgContourMetrics *self, guint true_objects, guint beyond,
                             VgMetrics *metrics);

G_END_DECLS
