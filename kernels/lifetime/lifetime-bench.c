/* SPDX-License-Identifier: MIT */
#include "lifetime-cpu.h"
#include "lifetime-params.h"
#include "lifetime-synthetic.h"
#include <math.h>
/* What a frame costs the CPU backend, beside FLIMLib's phasor of one core. */

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

static void
bench_method (VgBench *bench, int method, int threads, const char *id, const char *work, double peer_ms)
{
  g_autofree VgLifetimeParams *params = vg_params_new (&vg_lifetime_operation.params);
  VgSyntheticSize size = { SIDE, SIDE, 1, 1 };
  VgImageInfo info;
  VgBenchRow row = { id, work, 0.0, "ms", peer_ms, isnan (peer_ms) ? NULL : "FLIMLib's phasor, one core" };
  gpointer synthetic = vg_lifetime_synthetic.open (params, &size, &info, NULL);
  VgContext context = { .params = params, .info = &info, .threads = threads };
  g_autofree guint16 *samples = g_new (guint16, (gsize) SIDE * SIDE * VG_LIFETIME_SYNTHETIC_BINS);
  Job job = { 0 };

  vg_lifetime_synthetic.read (synthetic, 0, samples, NULL);
  vg_lifetime_synthetic.close (synthetic);
  for (int i = 0; i < 2; i++)
    {
      job.frames[i] = (VgFrame) { .info = &info, .data = samples, .release = keep };
      g_atomic_ref_count_init (&job.frames[i].ref_count);
    }
  params->method = method;
  job.state = vg_lifetime_cpu_engine.prepare (&context, NULL);
  if (job.state == NULL)
    return;
  row.value = 1e3 * bench->time (bench, run_engine, &job, 10);
  bench->add (bench, &row);
  vg_lifetime_cpu_engine.free (job.state);
}

void
vg_lifetime_bench (const VgContext *context,
                   VgBench         *bench)
{
  const double peer = 59.0;

  bench_method (bench, VG_LIFETIME_CMM, 1, "cpu_cmm_128_1_thread", "all sums and centre of mass, 128x128x256, one thread", peer);
  bench_method (bench, VG_LIFETIME_PHASOR, 1, "cpu_phasor_128_1_thread", "all sums and phasor lifetime, 128x128x256, one thread", peer);
  bench_method (bench, VG_LIFETIME_BCMM, 1, "cpu_bcmm_128_1_thread", "all sums and two lifetimes, 128x128x256, one thread", NAN);
  bench_method (bench, VG_LIFETIME_CMM, context->threads, "cpu_cmm_128", "all sums and centre of mass, 128x128x256, all threads", NAN);
}
