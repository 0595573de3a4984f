/* SPDX-License-Identifier: MIT */
#include "kernels/contour/evolve/contour-sums.cuh"
/* What concerns all objects: the union, the period's note, and the planes. */

__global__ static void
note_kernel (VgContourView view)
{
  unsigned long long sums[VG_CONTOUR_TERMS + 1] = { 0 }; /* the last: how many move */

  for (int i = threadIdx.x; i < view.n; i += blockDim.x)
    {
      VgContourDeviceObject &object = view.objects[i];

      for (int t = 0; t < VG_CONTOUR_TERMS; t++)
        {
          if (view.full && object.changed.width > 0)
            object.state.energy[t] = vg_contour_energy_of (t, (int64_t) object.energy[t],
                                                           &object.state.pose);
          sums[t] += (unsigned long long) object.state.energy[t];
        }
      sums[VG_CONTOUR_TERMS] += vg_contour_is_moving (&view.weights, object.state.moving,
                                                      object.state.age);
    }
  block_sum (sums);
  if (threadIdx.x == 0)
    {
      VgContourNote &note = view.notes[view.all->notes++ % VG_CONTOUR_NOTES];

      for (int t = 0; t < VG_CONTOUR_TERMS; t++)
        note.energy[t] = (long long) sums[t];
      note.moving = (guint32) sums[VG_CONTOUR_TERMS];
    }
}

__global__ static void
union_sums (VgContourView view)
{
  add_union (view);
}

__global__ static void
union_end (VgContourView view)
{
  float u_in, u_out;

  union_means (view, &u_in, &u_out);
  view.all->u_in = u_in;
  view.all->u_out = u_out;
  view.all->area = view.all->in = 0;
}

gboolean
vg_contour_launch_iteration (VgContourDevice *self, gboolean reinit, GError **error)
{
  const VgContourView &view = self->view;

  if (view.full)
    vg_contour_launch_full (self, reinit);
  else
    vg_contour_launch_tiles (self, reinit);
  if (reinit)
    note_kernel<<<1, 512, 0, self->stream>>> (view);
  if (view.weights.global_means && !view.full)
    {
      union_sums<<<264, 256, 0, self->stream>>> (view);
      union_end<<<1, 1, 0, self->stream>>> (view);
    }
  return vg_cuda_launched ("the iteration of contours", error);
}

/* ---- Planes ---- */

/* Where objects overlap the deepest wins, of equals the first. */
__global__ static void
draw_kernel (VgContourView view, unsigned long long *keys, gint32 *counts)
{
  const VgContourDeviceObject &object = view.objects[blockIdx.x];
  const VgContourBox box = object.state.box;

  for (int i = threadIdx.x; i < box.width * box.height; i += blockDim.x)
    {
      int x = box.x + i % box.width, y = box.y + i / box.width;
      float phi = view.phi[object.offset + (size_t) y * object.tile.width + x];
      size_t k = in_image (view, object, x, y);

      if (!(phi > 0.0f))
        continue;
      atomicMax (&keys[k],
                 (unsigned long long) __float_as_uint (phi) << 32 | (0xffffffffu - blockIdx.x));
      atomicAdd (&counts[k], 1);
    }
}

__global__ static void
finish_kernel (VgContourView view, const unsigned long long *keys, const gint32 *counts,
               float *labels, float *overlap)
{
  for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < (size_t) view.width * view.height;
       i += gridDim.x * blockDim.x)
    {
      labels[i] = keys[i] == 0 ? 0.0f : (float) view.objects[0xffffffffu - (unsigned) keys[i]].id;
      overlap[i] = (float) counts[i];
    }
}

gboolean
vg_contour_launch_draw (VgContourDevice *self, GError **error)
{
  const VgContourView &view = self->view;

  if (view.n > 0)
    draw_kernel<<<view.n, 256, 0, self->stream>>> (view, self->keys, self->counts);
  finish_kernel<<<528, 256, 0, self->stream>>> (view, self->keys, self->counts,
                                                self->planes[VG_CONTOUR_OUTPUT_LABELS],
                                                self->planes[VG_CONTOUR_OUTPUT_OVERLAP]);
  return vg_cuda_launched ("the drawing of labels", error);
}
