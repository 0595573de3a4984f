/* SPDX-License-Identifier: MIT */
/* GPU rows of `vivograph bench`: the default solver from host to host and on the device alone,
 * the paper's solver, the two transforms. */
#include "kernels/perfusion/motion/perfusion-motion-cuda.cuh"
#include "kernels/perfusion/paper/perfusion-paper-cuda.cuh"
#include "bench/perfusion/perfusion-bench.h"
#include "kernels/perfusion/engine/perfusion-engine.h"
#include "kernels/perfusion/engine/perfusion-cuda.cuh"
#include <string.h>

extern "C" const VgOperation vg_perfusion_operation;

enum { CHUNKS = 3, MAPS = 5, STREAMS = PERFUSION_QUEUES };

/* A volume in page-locked memory, and one GPU's part of it. */
struct Work
{
  VgPerfusionStudy *study;
  PerfusionDevice device;
  PerfusionDevice
      scratch[STREAMS]; /* only the memory that the slow solvers need, for each stream */
  float *host, *maps;
  cudaStream_t upload, streams[STREAMS];
  cudaEvent_t sent[CHUNKS];
  gsize fitted;       /* voxels that the slow solvers fit */
  gboolean summaries; /* maps without a model in place of a fit */
  gboolean ok;
};

static gboolean
fit (const Work *self, PerfusionDevice *device, gsize first, gsize count)
{
  const VgPerfusionParams *params = self->study->params;
  VgPerfusionFitOptions options = { params->iterations, params->tolerance, params->starts };

  if (params->solver == VG_PERFUSION_SOLVER_PAPER)
    return perfusion_fit_paper (device, self->study->paper, first, count, NULL);
  if (params->model == VG_PERFUSION_BEST)
    return perfusion_fit_best (device, &options, params->significance, first, count, NULL);
  if (params->model == VG_PERFUSION_DECONVOLUTION)
    return perfusion_deconvolve (device, first, count, NULL);
  if (params->model != VG_PERFUSION_COMPARTMENT)
    return perfusion_fit_general (device, &options, first, count, NULL);
  return perfusion_fit_default (device, &options, first, count, NULL);
}

/* Computes and downloads five maps of the voxels [FIRST, FIRST + COUNT). */
static gboolean
make_maps (const Work *self, PerfusionDevice *device, gsize first, gsize count)
{
  gsize pitch = device->count * sizeof (float), size = count * sizeof (float);

  if (!self->summaries)
    return fit (self, device, first, count) &&
           cudaMemcpy2DAsync (self->maps + first, pitch, device->values + first, pitch, size, MAPS,
                              cudaMemcpyDeviceToHost, device->stream) == cudaSuccess;
  for (gsize i = 0; i < MAPS; i++)
    if (!perfusion_summarise (device, self->study, (int) (VG_PERFUSION_OUTPUT_INITIAL_AREA + i),
                              first, count, NULL) ||
        cudaMemcpyAsync (self->maps + i * device->count + first, device->derived + first, size,
                         cudaMemcpyDeviceToHost, device->stream) != cudaSuccess)
      return FALSE;
  return TRUE;
}

/* Queues uploads in parts, each fitted during the upload of the next, and downloads of five maps.
 * The first parts are small, so that the fits begin soon; parts alternate between streams, so that
 * one begins while the last voxels of another are fitted.  Does not wait. */
static void
begin (Work *self)
{
  PerfusionDevice *device = &self->device;
  gsize n = (gsize) self->study->n, count = device->count, pitch = count * sizeof (float);
  const gsize chunks = self->study->params->model == VG_PERFUSION_EXCHANGE && !self->summaries
                           ? 1 /* its last voxels take longer than the upload */
                           : CHUNKS;

  self->ok = vg_cuda_use (device->device, NULL) &&
             perfusion_send_tables (device, self->study, NULL);
  for (gsize c = 0; self->ok && c < chunks; c++)
    {
      gsize all = chunks * (chunks + 1), first = count * (c * (c + 1)) / all,
            size = count * ((c + 1) * (c + 2)) / all - first;
      PerfusionDevice one = *device, &scratch = self->scratch[c % STREAMS];

      one.stream = self->streams[c % STREAMS];
      one.queue = device->queue + c % STREAMS;
      one.scratch = scratch.scratch;
      one.scratch_bytes = scratch.scratch_bytes;
      self->ok = cudaMemcpy2DAsync ((float *) device->raw + first, pitch, self->host + first, pitch,
                                    size * sizeof (float), n, cudaMemcpyHostToDevice,
                                    self->upload) == cudaSuccess &&
                 cudaEventRecord (self->sent[c], self->upload) == cudaSuccess &&
                 cudaStreamWaitEvent (one.stream, self->sent[c], 0) == cudaSuccess &&
                 perfusion_convert (&one, self->study, first, size, NULL) &&
                 make_maps (self, &one, first, size);
      scratch.scratch = one.scratch;
      scratch.scratch_bytes = one.scratch_bytes;
    }
}

static void
finish (Work *self)
{
  self->ok = vg_cuda_use (self->device.device, NULL) && self->ok;
  for (cudaStream_t stream : self->streams)
    self->ok = cudaStreamSynchronize (stream) == cudaSuccess && self->ok;
}

static void
run_host_to_host (gpointer data)
{
  begin ((Work *) data);
  finish ((Work *) data);
}

static void
run_upload (gpointer data)
{
  Work *self = (Work *) data;

  self->ok = cudaMemcpyAsync (self->device.raw, self->host,
                              self->device.count * sizeof (float) * (gsize) self->study->n,
                              cudaMemcpyHostToDevice, self->upload) == cudaSuccess &&
             cudaStreamSynchronize (self->upload) == cudaSuccess;
}

static void
run_resident (gpointer data)
{
  Work *self = (Work *) data;

  self->ok = perfusion_convert (&self->device, self->study, 0, self->fitted, NULL) &&
             fit (self, &self->device, 0, self->fitted) &&
             cudaStreamSynchronize (self->device.stream) == cudaSuccess;
}

/* A moved region: new inputs, a new dictionary, all voxels. */
static void
run_refit (gpointer data)
{
  Work *self = (Work *) data;

  self->ok = vg_perfusion_study_update (self->study, self->study->params, NULL) &&
             perfusion_send_tables (&self->device, self->study, NULL);
  if (self->ok)
    run_resident (data);
}

static void
work_free (Work *self)
{
  perfusion_device_free (&self->device);
  for (PerfusionDevice &part : self->scratch)
    cudaFree (part.scratch);
  for (cudaStream_t stream : { self->upload, self->streams[0], self->streams[1] })
    if (stream != NULL)
      cudaStreamDestroy (stream);
  for (cudaEvent_t event : self->sent)
    if (event != NULL)
      cudaEventDestroy (event);
  vg_cuda_host_free (self->host);
  vg_cuda_host_free (self->maps);
  vg_perfusion_study_free (self->study);
}

/* Creates WIDTH x HEIGHT x SLICES voxels of N frames with the population AIF. */
static gboolean
work_new (Work *self, const VgContext *context, int width, int height, int slices, int n,
          VgPerfusionParams *params)
{
  VgImageInfo info = { VG_F32, width, height, 1, 1, slices, n };
  g_autoptr (VgPerfusionProblem) problem = vg_perfusion_bench_problem (n);
  gsize voxels = (gsize) width * (gsize) height * (gsize) slices;

  *self = {};
  self->host = (float *) vg_cuda_host_alloc (voxels * (gsize) n * sizeof (float), NULL);
  self->maps = (float *) vg_cuda_host_alloc (voxels * MAPS * sizeof (float), NULL);
  if (self->host == NULL || self->maps == NULL)
    return FALSE;
  vg_perfusion_bench_volume (
      problem, voxels, context->threads > 0 ? context->threads : (int) g_get_num_processors (),
      self->host);
  info.frame_interval_s = problem->step_s;
  params->signal = VG_PERFUSION_SIGNAL_CONCENTRATION;
  params->frame_interval_s = (float) problem->step_s;
  g_autoptr (VgImage) image = vg_image_new (&info, "the bench's volume", NULL);
  if (image == NULL)
    return FALSE;
  memcpy (image->data, self->host, voxels * (gsize) n * sizeof (float));
  VgContext whole = { params, &info, image };
  whole.threads = context->threads;
  self->study = vg_perfusion_study_new (&whole, NULL);
  self->device.device = context->n_devices > 0 ? context->devices[0] : 0;
  self->device.count = self->fitted = voxels;
  if (self->study == NULL || !perfusion_device_new (&self->device, self->study, NULL) ||
      !vg_cuda_stream_new (&self->upload, NULL))
    return FALSE;
  for (cudaStream_t &stream : self->streams)
    if (!vg_cuda_stream_new (&stream, NULL))
      return FALSE;
  for (cudaEvent_t &event : self->sent)
    if (!vg_cuda_event_new (&event, NULL))
      return FALSE;
  run_host_to_host (self);
  return self->ok;
}

static VgPerfusionParams *
params_new (void)
{
  return (VgPerfusionParams *) vg_params_new (&vg_perfusion_operation.params);
}

static void
add (VgBench *bench, Work *work, const char *id, const char *what, double value, const char *unit,
     double limit, const char *by)
{
  VgBenchRow row = { id, what, work->ok ? value : NAN, unit, limit, by };

  bench->add (bench, &row);
}

static void
measure_volume (const VgContext *context, VgBench *bench, int n, const char *ids[3], double peer)
{
  VgPerfusionParams *params = params_new ();
  int slices = bench->quick ? 2 : 29;
  Work work;

  if (work_new (&work, context, 180, 120, slices, n, params))
    {
      double up = 1e3 * bench->time (bench, run_upload, &work, 5);

      g_autofree char *what = g_strdup_printf (
          "%s voxels, up, fitted, five maps back; beside it Gpufit's Tofts",
          bench->quick ? "43,200" : "626,400");

      add (bench, &work, ids[0], what, 1e3 * bench->time (bench, run_host_to_host, &work, 5), "ms",
           up, "upload alone");
      add (bench, &work, ids[1], "the same, data on the GPU",
           1e3 * bench->time (bench, run_resident, &work, 5), "ms", peer,
           "Gpufit's Tofts, host to host");
    }
  work_free (&work);
  vg_params_free (&vg_perfusion_operation.params, params);
}

/* The exchange model, and the maps without a model, from host to host. */
static void
measure_host_to_host (const VgContext *context, VgBench *bench)
{
  VgPerfusionParams *params = params_new ();
  int slices = bench->quick ? 2 : 29;
  const char *voxels = bench->quick ? "43,200" : "626,400";
  Work work;

  params->model = VG_PERFUSION_EXCHANGE;
  if (work_new (&work, context, 180, 120, slices, 48, params))
    {
      double up = 1e3 * bench->time (bench, run_upload, &work, 5);
      g_autofree char *exchange = g_strdup_printf ("%s voxels, exchange, two inputs, delays fitted",
                                                   voxels);
      g_autofree char *maps = g_strdup_printf ("%s voxels, five maps without a model", voxels);

      add (bench, &work, "exchange_48_host_to_host", exchange,
           1e3 * bench->time (bench, run_host_to_host, &work, 3), "ms", up, "upload alone");
      work.summaries = TRUE;
      add (bench, &work, "maps_without_model_48_host_to_host", maps,
           1e3 * bench->time (bench, run_host_to_host, &work, 5), "ms", up, "upload alone");
    }
  work_free (&work);
  vg_params_free (&vg_perfusion_operation.params, params);
}

static void
measure_refit (const VgContext *context, VgBench *bench)
{
  VgPerfusionParams *params = params_new ();
  Work work;

  params->artery = g_strdup ("rect:10,10,6,6");
  params->portal = g_strdup ("rect:40,10,6,6@1");
  if (work_new (&work, context, 128, 128, bench->quick ? 2 : 40, 48, params))
    add (bench, &work, "refit_128x128x40",
         "a region moved: its curve, the dictionary, every voxel again",
         1 / bench->time (bench, run_refit, &work, 5), "Hz", 20, "what a hand sees as live");
  work_free (&work);
  vg_params_free (&vg_perfusion_operation.params, params);
}

static void
measure_solver (const VgContext *context, VgBench *bench, const char *id, const char *what,
                int convolution, int model, int n, gsize voxels, double limit, const char *by)
{
  VgPerfusionParams *params = params_new ();
  Work work;

  params->solver = convolution >= 0 ? VG_PERFUSION_SOLVER_PAPER : VG_PERFUSION_SOLVER_DEFAULT;
  params->convolution = MAX (convolution, 0);
  params->model = model;
  if (work_new (&work, context, (int) (bench->quick ? voxels / 16 : voxels), 1, 1, n, params))
    add (bench, &work, id, what,
         1e6 * bench->time (bench, run_resident, &work, 1) / (double) work.fitted, "us/voxel",
         limit, by);
  work_free (&work);
  vg_params_free (&vg_perfusion_operation.params, params);
}

static void
run_motion (gpointer data)
{
  const VgPerfusionMotionTask *task = (const VgPerfusionMotionTask *) data;

  vg_perfusion_motion_free (perfusion_find_motion (task, 0, NULL));
}

/* The motion correction of a breathing series in page-able memory, from host to host. */
static void
measure_motion (VgBench *bench, const char *id, const char *what, VgPerfusionMotionKind kind)
{
  double weights[48];
  VgPerfusionMotionTask task = {};
  g_autoptr (VgImage) image = vg_perfusion_bench_breathing (bench->quick ? 4 : 40);

  if (image == NULL)
    return;
  for (double &weight : weights)
    weight = 1;
  task.image = image;
  task.kind = kind;
  task.weights = weights;
  task.spacing = 6; /* voxels, whose size is not given: 5760 control points */
  task.threads = kind == VG_PERFUSION_MOTION_DEFORMATION ? (int) g_get_num_processors () : 1;
  VgBenchRow row = { id,   what, 1e3 * bench->time (bench, run_motion, &task, 3),
                     "ms", 1000, "what a user waits without noticing" };
  bench->add (bench, &row);
}

enum { MAX_GPUS = 16 };

/* A volume in parts, one on each GPU. */
struct Shares
{
  Work works[MAX_GPUS];
  int n;
};

static void
run_shares (gpointer data)
{
  Shares *self = (Shares *) data;

  for (int i = 0; i < self->n; i++)
    begin (&self->works[i]);
  for (int i = 0; i < self->n; i++)
    finish (&self->works[i]);
}

/* Measures the volume over all GPUs from host to host, as in the paper with three GPUs. */
static void
measure_shares (const VgContext *context, VgBench *bench, gboolean paper)
{
  gsize voxels = bench->quick ? 43200 : 626400;
  VgContext one = *context;
  Shares shares = {};
  gboolean ok = TRUE;
  double seconds = NAN;
  int gpus = CLAMP (vg_cuda_device_count (NULL), 1, (int) MAX_GPUS);

  for (; ok && shares.n < gpus; shares.n++)
    {
      VgPerfusionParams *params = params_new ();
      gsize first = voxels * (gsize) shares.n / (gsize) gpus,
            end = voxels * (gsize) (shares.n + 1) / (gsize) gpus;

      params->solver = paper ? VG_PERFUSION_SOLVER_PAPER : VG_PERFUSION_SOLVER_DEFAULT;
      one.devices = &shares.n;
      one.n_devices = 1;
      ok = work_new (&shares.works[shares.n], &one, (int) (end - first), 1, 1, 48, params);
      vg_params_free (&vg_perfusion_operation.params, params);
    }
  if (ok)
    seconds = bench->time (bench, run_shares, &shares, paper ? 1 : 5);
  for (int i = 0; i < shares.n; i++)
    ok = ok && shares.works[i].ok;
  g_autofree char *what = g_strdup_printf (
      "%s, %s voxels host to host over %d GPU%s", paper ? "the paper's solver" : "default solver",
      bench->quick ? "43,200" : "626,400", gpus, gpus > 1 ? "s" : "");
  VgBenchRow row = { paper ? "paper_48_all_gpus" : "default_48_all_gpus",
                     what,
                     ok ? 1e3 * seconds : NAN,
                     "ms",
                     paper ? 54e3 : NAN,
                     paper ? "the paper's three C2050" : NULL };
  bench->add (bench, &row);
  for (int i = 0; i < shares.n; i++)
    work_free (&shares.works[i]);
}

static void
measure_transform (VgBench *bench, const char *id, int q, int p)
{
  int length = q * p, count = bench->quick ? 1000 : 100000;
  gsize samples = (gsize) length * (gsize) count;
  g_autofree double *in = g_new (double, samples), *block = g_new (double, samples),
                    *padded = g_new (double, samples), *back = g_new (double, samples);
  g_autofree char *what = NULL;
  double ms, peer, worst = 0, square = 0;
  GRand *rand = g_rand_new_with_seed (5);

  for (gsize i = 0; i < samples; i++)
    in[i] = g_rand_double (rand);
  g_rand_free (rand);
  ms = 1e3 *
       perfusion_time_block (q, p, count, in, 400.0 / VG_PERFUSION_RATE, 1, block, back, NULL);
  peer = 1e3 * perfusion_time_cufft (length, count, in, 400.0 / VG_PERFUSION_RATE, 1, padded, NULL);
  for (gsize i = 0; i < samples; i++)
    {
      worst = MAX (worst, peer > 0 ? fabs (block[i] - padded[i]) : 0);
      square += (back[i] - in[i]) * (back[i] - in[i]);
    }
  what = g_strdup_printf ("%d convolutions of %d x %d, round trip RMSE %.1e, from cuFFT's %.1e",
                          count, q, p, sqrt (square / (double) samples), worst);
  VgBenchRow row = { id, what, ms > 0 ? ms : NAN, "ms", peer > 0 ? peer : NAN, "cuFFT, padded" };
  bench->add (bench, &row);
}

void
vg_perfusion_bench_cuda (const VgContext *context, VgBench *bench)
{
  static const char *few[] = { "default_48_host_to_host", "default_48_resident" };
  static const char *many[] = { "default_128_host_to_host", "default_128_resident" };
  const char *c2050 = "the paper's C2050";

  if (!vg_cuda_use (context->n_devices > 0 ? context->devices[0] : 0, NULL))
    return;
  measure_volume (context, bench, 48, few, 140.6);
  measure_volume (context, bench, 128, many, 420);
  measure_host_to_host (context, bench);
  measure_refit (context, bench);
  measure_motion (bench, "motion_volume_128x128x40x48",
                  "motion correction of the whole volume, host to host",
                  VG_PERFUSION_MOTION_VOLUME);
  measure_motion (bench, "motion_slices_128x128x40x48",
                  "motion correction of each slice, host to host", VG_PERFUSION_MOTION_SLICES);
  measure_motion (bench, "motion_deformation_128x128x40x48",
                  "motion correction with a free-form deformation, host to host",
                  VG_PERFUSION_MOTION_DEFORMATION);
  measure_solver (context, bench, "paper_block_48", "the paper's solver, Block-FFT",
                  VG_PERFUSION_CONVOLUTION_BLOCK, 0, 48, 65536, 250, c2050);
  measure_solver (context, bench, "paper_cufft_48", "the paper's solver, cuFFT",
                  VG_PERFUSION_CONVOLUTION_FFT, 0, 48, 65536, 250, c2050);
  measure_solver (context, bench, "paper_recursion_48", "the paper's solver, recursion",
                  VG_PERFUSION_CONVOLUTION_RECURSION, 0, 48, 65536, 250, c2050);
  measure_shares (context, bench, FALSE);
  measure_shares (context, bench, TRUE);
  if (!vg_cuda_use (context->n_devices > 0 ? context->devices[0] : 0, NULL))
    return;
  measure_solver (context, bench, "extended_tofts_48", "extended Tofts, two inputs", -1,
                  VG_PERFUSION_EXTENDED_TOFTS, 48, 65536, NAN, NULL);
  measure_solver (context, bench, "exchange_48", "two-compartment exchange, two inputs", -1,
                  VG_PERFUSION_EXCHANGE, 48, 65536, NAN, NULL);
  measure_solver (context, bench, "deconvolution_48",
                  "deconvolution by Tikhonov with cross-validation and 17 onsets", -1,
                  VG_PERFUSION_DECONVOLUTION, 48, 626400, NAN, NULL);
  measure_solver (context, bench, "best_48", "the best of five models, two inputs", -1,
                  VG_PERFUSION_BEST, 48, 65536, NAN, NULL);
  measure_transform (bench, "block_fft_2x16", 2, 16);
  measure_transform (bench, "block_fft_3x16", 3, 16);
  measure_transform (bench, "block_fft_2x32", 2, 32);
  measure_transform (bench, "block_fft_2x64", 2, 64);
  measure_transform (bench, "block_fft_4x64", 4, 64);
  measure_transform (bench, "block_fft_7x64", 7, 64);
}
