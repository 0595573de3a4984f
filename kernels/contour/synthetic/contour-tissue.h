/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* Tissue as in a section stained with haematoxylin and eosin: glands, and between them stroma with
 * fibroblasts, lymphocytes and gaps.  Lengths are in pixels. */
G_BEGIN_DECLS

/* An ellipse; a wave makes it the shape of an egg or of a rounded triangle. */
typedef struct
{
  double x, y, a, b, cosine, sine, wave;
  double stain; /* relative to the average nucleus */
} VgContourNucleus;

/* At most 1 inside. */
double vg_contour_nucleus_value (const VgContourNucleus *self, double x, double y);
typedef struct _VgContourTissue VgContourTissue;

VgContourTissue *vg_contour_tissue_new (int width, int height, guint64 seed);
void vg_contour_tissue_free (VgContourTissue *self);
/* Its nuclei, of VgContourNucleus. */
GArray *vg_contour_tissue_get_nuclei (const VgContourTissue *self);
/* What lies around the nuclei at (X, Y): the optical density of eosin, and of haematoxylin. */
void vg_contour_tissue_ground (const VgContourTissue *self, double x, double y, double *eosin,
                               double *haematoxylin);
/* How dark the chromatin of a nucleus is at (X, Y), relative to its average. */
double vg_contour_tissue_chromatin (double x, double y, double value, guint64 seed);

G_END_DECLS
