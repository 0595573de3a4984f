/* SPDX-License-Identifier: MIT */
/* GPU rows of `vivograph bench`.  Resident rows of the sums queue many repeats at once, alternating
 * between two cubes so that neither stays in the cache.  The others measure a frame, or the change
 * of a setting, from host to host. */
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
  double memory;  /* device memory of the engine, in cubes */
  guint8 *second; /* a second cube on the device */
  float *host;    /* page-locked, four maps */
  int n_maps;     /* maps that are copied to the host */
  int method;     /* the method whose maps are timed; -1: all */
  gboolean change_gate;
  gboolean failed;
} Job;

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

/* Prepares an engine for METHOD with two page-locked frames of sample data. */
static gboolean
set_up (Job *job, int method, int sharing, gboolean offset, GError **error)
{
  extern const VgOperation vg_lifetime_operation;
  VgSyntheticSize size = { SIDE, SIDE, 1, 1, VG_LIFETIME_SAMPLE_GRID };
  VgContext own = *job->context;
  size_t before = 0, after = 0, total;

  job->params = (VgLifetimeParams *) vg_params_new (&vg_lifetime_operation.params);
  job->params->method = method;
  job->params->sharing = sharing;
  job->params->offset = offset ? VG_LIFETIME_OFFSET_FITTED : VG_LIFETIME_OFFSET_GIVEN;
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
      g_atomic_ref_count_init (&frame->ref_count);
      if (frame->data == NULL)
        break;
      vg_lifetime_synthetic.read (synthetic, i, frame->data, NULL);
    }
  vg_lifetime_synthetic.close (synthetic);
  cudaMemGetInfo (&before, &total);
  if (job->frames[1].data == NULL ||
      (job->host = (float *) vg_cuda_host_alloc (4ul * SIDE * SIDE * sizeof (float), error)) ==
          NULL ||
      (job->state = (LifetimeState *) vg_lifetime_cuda.prepare (&own, error)) == NULL)
    return FALSE;
  cudaMemGetInfo (&after, &total);
  job->memory = (double) (before - after) / (double) bytes;
  return TRUE;
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

/* Works until the maps are ready. */
static void
step_to_end (Job *job)
{
  VgStep step = VG_STEP_MORE;

  while (step == VG_STEP_MORE && !job->failed)
    step = vg_lifetime_cuda.step (job->state, 1.0, NULL);
  job->failed = job->failed || step != VG_STEP_DONE;
}

/* A new frame, and its maps copied back to the host. */
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
  job->failed = job->failed || !vg_lifetime_cuda.feed (job->state, frame, NULL);
  step_to_end (job);
  for (int i = 0; i < job->n_maps && !job->failed; i++)
    job->failed = !vg_lifetime_cuda.output (job->state, wanted[i], &plane, NULL) ||
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
  job->failed = job->failed || !vg_lifetime_cuda.update (job->state, params);
  step_to_end (job);
  finish (job);
}

/* The same data are fitted again; all pixels have more photons than the threshold. */
static void
run_again (gpointer data)
{
  Job *job = (Job *) data;

  job->params->threshold = job->params->threshold > 0.5f ? 0.0f : 1.0f;
  job->failed = job->failed || !vg_lifetime_cuda.update (job->state, job->params);
  step_to_end (job);
  finish (job);
}

/* LIMIT is in ms; NAN: none. */
static gboolean
add_row (Job *job, const char *id, const char *work, void (*run) (gpointer), int repeats,
         double limit, const char *limit_by, GError **error)
{
  double seconds = job->bench->time (job->bench, run, job, 5) / repeats;
  VgBenchRow row = { id, work, seconds * 1e3, "ms", limit, limit_by };

  if (job->failed)
    {
      if (VG_CUDA_OK (cudaStreamSynchronize (job->state->stream), error))
        g_set_error (error, VG_GPU_ERROR, VG_GPU_ERROR_FAILED, "%s did not run", id);
      return FALSE;
    }
  job->bench->add (job->bench, &row);
  return TRUE;
}

static void
add_memory (Job *job, const char *id, const char *work)
{
  VgBenchRow row = { id, work, job->memory, "x", 1.3, "what was asked for" };

  job->bench->add (job->bench, &row);
}

/* The sums and the maps from them. */
static gboolean
bench_sums (Job *job, GError **error)
{
  gsize bytes;

  if (!set_up (job, VG_LIFETIME_CMM, VG_LIFETIME_SHARE_NONE, FALSE, error))
    return FALSE;
  bytes = vg_image_info_frame_bytes (&job->info);
  if (!vg_cuda_alloc ((void **) &job->second, bytes, "a second cube", error) ||
      !VG_CUDA_OK (cudaMemcpy (job->second, job->frames[1].data, bytes, cudaMemcpyHostToDevice),
                   error))
    return FALSE;
  job->n_maps = 4;
  run_frame (job);
  double cube = (double) bytes, maps = 4.0 * job->state->n * sizeof (float),
         copy_ms = cube / job->copy * 1e3, upload_ms = (cube + maps) / job->upload * 1e3;
  g_autofree char *copy = g_strdup_printf ("memory copy %.0f GB/s", job->copy * 1e-9),
                  *upload = g_strdup_printf ("upload %.0f GB/s", job->upload * 1e-9);
  job->method = VG_LIFETIME_CMM;
  if (!add_row (job, "gpu_sums_512", "all sums of 512x512x256, 16-bit, resident", run_pass, REPEATS,
                copy_ms, copy, error) ||
      !add_row (job, "gpu_cmm_512", "all sums and centre of mass, resident", run_both, REPEATS,
                copy_ms, copy, error) ||
      !add_row (job, "gpu_map_cmm_512", "centre of mass from the sums", run_maps, REPEATS, NAN,
                NULL, error))
    return FALSE;
  job->method = VG_LIFETIME_BCMM;
  if (!add_row (job, "gpu_map_bcmm_512", "two lifetimes from the sums", run_maps, REPEATS, NAN,
                NULL, error))
    return FALSE;
  job->method = -1;
  if (!add_row (job, "gpu_all_methods_512", "all sums and all six methods, resident", run_both,
                REPEATS, copy_ms, copy, error) ||
      !add_row (job, "gpu_frame_512", "page-locked frame to four maps on the host, range found",
                run_frame, 1, upload_ms, upload, error))
    return FALSE;
  job->change_gate = TRUE;
  if (!add_row (job, "gpu_slider_range_512", "the fit range moves: new sums, new map", run_slider,
                1, copy_ms, copy, error))
    return FALSE;
  job->change_gate = FALSE;
  add_memory (job, "gpu_memory_512", "device memory of the engine over the cube's");
  return add_row (job, "gpu_slider_lifetime_512", "a known lifetime moves: new map", run_slider, 1,
                  NAN, NULL, error);
}

typedef struct
{
  const char *id, *work;
  int method, sharing;
  gboolean offset;
  double target_ms; /* from host to host; NAN: none */
} Fit;

static gboolean
bench_fit (Job *job, const Fit *fit, GError **error)
{
  g_autofree char *id = g_strconcat ("gpu_", fit->id, "_512", NULL),
                  *again_id = g_strconcat ("gpu_", fit->id, "_resident_512", NULL),
                  *memory_id = g_strconcat ("gpu_memory_", fit->id, "_512", NULL);
  g_autofree char *work = g_strconcat (fit->work, ", frame to two maps on the host", NULL),
                  *again = g_strconcat (fit->work, ", resident", NULL),
                  *memory = g_strconcat (fit->work, ", device memory over the cube's", NULL);

  job->n_maps = 2;
  if (!set_up (job, fit->method, fit->sharing, fit->offset, error) ||
      !add_row (job, id, work, run_frame, 1, fit->target_ms,
                isnan (fit->target_ms) ? NULL : "what was asked for", error) ||
      !add_row (job, again_id, again, run_again, 1, NAN, NULL, error))
    return FALSE;
  add_memory (job, memory_id, memory);
  return TRUE;
}

void
vg_lifetime_bench_cuda (const VgContext *context, VgBench *bench)
{
  enum { NONE = VG_LIFETIME_SHARE_NONE, TWO = VG_LIFETIME_MLE_TWO };
  static const Fit fits[] = {
    { "mle", "fit of one lifetime", VG_LIFETIME_MLE, NONE, FALSE, 6.0 },
    { "mle_offset", "fit of one lifetime and offset", VG_LIFETIME_MLE, NONE, TRUE, 6.0 },
    { "mle_bi", "fit of two lifetimes", TWO, NONE, FALSE, 25.0 },
    { "mle_bi_offset", "fit of two lifetimes and offset", TWO, NONE, TRUE, 25.0 },
    { "ga32", "two lifetimes shared by 32 pixels", TWO, VG_LIFETIME_SHARE_SEGMENT, FALSE, 40.0 },
    { "ga_image", "two lifetimes shared by the image", TWO, VG_LIFETIME_SHARE_IMAGE, FALSE, NAN },
    { "mle_tri", "fit of three lifetimes", VG_LIFETIME_MLE_THREE, NONE, FALSE, NAN },
    { "stretched", "fit of a stretched exponential", VG_LIFETIME_MLE_STRETCHED, NONE, FALSE, NAN },
  };
  GError *error = NULL;
  int device = context->n_devices > 0 ? context->devices[0] : 0, n_fits = (int) G_N_ELEMENTS (fits);
  Job common = {};

  common.context = context;
  common.bench = bench;
  gboolean ok = vg_cuda_bandwidth (device, &common.copy, &common.upload, &common.download, &error);
  for (int i = -1; ok && i < n_fits; i++)
    {
      Job job = common;
      ok = i < 0 ? bench_sums (&job, &error) : bench_fit (&job, &fits[i], &error);
      free_job (&job);
    }
  if (error != NULL)
    g_warning ("the GPU bench ended early: %s", error->message);
  g_clear_error (&error);
}
