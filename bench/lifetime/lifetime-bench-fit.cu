/* SPDX-License-Identifier: MIT */
/* GPU rows of `vivograph bench` for the fits: a frame from page-locked memory to two maps on the
 * host, and the same cube again with a changed setting. */
#include "kernels/lifetime/engine/lifetime-cuda.cuh"
#include "kernels/lifetime/synthetic/lifetime-synthetic.h"

enum { SIDE = 512 };

typedef struct
{
  const char *id, *work;
  int method, sharing;
  gboolean offset;
  double bar_ms; /* host to host; 0: none */
} Fit;

typedef struct
{
  VgImageInfo info;
  VgLifetimeParams *params;
  VgFrame frames[2];
  guint64 id;
  LifetimeState *state;
  float *host; /* page-locked, two maps */
  gboolean failed;
} Job;

static void
keep (VgFrame *frame)
{
}

static void
clear (Job *job)
{
  if (job->state != NULL)
    vg_lifetime_cuda.free (job->state);
  for (int i = 0; i < 2; i++)
    vg_cuda_host_free (job->frames[i].data);
  vg_cuda_host_free (job->host);
  g_free (job->params);
}

/* *MEMORY: bytes of device memory that the engine allocated. */
static gboolean
set_up (Job *job, const VgContext *context, const Fit *fit, gsize *memory, GError **error)
{
  extern const VgOperation vg_lifetime_operation;
  VgSyntheticSize size = { SIDE, SIDE, 1, 1 };
  VgContext own = *context;
  size_t before = 0, after = 0, total;

  job->params = (VgLifetimeParams *) vg_params_new (&vg_lifetime_operation.params);
  job->params->method = fit->method;
  job->params->sharing = fit->sharing;
  job->params->offset = fit->offset ? VG_LIFETIME_OFFSET_FITTED : VG_LIFETIME_OFFSET_GIVEN;
  gpointer synthetic = vg_lifetime_synthetic.open (job->params, &size, &job->info, error);
  if (synthetic == NULL)
    return FALSE;
  for (int i = 0; i < 2; i++)
    {
      job->frames[i] = { &job->info,
                         vg_cuda_host_alloc (vg_image_info_frame_bytes (&job->info), error) };
      job->frames[i].pinned = TRUE;
      job->frames[i].release = keep;
      g_atomic_ref_count_init (&job->frames[i].ref_count);
      if (job->frames[i].data != NULL)
        vg_lifetime_synthetic.read (synthetic, i, job->frames[i].data, NULL);
    }
  vg_lifetime_synthetic.close (synthetic);
  own.params = job->params;
  own.info = &job->info;
  cudaMemGetInfo (&before, &total);
  if (job->frames[0].data == NULL || job->frames[1].data == NULL ||
      (job->host = (float *) vg_cuda_host_alloc (2ul * SIDE * SIDE * sizeof (float), error)) ==
          NULL ||
      (job->state = (LifetimeState *) vg_lifetime_cuda.prepare (&own, error)) == NULL)
    return FALSE;
  cudaMemGetInfo (&after, &total);
  *memory = before - after;
  return TRUE;
}

static void
fetch (Job *job)
{
  static const guint wanted[] = { VG_LIFETIME_OUTPUT_LIFETIME, VG_LIFETIME_OUTPUT_INTENSITY };
  gsize n = job->state->n;
  VgPlane plane;

  for (int i = 0; i < 2 && !job->failed; i++)
    job->failed = !vg_lifetime_cuda.output (job->state, wanted[i], &plane) ||
                  cudaMemcpyAsync (job->host + i * n, plane.data, n * sizeof (float),
                                   cudaMemcpyDeviceToHost, job->state->stream) != cudaSuccess;
  job->failed = job->failed || cudaStreamSynchronize (job->state->stream) != cudaSuccess;
}

static void
run_frame (gpointer data)
{
  Job *job = (Job *) data;
  VgFrame *frame = &job->frames[job->id % 2];

  frame->id = ++job->id;
  job->failed = job->failed || !vg_lifetime_cuda.feed (job->state, frame, NULL);
  while (!job->failed)
    {
      VgStep step = vg_lifetime_cuda.step (job->state, 1.0, NULL);

      job->failed = step == VG_STEP_FAILED;
      if (step == VG_STEP_DONE)
        break;
    }
  fetch (job);
}

static void
run_again (gpointer data)
{
  Job *job = (Job *) data;

  /* All pixels of these data have more photons. */
  job->params->threshold = job->params->threshold > 0.5f ? 0.0f : 1.0f;
  job->failed = job->failed || !vg_lifetime_cuda.update (job->state, job->params);
  while (!job->failed)
    {
      VgStep step = vg_lifetime_cuda.step (job->state, 1.0, NULL);

      job->failed = step == VG_STEP_FAILED;
      if (step == VG_STEP_DONE)
        break;
    }
  job->failed = job->failed || cudaStreamSynchronize (job->state->stream) != cudaSuccess;
}

static gboolean
bench_fit (const VgContext *context, VgBench *bench, const Fit *fit, GError **error)
{
  g_autofree char *id = g_strconcat ("gpu_", fit->id, "_512", NULL),
                  *resident_id = g_strconcat ("gpu_", fit->id, "_resident_512", NULL);
  g_autofree char *memory_id = g_strconcat ("gpu_memory_", fit->id, "_512", NULL);
  g_autofree char *work = g_strconcat (fit->work, ", frame to two maps on the host", NULL),
                  *resident = g_strconcat (fit->work, ", resident", NULL);
  g_autofree char *memory_work = g_strconcat (fit->work, ", device memory over the cube's", NULL);
  double asked = fit->bar_ms > 0 ? fit->bar_ms : NAN;
  const char *by = fit->bar_ms > 0 ? "what was asked for" : NULL;
  gsize memory = 0;
  Job job = {};
  gboolean ok = set_up (&job, context, fit, &memory, error);

  if (ok)
    {
      VgBenchRow row = { id, work, 1e3 * bench->time (bench, run_frame, &job, 5), "ms", asked, by };
      VgBenchRow again = { resident_id, resident, 1e3 * bench->time (bench, run_again, &job, 5),
                           "ms",        NAN,      NULL };
      VgBenchRow bytes = {
        memory_id, memory_work, (double) memory / (double) vg_image_info_frame_bytes (&job.info),
        "x",       1.3,         "what was asked for"
      };

      ok = !job.failed;
      if (ok)
        {
          bench->add (bench, &row);
          bench->add (bench, &again);
          bench->add (bench, &bytes);
        }
      else if (VG_CUDA_OK (cudaDeviceSynchronize (), error))
        g_set_error (error, VG_GPU_ERROR, VG_GPU_ERROR_FAILED, "%s did not run", id);
    }
  clear (&job);
  return ok;
}

gboolean
lifetime_bench_fits (const VgContext *context, VgBench *bench, GError **error)
{
  static const Fit fits[] = {
    { "mle", "fit of one lifetime", VG_LIFETIME_MLE, VG_LIFETIME_SHARE_NONE, FALSE, 6.0 },
    { "mle_offset", "fit of one lifetime and offset", VG_LIFETIME_MLE, VG_LIFETIME_SHARE_NONE, TRUE,
      6.0 },
    { "mle_bi", "fit of two lifetimes", VG_LIFETIME_MLE_TWO, VG_LIFETIME_SHARE_NONE, FALSE, 25.0 },
    { "mle_bi_offset", "fit of two lifetimes and offset", VG_LIFETIME_MLE_TWO,
      VG_LIFETIME_SHARE_NONE, TRUE, 25.0 },
    { "ga32", "two lifetimes shared by 32 pixels", VG_LIFETIME_MLE_TWO, VG_LIFETIME_SHARE_SEGMENT,
      FALSE, 40.0 },
    { "ga_image", "two lifetimes shared by the image", VG_LIFETIME_MLE_TWO, VG_LIFETIME_SHARE_IMAGE,
      FALSE, 0.0 },
    { "mle_tri", "fit of three lifetimes", VG_LIFETIME_MLE_THREE, VG_LIFETIME_SHARE_NONE, FALSE,
      0.0 },
    { "stretched", "fit of a stretched exponential", VG_LIFETIME_MLE_STRETCHED,
      VG_LIFETIME_SHARE_NONE, FALSE, 0.0 },
  };

  for (const Fit &fit : fits)
    if (!bench_fit (context, bench, &fit, error))
      return FALSE;
  return TRUE;
}
