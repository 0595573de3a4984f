/* SPDX-License-Identifier: MIT */
/* CUDA status to GError, checked memory, streams, events, borrowed scratch.
 *
 * Work goes to non-blocking streams only; a kernel's failure surfaces at the
 * next wait, as the error of that call. */
#include "kernels/shared/vg-cuda-util.cuh"
#include "kernels/base/vg-memory.h"
#include <string.h>

gboolean
vg_cuda_ok (cudaError_t status, const char *call, GError **error)
{
  if (status == cudaSuccess)
    return TRUE;

  cudaGetLastError (); /* a failed probe must not be reported again by the next call */
  int n = (int) strcspn (call, " (");
  if (status == cudaErrorMemoryAllocation)
    g_set_error (error, VG_GPU_ERROR, VG_GPU_ERROR_MEMORY,
                 "the GPU is out of memory (%s in %.*s): close other programs on it, use a smaller "
                 "input, or compute on the CPU",
                 cudaGetErrorName (status), n, call);
  else if (status == cudaErrorNoKernelImageForDevice || status == cudaErrorUnsupportedPtxVersion)
    g_set_error (error, VG_GPU_ERROR, VG_GPU_ERROR_FAILED,
                 "this GPU cannot run the program's kernels (%s in %.*s): rebuild with -Dgpu_arch "
                 "set to its compute capability, or compute on the CPU",
                 cudaGetErrorName (status), n, call);
  else
    g_set_error (error, VG_GPU_ERROR, VG_GPU_ERROR_FAILED,
                 "the GPU reported %s in %.*s (%s): restart the program, or compute on the CPU",
                 cudaGetErrorName (status), n, call, cudaGetErrorString (status));
  return FALSE;
}

gboolean
vg_cuda_launched (const char *kernel, GError **error)
{
  return vg_cuda_ok (cudaGetLastError (), kernel, error);
}

gboolean
vg_cuda_alloc (void **memory, gsize bytes, const char *what, GError **error)
{
  size_t available = 0, total = 0;

  *memory = NULL;
  if (!VG_CUDA_OK (cudaMemGetInfo (&available, &total), error))
    return FALSE;
  if (bytes <= available)
    {
      cudaError_t status = cudaMalloc (memory, MAX (bytes, 1));
      if (status != cudaErrorMemoryAllocation)
        return vg_cuda_ok (status, "cudaMalloc", error);
      cudaGetLastError ();
      *memory = NULL;
    }
  g_autofree char *needed = g_format_size_full (bytes, G_FORMAT_SIZE_IEC_UNITS);
  g_autofree char *rest = g_format_size_full (available, G_FORMAT_SIZE_IEC_UNITS);
  g_autofree char *all = g_format_size_full (total, G_FORMAT_SIZE_IEC_UNITS);
  g_set_error (error, VG_GPU_ERROR, VG_GPU_ERROR_MEMORY,
               "not enough GPU memory for %s: %s is needed, and %s of %s is free; use a smaller "
               "input, close other programs on the GPU, or compute on the CPU",
               what, needed, rest, all);
  return FALSE;
}

gboolean
vg_cuda_use (int device, GError **error)
{
  return VG_CUDA_OK (cudaSetDevice (device), error);
}

gboolean
vg_cuda_use_plane (const VgPlane *plane, int slice, int *device, GError **error)
{
  cudaPointerAttributes attributes;

  if (plane->place != VG_DEVICE || plane->data == NULL || slice < 0 || slice >= plane->slices ||
      plane->width <= 0 || plane->height <= 0)
    {
      g_set_error (error, VG_GPU_ERROR, VG_GPU_ERROR_FAILED,
                   "slice %d of a plane of %dx%dx%d is not in GPU memory", slice, plane->width,
                   plane->height, plane->slices);
      return FALSE;
    }
  if (!VG_CUDA_OK (cudaPointerGetAttributes (&attributes, plane->data), error))
    return FALSE;
  if (attributes.type != cudaMemoryTypeDevice && attributes.type != cudaMemoryTypeManaged)
    {
      g_set_error_literal (error, VG_GPU_ERROR, VG_GPU_ERROR_FAILED,
                           "the plane is not in GPU memory");
      return FALSE;
    }
  if (device != NULL)
    *device = attributes.device;
  return vg_cuda_use (attributes.device, error);
}

gboolean
vg_cuda_stream_new (cudaStream_t *stream, GError **error)
{
  return VG_CUDA_OK (cudaStreamCreateWithFlags (stream, cudaStreamNonBlocking), error);
}

gboolean
vg_cuda_event_new (cudaEvent_t *event, GError **error)
{
  return VG_CUDA_OK (cudaEventCreateWithFlags (event, cudaEventDisableTiming), error);
}

void
vg_cuda_stream_free (cudaStream_t stream)
{
  if (stream == NULL)
    return;
  cudaStreamSynchronize (stream);
  cudaStreamDestroy (stream);
}

gboolean
vg_cuda_copy (void *to, const void *from, gsize bytes, cudaStream_t stream, GError **error)
{
  return bytes == 0 ||
         VG_CUDA_OK (cudaMemcpyAsync (to, from, bytes, cudaMemcpyDefault, stream), error);
}

gboolean
vg_cuda_copy_now (void *to, const void *from, gsize bytes, cudaStream_t stream, GError **error)
{
  return vg_cuda_copy (to, from, bytes, stream, error) &&
         VG_CUDA_OK (cudaStreamSynchronize (stream), error);
}

gboolean
vg_cuda_order (cudaStream_t earlier, cudaEvent_t event, cudaStream_t later, GError **error)
{
  return VG_CUDA_OK (cudaEventRecord (event, earlier), error) &&
         VG_CUDA_OK (cudaStreamWaitEvent (later, event, 0), error);
}

/* Scratch that is not borrowed at the moment, of all devices. */
static GMutex scratch_lock;
static VgCudaScratch *scratch_list;

static void
scratch_free (VgCudaScratch *self)
{
  cudaFree (self->partial);
  cudaFree (self->bytes);
  cudaFreeHost (self->pinned);
  cudaFreeHost (self->stages);
  if (self->event != NULL)
    cudaEventDestroy (self->event);
  g_free (self);
}

VgCudaScratch *
vg_cuda_scratch_take (int device, GError **error)
{
  g_mutex_lock (&scratch_lock);
  VgCudaScratch **link = &scratch_list;
  while (*link != NULL && (*link)->device != device)
    link = &(*link)->next;
  VgCudaScratch *self = *link;
  if (self != NULL)
    *link = self->next;
  g_mutex_unlock (&scratch_lock);
  if (self != NULL)
    return self;

  self = g_new0 (VgCudaScratch, 1);
  self->device = device;
  if (vg_cuda_event_new (&self->event, error) &&
      vg_cuda_alloc (&self->partial, VG_CUDA_SCRATCH_BYTES, "partial sums", error) &&
      VG_CUDA_OK (cudaHostAlloc (&self->pinned, VG_CUDA_SCRATCH_BYTES, cudaHostAllocPortable),
                  error))
    return self;
  scratch_free (self);
  return NULL;
}

gboolean
vg_cuda_scratch_bytes (VgCudaScratch *self, gsize n, GError **error)
{
  if (n <= self->n_bytes)
    return TRUE;
  cudaFree (self->bytes);
  self->bytes = NULL;
  self->n_bytes = 0;
  if (!vg_cuda_alloc ((void **) &self->bytes, n, "a region's mask", error))
    return FALSE;
  self->n_bytes = n;
  return TRUE;
}

gboolean
vg_cuda_scratch_wait (VgCudaScratch *self, cudaStream_t stream, GError **error)
{
  return VG_CUDA_OK (cudaEventRecord (self->event, stream), error) &&
         VG_CUDA_OK (cudaEventSynchronize (self->event), error);
}

void
vg_cuda_scratch_give (VgCudaScratch *self)
{
  g_mutex_lock (&scratch_lock);
  self->next = scratch_list;
  scratch_list = self;
  g_mutex_unlock (&scratch_lock);
}

/* Bytes: the smallest copy that is worth a detour through page-locked buffers; one buffer. */
static const gsize least_staged = 1 << 20, stage_bytes = 4 << 20;

static gboolean
need_stages (VgCudaScratch *self, GError **error)
{
  for (int i = 0; i < VG_CUDA_STAGES; i++)
    if (self->read[i] == NULL && !vg_cuda_event_new (&self->read[i], error))
      return FALSE;
  if (self->stages == NULL)
    self->stages = (guint8 *) vg_cuda_host_alloc (VG_CUDA_STAGES * stage_bytes, error);
  return self->stages != NULL;
}

static gboolean
copy_rows (void *to, gsize to_pitch, const void *from, gsize pitch, gsize row, gsize rows,
           cudaStream_t stream, GError **error)
{
  gboolean ok = TRUE;

  /* CUDA limits pitches, and large rows may exceed the limit */
  if (row < least_staged && rows > 1)
    return VG_CUDA_OK (
        cudaMemcpy2DAsync (to, to_pitch, from, pitch, row, rows, cudaMemcpyDefault, stream), error);
  for (gsize i = 0; ok && i < rows; i++)
    ok = vg_cuda_copy ((guint8 *) to + i * to_pitch, (const guint8 *) from + i * pitch, row, stream,
                       error);
  return ok;
}

static gboolean
copy_staged (VgCudaScratch *scratch, void *to, gsize to_pitch, const void *from, gsize pitch,
             gsize row, gsize rows, cudaStream_t stream, GError **error)
{
  gboolean ok = TRUE;

  if (!need_stages (scratch, NULL)) /* the driver's own copy is slower, but works */
    return copy_rows (to, to_pitch, from, pitch, row, rows, stream, error);
  for (gsize at = 0, bytes, i = 0; ok && at < row * rows; at += bytes, i = (i + 1) % VG_CUDA_STAGES)
    {
      guint8 *stage = scratch->stages + i * stage_bytes;
      /* whole rows, or a piece of one */
      gsize whole = MIN (stage_bytes / row, rows - at / row);

      bytes = whole > 0 ? whole * row : MIN (stage_bytes, row - at % row);
      ok = VG_CUDA_OK (cudaEventSynchronize (scratch->read[i]), error);
      if (!ok)
        break;
      vg_memory_gather (stage, from, pitch, row, at, bytes);
      ok = copy_rows ((guint8 *) to + at / row * to_pitch + at % row, to_pitch, stage, row,
                      whole > 0 ? row : bytes, MAX (whole, 1), stream, error) &&
           VG_CUDA_OK (cudaEventRecord (scratch->read[i], stream), error);
    }
  return ok;
}

gboolean
vg_cuda_upload (void *to, gsize to_pitch, const void *from, gsize pitch, gsize row, gsize rows,
                cudaStream_t stream, GError **error)
{
  cudaPointerAttributes attributes;
  int device;

  if (row * rows == 0)
    return TRUE;
  if (!VG_CUDA_OK (cudaPointerGetAttributes (&attributes, from), error) ||
      !VG_CUDA_OK (cudaGetDevice (&device), error))
    return FALSE;
  if (attributes.type != cudaMemoryTypeUnregistered || row * rows < least_staged)
    return copy_rows (to, to_pitch, from, pitch, row, rows, stream, error);
  VgCudaScratch *scratch = vg_cuda_scratch_take (device, error);
  if (scratch == NULL)
    return FALSE;
  gboolean ok = copy_staged (scratch, to, to_pitch, from, pitch, row, rows, stream, error);
  vg_cuda_scratch_give (scratch);
  return ok;
}
