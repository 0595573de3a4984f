/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/lifetime/fit/lifetime-fit.h"
#include "kernels/lifetime/fit/lifetime-fit-lane.h"
#include "kernels/base/vg-simd.h"
/* The vectors of pixels that the CPU fits share: the decays of VG_N_LANES pixels, one in each
 * lane. */
G_BEGIN_DECLS

/* Up to VG_N_LANES pixels of a cube.  SAMPLES holds bins x lanes. */
typedef struct
{
  VgLanes *samples, area;
  VgMask there;
  gsize pixel[VG_N_LANES];
  int n;
} VgLifetimeTile;

/* Loads the samples of bins [first, end) of the tile's pixels.  Unused lanes repeat the last
 * pixel and are 0 in `there`. */
void vg_lifetime_tile_load (VgLifetimeTile *self, const VgLifetimeCube *cube, int first, int end);
/* Stores the results of the fit, VG_LIFETIME_FIT_N_PLANES vectors, in the maps. */
void vg_lifetime_tile_store (const VgLifetimeTile *self, const VgLanes *planes,
                             VgLifetimeFitMaps *maps);

/* Loads the samples of the pixels of the lanes in WHICH, or of all lanes if WHICH is NULL. */
void vg_lifetime_tile_fill (VgLifetimeTile *self, const VgLifetimeCube *cube, const VgMask *which,
                            int first, int end);
void vg_lifetime_tile_store_lane (const VgLifetimeTile *self, int lane, const VgLanes *planes,
                                  VgLifetimeFitMaps *maps);

/* One pass over the bins, compiled for this fit's shape. */
typedef void (*VgLifetimePass) (const VgLifetimeFit *fit, const VgLanes *samples, const VgLanes *x,
                                VgFitSums *sums);
VgLifetimePass vg_lifetime_pass (const VgLifetimeFit *fit);
/* Runs passes and steps from STATE until the fit of each lane has ended. */
void vg_lifetime_fit_run (const VgLifetimeFit *fit, const VgLanes *samples, VgFitState *state,
                          VgFitSums *sums);

/* Fits a tile, from X or, if X is NULL, from the fit's initial values. */
void vg_lifetime_fit_tile (const VgLifetimeFit *fit, const VgLifetimeTile *tile, const VgLanes *x,
                           VgFitResult *result);

static inline VgFitShape
vg_lifetime_fit_shape (const VgLifetimeFit *fit)
{
  return (VgFitShape){ fit->stretched ? 0 : fit->terms, fit->free_offset, fit->irf != NULL };
}

G_END_DECLS
