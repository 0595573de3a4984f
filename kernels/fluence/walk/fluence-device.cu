/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>
#include "kernels/fluence/walk/fluence-device.cuh"
/* Memory and launches of one GPU.  There are twelve kernels: without a tally of collisions, with
 * one in shared memory or in global memory; with or without time gates; with or without the
 * precision for albedos close to 1 and nearly isotropic scattering. */

/* Absorbed fractions below this need all digits (VgFluenceTissue.lost_shift). */
#define FINE_LOSS (1.0 / 8192.0)
/* With more rows than this, shared memory has no space for two columns. */
#define MOST_ROWS 16384

enum { FIRST_WAIT = 8, MOST_COPIES = 8, ALIGNMENT = 256 };
/* Memory is allocated with some slack, so that one more layer fits, and used for the next run
 * unless more than `most_spare` bytes would be unused. */
static const gsize most_slack = (gsize) 8 << 20, most_spare = (gsize) 64 << 20;

template <int SCORE, bool TIMED, bool FINE>
static VgFluenceVariant
variant (void)
{
  return { (const void *) vg_fluence_kernel<SCORE, TIMED, FINE, 1024, 1>, 1024, 1, 0 };
}

template <int SCORE>
static VgFluenceVariant
choose_rest (bool timed, bool fine)
{
  return timed ? (fine ? variant<SCORE, true, true> () : variant<SCORE, true, false> ())
               : (fine ? variant<SCORE, false, true> () : variant<SCORE, false, false> ());
}

static VgFluenceVariant
choose (const VgFluenceParams *params, const VgFluenceMedium *medium)
{
  bool timed = medium->gates > 0, fine = false;

  for (int l = 0; l < medium->n_layers; l++)
    {
      const VgFluenceLayer *layer = &medium->layers[l + 1];

      fine |= medium->mua[l] < FINE_LOSS * medium->mut[l];
      fine |= medium->mut[l] > 0.0 && fabs (0.5 * layer->hg_twice) < VG_FLUENCE_EVEN_G;
    }
  if (params->reflectance_only)
    return choose_rest<VG_FLUENCE_SCORE_NONE> (timed, fine);
  return medium->rows > MOST_ROWS ? choose_rest<VG_FLUENCE_SCORE_GLOBAL> (timed, fine)
                                  : choose_rest<VG_FLUENCE_SCORE_SHARED> (timed, fine);
}

static void
set_tissue (VgFluenceTissue *tissue, const VgFluenceMedium *medium, int l)
{
  const VgFluenceLayer *layer = &medium->layers[l + 1];
  double step = layer->step / medium->dr;

  tissue->step = (float) MAX (step, (double) VG_FLUENCE_CLEAR_STEP);
  tissue->offset = -32.0f * tissue->step;
  tissue->fraction = layer->fraction;
  tissue->thickness = (float) (layer->thickness / medium->dr);
  tissue->angle = vg_fluence_angle (0.5 * layer->hg_twice);
  tissue->row = 8388608.0f + (float) layer->row_first;
  tissue->row_last = (int) VG_FLUENCE_BITS + layer->row_last;
  tissue->lost_plain = layer->lost_plain;
  tissue->lost = layer->lost;
  tissue->lost_shift = layer->lost_shift;
  tissue->slowness = (float) (layer->slowness * medium->dr);
  for (int side = 0; side < 2; side++)
    {
      tissue->ratio[side] = (float) ((double) layer->n / layer[2 * side - 1].n);
      tissue->rest[side] = (float) (1.0 - (double) tissue->ratio[side] * tissue->ratio[side]);
    }
}

static void
set_launch (VgFluenceLaunch *launch, const VgFluenceParams *params, const VgFluenceMedium *medium,
            int index, int count)
{
  launch->layout = vg_fluence_layout (medium->cells, medium->columns, medium->na, medium->gates);
  launch->seed = (guint32) params->seed;
  launch->device = index;
  launch->n_devices = count;
  /* small enough that many warps get a stock */
  launch->stock = (int) CLAMP (params->photons / (256.0 * count), 1.0, (double) VG_FLUENCE_STOCK);
  launch->n_layers = medium->n_layers;
  launch->start_layer = medium->start_layer;
  launch->columns = (float) medium->nr;
  launch->na = medium->na;
  launch->most_events = (int) medium->most_events;
  launch->gates = medium->gates;
  launch->rows = medium->rows;
  launch->start_x = (float) (medium->start_x / medium->dr);
  launch->start_z = (float) (medium->start_z / medium->dr);
  launch->rows_per_length = (float) (medium->dr / medium->dz);
  launch->inverse_gate = medium->inverse_gate;
  launch->isotropic = medium->isotropic;
}

/* Sets the columns of the tally in shared memory: as many as fit, from the axis on, where most
 * light is.  One more column receives the unused sums of the columns outside. */
static gboolean
set_shared (VgFluenceDevice *self, const VgFluenceMedium *medium, int blocks_per_sm, GError **error)
{
  VgFluenceLaunch *launch = &self->launch;
  int most = 0, all = 0, rows = medium->rows, columns = medium->columns, fits, shared;

  if (rows > MOST_ROWS)
    return TRUE;
  if (!VG_CUDA_OK (
          cudaDeviceGetAttribute (&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, self->device),
          error) ||
      !VG_CUDA_OK (
          cudaDeviceGetAttribute (&all, cudaDevAttrMaxSharedMemoryPerMultiprocessor, self->device),
          error))
    return FALSE;
  most = MIN (most, all / blocks_per_sm - 1024) / (int) sizeof (guint32);
  fits = MIN (columns, most / rows);
  shared = fits < columns ? fits - 1 : fits;
  launch->far = shared < columns ? (float) shared : INFINITY;
  launch->shared_last = (float) MIN (shared, medium->nr);
  launch->shared_cells = shared * rows;
  launch->stride = fits * rows | 1; /* odd: the same bin is in another bank */
  launch->copies = CLAMP (most / launch->stride, 1, MOST_COPIES);
  launch->stride = MIN (launch->stride, most);
  self->shared_bytes = sizeof (guint32) * (gsize) launch->copies * (gsize) launch->stride;
  return VG_CUDA_OK (cudaFuncSetAttribute (self->kernel,
                                           cudaFuncAttributeMaxDynamicSharedMemorySize,
                                           (int) self->shared_bytes),
                     error);
}

static gsize
aligned (gsize bytes)
{
  return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/* Whether memory of HELD bytes can be used for BYTES. */
static gboolean
can_hold (gsize held, gsize bytes)
{
  return held >= bytes && held - bytes <= most_spare;
}

/* Allocates memory on the GPU and page-locked memory for all parts of it, unless those of an
 * earlier run fit: an allocation takes longer than a small run. */
static gboolean
allocate_memory (VgFluenceDevice *self, gsize bytes, gsize host_bytes, GError **error)
{
  if (!can_hold (self->bytes, bytes))
    {
      cudaFree (self->memory);
      self->memory = NULL;
      self->bytes = 0;
      if (!vg_cuda_alloc ((void **) &self->memory, bytes + MIN (bytes / 8, most_slack),
                          "the tallies and photons of the simulation", error))
        return FALSE;
      self->bytes = bytes + MIN (bytes / 8, most_slack);
    }
  if (!can_hold (self->host_bytes, host_bytes))
    {
      vg_cuda_host_free (self->host);
      self->host_bytes = 0;
      self->host = (guint64 *) vg_cuda_host_alloc (host_bytes + MIN (host_bytes / 8, most_slack),
                                                   error);
      if (self->host == NULL)
        return FALSE;
      self->host_bytes = host_bytes + MIN (host_bytes / 8, most_slack);
    }
  return TRUE;
}

/* Uploads the layers, which all parts share. */
static gboolean
send_layers (VgFluenceDevice *self, const VgFluenceMedium *medium, guint8 *where, GError **error)
{
  g_autofree VgFluenceTissue *tissues = g_new0 (VgFluenceTissue, medium->n_layers + 2);

  for (int l = 0; l < medium->n_layers; l++)
    set_tissue (&tissues[l + 1], medium, l);
  self->launch.layers = (const VgFluenceTissue *) where;
  /* the streams of the other parts must not start before it */
  return VG_CUDA_OK (cudaMemcpyAsync (where, tissues,
                                      sizeof (VgFluenceTissue) * (medium->n_layers + 2),
                                      cudaMemcpyHostToDevice, self->stream),
                     error) &&
         VG_CUDA_OK (cudaStreamSynchronize (self->stream), error);
}

static gboolean
assign_memory (VgFluenceDevice *self, const VgFluenceMedium *medium, int parts,
               VgFluenceDevice *owner, GError **error)
{
  VgFluenceLaunch *launch = &self->launch;
  const gsize n = (gsize) self->blocks * self->threads,
              layers = sizeof (VgFluenceTissue) * (medium->n_layers + 2);
  const gsize tally = aligned (launch->layout.size * sizeof (guint64)),
              back = tally + aligned (sizeof (VgFluenceProgress));
  const gsize photons = aligned (n * sizeof (VgFluencePhoton)),
              stocks = aligned (n / 32 * sizeof (VgFluenceStockState));
  const gsize size = back + 2 * photons + stocks;
  guint8 *memory, *host;

  if (owner == NULL)
    {
      if (!allocate_memory (self, size * parts + layers, 2 * back * parts, error) ||
          !VG_CUDA_OK (cudaMemsetAsync (self->memory, 0, size * parts, self->stream), error) ||
          !send_layers (self, medium, self->memory + size * parts, error))
        return FALSE;
      self->assigned = 0;
      owner = self;
    }
  memory = owner->memory + size * owner->assigned;
  host = (guint8 *) owner->host + 2 * back * owner->assigned++;
  launch->layers = owner->launch.layers;
  launch->tally = (VgFluenceCount *) memory;
  launch->progress = (VgFluenceProgress *) (memory + tally);
  self->progress_at = tally / sizeof (guint64);
  self->photons[0] = (VgFluencePhoton *) (memory + back);
  self->photons[1] = (VgFluencePhoton *) (memory + back + photons);
  launch->stocks = (VgFluenceStockState *) (memory + back + 2 * photons);
  for (int i = 0; i < 2; i++)
    self->flights[i].host = (guint64 *) (host + back * i);
  return TRUE;
}

VgFluenceDevice *
vg_fluence_device_new (int device, GError **error)
{
  VgFluenceDevice *self;
  gboolean ok;

  if (!vg_cuda_use (device, error))
    return NULL;
  self = g_new0 (VgFluenceDevice, 1);
  self->device = device;
  ok = vg_cuda_stream_new (&self->stream, error);
  for (int i = 0; i < 2 && ok; i++)
    ok = VG_CUDA_OK (cudaEventCreate (&self->flights[i].begin), error) &&
         VG_CUDA_OK (cudaEventCreate (&self->flights[i].end), error) &&
         vg_cuda_event_new (&self->flights[i].copied, error);
  if (ok)
    return self;
  vg_fluence_device_free (self);
  return NULL;
}

gboolean
vg_fluence_device_stop (VgFluenceDevice *self, GError **error)
{
  self->first = self->in_flight = 0;
  self->tally = NULL;
  self->launched = self->alive = self->served = 0;
  self->ms = 0;
  self->steps = 0;
  return vg_cuda_use (self->device, error) &&
         VG_CUDA_OK (cudaStreamSynchronize (self->stream), error);
}

gboolean
vg_fluence_device_start (VgFluenceDevice *self, int parts, int index, int count,
                         const VgFluenceParams *params, const VgFluenceMedium *medium,
                         const VgFluenceVariant *wanted, VgFluenceDevice *owner, GError **error)
{
  VgFluenceVariant chosen = wanted != NULL ? *wanted : choose (params, medium);
  int processors = 0;

  self->kernel = chosen.kernel;
  self->threads = chosen.threads;
  self->fixed_wait = chosen.wait > 0;
  self->shared_bytes = 0;
  memset (&self->launch, 0, sizeof self->launch);
  set_launch (&self->launch, params, medium, index, count);
  self->launch.copies = 1;
  self->launch.wait = self->fixed_wait ? chosen.wait : FIRST_WAIT;
  if (!vg_cuda_use (self->device, error) ||
      !VG_CUDA_OK (
          cudaDeviceGetAttribute (&processors, cudaDevAttrMultiProcessorCount, self->device),
          error) ||
      (!params->reflectance_only && !set_shared (self, medium, chosen.blocks, error)))
    return FALSE;
  self->blocks = MAX (processors * chosen.blocks / parts, 1);
  return assign_memory (self, medium, parts, owner, error);
}

void
vg_fluence_device_share (VgFluenceDevice *self, int rank, int ranks)
{
  self->launch.device += rank * self->launch.n_devices;
  self->launch.n_devices *= ranks;
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
      for (int i = 0; i < 2; i++)
        {
          if (self->flights[i].begin != NULL)
            cudaEventDestroy (self->flights[i].begin);
          if (self->flights[i].end != NULL)
            cudaEventDestroy (self->flights[i].end);
          if (self->flights[i].copied != NULL)
            cudaEventDestroy (self->flights[i].copied);
        }
      vg_cuda_host_free (self->host);
      cudaFree (self->memory);
      cudaGetLastError ();
    }
  g_free (self);
}

gboolean
vg_fluence_device_go (VgFluenceDevice *self, guint64 last, int steps, GError **error)
{
  VgFluenceLaunch *launch = &self->launch;
  VgFluenceFlight *flight = &self->flights[(self->first + self->in_flight) & 1];
  void *arguments[] = { launch };
  gboolean ok;

  g_return_val_if_fail (self->in_flight < 2, FALSE);
  launch->last = last;
  launch->steps = flight->steps = steps / VG_FLUENCE_TURNS * VG_FLUENCE_TURNS;
  launch->before = self->photons[launch->phase];
  launch->after = self->photons[1 - launch->phase];
  flight->phase = launch->phase;
  ok = vg_cuda_use (self->device, error) &&
       VG_CUDA_OK (cudaMemsetAsync (&launch->progress->alive[1 - launch->phase], 0,
                                    sizeof (VgFluenceCount), self->stream),
                   error) &&
       VG_CUDA_OK (cudaEventRecord (flight->begin, self->stream), error) &&
       VG_CUDA_OK (cudaLaunchKernel (self->kernel, dim3 (self->blocks), dim3 (self->threads),
                                     arguments, self->shared_bytes, self->stream),
                   error);
  launch->phase = 1 - launch->phase;
  self->in_flight += ok;
  return ok;
}

gboolean
vg_fluence_device_fetch (VgFluenceDevice *self, GError **error)
{
  VgFluenceLaunch *launch = &self->launch;
  VgFluenceFlight *flight = &self->flights[(self->first + self->in_flight - 1) & 1];
  /* the progress follows the tally */
  gsize bytes = self->progress_at * sizeof (guint64) + sizeof (VgFluenceProgress);

  return vg_cuda_use (self->device, error) &&
         VG_CUDA_OK (cudaEventRecord (flight->end, self->stream), error) &&
         VG_CUDA_OK (cudaMemcpyAsync (flight->host, launch->tally, bytes, cudaMemcpyDeviceToHost,
                                      self->stream),
                     error) &&
         VG_CUDA_OK (cudaEventRecord (flight->copied, self->stream), error);
}

/* Best number of lanes of a warp that wait for each other.  A rare event costs R instructions for
 * any number of lanes, a step costs A, and waiting lanes are idle.  With RATE events per step and
 * lane, (A + R RATE n / w) / (n - w / 2) has its minimum near w = n sqrt (2 R RATE / A). */
static int
best_wait (double rate)
{
  return (int) CLAMP (rint (30.0 * sqrt (3.0 * rate)), 1.0, 12.0);
}

gboolean
vg_fluence_device_wait (VgFluenceDevice *self, GError **error)
{
  VgFluenceFlight *flight = &self->flights[self->first];
  const VgFluenceProgress *progress = (const VgFluenceProgress *) (flight->host +
                                                                   self->progress_at);
  float ms = 0;

  if (self->in_flight == 0)
    return TRUE;
  self->in_flight--;
  self->first = 1 - self->first;
  if (!vg_cuda_use (self->device, error) ||
      !VG_CUDA_OK (cudaEventSynchronize (flight->copied), error) ||
      !VG_CUDA_OK (cudaEventElapsedTime (&ms, flight->begin, flight->end), error))
    return FALSE;
  self->ms = ms;
  self->steps = flight->steps;
  self->tally = flight->host;
  self->launched = progress->launched;
  self->alive = progress->alive[1 - flight->phase];
  if (!self->fixed_wait && self->alive > 0)
    self->launch.wait = best_wait ((double) (progress->served - self->served) /
                                   ((double) self->alive * flight->steps));
  self->served = progress->served;
  return TRUE;
}
