/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/perfusion/vessels/perfusion-vessels.h"
/* How likely each voxel is artery, portal vein and liver, from its curve alone. */
G_BEGIN_DECLS

typedef struct
{
  const VgPerfusionVoxels *voxels;
  gsize all, width, height, slices;
  float *score; /* per voxel; 0: no candidate */
  double interval_s;
  const VgPerfusionGrown *artery, *portal; /* once found; portal: only if sure */
} VgPerfusionSearch;

/* The smallest difference in shape between CURVE and the N_TEMPLATES templates, relative to CURVE.
 * The contribution of NOISE, the standard deviation of a sample, is subtracted. */
double vg_perfusion_shape_difference (const VgPerfusionVoxels *voxels, const double *curve,
                                      double noise, const double *templates, int n_templates);
/* Set the score: of the artery; then, once that is found, of the portal vein; then of the liver. */
void vg_perfusion_score_arteries (VgPerfusionSearch *self);
void vg_perfusion_score_veins (VgPerfusionSearch *self);
void vg_perfusion_score_liver (VgPerfusionSearch *self);

G_END_DECLS
