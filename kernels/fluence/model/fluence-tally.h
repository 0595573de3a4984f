/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/fluence/model/fluence-medium.h"
/* All that photons leave behind: whole numbers in one array, so that the sum
 * over threads, devices and batches does not depend on their order.  The unit
 * is 2^-20 of a packet's weight at launch, if not said otherwise.  Columns
 * are bins of radius, the last one everything outside. */
G_BEGIN_DECLS

/* Indices of the single numbers at VgFluenceLayout.totals. */
enum {
  VG_FLUENCE_TOTAL_ROULETTE, /* taken less given by roulette, unit 2^-31, signed */
  VG_FLUENCE_TOTAL_LOST,     /* given up after too many collisions */
  VG_FLUENCE_TOTAL_ABSORBED, /* reflectance only: what collisions took */
  VG_FLUENCE_TOTALS = 4,
};

/* Where each part begins. */
typedef struct
{
  gsize cells;                  /* 0: column * rows + row; see fluence-medium.h */
  gsize reflected, transmitted; /* column * na + angle */
  /* sums of squared weights, unit 2^-24, by column, by angle */
  gsize reflected_square[2], transmitted_square[2];
  gsize gates[2];        /* reflected, transmitted by time of exit; the last one is later */
  gsize gates_square[2]; /* sums of squared weights, likewise */
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

/* Traces the photons FIRST .. LAST - 1 on THREADS threads and adds to TALLY
 * (layout.size numbers), until DEADLINE at most (monotonic time; 0: until all
 * have ended).  Returns how many of them have not ended; then the next call
 * has to be for the same photons and goes on with them.  SCORE FALSE:
 * reflectance and transmittance only. */
/* Threads have tallies of their own up to this many numbers. */
enum { VG_FLUENCE_PRIVATE_CELLS = 1 << 21 };
typedef struct _VgFluenceWalk VgFluenceWalk;
VgFluenceWalk *vg_fluence_walk_new (const VgFluenceMedium *medium, guint32 seed, gboolean score,
                                    int threads, GError **error);
guint64 vg_fluence_walk_run (VgFluenceWalk *self, guint64 first, guint64 last, gint64 deadline,
                             guint64 *tally);
void vg_fluence_walk_free (VgFluenceWalk *self);

G_END_DECLS
