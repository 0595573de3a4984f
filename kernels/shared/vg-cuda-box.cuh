/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/shared/vg-cuda-util.cuh"
/* The samples of a plane inside a box and its mask, visited by blocks of THREADS threads. */

enum { THREADS = 256, MAX_BLOCKS = 512 };

/* Rows and columns to visit; MASK may be NULL. */
typedef struct
{
  const float *data;
  gsize pitch; /* samples from row to row */
  int width, height;
  const guint8 *mask;
  gsize mask_pitch;
} Box;

template <typename Visit>
static __device__ void
visit_box (const Box &box, Visit visit)
{
  for (int y = blockIdx.x; y < box.height; y += gridDim.x)
    for (int x = threadIdx.x; x < box.width; x += THREADS)
      if (box.mask == NULL || box.mask[y * box.mask_pitch + x])
        visit (box.data[y * box.pitch + x]);
}

/* The part of the box x0..x1-1, y0..y1-1 that is in the plane, and *MASK, which is NULL or of the
 * whole box, from its first sample on.  FALSE: no part is in the plane. */
static inline gboolean
find_box (Box *box, const VgPlane *plane, const guint8 **mask, int x0, int y0, int x1, int y1,
          int slice)
{
  int left = MAX (x0, 0), top = MAX (y0, 0), right = MIN (x1, plane->width),
      bottom = MIN (y1, plane->height);
  gsize pitch = plane->width, mask_pitch = (gsize) x1 - x0;

  if (left >= right || top >= bottom)
    return FALSE;
  *box = { plane->data + ((gsize) slice * plane->height + top) * pitch + left,
           pitch,
           right - left,
           bottom - top,
           NULL,
           mask_pitch };
  if (*mask != NULL)
    *mask += (top - y0) * mask_pitch + (left - x0);
  return TRUE;
}

/* The rows of the mask that BOX needs travel behind what the stream already
 * holds, into scratch that is ours until the wait at the end. */
static inline gboolean
send_mask (VgCudaScratch *scratch, const guint8 *mask, Box *box, cudaStream_t stream,
           GError **error)
{
  gsize n = (gsize) box->height * box->mask_pitch - (box->mask_pitch - box->width);

  if (mask == NULL)
    return TRUE;
  if (!vg_cuda_scratch_bytes (scratch, n, error) ||
      !vg_cuda_copy (scratch->bytes, mask, n, stream, error))
    return FALSE;
  box->mask = scratch->bytes;
  return TRUE;
}
