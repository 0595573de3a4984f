/* SPDX-License-Identifier: MIT */
#include "kernels/fluence/walk/fluence-lanes.h"
#include "kernels/base/vg-error.h"
#ifdef _OPENMP
#include <omp.h>
#endif
/* The photon walk on the CPU, by all threads.  A photon's numbers come from its
 * own generator, so neither lane nor thread matters, and the tallies are whole
 * numbers: the result is the same bit for bit, however the work is cut. */

VgFluenceWalk *
vg_fluence_walk_new (const VgFluenceMedium *medium, guint32 seed, gboolean score, int threads,
                     GError **error)
{
  VgFluenceWalk *self = g_new0 (VgFluenceWalk, 1);

  self->medium = medium;
  self->layout = vg_fluence_layout (medium->cells, medium->columns, medium->na, medium->gates);
  self->seed = seed;
  self->score = score;
#ifdef _OPENMP
  self->threads = threads > 0 ? threads : omp_get_max_threads ();
#else
  self->threads = 1;
#endif
  self->hands = g_aligned_alloc0 ((gsize) self->threads, sizeof (VgFluenceHand), 64);
  if (self->layout.size > VG_FLUENCE_PRIVATE_CELLS || self->threads == 1)
    return self;
  self->tallies = g_new0 (guint64 *, self->threads);
  for (int t = 1; t < self->threads; t++)
    {
      self->tallies[t] = g_try_new0 (guint64, self->layout.size);
      if (self->tallies[t] != NULL)
        continue;
      g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_MEMORY,
                   "no memory for the tallies of %d threads; take fewer bins or fewer threads",
                   self->threads);
      vg_fluence_walk_free (self);
      return NULL;
    }
  return self;
}

void
vg_fluence_walk_free (VgFluenceWalk *self)
{
  if (self == NULL)
    return;
  for (int t = 1; self->tallies != NULL && t < self->threads; t++)
    g_free (self->tallies[t]);
  g_free (self->tallies);
  g_aligned_free (self->hands);
  g_free (self);
}

/* Thread T's share of the work. */
static void
trace_hand (VgFluenceWalk *self, int t, guint64 last, gint64 deadline, guint64 *tally)
{
  VgFluenceHand *hand = &self->hands[t];
  VgFluenceShare share = { .walk = self,
                           .hand = hand,
                           .lanes = &hand->lanes,
                           .tally = t > 0 && self->tallies != NULL ? self->tallies[t] : tally,
                           .atomic = self->tallies == NULL && self->threads > 1,
                           .last = last };

  if (!self->under_way)
    vg_fluence_lanes_start (&share);
  if (vg_fluence_lanes_alive (share.lanes) > 0)
    vg_fluence_lanes_trace (&share, deadline);
}

guint64
vg_fluence_walk_run (VgFluenceWalk *self, guint64 first, guint64 last, gint64 deadline,
                     guint64 *tally)
{
  guint64 left;

  if (!self->under_way)
    self->next = first;
#pragma omp parallel for num_threads(self->threads) schedule(static, 1)
  for (int t = 0; t < self->threads; t++)
    trace_hand (self, t, last, deadline, tally);
  for (int t = 1; self->tallies != NULL && t < self->threads; t++)
    {
      guint64 *other = self->tallies[t];

#pragma omp parallel for num_threads(self->threads)
      for (gsize i = 0; i < self->layout.size; i++)
        {
          tally[i] += other[i];
          other[i] = 0;
        }
    }
  left = last - MIN (self->next, last);
  for (int t = 0; t < self->threads; t++)
    left += vg_fluence_lanes_alive (&self->hands[t].lanes) + self->hands[t].end -
            self->hands[t].first;
  self->under_way = left > 0;
  return left;
}
