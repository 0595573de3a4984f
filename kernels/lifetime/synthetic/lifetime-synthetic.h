/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/core/vg-operation.h"
/* Synthetic photon counts of known lifetimes, in 256 bins of 0.1 ns: cells (lifetime-cells.h), and
 * four vertical bars.  For methods of one lifetime the bars have 2, 2.5, 3 and 4 ns.  For those of
 * two lifetimes, 0.5 and 2.5 ns, the amplitude fractions of the short one are 0.8, 0.6, 0.4 and
 * 0.2.  A batch has 1500 photons per pixel on average; live data accumulate photons as an
 * instrument does, all of them or those of the last seconds. */
G_BEGIN_DECLS

extern const VgSynthetic vg_lifetime_synthetic;

/* VgSyntheticSize.sample */
enum { VG_LIFETIME_SAMPLE_CELLS, VG_LIFETIME_SAMPLE_GRID };

enum {
  VG_LIFETIME_BARS = 4,
  VG_LIFETIME_SYNTHETIC_BINS = 256,
  VG_LIFETIME_SYNTHETIC_PHOTONS = 1500
};
extern const double vg_lifetime_bar_ns[VG_LIFETIME_BARS],
    vg_lifetime_bar_fraction[VG_LIFETIME_BARS];
#define VG_LIFETIME_BAR_SHORT_NS 0.5
#define VG_LIFETIME_BAR_LONG_NS 2.5

static inline int
vg_lifetime_bar (int x, int width)
{
  return (int) ((gint64) x * VG_LIFETIME_BARS / width);
}

/* Draws photons from a decay in bins by Walker's alias method. */
typedef struct
{
  int bins;
  guint32 *limit; /* threshold for the upper 32 bits of the random number, in each cell */
  int *other;
} VgLifetimeDice;

/* PROBABILITY of each bin, in any unit. */
void vg_lifetime_dice_init (VgLifetimeDice *self, const double *probability, int bins);
void vg_lifetime_dice_clear (VgLifetimeDice *self);
/* Adds PHOTONS random photons to COUNTS; KEY is the seed. */
void vg_lifetime_dice_throw (const VgLifetimeDice *self, guint64 key, int photons, guint16 *counts);
/* A Poisson variate; above a mean of 50 a rounded normal variate. */
int vg_lifetime_poisson (double mean, guint64 key);
/* Adds AMPLITUDE exp (-t / TAU), integrated over each bin of H ns. */
void vg_lifetime_add_decay (double *probability, int bins, double h, double amplitude, double tau);

G_END_DECLS
