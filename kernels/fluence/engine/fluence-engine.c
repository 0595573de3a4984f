/* SPDX-License-Identifier: MIT */
#include "kernels/fluence/engine/fluence-engine.h"
#include "kernels/fluence/engine/fluence-run.h"
/* The CPU engine.  A step traces batches of photons until its time is used up.  A batch that takes
 * longer continues in the next step: without absorption a photon may take minutes. */

typedef struct
{
  VgFluenceRun *run;
  VgFluenceWalk *walk;
  double photons_per_s; /* in the last batch; 0: unknown */
  guint64 first, last;  /* photons of the current batch; equal: there is none */
  double spent;         /* seconds spent on it so far */
} State;

static void
state_free (gpointer data)
{
  State *self = data;

  if (self == NULL)
    return;
  vg_fluence_walk_free (self->walk);
  vg_fluence_run_free (self->run);
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

static VgStep
step (gpointer data, double budget_s, GError **error)
{
  State *self = data;
  gint64 start = g_get_monotonic_time ();
  double left = budget_s;

  /* starting the threads again pays only while half of the time is left */
  while (!self->run->finished && left > budget_s / 2.0)
    {
      trace_batch (self, left);
      if (!vg_fluence_run_check_capacity (self->run, error))
        return VG_STEP_FAILED;
      left = budget_s - (double) (g_get_monotonic_time () - start) * 1e-6;
    }
  return self->run->finished ? VG_STEP_DONE : VG_STEP_MORE;
}

static gboolean
output (gpointer data, guint i, VgPlane *plane)
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

static void
results (gpointer data, VgMetrics *metrics)
{
  State *self = data;

  vg_fluence_run_results (self->run, metrics);
}

static VgCurves *
sample (gpointer data, double x, double y, int slice)
{
  State *self = data;

  return slice == 0 ? vg_fluence_run_sample (self->run, x, y) : NULL;
}

static VgCurves *
plot (gpointer data, guint i)
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

static const VgEngineCurves curves = { .sample = sample, .plot = plot };

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
