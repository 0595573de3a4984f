/* SPDX-License-Identifier: MIT */
#include "kernels/core/vg-bench.h"
#include "kernels/fluence/engine/fluence-engine.h"
#include "kernels/fluence/model/fluence-tally.h"
#include <math.h>
/* Rates of the photon walk on the CPU.  Rates have no physical limit: that of one
 * thread is compared with MCML 1.2.2 on one core of an EPYC, all threads with one. */

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

/* Adds a row and returns the rate in photons/ms; NAN on failure. */
static double
measure (VgBench *bench, const char *id, const char *what, const char *preset, gboolean score,
         guint64 photons, int threads, double peer, const char *of_whom)
{
  VgFluenceParams *params = vg_params_new (&vg_fluence_operation.params);
  const VgParam *layers = vg_params_find (&vg_fluence_operation.params, "layers");
  g_autofree guint64 *tally = NULL;
  VgFluenceMedium *medium;
  Work work = { .photons = bench->quick ? photons / 50 : photons };
  double rate = NAN;

  vg_param_parse (layers, params, preset, NULL);
  params->dz_cm = 0.002;
  params->dr_cm = 0.01;
  params->nz = 500;
  params->nr = 200;
  medium = vg_fluence_medium_new (params);
  tally = g_new0 (
      guint64, vg_fluence_layout (medium->cells, medium->columns, medium->na, medium->gates).size);
  work.tally = tally;
  work.walk = vg_fluence_walk_new (medium, 1, score, threads, NULL);
  if (work.walk != NULL)
    {
      rate = (double) work.photons / (1e3 * bench->time (bench, trace, &work, 3));
      bench->add (bench, &(VgBenchRow){ id, what, rate, "photons/ms", peer, of_whom });
    }
  vg_fluence_walk_free (work.walk);
  vg_fluence_medium_free (medium);
  vg_params_free (&vg_fluence_operation.params, params);
  return rate;
}

void vg_fluence_bench (const VgContext *context, VgBench *bench);

void
vg_fluence_bench (const VgContext *context, VgBench *bench)
{
  const char *one = "one thread of it";
  double rate = measure (bench, "skin_cpu_1_thread", "seven-layer skin, maps, one thread",
                         "skin_600nm", TRUE, 20000, 1, 26.8, "MCML 1.2.2, one core");

  measure (bench, "skin_cpu", "seven-layer skin, maps, all threads", "skin_600nm", TRUE, 40000,
           context->threads, rate, one);
  rate = measure (bench, "skin_reflectance_cpu_1_thread",
                  "seven-layer skin, reflectance only, one thread", "skin_600nm", FALSE, 20000, 1,
                  NAN, NULL);
  measure (bench, "skin_reflectance_cpu", "the same, all threads", "skin_600nm", FALSE, 40000,
           context->threads, rate, one);
  rate = measure (bench, "intralipid_cpu_1_thread", "10 % intralipid, 1 cm, maps, one thread",
                  "intralipid_10_percent_460nm", TRUE, 2500, 1, NAN, NULL);
  measure (bench, "intralipid_cpu", "the same, all threads", "intralipid_10_percent_460nm", TRUE,
           5000, context->threads, rate, one);
}
