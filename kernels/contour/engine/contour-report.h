/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/contour/model/contour-grey.h"
#include "kernels/contour/shapes/contour-mask.h"
#include "kernels/contour/evolve/contour-scene.h"
#include "kernels/contour/engine/contour-finalise.h"
#include "kernels/base/vg-image.h"
#include "kernels/base/vg-metrics.h"
/* Nuclei as rows of a table and as features of GeoJSON. */
G_BEGIN_DECLS

/* Where an image's pixels lie: of a slide's part in pixels of level 0, else as they are. */
typedef struct
{
  double x, y, scale;
  double um[2];     /* width and height of such a pixel; 0: not known */
  gboolean stained; /* what is seen there is a stain, which has an optical density */
} VgContourPosition;

VgContourPosition vg_contour_position_of (const VgImageInfo *info, const VgContourScale *scale);

/* One nucleus, lengths in the place's pixels, and in micrometres where these have a size. */
typedef struct
{
  double seed_x, seed_y, x, y, area, perimeter, major, minor, eccentricity, angle_degrees, stain,
      density;
  double area_um2, perimeter_um, major_um, minor_um;
} VgContourRow;

/* OUTLINE and MASK of OBJECT; STAIN and, or NULL, DENSITY: planes of the object's image, WIDTH
 * wide. */
void vg_contour_row_measure (VgContourRow *self, const VgContourObject *object,
                             const VgContourMask *mask, const VgContourShape *outline,
                             const float *stain, const float *density, int width,
                             const VgContourPosition *place);
/* Columns in micrometres are there where PLACE knows them. */
void vg_contour_table_head (GString *text, const VgContourPosition *place);
/* PARTNERS: numbers of the objects that share OVERLAP of its pixels. */
void vg_contour_table_row (GString *text, guint id, const VgContourRow *row, double overlap,
                           const char *partners, const VgContourPosition *place);
void vg_contour_json_head (GString *text);
void vg_contour_json_row (GString *text, guint id, const VgContourRow *row, double overlap,
                          const VgContourShape *outline, const VgContourPosition *place,
                          gboolean first);
void vg_contour_json_end (GString *text);
/* The mean area in pixels of PLACE, and the radius in pixels of the image. */
/* What became of contours; an advice when most of those of SEEDS vanished, by a radius that was set
 * or MEASURED. */
void vg_contour_add_losses (VgMetrics *metrics, const VgContourLosses *losses, guint seeds,
                            double radius, gboolean measured);
/* Of a stain whose colour was sought in the image. */
void vg_contour_add_stain (VgMetrics *metrics, const VgContourScale *scale);
/* CUT_OFF: no iteration is left to them. */
/* FAR_FROM_CONVERGENCE: of all objects those that the iterations' end cut off as they moved more
 * than a little. */
void vg_contour_add_moving (VgMetrics *metrics, guint moving, guint far_from_convergence,
                            guint objects);
void vg_contour_add_sizes (VgMetrics *metrics, double mean_area, double radius,
                           const VgContourPosition *place);

G_END_DECLS
