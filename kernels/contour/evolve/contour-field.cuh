/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/contour/evolve/contour-sums.cuh"
/* The shared field, the end of a period and the energy; contour-field.c on the CPU. */

__device__ static inline void
publish_pixels (const VgContourView &view, const VgContourDeviceObject &object,
                const VgContourBox &box, Share share)
{
  for (int i = share.first; i < box.width * box.height; i += share.step)
    {
      int x = box.x + i % box.width, y = box.y + i / box.width;
      size_t at = object.offset + (size_t) y * object.tile.width + x;
      int h = vg_contour_heaviside (view.phi[at]), difference = h - (int) view.h[at];

      if (difference == 0)
        continue;
      view.h[at] = (guint16) h;
      atomicAdd (&view.field[in_image (view, object, x, y)], difference);
    }
}

/* What the period changed, and the area. */
__device__ static inline void
compare_mark (const VgContourView &view, const VgContourDeviceObject &object,
              const VgContourBox &box, Share share, unsigned long long (&sums)[2])
{
  sums[0] = sums[1] = 0;
  for (int i = share.first; i < box.width * box.height; i += share.step)
    {
      size_t at = object.offset + (size_t) (box.y + i / box.width) * object.tile.width +
                  (box.x + i % box.width);
      int h = view.h[at], difference = h - (int) view.mark[at];

      sums[0] += difference < 0 ? -difference : difference;
      sums[1] += h;
      view.mark[at] = (guint16) h;
    }
}

__device__ static inline void
end_period (const VgContourView &view, VgContourState &state, const unsigned long long (&sums)[2])
{
  state.area = (gint64) sums[1];
  state.moved_px = vg_contour_moved ((int64_t) sums[0], (int64_t) sums[1]);
  state.still = state.moved_px < view.weights.moved_least ? state.still + 1 : 0;
  if (sums[1] == 0 || state.still >= VG_CONTOUR_STILL)
    state.moving = 0;
}

/* SHAPE: the template with its modes added, as it was fitted last. */
__device__ static inline void
energy_pixels (const VgContourView &view, const VgContourDeviceObject &object,
               const VgContourState &state, Share share, const float *shape,
               unsigned long long (&sums)[VG_CONTOUR_TERMS])
{
  const VgContourBox box = state.box;
  const VgContourPose pose = state.pose;
  const int stride = object.tile.width;
  const float band = view.weights.band, inverse = view.weights.use_prior ? 1.0f / pose.scale : 0.0f;

  for (int t = 0; t < VG_CONTOUR_TERMS; t++)
    sums[t] = 0;
  for (int i = share.first; i < box.width * box.height; i += share.step)
    {
      int x = i % box.width, y = i / box.width, tx = box.x + x, ty = box.y + y;
      size_t at = object.offset + (size_t) ty * stride + tx, k = in_image (view, object, tx, ty);
      int w = tx > 0 ? -1 : 0, e = tx + 1 < stride ? 1 : 0, n = ty > 0 ? -stride : 0,
          s = ty + 1 < object.tile.height ? stride : 0;
      const guint16 *h = view.h + at;
      float phi = view.phi[at], psi = phi;
      int32_t terms[VG_CONTOUR_TERMS];

      if (view.weights.use_prior)
        psi = vg_contour_clamp (vg_contour_prior (shape, &pose, inverse, (float) x, (float) y),
                                -band, band);
      vg_contour_energy (&view.weights, h[0], h[w], h[e], h[n], h[s],
                         (float) view.grey[k] * (1.0f / VG_CONTOUR_UNIT_F),
                         (float) (__ldcg (&view.field[k]) - (int) h[0]) *
                             (1.0f / VG_CONTOUR_UNIT_F),
                         state.u_in, state.u_out, phi - psi, terms);
      for (int t = 0; t < VG_CONTOUR_TERMS; t++)
        sums[t] += (unsigned) terms[t];
    }
}
