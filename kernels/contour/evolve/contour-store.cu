/* SPDX-License-Identifier: MIT */
#include "kernels/contour/evolve/contour-device.cuh"
/* Moves samples and sets them aside by copies within the GPU: 16 MB (a thousand nuclei) take about
 * ten microseconds, but through the memory of the host about ten milliseconds. */

typedef struct
{
  VgContourStore store;
  const VgContourDevice *device;
  guint8 *memory;
} Store;

enum { SAMPLE_BYTES = sizeof (float) + 2 * sizeof (guint16) };

static guint8 *
fetch (VgContourStore *store)
{
  const Store *self = (const Store *) store;
  cudaStream_t stream = self->device->stream;
  gsize bytes = self->store.samples * SAMPLE_BYTES;
  guint8 *block = (guint8 *) g_try_malloc (MAX (bytes, 1));

  if (block != NULL && vg_cuda_use (self->device->device, NULL) &&
      vg_cuda_copy_now (block, self->memory, bytes, stream, NULL))
    return block;
  g_free (block);
  return NULL;
}

static void
store_free (VgContourStore *store)
{
  Store *self = (Store *) store;

  if (vg_cuda_use (self->device->device, NULL))
    cudaFree (self->memory);
  g_free (self);
}

VgContourStore *
vg_contour_device_store (VgContourDevice *self)
{
  const VgContourView *view = &self->view;
  gsize n = self->samples;
  Store *store = g_new0 (Store, 1);
  guint8 *h;

  store->store.samples = n;
  store->store.fetch = fetch;
  store->store.free = store_free;
  store->device = self;
  if (vg_cuda_use (self->device, NULL) &&
      vg_cuda_alloc ((void **) &store->memory, MAX (n, 1) * SAMPLE_BYTES, "the nuclei as they were",
                     NULL))
    {
      h = store->memory + n * sizeof (float);
      if (vg_cuda_copy (store->memory, view->phi, n * sizeof (float), self->stream, NULL) &&
          vg_cuda_copy (h, view->h, n * sizeof (guint16), self->stream, NULL) &&
          vg_cuda_copy (h + n * sizeof (guint16), view->mark, n * sizeof (guint16), self->stream,
                        NULL))
        return &store->store;
    }
  store_free (&store->store);
  return NULL;
}

/* Outside the old tile, samples are as vg_contour_scene_grow sets them. */
__global__ static void __launch_bounds__ (256)
    grow_kernel (VgContourView view, const VgContourDeviceObject *next, VgContourSamples from)
{
  const VgContourDeviceObject &old = view.objects[blockIdx.x], &object = next[blockIdx.x];
  const int width = object.tile.width, height = object.tile.height, old_width = old.tile.width,
            old_height = old.tile.height;
  const int dx = old.tile.x - object.tile.x, dy = old.tile.y - object.tile.y;

  for (int i = threadIdx.x; i < width * height; i += blockDim.x)
    {
      const int x = i % width - dx, y = i / width - dy;
      const bool known = x >= 0 && y >= 0 && x < old_width && y < old_height;
      const guint64 at = old.offset + (guint64) (y * old_width + x),
                    to = object.offset + (guint64) i;

      view.phi[to] = known ? from.phi[at] : -view.weights.band;
      view.h[to] = known ? from.h[at] : (guint16) 0;
      view.mark[to] = known ? from.mark[at] : (guint16) 0;
    }
}

void
vg_contour_launch_growth (VgContourDevice *self, const VgContourSamples *from)
{
  grow_kernel<<<self->view.n, 256, 0, self->stream>>> (self->view, self->next, *from);
}
