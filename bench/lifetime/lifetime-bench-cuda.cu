/* SPDX-License-Identifier: MIT */
/* GPU rows of `vivograph bench`.  Resident rows queue many repeats at once, alternating between
 * two cubes so that neither stays in the cache.  The others measure a frame, or the change of a
 * slider, from host to host. */
#include "kernels/lifetime/engine/lifetime-cuda.cuh"
#include "kernels/lifetime/synthetic/lifetime-synthetic.h"

enum { REPEATS = 40, SIDE = 512, BINS = VG_LIFETIME_SYNTHETIC_BINS };

typedef struct
{
  const VgContext *context;
  VgBench *bench;
  double copy, upload, download; /* bytes per second */
  VgImageInfo info;
  VgLifetimeParams *params;
  VgFrame frames[2];
  guint64 id;
  LifetimeState *state;
  guint8 *second; /* a second cube on the device */
  float *host;    /* page-locked, four maps */
  int method;     /* the method whose maps are timed; -1: all */
  gboolean change_gate;
  gboolean failed;
} Job;

static void
keep (VgFrame *frame)
{
}

static void
free_job (Job *job)
{
  if (job->state != NULL)
    vg_lifetime_cuda.free (job->state);
  for (int i = 0; i < 2; i++)
    vg_cuda_host_free (job->frames[i].data);
  vg_cuda_host_free (job->host);
  cudaFree (job->second);
  g_free (job->params);
}

static gboolean
set_up (Job *job, GError **error)
{
  extern const VgOperation vg_lifetime_operation;
  VgSyntheticSize size = { SIDE, SIDE, 1, 1 };
  VgContext own = *job->context;

  job->params = (VgLifetimeParams *) vg_params_new (&vg_lifetime_operation.params);
  gpointer synthetic = vg_lifetime_synthetic.open (job->params, &size, &job->info, error);
  if (synthetic == NULL)
    return FALSE;
  own.params = job->params;
  own.info = &job->info;
  gsize bytes = vg_image_info_frame_bytes (&job->info);
  for (int i = 0; i < 2; i++)
    {
      VgFrame *frame = &job->frames[i];
      *frame = { &job->info, vg_cuda_host_alloc (bytes, error) };
      frame->pinned = TRUE;
      frame->release = keep;
      g_atomic_ref_count_init (&frame->ref_count);
      if (frame->data == NULL)
        break;
      vg_lifetime_synthetic.read (synthetic, i, frame->data, NULL);
    }
  vg_lifetime_synthetic.close (synthetic);
  return job->frames[1].data != NULL &&
         (job->host = (float *) vg_cuda_host_alloc (4ul * SIDE * SIDE * sizeof (float), error)) !=
             NULL &&
         vg_cuda_alloc ((void **) &job->second, bytes, "a second cube", error) &&
         VG_CUDA_OK (cudaMemcpy (job->second, job->frames[1].data, bytes, cudaMemcpyHostToDevice),
                     error) &&
         (job->state = (LifetimeState *) vg_lifetime_cuda.prepare (&own, error)) != NULL &&
         vg_lifetime_cuda.feed (job->state, &job->frames[0], error) &&
         vg_lifetime_cuda.step (job->state, 1.0, error) == VG_STEP_DONE &&
         VG_CUDA_OK (cudaStreamSynchronize (job->state->stream), error);
}

static void
finish (Job *job)
{
  if (cudaStreamSynchronize (job->state->stream) != cudaSuccess)
    job->failed = TRUE;
}

static gboolean
enqueue_pass (Job *job, int i)
{
  LifetimeCube cube = job->state->cube;

  if (i % 2 != 0)
    cube.samples = job->second;
  return lifetime_pass (&cube, &job->state->plan, job->state->weights, job->state->sums,
                        job->state->n, job->state->stream, NULL);
}

static gboolean
enqueue_maps (Job *job)
{
  static const int methods[] = { VG_LIFETIME_CMM,    VG_LIFETIME_IEM,        VG_LIFETIME_RLD,
                                 VG_LIFETIME_PHASOR, VG_LIFETIME_PHASOR_TWO, VG_LIFETIME_BCMM };
  gboolean ok = TRUE;

  for (int method : methods)
    if (job->method < 0 || job->method == method)
      {
        job->state->plan.finish.params.method = method;
        ok = ok && lifetime_map (job->state, VG_LIFETIME_OUTPUT_LIFETIME, job->state->lifetime,
                                 TRUE, NULL);
      }
  return ok;
}

static void
run_pass (gpointer data)
{
  Job *job = (Job *) data;

  for (int i = 0; i < REPEATS && !job->failed; i++)
    job->failed = !enqueue_pass (job, i);
  finish (job);
}

static void
run_maps (gpointer data)
{
  Job *job = (Job *) data;

  for (int i = 0; i < REPEATS && !job->failed; i++)
    job->failed = !enqueue_maps (job);
  finish (job);
}

static void
run_both (gpointer data)
{
  Job *job = (Job *) data;

  for (int i = 0; i < REPEATS && !job->failed; i++)
    job->failed = !enqueue_pass (job, i) || !enqueue_maps (job);
  finish (job);
}

/* A new frame, and the four maps copied back to the host. */
static void
run_frame (gpointer data)
{
  static const guint wanted[] = { VG_LIFETIME_OUTPUT_LIFETIME, VG_LIFETIME_OUTPUT_INTENSITY,
                                  VG_LIFETIME_OUTPUT_PHASOR_G, VG_LIFETIME_OUTPUT_PHASOR_S };
  Job *job = (Job *) data;
  VgFrame *frame = &job->frames[job->id % 2];
  gsize n = job->state->n;
  VgPlane plane;

  frame->id = ++job->id;
  if (!vg_lifetime_cuda.feed (job->state, frame, NULL) ||
      vg_lifetime_cuda.step (job->state, 1.0, NULL) != VG_STEP_DONE)
    job->failed = TRUE;
  for (int i = 0; i < 4 && !job->failed; i++)
    job->failed = !vg_lifetime_cuda.output (job->state, wanted[i], &plane) ||
                  cudaMemcpyAsync (job->host + i * n, plane.data, n * sizeof (float),
                                   cudaMemcpyDeviceToHost, job->state->stream) != cudaSuccess;
  finish (job);
}

/* A slider changes: the range (a pass) or a known lifetime (a map). */
static void
run_slider (gpointer data)
{
  Job *job = (Job *) data;
  VgLifetimeParams *params = job->params;

  params->range = VG_LIFETIME_RANGE_MANUAL;
  if (job->change_gate)
    params->fit_end_ns = params->fit_end_ns == 24.0f ? 25.0f : 24.0f;
  else
    params->long_lifetime_ns = params->long_lifetime_ns == 2.5f ? 2.6f : 2.5f;
  if (!vg_lifetime_cuda.update (job->state, params) ||
      vg_lifetime_cuda.step (job->state, 1.0, NULL) != VG_STEP_DONE)
    job->failed = TRUE;
  finish (job);
}

static gboolean
add_row (Job *job, const char *id, const char *work, void (*run) (gpointer), int repeats,
         double bytes, double rate, const char *what, GError **error)
{
  g_autofree char *limit_by = g_strdup_printf ("%s %.0f GB/s", what != NULL ? what : "",
                                               rate * 1e-9);
  double seconds = job->bench->time (job->bench, run, job, 10) / repeats;
  VgBenchRow row = { id,
                     work,
                     seconds * 1e3,
                     "ms",
                     what != NULL ? bytes / rate * 1e3 : NAN,
                     what != NULL ? limit_by : NULL };

  if (job->failed)
    {
      if (VG_CUDA_OK (cudaStreamSynchronize (job->state->stream), error))
        g_set_error (error, VG_GPU_ERROR, VG_GPU_ERROR_FAILED, "%s did not run", id);
      return FALSE;
    }
  job->bench->add (job->bench, &row);
  return TRUE;
}

static gboolean
run_rows (Job *job, GError **error)
{
  double cube = (double) vg_image_info_frame_bytes (&job->info),
         maps = 4.0 * job->state->n * sizeof (float);

  job->method = VG_LIFETIME_CMM;
  if (!add_row (job, "gpu_sums_512", "all sums of 512x512x256, 16-bit, resident", run_pass, REPEATS,
                cube, job->copy, "memory copy", error) ||
      !add_row (job, "gpu_cmm_512", "all sums and centre of mass, resident", run_both, REPEATS,
                cube, job->copy, "memory copy", error) ||
      !add_row (job, "gpu_map_cmm_512", "centre of mass from the sums", run_maps, REPEATS, 0, 1,
                NULL, error))
    return FALSE;
  job->method = VG_LIFETIME_BCMM;
  if (!add_row (job, "gpu_map_bcmm_512", "two lifetimes from the sums", run_maps, REPEATS, 0, 1,
                NULL, error))
    return FALSE;
  job->method = -1;
  if (!add_row (job, "gpu_all_methods_512", "all sums and all six methods, resident", run_both,
                REPEATS, cube, job->copy, "memory copy", error) ||
      !add_row (job, "gpu_frame_512", "page-locked frame to four maps on the host, range found",
                run_frame, 1, cube + maps, job->upload, "upload", error))
    return FALSE;
  job->change_gate = TRUE;
  if (!add_row (job, "gpu_slider_range_512", "the fit range moves: new sums, new map", run_slider,
                1, cube, job->copy, "memory copy", error))
    return FALSE;
  job->change_gate = FALSE;
  return add_row (job, "gpu_slider_lifetime_512", "a known lifetime moves: new map", run_slider, 1,
                  0, 1, NULL, error);
}

void
vg_lifetime_bench_cuda (const VgContext *context, VgBench *bench)
{
  GError *error = NULL;
  int device = context->n_devices > 0 ? context->devices[0] : 0;
  size_t before = 0, after = 0, total;
  Job job = {};

  job.context = context;
  job.bench = bench;
  cudaMemGetInfo (&before, &total);
  if (vg_cuda_bandwidth (device, &job.copy, &job.upload, &job.download, &error) &&
      set_up (&job, &error) && run_rows (&job, &error))
    {
      double cube = (double) vg_image_info_frame_bytes (&job.info), used;
      VgBenchRow row = {
        "gpu_memory_512",    "device memory of the engine over the cube's", 0.0, "x", 1.3,
        "what was asked for"
      };

      cudaMemGetInfo (&after, &total);
      used = (double) (before - after) - cube; /* without the bench's second cube */
      row.value = used / cube;
      bench->add (bench, &row);
      free_job (&job);
      job = {};
      lifetime_bench_fits (context, bench, &error);
    }
  if (error != NULL)
    g_warning ("the GPU bench ended early: %s", error->message);
  g_clear_error (&error);
  free_job (&job);
}
