/* SPDX-License-Identifier: MIT */
#include "kernels/perfusion/motion/perfusion-motion-grid.cuh"

enum { THREADS = PERFUSION_MOTION_THREADS };

template <class T>
__global__ static void
widen (const T *from, float *to, gsize first, gsize count)
{
  gsize i = (gsize) blockIdx.x * THREADS + threadIdx.x;

  if (i < count)
    to[first + i] = (float) from[i];
}

gboolean
perfusion_motion_load (const VgPerfusionMotionTask *task, float *series, float *memory,
                       guint8 *mask, cudaStream_t stream, GError **error)
{
  const VgImage *image = task->image;
  gsize all = vg_image_info_page_samples (&image->info) * (gsize) image->info.slices,
        bytes = all * vg_type_size (image->info.type), count = all * (gsize) image->info.frames;
  void *raw = image->info.type == VG_F32 ? series : memory;

  if (!vg_cuda_upload (raw, bytes, image->data, bytes, bytes, (gsize) image->info.frames, stream,
                       error))
    return FALSE;
  if (image->info.type == VG_U8)
    widen<<<perfusion_motion_blocks (count), THREADS, 0, stream>>> ((const guint8 *) raw, series,
                                                                    (gsize) 0, count);
  else if (image->info.type == VG_U16)
    widen<<<perfusion_motion_blocks (count), THREADS, 0, stream>>> ((const guint16 *) raw, series,
                                                                    (gsize) 0, count);
  else if (image->info.type == VG_U32)
    widen<<<perfusion_motion_blocks (count), THREADS, 0, stream>>> ((const guint32 *) raw, series,
                                                                    (gsize) 0, count);
  if (!vg_cuda_launched ("widen", error) ||
      !VG_CUDA_OK (cudaMemsetAsync (mask, 1, all, stream), error))
    return FALSE;
  return (task->mask == NULL || vg_cuda_copy (mask, task->mask, all, stream, error)) &&
         VG_CUDA_OK (cudaStreamSynchronize (stream), error);
}
