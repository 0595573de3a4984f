/* SPDX-License-Identifier: MIT */
#include <math.h>
#include "kernels/core/vg-bench.h"
#include "kernels/fluence/engine/fluence-engine.h"
#include "kernels/shared/vg-cuda-util.cuh"
/* Rows of `vivograph bench fluence` on the GPU. */

extern "C" const VgEngine vg_fluence_cuda;

/* The duration of a finished run, in seconds. */
static double
read_seconds (gpointer state)
{
  g_autoptr (VgMetrics) metrics = vg_metrics_new ();

  vg_fluence_cuda.results (state, metrics, NULL);
  return vg_metrics_find (metrics, "photons")->value /
         (1e3 * vg_metrics_find (metrics, "photons_per_ms")->value);
}

/* All photons from prepare to the last one home, as a user waits for them, in
 * the memory of the run before (*KEPT, NULL: none); *FIRST_MS: until there was
 * a picture.  Seconds, NaN when it failed. */
static double
whole_run (const VgContext *context, gpointer *kept, double *first_ms)
{
  gint64 start = g_get_monotonic_time ();
  gpointer state = *kept = *kept != NULL ? vg_fluence_cuda.resume->renew (*kept, context, NULL)
                                         : vg_fluence_cuda.prepare (context, NULL);
  VgStep status = VG_STEP_MORE;
  VgPlane plane;

  *first_ms = NAN;
  while (state != NULL && status == VG_STEP_MORE)
    {
      status = vg_fluence_cuda.step (state, 0.03, NULL);
      if (isnan (*first_ms) &&
          vg_fluence_cuda.output (state, VG_FLUENCE_OUTPUT_FLUENCE, &plane, NULL) &&
          cudaStreamSynchronize ((cudaStream_t) plane.stream) == cudaSuccess)
        *first_ms = (double) (g_get_monotonic_time () - start) * 1e-3;
    }
  return state != NULL && status == VG_STEP_DONE ? read_seconds (state) : NAN;
}

/* PEER: of whom, NAN: nobody.  What was measured. */
static double
measure (const VgContext *given, VgBench *bench, int n_devices, const char *id, const char *work,
         const char *layers, double photons, gboolean reflectance_only, gboolean in_ms, double peer,
         const char *of_whom)
{
  const VgParamTable *table = &vg_fluence_operation.params;
  VgFluenceParams *params = (VgFluenceParams *) vg_params_new (table);
  int devices[64];
  VgContext context = *given;
  gpointer state = NULL;
  double best = INFINITY, first = INFINITY;

  for (int i = 0; i < n_devices; i++)
    devices[i] = i;
  vg_param_parse (vg_params_find (table, "layers"), params, layers, NULL);
  params->dz_cm = in_ms ? 0.01 : 0.002;
  params->dr_cm = 0.01;
  params->nz = in_ms ? 100 : 500;
  params->nr = in_ms ? 100 : 200;
  params->photons = bench->quick ? photons / 100 : photons;
  params->reflectance_only = reflectance_only;
  context.params = params;
  context.devices = devices;
  context.n_devices = n_devices;
  for (int i = 0; i < 4; i++)
    {
      double first_ms, seconds = whole_run (&context, &state, &first_ms);

      best = fmin (best, seconds);
      first = i > 0 ? fmin (first, first_ms) : first; /* the first run loads the kernels */
    }
  vg_fluence_cuda.free (state);
  VgBenchRow row = {
    id,   work,   in_ms ? best * 1e3 : params->photons / (best * 1e3), in_ms ? "ms" : "photons/ms",
    peer, of_whom
  };
  bench->add (bench, &row);
  if (!in_ms && !reflectance_only && photons < 1e9)
    {
      VgBenchRow picture = { "skin_first_picture_cuda",
                             "from changed layers to a map on the GPU",
                             first,
                             "ms",
                             50.0,
                             "wanted" };

      bench->add (bench, &picture);
    }
  vg_params_free (table, params);
  return row.value;
}

extern "C" void vg_fluence_bench_cuda (const VgContext *context, VgBench *bench);

void
vg_fluence_bench_cuda (const VgContext *context, VgBench *bench)
{
  static const char *const mcml = "GPU-MCML, best of eight settings";
  int n = MIN (vg_cuda_device_count (NULL), 64);
  double one = NAN;

  measure (context, bench, 1, "skin_1e8_cuda", "seven-layer skin, 1e8 photons, maps, one GPU",
           "skin_600nm", 1e8, FALSE, FALSE, 192637, mcml);
  measure (context, bench, 1, "skin_1e8_reflectance_cuda", "the same, reflectance only",
           "skin_600nm", 1e8, TRUE, FALSE, 213250, mcml);
  measure (context, bench, 1, "intralipid_1e7_cuda", "10 % intralipid, 100 cm, 1e7 photons, maps",
           "1.33,0.015,707.7,0.87,100", 1e7, FALSE, TRUE, 857, mcml);
  for (int k = 1; k <= n && n > 1; k *= 2)
    {
      g_autofree char *id = g_strdup_printf ("skin_1e9_%d_gpus_cuda", k);
      double rate = measure (context, bench, k, id,
                             "seven-layer skin, 1e9 photons, maps, so many GPUs", "skin_600nm", 1e9,
                             FALSE, FALSE, one, k > 1 ? "one GPU" : NULL);

      one = k == 1 ? rate : one;
    }
}
