/* SPDX-License-Identifier: MIT */
#include "fluence-device.cuh"
/* Memory and launches of one GPU.  Eight kernels: with or without the tally
 * of the tissue, with or without time gates, for albedos close to 1 or not. */

/* Albedo losses below this want all digits (VgFluenceLayer.lost_shift). */
#define FINE_LOSS (1.0 / 8192.0)

template <bool SCORE, bool TIMED, bool FINE>
static VgFluenceVariant
variant (void)
{
  /* one large block shares one tally; without it small blocks fill the registers */
  if (SCORE)
    return { (const void *) vg_fluence_kernel<SCORE, TIMED, FINE, 1024, 1, 8>, 1024, 1 };
  return { (const void *) vg_fluence_kernel<SCORE, TIMED, FINE, 256, 4, 8>, 256, 4 };
}

static VgFluenceVariant
choose (const VgFluenceRun *run)
{
  const VgFluenceMedium *medium = run->medium;
  bool score = !run->params.reflectance_only, timed = medium->gates > 0, fine = false;

  for (int l = 0; l < medium->n_layers; l++)
    fine |= medium->mua[l] > 0.0 && medium->mua[l] < FINE_LOSS * medium->mut[l];
  if (score)
    return timed ? (fine ? variant<true, true, true> () : variant<true, true, false> ())
                 : (fine ? variant<true, false, true> () : variant<true, false, false> ());
  return timed ? (fine ? variant<false, true, true> () : variant<false, true, false> ())
               : (fine ? variant<false, false, true> () : variant<false, false, false> ());
}

static void
set_launch (VgFluenceLaunch *launch, const VgFluenceRun *run, int index, int count)
{
  const VgFluenceMedium *medium = run->medium;

  launch->layout = run->layout;
  launch->seed = (guint32) run->params.seed;
  launch->device = index;
  launch->n_devices = count;
  launch->n_layers = medium->n_layers;
  launch->start_layer = medium->start_layer;
  launch->nr = medium->nr;
  launch->na = medium->na;
  launch->gates = medium->gates;
  launch->rows = medium->rows;
  launch->start_x = medium->start_x;
  launch->start_z = medium->start_z;
  launch->inverse_dr = medium->inverse_dr;
  launch->inverse_dz = medium->inverse_dz;
  launch->inverse_gate = medium->inverse_gate;
  launch->bottom = (float) medium->nz;
  launch->isotropic = medium->isotropic;
}

/* As much of the tally as fits, from the axis outwards: it is where the light is. */
static gboolean
set_shared (VgFluenceDevice *self, const VgFluenceRun *run, int blocks_per_sm, GError **error)
{
  int most = 0, all = 0;

  if (run->params.reflectance_only)
    return TRUE;
  if (!VG_CUDA_OK (cudaDeviceGetAttribute (&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, self->device), error)
      || !VG_CUDA_OK (cudaDeviceGetAttribute (&all, cudaDevAttrMaxSharedMemoryPerMultiprocessor, self->device), error))
    return FALSE;
  most = MIN (most, all / blocks_per_sm - 1024);
  self->launch.shared_cells = (int) MIN (run->medium->cells, (gsize) most / sizeof (guint32));
  self->shared_bytes = (gsize) self->launch.shared_cells * sizeof (guint32);
  return VG_CUDA_OK (cudaFuncSetAttribute (self->kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int) self->shared_bytes),
                     error);
}

static gboolean
take_memory (VgFluenceDevice *self, const VgFluenceRun *run, GError **error)
{
  gsize n = (gsize) self->blocks * self->threads, layers = sizeof (VgFluenceLayer) * (run->medium->n_layers + 2);
  VgFluenceLaunch *launch = &self->launch;
  void *where[5] = { NULL };
  const gsize bytes[5] = { run->layout.size * sizeof (guint64), sizeof (VgFluenceProgress), n * sizeof (VgFluencePhoton),
                           n / 32 * sizeof (VgFluenceStockState), layers };
  gboolean ok = TRUE;

  for (int i = 0; i < 5 && ok; i++)
    ok = vg_cuda_alloc (&where[i], bytes[i], "the tallies and photons of the simulation", error)
         && VG_CUDA_OK (cudaMemsetAsync (where[i], 0, bytes[i], self->stream), error);
  launch->tally = (VgFluenceCount *) where[0];
  launch->progress = (VgFluenceProgress *) where[1];
  launch->photons = (VgFluencePhoton *) where[2];
  launch->stocks = (VgFluenceStockState *) where[3];
  launch->layers = (const VgFluenceLayer *) where[4];
  if (!ok)
    return FALSE;
  self->host = (guint64 *) vg_cuda_host_alloc (run->layout.size * sizeof (guint64) + sizeof (VgFluenceProgress), error);
  return self->host != NULL
         && VG_CUDA_OK (cudaMemcpyAsync (where[4], run->medium->layers, layers, cudaMemcpyHostToDevice, self->stream), error)
         && VG_CUDA_OK (cudaStreamSynchronize (self->stream), error);
}

VgFluenceDevice *
vg_fluence_device_new (int device, int index, int count, const VgFluenceRun *run, const VgFluenceVariant *wanted, GError **error)
{
  VgFluenceDevice *self;
  VgFluenceVariant chosen = wanted != NULL ? *wanted : choose (run);
  int processors = 0;

  if (!vg_cuda_use (device, error))
    return NULL;
  self = g_new0 (VgFluenceDevice, 1);
  self->device = device;
  self->kernel = chosen.kernel;
  self->threads = chosen.threads;
  set_launch (&self->launch, run, index, count);
  if (vg_cuda_stream_new (&self->stream, error) && VG_CUDA_OK (cudaEventCreate (&self->begin), error)
      && VG_CUDA_OK (cudaEventCreate (&self->end), error)
      && VG_CUDA_OK (cudaDeviceGetAttribute (&processors, cudaDevAttrMultiProcessorCount, device), error)
      && set_shared (self, run, chosen.blocks, error))
    {
      self->blocks = processors * chosen.blocks;
      if (take_memory (self, run, error))
        return self;
    }
  vg_fluence_device_free (self);
  return NULL;
}

void
vg_fluence_device_free (VgFluenceDevice *self)
{
  if (self == NULL)
    return;
  if (vg_cuda_use (self->device, NULL))
    {
      if (self->stream != NULL)
        {
          cudaStreamSynchronize (self->stream);
          cudaStreamDestroy (self->stream);
        }
      if (self->begin != NULL)
        cudaEventDestroy (self->begin);
      if (self->end != NULL)
        cudaEventDestroy (self->end);
      cudaFree (self->launch.tally);
      cudaFree (self->launch.progress);
      cudaFree (self->launch.photons);
      cudaFree (self->launch.stocks);
      cudaFree ((void *) self->launch.layers);
      vg_cuda_host_free (self->host);
      cudaGetLastError ();
    }
  g_free (self);
}

gboolean
vg_fluence_device_go (VgFluenceDevice *self, guint64 last, int steps, GError **error)
{
  VgFluenceLaunch *launch = &self->launch;
  void *arguments[] = { launch };
  gsize bytes = launch->layout.size * sizeof (guint64);

  launch->last = last;
  launch->steps = steps;
  self->flying = vg_cuda_use (self->device, error)
                 && VG_CUDA_OK (cudaMemsetAsync (&launch->progress->alive, 0, sizeof (VgFluenceCount), self->stream), error)
                 && VG_CUDA_OK (cudaEventRecord (self->begin, self->stream), error)
                 && VG_CUDA_OK (cudaLaunchKernel (self->kernel, dim3 (self->blocks), dim3 (self->threads), arguments,
                                                  self->shared_bytes, self->stream), error)
                 && VG_CUDA_OK (cudaEventRecord (self->end, self->stream), error)
                 && VG_CUDA_OK (cudaMemcpyAsync (self->host, launch->tally, bytes, cudaMemcpyDeviceToHost, self->stream), error)
                 && VG_CUDA_OK (cudaMemcpyAsync (self->host + launch->layout.size, launch->progress, sizeof (VgFluenceProgress),
                                                 cudaMemcpyDeviceToHost, self->stream), error);
  return self->flying;
}

gboolean
vg_fluence_device_wait (VgFluenceDevice *self, GError **error)
{
  const VgFluenceProgress *progress = (const VgFluenceProgress *) (self->host + self->launch.layout.size);
  float ms = 0;

  if (!self->flying)
    return TRUE;
  self->flying = FALSE;
  if (!vg_cuda_use (self->device, error) || !VG_CUDA_OK (cudaStreamSynchronize (self->stream), error)
      || !VG_CUDA_OK (cudaEventElapsedTime (&ms, self->begin, self->end), error))
    return FALSE;
  self->ms = ms;
  self->launched = progress->launched;
  self->alive = progress->alive;
  return TRUE;
}
