/* SPDX-License-Identifier: MIT */
/* General path: all sample types, radii, methods, and dark frames.  Each pixel contributes three
 * doubles: the sums of I and I^2 over the window's frames, dark level subtracted, and the number
 * of bad samples.  For the static fraction these are the sums of a, b and a b over pairs of
 * successive frames.  They are summed over the window and converted by flow-formula.h.
 *
 * A block moves down its columns with the last rows in shared memory.  Column sums slide if all
 * values are whole numbers below 2^53; otherwise they are computed anew for every row, as rounding
 * errors would accumulate. */
#include "kernels/flow/model/flow-sample.cuh"

enum { THREADS = 128, STRIP = 32, N_VALUES = 3 };

/* The window's frames: the slot of the oldest, and their number. */
typedef struct
{
  int slot, count;
} Window;

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

  /* the window is masked later; until then its sums must be finite */
  return (v - v == 0 ? v : 0.0) - dark;
}

template <typename T> struct SamplesOf
{
  FlowRing ring;
  Window window;

  __device__ __forceinline__ void
  operator() (int x, int y, double *v) const
  {
    double dark = flow_dark (ring, (gsize) y * ring.width + x);

    for (int k = 0; k < window.count; k++)
      {
        T value = flow_sample<T> (ring, window_slot (ring, window, k), x, y);
        double clean = clean_sample (value, dark);
        v[0] += clean;
        v[1] += clean * clean;
        v[2] += flow_is_bad (ring, value);
      }
  }
};

/* From the sliding sums of flow-temporal.cu. */
struct SumsOf
{
  FlowRing ring;
  const guint32 *s1;
  const guint64 *s2;
  double depth;

  __device__ __forceinline__ void
  operator() (int x, int y, double *v) const
  {
    gsize i = (gsize) y * ring.width + x;
    double dark = flow_dark (ring, i), s = s1[i], q = (double) (s2[i] & FLOW_SQUARES_MASK);

    v[0] = s - depth * dark;
    v[1] = q - dark * (2.0 * s - depth * dark);
    v[2] = (double) (s2[i] >> FLOW_COUNT_SHIFT);
  }
};

template <typename T> struct PairsOf
{
  FlowRing ring;
  Window window;

  __device__ __forceinline__ void
  operator() (int x, int y, double *v) const
  {
    double dark = flow_dark (ring, (gsize) y * ring.width + x);
    double first = clean_sample (flow_sample<T> (ring, window.slot, x, y), dark);

    for (int k = 1; k < window.count; k++)
      {
        double second = clean_sample (flow_sample<T> (ring, window_slot (ring, window, k), x, y),
                                      dark);
        v[0] += first;
        v[1] += second;
        v[2] += first * second;
        first = second;
      }
  }
};

struct ContrastFrom
{
  FlowFinish finish;
  int depth, full; /* full: pixels of a whole window */

  __device__ __forceinline__ void
  operator() (gsize i, int inside, double s, double q, double bad) const
  {
    double n = (double) (finish.edges == VG_FLOW_EDGES_ZERO ? full : inside) * depth;
    double d = n < 2.0 ? 0.0 : vg_flow_deviation (n, s, q);
    double k2 = vg_flow_k2 (n, s, d > finish.tiny * n * q ? d : 0.0, finish.noise);

    finish.contrast[i] = bad > 0 ? VG_FLOW_NAN : (float) sqrt (k2);
    finish.index[i] = bad > 0 ? VG_FLOW_NAN : vg_flow_index (k2, finish.scale);
  }
};

struct StaticFrom
{
  int pairs;
  double beta;
  const float *contrast;
  const unsigned long long *bad; /* samples in the window of time */
  float *map;

  __device__ __forceinline__ void
  operator() (gsize i, int inside, double a, double b, double ab) const
  {
    bool masked = *bad > 0 && isnan (contrast[i]);

    map[i] = masked ? VG_FLOW_NAN
                    : vg_flow_static_fraction ((double) inside * pairs, a, b, ab, beta);
  }
};

typedef struct
{
  int width, height, radius;
  gboolean sliding;
  unsigned groups; /* blocks side by side */
} Box;

/* A block computes THREADS - 2 RADIUS columns of STRIP rows, one column for each thread.  Shared
 * memory has the values of the last rows, and two rows of column sums. */
template <typename Values, typename Finish>
static __global__ void
__launch_bounds__ (THREADS) box_kernel (Box box, Values values, Finish finish)
{
  extern __shared__ double shared[];
  int r = box.radius, side = 2 * r + 1, useful = THREADS - 2 * r, t = (int) threadIdx.x;
  double *rows = shared, *columns = shared + (gsize) side * N_VALUES * THREADS;
  gint64 x = (gint64) (blockIdx.x % box.groups) * useful - r + t;
  gint64 first = (gint64) (blockIdx.x / box.groups) * STRIP;
  gint64 last = min (first + STRIP, (gint64) box.height) - 1;
  bool exists = x >= 0 && x < box.width, owns = exists && t >= r && t < r + useful;
  double sum[N_VALUES] = {};

  for (int i = 0; i < side * N_VALUES; i++)
    rows[i * THREADS + t] = 0;
  int slot = 0;
  for (gint64 enter = first - r; enter <= last + r; enter++)
    {
      double v[N_VALUES] = {}, *row = rows + slot * N_VALUES * THREADS;
      if (exists && enter >= 0 && enter < box.height)
        values ((int) x, (int) enter, v);
      for (int c = 0; c < N_VALUES; c++)
        {
          sum[c] += v[c] - row[c * THREADS + t];
          row[c * THREADS + t] = v[c];
        }
      slot = slot + 1 < side ? slot + 1 : 0;
      gint64 y = enter - r;
      if (y < first)
        continue;
      if (!box.sliding)
        {
          sum[0] = sum[1] = sum[2] = 0;
          for (int i = 0; i < side; i++)
            for (int c = 0; c < N_VALUES; c++)
              sum[c] += rows[(i * N_VALUES + c) * THREADS + t];
        }
      double *shared_row = columns + (y & 1) * N_VALUES * THREADS;
      for (int c = 0; c < N_VALUES; c++)
        shared_row[c * THREADS + t] = sum[c];
      __syncthreads (); /* all threads have read the other row, which is free now */
      if (owns)
        {
          double total[N_VALUES] = {};
          for (int j = t - r; j <= t + r; j++)
            for (int c = 0; c < N_VALUES; c++)
              total[c] += shared_row[c * THREADS + j];
          int across = (int) (min (x + r, (gint64) box.width - 1) - max (x - r, (gint64) 0)) + 1;
          int down = (int) (min (y + r, (gint64) box.height - 1) - max (y - r, (gint64) 0)) + 1;
          finish ((gsize) y * box.width + x, across * down, total[0], total[1], total[2]);
        }
    }
}

/* Whether sums over windows are whole numbers that doubles hold exactly. */
static gboolean
is_exact (const FlowState *self)
{
  return self->dark_whole && (self->info.type == VG_U8 || self->info.type == VG_U16);
}

template <typename Values, typename Finish>
static gboolean
launch_box (FlowState *self, int radius, const Values &values, const Finish &finish, GError **error)
{
  int useful = THREADS - 2 * radius;
  gsize groups = ((gsize) self->width - 1) / useful + 1,
        strips = ((gsize) self->height - 1) / STRIP + 1;
  int bytes = (2 * radius + 3) * N_VALUES * THREADS * (int) sizeof (double);
  Box box = { self->width, self->height, radius, is_exact (self), (unsigned) groups };

  if (!VG_CUDA_OK (cudaFuncSetAttribute (box_kernel<Values, Finish>,
                                         cudaFuncAttributeMaxDynamicSharedMemorySize, bytes),
                   error))
    return FALSE;
  box_kernel<<<(unsigned) (groups * strips), THREADS, bytes, self->compute>>> (box, values, finish);
  return vg_cuda_launched ("box_kernel", error);
}

static Window
last_frames (const FlowState *self, int count)
{
  return { flow_slot (self, self->n_frames - count), count };
}

template <typename T>
static gboolean
contrast_of_samples (FlowState *self, int radius, const ContrastFrom &finish, GError **error)
{
  SamplesOf<T> samples = { self->ring, last_frames (self, flow_depth (self)) };

  return launch_box (self, radius, samples, finish, error);
}

gboolean
flow_general (FlowState *self, GError **error)
{
  int depth = flow_depth (self), radius = flow_radius (self), side = 2 * radius + 1;
  ContrastFrom finish = { flow_finish (self, is_exact (self)), depth, side * side };
  gboolean ok = FALSE;

  if (self->s1 != NULL)
    return launch_box (self, radius, SumsOf{ self->ring, self->s1, self->s2, (double) depth },
                       finish, error);
  FLOW_BY_TYPE (self->info.type, ok = contrast_of_samples, (self, radius, finish, error));
  return ok;
}

/* Counts the saturated and invalid samples of SLOT, and clears the counters of the next slot. */
template <typename T>
static __global__ void
__launch_bounds__ (THREADS) count_kernel (FlowRing ring, int slot)
{
  unsigned saturated = 0, invalid = 0;

  if (blockIdx.x == 0 && threadIdx.x < FLOW_COUNTERS)
    ring.counters[(slot + 1) % ring.slots * FLOW_COUNTERS + threadIdx.x] = 0;
  for (unsigned y = blockIdx.x; y < (unsigned) ring.height; y += gridDim.x)
    for (unsigned x = threadIdx.x; x < (unsigned) ring.width; x += THREADS)
      {
        T value = flow_sample<T> (ring, slot, x, y);
        if ((double) value - (double) value != 0)
          invalid++;
        else if ((double) value >= ring.full_scale)
          saturated++;
      }
  if (saturated > 0)
    atomicAdd (&ring.counters[slot * FLOW_COUNTERS + FLOW_SATURATED],
               (unsigned long long) saturated);
  if (invalid > 0)
    atomicAdd (&ring.counters[slot * FLOW_COUNTERS + FLOW_INVALID], (unsigned long long) invalid);
}

template <typename T>
static void
launch_count (FlowState *self, int slot)
{
  count_kernel<T><<<MIN (self->height, self->multiprocessors * 16), THREADS, 0, self->compute>>> (
      self->ring, slot);
}

gboolean
flow_count_frame (FlowState *self, GError **error)
{
  FLOW_BY_TYPE (self->info.type, launch_count, (self, flow_slot (self, self->n_frames - 1)));
  return vg_cuda_launched ("count_kernel", error);
}

/* Writes the number of bad samples in the frames of WINDOW to TOTAL; MOVED frames may have some. */
static __global__ void
window_bad_kernel (FlowRing ring, Window window, bool moved, unsigned long long *total)
{
  unsigned long long sum = moved ? 1 : 0;

  for (int k = 0; k < window.count; k++)
    {
      const unsigned long long *counters = ring.counters +
                                           window_slot (ring, window, k) * FLOW_COUNTERS;
      sum += counters[FLOW_INVALID] + (ring.saturation < HUGE_VAL ? counters[FLOW_SATURATED] : 0);
    }
  *total = sum;
}

template <typename T>
static gboolean
static_of_pairs (FlowState *self, const Window &window, const StaticFrom &finish, GError **error)
{
  return launch_box (self, self->params.radius, PairsOf<T>{ self->ring, window }, finish, error);
}

gboolean
flow_static_map (FlowState *self, float beta, GError **error)
{
  Window window = last_frames (self, MAX (flow_window_count (self), 2));
  unsigned long long *bad = self->ring.counters + self->ring.slots * FLOW_COUNTERS;
  StaticFrom finish = { window.count - 1, beta, self->contrast, bad, self->extra };
  gboolean ok = FALSE;

  window_bad_kernel<<<1, 1, 0, self->compute>>> (
      self->ring, last_frames (self, flow_window_count (self)), self->motion != NULL, bad);
  if (!vg_cuda_launched ("window_bad_kernel", error))
    return FALSE;
  FLOW_BY_TYPE (self->info.type, ok = static_of_pairs, (self, window, finish, error));
  return ok;
}
