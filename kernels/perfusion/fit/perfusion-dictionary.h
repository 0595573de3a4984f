/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/perfusion/model/perfusion-problem.h"
/* The start of the fit of one compartment.  All voxels share the inputs, so
 * the curves of a grid of rates and delays are made once; a voxel takes the
 * pair of an arterial and a portal curve that leaves the least, its two
 * non-negative amounts in closed form.  The curves are smooth, so a few
 * orthonormal directions hold them all, and voxel and curves are compared
 * there: the cost does not grow with the number of frames. */
G_BEGIN_DECLS

enum {
  VG_PERFUSION_RATES = 24,
  VG_PERFUSION_GRID_DELAYS = 12,
  VG_PERFUSION_RANK = 16,
  VG_PERFUSION_CURVES = VG_PERFUSION_RATES * VG_PERFUSION_GRID_DELAYS,
  VG_PERFUSION_PAIRS = VG_PERFUSION_CURVES * VG_PERFUSION_GRID_DELAYS,
};

typedef struct
{
  int n;
  double rate[VG_PERFUSION_RATES];        /* 1/s */
  double delay[VG_PERFUSION_GRID_DELAYS]; /* s */
  /* n * RANK values, multiplied by the square root of the frame's weight */
  float *directions;
  float a[VG_PERFUSION_CURVES][VG_PERFUSION_RANK]; /* of unit length; by rate, then delay */
  float p[VG_PERFUSION_CURVES][VG_PERFUSION_RANK];
  /* The product a . p, by rate, delay of a, delay of p; NaN: no pair. */
  float overlap[VG_PERFUSION_PAIRS];
  float inverse[VG_PERFUSION_PAIRS]; /* 1 / (1 - overlap^2) */
  gboolean shared;                   /* Both inputs have the same delay. */
  /* The smallest fraction of a curve's square that the directions contain. */
  double captured;
} VgPerfusionDictionary;

/* The index of the delay of the first or SECOND input in a pair.  With SHARED delays, pairs of
 * two different delays stand for one input alone: the portal vein if its delay is not the first. */
VG_SCALAR int
vg_perfusion_pair_delay (int pair, int second, int shared)
{
  int a = pair / VG_PERFUSION_GRID_DELAYS % VG_PERFUSION_GRID_DELAYS,
      p = pair % VG_PERFUSION_GRID_DELAYS;

  return shared ? (p != 0 ? p : a) : second ? p : a;
}

/* For VG_PERFUSION_COMPARTMENT.  NULL: there is not enough memory. */
VgPerfusionDictionary *vg_perfusion_dictionary_new (const VgPerfusionProblem *problem);
void vg_perfusion_dictionary_free (VgPerfusionDictionary *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgPerfusionDictionary, vg_perfusion_dictionary_free)

G_END_DECLS
