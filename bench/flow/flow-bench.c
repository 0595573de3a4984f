/* SPDX-License-Identifier: MIT */
#include "bench/flow/flow-bench.h"
#include "kernels/flow/engine/flow-engine.h"
#include "kernels/flow/model/flow-formula.h"
#include <string.h>
/* Time of K and flow index, 5 x 5, for one frame in memory on the CPU, with one thread and with
 * all, against the time to copy its bytes; and the time of the paper's algorithm. */

enum { WIDTH = 1392, HEIGHT = 1040, RADIUS = 2 };

typedef struct
{
  gpointer state;
  VgFrame frames[2]; /* in turn, as the engine ignores the same frame twice */
  guint64 id;
  float *contrast, *index;
  gint64 *scratch;
  double scale;
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
  vg_flow_cpu_engine.feed (job->state, frame, NULL);
  vg_flow_cpu_engine.step (job->state, 1.0, NULL);
}

static void
run_roll (gpointer data)
{
  Job *job = data;

  vg_flow_roll (job->frames[0].data, WIDTH, HEIGHT, RADIUS, job->scale, job->contrast, job->index,
                job->scratch);
}

typedef struct
{
  const void *from;
  void *to;
  gsize bytes;
} Copy;

static void
run_copy (gpointer data)
{
  const Copy *copy = data;

  memcpy (copy->to, copy->from, copy->bytes);
}

/* Bytes read and written per second by one thread, on buffers like a frame's maps. */
static double
copy_bandwidth (VgBench *bench)
{
  const gsize bytes = (gsize) WIDTH * HEIGHT * sizeof (float);
  g_autofree void *from = g_malloc0 (bytes), *to = g_malloc0 (bytes);
  Copy copy = { from, to, bytes };

  return 2.0 * (double) bytes / bench->time (bench, run_copy, &copy, 20);
}

static void
bench_engine (VgBench *bench, Job *job, int bits, int threads, double bandwidth)
{
  VgImageInfo info = { .type = VG_U16,
                       .width = WIDTH,
                       .height = HEIGHT,
                       .channels = 1,
                       .bins = 1,
                       .slices = 1,
                       .frames = -1,
                       .significant_bits = bits };
  g_autofree VgFlowParams *params = vg_params_new (&vg_flow_operation.params);
  VgContext own = { .params = params, .info = &info, .threads = threads };
  int cores = threads > 0 ? threads : (int) g_get_num_processors ();
  g_autofree char *id = g_strdup_printf ("cpu_k_sfi_5x5_%dbit_%s", bits,
                                         threads == 1 ? "1_thread" : "all_threads");
  g_autofree char *work = g_strdup_printf ("K and flow index, 5x5, %dx%d, %d-bit, CPU, %d thread%s",
                                           WIDTH, HEIGHT, bits, cores, cores == 1 ? "" : "s");
  g_autofree char *limit = g_strdup_printf ("memory copy %.1f GB/s a thread", bandwidth / 1e9);
  VgBenchRow row = { .id = id, .work = work, .unit = "ms", .limit_by = limit };
  double seconds;

  params->radius = RADIUS;
  job->state = vg_flow_cpu_engine.prepare (&own, NULL);
  if (job->state == NULL)
    return;
  for (int i = 0; i < WIDTH * HEIGHT; i++)
    ((guint16 *) job->frames[0].data)[i] = (guint16) (g_random_int () % ((1u << bits) - 1));
  run_engine (job); /* the first also forms the baseline */
  seconds = bench->time (bench, run_engine, job, 20);
  row.value = seconds * 1e3;
  row.limit = 10.0 * WIDTH * HEIGHT / bandwidth / cores * 1e3;
  bench->add (bench, &row);
  vg_flow_cpu_engine.free (job->state);
  job->state = NULL;
}

static void
bench_roll (VgBench *bench, Job *job, double bandwidth)
{
  g_autofree char *limit = g_strdup_printf ("memory copy %.1f GB/s a thread", bandwidth / 1e9);
  VgBenchRow row = { .id = "cpu_roll_5x5_16bit_1_thread", .unit = "ms", .limit_by = limit };
  g_autofree char *work = g_strdup_printf (
      "the 2011 paper's Roll algorithm, 5x5, %dx%d, 16-bit, CPU, 1 thread", WIDTH, HEIGHT);

  row.work = work;
  row.value = bench->time (bench, run_roll, job, 10) * 1e3;
  row.limit = 10.0 * WIDTH * HEIGHT / bandwidth * 1e3;
  bench->add (bench, &row);
}

void
vg_flow_bench (const VgContext *context, VgBench *bench)
{
  const gsize pixels = (gsize) WIDTH * HEIGHT;
  g_autofree guint16 *samples = g_new (guint16, pixels);
  g_autofree float *contrast = g_new (float, pixels), *index = g_new (float, pixels);
  g_autofree gint64 *scratch = g_new (gint64, 2 * WIDTH);
  Job job = { .contrast = contrast, .index = index, .scratch = scratch };
  double bandwidth = copy_bandwidth (bench);

  for (int i = 0; i < 2; i++)
    {
      job.frames[i].data = samples;
      job.frames[i].release = keep;
      g_atomic_ref_count_init (&job.frames[i].ref_count);
    }
  job.scale = 50.0;
  for (int threads = 1; threads >= 0; threads--)
    {
      bench_engine (bench, &job, 12, threads, bandwidth);
      bench_engine (bench, &job, 16, threads, bandwidth);
    }
  bench_roll (bench, &job, bandwidth);
}
