/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/perfusion/fit/perfusion-general.h"
#include "kernels/perfusion/model/perfusion-problem.h"
/* Initial values of the models of perfusion-general.h: a grid over their parameters, each grid
 * point with its two curves.  The exchange model has a thousand grid points and more.  Their
 * curves are mixtures of one curve of the artery and one of the portal vein, which many grid
 * points share, so each voxel is compared with each shared curve once. */
G_BEGIN_DECLS

enum { VG_PERFUSION_MAX_GROUPS = 96, VG_PERFUSION_MAX_PARTS = 192 };

/* The products of a grid point's two unit curves with a voxel's curve are WEIGHT times those of
 * these shared curves. */
typedef struct
{
  guint16 part[4]; /* u of artery and portal vein, then v of both */
  float weight[4];
  float overlap, inverse; /* of u and v; 1 / (1 - overlap^2) */
} VgPerfusionPointPair;

typedef struct
{
  int n, count; /* frames; grid points */
  int n_parts;  /* exchange: number of shared curves */
  /* The number of consecutive grid points that form a group, at most MAX_GROUPS groups.  A group
   * has the same rates (Patlak: arterial delay; exchange with two inputs: arterial fraction). */
  int group;
  double (*points)[VG_PERFUSION_UNKNOWNS];
  /* NULL for the exchange model.  count * n values, of unit length in the metric of the weights,
   * times the weight. */
  float *u, *v;
  float *overlap, *inverse;    /* count */
  VgPerfusionPointPair *pairs; /* count; NULL for the other models */
  /* NULL for the other models.  n * n_parts values, frame by frame: of unit length in the metric
   * of the weights, times the weight. */
  float *parts;
} VgPerfusionGrid;

VgPerfusionGrid *vg_perfusion_grid_new (const VgPerfusionProblem *problem, int threads);
void vg_perfusion_grid_free (VgPerfusionGrid *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgPerfusionGrid, vg_perfusion_grid_free)

/* Finds the best grid point of each group for CURVE, n values STRIDE apart: its score and its
 * index. */
void vg_perfusion_grid_score (const VgPerfusionGrid *self, const double *curve, int stride,
                              float *scores, int *where);

/* The fraction of the voxel's curve that the grid point PLACE explains; PRODUCTS: of the shared
 * curves with it. */
VG_SCALAR float
vg_perfusion_point_score (const VgPerfusionPointPair *place, const float *products)
{
  float u = place->weight[0] * products[place->part[0]] +
            place->weight[1] * products[place->part[1]];
  float v = place->weight[2] * products[place->part[2]] +
            place->weight[3] * products[place->part[3]];

  return vg_perfusion_pair_score (u, v, place->overlap, place->inverse);
}

G_END_DECLS
