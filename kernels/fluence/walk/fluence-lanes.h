/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/fluence/model/fluence-tally.h"
/* The walk of one thread's photons, and what threads share (fluence-walk.c). */
G_BEGIN_DECLS

enum { VG_FLUENCE_LANES = 32 }; /* photons at once */

typedef struct
{
  float x[VG_FLUENCE_LANES], y[VG_FLUENCE_LANES], z[VG_FLUENCE_LANES], ux[VG_FLUENCE_LANES],
      uy[VG_FLUENCE_LANES], uz[VG_FLUENCE_LANES];
  float time[VG_FLUENCE_LANES], step[VG_FLUENCE_LANES], thickness[VG_FLUENCE_LANES],
      fraction[VG_FLUENCE_LANES];
  float one_plus[VG_FLUENCE_LANES], twice[VG_FLUENCE_LANES], square[VG_FLUENCE_LANES],
      slowness[VG_FLUENCE_LANES];
  gint32 row_first[VG_FLUENCE_LANES], row_last[VG_FLUENCE_LANES];
  gint32 cell[VG_FLUENCE_LANES], hit[VG_FLUENCE_LANES];
  guint32 u1[VG_FLUENCE_LANES], u2[VG_FLUENCE_LANES];
  guint64 random[VG_FLUENCE_LANES], weight[VG_FLUENCE_LANES], lost[VG_FLUENCE_LANES],
      lost_shift[VG_FLUENCE_LANES], score[VG_FLUENCE_LANES];
  guint64 absorbed[VG_FLUENCE_LANES]; /* by this photon */
  guint64 attention[VG_FLUENCE_LANES];
  gint32 medium[VG_FLUENCE_LANES]; /* 1-based layer */
  gboolean alive[VG_FLUENCE_LANES];
  /* the step after which a photon is given up; the first of them, or earlier */
  guint64 ends[VG_FLUENCE_LANES], end;
  guint64 steps; /* so far */
} VgFluenceLanes __attribute__ ((aligned (64)));

/* What a thread keeps from one call to the next. */
typedef struct
{
  VgFluenceLanes lanes;
  guint64 first, end; /* taken from the run's photons, not yet launched */
} VgFluenceHand;

struct _VgFluenceWalk
{
  const VgFluenceMedium *medium;
  VgFluenceLayout layout;
  guint32 seed;
  gboolean score;
  int threads;
  /* of each thread but the first, or NULL: shared, added to atomically */
  guint64 **tallies;
  VgFluenceHand *hands; /* one per thread */
  guint64 next;         /* the first photon that no thread has taken */
  gboolean under_way;   /* photons are left from the last call */
};

/* A thread's share of a run. */
typedef struct
{
  VgFluenceWalk *walk;
  VgFluenceHand *hand;
  VgFluenceLanes *lanes; /* the hand's */
  guint64 *tally;
  gboolean atomic;
  guint64 last;
} VgFluenceShare;

/* Launches the first photon of each lane. */
void vg_fluence_lanes_start (VgFluenceShare *self);
/* Until the last photon has ended, or DEADLINE (0: none) has passed. */
void vg_fluence_lanes_trace (VgFluenceShare *self, gint64 deadline);
guint64 vg_fluence_lanes_alive (const VgFluenceLanes *self);

G_END_DECLS
