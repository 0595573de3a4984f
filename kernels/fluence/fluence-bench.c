/* SPDX-License-Identifier: MIT */
#include "fluence-cpu.h"
#include "fluence-tally.h"
#include <math.h>
/* Rates of the CPU walk.  The limit of each row is what MCML 1.2.2 (built with
 * a good generator) reaches on one core of an EPYC, as there is no physical
 * one; the ratio is the gain. */

typedef struct
{
  VgFluenceWalk *walk;
  guint64 photons, next, *tally;
} Work;

static void
trace (gpointer data)
{
  Work *work = data;

  vg_fluence_walk_run (work->walk, work->next, work->next + work->photons, 0, work->tally);
  work->next += work->photons;
}

static void
measure (VgBench    *bench,
         const char *id,
         const char *what,
         const char *preset,
         gboolean    score,
         guint64     photons,
         int         threads,
         double      peer)
{
  VgFluenceParams *params = vg_params_new (&vg_fluence_operation.params);
  const VgParam *layers = vg_params_find (&vg_fluence_operation.params, "layers");
  g_autofree guint64 *tally = NULL;
  VgFluenceMedium *medium;
  Work work = { .photons = bench->quick ? photons / 50 : photons };

  vg_param_parse (layers, params, preset, NULL);
  medium = vg_fluence_medium_new (params);
  tally = g_new0 (guint64, vg_fluence_layout (medium->cells, medium->columns, medium->na, medium->gates).size);
  work.tally = tally;
  work.walk = vg_fluence_walk_new (medium, 1, score, threads, NULL);
  if (work.walk != NULL)
    {
      double ms = 1e3 * bench->time (bench, trace, &work, 3);

      bench->add (bench, &(VgBenchRow) { id, what, (double) work.photons / ms, "photons/ms", peer,
                                         isnan (peer) ? NULL : "MCML 1.2.2, one core" });
    }
  vg_fluence_walk_free (work.walk);
  vg_fluence_medium_free (medium);
  vg_params_free (&vg_fluence_operation.params, params);
}

void
vg_fluence_bench (const VgContext *context,
                  VgBench         *bench)
{
  measure (bench, "skin_cpu_1_thread", "seven-layer skin, maps, one thread", "skin_600nm", TRUE, 20000, 1, 26.8);
  measure (bench, "skin_cpu", "seven-layer skin, maps, all threads", "skin_600nm", TRUE, 40000, context->threads, 26.8);
  measure (bench, "skin_reflectance_cpu", "seven-layer skin, reflectance only, all threads", "skin_600nm", FALSE, 40000,
           context->threads, NAN);
  measure (bench, "intralipid_cpu", "10 % intralipid, 1 cm, maps, all threads", "intralipid_10_percent_460nm", TRUE, 5000,
           context->threads, NAN);
}
