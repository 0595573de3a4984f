/* SPDX-License-Identifier: MIT */
#include "lifetime-cpu.h"
#include "lifetime-formula.h"
#include "lifetime-synthetic.h"
#include <math.h>
/* How true the methods are on the sample data, and what a frame costs the CPU
 * backend, beside FLIMLib's phasor of one core. */

enum { SIDE = 128 };

typedef struct
{
  gpointer state;
  VgFrame frames[2];         /* in turn: a frame seen before is not computed again */
  guint64 id;
} Job;

static void
keep (VgFrame *frame)
{
}

static void
run_engine (gpointer data)
{
  Job *job = data;

  VgFrame *frame = &job->frames[job->id % 2];

  frame->id = job->id++;
  vg_lifetime_cpu_engine.feed (job->state, frame, NULL);
  while (vg_lifetime_cpu_engine.step (job->state, 1.0, NULL) == VG_STEP_MORE)
    ;
}

/* An engine for METHOD on the sample data, which the job's frames share. */
static gboolean
start (Job *job, VgLifetimeParams *params, VgImageInfo *info, guint16 *samples, int threads)
{
  VgSyntheticSize size = { SIDE, SIDE, 1, 1 };
  gpointer synthetic = vg_lifetime_synthetic.open (params, &size, info, NULL);
  VgContext context = { .params = params, .info = info, .threads = threads };

  if (synthetic == NULL)
    return FALSE;
  vg_lifetime_synthetic.read (synthetic, 0, samples, NULL);
  vg_lifetime_synthetic.close (synthetic);
  for (int i = 0; i < 2; i++)
    {
      job->frames[i] = (VgFrame) { .info = info, .data = samples, .release = keep };
      g_atomic_ref_count_init (&job->frames[i].ref_count);
    }
  job->state = vg_lifetime_cpu_engine.prepare (&context, NULL);
  return job->state != NULL;
}

static void
bench_method (VgBench *bench, int method, int threads, const char *id, const char *work, double peer_ms)
{
  g_autofree VgLifetimeParams *params = vg_params_new (&vg_lifetime_operation.params);
  g_autofree guint16 *samples = g_new (guint16, (gsize) SIDE * SIDE * VG_LIFETIME_SYNTHETIC_BINS);
  VgBenchRow row = { id, work, 0.0, "ms", peer_ms, isnan (peer_ms) ? NULL : "FLIMLib's phasor, one core" };
  VgImageInfo info;
  Job job = { 0 };

  params->method = method;
  if (!start (&job, params, &info, samples, threads))
    return;
  row.value = 1e3 * bench->time (bench, run_engine, &job, 10);
  bench->add (bench, &row);
  vg_lifetime_cpu_engine.free (job.state);
}

/* The worst of the four bars: bias in per cent, and sigma over the Cramer-Rao bound. */
static void
bench_accuracy (VgBench *bench, int method, const char *name, double most_bias, double most_spread)
{
  g_autofree VgLifetimeParams *params = vg_params_new (&vg_lifetime_operation.params);
  g_autofree guint16 *samples = g_new (guint16, (gsize) SIDE * SIDE * VG_LIFETIME_SYNTHETIC_BINS);
  g_autofree char *bias_id = g_strdup_printf ("bias_%s", name), *spread_id = g_strdup_printf ("spread_%s", name);
  double bias = 0.0, spread = 0.0;
  VgImageInfo info;
  VgPlane plane;
  Job job = { 0 };

  params->method = method;
  if (!start (&job, params, &info, samples, 0))
    return;
  run_engine (&job);
  vg_lifetime_cpu_engine.output (job.state, VG_LIFETIME_OUTPUT_LIFETIME, &plane);
  for (int bar = 0; bar < VG_LIFETIME_BARS; bar++)
    {
      double tau = vg_lifetime_bar_ns[bar], n = 0.0, sum = 0.0, squares = 0.0, sigma;

      for (int i = 0; i < SIDE * SIDE; i++)
        if (vg_lifetime_bar (i % SIDE, SIDE) == bar && isfinite (plane.data[i]))
          {
            n += 1.0;
            sum += plane.data[i] - tau;
            squares += (plane.data[i] - tau) * (plane.data[i] - tau);
          }
      sigma = sqrt (squares / n - sum / n * sum / n);
      bias = MAX (bias, 100.0 * fabs (sum / n / tau));
      spread = MAX (spread, sqrt (VG_LIFETIME_SYNTHETIC_PHOTONS) * sigma / tau / vg_lifetime_crb (info.bins * info.bin_width_ns / tau));
    }
  bench->add (bench, &(VgBenchRow) { bias_id, "four bars, 1500 photons: largest bias of the mean", bias, "%", most_bias, "what was asked for" });
  bench->add (bench, &(VgBenchRow) { spread_id, "four bars, 1500 photons: largest sigma over the Cramer-Rao bound", spread, "x", most_spread,
                                     "what was asked for" });
  vg_lifetime_cpu_engine.free (job.state);
}

void
vg_lifetime_bench (const VgContext *context,
                   VgBench         *bench)
{
  const double peer = 59.0;

  bench_accuracy (bench, VG_LIFETIME_CMM, "cmm", 0.3, 1.05);
  bench_accuracy (bench, VG_LIFETIME_IEM, "iem", 0.5, 1.9 / 1.036);
  bench_accuracy (bench, VG_LIFETIME_RLD, "rld", 0.5, 1.72 / 1.036);
  bench_accuracy (bench, VG_LIFETIME_PHASOR, "phasor", 0.5, 1.6 / 1.036);
  bench_method (bench, VG_LIFETIME_CMM, 1, "cpu_cmm_128_1_thread", "all sums and centre of mass, 128x128x256, one thread", peer);
  bench_method (bench, VG_LIFETIME_PHASOR, 1, "cpu_phasor_128_1_thread", "all sums and phasor lifetime, 128x128x256, one thread", peer);
  bench_method (bench, VG_LIFETIME_BCMM, 1, "cpu_bcmm_128_1_thread", "all sums and two lifetimes, 128x128x256, one thread", NAN);
  bench_method (bench, VG_LIFETIME_CMM, context->threads, "cpu_cmm_128", "all sums and centre of mass, 128x128x256, all threads", NAN);
}
