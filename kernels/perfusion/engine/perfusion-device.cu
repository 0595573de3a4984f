/* SPDX-License-Identifier: MIT */
/* The memory of a GPU's part, copies of tables to it, the conversion to concentration, and the maps
 * that are derived from others. */
#include "kernels/perfusion/engine/perfusion-cuda.cuh"
#include "kernels/perfusion/fit/perfusion-output.h"
#include "kernels/perfusion/fit/perfusion-summary.h"
#include <string.h>

enum { THREADS = 256 };

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
      !vg_cuda_alloc ((void **) &self->queue, PERFUSION_QUEUES * sizeof *self->queue, "the fit",
                      error) ||
      !vg_cuda_alloc ((void **) &self->mask, self->count, "the mask", error))
    return FALSE;
  if (!self->own_curves)
    self->curves = (float *) self->raw;
  return (study->t1_s == NULL || vg_cuda_alloc ((void **) &self->t1_s, self->count * sizeof (float),
                                                "the T1 map", error)) &&
         (study->cos_flip == NULL ||
          vg_cuda_alloc ((void **) &self->cos_flip, self->count * sizeof (float), "the B1 map",
                         error));
}

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
       { (void *) self->raw, (void *) self->mask, (void *) self->t1_s, (void *) self->cos_flip,
         (void *) self->signal, (void *) self->values, (void *) self->derived, (void *) self->sums,
         (void *) self->starts, (void *) self->queue, (void *) self->tables_memory,
         (void *) self->block.memory, self->scratch })
    cudaFree (memory);
  cudaStreamDestroy (self->stream);
}

gboolean
perfusion_reserve_scratch (PerfusionDevice *self, gsize bytes, GError **error)
{
  if (bytes <= self->scratch_bytes)
    return TRUE;
  cudaFree (self->scratch);
  self->scratch = NULL;
  self->scratch_bytes = 0;
  if (!vg_cuda_alloc (&self->scratch, bytes, "the fit", error))
    return FALSE;
  self->scratch_bytes = bytes;
  return TRUE;
}

gboolean
perfusion_lasting_blocks (const void *kernel, int threads, size_t tables, int n, gsize count,
                          unsigned *blocks, size_t *shared, gboolean *in_shared, GError **error)
{
  int device, processors, each;

  *shared = tables + sizeof (float) * (size_t) perfusion_staged (threads) * (size_t) n;
  *in_shared = *shared <= PERFUSION_MOST_SHARED;
  if (!*in_shared)
    *shared = tables;
  if (!VG_CUDA_OK (
          cudaFuncSetAttribute (kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int) *shared),
          error) ||
      !VG_CUDA_OK (cudaGetDevice (&device), error) ||
      !VG_CUDA_OK (cudaDeviceGetAttribute (&processors, cudaDevAttrMultiProcessorCount, device),
                   error) ||
      !VG_CUDA_OK (cudaOccupancyMaxActiveBlocksPerMultiprocessor (&each, kernel, threads, *shared),
                   error))
    return FALSE;
  *blocks = (unsigned) MIN ((gsize) (processors * MAX (each, 1)),
                            (count + (gsize) threads - 1) / (gsize) threads);
  return TRUE;
}

template <class T>
__global__ static void
convert (const T *raw, float *curves, gboolean own, int n, gsize count, const float *weights,
         VgPerfusionSignal signal, const guint8 *mask, const float *t1_map, float t1_s,
         const float *cos_flip, float threshold, float *mean, float *status, gsize first, gsize end)
{
  gsize voxel = first + (gsize) blockIdx.x * THREADS + threadIdx.x;
  double sum = 0;
  float baseline = 0, low = INFINITY, high = -INFINITY;
  bool valid = true;
  int used = 0, before = 0;

  if (voxel >= end)
    return;
  for (int i = 0; i < n; i++)
    if (weights[i] > 0)
      {
        sum += (double) raw[(gsize) i * count + voxel];
        used++;
      }
  mean[voxel] = (float) (sum / used);
  if ((mask != NULL && !mask[voxel]) || (threshold != 0 && mean[voxel] < threshold))
    {
      status[voxel] = VG_PERFUSION_OUTSIDE;
      return;
    }
  for (int i = signal.baseline_first; i <= signal.baseline_last; i++)
    if (weights[i] > 0)
      {
        baseline += (float) raw[(gsize) i * count + voxel];
        before++;
      }
  baseline /= (float) before;
  if (t1_map != NULL)
    t1_s = t1_map[voxel];
  if (cos_flip != NULL)
    signal.cos_flip = cos_flip[voxel];
  for (int i = 0; i < n; i++)
    {
      float value = vg_perfusion_concentration (&signal, (float) raw[(gsize) i * count + voxel],
                                                baseline, t1_s);

      if (weights[i] > 0)
        {
          valid = valid && isfinite (value);
          low = fminf (low, value);
          high = fmaxf (high, value);
        }
      if (own)
        curves[(gsize) i * count + voxel] = isfinite (value) ? value : 0;
    }
  status[voxel] = !valid        ? VG_PERFUSION_INVALID
                  : low == high ? VG_PERFUSION_NO_CURVE
                                : VG_PERFUSION_FITTED;
}

__global__ static void
clear (float *values, gsize count, gsize first, gsize end)
{
  gsize i = first + (gsize) blockIdx.x * THREADS + threadIdx.x;

  if (i < end)
    for (int k = 0; k < VG_PERFUSION_FIT_VALUES; k++)
      values[(gsize) k * count + i] = k < VG_PERFUSION_FIT_STATUS ? nanf ("") : 0;
}

template <class T>
static void
launch_convert (PerfusionDevice *self, const VgPerfusionStudy *study, const float *weights,
                gsize first, gsize count)
{
  unsigned blocks = (unsigned) ((count + THREADS - 1) / THREADS);

  clear<<<blocks, THREADS, 0, self->stream>>> (self->values, self->count, first, first + count);
  convert<T><<<blocks, THREADS, 0, self->stream>>> (
      (const T *) self->raw, self->curves, self->own_curves, study->n, self->count, weights,
      study->signal, study->mask != NULL ? self->mask : NULL, self->t1_s,
      study->params->t1_ms / 1000, self->cos_flip, study->params->threshold, self->signal,
      self->values + VG_PERFUSION_FIT_STATUS * self->count, first, first + count);
}

gboolean
perfusion_convert (PerfusionDevice *self, const VgPerfusionStudy *study, gsize first, gsize count,
                   GError **error)
{
  if (count == 0)
    return TRUE;
  switch (study->image->info.type)
    {
    case VG_U8:
      launch_convert<guint8> (self, study, self->tables.weights, first, count);
      break;
    case VG_U16:
      launch_convert<guint16> (self, study, self->tables.weights, first, count);
      break;
    case VG_U32:
      launch_convert<guint32> (self, study, self->tables.weights, first, count);
      break;
    case VG_F32:
    default:
      launch_convert<float> (self, study, self->tables.weights, first, count);
      break;
    }
  return vg_cuda_launched ("convert", error);
}

__global__ static void
derive (const float *values, float *out, gsize count, int output, float factor, int model, int dual,
        float limit)
{
  gsize i = (gsize) blockIdx.x * THREADS + threadIdx.x;

  if (i < count)
    out[i] = factor * vg_perfusion_derived (values + i, count, output, model, dual, limit);
}

gboolean
perfusion_derive (PerfusionDevice *self, int output, float factor, GError **error)
{
  const VgPerfusionBounds &bounds = self->tables.bounds;
  /* The paper's solver has no bounds. */
  float limit = self->tables.paper ? INFINITY
                                   : vg_perfusion_delay_error_limit ((float) bounds.delay_min,
                                                                     (float) bounds.delay_max);

  derive<<<(unsigned) ((self->count + THREADS - 1) / THREADS), THREADS, 0, self->stream>>> (
      self->values, self->derived, self->count, output, factor, self->tables.model,
      self->tables.dual, limit);
  return vg_cuda_launched ("derive", error);
}

__global__ static void
summarise (const float *curves, const float *status, float *out, gsize count,
           VgPerfusionFrames frames, int output, gsize first, gsize end)
{
  gsize i = first + (gsize) blockIdx.x * THREADS + threadIdx.x;

  if (i < end)
    out[i] = status[i] == VG_PERFUSION_OUTSIDE || status[i] == VG_PERFUSION_INVALID
                 ? nanf ("")
                 : vg_perfusion_summary (&frames, curves + i, count, output);
}

gboolean
perfusion_summarise (PerfusionDevice *self, const VgPerfusionStudy *study, int output, gsize first,
                     gsize count, GError **error)
{
  VgPerfusionFrames frames = { self->tables.times, self->tables.weights, study->n,
                               vg_perfusion_onset (study->weights, study->signal.baseline_last) };

  if (count == 0)
    return TRUE;
  summarise<<<(unsigned) ((count + THREADS - 1) / THREADS), THREADS, 0, self->stream>>> (
      self->curves, self->values + VG_PERFUSION_FIT_STATUS * self->count, self->derived,
      self->count, frames, output, first, first + count);
  return vg_cuda_launched ("summarise", error);
}

/* ---- Tables ---- */

/* Packs tables into one block.  It is called twice with the same tables: first to add up sizes,
 * then to copy. */
struct Packer
{
  guint8 *host, *device;
  gsize used;

  template <class T, class S>
  const T *
  add (const S *source, gsize n, gsize before = 0)
  {
    gsize at = used;

    used += (n * sizeof (T) + 255) / 256 * 256;
    if (host == NULL)
      return NULL;
    for (gsize i = 0; i < n; i++)
      ((T *) (host + at))[i] = (T) source[(gssize) i - (gssize) before];
    return (const T *) (device + at) + before;
  }
};

static void
pack_grid (Packer *packer, const VgPerfusionGrid *p, gsize n, PerfusionTables *t)
{
  gsize count = (gsize) p->count;

  t->points = p->count;
  t->point_group = p->group;
  t->place = packer->add<double> (&p->points[0][0], count * VG_PERFUSION_UNKNOWNS);
  t->point_parts = p->n_parts;
  if (p->pairs != NULL)
    {
      t->point_pair = packer->add<VgPerfusionPointPair> (p->pairs, count);
      t->point_part = packer->add<float> (p->parts, (gsize) p->n_parts * n);
      return;
    }
  t->point_u = packer->add<float> (p->u, count * n);
  t->point_v = packer->add<float> (p->v, count * n);
  t->point_overlap = packer->add<float> (p->overlap, count);
  t->point_inverse = packer->add<float> (p->inverse, count);
}

/* OTHERS: the tables of the other models, if the best is chosen. */
static void
pack (Packer *packer, const VgPerfusionStudy *study, PerfusionTables *t, PerfusionTables *others)
{
  const VgPerfusionProblem *problem = study->problem;
  gsize n = (gsize) problem->n, pad = (gsize) problem->pad, padded = n + 2 * pad;

  t->times = packer->add<float> (problem->times_s, n);
  t->weights = packer->add<float> (problem->weights, n);
  t->artery = packer->add<float> (problem->artery, padded, pad);
  t->portal = packer->add<float> (problem->portal, padded, pad);
  t->times64 = packer->add<double> (problem->times_s, n);
  t->weights64 = packer->add<double> (problem->weights, n);
  t->artery64 = packer->add<double> (problem->artery, padded, pad);
  t->portal64 = packer->add<double> (problem->portal, padded, pad);
  if (study->dictionary != NULL)
    {
      const VgPerfusionDictionary *d = study->dictionary;
      double log_rate[VG_PERFUSION_RATES];

      for (int i = 0; i < VG_PERFUSION_RATES; i++)
        log_rate[i] = log (d->rate[i]);
      t->log_rate = packer->add<float> (log_rate, VG_PERFUSION_RATES);
      t->delay = packer->add<float> (d->delay, VG_PERFUSION_GRID_DELAYS);
      t->directions = packer->add<float> (d->directions, n * VG_PERFUSION_RANK);
      t->a = packer->add<float> (&d->a[0][0], VG_PERFUSION_CURVES * VG_PERFUSION_RANK);
      t->p = packer->add<float> (&d->p[0][0], VG_PERFUSION_CURVES * VG_PERFUSION_RANK);
      t->overlap = packer->add<float> (d->overlap, VG_PERFUSION_PAIRS);
      t->inverse = packer->add<float> (d->inverse, VG_PERFUSION_PAIRS);
    }
  if (study->deconvolution != NULL)
    {
      const VgPerfusionDeconvolver *d = &study->deconvolution->tables;
      gsize width = (gsize) d->width, onsets = (gsize) d->onsets;

      t->deconvolver = *d;
      t->deconvolver.project = packer->add<double> (d->project, onsets * n * width);
      t->deconvolver.response = packer->add<double> (d->response,
                                                     onsets * (gsize) d->search * width);
      t->deconvolver.volume = packer->add<double> (d->volume, onsets * width);
      t->deconvolver.sigma = packer->add<double> (d->sigma, onsets * width);
      t->deconvolver.left = packer->add<double> (d->left, onsets * width * VG_PERFUSION_LEVELS);
      t->deconvolver.freedom = packer->add<double> (d->freedom, onsets * VG_PERFUSION_LEVELS);
    }
  if (study->grid != NULL)
    pack_grid (packer, study->grid, n, t);
  for (int m = 1; m < VG_PERFUSION_CANDIDATES; m++)
    if (study->other_grids[m] != NULL)
      {
        others[m] = *t;
        pack_grid (packer, study->other_grids[m], n, &others[m]);
      }
}

gboolean
perfusion_send_tables (PerfusionDevice *self, const VgPerfusionStudy *study, GError **error)
{
  const VgPerfusionProblem *problem = study->problem;
  PerfusionTables t = {};
  Packer packer = {};

  pack (&packer, study, &t, self->others);
  if (packer.used > self->tables_bytes)
    {
      cudaFree (self->tables_memory);
      self->tables_memory = NULL;
      self->tables_bytes = 0;
      if (!vg_cuda_alloc ((void **) &self->tables_memory, packer.used, "the input curves", error))
        return FALSE;
      self->tables_bytes = packer.used;
    }
  guint8 *host = (guint8 *) g_try_malloc (packer.used);
  gsize bytes = packer.used;
  if (host == NULL)
    {
      g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_MEMORY,
                   "there is not enough memory for the tables of %d frames; close other programs",
                   problem->n);
      return FALSE;
    }
  packer = { host, self->tables_memory, 0 };
  t.n = problem->n;
  t.even = problem->even;
  t.dual = problem->dual;
  t.model = study->params->model;
  t.paper = study->paper != NULL;
  t.pad = problem->pad;
  t.step = (float) problem->step_s;
  t.step64 = problem->step_s;
  t.weight_sum = (float) problem->weight_sum;
  t.weight_sum64 = problem->weight_sum;
  t.used = problem->used;
  t.bounds = problem->bounds;
  pack (&packer, study, &t, self->others);
  for (int m = 1; m < VG_PERFUSION_CANDIDATES; m++)
    self->others[m].model = m;
  self->tables = t;
  /* Wait, because some systems read pageable memory after the call has returned. */
  gboolean ok = VG_CUDA_OK (cudaMemcpyAsync (self->tables_memory, host, bytes,
                                             cudaMemcpyHostToDevice, self->stream),
                            error) &&
                (study->mask == NULL || self->mask == NULL ||
                 VG_CUDA_OK (cudaMemcpyAsync (self->mask, study->mask + self->first, self->count,
                                              cudaMemcpyHostToDevice, self->stream),
                             error)) &&
                (study->t1_s == NULL || self->t1_s == NULL ||
                 VG_CUDA_OK (cudaMemcpyAsync (self->t1_s, study->t1_s + self->first,
                                              self->count * sizeof (float), cudaMemcpyHostToDevice,
                                              self->stream),
                             error)) &&
                (study->cos_flip == NULL || self->cos_flip == NULL ||
                 VG_CUDA_OK (cudaMemcpyAsync (self->cos_flip, study->cos_flip + self->first,
                                              self->count * sizeof (float), cudaMemcpyHostToDevice,
                                              self->stream),
                             error));
  ok = ok && VG_CUDA_OK (cudaStreamSynchronize (self->stream), error);
  g_free (host);
  return ok;
}
