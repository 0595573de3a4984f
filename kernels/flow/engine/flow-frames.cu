/* SPDX-License-Identifier: MIT */
/* Uploads of frames.  Page-locked memory is copied on a stream of its own while the previous step
 * computes; the frame is referenced until the copy has ended.  The upload stream, not the host,
 * waits for the last step that reads a slot before it overwrites the slot. */
#include "kernels/flow/model/flow-sample.cuh"
#include "kernels/flow/motion/flow-motion.cuh"

/* Fills RING from INFO; the whole ring takes *BYTES. */
gboolean
flow_ring_layout (FlowRing *ring, const VgImageInfo *info, int slots, gsize *bytes, GError **error)
{
  gsize size = vg_type_size (info->type), rows, slot;

  ring->type = info->type;
  ring->width = info->width;
  ring->height = info->height;
  ring->slots = slots;
  ring->pitch = ((gsize) info->width + 2 * FLOW_PAD - 1) / FLOW_PAD * FLOW_PAD * size;
  rows = (gsize) info->height + 2 * FLOW_MARGIN;
  if (ring->pitch > G_MAXINT || !g_size_checked_mul (&slot, ring->pitch, rows) ||
      !g_size_checked_mul (bytes, slot, (gsize) slots))
    {
      g_set_error (error, VG_GPU_ERROR, VG_GPU_ERROR_MEMORY,
                   "%d frames of %dx%d are more than a GPU can hold; use smaller frames, or "
                   "compute on the CPU",
                   slots, info->width, info->height);
      return FALSE;
    }
  ring->slot_bytes = slot;
  return TRUE;
}

/* Releases the frames whose copies have ended. */
void
flow_upload_poll (FlowState *self, gboolean wait)
{
  for (int i = 0; i < self->ring.slots; i++)
    {
      if (self->held[i] == NULL)
        continue;
      cudaError_t status = wait ? cudaEventSynchronize (self->uploaded[i])
                                : cudaEventQuery (self->uploaded[i]);
      if (status == cudaErrorNotReady)
        {
          cudaGetLastError ();
          continue;
        }
      /* the device failed: nothing reads the frame any more */
      if (status != cudaSuccess)
        cudaGetLastError ();
      g_clear_pointer (&self->held[i], vg_frame_unref);
    }
}

gboolean
flow_upload (FlowState *self, VgFrame *frame, GError **error)
{
  int slot = flow_slot (self, self->n_frames);
  gsize row = (gsize) self->width * vg_type_size (self->info.type);
  int to = self->motion != NULL ? self->ring.slots : slot;
  guint8 *target = self->ring.origin + to * self->ring.slot_bytes;

  flow_upload_poll (self, FALSE);
  if (self->held[slot] != NULL)
    {
      if (!VG_CUDA_OK (cudaEventSynchronize (self->uploaded[slot]), error))
        return FALSE;
      g_clear_pointer (&self->held[slot], vg_frame_unref);
    }
  /* The last step that read this slot: it removed the frame from the sums. */
  if (self->n_frames >= (guint64) self->ring.slots)
    {
      guint64 reader = self->n_frames - self->ring.slots + flow_depth (self);
      if (!VG_CUDA_OK (cudaStreamWaitEvent (self->upload, self->used[flow_slot (self, reader)], 0),
                       error))
        return FALSE;
    }
  if (self->motion != NULL && !flow_motion_order_upload (self, error))
    return FALSE;
  if (!vg_cuda_upload (target, self->ring.pitch, frame->data, row, row, (gsize) self->height,
                       self->upload, error) ||
      !VG_CUDA_OK (cudaEventRecord (self->uploaded[slot], self->upload), error) ||
      !VG_CUDA_OK (cudaStreamWaitEvent (self->compute, self->uploaded[slot], 0), error))
    return FALSE;
  if (frame->pinned)
    self->held[slot] = vg_frame_ref (frame);
  else if (!VG_CUDA_OK (cudaEventSynchronize (self->uploaded[slot]), error))
    return FALSE;
  return TRUE;
}

/* RESULT: number of samples that are not finite, and the index of the first. */
static __global__ void
invalid_kernel (FlowRing ring, int slot, unsigned long long *result)
{
  for (int y = blockIdx.x; y < ring.height; y += gridDim.x)
    for (int x = threadIdx.x; x < ring.width; x += blockDim.x)
      {
        float v = flow_sample<float> (ring, slot, x, y);
        if (v - v != 0)
          {
            atomicAdd (&result[0], 1ull);
            atomicMin (&result[1], (unsigned long long) y * ring.width + x);
          }
      }
}

gboolean
flow_check_finite (FlowState *self, const VgFrame *frame, GError **error)
{
  int slot = flow_slot (self, self->n_frames);
  /* these counters are not used before the frame is added */
  unsigned long long *result = self->ring.counters + slot * FLOW_COUNTERS;
  guint64 *host = self->host_counters;

  host[0] = 0;
  host[1] = G_MAXUINT64;
  if (!VG_CUDA_OK (
          cudaMemcpyAsync (result, host, 2 * sizeof *host, cudaMemcpyHostToDevice, self->compute),
          error))
    return FALSE;
  invalid_kernel<<<MIN (self->height, 1024), 256, 0, self->compute>>> (self->ring, slot, result);
  if (!vg_cuda_launched ("invalid_kernel", error) ||
      !VG_CUDA_OK (
          cudaMemcpyAsync (host, result, 2 * sizeof *host, cudaMemcpyDeviceToHost, self->compute),
          error) ||
      !VG_CUDA_OK (cudaMemsetAsync (result, 0, 2 * sizeof *host, self->compute), error) ||
      !VG_CUDA_OK (cudaStreamSynchronize (self->compute), error))
    return FALSE;
  if (host[0] == 0)
    return TRUE;
  vg_flow_refuse_invalid (frame, host[0], host[1], error);
  return FALSE;
}
static_assert (FLOW_COUNTERS == 2, "invalid_kernel borrows a slot's counters");
