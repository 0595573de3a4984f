/* SPDX-License-Identifier: MIT */
/* The general path: any sample type, radius, method and dark frame, in two
 * launches.  The first makes three numbers of every pixel, in double: the sums
 * over time of I and I^2, dark level taken off, and of bad samples (or, for the
 * static fraction, of a, b and a b over successive frames).  The second sums
 * them over windows and applies the formula both backends share.
 *
 * Window sums slide down the columns where all values are whole numbers below
 * 2^53, and are made afresh for every row where rounding would stay behind. */
#include "flow-sample.cuh"

enum { THREADS = 128, STRIP = 32 };

typedef struct { double *plane[3]; } Planes;

/* Frames of the window of time, oldest first. */
typedef struct { int slot, count; } Window;

static __device__ __forceinline__ int
window_slot (const FlowRing &ring, const Window &window, int i)
{
  int slot = window.slot + i;

  return slot >= ring.slots ? slot - ring.slots : slot;
}

template <typename T>
static __device__ __forceinline__ double
clean_sample (T value, double dark)
{
  double v = (double) value;

  return (v - v == 0 ? v : 0.0) - dark;   /* the window is masked as a whole; sums must stay finite */
}

/* Calls VISIT (pixel, x, y) for every pixel, over any grid of blocks. */
template <typename Visit>
static __device__ __forceinline__ void
visit_pixels (const FlowRing &ring, Visit visit)
{
  for (unsigned y = blockIdx.y; y < (unsigned) ring.height; y += gridDim.y)
    for (unsigned x = blockIdx.x * THREADS + threadIdx.x; x < (unsigned) ring.width; x += gridDim.x * THREADS)
      visit ((gsize) y * ring.width + x, (int) x, (int) y);
}

/* The newest frame of WINDOW is counted. */
template <typename T>
static __global__ void __launch_bounds__ (THREADS)
moments_kernel (FlowRing ring, Window window, Planes out)
{
  int newest = window_slot (ring, window, window.count - 1);
  unsigned saturated = 0, invalid = 0;

  if (blockIdx.x == 0 && blockIdx.y == 0 && threadIdx.x < FLOW_COUNTERS)
    ring.counters[(newest + 1) % ring.slots * FLOW_COUNTERS + threadIdx.x] = 0;
  visit_pixels (ring, [&] (gsize i, int x, int y) {
    double dark = flow_dark (ring, i), s = 0, q = 0, bad = 0;
    for (int k = 0; k < window.count; k++)
      {
        T value = flow_sample<T> (ring, window_slot (ring, window, k), x, y);
        double v = clean_sample (value, dark);
        s += v;
        q += v * v;
        if (flow_is_bad (ring, value))
          {
            bool high = (double) value >= ring.saturation && !isinf (ring.saturation);
            bad++;
            saturated += k == window.count - 1 && high;
            invalid += k == window.count - 1 && !high;
          }
      }
    out.plane[0][i] = s;
    out.plane[1][i] = q;
    out.plane[2][i] = bad;
  });
  if (saturated > 0)
    atomicAdd (&ring.counters[newest * FLOW_COUNTERS + FLOW_SATURATED], (unsigned long long) saturated);
  if (invalid > 0)
    atomicAdd (&ring.counters[newest * FLOW_COUNTERS + FLOW_INVALID], (unsigned long long) invalid);
}

/* From the sliding sums of flow-temporal.cu. */
static __global__ void __launch_bounds__ (THREADS)
sums_kernel (FlowRing ring, const guint32 *s1, const guint64 *s2, double depth, Planes out)
{
  visit_pixels (ring, [&] (gsize i, int x, int y) {
    double dark = flow_dark (ring, i), s = s1[i], q = (double) (s2[i] & FLOW_SQUARES_MASK);
    out.plane[0][i] = s - depth * dark;
    out.plane[1][i] = q - dark * (2.0 * s - depth * dark);
    out.plane[2][i] = (double) (s2[i] >> FLOW_COUNT_SHIFT);
  });
}

/* a, b and a b of successive frames. */
template <typename T>
static __global__ void __launch_bounds__ (THREADS)
pairs_kernel (FlowRing ring, Window window, Planes out)
{
  visit_pixels (ring, [&] (gsize i, int x, int y) {
    double dark = flow_dark (ring, i), a = 0, b = 0, ab = 0;
    double first = clean_sample (flow_sample<T> (ring, window.slot, x, y), dark);
    for (int k = 1; k < window.count; k++)
      {
        double second = clean_sample (flow_sample<T> (ring, window_slot (ring, window, k), x, y), dark);
        a += first;
        b += second;
        ab += first * second;
        first = second;
      }
    out.plane[0][i] = a;
    out.plane[1][i] = b;
    out.plane[2][i] = ab;
  });
}

/* Bad samples in the frames of WINDOW, into TOTAL. */
static __global__ void
window_bad_kernel (FlowRing ring, Window window, unsigned long long *total)
{
  unsigned long long sum = 0;

  for (int k = 0; k < window.count; k++)
    for (int c = 0; c < FLOW_COUNTERS; c++)
      sum += ring.counters[window_slot (ring, window, k) * FLOW_COUNTERS + c];
  *total = sum;
}

struct ContrastFinish
{
  FlowFinish finish;
  int depth, full;          /* full: samples of a whole window, zero edges */

  __device__ void
  operator() (gsize i, int inside, double s, double q, double bad) const
  {
    double n = (double) (finish.edges == VG_FLOW_EDGES_ZERO ? full : inside) * depth;
    double d = n < 2.0 ? 0.0 : vg_flow_deviation (n, s, q);
    double k2 = vg_flow_k2 (n, s, d > finish.tiny * n * q ? d : 0.0, finish.noise);

    finish.contrast[i] = bad > 0 ? VG_FLOW_NAN : (float) sqrt (k2);
    finish.index[i] = bad > 0 ? VG_FLOW_NAN : vg_flow_index (k2, finish.scale);
  }
};

struct StaticFinish
{
  int pairs;
  double beta;
  const float *contrast;
  const unsigned long long *bad;
  float *map;

  __device__ void
  operator() (gsize i, int inside, double a, double b, double ab) const
  {
    bool masked = *bad > 0 && isnan (contrast[i]);

    map[i] = masked ? VG_FLOW_NAN : vg_flow_static_fraction ((double) inside * pairs, a, b, ab, beta);
  }
};

/* The column sums of row Y at column X. */
static __device__ __forceinline__ void
sum_column (const Planes &in, int width, int x, int y0, int y1, double *sum)
{
  sum[0] = sum[1] = sum[2] = 0;
  for (int y = y0; y <= y1; y++)
    for (int c = 0; c < 3; c++)
      sum[c] += in.plane[c][(gsize) y * width + x];
}

/* A block takes THREADS - 2 RADIUS columns of STRIP rows; a thread holds the sums
 * of one column, neighbours meet in shared memory. */
template <typename Finish>
static __global__ void __launch_bounds__ (THREADS)
box_kernel (Planes in, int width, int height, int radius, bool sliding, unsigned groups, Finish finish)
{
  __shared__ double columns[2][3][THREADS];
  int useful = THREADS - 2 * radius;
  gint64 x = (gint64) (blockIdx.x % groups) * useful - radius + threadIdx.x;
  gint64 first = (gint64) (blockIdx.x / groups) * STRIP;
  int last = (int) min (first + STRIP, (gint64) height) - 1;
  bool exists = x >= 0 && x < width;
  bool owns = exists && (int) threadIdx.x >= radius && (int) threadIdx.x < radius + useful;
  double sum[3] = {};

  for (int y = (int) first; y <= last; y++)
    {
      int y0 = max (y - radius, 0), y1 = min ((gint64) y + radius, (gint64) height - 1);
      double (*shared)[THREADS] = columns[y & 1];
      if (exists && (!sliding || y == first))
        sum_column (in, width, (int) x, y0, y1, sum);
      else if (exists)
        for (int c = 0; c < 3; c++)
          {
            if (y + radius < height)
              sum[c] += in.plane[c][(gsize) (y + radius) * width + x];
            if (y - radius - 1 >= 0)
              sum[c] -= in.plane[c][(gsize) (y - radius - 1) * width + x];
          }
      for (int c = 0; c < 3; c++)
        shared[c][threadIdx.x] = sum[c];   /* zero where there is no column */
      __syncthreads ();   /* the other buffer is free: all have passed here since it was read */
      if (owns)
        {
          double total[3] = {};
          for (int j = (int) threadIdx.x - radius; j <= (int) threadIdx.x + radius; j++)
            for (int c = 0; c < 3; c++)
              total[c] += shared[c][j];
          int across = (int) (min (x + radius, (gint64) width - 1) - max (x - radius, (gint64) 0)) + 1;
          finish ((gsize) y * width + x, across * (y1 - y0 + 1), total[0], total[1], total[2]);
        }
    }
}

template <typename Finish>
static gboolean
launch_box (FlowState *self, int radius, gboolean sliding, const Planes &planes, const Finish &finish, GError **error)
{
  int useful = THREADS - 2 * radius;
  gsize groups = ((gsize) self->width + useful - 1) / useful, strips = ((gsize) self->height + STRIP - 1) / STRIP;

  box_kernel<<<(unsigned) (groups * strips), THREADS, 0, self->compute>>> (planes, self->width, self->height, radius,
                                                                           sliding, (unsigned) groups, finish);
  return vg_cuda_launched ("box_kernel", error);
}

static Planes
moment_planes (const FlowState *self)
{
  return { { self->moments, self->moments + self->pixels, self->moments + 2 * self->pixels } };
}

static dim3
grid_size (const FlowState *self)
{
  return dim3 ((self->width - 1) / THREADS + 1, MIN (self->height, 65535));
}

static Window
last_frames (const FlowState *self, int count)
{
  return { flow_slot (self, self->n_frames - count), count };
}

/* Whether sums over windows are whole numbers that doubles hold exactly. */
static gboolean
is_exact (const FlowState *self)
{
  return self->dark_whole && (self->info.type == VG_U8 || self->info.type == VG_U16);
}

template <typename T>
static void
launch_moments (FlowState *self, const Window &window, const Planes &planes)
{
  moments_kernel<T><<<grid_size (self), THREADS, 0, self->compute>>> (self->ring, window, planes);
}

template <typename T>
static void
launch_pairs (FlowState *self, const Window &window, const Planes &planes)
{
  pairs_kernel<T><<<grid_size (self), THREADS, 0, self->compute>>> (self->ring, window, planes);
}

gboolean
flow_count_frame (FlowState *self, GError **error)
{
  FLOW_BY_TYPE (self->info.type, launch_moments, (self, last_frames (self, 1), moment_planes (self)));
  return vg_cuda_launched ("moments_kernel", error);
}

gboolean
flow_general (FlowState *self, GError **error)
{
  Planes planes = moment_planes (self);
  int depth = flow_depth (self), radius = flow_radius (self), side = 2 * radius + 1;

  if (self->s1 != NULL)
    sums_kernel<<<grid_size (self), THREADS, 0, self->compute>>> (self->ring, self->s1, self->s2, depth, planes);
  else
    FLOW_BY_TYPE (self->info.type, launch_moments, (self, last_frames (self, depth), planes));
  if (!vg_cuda_launched ("moments_kernel", error))
    return FALSE;
  ContrastFinish finish = { flow_finish (self, is_exact (self)), depth, side * side };
  return launch_box (self, radius, is_exact (self), planes, finish, error);
}

/* Into `extra`; needs two frames. */
gboolean
flow_static_map (FlowState *self, GError **error)
{
  Planes planes = moment_planes (self);
  Window window = last_frames (self, MAX (flow_window_count (self), 2));
  Window counted = last_frames (self, flow_window_count (self));
  unsigned long long *bad = self->ring.counters + self->ring.slots * FLOW_COUNTERS;

  window_bad_kernel<<<1, 1, 0, self->compute>>> (self->ring, counted, bad);
  FLOW_BY_TYPE (self->info.type, launch_pairs, (self, window, planes));
  if (!vg_cuda_launched ("pairs_kernel", error))
    return FALSE;
  StaticFinish finish = { window.count - 1, self->params.beta, self->contrast, bad, self->extra };
  return launch_box (self, self->params.radius, is_exact (self), planes, finish, error);
}
