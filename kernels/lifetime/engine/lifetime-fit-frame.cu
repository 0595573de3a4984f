/* SPDX-License-Identifier: MIT */
/* Fits in the CUDA engine: the binned frame on the device gives planes of the outputs, as in
 * lifetime-fit-rows.c. */
#include "kernels/lifetime/engine/lifetime-cuda.cuh"
#include "kernels/lifetime/fit/lifetime-fit.cuh"

/* The memory that the settings need in addition to sums and maps. */
LifetimeFitNeeds
lifetime_fit_needs (const VgLifetimeParams *params, const LifetimeCube *cube)
{
  LifetimeFitNeeds needs = {};
  gsize row = (gsize) cube->width * cube->bins * sizeof (float), all = row * cube->height;

  needs.planes = __builtin_popcount (vg_lifetime_fit_finds (params->method));
  if (needs.planes == 0)
    return needs;
  needs.table = (gsize) cube->bins * VG_LIFETIME_NODES * 2 +
                (gsize) vg_lifetime_fitting_period (params, cube->bins);
  needs.image = params->sharing == VG_LIFETIME_SHARE_IMAGE ? lifetime_fit_image_bytes (cube->pixels)
                                                           : 0;
  needs.area = params->bin > 0 || params->offset == VG_LIFETIME_OFFSET_BEFORE
                   ? cube->pixels * cube->slices
                   : 0;
  if (params->bin > 0)
    needs.tile = params->sharing == VG_LIFETIME_SHARE_IMAGE
                     ? all
                     : MAX (all / VG_LIFETIME_DEVICE_TILES, row);
  return needs;
}

/* Sets the pixels to fit, and the number of binned pixels in each. */
static __global__ void
mask_kernel (const float *sums, gsize n, gsize pixels,
             const __grid_constant__ VgLifetimeFinish finish, guint8 *mask, float *area)
{
  gsize i = (gsize) blockIdx.x * blockDim.x + threadIdx.x;

  if (i >= n)
    return;
  mask[i] = vg_lifetime_status (sums, n, i, &finish) == VG_LIFETIME_FITTED;
  if (area != NULL)
    area[i] = (float) vg_lifetime_window_pixels ((int) (i % pixels % finish.width),
                                                 (int) (i % pixels / finish.width), finish.width,
                                                 finish.height, finish.params.bin);
}

enum { TILE_THREADS = 256, TILE_HALO = VG_LIFETIME_MAX_BINNING };

static __device__ __forceinline__ float
sample_of (const LifetimeCube &cube, const guint8 *page, gsize i)
{
  switch (cube.type)
    {
    case VG_U8:
      return (float) page[i];
    case VG_U16:
      return (float) ((const guint16 *) page)[i];
    case VG_U32:
      return (float) ((const guint32 *) page)[i];
    default:
      return ((const float *) page)[i];
    }
}

/* Bins the decays of row Y0 + blockIdx.y over pixels: along the columns into shared memory, then
 * along the row. */
static __global__ void
__launch_bounds__ (TILE_THREADS)
    tile_kernel (LifetimeCube cube, int slice, int y0, int rows, int binning, float *tile)
{
  __shared__ float column[TILE_THREADS + 2 * TILE_HALO];
  int bin = blockIdx.x, y = y0 + blockIdx.y, left = blockIdx.z * TILE_THREADS;
  const guint8 *page = cube.samples + ((gsize) slice * cube.bins + bin) * cube.pitch;

  for (int k = threadIdx.x; k < TILE_THREADS + 2 * binning; k += TILE_THREADS)
    {
      int x = left + k - binning;
      float sum = 0;

      for (int v = MAX (y - binning, 0);
           x >= 0 && x < cube.width && v <= MIN (y + binning, cube.height - 1); v++)
        sum += sample_of (cube, page, (gsize) v * cube.width + x);
      column[k] = sum;
    }
  __syncthreads ();
  int x = left + threadIdx.x;
  if (x >= cube.width)
    return;
  float sum = 0;
  for (int k = 0; k <= 2 * binning; k++)
    sum += column[threadIdx.x + k];
  tile[((gsize) bin * rows + blockIdx.y) * cube.width + x] = sum;
}

/* As vg_lifetime_fit_offsets. */
static __global__ void
offsets_kernel (VgLifetimeCube cube, VgLifetimeBefore before, float *offsets)
{
  gsize i = (gsize) blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0, tail = 0;

  if (i >= cube.pixels)
    return;
  LifetimeSamples samples = lifetime_samples (cube, i);
  for (int j = before.first; j < before.end; j++)
    sum += samples[j];
  for (int j = before.tail; j < before.tail_end; j++)
    tail += samples[j];
  offsets[i] = (float) vg_lifetime_offset_of (sum / (float) (before.end - before.first),
                                              tail / (float) MAX (before.tail_end - before.tail, 1),
                                              before.left);
}

static VgLifetimeFitMaps
maps_from (const LifetimeState *self, gsize first)
{
  guint32 finds = vg_lifetime_fit_finds (self->params.method);
  VgLifetimeFitMaps maps = {};
  float *plane = self->fit + first;

  for (int i = 0; i < VG_LIFETIME_N_OUTPUTS; i++)
    if (finds & 1u << i)
      {
        maps.plane[vg_lifetime_fit_plane_of (i)] = plane;
        plane += self->n;
      }
  return maps;
}

/* Fits a slice of pixels from BASE on by a global fit over the image.  Between passes each pixel
 * stores its values in the planes of sums, which are then computed again, and in those of the
 * results. */
static gboolean
fit_image (LifetimeState *self, const VgLifetimeFit *fit, const VgLifetimeCube *cube, gsize base,
           const VgLifetimeFitMaps *maps, GError **error)
{
  float *planes[LIFETIME_IMAGE_PLANES];
  int n = lifetime_fit_image_planes (fit);

  g_assert (n <=
            VG_LIFETIME_N_SUMS + __builtin_popcount (vg_lifetime_fit_finds (self->params.method)));
  for (int i = 0; i < n; i++)
    planes[i] = (i < VG_LIFETIME_N_SUMS ? self->sums + i * self->n
                                        : self->fit + (i - VG_LIFETIME_N_SUMS) * self->n) +
                base;
  self->pass_due = TRUE;
  return lifetime_fit_image (fit, cube, planes, self->fit_image, maps, self->stream, error);
}

/* Rows [y0, y0 + rows) of a slice. */
static gboolean
fit_part (LifetimeState *self, const VgLifetimeFit *fit, int slice, int y0, int rows,
          GError **error)
{
  const LifetimeCube *whole = &self->cube;
  gsize size = vg_type_size (whole->type), base = slice * whole->pixels + (gsize) y0 * whole->width;
  VgLifetimeFitMaps maps = maps_from (self, base);
  VgLifetimeCube cube = { whole->samples + (gsize) slice * whole->bins * whole->pitch,
                          whole->type,
                          whole->pitch / size,
                          1,
                          (gsize) rows * whole->width,
                          self->fit_mask + base,
                          NULL };

  if (self->params.bin > 0)
    {
      dim3 blocks ((unsigned) whole->bins, (unsigned) rows,
                   (unsigned) ((whole->width + TILE_THREADS - 1) / TILE_THREADS));

      tile_kernel<<<blocks, TILE_THREADS, 0, self->stream>>> (*whole, slice, y0, rows,
                                                              self->params.bin, self->tile);
      if (!vg_cuda_launched ("tile_kernel", error))
        return FALSE;
      cube = { self->tile, VG_F32, cube.pixels, 1, cube.pixels, cube.mask, self->fit_area + base };
    }
  if (self->fitting.before.end > 0)
    {
      offsets_kernel<<<(unsigned) ((cube.pixels + 255) / 256), 256, 0, self->stream>>> (
          cube, self->fitting.before, self->fit_area + base);
      if (!vg_cuda_launched ("offsets_kernel", error))
        return FALSE;
      cube.area = self->fit_area + base;
    }
  if (self->fitting.sharing == VG_LIFETIME_SHARE_NONE)
    return lifetime_fit_pixels (fit, &cube, &maps, self->stream, error);
  if (self->fitting.sharing == VG_LIFETIME_SHARE_SEGMENT)
    return lifetime_fit_segments (fit, &cube, (gsize) whole->width, &maps, self->stream, error);
  return fit_image (self, fit, &cube, base, &maps, error);
}

static gboolean
send_tables (LifetimeState *self, VgLifetimeFit *fit, GError **error)
{
  gsize nodes = (gsize) (fit->end - fit->first) * VG_LIFETIME_NODES * 2;
  float *irf = self->fit_table + (gsize) self->cube.bins * VG_LIFETIME_NODES * 2;

  if (!VG_CUDA_OK (cudaMemcpyAsync (irf, self->fitting.irf, fit->period * sizeof (float),
                                    cudaMemcpyHostToDevice, self->stream),
                   error) ||
      !VG_CUDA_OK (cudaMemcpyAsync (self->fit_table, self->fitting.nodes, nodes * sizeof (float),
                                    cudaMemcpyHostToDevice, self->stream),
                   error))
    return FALSE;
  fit->irf = fit->irf != NULL ? irf : NULL;
  fit->nodes = self->fit_table;
  return TRUE;
}

gboolean
lifetime_fit_frame (LifetimeState *self, GError **error)
{
  const LifetimeCube *cube = &self->cube;
  int planes = __builtin_popcount (vg_lifetime_fit_finds (self->params.method));
  gsize row = (gsize) cube->width * cube->bins * sizeof (float);
  int rows = self->params.bin > 0 ? (int) CLAMP (self->tile_bytes / row, 1, (gsize) cube->height)
                                  : cube->height;

  if (!vg_lifetime_fitting_make (&self->fitting, &self->params, &self->plan, self->host_decay,
                                 (double) self->n))
    /* 0xff bytes are NaN. */
    return VG_CUDA_OK (
        cudaMemsetAsync (self->fit, 0xff, planes * self->n * sizeof (float), self->stream), error);
  VgLifetimeFit fit = self->fitting.fit;
  if (!send_tables (self, &fit, error))
    return FALSE;
  mask_kernel<<<(unsigned) ((self->n + 255) / 256), 256, 0, self->stream>>> (
      self->sums, self->n, cube->pixels, lifetime_finish (self), self->fit_mask,
      self->params.bin > 0 ? self->fit_area : NULL);
  if (!vg_cuda_launched ("mask_kernel", error))
    return FALSE;
  for (int slice = 0; slice < cube->slices; slice++)
    for (int y = 0; y < cube->height; y += rows)
      if (!fit_part (self, &fit, slice, y, MIN (rows, cube->height - y), error))
        return FALSE;
  return !self->pass_due || lifetime_sums (self, error);
}

gboolean
lifetime_fit_values (const LifetimeState *self, gsize pixel, float *outputs, GError **error)
{
  for (int i = 0; i < VG_LIFETIME_N_OUTPUTS; i++)
    {
      const float *plane = lifetime_fit_output (self, i);

      outputs[i] = VG_LIFETIME_NAN;
      if (plane != NULL && !VG_CUDA_OK (cudaMemcpyAsync (&outputs[i], plane + pixel, sizeof (float),
                                                         cudaMemcpyDeviceToHost, self->stream),
                                        error))
        return FALSE;
    }
  return VG_CUDA_OK (cudaStreamSynchronize (self->stream), error);
}
