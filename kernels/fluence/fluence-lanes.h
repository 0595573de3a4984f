/* SPDX-License-Identifier: MIT */
#pragma once
#include "fluence-tally.h"
/* The walk of one thread's photons, and what threads share (fluence-walk.c). */
G_BEGIN_DECLS

enum { LANES = 32 };   /* photons at once */

typedef struct
{
  float x[LANES], y[LANES], z[LANES], ux[LANES], uy[LANES], uz[LANES], time[LANES];
  float step[LANES], thickness[LANES], fraction[LANES], one_plus[LANES], twice[LANES], square[LANES], slowness[LANES];
  gint32 row_first[LANES], row_last[LANES];
  gint32 cell[LANES], hit[LANES];
  guint32 u1[LANES], u2[LANES];
  guint64 random[LANES], weight[LANES], lost[LANES], lost_shift[LANES], score[LANES];
  guint64 absorbed[LANES];     /* by this photon */
  guint64 attention[LANES];
  gint32 medium[LANES];        /* 1-based layer */
  gboolean alive[LANES];
  guint64 ends[LANES], end;    /* the step after which a photon is given up; the first of them, or earlier */
  guint64 steps;               /* so far */
} VgFluenceLanes __attribute__ ((aligned (64)));

/* What a thread keeps from one call to the next. */
typedef struct
{
  VgFluenceLanes lanes;
  guint64 first, end;          /* taken from the run's photons, not yet launched */
} VgFluenceHand;

struct _VgFluenceWalk
{
  const VgFluenceMedium *medium;
  VgFluenceLayout layout;
  guint32 seed;
  gboolean score;
  int threads;
  guint64 **tallies;           /* of each thread but the first, or NULL: shared, added to atomically */
  VgFluenceHand *hands;        /* one per thread */
  guint64 next;                /* the first photon that no thread has taken */
  gboolean under_way;          /* photons are left from the last call */
};

/* A thread's share of a run. */
typedef struct
{
  VgFluenceWalk *walk;
  VgFluenceHand *hand;
  VgFluenceLanes *lanes;       /* the hand's */
  guint64 *tally;
  gboolean atomic;
  guint64 last;
} VgFluenceShare;

/* Launches the first photon of each lane. */
void    vg_fluence_lanes_start (VgFluenceShare *self);
/* Until the last photon has ended, or DEADLINE (0: none) has passed. */
void    vg_fluence_lanes_trace (VgFluenceShare *self, gint64 deadline);
guint64 vg_fluence_lanes_alive (const VgFluenceLanes *self);

G_END_DECLS
