/* SPDX-License-Identifier: MIT */
/* Planes in device memory that outlive an engine's next step, and their way
 * to the host.
 *
 * A stored plane has a stream of its own and everything that touches it goes
 * there or is ordered with it: the copy waits for the engine's stream, the
 * engine's next step waits for the copy, and a later store waits for all
 * readers.  No call here waits on the host, download and probe aside. */
#include "kernels/shared/vg-cuda-util.cuh"

struct _VgCudaPlane
{
  int device;
  cudaStream_t stream;
  cudaEvent_t produced; /* in the engine's stream: the source is complete */
  cudaEvent_t stored;   /* in `stream`: the copy is complete */
  gsize capacity;       /* bytes */
  float *memory;
  VgPlane plane; /* what plane_get answers; data NULL until the first store */
};

VgCudaPlane *
vg_cuda_plane_new (int device, GError **error)
{
  if (!vg_cuda_use (device, error))
    return NULL;
  VgCudaPlane *self = g_new0 (VgCudaPlane, 1);
  self->device = device;
  if (vg_cuda_stream_new (&self->stream, error) && vg_cuda_event_new (&self->produced, error) &&
      vg_cuda_event_new (&self->stored, error))
    return self;
  vg_cuda_plane_free (self);
  return NULL;
}

void
vg_cuda_plane_free (VgCudaPlane *self)
{
  if (self == NULL)
    return;
  if (vg_cuda_use (self->device, NULL))
    {
      vg_cuda_stream_free (self->stream);
      if (self->produced != NULL)
        cudaEventDestroy (self->produced);
      if (self->stored != NULL)
        cudaEventDestroy (self->stored);
      cudaFree (self->memory);
      cudaGetLastError ();
    }
  g_free (self);
}

static gboolean
grow (VgCudaPlane *self, gsize bytes, GError **error)
{
  void *memory;

  if (bytes <= self->capacity)
    return TRUE;
  if (!VG_CUDA_OK (cudaStreamSynchronize (self->stream), error))
    return FALSE;
  cudaFree (self->memory);
  self->memory = NULL;
  self->plane.data = NULL;
  self->capacity = 0;
  if (!vg_cuda_alloc (&memory, bytes, "a result on display", error))
    return FALSE;
  self->memory = (float *) memory;
  self->capacity = bytes;
  return TRUE;
}

gboolean
vg_cuda_plane_store (VgCudaPlane *self, const VgPlane *plane, GError **error)
{
  int device;

  if (!vg_cuda_use_plane (plane, 0, &device, error))
    return FALSE;
  if (device != self->device)
    {
      g_set_error (error, VG_GPU_ERROR, VG_GPU_ERROR_FAILED,
                   "a plane of GPU %d cannot be kept on GPU %d", device, self->device);
      return FALSE;
    }
  gsize bytes = (gsize) plane->width * plane->height * plane->slices * sizeof (float);
  cudaStream_t source = (cudaStream_t) plane->stream;
  if (!grow (self, bytes, error) || !vg_cuda_order (source, self->produced, self->stream, error) ||
      !vg_cuda_copy (self->memory, plane->data, bytes, self->stream, error) ||
      !vg_cuda_order (self->stream, self->stored, source, error))
    return FALSE;
  self->plane = *plane;
  self->plane.data = self->memory;
  self->plane.stream = self->stream;
  return TRUE;
}

gboolean
vg_cuda_plane_ready (VgCudaPlane *self)
{
  cudaError_t status = cudaEventQuery (self->stored);

  if (status != cudaSuccess)
    cudaGetLastError ();
  return status != cudaErrorNotReady; /* a failure shows in the next call that can report it */
}

void
vg_cuda_plane_get (VgCudaPlane *self, VgPlane *plane)
{
  *plane = self->plane;
  plane->place = VG_DEVICE;
  plane->stream = self->stream;
}

/* Copies straight into HOST: page-locked memory takes it at full rate, other
 * memory through the driver's staging. */
gboolean
vg_cuda_download (const VgPlane *plane, float *host, GError **error)
{
  int device;

  if (!vg_cuda_use_plane (plane, 0, &device, error))
    return FALSE;
  VgCudaScratch *scratch = vg_cuda_scratch_take (device, error);
  if (scratch == NULL)
    return FALSE;
  cudaStream_t stream = (cudaStream_t) plane->stream;
  gsize bytes = (gsize) plane->width * plane->height * plane->slices * sizeof (float);
  gboolean ok = vg_cuda_copy (host, plane->data, bytes, stream, error) &&
                vg_cuda_scratch_wait (scratch, stream, error);
  vg_cuda_scratch_give (scratch);
  return ok;
}

enum { PROBES = 64 };
typedef struct
{
  gint64 index[PROBES];
} ProbeList;

static __global__ void
probe_kernel (const float *data, ProbeList list, int n, float *values)
{
  if (threadIdx.x < n)
    values[threadIdx.x] = data[list.index[threadIdx.x]];
}

static gboolean
probe_some (VgCudaScratch *scratch, const VgPlane *plane, const int *xyz, int n, float *values,
            GError **error)
{
  cudaStream_t stream = (cudaStream_t) plane->stream;
  ProbeList list = {};

  for (int i = 0; i < n; i++)
    {
      int x = xyz[3 * i], y = xyz[3 * i + 1], z = xyz[3 * i + 2];
      if (x < 0 || x >= plane->width || y < 0 || y >= plane->height || z < 0 || z >= plane->slices)
        {
          g_set_error (error, VG_GPU_ERROR, VG_GPU_ERROR_FAILED,
                       "point %d, %d, %d lies outside the plane of %dx%dx%d", x, y, z, plane->width,
                       plane->height, plane->slices);
          return FALSE;
        }
      list.index[i] = ((gint64) z * plane->height + y) * plane->width + x;
    }
  probe_kernel<<<1, PROBES, 0, stream>>> (plane->data, list, n, (float *) scratch->partial);
  if (!vg_cuda_launched ("probe_kernel", error) ||
      !vg_cuda_copy (scratch->pinned, scratch->partial, n * sizeof (float), stream, error) ||
      !vg_cuda_scratch_wait (scratch, stream, error))
    return FALSE;
  memcpy (values, scratch->pinned, n * sizeof (float));
  return TRUE;
}

gboolean
vg_cuda_probe (const VgPlane *plane, const int *xyz, int n, float *values, GError **error)
{
  int device;

  if (!vg_cuda_use_plane (plane, 0, &device, error))
    return FALSE;
  VgCudaScratch *scratch = vg_cuda_scratch_take (device, error);
  if (scratch == NULL)
    return FALSE;
  gboolean ok = TRUE;
  for (int i = 0; i < n && ok; i += PROBES)
    ok = probe_some (scratch, plane, xyz + 3 * i, MIN (n - i, PROBES), values + i, error);
  vg_cuda_scratch_give (scratch);
  return ok;
}
