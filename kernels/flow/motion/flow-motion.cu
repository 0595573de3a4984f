/* SPDX-License-Identifier: MIT */
#include "kernels/flow/motion/flow-motion.cuh"
#include "kernels/flow/model/flow-sample.cuh"
#include "kernels/shared/vg-cufft.cuh"
#include "kernels/flow/motion/flow-motion-block.cuh"

enum { THREADS = 256, GRIDS = 2 };

/* What stays on the device from kernel to kernel. */
struct Found
{
  VgFlowShift trial;                      /* of the frame that is looked at */
  VgFlowShift now;                        /* the last one that was sure */
  int frames;                             /* in the reference */
  int adds;                               /* whether this frame is added to it */
  float share;                            /* the weight of this frame in it */
  VgFlowShift newest[VG_FLOW_MAX_FRAMES]; /* by frame, modulo */
};

struct _FlowMotion
{
  VgFlowMotionGrid grid[GRIDS]; /* side 0: not used */
  VgCufft fft[GRIDS];
  float2 *mean[GRIDS];
  float *tiles;
  float2 *spectrum;
  float *spans, *powers;
  Found *found;
  guint8 *memory;
  VgFlowShift *host_shifts; /* page-locked, of the log */
  VgFlowMotionLog log;
  cudaEvent_t moved;
};

static gsize
spectrum_values (const VgFlowMotionGrid *grid)
{
  return (gsize) grid->tiles * grid->side * (grid->side / 2 + 1);
}

/* ---- Kernels ---- */

template <typename T>
static __device__ float
read_between (const FlowRing &ring, int slot, float x, float y)
{
  float fx = floorf (x), fy = floorf (y), u = x - fx, v = y - fy, sum = 0.0f;

  for (int k = 0; k < 4; k++)
    {
      int column = min (max ((int) fx + k % 2, 0), ring.width - 1),
          row = min (max ((int) fy + k / 2, 0), ring.height - 1);
      float share = (k % 2 ? u : 1.0f - u) * (k / 2 ? v : 1.0f - v);

      if (!(share > 0.0f))
        continue;
      float value = (float) flow_sample<T> (ring, slot, column, row);
      sum += isfinite (value) ? share * value : 0.0f;
    }
  return sum;
}

/* Which shift the tiles are read at. */
enum ReadAt { AT_TRIAL, AT_WHOLE_TRIAL, AT_NOW };

template <typename T>
static __global__ void
__launch_bounds__ (THREADS) tile_kernel (FlowRing ring, int slot, VgFlowMotionGrid grid,
                                         const Found *found, ReadAt at, float *tiles)
{
  int i = blockIdx.x * THREADS + threadIdx.x, side = grid.side, bin = grid.bin;
  int column = i % side, row = i / side, tile = blockIdx.y;
  int left = grid.left + (tile % 2 * side + column) * bin,
      top = grid.top + (tile / 2 * side + row) * bin;
  VgFlowShift shift = at == AT_NOW ? found->now : found->trial;
  float sum = 0.0f;

  if (i >= side * side)
    return;
  if (at == AT_WHOLE_TRIAL)
    shift = vg_flow_motion_whole (shift);
  VgFlowMove move = vg_flow_motion_move (&shift, &grid);
  for (int k = 0; k < bin * bin; k++)
    {
      float x = (float) (left + k % bin), y = (float) (top + k / bin);

      vg_flow_motion_apply (&move, &x, &y);
      sum += read_between<T> (ring, slot, x, y);
    }
  tiles[(gsize) tile * side * side + i] = sum * vg_flow_motion_window (column, side) *
                                          vg_flow_motion_window (row, side);
}

/* POWERS: a partial sum of each block, tile after tile. */
static __global__ void
__launch_bounds__ (THREADS)
    cross_kernel (float2 *spectrum, const float2 *mean, VgFlowMotionGrid grid, float *powers)
{
  __shared__ float power[THREADS];
  int half = grid.side / 2 + 1, values = grid.side * half, i = blockIdx.x * THREADS + threadIdx.x;
  gsize at = (gsize) blockIdx.y * values + i;

  power[threadIdx.x] = 0;
  if (i < values)
    {
      int kx = i % half, ky = vg_flow_motion_frequency (i / half, grid.side);
      float weight = vg_flow_motion_weight (kx, ky, grid.side);
      float size = vg_flow_motion_cross (&spectrum[at].x, &spectrum[at].y, mean[at].x, mean[at].y,
                                         weight);
      /* Columns between the first and the last stand for their mirror images too. */
      power[threadIdx.x] = kx > 0 && 2 * kx < grid.side ? 2 * size : size;
    }
  add_up (power, THREADS);
  if (threadIdx.x == 0)
    powers[blockIdx.y * gridDim.x + blockIdx.x] = power[0];
}

/* Adds what the peaks say to the trial shift.  AGAIN: it is kept unless the last look and this one
 * are sure.  POWERS: N_POWERS of each tile, from cross_kernel(). */
static __global__ void
__launch_bounds__ (PEAK_THREADS)
    peak_kernel (const float *correlations, VgFlowMotionGrid grid, const float *powers,
                 int n_powers, ReadAt at, bool again, Found *found)
{
  __shared__ float power[PEAK_THREADS];
  float x[VG_FLOW_MOTION_TILES], y[VG_FLOW_MOTION_TILES], quality[VG_FLOW_MOTION_TILES], patch[25];
  int side = grid.side, mask = side - 1, t = threadIdx.x;

  for (int i = 0; i < grid.tiles; i++)
    {
      const float *c = correlations + (gsize) i * side * side;
      int u = 0, v = 0;

      power[t] = 0;
      for (int k = t; k < n_powers; k += PEAK_THREADS)
        power[t] += powers[i * n_powers + k];
      add_up (power, PEAK_THREADS);
      find_largest (c, side, &u, &v);
      if (t > 0)
        continue;
      for (int k = 0; k < 25; k++)
        patch[k] = c[((v + k / 5 - 2) & mask) * side + ((u + k % 5 - 2) & mask)];
      vg_flow_motion_top (patch, &x[i], &y[i]);
      x[i] = ((float) u + x[i]) * (float) grid.bin;
      y[i] = ((float) v + y[i]) * (float) grid.bin;
      quality[i] = vg_flow_motion_quality (patch[12], sqrtf (power[0]), side);
    }
  if (threadIdx.x > 0)
    return;
  VgFlowShift shift = at == AT_WHOLE_TRIAL ? vg_flow_motion_whole (found->trial) : found->trial;
  bool sure = found->trial.quality >= VG_FLOW_MOTION_SURE;
  vg_flow_motion_add (&shift, &grid, x, y, quality);
  if (!again || (sure && (at == AT_WHOLE_TRIAL || shift.quality >= VG_FLOW_MOTION_SURE)))
    found->trial = shift;
}

/* The trial becomes the shift of FRAME.  FIRST: the frame is the reference. */
static __global__ void
settle_kernel (Found *found, bool first, bool mean, float quality, guint64 frame)
{
  if (first)
    {
      found->now = {};
      found->now.quality = quality;
    }
  else
    vg_flow_motion_settle (&found->now, found->trial);
  found->adds = first || (mean && found->now.quality >= VG_FLOW_MOTION_SURE);
  if (found->adds)
    found->share = vg_flow_motion_share (++found->frames);
  found->newest[frame % VG_FLOW_MAX_FRAMES] = found->now;
  found->trial = {};
}

static __global__ void
__launch_bounds__ (THREADS)
    mean_kernel (const float2 *spectrum, float2 *mean, gsize n, const Found *found)
{
  gsize i = (gsize) blockIdx.x * THREADS + threadIdx.x;
  float share = found->share;

  if (i >= n || !found->adds)
    return;
  float2 now = spectrum[i], m = mean[i];
  mean[i] = share < 1.0f ? make_float2 (m.x + share * (now.x - m.x), m.y + share * (now.y - m.y))
                         : now;
}

template <typename T>
static __global__ void
__launch_bounds__ (THREADS)
    move_kernel (FlowRing ring, int from, int to, VgFlowMotionGrid grid, const Found *found)
{
  VgFlowMove move = vg_flow_motion_move (&found->now, &grid);

  for (int y = blockIdx.y; y < ring.height; y += gridDim.y)
    for (int x = blockIdx.x * THREADS + threadIdx.x; x < ring.width; x += gridDim.x * THREADS)
      {
        float u = (float) x, v = (float) y;

        vg_flow_motion_apply (&move, &u, &v);
        T *target = (T *) (ring.origin + to * ring.slot_bytes + y * ring.pitch);
        target[x] = flow_sample<T> (ring, from, min (max ((int) rintf (u), 0), ring.width - 1),
                                    min (max ((int) rintf (v), 0), ring.height - 1));
      }
}

/* The columns of each row that come from inside all of the last N frames. */
static __global__ void
__launch_bounds__ (THREADS) span_kernel (const Found *found, VgFlowMotionGrid grid, guint64 frames,
                                         int n, int width, int height, float *spans)
{
  int y = blockIdx.x * THREADS + threadIdx.x;
  float low = 0.0f, high = (float) (width - 1);

  if (y >= height)
    return;
  for (int i = 1; i <= n; i++)
    {
      VgFlowMove move = vg_flow_motion_move (&found->newest[(frames - i) % VG_FLOW_MAX_FRAMES],
                                             &grid);
      vg_flow_motion_inside (&move, y, width, height, &low, &high);
    }
  spans[2 * y] = low;
  spans[2 * y + 1] = high;
}

static __global__ void
__launch_bounds__ (THREADS) mask_kernel (const float *spans, int radius, int width, int height,
                                         float *contrast, float *index)
{
  for (int y = blockIdx.y; y < height; y += gridDim.y)
    for (int x = blockIdx.x * THREADS + threadIdx.x; x < width; x += gridDim.x * THREADS)
      if (!vg_flow_motion_covers (spans + 2 * max (y - radius, 0),
                                  spans + 2 * min (y + radius, height - 1), x, radius, width))
        contrast[(gsize) y * width + x] = index[(gsize) y * width + x] = VG_FLOW_NAN;
}

/* ---- The host ---- */

void
flow_motion_free (FlowMotion *self)
{
  if (self == NULL)
    return;
  for (int g = 0; g < GRIDS; g++)
    vg_cufft_clear (&self->fft[g]);
  if (self->moved != NULL)
    cudaEventDestroy (self->moved);
  cudaFree (self->memory);
  cudaFreeHost (self->host_shifts);
  vg_flow_motion_log_clear (&self->log);
  g_free (self);
}

static gsize
round_up (gsize bytes)
{
  return (bytes + 255) / 256 * 256;
}

static gboolean
allocate (FlowMotion *self, int height, GError **error)
{
  const VgFlowMotionGrid *grid = self->grid;
  gsize tiles = round_up ((gsize) grid[0].side * grid[0].side * sizeof (float)),
        spans = round_up (2 * (gsize) height * sizeof (float)), found = round_up (sizeof (Found)),
        powers = round_up (VG_FLOW_MOTION_TILES * (VG_FLOW_MOTION_MOST + 2) * sizeof (float)),
        spectra[GRIDS];
  guint8 *at;

  /* Both grids cover the same samples, but two rows of tiles have two columns more. */
  for (int g = 0; g < GRIDS; g++)
    spectra[g] = round_up (spectrum_values (&grid[g]) * sizeof (float2));
  if (!vg_cuda_alloc ((void **) &self->memory,
                      tiles + spans + found + powers + MAX (spectra[0], spectra[1]) + spectra[0] +
                          spectra[1],
                      "the motion correction", error))
    return FALSE;
  at = self->memory;
  self->found = (Found *) at;
  self->spans = (float *) (at += found);
  self->powers = (float *) (at += spans);
  self->tiles = (float *) (at += powers);
  self->spectrum = (float2 *) (at += tiles);
  self->mean[0] = (float2 *) (at += MAX (spectra[0], spectra[1]));
  self->mean[1] = (float2 *) (at += spectra[0]);
  self->host_shifts = (VgFlowShift *) vg_cuda_host_alloc (
      VG_FLOW_MOTION_KEPT * sizeof (VgFlowShift), error);
  return self->host_shifts != NULL && vg_cuda_event_new (&self->moved, error);
}

gboolean
flow_motion_new (FlowState *state, GError **error)
{
  FlowMotion *self = g_new0 (FlowMotion, 1);

  state->motion = self;
  for (int g = 0; g < GRIDS; g++)
    if (g == 0 || state->params.motion == VG_FLOW_MOTION_RIGID)
      self->grid[g] = vg_flow_motion_grid (state->width, state->height, g == 1);
  if (!allocate (self, state->height, error))
    return FALSE;
  vg_flow_motion_log_init (&self->log, self->host_shifts);
  for (int g = 0; g < GRIDS; g++)
    {
      const int sides[] = { self->grid[g].side, self->grid[g].side };

      if (sides[0] > 0 &&
          !vg_cufft_init (&self->fft[g], 2, sides, self->grid[g].tiles, FALSE, "motion correction",
                          "Motion correction to None, or compute on the CPU", state->compute,
                          error))
        return FALSE;
    }
  return VG_CUDA_OK (cudaMemsetAsync (self->found, 0, sizeof (Found), state->compute), error) &&
         VG_CUDA_OK (cudaEventRecord (self->moved, state->compute), error);
}

template <typename T>
static void
launch_tiles (FlowState *state, int g, ReadAt at)
{
  const VgFlowMotionGrid &grid = state->motion->grid[g];
  dim3 blocks ((grid.side * grid.side - 1) / THREADS + 1, grid.tiles);

  tile_kernel<T><<<blocks, THREADS, 0, state->compute>>> (
      state->ring, state->ring.slots, grid, state->motion->found, at, state->motion->tiles);
}

static gboolean
transform_tiles (FlowState *state, int g, ReadAt at, GError **error)
{
  FlowMotion *self = state->motion;

  FLOW_BY_TYPE (state->info.type, launch_tiles, (state, g, at));
  return vg_cuda_launched ("tile_kernel", error) &&
         vg_cufft_forward (&self->fft[g], self->tiles, self->spectrum, error);
}

static gboolean
look (FlowState *state, int g, ReadAt at, bool again, GError **error)
{
  FlowMotion *self = state->motion;
  const VgFlowMotionGrid &grid = self->grid[g];
  dim3 blocks ((grid.side * (grid.side / 2 + 1) - 1) / THREADS + 1, grid.tiles);

  if (!transform_tiles (state, g, at, error))
    return FALSE;
  cross_kernel<<<blocks, THREADS, 0, state->compute>>> (self->spectrum, self->mean[g], grid,
                                                        self->powers);
  if (!vg_cuda_launched ("cross_kernel", error) ||
      !vg_cufft_inverse (&self->fft[g], self->spectrum, self->tiles, error))
    return FALSE;
  peak_kernel<<<1, PEAK_THREADS, 0, state->compute>>> (self->tiles, grid, self->powers,
                                                       (int) blocks.x, at, again, self->found);
  return vg_cuda_launched ("peak_kernel", error);
}

static gboolean
find_shift (FlowState *state, GError **error)
{
  FlowMotion *self = state->motion;

  if (!look (state, 0, AT_TRIAL, false, error))
    return FALSE;
  if (self->grid[1].side == 0)
    return look (state, 0, AT_WHOLE_TRIAL, true, error);
  for (int i = 0; i < VG_FLOW_MOTION_LOOKS; i++)
    if (!look (state, 1, AT_TRIAL, true, error))
      return FALSE;
  return TRUE;
}

static gboolean
add_to_reference (FlowState *state, GError **error)
{
  FlowMotion *self = state->motion;

  for (int g = 0; g < GRIDS; g++)
    {
      gsize n = spectrum_values (&self->grid[g]);

      if (n == 0)
        continue;
      if (!transform_tiles (state, g, AT_NOW, error))
        return FALSE;
      mean_kernel<<<(unsigned) ((n - 1) / THREADS + 1), THREADS, 0, state->compute>>> (
          self->spectrum, self->mean[g], n, self->found);
      if (!vg_cuda_launched ("mean_kernel", error))
        return FALSE;
    }
  return TRUE;
}

template <typename T>
static void
launch_move (FlowState *state, int slot)
{
  dim3 blocks ((state->width - 1) / THREADS + 1, MIN (state->height, 65535));

  move_kernel<T><<<blocks, THREADS, 0, state->compute>>> (
      state->ring, state->ring.slots, slot, state->motion->grid[0], state->motion->found);
}

gboolean
flow_motion_align (FlowState *state, const VgFrame *frame, int slot, GError **error)
{
  FlowMotion *self = state->motion;
  gboolean able = self->grid[0].side > 0, first = self->log.count == 0 || !able,
           mean = state->params.motion_reference == VG_FLOW_REFERENCE_MEAN;
  guint64 number = self->log.count;
  VgFlowShift *shift = vg_flow_motion_log_add (&self->log, frame);

  if (!first && !find_shift (state, error))
    return FALSE;
  settle_kernel<<<1, 1, 0, state->compute>>> (self->found, first, mean, able ? HUGE_VALF : 0.0f,
                                              number);
  if (!vg_cuda_launched ("settle_kernel", error) ||
      (able && (first || mean) && !add_to_reference (state, error)))
    return FALSE;
  FLOW_BY_TYPE (state->info.type, launch_move, (state, slot));
  return vg_cuda_launched ("move_kernel", error) &&
         VG_CUDA_OK (cudaEventRecord (self->moved, state->compute), error) &&
         VG_CUDA_OK (cudaMemcpyAsync (shift, &self->found->now, sizeof *shift,
                                      cudaMemcpyDeviceToHost, state->compute),
                     error);
}

gboolean
flow_motion_order_upload (FlowState *state, GError **error)
{
  return VG_CUDA_OK (cudaStreamWaitEvent (state->upload, state->motion->moved, 0), error);
}

gboolean
flow_motion_mask (FlowState *state, GError **error)
{
  FlowMotion *self = state->motion;
  int n = (int) MIN (self->log.count, (guint64) flow_depth (state));
  dim3 blocks ((state->width - 1) / THREADS + 1, MIN (state->height, 65535));

  span_kernel<<<(state->height - 1) / THREADS + 1, THREADS, 0, state->compute>>> (
      self->found, self->grid[0], self->log.count, n, state->width, state->height, self->spans);
  if (!vg_cuda_launched ("span_kernel", error))
    return FALSE;
  mask_kernel<<<blocks, THREADS, 0, state->compute>>> (
      self->spans, flow_radius (state), state->width, state->height, state->contrast, state->index);
  return vg_cuda_launched ("mask_kernel", error);
}

const VgFlowMotionLog *
flow_motion_get_log (FlowState *state, GError **error)
{
  return state->motion != NULL && VG_CUDA_OK (cudaStreamSynchronize (state->compute), error)
             ? &state->motion->log
             : NULL;
}
