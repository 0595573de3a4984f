/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/base/vg-metrics.h"
#include "kernels/contour/shapes/contour-truth.h"
/* How well found objects agree with true ones.  A pair matches if its intersection over union is
 * at least one half.  Pairs are matched in decreasing order of it, each object at most once.  Of
 * the objects without a match,
 *
 *   a found object that covers at least half of each of several true ones is merged, and so are
 *   these true objects;
 *   found objects are split if at least half of each of several lies in one true object, and so is
 *   this true object;
 *   other found objects are false, and other true ones are missed. */
G_BEGIN_DECLS

typedef struct
{
  double dice, sensitivity, ppv; /* of the pixels in any object */
  double aji;                    /* aggregated Jaccard index */
  double f1, pq;                 /* of the matches */
  /* fraction of the pairs of touching true objects in which both have a match; NaN: no pair */
  double overlap_resolved;
  double hausdorff_px; /* mean over the matches; NaN: none */
  guint matched;       /* true objects, and as many found ones */
  guint of_truth[VG_OUTLINE_LOOKS], of_found[VG_OUTLINE_LOOKS]; /* numbers of objects by look */
} VgContourMetrics;

typedef struct
{
  VgOutlineLook look;
  guint number; /* of the true object: of the match, or the one with most pixels; 0: none */
} VgContourVerdict;

/* FOUND: of VgContourMask, of the truth's image.  METRICS or NULL; VERDICTS, of each found object,
 * or NULL; LOOKS, of each true one, or NULL.  FALSE: no memory. */
gboolean vg_contour_metrics (const GPtrArray *found, const VgContourTruth *truth, int threads,
                             VgContourMetrics *metrics, VgContourVerdict *verdicts,
                             VgOutlineLook *looks);

/* The figures as results.  BEYOND: true objects that lie beyond the image. */
void vg_contour_metrics_add (const VgContourMetrics *self, guint true_objects, guint beyond,
                             VgMetrics *metrics);

G_END_DECLS
