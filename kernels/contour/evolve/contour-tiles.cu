/* SPDX-License-Identifier: MIT */
#include "kernels/contour/evolve/contour-field.cuh"
#include "kernels/contour/evolve/contour-force.cuh"
#include "kernels/contour/evolve/contour-reinitialise.cuh"
/* The iteration in tiles: a block does an object's whole part, and a second
 * kernel brings the field up to date.  Compiled without fused multiply-add. */

enum { SHARED_FORCE = 4096 }; /* larger boxes keep their force in device memory */

__global__ static void __launch_bounds__ (512) tile_kernel (VgContourView view, int reinit)
{
  __shared__ VgContourState state;
  __shared__ float shape[VG_CONTOUR_TEMPLATE], shared_force[SHARED_FORCE];
  __shared__ int alive;
  VgContourDeviceObject &object = view.objects[blockIdx.x];
  float *work = view.work + 3 * object.offset;
  unsigned long long raw[VG_CONTOUR_SUMS];

  if (!vg_contour_is_moving (&view.weights, object.state.moving, object.state.age))
    {
      if (threadIdx.x == 0)
        object.changed.width = object.changed.height = 0;
      return;
    }
  if (threadIdx.x == 0)
    state = object.state;
  __syncthreads ();
  VgContourBox ring = ring_of (state.box, view.weights.ring, object.tile.width, object.tile.height);
  sum_pixels (view, object, ring, share_of_block (), raw);
  block_sum (raw);
  if (threadIdx.x == 0)
    {
      VgContourSums sums = shift_sums (raw, state.box.x - ring.x, state.box.y - ring.y);

      alive = sums.area != 0;
      state.area = sums.area;
      state.moving = alive;
      state.age++;
      if (alive)
        {
          set_means (view, state, sums);
          if (view.weights.use_prior)
            state.pose = vg_contour_pose (&sums, view.weights.radius, object.tile.x + state.box.x,
                                          object.tile.y + state.box.y, view.width, view.height);
        }
      object.changed = state.box;
    }
  __syncthreads ();
  if (!alive)
    {
      if (threadIdx.x == 0)
        object.state = state;
      return;
    }
  if (view.weights.use_prior)
    fit_shape (view, object, state, shape);
  float *force = state.box.width * state.box.height <= SHARED_FORCE ? shared_force : work;
  float fastest = __uint_as_float (
      block_max (compute_force (view, object, state, share_of_block (), force)));
  advance (view, object, state, share_of_block (), force, shape, fastest);
  __syncthreads ();
  if (threadIdx.x == 0)
    object.state = state;
  __syncthreads ();
  if (reinit)
    redistance (view, object, state.box, work);
}

__global__ static void __launch_bounds__ (512) tile_publish (VgContourView view, int reinit)
{
  VgContourDeviceObject &object = view.objects[blockIdx.x];
  const VgContourBox box = object.changed;
  unsigned long long sums[2];

  if (box.width == 0)
    return;
  publish_pixels (view, object, box, share_of_block ());
  if (!reinit)
    return;
  __syncthreads ();
  compare_mark (view, object, box, share_of_block (), sums);
  block_sum (sums);
  if (threadIdx.x == 0)
    end_period (view, object.state, sums);
}

__global__ static void __launch_bounds__ (512) tile_energy (VgContourView view)
{
  __shared__ float shape[VG_CONTOUR_TEMPLATE];
  VgContourDeviceObject &object = view.objects[blockIdx.x];
  const VgContourPrior *prior = view.prior;
  const float a = object.state.shape[0], b = object.state.shape[1];
  unsigned long long sums[VG_CONTOUR_TERMS];

  if (object.changed.width == 0)
    return;
  for (int i = threadIdx.x; i < VG_CONTOUR_TEMPLATE && view.weights.use_prior; i += blockDim.x)
    shape[i] = prior->mean[i] + a * prior->modes[0][i] + b * prior->modes[1][i];
  __syncthreads ();
  energy_pixels (view, object, object.state, share_of_block (), shape, sums);
  block_sum (sums);
  for (int t = 0; t < VG_CONTOUR_TERMS && threadIdx.x == 0; t++)
    object.state.energy[t] = vg_contour_energy_of (t, (int64_t) sums[t], &object.state.pose);
}

void
vg_contour_launch_tiles (VgContourDevice *self, gboolean reinit)
{
  const VgContourView &view = self->view;

  tile_kernel<<<view.n, self->threads, 0, self->stream>>> (view, reinit);
  tile_publish<<<view.n, self->threads, 0, self->stream>>> (view, reinit);
  if (reinit)
    tile_energy<<<view.n, self->threads, 0, self->stream>>> (view);
}
