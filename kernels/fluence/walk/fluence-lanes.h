/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/fluence/model/fluence-tally.h"
/* The photon walk of one thread, and the state that threads share. */
G_BEGIN_DECLS

enum { VG_FLUENCE_LANES = 32 }; /* photons that a thread traces at once */

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
  guint64 absorbed[VG_FLUENCE_LANES]; /* weight absorbed from this photon */
  guint64 attention[VG_FLUENCE_LANES];
  gint32 medium[VG_FLUENCE_LANES]; /* 1-based layer */
  gboolean alive[VG_FLUENCE_LANES];
  /* the step at which each photon is discarded; a lower bound of these */
  guint64 ends[VG_FLUENCE_LANES], end;
  guint64 steps; /* so far */
} VgFluenceLanes __attribute__ ((aligned (64)));

/* State of a thread between calls. */
typedef struct
{
  VgFluenceLanes lanes;
  guint64 first, end; /* claimed photons that are not launched yet */
} VgFluenceWorker;

struct _VgFluenceWalk
{
  const VgFluenceMedium *medium;
  VgFluenceLayout layout;
  guint32 seed;
  gboolean score;
  int threads;
  /* of each thread but the first; NULL: all add to one tally atomically */
  guint64 **tallies;
  VgFluenceWorker *workers; /* one per thread */
  guint64 next;             /* the first photon that no thread has claimed */
  gboolean unfinished;      /* photons of the last call have not ended */
};

/* Arguments of one call on one thread. */
typedef struct
{
  VgFluenceWalk *walk;
  VgFluenceWorker *worker;
  VgFluenceLanes *lanes; /* those of `worker` */
  guint64 *tally;
  gboolean atomic;
  guint64 last;
} VgFluenceTask;

/* Launches the first photon of each lane. */
void vg_fluence_lanes_start (VgFluenceTask *self);
/* Traces photons until the last has ended, or until DEADLINE (0: none). */
void vg_fluence_lanes_trace (VgFluenceTask *self, gint64 deadline);
/* Number of photons that have not ended. */
guint64 vg_fluence_lanes_alive (const VgFluenceLanes *self);

G_END_DECLS
