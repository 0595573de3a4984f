/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/contour/evolve/contour-sums.cuh"
/* phi becomes a distance again; contour-reinitialise.c on the CPU. */

__device__ static inline void
find_feet (const VgContourView &view, const VgContourDeviceObject &object, const VgContourBox &box,
           Share share, float *fx, float *fy, float *own)
{
  const int stride = object.tile.width;

  for (int i = share.first; i < box.width * box.height; i += share.step)
    {
      int x = i % box.width, y = i / box.width, tx = box.x + x, ty = box.y + y;
      int l = tx > 0 ? -1 : 0, r = tx + 1 < stride ? 1 : 0, u = ty > 0 ? -stride : 0,
          d = ty + 1 < object.tile.height ? stride : 0;
      const float *p = view.phi + object.offset + (size_t) ty * stride + tx;
      float dx, dy;

      fx[i] = fy[i] = own[i] = VG_CONTOUR_FAR;
      if (vg_contour_is_beside (p[0], p[u + l], p[u], p[u + r], p[l], p[r], p[d + l], p[d],
                                p[d + r]))
        {
          int cut = vg_contour_foot (p[0], p[l], p[r], p[u], p[d], &dx, &dy);

          fx[i] = (float) x + dx;
          fy[i] = (float) y + dy;
          own[i] = cut ? sqrtf (dx * dx + dy * dy) : VG_CONTOUR_FAR;
        }
    }
}

/* Down, then up a column: what is nearer is taken along. */
__device__ static inline void
sweep_columns (const VgContourBox &box, Share share, float *fx, float *fy)
{
  for (int x = share.first; x < box.width; x += share.step)
    for (int way = 0; way < 2; way++)
      {
        int first = way == 0 ? 0 : box.height - 1, step = way == 0 ? 1 : -1;
        float gx = fx[first * box.width + x], gy = fy[first * box.width + x];

        for (int n = 1, y = first + step; n < box.height; n++, y += step)
          {
            int i = y * box.width + x;
            float cx = fx[i], cy = fy[i];
            float ax = cx - (float) x, ay = cy - (float) y, bx = gx - (float) x,
                  by = gy - (float) y;

            if (bx * bx + by * by < ax * ax + ay * ay)
              {
                fx[i] = gx;
                fy[i] = gy;
              }
            else
              {
                gx = cx;
                gy = cy;
              }
          }
      }
}

__device__ static inline void
set_distance (const VgContourView &view, const VgContourDeviceObject &object,
              const VgContourBox &box, Share share, const float *fx, const float *fy,
              const float *own)
{
  const float band = view.weights.band;
  const int reach = (int) band;

  for (int i = share.first; i < box.width * box.height; i += share.step)
    {
      int x = i % box.width, y = i / box.width;
      float *phi = view.phi + object.offset + (size_t) (box.y + y) * object.tile.width +
                   (box.x + x);
      float d = own[i];

      if (!(d < VG_CONTOUR_FAR))
        {
          float square = band * band;

          for (int u = max (x - reach, 0); u <= min (x + reach, box.width - 1); u++)
            {
              float dx = fx[y * box.width + u] - (float) x, dy = fy[y * box.width + u] - (float) y,
                    s = dx * dx + dy * dy;

              square = s < square ? s : square;
            }
          d = sqrtf (square);
        }
      d = d < band ? d : band;
      *phi = *phi > 0.0f ? d : -d;
    }
}

__device__ static inline void
clear_outside (const VgContourView &view, const VgContourDeviceObject &object,
               const VgContourBox &old, const VgContourBox &box, Share share)
{
  for (int i = share.first; i < old.width * old.height; i += share.step)
    {
      int x = old.x + i % old.width, y = old.y + i / old.width;

      if (x < box.x || x >= box.x + box.width || y < box.y || y >= box.y + box.height)
        view.phi[object.offset + (size_t) y * object.tile.width + x] = -view.weights.band;
    }
}

/* The extent of the pixels inside; width 0: none. */
__device__ static inline VgContourBox
inside_extent (const VgContourView &view, const VgContourDeviceObject &object,
               const VgContourBox &box)
{
  unsigned left = 0, right = 0, top = 0, bottom = 0; /* largest of: side - x, x + 1 */

  for (int i = threadIdx.x; i < box.width * box.height; i += blockDim.x)
    {
      unsigned x = box.x + i % box.width, y = box.y + i / box.width;

      if (view.phi[object.offset + (size_t) y * object.tile.width + x] > 0.0f)
        {
          left = max (left, object.tile.width - x);
          right = max (right, x + 1);
          top = max (top, object.tile.height - y);
          bottom = max (bottom, y + 1);
        }
    }
  left = block_max (left);
  right = block_max (right);
  top = block_max (top);
  bottom = block_max (bottom);
  if (right == 0)
    return { 0, 0, 0, 0 };
  int x0 = object.tile.width - (int) left, y0 = object.tile.height - (int) top;
  return { x0, y0, (int) right - x0, (int) bottom - y0 };
}

/* By one block; leaves where H is to be brought up to date in object.changed. */
__device__ static inline void
redistance (const VgContourView &view, VgContourDeviceObject &object, VgContourBox old, float *work)
{
  VgContourBox inside = inside_extent (view, object, old), box = { 0, 0, 0, 0 }, both = old;
  const VgContourBox tile = object.tile;

  if (inside.width > 0)
    {
      box = ring_of (inside, (int) view.weights.band, tile.width, tile.height);
      float *fx = work, *fy = fx + box.width * box.height, *own = fy + box.width * box.height;

      find_feet (view, object, box, share_of_block (), fx, fy, own);
      __syncthreads ();
      sweep_columns (box, share_of_block (), fx, fy);
      __syncthreads ();
      set_distance (view, object, box, share_of_block (), fx, fy, own);
      both.x = min (old.x, box.x);
      both.y = min (old.y, box.y);
      both.width = max (old.x + old.width, box.x + box.width) - both.x;
      both.height = max (old.y + old.height, box.y + box.height) - both.y;
    }
  clear_outside (view, object, old, box, share_of_block ());
  if (threadIdx.x == 0)
    {
      object.state.outgrown =
          inside.width > 0 &&
          ((inside.x < 2 && tile.x > 0) || (inside.y < 2 && tile.y > 0) ||
           (inside.x + inside.width > tile.width - 2 && tile.x + tile.width < view.width) ||
           (inside.y + inside.height > tile.height - 2 && tile.y + tile.height < view.height));
      if (inside.width > 0)
        {
          object.state.pose.x += (float) (old.x - box.x);
          object.state.pose.y += (float) (old.y - box.y);
        }
      object.state.box = box;
      object.changed = both;
    }
}
