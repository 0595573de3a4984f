/* SPDX-License-Identifier: MIT */
/* The functions of the CUDA engine.  Each GPU of each rank fits a contiguous part of the voxels,
 * and the maps are gathered on the first GPU. */
#include "kernels/perfusion/engine/perfusion-cuda.cuh"
#include "kernels/perfusion/engine/perfusion-engine.h"
#include "kernels/perfusion/fit/perfusion-output.h"
#include "kernels/perfusion/fit/perfusion-summary.h"
#include "kernels/perfusion/engine/perfusion-state.h"
#include "kernels/perfusion/motion/perfusion-motion-cuda.cuh"
#include "kernels/perfusion/paper/perfusion-paper-cuda.cuh"
#include <string.h>

enum { MAX_DEVICES = 16 };
/* Planes of all voxels on the first device, if there are several devices or ranks. */
enum {
  SIGNAL = VG_PERFUSION_FIT_VALUES,
  DERIVED,
  SUMMARIES, /* of several ranks: the maps that are computed from the curves */
  N_PLANES = SUMMARIES + (int) VG_PERFUSION_OUTPUT_WASHOUT -
             (int) VG_PERFUSION_OUTPUT_INITIAL_AREA + 1,
};

struct PerfusionEngine
{
  VgPerfusionStudy *study;
  PerfusionDevice devices[MAX_DEVICES];
  int n_devices;
  float *gathered;      /* N_PLANES, or NULL */
  const VgRanks *ranks; /* each fits a part of the voxels; else NULL */
  gsize done;           /* voxels that the device with the most voxels has fitted */
  gsize batch;
  gboolean started;
  double seconds;
  gsize counts[VG_PERFUSION_N_COUNTS];
  gboolean have_counts;
  float *host_status;
};

static_assert (offsetof (PerfusionEngine, study) == 0, "as in VgPerfusionState");

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

static gboolean
upload (PerfusionDevice *self, const VgPerfusionStudy *study, GError **error)
{
  gsize size = vg_type_size (study->image->info.type), row = self->count * size;

  return vg_cuda_upload (self->raw, row, (const guint8 *) study->image->data + self->first * size,
                         study->voxels * size, row, (gsize) study->n, self->stream, error) &&
         VG_CUDA_OK (cudaStreamSynchronize (self->stream), error);
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
  gsize voxels = self->study->voxels, part = 0, parts;

  self->ranks = context->ranks;
  self->n_devices = (int) MIN ((gsize) n, MAX (voxels, 1));
  parts = (gsize) self->n_devices;
  if (self->ranks != NULL)
    {
      part = parts * (gsize) self->ranks->rank;
      parts *= (gsize) self->ranks->size;
    }
  for (int i = 0; i < self->n_devices; i++)
    {
      PerfusionDevice *device = &self->devices[i];

      device->device = context->n_devices > 0 ? context->devices[i] : 0;
      device->first = voxels * (part + (gsize) i) / parts;
      device->count = voxels * (part + (gsize) i + 1) / parts - device->first;
      if (!perfusion_device_new (device, self->study, error) ||
          !upload (device, self->study, error))
        return FALSE;
    }
  if (parts > 1 && (!vg_cuda_use (self->devices[0].device, error) ||
                    !vg_cuda_alloc ((void **) &self->gathered, voxels * sizeof (float) * N_PLANES,
                                    "the maps", error)))
    return FALSE;
  return restart (self, error);
}

static gpointer
prepare (const VgContext *context, GError **error)
{
  VgPerfusionStudy *study = vg_perfusion_study_new_on (context, perfusion_find_motion, error);

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

  gboolean had_t1 = self->study->t1_s != NULL, had_b1 = self->study->cos_flip != NULL;

  if (vg_perfusion_study_set_units (self->study, next))
    return TRUE;
  /* Another signal, or a new map of T1 or B1, needs other memory. */
  return next->signal == self->study->params->signal &&
         vg_perfusion_study_update (self->study, next, NULL) &&
         (self->study->t1_s != NULL) == had_t1 && (self->study->cos_flip != NULL) == had_b1 &&
         restart (self, NULL);
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
  if (params->model == VG_PERFUSION_BEST)
    return perfusion_fit_best (device, &options, params->significance, first, count, error);
  if (params->model == VG_PERFUSION_DECONVOLUTION)
    return perfusion_deconvolve (device, first, count, error);
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
      for (int k = 0; k <= SIGNAL; k++)
        if (!VG_CUDA_OK (
                cudaMemcpyPeerAsync (
                    self->gathered + (gsize) k * voxels + device->first, self->devices[0].device,
                    k < SIGNAL ? device->values + (gsize) k * device->count : device->signal,
                    device->device, device->count * sizeof (float), device->stream),
                error))
          return FALSE;
      if (!VG_CUDA_OK (cudaStreamSynchronize (device->stream), error))
        return FALSE;
    }
  return vg_cuda_use (self->devices[0].device, error);
}

static const float *
plane_of (PerfusionEngine *self, int slot)
{
  return self->gathered != NULL ? self->gathered + (gsize) slot * self->study->voxels
         : slot == SIGNAL       ? self->devices[0].signal
                                : self->devices[0].values + (gsize) slot * self->devices[0].count;
}

/* Where derived maps are: with several GPUs behind the gathered planes. */
static float *
derived_plane (PerfusionEngine *self)
{
  return self->gathered != NULL ? self->gathered + (gsize) DERIVED * self->study->voxels
                                : self->devices[0].derived;
}

/* Each GPU computes the map of its voxels from their curves. */
static gboolean
summarise (PerfusionEngine *self, int output, GError **error)
{
  for (int i = 0; i < self->n_devices; i++)
    {
      PerfusionDevice *device = &self->devices[i];

      if (!vg_cuda_use (device->device, error) ||
          !perfusion_summarise (device, self->study, output, 0, device->count, error))
        return FALSE;
      if (self->gathered != NULL &&
          (!VG_CUDA_OK (cudaMemcpyPeerAsync (derived_plane (self) + device->first,
                                             self->devices[0].device, device->derived,
                                             device->device, device->count * sizeof (float),
                                             device->stream),
                        error) ||
           !VG_CUDA_OK (cudaStreamSynchronize (device->stream), error)))
        return FALSE;
    }
  return vg_cuda_use (self->devices[0].device, error);
}

/* Combines the maps of all ranks.  Each has computed its part of the voxels. */
static gboolean
merge (PerfusionEngine *self, GError **error)
{
  cudaStream_t stream = self->devices[0].stream;
  gsize voxels = self->study->voxels, first = self->devices[0].first, count = 0;
  float *host = (float *) vg_cuda_host_alloc (voxels * sizeof *host, error);
  gboolean ok = host != NULL;

  for (int i = 0; i < self->n_devices; i++)
    count += self->devices[i].count;
  for (int k = 0; ok && k < N_PLANES; k++)
    {
      float *plane = self->gathered + (gsize) k * voxels, *from = plane;

      if (k == DERIVED)
        continue;
      if (k >= SUMMARIES)
        {
          ok = summarise (self, k - SUMMARIES + VG_PERFUSION_OUTPUT_INITIAL_AREA, error);
          from = derived_plane (self);
        }
      ok = ok && vg_cuda_copy_now (host + first, from + first, count * sizeof *host, stream, error);
      if (!ok)
        break;
      self->ranks->share ((guint32 *) (void *) host, voxels);
      ok = vg_cuda_copy_now (plane, host, voxels * sizeof *host, stream, error);
    }
  vg_cuda_host_free (host);
  return ok;
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
  const VgPerfusionParams *params = self->study->params;

  /* The first batch is small enough to be stopped soon, and grows if it was fast. */
  if (self->batch == 0)
    self->batch = params->solver == VG_PERFUSION_SOLVER_PAPER   ? 4096
                  : params->model == VG_PERFUSION_COMPARTMENT   ? 1 << 20
                  : params->model == VG_PERFUSION_DECONVOLUTION ? 65536
                                                                : 4096;
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
  if (self->done < share)
    return VG_STEP_MORE;
  start = now ();
  if (self->ranks != NULL && !merge (self, error))
    return VG_STEP_FAILED;
  self->seconds += now () - start;
  return VG_STEP_DONE;
}

static gboolean
output (gpointer data, guint i, VgPlane *plane, GError **error)
{
  PerfusionEngine *self = (PerfusionEngine *) data;
  PerfusionDevice *first = &self->devices[0];
  const VgImageInfo *info = &self->study->image->info;
  const VgPerfusionParams *params = self->study->params;
  float factor = vg_perfusion_output_factor ((int) i, params->rate_unit, params->density);
  int slot = vg_perfusion_output_slot ((int) i);
  const float *own;
  gboolean on_host = vg_perfusion_host_plane (self->study, (int) i, &own);

  if (i >= VG_PERFUSION_OUTPUT_INPUTS || (on_host && own == NULL) ||
      !vg_cuda_use (first->device, error))
    return FALSE;
  *plane = { VG_DEVICE, NULL, info->width, info->height, (int) info->slices, first->stream };
  plane->pixel_size[0] = info->pixel_size[0];
  plane->pixel_size[1] = info->pixel_size[1];
  memcpy (plane->unit, info->pixel_unit, sizeof plane->unit);
  if (i == VG_PERFUSION_OUTPUT_SIGNAL ||
      (slot >= 0 && factor == 1 && params->model != VG_PERFUSION_BEST &&
       (slot >= VG_PERFUSION_FIT_ERRORS || params->model != VG_PERFUSION_EXCHANGE)))
    {
      plane->data = plane_of (self, slot >= 0 ? slot : SIGNAL);
      return TRUE;
    }
  plane->data = derived_plane (self);
  if (on_host)
    return vg_cuda_copy_now (derived_plane (self), own, self->study->voxels * sizeof (float),
                             first->stream, error);
  if (vg_perfusion_is_summary ((int) i) && self->ranks != NULL)
    {
      plane->data = plane_of (self, SUMMARIES + (int) i - VG_PERFUSION_OUTPUT_INITIAL_AREA);
      return TRUE;
    }
  if (vg_perfusion_is_summary ((int) i))
    return summarise (self, (int) i, error);
  /* With several GPUs, maps are derived from the gathered planes. */
  PerfusionDevice whole = *first;
  whole.count = self->study->voxels;
  whole.values = (float *) plane_of (self, 0);
  whole.derived = derived_plane (self);
  return perfusion_derive (&whole, (int) i, factor, error);
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
fetch (PerfusionEngine *self, int slot, GError **error)
{
  return VG_CUDA_OK (cudaMemcpyAsync (self->host_status, plane_of (self, slot),
                                      self->study->voxels * sizeof (float), cudaMemcpyDeviceToHost,
                                      self->devices[0].stream),
                     error) &&
         VG_CUDA_OK (cudaStreamSynchronize (self->devices[0].stream), error);
}

/* Voxels are counted on the host, once after a step and only on request. */
static gboolean
results (gpointer data, VgMetrics *metrics, GError **error)
{
  const int unknown = 1 << ((int) VG_PERFUSION_REMARK_UNKNOWN + (int) VG_PERFUSION_FIT_EXCHANGE);
  PerfusionEngine *self = (PerfusionEngine *) data;
  gsize voxels = self->study->voxels;

  if (!self->have_counts)
    {
      memset (self->counts, 0, sizeof self->counts);
      if (self->host_status == NULL)
        self->host_status = g_new (float, voxels);
      if (!vg_cuda_use (self->devices[0].device, error) ||
          !fetch (self, VG_PERFUSION_FIT_STATUS, error))
        return FALSE;
      for (gsize i = 0; i < voxels; i++)
        self->counts[CLAMP ((int) self->host_status[i], 0, VG_PERFUSION_N_STATUSES - 1)]++;
      if (self->study->params->model == VG_PERFUSION_EXCHANGE &&
          !fetch (self, VG_PERFUSION_FIT_REMARKS, error))
        return FALSE;
      for (gsize i = 0; i < voxels && self->study->params->model == VG_PERFUSION_EXCHANGE; i++)
        self->counts[VG_PERFUSION_COUNT_UNKNOWN] += ((int) self->host_status[i] & unknown) != 0;
      self->have_counts = TRUE;
    }
  vg_perfusion_report (metrics, self->study, self->counts, self->seconds);
  return TRUE;
}

static VgCurves *
sample (gpointer data, double x, double y, int slice, GError **error)
{
  PerfusionEngine *self = (PerfusionEngine *) data;
  gssize voxel = vg_perfusion_voxel_at (self->study, x, y, slice);
  float values[VG_PERFUSION_FIT_VALUES];
  double wide[VG_PERFUSION_FIT_VALUES];

  if (voxel < 0)
    return NULL;
  if (!vg_cuda_use (self->devices[0].device, error) ||
      !VG_CUDA_OK (cudaMemcpy2DAsync (values, sizeof (float), plane_of (self, 0) + voxel,
                                      self->study->voxels * sizeof (float), sizeof (float),
                                      VG_PERFUSION_FIT_VALUES, cudaMemcpyDeviceToHost,
                                      self->devices[0].stream),
                   error) ||
      !VG_CUDA_OK (cudaStreamSynchronize (self->devices[0].stream), error))
    return NULL;
  for (int i = 0; i < VG_PERFUSION_FIT_VALUES; i++)
    wide[i] = values[i];
  return vg_perfusion_plot_voxel (self->study, x, y, slice, wide);
}

static const VgEngineCurves curves = { .sample = sample,
                                       .sample_region = vg_perfusion_state_region,
                                       .sample_regions = vg_perfusion_state_regions,
                                       .plot = vg_perfusion_state_plot,
                                       .corrected = vg_perfusion_state_corrected };

extern "C" const VgEngine vg_perfusion_cuda = {
  .prepare = prepare,
  .update = update,
  .step = step,
  .output = output,
  .progress = progress,
  .results = results,
  .text = vg_perfusion_state_text,
  .free = engine_free,
  .curves = &curves,
};
