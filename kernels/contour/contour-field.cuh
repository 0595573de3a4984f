/* SPDX-License-Identifier: MIT */
#pragma once
#include "contour-sums.cuh"
/* The shared field, the end of a period and the energy; contour-field.c on the CPU. */

__device__ static inline void
publish_pixels (const VgContourView &view, const VgContourDeviceObject &object, const VgContourBox &box, Share share)
{
  for (int i = share.first; i < box.width * box.height; i += share.step)
    {
      int x = box.x + i % box.width, y = box.y + i / box.width;
      size_t at = object.offset + (size_t) y * object.tile.width + x;
      int h = vg_contour_heaviside (view.phi[at]), difference = h - (int) view.h[at];

      if (difference == 0)
        continue;
      view.h[at] = (guint16) h;
      atomicAdd (&view.field[in_picture (view, object, x, y)], difference);
    }
}

/* What the period changed, and the area. */
__device__ static inline void
compare_mark (const VgContourView &view, const VgContourDeviceObject &object, const VgContourBox &box, Share share,
              unsigned long long (&sums)[2])
{
  sums[0] = sums[1] = 0;
  for (int i = share.first; i < box.width * box.height; i += share.step)
    {
      size_t at = object.offset + (size_t) (box.y + i / box.width) * object.tile.width + (box.x + i % box.width);
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

__device__ static inline unsigned long long
energy_pixels (const VgContourView &view, const VgContourDeviceObject &object, const VgContourState &state, Share share)
{
  const VgContourBox box = state.box;
  unsigned long long sum = 0;

  for (int i = share.first; i < box.width * box.height; i += share.step)
    {
      int x = box.x + i % box.width, y = box.y + i / box.width;
      size_t at = object.offset + (size_t) y * object.tile.width + x, k = in_picture (view, object, x, y);
      int h = view.h[at];

      sum += (unsigned) vg_contour_energy (&view.weights, h, (float) view.grey[k] * (1.0f / VG_CONTOUR_UNIT_F),
                                           (float) (__ldcg (&view.field[k]) - h) * (1.0f / VG_CONTOUR_UNIT_F), state.u_in, state.u_out);
    }
  return sum;
}
