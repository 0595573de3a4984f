/* SPDX-License-Identifier: MIT */
#include "kernels/flow/pulse/flow-pulse.cuh"

enum { THREADS = 256, BLOCKS = 256 };

/* Sum and number of values of K^2. */
struct Total
{
  double sum, count;
};

struct _FlowPulse
{
  VgFlowTrace *trace;
  guint8 *memory;
  float *sums;   /* VG_FLOW_PULSE_SUMS planes */
  Total *totals; /* of each block, and of all */
  VgFlowBeatFit *fit;
  Total *host_total; /* page-locked */
  VgFlowBeatFit *host_fit;
};

/* The block's total, in its first thread; a tree, so its order is fixed. */
static __device__ Total
add_up (Total mine)
{
  __shared__ Total all[THREADS];

  all[threadIdx.x] = mine;
  for (int half = THREADS / 2; half > 0; half /= 2)
    {
      __syncthreads ();
      if ((int) threadIdx.x < half)
        {
          all[threadIdx.x].sum += all[threadIdx.x + half].sum;
          all[threadIdx.x].count += all[threadIdx.x + half].count;
        }
    }
  return all[threadIdx.x];
}

static __global__ void
__launch_bounds__ (THREADS) mean_kernel (const float *contrast, gsize n, Total *totals)
{
  Total mine = {};

  for (gsize i = (gsize) blockIdx.x * THREADS + threadIdx.x; i < n;
       i += (gsize) gridDim.x * THREADS)
    if (isfinite (contrast[i]))
      {
        mine.sum += (double) contrast[i] * contrast[i];
        mine.count += 1;
      }
  mine = add_up (mine);
  if (threadIdx.x == 0)
    totals[blockIdx.x] = mine;
}

static __global__ void
__launch_bounds__ (THREADS) total_kernel (Total *totals)
{
  static_assert (BLOCKS == THREADS, "a thread for each block");
  Total all = add_up (totals[threadIdx.x]);

  if (threadIdx.x == 0)
    totals[BLOCKS] = all;
}

static __global__ void
__launch_bounds__ (THREADS)
    add_kernel (const float *contrast, VgFlowBeatMap map, float *sums, gsize n)
{
  for (gsize i = (gsize) blockIdx.x * THREADS + threadIdx.x; i < n;
       i += (gsize) gridDim.x * THREADS)
    {
      float k2 = contrast[i] * contrast[i];

      for (int k = 0; k < VG_FLOW_PULSE_SUMS; k++)
        sums[k * n + i] = map.keeps * sums[k * n + i] +
                          (k < VG_FLOW_BASIS ? map.basis[k] : k2) * k2;
    }
}

static __global__ void
__launch_bounds__ (THREADS) index_kernel (const VgFlowBeatFit *global_fit, const float *sums,
                                          int which, float *map, gsize n)
{
  __shared__ VgFlowBeatFit fit;

  for (unsigned k = threadIdx.x; k < sizeof fit / sizeof (int); k += THREADS)
    ((int *) &fit)[k] = ((const int *) global_fit)[k];
  __syncthreads ();
  for (gsize i = (gsize) blockIdx.x * THREADS + threadIdx.x; i < n;
       i += (gsize) gridDim.x * THREADS)
    {
      float own[VG_FLOW_PULSE_SUMS];

      for (int k = 0; k < VG_FLOW_PULSE_SUMS; k++)
        own[k] = sums[k * n + i];
      map[i] = vg_flow_beat_index (&fit, own, which);
    }
}

void
flow_pulse_free (FlowPulse *self)
{
  if (self == NULL)
    return;
  vg_flow_trace_free (self->trace);
  cudaFree (self->memory);
  cudaFreeHost (self->host_total);
  cudaFreeHost (self->host_fit);
  g_free (self);
}

static gsize
round_up (gsize bytes)
{
  return (bytes + 255) / 256 * 256;
}

gboolean
flow_pulse_new (FlowState *state, GError **error)
{
  FlowPulse *self = g_new0 (FlowPulse, 1);
  gsize totals = round_up ((BLOCKS + 1) * sizeof (Total)), fit = round_up (sizeof (VgFlowBeatFit)),
        sums = 0;

  state->pulse = self;
  self->trace = vg_flow_trace_new (&state->params);
  if (!g_size_checked_mul (&sums, state->pixels, VG_FLOW_PULSE_SUMS * sizeof (float)) ||
      sums > G_MAXSIZE / 2)
    {
      g_set_error (error, VG_GPU_ERROR, VG_GPU_ERROR_MEMORY,
                   "the averaged beat of %dx%d is more than a GPU can hold; turn off the pulse",
                   state->width, state->height);
      return FALSE;
    }
  if (!vg_cuda_alloc ((void **) &self->memory, totals + fit + sums, "the averaged beat", error))
    return FALSE;
  self->totals = (Total *) self->memory;
  self->fit = (VgFlowBeatFit *) (self->memory + totals);
  self->sums = (float *) (self->memory + totals + fit);
  return (self->host_total = (Total *) vg_cuda_host_alloc (sizeof (Total), error)) != NULL &&
         (self->host_fit = (VgFlowBeatFit *) vg_cuda_host_alloc (sizeof (VgFlowBeatFit), error)) !=
             NULL &&
         VG_CUDA_OK (cudaMemsetAsync (self->sums, 0, sums, state->compute), error);
}

VgFlowTrace *
flow_pulse_get_trace (FlowPulse *self)
{
  return self != NULL ? self->trace : NULL;
}

gboolean
flow_pulse_add (FlowState *state, double time_s, GError **error)
{
  FlowPulse *self = state->pulse;
  gsize sums = state->pixels * VG_FLOW_PULSE_SUMS * sizeof (float);
  unsigned blocks = (unsigned) MIN ((state->pixels - 1) / THREADS + 1,
                                    (gsize) state->multiprocessors * 32);

  mean_kernel<<<BLOCKS, THREADS, 0, state->compute>>> (state->contrast, state->pixels,
                                                       self->totals);
  total_kernel<<<1, THREADS, 0, state->compute>>> (self->totals);
  if (!vg_cuda_launched ("mean_kernel", error) ||
      !vg_cuda_copy_now (self->host_total, self->totals + BLOCKS, sizeof (Total), state->compute,
                         error))
    return FALSE;
  double mean = self->host_total->count > 0 ? self->host_total->sum / self->host_total->count : NAN;
  VgFlowBeatMap map = vg_flow_trace_add (self->trace, time_s, mean);
  if (map.clears && !VG_CUDA_OK (cudaMemsetAsync (self->sums, 0, sums, state->compute), error))
    return FALSE;
  if (!map.adds)
    return TRUE;
  add_kernel<<<blocks, THREADS, 0, state->compute>>> (state->contrast, map, self->sums,
                                                      state->pixels);
  return vg_cuda_launched ("add_kernel", error);
}

gboolean
flow_pulse_map (FlowState *state, VgFlowBeatIndex which, GError **error)
{
  FlowPulse *self = state->pulse;
  unsigned blocks = (unsigned) MIN ((state->pixels - 1) / THREADS + 1,
                                    (gsize) state->multiprocessors * 32);

  /* The last copy from this memory has to end first. */
  if (!VG_CUDA_OK (cudaStreamSynchronize (state->compute), error))
    return FALSE;
  vg_flow_trace_fit (self->trace, self->host_fit);
  if (!vg_cuda_copy (self->fit, self->host_fit, sizeof *self->fit, state->compute, error))
    return FALSE;
  index_kernel<<<blocks, THREADS, 0, state->compute>>> (self->fit, self->sums, which, state->extra,
                                                        state->pixels);
  return vg_cuda_launched ("index_kernel", error);
}
