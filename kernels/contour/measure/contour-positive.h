/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/contour/model/contour-grey.h"
#include "kernels/contour/shapes/contour-mask.h"
#include "kernels/base/vg-metrics.h"
#include "kernels/core/vg-outlines.h"
/* Nuclei in sections with haematoxylin and DAB: the stain in each, its class, and the index of
 * many.
 */
G_BEGIN_DECLS

/* Negative, 1+, 2+ and 3+. */
enum { VG_CONTOUR_CLASSES = 4 };

typedef struct
{
  double haematoxylin, dab; /* mean decadic optical density of the pixels as they are */
  guint grade;              /* 0: negative; 1 to 3 */
} VgContourPositive;

/* The number of nuclei in each class. */
typedef struct
{
  guint classes[VG_CONTOUR_CLASSES];
  double haematoxylin, dab; /* sums of the optical densities of positive nuclei */
} VgContourCounts;

/* TRUE if PARAMS ask for classes and INFO is a colour image. */
gboolean vg_contour_positive_is_on (const VgContourParams *params, const VgImageInfo *info);
/* Measures the pixels of MASK, at least one, in the colour IMAGE.  The class is the number of the
 * thresholds of PARAMS that the density of DAB reaches, so their order does not matter. */
VgContourPositive vg_contour_positive_measure (const VgContourMask *mask, const VgImage *image,
                                               const VgContourScale *scale,
                                               const VgContourParams *params);
/* The look of a nucleus of this class, whose ink has the name of the class, as in QuPath. */
static inline VgOutlineLook
vg_contour_class_look (guint grade)
{
  return (VgOutlineLook) (VG_OUTLINE_NEGATIVE + grade);
}

/* Counts a nucleus. */
void vg_contour_counts_count (VgContourCounts *self, const VgContourPositive *positive);
/* Adds the numbers of the classes, the percentage of positive nuclei (for Ki-67 its index) with the
 * standard error of counting, and the H-score: the percentages of 1+, 2+ and 3+ times 1, 2 and 3, 0
 * to 300 (McCarty et al., Cancer Res. 46, 4244s, 1986).  NaN without nuclei. */
void vg_contour_counts_add (const VgContourCounts *self, VgMetrics *metrics);
/* Says, if COLOURLESS, that classes were asked for but the image is grey. */
void vg_contour_add_colourless (VgMetrics *metrics, gboolean colourless);

G_END_DECLS
