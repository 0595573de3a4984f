/* SPDX-License-Identifier: MIT */
#include "kernels/contour/evolve/contour-field.cuh"
#include "kernels/contour/evolve/contour-force.cuh"
#include "kernels/contour/evolve/contour-reinitialise.cuh"
/* The iteration on whole images: every part is a kernel of its own, many
 * blocks work on an object, and blockIdx.y is the object.  Compiled without
 * fused multiply-add. */

__global__ static void
wide_sums (VgContourView view)
{
  VgContourDeviceObject &object = view.objects[blockIdx.y];
  unsigned long long raw[VG_CONTOUR_SUMS];

  if (view.weights.global_means && blockIdx.y == 0)
    add_union (view);
  if (!vg_contour_is_moving (&view.weights, object.state.moving, object.state.age))
    return;
  sum_pixels (view, object, object.state.box, share_of_grid (), raw);
  block_sum (raw);
  for (int i = 0; i < VG_CONTOUR_SUMS; i++)
    if ((int) threadIdx.x == i)
      atomicAdd (&object.sums[i], raw[i]);
}

__global__ static void
wide_fit (VgContourView view)
{
  __shared__ VgContourState state;
  VgContourDeviceObject &object = view.objects[blockIdx.x];

  if (!vg_contour_is_moving (&view.weights, object.state.moving, object.state.age))
    {
      if (threadIdx.x == 0)
        object.changed.width = object.changed.height = 0;
      return;
    }
  if (threadIdx.x == 0)
    {
      VgContourSums sums = shift_sums (object.sums, 0, 0);

      state = object.state;
      state.area = sums.area;
      state.moving = sums.area != 0;
      state.age++;
      object.changed = state.box;
      if (state.moving)
        {
          set_means (view, state, sums);
          if (view.weights.global_means) /* the field of the iteration before, as its sums */
            union_means (view, &state.u_in, &state.u_out);
          if (view.weights.use_prior)
            state.pose = vg_contour_pose (&sums, view.weights.radius, object.tile.x + state.box.x,
                                          object.tile.y + state.box.y, view.width, view.height);
        }
      for (int i = 0; i < VG_CONTOUR_SUMS; i++)
        object.sums[i] = 0;
      object.fastest = 0;
      object.any_inside = 0;
      object.moved = object.area = 0;
      for (int t = 0; t < VG_CONTOUR_TERMS; t++)
        object.energy[t] = 0;
    }
  __syncthreads ();
  if (state.moving && view.weights.use_prior)
    fit_shape (view, object, state, view.shapes + (size_t) blockIdx.x * VG_CONTOUR_TEMPLATE);
  __syncthreads ();
  if (threadIdx.x == 0)
    object.state = state;
}

/* An object that moves in this iteration. */
__device__ static bool
is_at_work (const VgContourDeviceObject &object)
{
  return object.changed.width > 0 && object.state.area != 0;
}

__global__ static void
wide_force (VgContourView view)
{
  VgContourDeviceObject &object = view.objects[blockIdx.y];
  unsigned fastest;

  if (view.weights.global_means && blockIdx.x == 0 && blockIdx.y == 0 && threadIdx.x == 0)
    view.all->area = view.all->in = 0;
  if (!is_at_work (object))
    return;
  fastest = block_max (
      compute_force (view, object, object.state, share_of_grid (), view.work + 3 * object.offset));
  if (threadIdx.x == 0)
    atomicMax (&object.fastest, fastest);
}

__global__ static void
wide_advance (VgContourView view)
{
  __shared__ float shape[VG_CONTOUR_TEMPLATE];
  VgContourDeviceObject &object = view.objects[blockIdx.y];

  if (!is_at_work (object))
    return;
  for (int i = threadIdx.x; i < VG_CONTOUR_TEMPLATE && view.weights.use_prior; i += blockDim.x)
    shape[i] = view.shapes[(size_t) blockIdx.y * VG_CONTOUR_TEMPLATE + i];
  __syncthreads ();
  advance (view, object, object.state, share_of_grid (), view.work + 3 * object.offset, shape,
           __uint_as_float (object.fastest));
}

__global__ static void
wide_feet (VgContourView view)
{
  VgContourDeviceObject &object = view.objects[blockIdx.y];
  const VgContourBox box = object.state.box;
  float *fx = view.work + 3 * object.offset, *fy = fx + (size_t) box.width * box.height,
        *own = fy + (size_t) box.width * box.height;
  Share share = share_of_grid ();
  int any = 0;

  if (!is_at_work (object))
    return;
  find_feet (view, object, box, share, fx, fy, own);
  for (int i = share.first; i < box.width * box.height; i += share.step)
    any |= view.phi[object.offset + i] > 0.0f;
  if (__syncthreads_or (any) && threadIdx.x == 0)
    atomicOr (&object.any_inside, 1);
}

__global__ static void
wide_sweep (VgContourView view)
{
  VgContourDeviceObject &object = view.objects[blockIdx.y];
  const VgContourBox box = object.state.box;
  float *fx = view.work + 3 * object.offset;

  if (is_at_work (object))
    sweep_columns (box, share_of_grid (), fx, fx + (size_t) box.width * box.height);
}

__global__ static void
wide_distance (VgContourView view)
{
  VgContourDeviceObject &object = view.objects[blockIdx.y];
  const VgContourBox box = object.state.box, none = { 0, 0, 0, 0 };
  const float *fx = view.work + 3 * object.offset, *fy = fx + (size_t) box.width * box.height;

  if (!is_at_work (object))
    return;
  if (object.any_inside)
    set_distance (view, object, box, share_of_grid (), fx, fy,
                  fy + (size_t) box.width * box.height);
  else
    clear_outside (view, object, box, none, share_of_grid ());
}

__global__ static void
wide_publish (VgContourView view, int reinit)
{
  VgContourDeviceObject &object = view.objects[blockIdx.y];
  unsigned long long sums[2];

  if (object.changed.width == 0)
    return;
  publish_pixels (view, object, object.changed, share_of_grid ());
  if (!reinit)
    return;
  /* the same pixels by the same threads */
  compare_mark (view, object, object.changed, share_of_grid (), sums);
  block_sum (sums);
  if (threadIdx.x == 0)
    {
      atomicAdd (&object.moved, sums[0]);
      atomicAdd (&object.area, sums[1]);
    }
}

__global__ static void
wide_period (VgContourView view)
{
  VgContourDeviceObject &object = view.objects[blockIdx.x];
  const unsigned long long sums[2] = { object.moved, object.area };

  if (object.changed.width == 0)
    return;
  if (!object.any_inside && object.state.area != 0)
    object.state.box = { 0, 0, 0, 0 };
  object.state.outgrown = 0;
  end_period (view, object.state, sums);
}

__global__ static void
wide_energy (VgContourView view)
{
  VgContourDeviceObject &object = view.objects[blockIdx.y];
  unsigned long long sums[VG_CONTOUR_TERMS];

  if (object.changed.width == 0)
    return;
  energy_pixels (view, object, object.state, share_of_grid (),
                 view.shapes + (size_t) blockIdx.y * VG_CONTOUR_TEMPLATE, sums);
  block_sum (sums);
  for (int t = 0; t < VG_CONTOUR_TERMS && threadIdx.x == 0; t++)
    atomicAdd (&object.energy[t], sums[t]);
}

void
vg_contour_launch_full (VgContourDevice *self, gboolean reinit)
{
  const VgContourView &view = self->view;
  const dim3 grid (self->blocks, view.n), columns ((view.width + 63) / 64, view.n);

  wide_sums<<<grid, 256, 0, self->stream>>> (view);
  wide_fit<<<view.n, 512, 0, self->stream>>> (view);
  wide_force<<<grid, 256, 0, self->stream>>> (view);
  wide_advance<<<grid, 256, 0, self->stream>>> (view);
  if (reinit)
    {
      wide_feet<<<grid, 256, 0, self->stream>>> (view);
      wide_sweep<<<columns, 64, 0, self->stream>>> (view);
      wide_distance<<<grid, 256, 0, self->stream>>> (view);
    }
  wide_publish<<<grid, 256, 0, self->stream>>> (view, reinit);
  if (reinit)
    {
      wide_period<<<view.n, 1, 0, self->stream>>> (view);
      wide_energy<<<grid, 256, 0, self->stream>>> (view);
    }
}
