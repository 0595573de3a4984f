/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/fluence/model/fluence-medium.h"
/* Tallies of photon packets: whole numbers in one array, so that sums over threads, devices and
 * batches do not depend on their order.  The unit is 2^-20 of a packet's initial weight unless
 * stated otherwise.  Columns are bins of radius; the last has everything outside the grid. */
G_BEGIN_DECLS

enum { VG_FLUENCE_DEPTH_BATCHES = 64 }; /* whose fluence at each depth is kept */

/* Offsets from VgFluenceLayout.totals. */
enum {
  VG_FLUENCE_TOTAL_ROULETTE, /* weight that roulette removed minus added; unit 2^-31, signed */
  VG_FLUENCE_TOTAL_LOST,     /* weight of packets discarded after too many events */
  VG_FLUENCE_TOTAL_ABSORBED, /* absorbed weight, of runs without maps */
  VG_FLUENCE_TOTALS = 4,
};

/* Index at which each part of the array begins. */
typedef struct
{
  gsize cells;                  /* 0: column * rows + row; see fluence-medium.h */
  gsize reflected, transmitted; /* column * na + angle */
  /* sums of squared weights, unit 2^-24, by column, by angle */
  gsize reflected_square[2], transmitted_square[2];
  gsize gates[2];        /* reflected, transmitted, by exit time; the last is after all gates */
  gsize gates_square[2]; /* sums of squared weights, by the same bins */
  gsize totals;
  gsize size;
} VgFluenceLayout;

VG_SCALAR VgFluenceLayout
vg_fluence_layout (gsize cells, int columns, int na, int gates)
{
  VgFluenceLayout self;
  gsize exits = (gsize) columns * (gsize) na;

  self.cells = 0;
  self.reflected = cells;
  self.transmitted = self.reflected + exits;
  self.reflected_square[0] = self.transmitted + exits;
  self.reflected_square[1] = self.reflected_square[0] + (gsize) columns;
  self.transmitted_square[0] = self.reflected_square[1] + (gsize) na;
  self.transmitted_square[1] = self.transmitted_square[0] + (gsize) columns;
  self.gates[0] = self.transmitted_square[1] + (gsize) na;
  self.gates[1] = self.gates[0] + (gsize) gates + 1;
  self.gates_square[0] = self.gates[1] + (gsize) gates + 1;
  self.gates_square[1] = self.gates_square[0] + (gsize) gates + 1;
  self.totals = self.gates_square[1] + (gsize) gates + 1;
  self.size = self.totals + VG_FLUENCE_TOTALS;
  return self;
}

/* Largest tally of which each thread has its own. */
enum { VG_FLUENCE_PRIVATE_CELLS = 1 << 21 };

typedef struct _VgFluenceWalk VgFluenceWalk;

/* Photon walk on THREADS threads (0: all).  SCORE FALSE: tallies reflectance and transmittance
 * only. MEDIUM must outlive it.  NULL and VG_OPERATION_ERROR_MEMORY if memory is short. */
VgFluenceWalk *vg_fluence_walk_new (const VgFluenceMedium *medium, guint32 seed, gboolean score,
                                    int threads, GError **error);
/* Traces photons FIRST to LAST - 1 and adds them to the layout.size numbers of TALLY, until
 * DEADLINE (monotonic time in us; 0: none).  Returns the number of photons that have not ended; if
 * it is not 0, the next call must have the same FIRST and LAST and continues them. */
guint64 vg_fluence_walk_run (VgFluenceWalk *self, guint64 first, guint64 last, gint64 deadline,
                             guint64 *tally);
void vg_fluence_walk_free (VgFluenceWalk *self);

G_END_DECLS
