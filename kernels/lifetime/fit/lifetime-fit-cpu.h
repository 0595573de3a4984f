/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/lifetime/fit/lifetime-fit.h"
#include "kernels/lifetime/fit/lifetime-fit-lane.h"
#include "kernels/base/vg-simd.h"
/* What the CPU's fits share: histograms of 16 pixels side by side. */
G_BEGIN_DECLS

/* Up to VG_N_LANES pixels of CUBE; SAMPLES: bins x lanes. */
typedef struct
{
  VgLanes *samples, area;
  VgMask there;
  gsize pixel[VG_N_LANES];
  int n;
} VgLifetimeTile;

/* Fills SAMPLES of bins [first, end) for the pixels that are named; lanes that
 * are left over repeat the last pixel and are not `there`. */
void vg_lifetime_tile_load (VgLifetimeTile *self, const VgLifetimeCube *cube, int first, int end);
/* Stores what the fit gave: VG_LIFETIME_FIT_N_PLANES vectors. */
void vg_lifetime_tile_store (const VgLifetimeTile *self, const VgLanes *planes,
                             VgLifetimeFitMaps *maps);

/* Fills the samples of the lanes in WHICH (NULL: of all) with their pixels'. */
void vg_lifetime_tile_fill (VgLifetimeTile *self, const VgLifetimeCube *cube, const VgMask *which,
                            int first, int end);
void vg_lifetime_tile_store_lane (const VgLifetimeTile *self, int lane, const VgLanes *planes,
                                  VgLifetimeFitMaps *maps);

/* One pass over the bins, compiled for this fit's shape. */
typedef void (*VgLifetimePass) (const VgLifetimeFit *fit, const VgLanes *samples, const VgLanes *x,
                                VgFitSums *sums);
VgLifetimePass vg_lifetime_pass (const VgLifetimeFit *fit);
/* Passes and steps from STATE until its lanes are done. */
void vg_lifetime_fit_run (const VgLifetimeFit *fit, const VgLanes *samples, VgFitState *state,
                          VgFitSums *sums);

/* The fit of a tile: from X, or where X is NULL from the fit's start values. */
void vg_lifetime_fit_tile (const VgLifetimeFit *fit, const VgLifetimeTile *tile, const VgLanes *x,
                           VgFitResult *result);

static inline VgFitShape
vg_lifetime_fit_shape (const VgLifetimeFit *fit)
{
  return (VgFitShape){ fit->stretched ? 0 : fit->terms, fit->free_offset, fit->irf != NULL };
}

G_END_DECLS
