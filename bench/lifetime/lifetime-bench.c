/* SPDX-License-Identifier: MIT */
#include "kernels/core/vg-bench.h"
#include "kernels/lifetime/engine/lifetime-engine.h"
#include "kernels/lifetime/model/lifetime-params.h"
#include "kernels/lifetime/synthetic/lifetime-synthetic.h"
#include <math.h>
/* The time of a frame on the CPU, compared with FLIMLib on one core. */

enum { SIDE = 128 };

typedef struct
{
  gpointer state;
  VgFrame frames[2]; /* Alternating, because a frame that was seen before is not computed again. */
  guint64 id;
} Job;

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

/* Prepares an engine for METHOD with sample data that all frames of the job share. */
static gboolean
start (Job *job, VgLifetimeParams *params, VgImageInfo *info, guint16 *samples, int threads)
{
  VgSyntheticSize size = { SIDE, SIDE, 1, 1, VG_LIFETIME_SAMPLE_GRID };
  gpointer synthetic = vg_lifetime_synthetic.open (params, &size, info, NULL);
  VgContext context = { .params = params, .info = info, .threads = threads };

  if (synthetic == NULL)
    return FALSE;
  vg_lifetime_synthetic.read (synthetic, 0, samples, NULL);
  vg_lifetime_synthetic.close (synthetic);
  for (int i = 0; i < 2; i++)
    {
      job->frames[i] = (VgFrame){ .info = info, .data = samples };
      g_atomic_ref_count_init (&job->frames[i].ref_count);
    }
  job->state = vg_lifetime_cpu_engine.prepare (&context, NULL);
  return job->state != NULL;
}

static void
bench_method (VgBench *bench, int method, gboolean offset, gboolean irf, int threads,
              const char *id, const char *work, double limit_ms, const char *limit_by)
{
  g_autofree VgLifetimeParams *params = vg_params_new (&vg_lifetime_operation.params);
  g_autofree guint16 *samples = g_new (guint16, (gsize) SIDE * SIDE * VG_LIFETIME_SYNTHETIC_BINS);
  VgBenchRow row = { id, work, 0.0, "ms", limit_ms, limit_by };
  VgImageInfo info;
  Job job = { 0 };

  params->method = method;
  params->offset = offset ? VG_LIFETIME_OFFSET_FITTED : VG_LIFETIME_OFFSET_GIVEN;
  params->irf_model = irf ? VG_LIFETIME_IRF_GAUSSIAN : VG_LIFETIME_IRF_NONE;
  if (!start (&job, params, &info, samples, threads))
    return;
  row.value = 1e3 * bench->time (bench, run_engine, &job, 10);
  bench->add (bench, &row);
  vg_lifetime_cpu_engine.free (job.state);
}

void vg_lifetime_bench (const VgContext *context, VgBench *bench);

void
vg_lifetime_bench (const VgContext *context, VgBench *bench)
{
  const double phasor = 59.0 / 10, one = 1e3 * SIDE * SIDE / (3 * 64e3),
               two = 1e3 * SIDE * SIDE / (3 * 24e3);
  const char *tenth = "a tenth of FLIMLib's phasor", *third = "a third of FLIMLib's time";

  bench_method (bench, VG_LIFETIME_CMM, FALSE, FALSE, 1, "cpu_cmm_128_1_thread",
                "all sums and centre of mass, 128x128x256, one thread", phasor, tenth);
  bench_method (bench, VG_LIFETIME_PHASOR, FALSE, FALSE, 1, "cpu_phasor_128_1_thread",
                "all sums and phasor lifetime, 128x128x256, one thread", phasor, tenth);
  bench_method (bench, VG_LIFETIME_BCMM, FALSE, FALSE, 1, "cpu_bcmm_128_1_thread",
                "all sums and two lifetimes, 128x128x256, one thread", NAN, NULL);
  bench_method (bench, VG_LIFETIME_CMM, FALSE, FALSE, context->threads, "cpu_cmm_128",
                "all sums and centre of mass, 128x128x256, all threads", NAN, NULL);
  bench_method (bench, VG_LIFETIME_MLE, FALSE, FALSE, 1, "cpu_mle_128_1_thread",
                "fit of one lifetime, 128x128x256, one thread", one, third);
  bench_method (bench, VG_LIFETIME_MLE, TRUE, FALSE, 1, "cpu_mle_offset_128_1_thread",
                "fit of one lifetime and offset, one thread", one, third);
  bench_method (bench, VG_LIFETIME_MLE_TWO, FALSE, FALSE, 1, "cpu_mle_bi_128_1_thread",
                "fit of two lifetimes, one thread", two, third);
  bench_method (bench, VG_LIFETIME_MLE_TWO, TRUE, FALSE, 1, "cpu_mle_bi_offset_128_1_thread",
                "fit of two lifetimes and offset, one thread", two, third);
  bench_method (bench, VG_LIFETIME_MLE_TWO, TRUE, TRUE, 1, "cpu_mle_bi_irf_128_1_thread",
                "fit of two lifetimes and offset behind a response, one thread", two, third);
}
