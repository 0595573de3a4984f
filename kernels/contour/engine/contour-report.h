/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/contour/model/contour-grey.h"
#include "kernels/contour/shapes/contour-metrics.h"
#include "kernels/contour/evolve/contour-scene.h"
#include "kernels/contour/engine/contour-finalise.h"
#include "kernels/contour/measure/contour-positive.h"
#include "kernels/base/vg-image.h"
#include "kernels/base/vg-metrics.h"
/* Nuclei as rows of a table and as features of GeoJSON. */
G_BEGIN_DECLS

/* The position of an image's pixels: of a slide region in pixels of level 0. */
typedef struct
{
  double x, y, scale;
  double um[2];     /* width and height of such a pixel; 0: not known */
  gboolean stained; /* the channel is a stain, which has an optical density */
  gboolean judged;  /* nuclei are compared with a ground truth */
  gboolean classed; /* nuclei have a class by their DAB */
} VgContourPosition;

VgContourPosition vg_contour_position_of (const VgImageInfo *info, const VgContourScale *scale);

/* One nucleus; lengths in pixels of the position, and in micrometres if a pixel has a size. */
typedef struct
{
  double seed_x, seed_y, x, y, area, perimeter, major, minor, eccentricity, angle_degrees, stain,
      density;
  double area_um2, perimeter_um, major_um, minor_um;
  double doubt; /* 0 to 1: the larger, the more likely the outline is wrong */
  VgContourVerdict verdict;
  VgContourPositive positive;
} VgContourRow;

/* OUTLINE and MASK of OBJECT; STAIN and, or NULL, DENSITY: planes of the object's image, WIDTH
 * wide. */
void vg_contour_row_measure (VgContourRow *self, const VgContourObject *object,
                             const VgContourMask *mask, const VgContourShape *outline,
                             const float *stain, const float *density, int width,
                             const VgContourPosition *place);
/* There are columns in micrometres if PLACE has a pixel size, and of the truth if there is one. */
void vg_contour_table_head (GString *text, const VgContourPosition *place);
/* PARTNERS: numbers of the objects that share OVERLAP of its pixels. */
void vg_contour_table_row (GString *text, guint id, const VgContourRow *row, double overlap,
                           const char *partners, const VgContourPosition *place);
void vg_contour_json_head (GString *text);
void vg_contour_json_row (GString *text, guint id, const VgContourRow *row, double overlap,
                          const VgContourShape *outline, const VgContourPosition *place,
                          gboolean first);
void vg_contour_json_end (GString *text);
/* Adds the counts of lost objects, with advice if most of SEEDS vanished.  MEASURED: RADIUS was
 * estimated from the image. */
void vg_contour_add_losses (VgMetrics *metrics, const VgContourLosses *losses, guint seeds,
                            double radius, gboolean measured);
/* Adds the areas of tissue and artefacts, from the PIXELS of each matter, and how dense NUCLEI are
 * in tissue. */
void vg_contour_add_matters (VgMetrics *metrics, const gint64 pixels[VG_CONTOUR_MATTERS],
                             guint nuclei, const VgContourPosition *place);
/* Adds NUCLEI per AREA_MM2 of tissue, with the standard error of counting. */
void vg_contour_add_tissue_density (VgMetrics *metrics, double nuclei, double area_mm2);
/* VgTiled.sum: counts, areas and times add up, means are weighted by the number of nuclei. */
void vg_contour_sum (const VgMetrics *const *regions, guint n, VgMetrics *all);
/* Adds the reason why the learned force could not be used; WITHOUT_NET: NULL if it could. */
void vg_contour_add_force (VgMetrics *metrics, const char *without_net);
/* Adds metrics of the stain, and of the polarity that was estimated. */
void vg_contour_add_stain (VgMetrics *metrics, const VgContourScale *scale);
/* Adds the number of contours that were MOVING at the last iteration.  FAR_FROM_CONVERGENCE of all
 * OBJECTS moved so much that more iterations would change them. */
void vg_contour_add_moving (VgMetrics *metrics, guint moving, guint far_from_convergence,
                            guint objects);
/* MEAN_AREA in pixels of PLACE, RADIUS in pixels of the image. */
void vg_contour_add_sizes (VgMetrics *metrics, double mean_area, double radius,
                           const VgContourPosition *place);

G_END_DECLS
