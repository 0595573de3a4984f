/* SPDX-License-Identifier: MIT */
/* The functions of the CUDA engine.  Each GPU fits a contiguous part of the voxels, and the maps
 * are gathered on the first GPU. */
#include "kernels/perfusion/engine/perfusion-cuda.cuh"
#include "kernels/perfusion/engine/perfusion-engine.h"
#include "kernels/perfusion/fit/perfusion-output.h"
#include "kernels/perfusion/fit/perfusion-summary.h"
#include "kernels/perfusion/engine/perfusion-state.h"
#include "kernels/perfusion/paper/perfusion-paper-cuda.cuh"
#include <string.h>

enum { MAX_DEVICES = 16 };

struct PerfusionEngine
{
  VgPerfusionStudy *study;
  PerfusionDevice devices[MAX_DEVICES];
  int n_devices;
  /* FIT_VALUES + 1 (signal) planes of all voxels on the first device, if there are several
   * devices. */
  float *gathered;
  gsize done; /* voxels that the device with the most voxels has fitted */
  gsize batch;
  gboolean started;
  double seconds;
  gsize counts[VG_PERFUSION_N_COUNTS];
  gboolean have_counts;
  float *host_status;
};

void
perfusion_device_free (PerfusionDevice *self)
{
  if (self->stream == NULL)
    return;
  cudaSetDevice (self->device);
  cudaStreamSynchronize (self->stream);
  if (self->own_curves)
    cudaFree (self->curves);
  for (void *memory :
       { (void *) self->raw, (void *) self->mask, (void *) self->t1_s, (void *) self->signal,
         (void *) self->values, (void *) self->derived, (void *) self->sums, (void *) self->starts,
         (void *) self->tables_memory, (void *) self->block.memory, self->lockstep })
    cudaFree (memory);
  cudaStreamDestroy (self->stream);
}

static void
engine_free (gpointer data)
{
  PerfusionEngine *self = (PerfusionEngine *) data;

  if (self == NULL)
    return;
  if (self->gathered != NULL && cudaSetDevice (self->devices[0].device) == cudaSuccess)
    cudaFree (self->gathered);
  for (int i = 0; i < self->n_devices; i++)
    perfusion_device_free (&self->devices[i]);
  vg_perfusion_study_free (self->study);
  g_free (self->host_status);
  g_free (self);
}

/* Copies samples to the device through two page-locked buffers, because the driver copies
 * pageable memory on a single thread. */
static gboolean
upload (PerfusionDevice *self, const VgPerfusionStudy *study, GError **error)
{
  enum { HALF = 16 << 20 };
  gsize total = self->count * vg_type_size (study->image->info.type) * (gsize) study->n;
  guint8 *staging = (guint8 *) vg_cuda_host_alloc (2 * HALF, error);
  cudaEvent_t sent[2] = {};
  gboolean ok = staging != NULL && vg_cuda_event_new (&sent[0], error) &&
                vg_cuda_event_new (&sent[1], error);

  for (gsize at = 0, half = 0; ok && at < total; at += HALF, half = 1 - half)
    {
      gsize bytes = MIN ((gsize) HALF, total - at);
      guint8 *to = staging + half * HALF;

      if (!VG_CUDA_OK (cudaEventSynchronize (sent[half]), error))
        {
          ok = FALSE;
          break;
        }
      vg_perfusion_study_stage (study, self->first, self->count, at, bytes, to);
      ok = VG_CUDA_OK (
               cudaMemcpyAsync (self->raw + at, to, bytes, cudaMemcpyHostToDevice, self->stream),
               error) &&
           VG_CUDA_OK (cudaEventRecord (sent[half], self->stream), error);
    }
  ok = ok && VG_CUDA_OK (cudaStreamSynchronize (self->stream), error);
  for (cudaEvent_t event : sent)
    if (event != NULL)
      cudaEventDestroy (event);
  if (staging != NULL)
    vg_cuda_host_free (staging);
  return ok;
}

gboolean
perfusion_device_new (PerfusionDevice *self, const VgPerfusionStudy *study, GError **error)
{
  gsize n = (gsize) study->n, size = vg_type_size (study->image->info.type);

  /* Data that are concentrations already are fitted in place. */
  self->own_curves = study->image->info.type != VG_F32 ||
                     study->params->signal != VG_PERFUSION_SIGNAL_CONCENTRATION;
  if (!vg_cuda_use (self->device, error) || !vg_cuda_stream_new (&self->stream, error) ||
      !vg_cuda_alloc ((void **) &self->raw, MAX (self->count * n * size, 1), "the contrast series",
                      error) ||
      (self->own_curves &&
       !vg_cuda_alloc ((void **) &self->curves, self->count * n * sizeof (float),
                       "the contrast series", error)) ||
      !vg_cuda_alloc ((void **) &self->values,
                      self->count * sizeof (float) * VG_PERFUSION_FIT_VALUES, "the maps", error) ||
      !vg_cuda_alloc ((void **) &self->signal, self->count * sizeof (float), "the maps", error) ||
      !vg_cuda_alloc ((void **) &self->derived, self->count * sizeof (float), "the maps", error) ||
      !vg_cuda_alloc ((void **) &self->sums, self->count * sizeof (float2), "the maps", error) ||
      !vg_cuda_alloc ((void **) &self->starts, self->count * sizeof (ushort2), "the maps", error) ||
      !vg_cuda_alloc ((void **) &self->mask, self->count, "the mask", error))
    return FALSE;
  if (!self->own_curves)
    self->curves = (float *) self->raw;
  return study->t1_s == NULL ||
         vg_cuda_alloc ((void **) &self->t1_s, self->count * sizeof (float), "the T1 map", error);
}

static gboolean
restart (PerfusionEngine *self, GError **error)
{
  self->done = 0;
  self->batch = 0;
  self->seconds = 0;
  self->have_counts = FALSE;
  for (int i = 0; i < self->n_devices; i++)
    if (!vg_cuda_use (self->devices[i].device, error) ||
        !perfusion_send_tables (&self->devices[i], self->study, error) ||
        !perfusion_convert (&self->devices[i], self->study, 0, self->devices[i].count, error))
      return FALSE;
  return TRUE;
}

static gboolean
set_up (PerfusionEngine *self, const VgContext *context, GError **error)
{
  int n = CLAMP (context->n_devices, 1, (int) MAX_DEVICES);
  gsize voxels = self->study->voxels;

  self->n_devices = (int) MIN ((gsize) n, MAX (voxels, 1));
  for (int i = 0; i < self->n_devices; i++)
    {
      PerfusionDevice *device = &self->devices[i];

      device->device = context->n_devices > 0 ? context->devices[i] : 0;
      device->first = voxels * (gsize) i / (gsize) self->n_devices;
      device->count = voxels * (gsize) (i + 1) / (gsize) self->n_devices - device->first;
      if (!perfusion_device_new (device, self->study, error) ||
          !upload (device, self->study, error))
        return FALSE;
    }
  if (self->n_devices > 1 &&
      (!vg_cuda_use (self->devices[0].device, error) ||
       !vg_cuda_alloc ((void **) &self->gathered,
                       voxels * sizeof (float) * (VG_PERFUSION_FIT_VALUES + 2), "the maps", error)))
    return FALSE;
  return restart (self, error);
}

static gpointer
prepare (const VgContext *context, GError **error)
{
  VgPerfusionStudy *study = vg_perfusion_study_new (context, error);

  if (study == NULL)
    return NULL;
  PerfusionEngine *self = g_new0 (PerfusionEngine, 1);
  self->study = study;
  if (set_up (self, context, error))
    return self;
  engine_free (self);
  return NULL;
}

/* A CUDA error here makes the caller prepare a new state, which then reports it. */
static gboolean
update (gpointer data, const void *new_params)
{
  PerfusionEngine *self = (PerfusionEngine *) data;
  const VgPerfusionParams *next = (const VgPerfusionParams *) new_params;

  gboolean had_t1 = self->study->t1_s != NULL;

  if (vg_perfusion_study_set_units (self->study, next))
    return TRUE;
  /* Another signal, or a new T1 map, needs other memory. */
  return next->signal == self->study->params->signal &&
         vg_perfusion_study_update (self->study, next, NULL) &&
         (self->study->t1_s != NULL) == had_t1 && restart (self, NULL);
}

static gboolean
fit (PerfusionEngine *self, PerfusionDevice *device, gsize first, gsize count, GError **error)
{
  const VgPerfusionParams *params = self->study->params;
  VgPerfusionFitOptions options = { params->iterations, params->tolerance, params->starts };

  if (count == 0)
    return TRUE;
  if (!vg_cuda_use (device->device, error))
    return FALSE;
  if (params->solver == VG_PERFUSION_SOLVER_PAPER)
    return perfusion_fit_paper (device, self->study->paper, first, count, error);
  if (params->model != VG_PERFUSION_COMPARTMENT)
    return perfusion_fit_general (device, &options, first, count, error);
  return perfusion_fit_default (device, &options, first, count, error);
}

static gsize
largest_share (const PerfusionEngine *self)
{
  gsize largest = 0;

  for (int i = 0; i < self->n_devices; i++)
    largest = MAX (largest, self->devices[i].count);
  return largest;
}

/* Gathers the maps of all GPUs on the first. */
static gboolean
gather (PerfusionEngine *self, GError **error)
{
  gsize voxels = self->study->voxels;

  if (self->gathered == NULL)
    return TRUE;
  for (int i = 0; i < self->n_devices; i++)
    {
      PerfusionDevice *device = &self->devices[i];

      if (!vg_cuda_use (device->device, error))
        return FALSE;
      for (int k = 0; k <= VG_PERFUSION_FIT_VALUES; k++)
        if (!VG_CUDA_OK (
                cudaMemcpyPeerAsync (
                    self->gathered + (gsize) k * voxels + device->first, self->devices[0].device,
                    k < VG_PERFUSION_FIT_VALUES ? device->values + (gsize) k * device->count
                                                : device->signal,
                    device->device, device->count * sizeof (float), device->stream),
                error))
          return FALSE;
      if (!VG_CUDA_OK (cudaStreamSynchronize (device->stream), error))
        return FALSE;
    }
  return vg_cuda_use (self->devices[0].device, error);
}

static double
now (void)
{
  return (double) g_get_monotonic_time () * 1e-6;
}

static VgStep
step (gpointer data, double budget_s, GError **error)
{
  PerfusionEngine *self = (PerfusionEngine *) data;
  gsize share = largest_share (self);
  double start = now (), before, spent = 0;
  gboolean slow = self->study->params->solver == VG_PERFUSION_SOLVER_PAPER ||
                  self->study->params->model != VG_PERFUSION_COMPARTMENT;

  if (self->batch == 0)
    self->batch = slow ? 4096 : 1 << 20;
  while (self->done < share && spent < budget_s)
    {
      before = now ();
      for (int i = 0; i < self->n_devices; i++)
        {
          PerfusionDevice *device = &self->devices[i];
          gsize first = MIN (self->done, device->count);

          if (!fit (self, device, first, MIN (self->batch, device->count - first), error))
            return VG_STEP_FAILED;
        }
      for (int i = 0; i < self->n_devices; i++)
        if (!vg_cuda_use (self->devices[i].device, error) ||
            !VG_CUDA_OK (cudaStreamSynchronize (self->devices[i].stream), error))
          return VG_STEP_FAILED;
      self->done = MIN (self->done + self->batch, share);
      spent = now () - start;
      if (now () - before < budget_s / 3)
        self->batch *= 2;
      else if (now () - before > budget_s)
        self->batch = MAX (self->batch / 2, 1024);
    }
  self->seconds += spent;
  self->have_counts = FALSE;
  if (!gather (self, error))
    return VG_STEP_FAILED;
  return self->done < share ? VG_STEP_MORE : VG_STEP_DONE;
}

static const float *
plane_of (PerfusionEngine *self, int slot)
{
  return self->gathered != NULL ? self->gathered + (gsize) slot * self->study->voxels
         : slot == VG_PERFUSION_FIT_VALUES
             ? self->devices[0].signal
             : self->devices[0].values + (gsize) slot * self->devices[0].count;
}

/* Where derived maps are: with several GPUs behind the gathered planes. */
static float *
derived_plane (PerfusionEngine *self)
{
  return self->gathered != NULL
             ? self->gathered + (gsize) (VG_PERFUSION_FIT_VALUES + 1) * self->study->voxels
             : self->devices[0].derived;
}

/* Each GPU computes the map of its voxels from their curves. */
static gboolean
summarise (PerfusionEngine *self, int output)
{
  for (int i = 0; i < self->n_devices; i++)
    {
      PerfusionDevice *device = &self->devices[i];

      if (!vg_cuda_use (device->device, NULL) ||
          !perfusion_summarise (device, self->study, output, NULL))
        return FALSE;
      if (self->gathered != NULL &&
          (!VG_CUDA_OK (cudaMemcpyPeerAsync (derived_plane (self) + device->first,
                                             self->devices[0].device, device->derived,
                                             device->device, device->count * sizeof (float),
                                             device->stream),
                        NULL) ||
           !VG_CUDA_OK (cudaStreamSynchronize (device->stream), NULL)))
        return FALSE;
    }
  return vg_cuda_use (self->devices[0].device, NULL);
}

static gboolean
output (gpointer data, guint i, VgPlane *plane)
{
  PerfusionEngine *self = (PerfusionEngine *) data;
  PerfusionDevice *first = &self->devices[0];
  const VgImageInfo *info = &self->study->image->info;
  const VgPerfusionParams *params = self->study->params;
  float factor = vg_perfusion_output_factor ((int) i, params->rate_unit, params->density);
  int slot = vg_perfusion_output_slot ((int) i);

  if (i >= VG_PERFUSION_OUTPUT_INPUTS || !vg_cuda_use (first->device, NULL))
    return FALSE;
  *plane = { VG_DEVICE, NULL, info->width, info->height, (int) info->slices, first->stream };
  plane->pixel_size[0] = info->pixel_size[0];
  plane->pixel_size[1] = info->pixel_size[1];
  memcpy (plane->unit, info->pixel_unit, sizeof plane->unit);
  if (i == VG_PERFUSION_OUTPUT_SIGNAL ||
      (slot >= 0 && factor == 1 &&
       (slot >= VG_PERFUSION_FIT_ERRORS || params->model != VG_PERFUSION_EXCHANGE)))
    {
      plane->data = plane_of (self, slot >= 0 ? slot : VG_PERFUSION_FIT_VALUES);
      return TRUE;
    }
  plane->data = derived_plane (self);
  if (vg_perfusion_is_summary ((int) i))
    return summarise (self, (int) i);
  /* With several GPUs, maps are derived from the gathered planes. */
  PerfusionDevice whole = *first;
  whole.count = self->study->voxels;
  whole.values = (float *) plane_of (self, 0);
  whole.derived = derived_plane (self);
  return perfusion_derive (&whole, (int) i, factor, NULL);
}

static double
progress (gpointer data)
{
  const PerfusionEngine *self = (const PerfusionEngine *) data;
  gsize share = largest_share (self);

  return share > 0 ? (double) self->done / (double) share : 1;
}

/* Copies the plane of SLOT to the host. */
static gboolean
fetch (PerfusionEngine *self, int slot)
{
  return VG_CUDA_OK (cudaMemcpyAsync (self->host_status, plane_of (self, slot),
                                      self->study->voxels * sizeof (float), cudaMemcpyDeviceToHost,
                                      self->devices[0].stream),
                     NULL) &&
         VG_CUDA_OK (cudaStreamSynchronize (self->devices[0].stream), NULL);
}

/* Voxels are counted on the host, once after a step and only on request. */
static void
results (gpointer data, VgMetrics *metrics)
{
  const int unknown = 1 << ((int) VG_PERFUSION_REMARK_UNKNOWN + (int) VG_PERFUSION_FIT_EXCHANGE);
  PerfusionEngine *self = (PerfusionEngine *) data;
  gsize voxels = self->study->voxels;

  if (!self->have_counts)
    {
      memset (self->counts, 0, sizeof self->counts);
      if (self->host_status == NULL)
        self->host_status = g_new (float, voxels);
      if (!vg_cuda_use (self->devices[0].device, NULL) || !fetch (self, VG_PERFUSION_FIT_STATUS))
        return;
      for (gsize i = 0; i < voxels; i++)
        self->counts[CLAMP ((int) self->host_status[i], 0, VG_PERFUSION_N_STATUSES - 1)]++;
      if (self->study->params->model == VG_PERFUSION_EXCHANGE &&
          !fetch (self, VG_PERFUSION_FIT_REMARKS))
        return;
      for (gsize i = 0; i < voxels && self->study->params->model == VG_PERFUSION_EXCHANGE; i++)
        self->counts[VG_PERFUSION_COUNT_UNKNOWN] += ((int) self->host_status[i] & unknown) != 0;
      self->have_counts = TRUE;
    }
  vg_perfusion_report (metrics, self->study, self->counts, self->seconds);
}

static VgCurves *
sample (gpointer data, double x, double y, int slice)
{
  PerfusionEngine *self = (PerfusionEngine *) data;
  gssize voxel = vg_perfusion_voxel_at (self->study, x, y, slice);
  float values[VG_PERFUSION_FIT_VALUES];
  double wide[VG_PERFUSION_FIT_VALUES];

  if (voxel < 0)
    return NULL;
  if (!vg_cuda_use (self->devices[0].device, NULL) ||
      !VG_CUDA_OK (cudaMemcpy2DAsync (values, sizeof (float), plane_of (self, 0) + voxel,
                                      self->study->voxels * sizeof (float), sizeof (float),
                                      VG_PERFUSION_FIT_VALUES, cudaMemcpyDeviceToHost,
                                      self->devices[0].stream),
                   NULL) ||
      !VG_CUDA_OK (cudaStreamSynchronize (self->devices[0].stream), NULL))
    return NULL;
  for (int i = 0; i < VG_PERFUSION_FIT_VALUES; i++)
    wide[i] = values[i];
  return vg_perfusion_plot_voxel (self->study, x, y, slice, wide);
}

static VgCurves *
sample_region (gpointer data, const VgRegion *region)
{
  return vg_perfusion_plot_region (((PerfusionEngine *) data)->study, region);
}

static VgCurves *
plot (gpointer data, guint i)
{
  return i == 0 ? vg_perfusion_plot_inputs (((PerfusionEngine *) data)->study) : NULL;
}

static char *
text (gpointer data, guint i, char **file_name, GError **error)
{
  return vg_perfusion_inputs_text (((PerfusionEngine *) data)->study, file_name);
}

static const VgEngineCurves curves = { .sample = sample,
                                       .sample_region = sample_region,
                                       .plot = plot };

extern "C" const VgEngine vg_perfusion_cuda = {
  .prepare = prepare,
  .update = update,
  .step = step,
  .output = output,
  .progress = progress,
  .results = results,
  .text = text,
  .free = engine_free,
  .curves = &curves,
};
