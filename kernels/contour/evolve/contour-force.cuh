/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/contour/evolve/contour-sums.cuh"
/* The prior's shape, the force and the step; contour-evolve.c on the CPU. */

/* By one block: the modes' coefficients, then the template into SHAPE. */
__device__ static inline void
fit_shape (const VgContourView &view, const VgContourDeviceObject &object, VgContourState &state,
           float *shape)
{
  __shared__ int coefficients[2];
  const VgContourPrior *prior = view.prior;
  const VgContourPose pose = state.pose;
  const float *phi = view.phi + object.offset + (size_t) state.box.y * object.tile.width +
                     state.box.x;
  float limit = view.weights.band / pose.scale, a, b;
  int first = 0, second = 0;

  if (threadIdx.x < 2)
    coefficients[threadIdx.x] = 0;
  __syncthreads ();
  for (int k = threadIdx.x; k < prior->n_used; k += blockDim.x)
    {
      float x, y, value, mean = vg_contour_clamp (prior->used_mean[k], -limit, limit);

      vg_contour_place (&pose, prior->u[k], prior->v[k], &x, &y);
      value = vg_contour_sample (phi, object.tile.width, state.box.width, state.box.height, x, y,
                                 view.weights.band);
      first += vg_contour_projection (value, pose.scale, mean, prior->weighted[0][k]);
      second += vg_contour_projection (value, pose.scale, mean, prior->weighted[1][k]);
    }
  first = __reduce_add_sync (0xffffffffu, first);
  second = __reduce_add_sync (0xffffffffu, second);
  if (threadIdx.x % WARP == 0)
    {
      atomicAdd (&coefficients[0], first);
      atomicAdd (&coefficients[1], second);
    }
  __syncthreads ();
  a = vg_contour_coefficient (coefficients[0], prior->limit[0]);
  b = vg_contour_coefficient (coefficients[1], prior->limit[1]);
  for (int i = threadIdx.x; i < VG_CONTOUR_TEMPLATE; i += blockDim.x)
    shape[i] = prior->mean[i] + a * prior->modes[0][i] + b * prior->modes[1][i];
  if (threadIdx.x == 0)
    {
      state.shape[0] = a;
      state.shape[1] = b;
    }
}

/* FORCE of the box; the front's largest, as bits of a float >= 0. */
__device__ static inline unsigned
compute_force (const VgContourView &view, const VgContourDeviceObject &object,
               const VgContourState &state, Share share, float *force)
{
  const VgContourBox box = state.box;
  const int stride = object.tile.width;
  float fastest = 0.0f;

  for (int i = share.first; i < box.width * box.height; i += share.step)
    {
      int tx = box.x + i % box.width, ty = box.y + i / box.width;
      size_t at = object.offset + (size_t) ty * stride + tx, k = in_image (view, object, tx, ty);
      int l = tx > 0 ? -1 : 0, r = tx + 1 < stride ? 1 : 0, u = ty > 0 ? -stride : 0,
          d = ty + 1 < object.tile.height ? stride : 0;
      const float *p = view.phi + at;
      float phi = p[0], f = (float) view.grey[k] * (1.0f / VG_CONTOUR_UNIT_F);
      float others = (float) (__ldcg (&view.field[k]) - (int) view.h[at]) *
                     (1.0f / VG_CONTOUR_UNIT_F);
      float kappa = vg_contour_curvature (p[u + l], p[u], p[u + r], p[l], phi, p[r], p[d + l], p[d],
                                          p[d + r]);
      float F = vg_contour_force (&view.weights, phi, kappa, f, others, state.u_in, state.u_out);

      force[i] = F;
      if (fabsf (phi) < VG_CONTOUR_FRONT)
        fastest = vg_contour_max (fastest, fabsf (F));
    }
  return __float_as_uint (fastest);
}

__device__ static inline void
advance (const VgContourView &view, const VgContourDeviceObject &object,
         const VgContourState &state, Share share, const float *force, const float *shape,
         float fastest)
{
  const VgContourBox box = state.box;
  const VgContourPose pose = state.pose;
  const float dt = vg_contour_time_step (&view.weights, fastest, state.age),
              band = view.weights.band;
  const float pull = 2.0f * view.weights.beta_s * pose.held * dt, part = 1.0f / (1.0f + pull),
              inverse = 1.0f / pose.scale;

  for (int i = share.first; i < box.width * box.height; i += share.step)
    {
      int x = i % box.width, y = i / box.width;
      float *phi = view.phi + object.offset + (size_t) (box.y + y) * object.tile.width +
                   (box.x + x);

      if (view.weights.use_prior)
        {
          float psi = vg_contour_clamp (
              vg_contour_prior (shape, &pose, inverse, (float) x, (float) y), -band, band);

          *phi = vg_contour_advance (*phi, force[i], psi, dt, pull, part);
        }
      else
        *phi = *phi + dt * force[i];
    }
}
