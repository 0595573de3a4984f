/* SPDX-License-Identifier: MIT */
#include "kernels/contour/engine/contour-engine.h"
#include "kernels/contour/engine/contour-checkpoint.h"
#include "kernels/contour/engine/contour-run.h"
/* The CPU engine: iterations as many as the budget allows. */

static void
state_free (gpointer data)
{
  vg_contour_run_free (data);
}

static gpointer
prepare (const VgContext *context, GError **error)
{
  return vg_contour_run_new (context, error);
}

static gboolean
update (gpointer data, const void *params)
{
  gboolean moved;

  return vg_contour_run_update (data, params, &moved);
}

static gboolean
update_files (gpointer data, const VgContext *context, GError **error)
{
  return vg_contour_run_set_files (data, context, error) && update (data, context->params);
}

static VgStep
step (gpointer data, double budget_s, GError **error)
{
  VgContourRun *run = data;
  gint64 start = g_get_monotonic_time ();
  int shown = run->params.iterations_shown, done = 0;

  if (vg_contour_run_skips_step (run))
    return VG_STEP_MORE;
  while (!run->standing.finished)
    {
      int n = vg_contour_run_chunk (run, shown > 0 ? shown - done : run->params.reinit_period);

      if (!vg_contour_run_advance (run, n, error))
        return VG_STEP_FAILED;
      done += n;
      if ((shown > 0 && done >= shown) ||
          (double) (g_get_monotonic_time () - start) * 1e-6 >= budget_s)
        break;
    }
  return run->standing.finished ? VG_STEP_DONE : VG_STEP_MORE;
}

static gboolean
output (gpointer data, guint i, VgPlane *plane)
{
  return vg_contour_run_plane (data, i, plane);
}

static double
progress (gpointer data)
{
  return vg_contour_run_progress (data);
}

static void
results (gpointer data, VgMetrics *metrics)
{
  vg_contour_run_results (data, metrics);
}

static VgCurves *
sample (gpointer data, double x, double y, int slice)
{
  return slice == 0 ? vg_contour_run_sample (data, x, y) : NULL;
}

static VgCurves *
plot (gpointer data, guint i)
{
  return vg_contour_run_plot (data, i);
}

static gboolean
outlines (gpointer data, VgOutlines *outlines, GError **error)
{
  return vg_contour_run_outlines (data, outlines, error);
}

static char *
text (gpointer data, guint i, char **file_name, GError **error)
{
  return vg_contour_run_text (data, i, file_name, error);
}

static GBytes *
checkpoint (gpointer data)
{
  return vg_contour_checkpoint_new (data);
}

static gconstpointer
tile (gpointer data, GError **error)
{
  (void) error;
  return data;
}

static const VgEngineCurves curves = { .sample = sample, .plot = plot };
static const VgEngineObjects objects = { .outlines = outlines, .tile = tile };
static const VgEngineResume resume = { .update_files = update_files, .checkpoint = checkpoint };

const VgEngine vg_contour_cpu_engine = {
  .prepare = prepare,
  .update = update,
  .step = step,
  .output = output,
  .progress = progress,
  .results = results,
  .text = text,
  .free = state_free,
  .curves = &curves,
  .objects = &objects,
  .resume = &resume,
};
