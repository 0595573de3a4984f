/* SPDX-License-Identifier: MIT */
#include "contour-device.cuh"
/* The iteration's kernels.  In tiles a block does an object's whole part, and a
 * second kernel brings the field up to date.  On whole pictures every part is a
 * kernel of its own.  Compiled without fused multiply-add; all sums are of
 * whole numbers, so the result does not depend on the order of anything. */

enum { WARP = 32, MOST_WARPS = 16 };
enum { AREA, SX, SY, SXX, SXY, SYY, IN, OUT_AREA, OUT };

/* The work of one thread: every STEP-th pixel from FIRST. */
typedef struct
{
  int first, step;
} Share;

__device__ static Share
share_of_block ()
{
  return { (int) threadIdx.x, (int) blockDim.x };
}

__device__ static Share
share_of_grid ()
{
  return { (int) (blockIdx.x * blockDim.x + threadIdx.x), (int) (gridDim.x * blockDim.x) };
}

__device__ static size_t
in_picture (const VgContourView &view, const VgContourDeviceObject &object, int x, int y)
{
  return (size_t) (object.tile.y + y) * view.width + (object.tile.x + x);
}

/* ---- Sums over a block ---- */

/* Of a warp, in parts that the adder of 32 bits holds; for values >= 0 below 2^62. */
__device__ static unsigned long long
warp_sum (unsigned long long value)
{
  unsigned long long low = __reduce_add_sync (0xffffffffu, (unsigned) (value & 0x3ffffff));
  unsigned long long middle = __reduce_add_sync (0xffffffffu, (unsigned) (value >> 26 & 0x3ffffff));
  unsigned long long high = __reduce_add_sync (0xffffffffu, (unsigned) (value >> 52));

  return low + (middle << 26) + (high << 52);
}

template <int N>
__device__ static void
block_sum (unsigned long long (&values)[N])
{
  __shared__ unsigned long long parts[MOST_WARPS][N];
  int warp = threadIdx.x / WARP, lane = threadIdx.x % WARP, warps = blockDim.x / WARP;

  for (int i = 0; i < N; i++)
    values[i] = warp_sum (values[i]);
  __syncthreads ();
  if (lane == 0)
    for (int i = 0; i < N; i++)
      parts[warp][i] = values[i];
  __syncthreads ();
  for (int i = 0; i < N; i++)
    {
      values[i] = 0;
      for (int k = 0; k < warps; k++)
        values[i] += parts[k][i];
    }
}

__device__ static unsigned
block_max (unsigned value)
{
  __shared__ unsigned parts[MOST_WARPS];
  int warps = blockDim.x / WARP;

  value = __reduce_max_sync (0xffffffffu, value);
  __syncthreads ();
  if (threadIdx.x % WARP == 0)
    parts[threadIdx.x / WARP] = value;
  __syncthreads ();
  for (int k = 0; k < warps; k++)
    value = max (value, parts[k]);
  return value;
}

/* ---- Parts of the iteration ---- */

/* Sums about the corner of the ring; see sum_box of the CPU. */
__device__ static void
sum_pixels (const VgContourView &view, const VgContourDeviceObject &object, const VgContourBox &ring, Share share,
            unsigned long long (&sums)[VG_CONTOUR_SUMS])
{
  for (int i = 0; i < VG_CONTOUR_SUMS; i++)
    sums[i] = 0;
  for (int i = share.first; i < ring.width * ring.height; i += share.step)
    {
      unsigned x = i % ring.width, y = i / ring.width;
      size_t at = object.offset + (size_t) (ring.y + y) * object.tile.width + (ring.x + x);
      size_t k = in_picture (view, object, ring.x + (int) x, ring.y + (int) y);
      unsigned h = view.h[at], grey = view.grey[k];
      int rest = VG_CONTOUR_UNIT - __ldcg (&view.field[k]);
      unsigned out = view.phi[at] < -1.0f && rest > 0 ? rest : 0;

      if (h != 0)
        {
          unsigned long long hx = (unsigned long long) h * x, hy = (unsigned long long) h * y;

          sums[AREA] += h;
          sums[SX] += hx;
          sums[SY] += hy;
          sums[SXX] += hx * x;
          sums[SXY] += hx * y;
          sums[SYY] += hy * y;
          sums[IN] += (unsigned long long) h * grey;
        }
      sums[OUT_AREA] += out;
      sums[OUT] += (unsigned long long) out * grey;
    }
}

__device__ static VgContourSums
shift_sums (const unsigned long long (&raw)[VG_CONTOUR_SUMS], long long dx, long long dy)
{
  VgContourSums sums;

  sums.area = (int64_t) raw[AREA];
  sums.x = (int64_t) raw[SX];
  sums.y = (int64_t) raw[SY];
  sums.xx = (int64_t) raw[SXX] + (dx * sums.area - 2 * sums.x) * dx;
  sums.yy = (int64_t) raw[SYY] + (dy * sums.area - 2 * sums.y) * dy;
  sums.xy = (int64_t) raw[SXY] + dx * dy * sums.area - dx * sums.y - dy * sums.x;
  sums.x -= dx * sums.area;
  sums.y -= dy * sums.area;
  sums.in = (int64_t) raw[IN];
  sums.out_area = (int64_t) raw[OUT_AREA];
  sums.out = (int64_t) raw[OUT];
  return sums;
}

__device__ static void
set_means (const VgContourView &view, VgContourState &state, const VgContourSums &sums)
{
  if (view.weights.global_means)
    {
      state.u_in = view.all->u_in;
      state.u_out = view.all->u_out;
      return;
    }
  state.u_in = vg_contour_mean (sums.in, sums.area, state.u_in);
  state.u_out = vg_contour_mean (sums.out, sums.out_area, state.u_out);
}

/* By one block: the modes' coefficients, then the template into SHAPE. */
__device__ static void
fit_shape (const VgContourView &view, const VgContourDeviceObject &object, VgContourState &state, float *shape)
{
  __shared__ int coefficients[2];
  const VgContourPrior *prior = view.prior;
  const VgContourPose pose = state.pose;
  const float *phi = view.phi + object.offset + (size_t) state.box.y * object.tile.width + state.box.x;
  float limit = view.weights.band / pose.scale, a, b;
  int first = 0, second = 0;

  if (threadIdx.x < 2)
    coefficients[threadIdx.x] = 0;
  __syncthreads ();
  for (int k = threadIdx.x; k < prior->n_used; k += blockDim.x)
    {
      float x, y, value, mean = vg_contour_clamp (prior->used_mean[k], -limit, limit);

      vg_contour_place (&pose, prior->u[k], prior->v[k], &x, &y);
      value = vg_contour_sample (phi, object.tile.width, state.box.width, state.box.height, x, y);
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
__device__ static unsigned
compute_force (const VgContourView &view, const VgContourDeviceObject &object, const VgContourState &state, Share share, float *force)
{
  const VgContourBox box = state.box;
  const int stride = object.tile.width;
  float fastest = 0.0f;

  for (int i = share.first; i < box.width * box.height; i += share.step)
    {
      int tx = box.x + i % box.width, ty = box.y + i / box.width;
      size_t at = object.offset + (size_t) ty * stride + tx, k = in_picture (view, object, tx, ty);
      int l = tx > 0 ? -1 : 0, r = tx + 1 < stride ? 1 : 0, u = ty > 0 ? -stride : 0, d = ty + 1 < object.tile.height ? stride : 0;
      const float *p = view.phi + at;
      float phi = p[0], f = (float) view.grey[k] * (1.0f / VG_CONTOUR_UNIT_F);
      float others = (float) (__ldcg (&view.field[k]) - (int) view.h[at]) * (1.0f / VG_CONTOUR_UNIT_F);
      float kappa = vg_contour_curvature (p[u + l], p[u], p[u + r], p[l], phi, p[r], p[d + l], p[d], p[d + r]);
      float F = vg_contour_force (&view.weights, phi, kappa, f, others, state.u_in, state.u_out);

      force[i] = F;
      if (fabsf (phi) < VG_CONTOUR_FRONT)
        fastest = vg_contour_max (fastest, fabsf (F));
    }
  return __float_as_uint (fastest);
}

__device__ static void
advance (const VgContourView &view, const VgContourDeviceObject &object, const VgContourState &state, Share share, const float *force,
         const float *shape, float fastest)
{
  const VgContourBox box = state.box;
  const VgContourPose pose = state.pose;
  const float dt = vg_contour_time_step (&view.weights, fastest), band = view.weights.band;
  const float pull = 2.0f * view.weights.beta_s * dt, part = 1.0f / (1.0f + pull), inverse = 1.0f / pose.scale;

  for (int i = share.first; i < box.width * box.height; i += share.step)
    {
      int x = i % box.width, y = i / box.width;
      float *phi = view.phi + object.offset + (size_t) (box.y + y) * object.tile.width + (box.x + x);

      if (view.weights.use_prior)
        {
          float psi = vg_contour_clamp (vg_contour_prior (shape, &pose, inverse, (float) x, (float) y), -band, band);

          *phi = vg_contour_advance (*phi, force[i], psi, dt, pull, part);
        }
      else
        *phi = *phi + dt * force[i];
    }
}

/* ---- Re-distancing; see contour-redistance.c ---- */

__device__ static void
find_feet (const VgContourView &view, const VgContourDeviceObject &object, const VgContourBox &box, Share share, float *fx, float *fy, float *own)
{
  const int stride = object.tile.width;

  for (int i = share.first; i < box.width * box.height; i += share.step)
    {
      int x = i % box.width, y = i / box.width, tx = box.x + x, ty = box.y + y;
      int l = tx > 0 ? -1 : 0, r = tx + 1 < stride ? 1 : 0, u = ty > 0 ? -stride : 0, d = ty + 1 < object.tile.height ? stride : 0;
      const float *p = view.phi + object.offset + (size_t) ty * stride + tx;
      float dx, dy;

      fx[i] = fy[i] = own[i] = VG_CONTOUR_FAR;
      if (vg_contour_is_beside (p[0], p[u + l], p[u], p[u + r], p[l], p[r], p[d + l], p[d], p[d + r]))
        {
          int cut = vg_contour_foot (p[0], p[l], p[r], p[u], p[d], &dx, &dy);

          fx[i] = (float) x + dx;
          fy[i] = (float) y + dy;
          own[i] = cut ? sqrtf (dx * dx + dy * dy) : VG_CONTOUR_FAR;
        }
    }
}

/* Down, then up a column: what is nearer is taken along. */
__device__ static void
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
            float ax = cx - (float) x, ay = cy - (float) y, bx = gx - (float) x, by = gy - (float) y;

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

__device__ static void
set_distance (const VgContourView &view, const VgContourDeviceObject &object, const VgContourBox &box, Share share, const float *fx,
              const float *fy, const float *own)
{
  const float band = view.weights.band;
  const int reach = (int) band;

  for (int i = share.first; i < box.width * box.height; i += share.step)
    {
      int x = i % box.width, y = i / box.width;
      float *phi = view.phi + object.offset + (size_t) (box.y + y) * object.tile.width + (box.x + x);
      float d = own[i];

      if (!(d < VG_CONTOUR_FAR))
        {
          float square = band * band;

          for (int u = max (x - reach, 0); u <= min (x + reach, box.width - 1); u++)
            {
              float dx = fx[y * box.width + u] - (float) x, dy = fy[y * box.width + u] - (float) y, s = dx * dx + dy * dy;

              square = s < square ? s : square;
            }
          d = sqrtf (square);
        }
      d = d < band ? d : band;
      *phi = *phi > 0.0f ? d : -d;
    }
}

__device__ static void
clear_outside (const VgContourView &view, const VgContourDeviceObject &object, const VgContourBox &old, const VgContourBox &box, Share share)
{
  for (int i = share.first; i < old.width * old.height; i += share.step)
    {
      int x = old.x + i % old.width, y = old.y + i / old.width;

      if (x < box.x || x >= box.x + box.width || y < box.y || y >= box.y + box.height)
        view.phi[object.offset + (size_t) y * object.tile.width + x] = -view.weights.band;
    }
}

/* The extent of the pixels inside; width 0: none. */
__device__ static VgContourBox
inside_extent (const VgContourView &view, const VgContourDeviceObject &object, const VgContourBox &box)
{
  unsigned left = 0, right = 0, top = 0, bottom = 0;   /* largest of: side - x, x + 1 */

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

__device__ static VgContourBox
ring_of (const VgContourBox &box, int by, int width, int height)
{
  int x0 = max (box.x - by, 0), y0 = max (box.y - by, 0);
  int x1 = min (box.x + box.width + by, width), y1 = min (box.y + box.height + by, height);

  return { x0, y0, x1 - x0, y1 - y0 };
}

/* By one block; leaves where H is to be brought up to date in object.changed. */
__device__ static void
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
      object.state.outgrown = inside.width > 0
                              && ((inside.x < 2 && tile.x > 0) || (inside.y < 2 && tile.y > 0)
                                  || (inside.x + inside.width > tile.width - 2 && tile.x + tile.width < view.width)
                                  || (inside.y + inside.height > tile.height - 2 && tile.y + tile.height < view.height));
      object.state.box = box;
      object.changed = both;
    }
}

/* ---- The field ---- */

__device__ static void
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
__device__ static void
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

__device__ static void
end_period (const VgContourView &view, VgContourState &state, const unsigned long long (&sums)[2])
{
  state.area = (gint64) sums[1];
  state.moved_px = vg_contour_moved ((int64_t) sums[0], (int64_t) sums[1]);
  state.still = state.moved_px < view.weights.moved_least ? state.still + 1 : 0;
  if (sums[1] == 0 || state.still >= VG_CONTOUR_STILL)
    state.moving = 0;
}

__device__ static unsigned long long
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

/* ---- Tiles: a block per object ---- */

enum { SHARED_FORCE = 4096 };   /* larger boxes keep their force in device memory */

__global__ static void __launch_bounds__ (512)
tile_kernel (VgContourView view, int reinit)
{
  __shared__ VgContourState state;
  __shared__ float shape[VG_CONTOUR_TEMPLATE], shared_force[SHARED_FORCE];
  __shared__ int alive;
  VgContourDeviceObject &object = view.objects[blockIdx.x];
  float *work = view.work + 3 * object.offset;
  unsigned long long raw[VG_CONTOUR_SUMS];

  if (!object.state.moving)
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
      if (alive)
        {
          set_means (view, state, sums);
          if (view.weights.use_prior)
            state.pose = vg_contour_pose (&sums, view.weights.radius);
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
  float fastest = __uint_as_float (block_max (compute_force (view, object, state, share_of_block (), force)));
  advance (view, object, state, share_of_block (), force, shape, fastest);
  __syncthreads ();
  if (threadIdx.x == 0)
    object.state = state;
  __syncthreads ();
  if (reinit)
    redistance (view, object, state.box, work);
}

__global__ static void __launch_bounds__ (512)
tile_publish (VgContourView view, int reinit)
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

__global__ static void __launch_bounds__ (512)
tile_energy (VgContourView view)
{
  VgContourDeviceObject &object = view.objects[blockIdx.x];
  unsigned long long sum[1];

  if (object.changed.width == 0)
    return;
  sum[0] = energy_pixels (view, object, object.state, share_of_block ());
  block_sum (sum);
  if (threadIdx.x == 0)
    object.state.energy = (gint64) sum[0];
}

/* ---- Whole pictures: many blocks per object, blockIdx.y is the object ---- */

/* This block's share of the union's sums. */
__device__ static void
add_union (const VgContourView &view)
{
  unsigned long long sums[2] = { 0, 0 };
  Share share = share_of_grid ();

  for (int i = share.first; i < view.width * view.height; i += share.step)
    {
      unsigned u = min (__ldcg (&view.field[i]), VG_CONTOUR_UNIT);

      sums[0] += u;
      sums[1] += (unsigned long long) u * view.grey[i];
    }
  block_sum (sums);
  if (threadIdx.x == 0)
    {
      atomicAdd (&view.all->area, sums[0]);
      atomicAdd (&view.all->in, sums[1]);
    }
}

/* Means inside and outside the union, from its sums. */
__device__ static void
union_means (const VgContourView &view, float *u_in, float *u_out)
{
  int64_t n = (int64_t) view.width * view.height, area = (int64_t) view.all->area, in = (int64_t) view.all->in;

  *u_in = vg_contour_mean (in, area, view.all->u_in);
  *u_out = vg_contour_mean (view.grey_sum * VG_CONTOUR_UNIT - in, n * VG_CONTOUR_UNIT - area, view.all->u_out);
}

__global__ static void
wide_sums (VgContourView view)
{
  VgContourDeviceObject &object = view.objects[blockIdx.y];
  unsigned long long raw[VG_CONTOUR_SUMS];

  if (view.weights.global_means && blockIdx.y == 0)
    add_union (view);
  if (!object.state.moving)
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

  if (!object.state.moving)
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
      object.changed = state.box;
      if (state.moving)
        {
          set_means (view, state, sums);
          if (view.weights.global_means)   /* the field of the iteration before, as its sums */
            union_means (view, &state.u_in, &state.u_out);
          if (view.weights.use_prior)
            state.pose = vg_contour_pose (&sums, view.weights.radius);
        }
      for (int i = 0; i < VG_CONTOUR_SUMS; i++)
        object.sums[i] = 0;
      object.fastest = 0;
      object.any_inside = 0;
      object.moved = object.area = object.energy = 0;
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
  fastest = block_max (compute_force (view, object, object.state, share_of_grid (), view.work + 3 * object.offset));
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
  advance (view, object, object.state, share_of_grid (), view.work + 3 * object.offset, shape, __uint_as_float (object.fastest));
}

__global__ static void
wide_feet (VgContourView view)
{
  VgContourDeviceObject &object = view.objects[blockIdx.y];
  const VgContourBox box = object.state.box;
  float *fx = view.work + 3 * object.offset, *fy = fx + (size_t) box.width * box.height, *own = fy + (size_t) box.width * box.height;
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
    set_distance (view, object, box, share_of_grid (), fx, fy, fy + (size_t) box.width * box.height);
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
  compare_mark (view, object, object.changed, share_of_grid (), sums);   /* the same pixels by the same threads */
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
  unsigned long long sum[1];

  if (object.changed.width == 0)
    return;
  sum[0] = energy_pixels (view, object, object.state, share_of_grid ());
  block_sum (sum);
  if (threadIdx.x == 0)
    atomicAdd (&object.energy, sum[0]);
}

/* ---- Of all objects ---- */

__global__ static void
note_kernel (VgContourView view)
{
  unsigned long long sums[2] = { 0, 0 };

  for (int i = threadIdx.x; i < view.n; i += blockDim.x)
    {
      VgContourDeviceObject &object = view.objects[i];

      if (view.full && object.changed.width > 0)
        object.state.energy = (gint64) object.energy;
      sums[0] += (unsigned long long) object.state.energy;
      sums[1] += object.state.moving != 0;
    }
  block_sum (sums);
  if (threadIdx.x == 0)
    view.notes[view.all->notes++ % VG_CONTOUR_NOTES] = { (long long) sums[0], (guint32) sums[1] };
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

static void
launch_tiles (VgContourDevice *self, gboolean reinit)
{
  const VgContourView &view = self->view;

  tile_kernel<<<view.n, self->threads, 0, self->stream>>> (view, reinit);
  tile_publish<<<view.n, self->threads, 0, self->stream>>> (view, reinit);
  if (reinit)
    tile_energy<<<view.n, self->threads, 0, self->stream>>> (view);
}

static void
launch_wide (VgContourDevice *self, gboolean reinit)
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

gboolean
vg_contour_launch_iteration (VgContourDevice *self, gboolean reinit, GError **error)
{
  const VgContourView &view = self->view;

  if (view.full)
    launch_wide (self, reinit);
  else
    launch_tiles (self, reinit);
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
      size_t k = in_picture (view, object, x, y);

      if (!(phi > 0.0f))
        continue;
      atomicMax (&keys[k], (unsigned long long) __float_as_uint (phi) << 32 | (0xffffffffu - blockIdx.x));
      atomicAdd (&counts[k], 1);
    }
}

__global__ static void
finish_kernel (VgContourView view, const unsigned long long *keys, const gint32 *counts, float *labels, float *overlap)
{
  for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < (size_t) view.width * view.height; i += gridDim.x * blockDim.x)
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
  finish_kernel<<<528, 256, 0, self->stream>>> (view, self->keys, self->counts, self->planes[VG_CONTOUR_OUTPUT_LABELS],
                                                self->planes[VG_CONTOUR_OUTPUT_OVERLAP]);
  return vg_cuda_launched ("the drawing of labels", error);
}
