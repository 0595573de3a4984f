/* SPDX-License-Identifier: MIT */
/* Rows of `vivograph bench` on the GPU.  Resident rows replay a graph of many
 * frames, so that launching from the host does not count; the stream row feeds
 * page-locked frames as a camera would and never brings a map back. */
#include "kernels/flow/model/flow-cuda.cuh"
#include "kernels/flow/motion/flow-motion.cuh"
#include "bench/flow/flow-peers.cuh"

enum { REPEATS = 50, FRAMES = 4, STREAMED = 64 };

typedef struct
{
  int width, height;
} Size;
static const Size sizes[] = { { 1392, 1040 }, { 1920, 1440 }, { 4096, 3072 } };

typedef struct
{
  const VgContext *context;
  VgBench *bench;
  double copy, upload, download; /* bytes per second */
  Size size;
  gsize pixels;
  VgFlowParams *params;
  int motion; /* VgFlowMotionKind */
  VgImageInfo info;
  VgFrame frames[FRAMES];
  guint64 id;
  FlowState *state;
  cudaGraphExec_t graph;
  void *planes; /* for the peers: frame, sums, squares */
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
    vg_flow_cuda.free (job->state);
  for (int i = 0; i < FRAMES; i++)
    vg_cuda_host_free (job->frames[i].data);
  cudaFree (job->planes);
  g_free (job->params);
}

static gboolean
feed_and_step (Job *job, GError **error)
{
  VgFrame *frame = &job->frames[job->id % FRAMES];

  frame->id = job->id++;
  return vg_flow_cuda.feed (job->state, frame, error) &&
         vg_flow_cuda.step (job->state, 1.0, error) != VG_STEP_FAILED;
}

/* Page-locked frames of random 16-bit samples below saturation, an engine, and
 * its window of time filled. */
static gboolean
set_up (Job *job, int method, int frames, GError **error)
{
  extern const VgOperation vg_flow_operation;
  GRand *random = g_rand_new_with_seed (1);

  job->pixels = (gsize) job->size.width * job->size.height;
  job->info = { .type = VG_U16,
                .width = job->size.width,
                .height = job->size.height,
                .channels = 1,
                .bins = 1,
                .slices = 1,
                .frames = -1,
                .significant_bits = 16 };
  job->params = (VgFlowParams *) vg_params_new (&vg_flow_operation.params);
  job->params->method = method;
  job->params->radius = 2;
  job->params->frames = frames;
  job->params->motion = job->motion;
  VgContext own = *job->context;
  own.params = job->params;
  own.info = &job->info;
  for (int i = 0; i < FRAMES; i++)
    {
      VgFrame *frame = &job->frames[i];
      frame->info = &job->info;
      frame->data = vg_cuda_host_alloc (job->pixels * sizeof (guint16), error);
      frame->pinned = TRUE;
      frame->release = keep;
      g_atomic_ref_count_init (&frame->ref_count);
      if (frame->data == NULL)
        break;
      for (gsize k = 0; k < job->pixels; k++)
        ((guint16 *) frame->data)[k] = (guint16) (g_rand_int (random) % 65535);
    }
  g_rand_free (random);
  if (job->frames[FRAMES - 1].data == NULL ||
      (job->state = (FlowState *) vg_flow_cuda.prepare (&own, error)) == NULL)
    return FALSE;
  for (int i = 0; i < frames + 2; i++)
    if (!feed_and_step (job, error))
      return FALSE;
  return VG_CUDA_OK (cudaStreamSynchronize (job->state->compute), error);
}

static void
replay (gpointer data)
{
  Job *job = (Job *) data;

  if (cudaGraphLaunch (job->graph, job->state->compute) != cudaSuccess ||
      cudaStreamSynchronize (job->state->compute) != cudaSuccess)
    job->failed = TRUE;
}

typedef gboolean (*Enqueue) (Job *job, GError **error);

/* Seconds of one ENQUEUE, replayed; 0 and error. */
static double
time_graph (Job *job, Enqueue enqueue, GError **error)
{
  cudaGraph_t graph = NULL;
  cudaStream_t stream = job->state->compute;
  double seconds = 0;
  gboolean ok = VG_CUDA_OK (cudaStreamBeginCapture (stream, cudaStreamCaptureModeThreadLocal),
                            error);

  if (!ok)
    return 0;
  for (int i = 0; i < REPEATS && ok; i++)
    ok = enqueue (job, error);
  if (!VG_CUDA_OK (cudaStreamEndCapture (stream, &graph), ok ? error : NULL))
    return 0;
  if (ok && VG_CUDA_OK (cudaGraphInstantiate (&job->graph, graph, 0), error))
    {
      seconds = job->bench->time (job->bench, replay, job, 5) / (double) REPEATS;
      if (job->failed)
        VG_CUDA_OK (cudaStreamSynchronize (stream), error);
      cudaGraphExecDestroy (job->graph);
    }
  cudaGraphDestroy (graph);
  return job->failed ? 0 : seconds;
}

static void
add_row (Job *job, const char *id, const char *work, double seconds, double bytes, double rate,
         const char *what)
{
  g_autofree char *full_id = g_strdup_printf ("gpu_%s_%dx%d", id, job->size.width,
                                              job->size.height);
  g_autofree char *limit_by = g_strdup_printf ("%s %.0f GB/s", what, rate * 1e-9);
  g_autofree char *full_work = g_strdup_printf ("%s, %dx%d, 16-bit", work, job->size.width,
                                                job->size.height);
  VgBenchRow row = { full_id, full_work, seconds * 1e3, "ms", bytes / rate * 1e3, limit_by };

  job->bench->add (job->bench, &row);
}

static gboolean
enqueue_contrast (Job *job, GError **error)
{
  gboolean done;

  return flow_spatial (job->state, &done, error) && done;
}

static gboolean
enqueue_temporal (Job *job, GError **error)
{
  return flow_temporal (job->state, TRUE, TRUE, error);
}

static gboolean
enqueue_paper (Job *job, GError **error)
{
  const guint16 *frame = (const guint16 *) job->planes;
  int *sums = (int *) (frame + (job->pixels + 127) / 128 * 128);

  flow_peer_paper (frame, job->size.width, job->size.height, 2, 50.0f, sums,
                   (float *) (sums + job->pixels), job->state->contrast, job->state->index,
                   job->state->compute);
  return vg_cuda_launched ("row_kernel", error);
}

static gboolean
enqueue_plain (Job *job, GError **error)
{
  flow_peer_plain ((const guint16 *) job->planes, job->size.width, job->size.height, 2, 50.0f,
                   job->state->contrast, job->state->index, job->state->compute);
  return vg_cuda_launched ("plain_kernel", error);
}

static gboolean
enqueue_motion (Job *job, GError **error)
{
  return flow_motion_align (job->state, &job->frames[0], 0, error);
}

static void
stream_frames (gpointer data)
{
  Job *job = (Job *) data;

  for (int i = 0; i < STREAMED && !job->failed; i++)
    job->failed = !feed_and_step (job, NULL);
  if (cudaStreamSynchronize (job->state->compute) != cudaSuccess)
    job->failed = TRUE;
}

static gboolean
bench_spatial (Job *job, GError **error)
{
  double bytes, seconds;

  if (!set_up (job, VG_FLOW_SPATIAL, 1, error) ||
      !vg_cuda_alloc (&job->planes, job->pixels * 10 + 512, "the peers of the bench", error) ||
      !VG_CUDA_OK (cudaMemcpyAsync (job->planes, job->frames[0].data,
                                    job->pixels * sizeof (guint16), cudaMemcpyHostToDevice,
                                    job->state->compute),
                   error))
    return FALSE;
  bytes = 10.0 * (double) job->pixels;
  if ((seconds = time_graph (job, enqueue_contrast, error)) == 0)
    return FALSE;
  add_row (job, "k_sfi_5x5", "K and flow index, 5x5, resident", seconds, bytes, job->copy,
           "memory copy");
  if ((seconds = time_graph (job, enqueue_plain, error)) == 0)
    return FALSE;
  add_row (job, "plain_5x5", "the same, one thread a pixel", seconds, bytes, job->copy,
           "memory copy");
  if ((seconds = time_graph (job, enqueue_paper, error)) == 0)
    return FALSE;
  add_row (job, "paper_5x5", "the same, the 2011 paper's two kernels", seconds, bytes, job->copy,
           "memory copy");
  seconds = job->bench->time (job->bench, stream_frames, job, 3) / (double) STREAMED;
  if (job->failed)
    return VG_CUDA_OK (cudaStreamSynchronize (job->state->compute), error);
  add_row (job, "stream_5x5", "page-locked frame to K and flow index, uploads overlapped", seconds,
           2.0 * job->pixels, job->upload, "upload");
  return TRUE;
}

static gboolean
bench_temporal (Job *job, GError **error)
{
  double seconds;

  if (!set_up (job, VG_FLOW_TEMPORAL, 25, error) ||
      (seconds = time_graph (job, enqueue_temporal, error)) == 0)
    return FALSE;
  add_row (job, "temporal_25", "K and flow index over 25 frames, sliding, resident", seconds,
           36.0 * job->pixels, job->copy, "memory copy");
  return TRUE;
}

/* The frame is on the device: its displacement is found and it is moved. */
static gboolean
bench_motion (Job *job, GError **error)
{
  double seconds;

  if (!set_up (job, VG_FLOW_SPATIAL, 1, error) ||
      (seconds = time_graph (job, enqueue_motion, error)) == 0)
    return FALSE;
  add_row (job, job->motion == VG_FLOW_MOTION_RIGID ? "motion_rigid" : "motion_translation",
           job->motion == VG_FLOW_MOTION_RIGID ? "motion correction with rotation, resident"
                                               : "motion correction, resident",
           seconds, 4.0 * job->pixels, job->copy, "memory copy");
  return TRUE;
}

void
vg_flow_bench_cuda (const VgContext *context, VgBench *bench)
{
  GError *error = NULL;
  int device = context->n_devices > 0 ? context->devices[0] : 0;
  int n = bench->quick ? 1 : (int) G_N_ELEMENTS (sizes);
  Job common = {};

  common.context = context;
  common.bench = bench;
  gboolean ok = vg_cuda_bandwidth (device, &common.copy, &common.upload, &common.download, &error);
  for (int i = 0; i < 2 * n && ok; i++)
    {
      Job job = common;
      job.size = sizes[i % n];
      ok = i < n ? bench_spatial (&job, &error) : bench_temporal (&job, &error);
      free_job (&job);
    }
  for (int motion = VG_FLOW_MOTION_TRANSLATION; motion <= VG_FLOW_MOTION_RIGID && ok; motion++)
    {
      Job job = common;
      job.size = sizes[0];
      job.motion = motion;
      ok = bench_motion (&job, &error);
      free_job (&job);
    }
  if (error != NULL)
    g_warning ("the GPU bench ended early: %s", error->message);
  g_clear_error (&error);
}
