/* SPDX-License-Identifier: MIT */
#include "kernels/fluence/engine/fluence-engine.h"
#include "kernels/fluence/engine/fluence-run.h"
#include <string.h>
/* The CPU engine.  A step traces batches of photons until its time is used up.  A batch that takes
 * longer continues in the next step: without absorption a photon may take minutes. */

typedef struct
{
  VgFluenceRun *run;
  VgFluenceWalk *walk;
  double photons_per_s; /* in the last batch; 0: unknown */
  guint64 first, last;  /* photons of the current batch; equal: there is none */
  double spent;         /* seconds spent on it so far */
  /* of one of several ranks, each of which traces its part of a batch; else NULL */
  const VgRanks *ranks;
  guint64 *own; /* tally of this part, then the microseconds spent on it */
} State;

static void
state_free (gpointer data)
{
  State *self = data;

  if (self == NULL)
    return;
  vg_fluence_walk_free (self->walk);
  vg_fluence_run_free (self->run);
  g_free (self->own);
  g_free (self);
}

static gpointer
prepare (const VgContext *context, GError **error)
{
  State *self = g_new0 (State, 1);

  if (vg_fluence_validate (context->params, error) &&
      vg_fluence_check_memory (
          context->params, context->threads > 0 ? context->threads : (int) g_get_num_processors (),
          0, error))
    self->run = vg_fluence_run_new (context, error);
  if (self->run != NULL)
    self->walk = vg_fluence_walk_new (self->run->medium, (guint32) self->run->params.seed,
                                      !self->run->params.reflectance_only, context->threads, error);
  self->ranks = context->ranks;
  if (self->walk != NULL && self->ranks != NULL)
    {
      self->own = g_try_new0 (guint64, self->run->layout.size + 1);
      if (self->own == NULL)
        {
          g_set_error_literal (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_MEMORY,
                               "there is not enough memory for the tally; use fewer bins");
          g_clear_pointer (&self->walk, vg_fluence_walk_free);
        }
    }
  if (self->walk != NULL)
    return self;
  state_free (self);
  return NULL;
}

static gboolean
update (gpointer data, const void *params)
{
  State *self = data;

  /* the current batch may have more photons */
  return ((const VgFluenceParams *) params)->photons >= (double) self->last &&
         vg_fluence_run_update (self->run, params);
}

static void
begin_batch (State *self, double seconds)
{
  VgFluenceRun *run = self->run;
  guint64 left = vg_fluence_run_goal (run) - run->photons, n = 64;

  if (self->photons_per_s > 0.0)
    n = (guint64) CLAMP (self->photons_per_s * seconds, 64.0, 1e12);
  self->first = run->photons;
  self->last = self->first + MIN (n, left);
  self->spent = 0.0;
}

/* Traces one batch, for about SECONDS at most. */
static void
trace_batch (State *self, double seconds)
{
  VgFluenceRun *run = self->run;
  gint64 start = g_get_monotonic_time ();
  guint64 left;
  double spent;

  if (self->first == self->last)
    begin_batch (self, seconds);
  left = vg_fluence_walk_run (self->walk, self->first, self->last,
                              start + (gint64) (seconds * 1.5e6), run->tally);
  spent = (double) MAX (g_get_monotonic_time () - start, 1) * 1e-6;
  run->seconds += spent;
  self->spent += spent;
  if (left > 0)
    {
      vg_fluence_run_advance_in_batch (run, self->last - left, left);
      return;
    }
  self->photons_per_s = (double) (self->last - self->first) / self->spent;
  self->first = self->last;
  vg_fluence_run_advance (run, self->last, 0);
}

/* Traces for about SECONDS on this rank's part of a batch, and at its end adds up the parts. */
static void
trace_part (State *self, double seconds)
{
  VgFluenceRun *run = self->run;
  guint64 rank = (guint64) self->ranks->rank, ranks = (guint64) self->ranks->size;
  guint64 n, first, last, left = 0;
  gint64 start = g_get_monotonic_time ();

  if (self->first == self->last)
    {
      self->first = run->photons;
      self->last = vg_fluence_run_goal (run);
    }
  n = self->last - self->first;
  first = self->first + n * rank / ranks;
  last = self->first + n * (rank + 1) / ranks;
  if (first < last)
    left = vg_fluence_walk_run (self->walk, first, last, start + (gint64) (seconds * 1.5e6),
                                self->own);
  self->own[run->layout.size] += (guint64) (g_get_monotonic_time () - start);
  if (left > 0)
    return;
  self->ranks->sum (self->own, run->layout.size + 1);
  for (gsize i = 0; i < run->layout.size; i++)
    run->tally[i] += self->own[i];
  run->seconds += (double) self->own[run->layout.size] * 1e-6 / (double) ranks;
  memset (self->own, 0, (run->layout.size + 1) * sizeof *self->own);
  self->first = self->last;
  vg_fluence_run_advance (run, self->last, 0);
}

static VgStep
step (gpointer data, double budget_s, GError **error)
{
  State *self = data;
  gint64 start = g_get_monotonic_time ();
  double left = budget_s;

  /* starting the threads again pays only while half of the time is left */
  while (!self->run->finished && left > budget_s / 2.0)
    {
      if (self->ranks != NULL)
        trace_part (self, left);
      else
        trace_batch (self, left);
      if (!vg_fluence_run_check_capacity (self->run, error))
        return VG_STEP_FAILED;
      left = budget_s - (double) (g_get_monotonic_time () - start) * 1e-6;
    }
  return self->run->finished ? VG_STEP_DONE : VG_STEP_MORE;
}

static gboolean
output (gpointer data, guint i, VgPlane *plane, GError **error)
{
  State *self = data;

  return vg_fluence_run_plane (self->run, i, plane);
}

static double
progress (gpointer data)
{
  State *self = data;

  return vg_fluence_run_progress (self->run);
}

static gboolean
results (gpointer data, VgMetrics *metrics, GError **error)
{
  State *self = data;

  vg_fluence_run_results (self->run, metrics);
  return TRUE;
}

static VgCurves *
sample (gpointer data, double x, double y, int slice, GError **error)
{
  State *self = data;

  return slice == 0 ? vg_fluence_run_sample (self->run, x, y) : NULL;
}

static VgCurves *
sample_region (gpointer data, const VgRegion *region, GError **error)
{
  State *self = data;

  return vg_fluence_run_sample_region (self->run, region);
}

static VgCurves *
plot (gpointer data, guint i, GError **error)
{
  State *self = data;

  return vg_fluence_run_plot (self->run, i);
}

static char *
text (gpointer data, guint i, char **file_name, GError **error)
{
  State *self = data;

  return vg_fluence_run_text (self->run, i, file_name, error);
}

static const VgEngineCurves curves = { .sample = sample,
                                       .sample_region = sample_region,
                                       .plot = plot };

const VgEngine vg_fluence_cpu_engine = {
  .prepare = prepare,
  .update = update,
  .step = step,
  .output = output,
  .progress = progress,
  .results = results,
  .text = text,
  .free = state_free,
  .curves = &curves,
};
