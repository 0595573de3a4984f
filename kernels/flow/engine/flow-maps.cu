/* SPDX-License-Identifier: MIT */
/* Maps that follow from the contrast map pixel by pixel: the mean of the last maps, the baseline,
 * and the maps that are computed on request. */
#include "kernels/flow/model/flow-sample.cuh"

enum { THREADS = 256 };

#define FOR_EACH(i, n)                                                                             \
  for (gsize i = (gsize) blockIdx.x * THREADS + threadIdx.x; i < (n);                              \
       i += (gsize) gridDim.x * THREADS)

static unsigned
grid_size (const FlowState *self)
{
  return (unsigned) MIN ((self->pixels + THREADS - 1) / THREADS,
                         (gsize) self->multiprocessors * 32);
}

static __global__ void
__launch_bounds__ (THREADS) square_kernel (const float *contrast, float *k2, gsize n)
{
  FOR_EACH (i, n)
  k2[i] = contrast[i] * contrast[i];
}

/* Contrast and index of the mean of COUNT maps of K^2, without missing values. */
static __global__ void
__launch_bounds__ (THREADS)
    mean_kernel (const float *maps, int count, double scale, float *contrast, float *index, gsize n)
{
  FOR_EACH (i, n)
  {
    double sum = 0;
    int valid = 0;
    for (int k = 0; k < count; k++)
      {
        float k2 = maps[k * n + i];
        if (k2 >= 0.0f)
          {
            sum += k2;
            valid++;
          }
      }
    sum = valid > 0 ? sum / valid : (double) VG_FLOW_NAN;
    contrast[i] = (float) sqrt (sum);
    index[i] = vg_flow_index (sum, scale);
  }
}

static __global__ void
__launch_bounds__ (THREADS)
    baseline_kernel (const float *contrast, double *baseline, guint16 *count, gsize n)
{
  FOR_EACH (i, n)
  {
    double term = vg_flow_baseline_term (contrast[i]);
    if (term > 0.0)
      {
        baseline[i] += term;
        count[i]++;
      }
  }
}

static __global__ void
__launch_bounds__ (THREADS) relative_kernel (const float *contrast, const double *baseline,
                                             const guint16 *count, float *map, gsize n)
{
  FOR_EACH (i, n)
  map[i] = vg_flow_relative (contrast[i], count[i] > 0 ? (float) (baseline[i] / count[i]) : 0.0f);
}

static __global__ void
__launch_bounds__ (THREADS)
    perfusion_kernel (const float *index, float zero, float reference, float *map, gsize n)
{
  FOR_EACH (i, n)
  map[i] = vg_flow_perfusion (index[i], zero, reference);
}

/* PER_PIXEL: MAP initially has the static fraction. */
static __global__ void
__launch_bounds__ (THREADS)
    comparable_kernel (VgFlowInversion inversion, const float *table, const float *contrast,
                       int per_pixel, double to_ms, float *map, gsize n)
{
  FOR_EACH (i, n)
  map[i] = vg_flow_contrast_at (&inversion, table, contrast[i], per_pixel, map[i], to_ms);
}

/* MEASURED: MAP initially has the static fraction, 1 - rho, and TABLE has a row for each rho. */
static __global__ void
__launch_bounds__ (THREADS)
    correlation_time_kernel (VgFlowInversion inversion, const float *table, const float *contrast,
                             bool measured, float *map, gsize n)
{
  FOR_EACH (i, n)
  map[i] = measured ? vg_flow_correlation_time_rho (&inversion, table, contrast[i], 1.0f - map[i])
                    : vg_flow_correlation_time (&inversion, table, contrast[i]);
}

template <typename T>
static __global__ void
__launch_bounds__ (THREADS) intensity_kernel (FlowRing ring, int slot, float *map)
{
  for (unsigned y = blockIdx.y; y < (unsigned) ring.height; y += gridDim.y)
    for (unsigned x = blockIdx.x * THREADS + threadIdx.x; x < (unsigned) ring.width;
         x += gridDim.x * THREADS)
      {
        gsize i = (gsize) y * ring.width + x;
        map[i] = (float) ((double) flow_sample<T> (ring, slot, x, y) - flow_dark (ring, i));
      }
}

gboolean
flow_average_push (FlowState *self, GError **error)
{
  float *slot = self->average + (gsize) self->average_next * self->pixels;

  square_kernel<<<grid_size (self), THREADS, 0, self->compute>>> (self->contrast, slot,
                                                                  self->pixels);
  self->average_next = (self->average_next + 1) % self->params.average;
  self->average_count = MIN (self->average_count + 1, self->params.average);
  return vg_cuda_launched ("square_kernel", error);
}

gboolean
flow_average_maps (FlowState *self, GError **error)
{
  mean_kernel<<<grid_size (self), THREADS, 0, self->compute>>> (
      self->average, self->params.average, vg_flow_index_scale (&self->params), self->contrast,
      self->index, self->pixels);
  return vg_cuda_launched ("mean_kernel", error);
}

/* As vg_flow_map_comparable(); NULL: an error. */
static const float *
comparable_map (FlowState *self, GError **error)
{
  gboolean per_pixel = self->params.static_scattering == VG_FLOW_STATIC_MEASURED;
  double ms = self->exposure_ms, to_ms = self->baseline_ms;
  VgFlowInversion inversion = self->inversion;
  float beta;

  if (ms == to_ms || !(ms > 0) || !(to_ms > 0))
    return self->contrast;
  if (!flow_find_beta (self, &beta, error) || (per_pixel && !flow_static_map (self, beta, error)))
    return NULL;
  inversion.inverse_beta = 1.0 / beta;
  inversion.exposure_ms = (float) ms;
  comparable_kernel<<<grid_size (self), THREADS, 0, self->compute>>> (
      inversion, self->table, self->contrast, per_pixel, to_ms, self->extra, self->pixels);
  return vg_cuda_launched ("comparable_kernel", error) ? self->extra : NULL;
}

gboolean
flow_baseline_add (FlowState *self, GError **error)
{
  const float *contrast;

  if (self->history.mixed || self->baseline_state != VG_BASELINE_COLLECTING)
    return TRUE;
  if (self->baseline_maps == 0)
    self->baseline_ms = self->exposure_ms;
  if ((contrast = comparable_map (self, error)) == NULL)
    return FALSE;
  baseline_kernel<<<grid_size (self), THREADS, 0, self->compute>>> (
      contrast, self->baseline, self->baseline_count, self->pixels);
  self->baseline_maps++;
  if (self->baseline_maps >= vg_flow_baseline_length (&self->params, &self->info))
    self->baseline_state = VG_BASELINE_COMPLETE;
  return vg_cuda_launched ("baseline_kernel", error);
}

gboolean
flow_map_relative (FlowState *self, GError **error)
{
  const float *contrast = comparable_map (self, error);

  if (contrast == NULL)
    return FALSE;
  relative_kernel<<<grid_size (self), THREADS, 0, self->compute>>> (
      contrast, self->baseline, self->baseline_count, self->extra, self->pixels);
  return vg_cuda_launched ("relative_kernel", error);
}

gboolean
flow_map_perfusion (FlowState *self, GError **error)
{
  perfusion_kernel<<<grid_size (self), THREADS, 0, self->compute>>> (
      self->index, self->params.zero_index, self->params.reference_index, self->extra,
      self->pixels);
  return vg_cuda_launched ("perfusion_kernel", error);
}

gboolean
flow_map_correlation_time (FlowState *self, float beta, GError **error)
{
  gboolean measured = self->params.static_scattering == VG_FLOW_STATIC_MEASURED;

  if (measured && !flow_static_map (self, beta, error))
    return FALSE;
  self->inversion.inverse_beta = 1.0 / beta;
  correlation_time_kernel<<<grid_size (self), THREADS, 0, self->compute>>> (
      self->inversion, self->table, self->contrast, measured, self->extra, self->pixels);
  return vg_cuda_launched ("correlation_time_kernel", error);
}

template <typename T>
static void
launch_intensity (FlowState *self, int slot)
{
  dim3 grid ((self->width - 1) / THREADS + 1, MIN (self->height, 65535));

  intensity_kernel<T><<<grid, THREADS, 0, self->compute>>> (self->ring, slot, self->extra);
}

gboolean
flow_map_intensity (FlowState *self, GError **error)
{
  FLOW_BY_TYPE (self->info.type, launch_intensity, (self, flow_slot (self, self->n_frames - 1)));
  return vg_cuda_launched ("intensity_kernel", error);
}
