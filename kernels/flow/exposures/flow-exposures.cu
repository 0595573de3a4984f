/* SPDX-License-Identifier: MIT */
#include "kernels/flow/exposures/flow-exposures.cuh"
#include "kernels/tables/vg-table.h"

enum { THREADS = 128 };

struct _FlowExposures
{
  guint8 *memory;
  VgFlowExposureFit *fit;
  float *means; /* a plane of mean K^2 for each exposure */
  gsize means_bytes;
  VgFlowExposureFit *host_fit; /* page-locked */
  int counts[VG_FLOW_MOST_EXPOSURES];
};

static __global__ void
__launch_bounds__ (THREADS) add_kernel (const float *contrast, float share, float *mean, gsize n)
{
  for (gsize i = (gsize) blockIdx.x * THREADS + threadIdx.x; i < n;
       i += (gsize) gridDim.x * THREADS)
    mean[i] = vg_flow_exposure_mean (mean[i], contrast[i], share);
}

static __global__ void
__launch_bounds__ (THREADS)
    fit_kernel (const VgFlowExposureFit *fit, const float *means, int which, float *map, gsize n)
{
  for (gsize i = (gsize) blockIdx.x * THREADS + threadIdx.x; i < n;
       i += (gsize) gridDim.x * THREADS)
    {
      float k2[VG_FLOW_MOST_EXPOSURES];

      for (int k = 0; k < fit->n; k++)
        k2[k] = means[k * n + i];
      map[i] = vg_flow_exposure_value (fit, k2, which);
    }
}

void
flow_exposures_free (FlowExposures *self)
{
  if (self == NULL)
    return;
  cudaFree (self->memory);
  cudaFreeHost (self->host_fit);
  g_free (self);
}

gboolean
flow_exposures_new (FlowState *state, GError **error)
{
  FlowExposures *self = g_new0 (FlowExposures, 1);
  gsize fit = (sizeof (VgFlowExposureFit) + 255) / 256 * 256;

  state->exposures = self;
  self->means_bytes = vg_flow_exposures_bytes (&state->params, &state->info);
  if (!vg_cuda_alloc ((void **) &self->memory, fit + self->means_bytes, "the exposures", error))
    return FALSE;
  self->fit = (VgFlowExposureFit *) self->memory;
  self->means = (float *) (self->memory + fit);
  self->host_fit = (VgFlowExposureFit *) vg_cuda_host_alloc (sizeof (VgFlowExposureFit), error);
  return self->host_fit != NULL && flow_exposures_restart (state, error);
}

gboolean
flow_exposures_restart (FlowState *state, GError **error)
{
  FlowExposures *self = state->exposures;

  memset (self->counts, 0, sizeof self->counts);
  /* All bits set are a NaN. */
  return VG_CUDA_OK (cudaMemsetAsync (self->means, 0xff, self->means_bytes, state->compute), error);
}

static unsigned
grid_size (const FlowState *state)
{
  return (unsigned) MIN ((state->pixels - 1) / THREADS + 1, (gsize) state->multiprocessors * 64);
}

gboolean
flow_exposures_add (FlowState *state, gint64 index, GError **error)
{
  FlowExposures *self = state->exposures;
  int number = vg_flow_exposures_number (&state->params, index);
  float share = vg_flow_exposures_share (&state->params, self->counts, number);

  add_kernel<<<grid_size (state), THREADS, 0, state->compute>>> (
      state->contrast, share, self->means + number * state->pixels, state->pixels);
  return vg_cuda_launched ("add_kernel", error);
}

gboolean
flow_exposures_map (FlowState *state, VgFlowFitValue which, GError **error)
{
  FlowExposures *self = state->exposures;

  /* The last copy from this memory has to end first. */
  if (!VG_CUDA_OK (cudaStreamSynchronize (state->compute), error))
    return FALSE;
  vg_flow_exposures_fit (&state->params, self->host_fit);
  if (!vg_cuda_copy (self->fit, self->host_fit, sizeof *self->fit, state->compute, error))
    return FALSE;
  fit_kernel<<<grid_size (state), THREADS, 0, state->compute>>> (self->fit, self->means, which,
                                                                 state->extra, state->pixels);
  return vg_cuda_launched ("fit_kernel", error);
}
