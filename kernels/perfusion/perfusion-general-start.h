/* SPDX-License-Identifier: MIT */
#pragma once
#include "perfusion-general.h"
#include "perfusion-problem.h"
/* Starts of the models of perfusion-general.h: a grid over their unknowns,
 * each place with its two curves. */
G_BEGIN_DECLS

enum { VG_PERFUSION_MAX_GROUPS = 96 };

typedef struct
{
  int n, count;              /* frames, places */
  int group;                 /* so many places, one after the other, have the same rates (Patlak: arterial delay); at most MAX_GROUPS groups */
  double (*places)[VG_PERFUSION_UNKNOWNS];
  float *u, *v;              /* count * n, of unit length in the metric of the weights, times the root of the weight */
  float *overlap, *inverse;  /* count */
} VgPerfusionPlaces;

VgPerfusionPlaces *vg_perfusion_places_new  (const VgPerfusionProblem *problem, int threads);
void               vg_perfusion_places_free (VgPerfusionPlaces *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgPerfusionPlaces, vg_perfusion_places_free)

G_END_DECLS
