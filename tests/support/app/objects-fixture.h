/* SPDX-License-Identifier: MIT */
#pragma once
#include "io/source/vg-source.h"
/* The synthetic picture of `contour`, and what `contour` wrote into a folder: rows of objects.csv,
 * outlines, labels, numbers; and two such folders compared. */
G_BEGIN_DECLS

#define OBJECTS_PIXEL_UM 0.5 /* of the synthetic picture */

/* id, seed_x, seed_y, x, y, area_px2, perimeter_px, major_px, minor_px,
 * eccentricity, angle_degrees, mean_stain, mean_od, overlap_px2, number of
 * partners. */
typedef struct
{
  double values[15];
} ObjectRow;

/* Nuclei of a size that the seeds find by themselves. */
VgImage *objects_picture (int width, int height);
gboolean objects_has_column (const char *out, const char *column);
GArray *objects_rows (const char *out);
/* Every row of A has its like in B, which has no other.  EXACT: the very same;
 * else the outlines are within 0.1 px but for one in two hundred, whose
 * neighbours' neighbours a halo cuts, and all are within 1 px. */
void objects_compare (const char *of_a, const char *of_b, gboolean exact);
/* Pixels of A's labels that are of another nucleus in B, of all. */
double objects_different (const char *a, const char *b, const char *name);
/* A number of summary.json. */
double objects_result (const char *out, const char *id);

G_END_DECLS
