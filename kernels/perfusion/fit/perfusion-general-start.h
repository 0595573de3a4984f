/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/perfusion/fit/perfusion-general.h"
#include "kernels/perfusion/model/perfusion-problem.h"
/* Starts of the models of perfusion-general.h: a grid over their unknowns.
 * each place with its two curves.  Exchange has a thousand places and more: its
 * curves are mixtures of one of the artery and one of the portal vein, which
 * many places share, and a voxel is compared with each of these once. */
G_BEGIN_DECLS

enum { VG_PERFUSION_MAX_GROUPS = 96, VG_PERFUSION_MAX_PARTS = 192 };

/* The products of a place's two curves, of unit length, with a voxel's are
 * WEIGHT times those of these parts. */
typedef struct
{
  guint16 part[4]; /* u of artery and portal vein, v of both */
  float weight[4];
  float overlap, inverse; /* of u and v; 1 / (1 - overlap^2) */
} VgPerfusionPlace;

typedef struct
{
  int n, count; /* frames, places */
  int n_parts;  /* exchange: curves that places share */
  int group; /* so many places, one after the other, are one group: the same rates (Patlak: arterial
              * delay; exchange with two inputs: artery's share); at most MAX_GROUPS groups */
  double (*places)[VG_PERFUSION_UNKNOWNS];
  /* exchange: NULL are */
  /* count * n, of unit length in the metric of the weights, times the weight */
  float *u, *v;
  float *overlap, *inverse; /* count */
  /* and of all others */
  VgPerfusionPlace *pairs; /* count */
  /* n * n_parts, frame by frame: of unit length in the metric of the weights, times the weight */
  float *parts;
} VgPerfusionPlaces;

VgPerfusionPlaces *vg_perfusion_places_new (const VgPerfusionProblem *problem, int threads);
void vg_perfusion_places_free (VgPerfusionPlaces *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgPerfusionPlaces, vg_perfusion_places_free)

/* The best place of each group for CURVE, n values STRIDE apart: its score, and where it is. */
void vg_perfusion_places_score (const VgPerfusionPlaces *self, const double *curve, int stride,
                                float *scores, int *where);

/* How much of the voxel's curve PLACE takes; PRODUCTS: of the parts with it. */
VG_SCALAR float
vg_perfusion_place_score (const VgPerfusionPlace *place, const float *products)
{
  float u = place->weight[0] * products[place->part[0]] +
            place->weight[1] * products[place->part[1]];
  float v = place->weight[2] * products[place->part[2]] +
            place->weight[3] * products[place->part[3]];

  return vg_perfusion_pair_score (u, v, place->overlap, place->inverse);
}

G_END_DECLS
