/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/flow/model/flow-sample.cuh"
/* Spatial contrast of 8 and 16-bit frames in one launch (docs/performance.md).
 *
 * A thread computes 4 neighbouring columns of ROWS rows.  For each row of the frame it computes 4
 * horizontal window sums of I (32 bits) and I^2 (64 bits; 32 if NARROW, where D fits).  The first
 * is summed in full; the next follow from the samples that enter and leave, with one
 * multiplication for the squares: b^2 - a^2 = (b - a)(b + a).  Vertically, the entering row is
 * added and the leaving row subtracted, from registers (KEEP) or computed anew.  All sums are
 * exact, so D = n q - s^2 is exact.
 *
 * Rare cases are handled apart.  A slower form of the same steps (QUICK false) is used by warps at
 * an edge, and by all warps with camera noise or maps with unaligned rows.  A thread records its
 * largest sample and whether a K was NaN.  It recomputes its pixels one by one if a sample reached
 * `limit` (saturated, or too large for NARROW), or if a window was uniform or not above the dark
 * level. */

enum { FLOW_FAST_RADIUS = 7, FLOW_COLUMNS = 4 };

typedef struct
{
  FlowRing ring;
  FlowFinish finish;
  int slot;
  int dark, dark_sum;  /* DN; and times the pixels of a full window */
  unsigned limit;      /* a thread with such a sample recomputes its pixels */
  unsigned full_scale; /* samples at or above it are counted as saturated */
  unsigned saturation; /* and at or above this masked */
  gboolean zero_edges;
  gboolean vectors; /* rows of the maps begin at 16 bytes */
  /* By (rows inside - 1) * side + columns inside - 1; see flow_finish_float. */
  float contrast_factor[(2 * FLOW_FAST_RADIUS + 1) * (2 * FLOW_FAST_RADIUS + 1)];
  float index_factor[(2 * FLOW_FAST_RADIUS + 1) * (2 * FLOW_FAST_RADIUS + 1)];
} FlowSpatial;
static_assert (sizeof (FlowSpatial) <= 4096, "kernel parameters");

/* The samples x - R .. x + 3 + R of a row as words, x a multiple of 4. */
template <typename T, int R> struct FlowWords
{
  /* words to the left and right of the 4 samples */
  static constexpr int SIDE = (R * (int) sizeof (T) + 3) / 4;
  static constexpr int OWN = (int) sizeof (T);
  unsigned word[OWN + 2 * SIDE];

  __device__ __forceinline__ void
  load (const guint8 *own)
  {
    if constexpr (OWN == 2)
      {
        pair (SIDE, own);
        /* own is aligned to 8 bytes: an odd word is the outermost */
        if constexpr (SIDE % 2 == 1)
          {
            word[0] = __ldg ((const unsigned *) own - SIDE);
            word[SIDE + 2 + SIDE - 1] = __ldg ((const unsigned *) own + 2 + SIDE - 1);
          }
#pragma unroll
        for (int i = SIDE % 2; i < SIDE; i += 2)
          {
            pair (i, own - 4 * (SIDE - i));
            pair (SIDE + 2 + i - SIDE % 2, own + 8 + 4 * (i - SIDE % 2));
          }
      }
    else
      {
#pragma unroll
        for (int i = 0; i < OWN + 2 * SIDE; i++)
          word[i] = __ldg ((const unsigned *) own + i - SIDE);
      }
  }

  __device__ __forceinline__ void
  pair (int i, const guint8 *from)
  {
    uint2 two = __ldg ((const uint2 *) from);
    word[i] = two.x;
    word[i + 1] = two.y;
  }

  /* Sample x + J, J from -R to 3 + R. */
  __device__ __forceinline__ unsigned
  sample (int j) const
  {
    int byte = SIDE * 4 + j * (int) sizeof (T);

    if constexpr (sizeof (T) == 2)
      return __byte_perm (word[byte / 4], 0, byte % 4 == 0 ? 0x4410 : 0x4432);
    else
      return __byte_perm (word[byte / 4], 0, 0x4440 | byte % 4);
  }
};

/* Window sums of the 4 columns. */
template <bool NARROW> struct FlowSums
{
  using Square = typename std::conditional<NARROW, unsigned, unsigned long long>::type;
  unsigned s[FLOW_COLUMNS];
  Square q[FLOW_COLUMNS];
};

template <typename T, int R, bool NARROW>
static __device__ __forceinline__ void
flow_sum_row (const FlowWords<T, R> &words, FlowSums<NARROW> &sums, unsigned &largest)
{
  using Square = typename FlowSums<NARROW>::Square;
  unsigned v[FLOW_COLUMNS + 2 * R];

#pragma unroll
  for (int j = 0; j < FLOW_COLUMNS + 2 * R; j++)
    {
      v[j] = words.sample (j - R);
      if constexpr (sizeof (T) == 1)
        largest = max (largest, v[j]);
    }
  if constexpr (sizeof (T) == 2)
    {
#pragma unroll
      for (int i = 0; i < FlowWords<T, R>::OWN + 2 * FlowWords<T, R>::SIDE; i++)
        largest = __vmaxu2 (largest, words.word[i]);
    }

  unsigned s = 0;
  Square q = 0;
#pragma unroll
  for (int j = 0; j < 2 * R + 1; j++)
    {
      s += v[j];
      q += (Square) v[j] * v[j];
    }
  sums.s[0] = s;
  sums.q[0] = q;
#pragma unroll
  for (int c = 1; c < FLOW_COLUMNS; c++)
    {
      int difference = (int) v[c + 2 * R] - (int) v[c - 1], total = (int) (v[c + 2 * R] + v[c - 1]);
      s += difference;
      if constexpr (NARROW)
        q += (unsigned) difference * (unsigned) total;
      else
        q += (unsigned long long) ((long long) difference * total);
      sums.s[c] = s;
      sums.q[c] = q;
    }
}

/* The largest sample for which D <= (n max / 2)^2 stays below 2^32. */
static inline unsigned
flow_narrow_max (int radius)
{
  return 131071u / ((2 * radius + 1) * (2 * radius + 1));
}

/* K and index of a pixel from the sums over the part of its window inside the frame. */
template <int R>
static __device__ __forceinline__ void
flow_finish_pixel (const FlowSpatial &p, int x, int y, unsigned s, unsigned long long q,
                   float *contrast, float *index)
{
  constexpr int SIDE = 2 * R + 1;

  x = min (x, p.ring.width - 1); /* those beyond the frame are not stored */
  y = min (y, p.ring.height - 1);
  int across = min (x + R, p.ring.width - 1) - max (x - R, 0) + 1;
  int down = min (y + R, p.ring.height - 1) - max (y - R, 0) + 1;
  int inside = across * down, n = p.zero_edges ? SIDE * SIDE : inside,
      factor = (down - 1) * SIDE + across - 1;
  int sum = (int) s - inside * p.dark;
  unsigned long long d = (unsigned long long) (unsigned) n * q - (unsigned long long) s * s;
  if (inside != n && p.dark != 0) /* the dark level is subtracted inside only */
    {
      long long dark = p.dark, rest = (long long) q - dark * (2 * (long long) s - inside * dark);
      d = (unsigned long long) (n * rest - (long long) sum * sum);
    }
  flow_finish_float (flow_noiseless_deviation (d, n, sum, p.finish), (float) sum,
                     p.contrast_factor[factor], p.index_factor[factor], contrast, index);
}

/* The same for a full window without noise terms. */
template <int R, bool NARROW>
static __device__ __forceinline__ void
flow_quick_pixel (const FlowSpatial &p, unsigned s, typename FlowSums<NARROW>::Square q,
                  float *contrast, float *index)
{
  constexpr unsigned N = (2 * R + 1) * (2 * R + 1);
  float d;

  if constexpr (NARROW)
    d = __uint2float_rn (N * q - s * s);
  else
    d = flow_to_float (N * q - (unsigned long long) s * s);
  flow_finish_quick (d, (float) ((int) s - p.dark_sum), p.contrast_factor[N - 1],
                     p.index_factor[N - 1], contrast, index);
}

/* Counts the saturated samples among the thread's pixels, masks windows with a saturated sample,
 * and recomputes the other windows in 64 bits. */
template <typename T, int R>
static __device__ __noinline__ void
flow_recompute_pixels (const FlowSpatial &p, int x0, int x1, int y0, int y1)
{
  unsigned saturated = 0;

  for (int y = y0; y < y1; y++)
    for (int x = x0; x < x1; x++)
      {
        unsigned s = 0, largest = 0;
        unsigned long long q = 0;
        for (int j = -R; j <= R; j++)
          {
            const T *row = (const T *) (p.ring.origin + p.slot * p.ring.slot_bytes +
                                        (ptrdiff_t) (y + j) * (ptrdiff_t) p.ring.pitch);
            for (int i = -R; i <= R; i++)
              {
                unsigned v = __ldg (row + x + i);
                s += v;
                q += (unsigned long long) v * v;
                largest = max (largest, v);
                saturated += i == 0 && j == 0 && v >= p.full_scale;
              }
          }
        float k = VG_FLOW_NAN, index = VG_FLOW_NAN;
        if (largest < p.saturation)
          flow_finish_pixel<R> (p, x, y, s, q, &k, &index);
        gsize at = (gsize) y * p.ring.width + x;
        p.finish.contrast[at] = k;
        p.finish.index[at] = index;
      }
  if (saturated > 0)
    atomicAdd (&p.ring.counters[p.slot * FLOW_COUNTERS + FLOW_SATURATED],
               (unsigned long long) saturated);
}

template <bool QUICK>
static __device__ __forceinline__ void
flow_store (float *map, const FlowSpatial &p, int x0, int y, const float *values)
{
  float *row = map + (gsize) y * p.ring.width + x0;

  if constexpr (QUICK)
    *(float4 *) row = make_float4 (values[0], values[1], values[2], values[3]);
  else
    {
#pragma unroll
      for (int c = 0; c < FLOW_COLUMNS; c++)
        if (x0 + c < p.ring.width && y < p.ring.height)
          row[c] = values[c];
    }
}

template <bool NARROW>
static __device__ __forceinline__ void
flow_add (FlowSums<NARROW> &window, const FlowSums<NARROW> &row)
{
#pragma unroll
  for (int c = 0; c < FLOW_COLUMNS; c++)
    {
      window.s[c] += row.s[c];
      window.q[c] += row.q[c];
    }
}

template <bool NARROW>
static __device__ __forceinline__ void
flow_subtract (FlowSums<NARROW> &window, const FlowSums<NARROW> &row)
{
#pragma unroll
  for (int c = 0; c < FLOW_COLUMNS; c++)
    {
      window.s[c] -= row.s[c];
      window.q[c] -= row.q[c];
    }
}

/* Writes row Y of the maps.  NAN becomes NaN if a K is, and stays so; only if QUICK. */
template <int R, bool NARROW, bool QUICK>
static __device__ __forceinline__ void
flow_write_row (const FlowSpatial &p, int x0, int y, const FlowSums<NARROW> &window, float &nan)
{
  float k[FLOW_COLUMNS], index[FLOW_COLUMNS];

#pragma unroll
  for (int c = 0; c < FLOW_COLUMNS; c++)
    if constexpr (QUICK)
      {
        flow_quick_pixel<R, NARROW> (p, window.s[c], window.q[c], &k[c], &index[c]);
        nan += k[c];
      }
    else
      flow_finish_pixel<R> (p, x0 + c, y, window.s[c], window.q[c], &k[c], &index[c]);
  flow_store<QUICK> (p.finish.contrast, p, x0, y, k);
  flow_store<QUICK> (p.finish.index, p, x0, y, index);
}

/* Computes ROWS rows from row Y0 on, in the columns from X0 on; FROM points R rows above.  Keeps
 * all rows in registers and issues all loads first.  TRUE: the pixels must be recomputed. */
template <typename T, int R, int ROWS, bool NARROW>
static __device__ __forceinline__ bool
flow_strip_kept (const FlowSpatial &p, const guint8 *from, int x0, int y0)
{
  constexpr int SIDE = 2 * R + 1;
  FlowSums<NARROW> window = {}, kept[SIDE];
  FlowWords<T, R> words[ROWS + 2 * R];
  unsigned largest = 0;
  float nan = 0.0f;

#pragma unroll
  for (int i = 0; i < ROWS + 2 * R; i++)
    words[i].load (from + i * p.ring.pitch);
#pragma unroll
  for (int i = 0; i < ROWS + 2 * R; i++)
    {
      if (i > 2 * R)
        flow_subtract (window, kept[i % SIDE]); /* the row SIDE above */
      flow_sum_row (words[i], kept[i % SIDE], largest);
      flow_add (window, kept[i % SIDE]);
      if (i >= 2 * R)
        flow_write_row<R, NARROW, true> (p, x0, y0 + i - 2 * R, window, nan);
    }
  if constexpr (sizeof (T) == 2)
    largest = max (largest & 0xffff, largest >> 16);
  return largest >= p.limit || nan != nan;
}

/* The same row by row: the leaving row is computed anew, while the next row is being loaded. */
template <typename T, int R, int ROWS, bool NARROW, bool QUICK>
static __device__ __forceinline__ bool
flow_strip_rolling (const FlowSpatial &p, const guint8 *from, int x0, int y0)
{
  FlowSums<NARROW> window = {}, row;
  FlowWords<T, R> enter, next, leave;
  unsigned largest = 0;
  float nan = 0.0f;

#pragma unroll 4
  for (int i = 0; i < 2 * R; i++)
    {
      enter.load (from + i * p.ring.pitch);
      flow_sum_row (enter, row, largest);
      flow_add (window, row);
    }
  enter.load (from + 2 * R * p.ring.pitch);
#pragma unroll 1
  for (int i = 0; i < ROWS; i++)
    {
      leave.load (from + i * p.ring.pitch);
      if (i < ROWS - 1)
        next.load (from + (i + 2 * R + 1) * p.ring.pitch);
      flow_sum_row (enter, row, largest);
      flow_add (window, row);
      flow_write_row<R, NARROW, QUICK> (p, x0, y0 + i, window, nan);
      flow_sum_row (leave, row, largest);
      flow_subtract (window, row);
      enter = next;
    }
  if constexpr (sizeof (T) == 2)
    largest = max (largest & 0xffff, largest >> 16);
  return largest >= p.limit || nan != nan;
}

/* Grid: strips of ROWS * WARPS rows (x) by groups of 128 columns (y).  Block: 32 x WARPS threads,
 * so that a warp computes 128 columns.  BLOCKS: smallest number of blocks on a multiprocessor. */
template <typename T, int R, int ROWS, bool NARROW, bool KEEP, int WARPS, int BLOCKS>
static __global__ void __launch_bounds__ (32 * WARPS, BLOCKS)
    flow_spatial_kernel (const __grid_constant__ FlowSpatial p)
{
  int x0 = (blockIdx.y * 32 + threadIdx.x) * FLOW_COLUMNS;
  int y0 = (blockIdx.x * WARPS + threadIdx.y) * ROWS;

  if (blockIdx.x == 0 && blockIdx.y == 0 && threadIdx.y == 0 && threadIdx.x < FLOW_COUNTERS)
    p.ring.counters[(p.slot + 1) % p.ring.slots * FLOW_COUNTERS + threadIdx.x] = 0;
  if (y0 >= p.ring.height)
    return;
  bool quick = !p.finish.noisy && p.vectors && x0 >= R &&
               x0 + FLOW_COLUMNS - 1 + R < p.ring.width && y0 >= R &&
               y0 + ROWS - 1 + R < p.ring.height;
  quick = __all_sync (~0u, quick); /* all threads of a warp take the same branch */
  if (x0 >= p.ring.width)
    return;

  const guint8 *from = p.ring.origin + p.slot * p.ring.slot_bytes + (gsize) x0 * sizeof (T) +
                       ((ptrdiff_t) y0 - R) * (ptrdiff_t) p.ring.pitch;
  bool again;
  if (!quick)
    again = flow_strip_rolling<T, R, ROWS, NARROW, false> (p, from, x0, y0);
  else if constexpr (KEEP)
    again = flow_strip_kept<T, R, ROWS, NARROW> (p, from, x0, y0);
  else
    again = flow_strip_rolling<T, R, ROWS, NARROW, true> (p, from, x0, y0);
  if (again)
    flow_recompute_pixels<T, R> (p, x0, min (x0 + FLOW_COLUMNS, p.ring.width), y0,
                                 min (y0 + ROWS, p.ring.height));
}

template <typename T, int R, int ROWS, bool NARROW, bool KEEP, int WARPS, int BLOCKS>
static void
flow_spatial_launch (const FlowSpatial &p, cudaStream_t stream)
{
  dim3 grid ((p.ring.height - 1) / (ROWS * WARPS) + 1,
             (p.ring.width - 1) / (32 * FLOW_COLUMNS) + 1);

  flow_spatial_kernel<T, R, ROWS, NARROW, KEEP, WARPS, BLOCKS>
      <<<grid, dim3 (32, WARPS), 0, stream>>> (p);
}

static inline void
flow_spatial_fill_factors (FlowSpatial *p, int radius)
{
  int side = 2 * radius + 1;

  for (int down = 1; down <= side; down++)
    for (int across = 1; across <= side; across++)
      {
        double n = p->zero_edges ? side * side : down * across;
        int i = (down - 1) * side + across - 1;
        p->contrast_factor[i] = n > 1 ? (float) sqrt (n / (n - 1)) : VG_FLOW_NAN;
        p->index_factor[i] = n > 1 ? (float) (p->finish.scale * (n - 1) / n) : VG_FLOW_NAN;
      }
}
