/* SPDX-License-Identifier: MIT */
#include "kernels/fluence/walk/fluence-lanes.h"
#include "kernels/base/vg-error.h"
#ifdef _OPENMP
#include <omp.h>
#endif
/* The photon walk on the CPU.  Each photon has its own random numbers, and tallies are whole
 * numbers: the result is the same bit for bit on any number of threads and lanes. */

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
  self->workers = g_aligned_alloc0 ((gsize) self->threads, sizeof (VgFluenceWorker), 64);
  if (self->layout.size > VG_FLUENCE_PRIVATE_CELLS || self->threads == 1)
    return self;
  self->tallies = g_new0 (guint64 *, self->threads);
  for (int t = 1; t < self->threads; t++)
    {
      self->tallies[t] = g_try_new0 (guint64, self->layout.size);
      if (self->tallies[t] != NULL)
        continue;
      g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_MEMORY,
                   "there is not enough memory for the tallies of %d threads; set fewer bins, or "
                   "use fewer threads",
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
  g_aligned_free (self->workers);
  g_free (self);
}

/* Traces photons on thread T. */
static void
trace_worker (VgFluenceWalk *self, int t, guint64 last, gint64 deadline, guint64 *tally)
{
  VgFluenceWorker *worker = &self->workers[t];
  VgFluenceTask task = { .walk = self,
                         .worker = worker,
                         .lanes = &worker->lanes,
                         .tally = t > 0 && self->tallies != NULL ? self->tallies[t] : tally,
                         .atomic = self->tallies == NULL && self->threads > 1,
                         .last = last };

  if (!self->unfinished)
    vg_fluence_lanes_start (&task);
  if (vg_fluence_lanes_alive (task.lanes) > 0)
    vg_fluence_lanes_trace (&task, deadline);
}

guint64
vg_fluence_walk_run (VgFluenceWalk *self, guint64 first, guint64 last, gint64 deadline,
                     guint64 *tally)
{
  guint64 left;

  if (!self->unfinished)
    self->next = first;
#pragma omp parallel for num_threads(self->threads) schedule(static, 1)
  for (int t = 0; t < self->threads; t++)
    trace_worker (self, t, last, deadline, tally);
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
    left += vg_fluence_lanes_alive (&self->workers[t].lanes) + self->workers[t].end -
            self->workers[t].first;
  self->unfinished = left > 0;
  return left;
}
