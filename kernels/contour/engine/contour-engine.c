/* SPDX-License-Identifier: MIT */
#include "kernels/contour/engine/contour-engine.h"
#include "kernels/contour/engine/contour-checkpoint.h"
#include "kernels/contour/engine/contour-run.h"
/* The step that both engines share, and the table of the CPU engine. */

/* After a change that moved no contour the outlines are published before any iteration. */
static gboolean
skips_step (VgContourRun *run)
{
  gboolean skips = run->skip_step && !run->standing.finished;

  run->skip_step = FALSE;
  return skips;
}

static double
seconds_since (gint64 start)
{
  return (double) (g_get_monotonic_time () - start) * 1e-6;
}

VgStep
vg_contour_run_step (gpointer data, double budget_s, GError **error)
{
  VgContourRun *run = data;
  gint64 start = g_get_monotonic_time ();
  int shown = run->params.iterations_shown, done = 0;

  if (skips_step (run))
    return VG_STEP_MORE;
  while (!run->standing.finished)
    {
      int n = vg_contour_run_chunk (
          run, shown > 0 ? shown - done
                         : run->backend->affordable (run, budget_s - seconds_since (start)));

      if (!run->backend->advance (run, n, error))
        return VG_STEP_FAILED;
      done += n;
      if ((shown > 0 && done >= shown) || seconds_since (start) >= budget_s)
        break;
    }
  return run->standing.finished ? VG_STEP_DONE : VG_STEP_MORE;
}

static gpointer
prepare (const VgContext *context, GError **error)
{
  return vg_contour_run_new (context, error);
}

static gboolean
update_files (gpointer data, const VgContext *context, GError **error)
{
  return vg_contour_run_set_files (data, context, error) &&
         vg_contour_run_update (data, context->params);
}

static const VgEngineObjects objects = { .outlines = vg_contour_run_outlines,
                                         .tile = vg_contour_run_tile };
static const VgEngineResume resume = { .update_files = update_files,
                                       .checkpoint = vg_contour_checkpoint_new };

const VgEngine vg_contour_cpu_engine = {
  .prepare = prepare,
  .update = vg_contour_run_update,
  .step = vg_contour_run_step,
  .output = vg_contour_run_plane,
  .progress = vg_contour_run_progress,
  .results = vg_contour_run_results,
  .text = vg_contour_run_text,
  .free = vg_contour_run_free,
  .curves = &vg_contour_curves,
  .objects = &objects,
  .resume = &resume,
};
