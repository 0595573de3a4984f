/* SPDX-License-Identifier: MIT */
#include "kernels/core/vg-bench.h"
#include "kernels/lifetime/engine/lifetime-engine.h"
#include "kernels/base/vg-sort.h"
#include "kernels/lifetime/model/lifetime-formula.h"
#include "kernels/lifetime/synthetic/lifetime-synthetic.h"
#include <math.h>
#include <stdlib.h>
/* The accuracy of the methods on the sample data, and the time of a frame on the CPU, compared
 * with FLIMLib on one core. */

enum { SIDE = 128 };

typedef struct
{
  gpointer state;
  VgFrame frames[2]; /* Alternating, because a frame that was seen before is not computed again. */
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

/* Prepares an engine for METHOD with sample data that all frames of the job share. */
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
      job->frames[i] = (VgFrame){ .info = info, .data = samples, .release = keep };
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

/* The worst of the four bars: bias in %, and sigma divided by the Cramer-Rao bound. */
static void
bench_accuracy (VgBench *bench, int method, const char *name, double most_bias, double most_spread)
{
  g_autofree VgLifetimeParams *params = vg_params_new (&vg_lifetime_operation.params);
  g_autofree guint16 *samples = g_new (guint16, (gsize) SIDE * SIDE * VG_LIFETIME_SYNTHETIC_BINS);
  g_autofree char *bias_id = g_strdup_printf ("bias_%s", name),
                  *spread_id = g_strdup_printf ("spread_%s", name);
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
      spread = MAX (spread, sqrt (VG_LIFETIME_SYNTHETIC_PHOTONS) * sigma / tau /
                                vg_lifetime_crb (info.bins * info.bin_width_ns / tau));
    }
  bench->add (bench, &(VgBenchRow){ bias_id, "four bars, 1500 photons: largest bias of the mean",
                                    bias, "%", most_bias, "what was asked for" });
  bench->add (bench,
              &(VgBenchRow){ spread_id,
                             "four bars, 1500 photons: largest sigma over the Cramer-Rao bound",
                             spread, "x", most_spread, "what was asked for" });
  vg_lifetime_cpu_engine.free (job.state);
}

/* The sorted values of OUTPUT in a bar; returns their number. */
static int
take_bar (const Job *job, int output, int bar, double *values)
{
  VgPlane plane;
  int n = 0;

  if (!vg_lifetime_cpu_engine.output (job->state, (guint) output, &plane))
    return 0;
  for (int i = 0; i < SIDE * SIDE; i++)
    if (vg_lifetime_bar (i % SIDE, SIDE) == bar && isfinite (plane.data[i]))
      values[n++] = plane.data[i];
  vg_sort_doubles (values, (gsize) n);
  return n;
}

/* Two lifetimes: the deviation of a fit's mean fraction and short lifetime from the truth in each
 * bar; for moments, the spread of the fraction (1.48 median deviations) compared with an
 * independent implementation. */
static void
bench_two (VgBench *bench, int method, gboolean shared, const char *name, const double *spreads)
{
  g_autofree VgLifetimeParams *params = vg_params_new (&vg_lifetime_operation.params);
  g_autofree guint16 *samples = g_new (guint16, (gsize) SIDE * SIDE * VG_LIFETIME_SYNTHETIC_BINS);
  g_autofree double *values = g_new (double, SIDE *SIDE);
  VgImageInfo info;
  Job job = { 0 };

  params->method = method;
  params->sharing = shared ? VG_LIFETIME_SHARE_SEGMENT : VG_LIFETIME_SHARE_NONE;
  params->know_2 = TRUE;
  params->known_2_ns = VG_LIFETIME_BAR_LONG_NS;
  params->long_lifetime_ns = VG_LIFETIME_BAR_LONG_NS;
  if (!start (&job, params, &info, samples, 0))
    return;
  run_engine (&job);
  for (int bar = 0; bar < VG_LIFETIME_BARS; bar++)
    {
      double truth = vg_lifetime_bar_fraction[bar], mean[2] = { 0.0, 0.0 };
      g_autofree char *work = g_strdup_printf ("share %.1f, long lifetime known:", truth);
      g_autofree char *share_work = g_strconcat (
          work, spreads != NULL ? " spread of the share" : " share, mean off by", NULL);
      g_autofree char *short_work = g_strconcat (work, " short lifetime, mean off by", NULL);
      g_autofree char *share_id = g_strdup_printf ("share_%s_%d", name, (int) lrint (10 * truth)),
                      *short_id = g_strdup_printf ("short_%s_%d", name, (int) lrint (10 * truth));
      int n;

      if (spreads == NULL)
        {
          n = take_bar (&job, VG_LIFETIME_OUTPUT_LIFETIME_1, bar, values);
          for (int i = 0; i < n; i++)
            mean[1] += values[i] / n;
        }
      n = take_bar (&job, VG_LIFETIME_OUTPUT_FRACTION, bar, values);
      for (int i = 0; i < n; i++)
        mean[0] += values[i] / n;
      if (spreads != NULL)
        {
          double median = values[n / 2];

          for (int i = 0; i < n; i++)
            values[i] = fabs (values[i] - median);
          vg_sort_doubles (values, (gsize) n);
          bench->add (bench,
                      &(VgBenchRow){ share_id, share_work, 1.4826 * values[n / 2], "",
                                     spreads[bar] * sqrt (2000.0 / VG_LIFETIME_SYNTHETIC_PHOTONS),
                                     "another program, 1500 photons" });
          continue;
        }
      bench->add (bench, &(VgBenchRow){ share_id, share_work, fabs (mean[0] - truth), "", 0.02,
                                        "what was asked for" });
      bench->add (bench, &(VgBenchRow){ short_id, short_work,
                                        100.0 * fabs (mean[1] / VG_LIFETIME_BAR_SHORT_NS - 1.0),
                                        "%", 3.0, "what was asked for" });
    }
  vg_lifetime_cpu_engine.free (job.state);
}

void vg_lifetime_bench (const VgContext *context, VgBench *bench);

void
vg_lifetime_bench (const VgContext *context, VgBench *bench)
{
  static const double bcmm[] = { 0.017, 0.037, 0.060, 0.112 }; /* for 2000 photons */
  const double phasor = 59.0 / 10, one = 1e3 * SIDE * SIDE / (3 * 64e3),
               two = 1e3 * SIDE * SIDE / (3 * 24e3);
  const char *tenth = "a tenth of FLIMLib's phasor", *third = "a third of FLIMLib's time";

  bench_accuracy (bench, VG_LIFETIME_CMM, "cmm", 0.3, 1.05);
  bench_accuracy (bench, VG_LIFETIME_MLE, "mle", 0.3, 1.05);
  bench_accuracy (bench, VG_LIFETIME_IEM, "iem", 0.5, 1.9 / 1.036);
  bench_accuracy (bench, VG_LIFETIME_RLD, "rld", 0.5, 1.72 / 1.036);
  bench_accuracy (bench, VG_LIFETIME_PHASOR, "phasor", 0.5, 1.6 / 1.036);
  bench_two (bench, VG_LIFETIME_MLE_TWO, TRUE, "ga32", NULL);
  bench_two (bench, VG_LIFETIME_BCMM, FALSE, "bcmm", bcmm);
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
