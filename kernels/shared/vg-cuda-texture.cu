/* SPDX-License-Identifier: MIT */
/* CUDA-GL interop: a plane goes from device memory into the array behind a GL
 * texture, without the host.
 *
 * Main thread, GL context current.  The texture has a stream of its own; it
 * waits, on the device, for the plane, and whatever overwrites the plane next
 * waits for the copy.  Mapped per frame: the driver may move the array in
 * between. */
#include <cuda_gl_interop.h>
#include "kernels/shared/vg-cuda-util.cuh"

struct _VgCudaTexture
{
  int device;
  gboolean buffer; /* of plain samples, else a texture */
  cudaGraphicsResource_t resource;
  cudaStream_t stream;
  cudaEvent_t produced; /* in the plane's stream */
  cudaEvent_t consumed; /* in ours: the plane may change again */
};

int
vg_cuda_gl_device (GError **error)
{
  unsigned n = 0;
  int devices[16];
  cudaError_t status = cudaGLGetDevices (&n, devices, G_N_ELEMENTS (devices), cudaGLDeviceListAll);

  if (status == cudaSuccess && n > 0)
    return devices[0];
  cudaGetLastError ();
  g_set_error (error, VG_GPU_ERROR, VG_GPU_ERROR_ABSENT,
               "OpenGL does not run on a CUDA device (%s), so results travel through the host; on "
               "a laptop with two GPUs "
               "set __NV_PRIME_RENDER_OFFLOAD=1 __GLX_VENDOR_LIBRARY_NAME=nvidia",
               status == cudaSuccess ? "none listed" : cudaGetErrorName (status));
  return -1;
}

/* What a texture and a buffer need besides their registration. */
static VgCudaTexture *
texture_new (GError **error)
{
  int device = vg_cuda_gl_device (error);

  if (device < 0 || !vg_cuda_use (device, error))
    return NULL;
  VgCudaTexture *self = g_new0 (VgCudaTexture, 1);
  self->device = device;
  if (vg_cuda_stream_new (&self->stream, error) && vg_cuda_event_new (&self->produced, error) &&
      vg_cuda_event_new (&self->consumed, error))
    return self;
  vg_cuda_texture_free (self);
  return NULL;
}

VgCudaTexture *
vg_cuda_texture_register (guint texture, GError **error)
{
  VgCudaTexture *self = texture_new (error);

  if (self == NULL ||
      VG_CUDA_OK (cudaGraphicsGLRegisterImage (&self->resource, texture, GL_TEXTURE_2D,
                                               cudaGraphicsRegisterFlagsWriteDiscard),
                  error))
    return self;
  self->resource = NULL;
  vg_cuda_texture_free (self);
  return NULL;
}

VgCudaTexture *
vg_cuda_buffer_register (guint buffer, GError **error)
{
  VgCudaTexture *self = texture_new (error);

  if (self == NULL)
    return NULL;
  self->buffer = TRUE;
  if (VG_CUDA_OK (cudaGraphicsGLRegisterBuffer (&self->resource, buffer,
                                                cudaGraphicsRegisterFlagsWriteDiscard),
                  error))
    return self;
  self->resource = NULL;
  vg_cuda_texture_free (self);
  return NULL;
}

void
vg_cuda_texture_free (VgCudaTexture *self)
{
  if (self == NULL)
    return;
  if (vg_cuda_use (self->device, NULL))
    {
      if (self->stream != NULL)
        cudaStreamSynchronize (self->stream);
      if (self->resource != NULL)
        cudaGraphicsUnregisterResource (self->resource);
      if (self->produced != NULL)
        cudaEventDestroy (self->produced);
      if (self->consumed != NULL)
        cudaEventDestroy (self->consumed);
      if (self->stream != NULL)
        cudaStreamDestroy (self->stream);
      cudaGetLastError ();
    }
  g_free (self);
}

/* With the resource mapped. */
static gboolean
copy_to_array (VgCudaTexture *self, const float *data, int width, int height, GError **error)
{
  cudaArray_t array;
  cudaChannelFormatDesc format;
  cudaExtent extent;
  gsize row = (gsize) width * sizeof (float);

  if (!VG_CUDA_OK (cudaGraphicsSubResourceGetMappedArray (&array, self->resource, 0, 0), error) ||
      !VG_CUDA_OK (cudaArrayGetInfo (&format, &extent, NULL, array), error))
    return FALSE;
  if (extent.width != (gsize) width || extent.height != (gsize) height || format.x != 32 ||
      format.y != 0 || format.f != cudaChannelFormatKindFloat)
    {
      g_set_error (
          error, VG_GPU_ERROR, VG_GPU_ERROR_FAILED,
          "a plane of %dx%d does not fit the texture of %dx%d (one 32-bit float channel is needed)",
          width, height, (int) extent.width, (int) extent.height);
      return FALSE;
    }
  return VG_CUDA_OK (cudaMemcpy2DToArrayAsync (array, 0, 0, data, row, row, height,
                                               cudaMemcpyDeviceToDevice, self->stream),
                     error);
}

/* The same for a buffer, which may be larger than the slice. */
static gboolean
copy_to_buffer (VgCudaTexture *self, const float *data, gsize samples, GError **error)
{
  void *memory;
  size_t room;

  if (!VG_CUDA_OK (cudaGraphicsResourceGetMappedPointer (&memory, &room, self->resource), error))
    return FALSE;
  if (room < samples * sizeof (float))
    {
      g_set_error (error, VG_GPU_ERROR, VG_GPU_ERROR_FAILED,
                   "%" G_GSIZE_FORMAT " samples do not fit a buffer of %" G_GSIZE_FORMAT " bytes",
                   samples, (gsize) room);
      return FALSE;
    }
  return vg_cuda_copy (memory, data, samples * sizeof (float), self->stream, error);
}

gboolean
vg_cuda_texture_update (VgCudaTexture *self, const VgPlane *plane, int slice, GError **error)
{
  int device;

  if (!vg_cuda_use_plane (plane, slice, &device, error))
    return FALSE;
  if (device != self->device)
    {
      g_set_error (error, VG_GPU_ERROR, VG_GPU_ERROR_FAILED,
                   "the result is on GPU %d and the window on GPU %d", device, self->device);
      return FALSE;
    }
  cudaStream_t source = (cudaStream_t) plane->stream;
  if (!vg_cuda_order (source, self->produced, self->stream, error) ||
      !VG_CUDA_OK (cudaGraphicsMapResources (1, &self->resource, self->stream), error))
    return FALSE;
  const float *data = plane->data + (gsize) slice * plane->width * plane->height;
  gboolean ok = (self->buffer
                     ? copy_to_buffer (self, data, (gsize) plane->width * plane->height, error)
                     : copy_to_array (self, data, plane->width, plane->height, error)) &&
                vg_cuda_order (self->stream, self->consumed, source, error);
  if (!VG_CUDA_OK (cudaGraphicsUnmapResources (1, &self->resource, self->stream),
                   ok ? error : NULL))
    return FALSE;
  return ok;
}
