/* SPDX-License-Identifier: MIT */
#pragma once
#include <cuda_runtime.h>
#include "kernels/fluence/model/fluence-tally.h"
/* The photon walk on the GPU.
 *
 * Each thread traces one photon and then the next from its warp's stock, a range of photon indices
 * that a global counter assigns.  A launch does a number of steps and saves the photons that have
 * not ended without gaps; the next launch distributes them to full warps on all multiprocessors. So
 * a launch can be as short as the display needs, and a few long walks at the end of a run do not
 * occupy many warps.
 *
 * The tally of the bins near the axis is in shared memory with 32 bits each; sums that overflow are
 * carried to the 64-bit tally in global memory.  Small grids have several copies, each for some
 * lanes of a warp, as atomic additions to the same bin are serialised.
 *
 * One test per step finds all rare events: a boundary, too little weight, or no photon (weight 0).
 * Such a lane waits until `wait` lanes of its warp have an event; then the code for events runs
 * once for all of them.  The state of a waiting lane does not change. */

/* Largest stock of a warp; the number of steps of a launch is a multiple of VG_FLUENCE_TURNS. */
enum { VG_FLUENCE_STOCK = 128, VG_FLUENCE_TURNS = 2 };

/* Where collisions are tallied: nowhere, in shared memory, or, with too many rows for that, in
 * global memory. */
enum { VG_FLUENCE_SCORE_NONE, VG_FLUENCE_SCORE_SHARED, VG_FLUENCE_SCORE_GLOBAL };

typedef unsigned long long VgFluenceCount;

/* Counters of a launch for the host. */
typedef struct
{
  VgFluenceCount stocks;   /* assigned so far, on this device */
  VgFluenceCount launched; /* photons, so far */
  VgFluenceCount served;   /* rare events so far */
  VgFluenceCount alive[2]; /* photons that have not ended, after even and odd launches */
} VgFluenceProgress;

/* State of one photon between two launches. */
typedef struct __align__ (16)
{
  float x, y, z, ux, uy, uz, time; /* lengths in bins of radius */
  guint32 weight;                  /* 0: there is none */
  guint64 random;
  int layer, events; /* so far: see VG_FLUENCE_MAX_EVENTS */
}
VgFluencePhoton;

typedef struct
{
  VgFluenceCount next;
  int left;
} VgFluenceStockState;

/* A layer in units of the walk; lengths in bins of radius. */
typedef struct __align__ (16)
{
  float step, offset;        /* a free path is log2 (u) * step + offset */
  float fraction, thickness; /* the first as in VgFluenceLayer */
  VgFluenceAngle angle;
  float row;    /* 2^23 + its first row */
  int row_last; /* the bits of the float 2^23 + its last row */
  guint32 lost_plain;
  guint32 lost, lost_shift; /* see VgFluenceLayer */
  float slowness;           /* ps per bin */
  float unused;
  float ratio[2], rest[2]; /* n / n' towards the layer above and below, 1 - its square */
}
VgFluenceTissue;

/* Arguments of the kernel. */
typedef struct
{
  VgFluenceLayout layout;
  const VgFluenceTissue *layers;
  VgFluenceCount *tally;
  VgFluenceProgress *progress;
  const VgFluencePhoton *before; /* alive[phase] of them */
  VgFluencePhoton *after;        /* alive[1 - phase] */
  VgFluenceStockState *stocks;
  VgFluenceCount last; /* photons from this index on are not launched */
  guint32 seed;
  int phase, steps, wait;
  int device, n_devices, stock; /* stocks of `stock` photons are assigned to devices in turn */
  int n_layers, start_layer, na, gates, rows, most_events;
  int shared_cells;   /* cells at the tally's beginning that are in shared memory: whole columns */
  int copies, stride; /* number of copies in shared memory; cells from one to the next */
  float columns;      /* nr: the index of the last column */
  /* index of the unused column after the shared ones, or NR; first radius that is not shared */
  float shared_last, far;
  float start_x, start_z; /* in bins of radius */
  float rows_per_length, inverse_gate;
  int isotropic;
} VgFluenceLaunch;

/* The layer of a thread's photon, in registers. */
typedef struct
{
  float step, offset, fraction, thickness, row, slowness;
  VgFluenceAngle angle;
  int row_last;
  guint32 lost, lost_shift;
  int number;
} VgFluenceLayerState;

/* The bits of the float 2^23 + floor (F), for 0 <= F < 2^22; larger F give larger results.  It
 * avoids the slow conversion to integers. */
#define VG_FLUENCE_BITS 0x4b000000u
static __device__ __forceinline__ guint32
vg_fluence_floor_bits (float f)
{
  return __float_as_uint (__fadd_rd (f, 8388608.0f));
}

template <bool TIMED, bool FINE>
static __device__ __forceinline__ void
vg_fluence_enter (VgFluenceLayerState *layer, const VgFluenceLaunch &launch, int number)
{
  const float4 *stored = (const float4 *) &launch.layers[number];
  float4 path = __ldg (stored), angle = __ldg (stored + 1), rest = __ldg (stored + 2);

  layer->step = path.x;
  layer->offset = path.y;
  layer->fraction = path.z;
  layer->thickness = path.w;
  layer->angle = { angle.x, angle.y, angle.z, angle.w, rest.x };
  layer->row = rest.y;
  layer->row_last = __float_as_int (rest.z);
  layer->lost = __float_as_uint (rest.w);
  if (FINE || TIMED)
    {
      float4 more = __ldg (stored + 3);

      layer->lost = FINE ? __float_as_uint (more.x) : layer->lost;
      layer->lost_shift = __float_as_uint (more.y);
      layer->slowness = more.z;
    }
  layer->number = number;
}

/* ---- One step ---- */

/* Part of a cell's index that comes from the bits of 2^23 in column and row. */
static __device__ __forceinline__ guint32
vg_fluence_bias (const VgFluenceLaunch &launch)
{
  return VG_FLUENCE_BITS * (guint32) launch.rows + VG_FLUENCE_BITS;
}

/* Adds to the shared tally; TRUE if it overflowed. */
static __device__ __forceinline__ bool
vg_fluence_add_shared (guint32 base, guint32 key, guint32 score)
{
  guint32 before;

  asm volatile("atom.shared.add.u32 %0, [%1], %2;"
               : "=r"(before)
               : "r"(base + 4 * key), "r"(score)
               : "memory");
  return before + score < score;
}

template <int SCORE>
static __device__ __forceinline__ void
vg_fluence_score (const VgFluenceLaunch &launch, const VgFluencePhoton *p,
                  const VgFluenceLayerState *layer, guint32 base, guint32 u)
{
  float radial = vg_fluence_root (fmaf (p->x, p->x, p->y * p->y));
  float depth = fmaf (p->z, launch.rows_per_length, layer->fraction);
  guint32 row = (guint32) min (__float_as_int (__fadd_rd (depth, layer->row)), layer->row_last);
  guint32 rows = (guint32) launch.rows, score = vg_fluence_tally (p->weight, u);
  bool wrapped = false, far = true;

  if (SCORE == VG_FLUENCE_SCORE_SHARED)
    {
      wrapped = vg_fluence_add_shared (
          base, vg_fluence_floor_bits (fminf (radial, launch.shared_last)) * rows + row, score);
      far = radial >= launch.far;
    }
  if (far || wrapped)
    {
      guint32 cell = vg_fluence_floor_bits (fminf (radial, launch.columns)) * rows + row -
                     vg_fluence_bias (launch);

      atomicAdd (launch.tally + cell, far ? (VgFluenceCount) score : 1ull << 32);
    }
}

/* Moves the photon to its next collision; FALSE if a rare event comes first. */
template <int SCORE, bool TIMED, bool FINE>
static __device__ __forceinline__ bool
vg_fluence_move (const VgFluenceLaunch &launch, VgFluencePhoton *p,
                 const VgFluenceLayerState *layer, guint32 base)
{
  float s = vg_fluence_path_offset ((guint32) (p->random >> 32), layer->step, layer->offset),
        z = fmaf (s, p->uz, p->z);
  bool moves = z >= 0.0f && z <= layer->thickness && p->weight >= VG_FLUENCE_WEAK;

  if (FINE)
    moves &= p->events < launch.most_events;

  if (moves)
    {
      guint32 u, taken;

      vg_fluence_draw (&p->random);
      u = vg_fluence_draw (&p->random);
      p->x = fmaf (s, p->ux, p->x);
      p->y = fmaf (s, p->uy, p->y);
      p->z = z;
      if (FINE)
        p->events++;
      if (TIMED)
        p->time = fmaf (s, layer->slowness, p->time);
      if (SCORE != VG_FLUENCE_SCORE_NONE)
        vg_fluence_score<SCORE> (launch, p, layer, base, u);
      /* The lower half of the generator's state rounds the product; the upper half is subtracted
       * again, which is faster than a sum of the lower halves with carry. */
      taken = (guint32) (((guint64) p->weight * layer->lost + p->random) >> 32) -
              (guint32) (p->random >> 32);
      if (FINE)
        taken = (taken + __funnelshift_l (u, 0, layer->lost_shift)) >> layer->lost_shift;
      p->weight -= taken;
      vg_fluence_turn (&p->ux, &p->uy, &p->uz, vg_fluence_scatter_short (layer->angle, FINE, u), u);
    }
  return moves;
}

/* ---- Rare events ---- */

template <bool TIMED>
static __device__ void
vg_fluence_leave (const VgFluenceLaunch &launch, const VgFluencePhoton *p, guint32 u, bool up)
{
  guint32 score = vg_fluence_tally (p->weight, u), square = vg_fluence_tally_square (p->weight, u);
  int column = (int) fminf (vg_fluence_root (p->x * p->x + p->y * p->y), launch.columns);
  int angle = vg_fluence_angle_bin (p->uz, launch.na);
  const VgFluenceLayout &layout = launch.layout;
  gsize exits = up ? layout.reflected : layout.transmitted;
  gsize by_column = up ? layout.reflected_square[0] : layout.transmitted_square[0];
  gsize by_angle = up ? layout.reflected_square[1] : layout.transmitted_square[1];

  atomicAdd (launch.tally + exits + (gsize) column * launch.na + angle, (VgFluenceCount) score);
  atomicAdd (launch.tally + by_column + column, (VgFluenceCount) square);
  atomicAdd (launch.tally + by_angle + angle, (VgFluenceCount) square);
  if (TIMED)
    {
      int gate = (int) fminf (p->time * launch.inverse_gate, (float) launch.gates);

      atomicAdd (launch.tally + (up ? layout.gates[0] : layout.gates[1]) + gate,
                 (VgFluenceCount) score);
      atomicAdd (launch.tally + (up ? layout.gates_square[0] : layout.gates_square[1]) + gate,
                 (VgFluenceCount) square);
    }
}

/* Without a tally of collisions, the absorbed weight follows from the remaining weight. */
template <int SCORE>
static __device__ __forceinline__ void
vg_fluence_score_absorbed (const VgFluenceLaunch &launch, guint64 taken, guint32 u)
{
  if (SCORE == VG_FLUENCE_SCORE_NONE)
    atomicAdd (launch.tally + launch.layout.totals + VG_FLUENCE_TOTAL_ABSORBED,
               (VgFluenceCount) vg_fluence_tally_sum (taken, u));
}

/* Moves the photon to the boundary that its step crosses, and refracts or reflects it. */
template <int SCORE, bool TIMED, bool FINE>
static __device__ __forceinline__ void
vg_fluence_cross_boundary (const VgFluenceLaunch &launch, VgFluencePhoton *p,
                           VgFluenceLayerState *layer)
{
  bool up = p->uz < 0.0f;
  const float *sides = launch.layers[layer->number].ratio + !up;
  float ratio = __ldg (sides), z = up ? 0.0f : layer->thickness, cosine, reflectance, s;
  int next_layer = layer->number + (up ? -1 : 1);

  s = fmaxf ((z - p->z) * vg_fluence_reciprocal (p->uz), 0.0f);
  reflectance = vg_fluence_reflect (ratio, __ldg (sides + 2), fminf (fabsf (p->uz), 1.0f), &cosine);
  p->x = fmaf (s, p->ux, p->x);
  p->y = fmaf (s, p->uy, p->y);
  p->z = z;
  p->events++;
  if (TIMED)
    p->time = fmaf (s, layer->slowness, p->time);
  vg_fluence_draw (&p->random);
  if (vg_fluence_uniform (vg_fluence_draw (&p->random)) <= reflectance)
    {
      p->uz = -p->uz;
      return;
    }
  p->ux *= ratio;
  p->uy *= ratio;
  p->uz = copysignf (cosine, p->uz);
  if (next_layer == 0 || next_layer == launch.n_layers + 1)
    {
      vg_fluence_leave<TIMED> (launch, p, vg_fluence_draw (&p->random), up);
      vg_fluence_score_absorbed<SCORE> (launch, VG_FLUENCE_UNIT - p->weight,
                                        vg_fluence_draw (&p->random));
      p->weight = 0;
    }
  else
    {
      vg_fluence_enter<TIMED, FINE> (layer, launch, next_layer);
      p->z = up ? layer->thickness : 0.0f;
    }
}

template <int SCORE>
static __device__ __forceinline__ void
vg_fluence_roulette (const VgFluenceLaunch &launch, VgFluencePhoton *p)
{
  bool lives = vg_fluence_draw (&p->random) < VG_FLUENCE_LUCKY;

  atomicAdd (launch.tally + launch.layout.totals + VG_FLUENCE_TOTAL_ROULETTE,
             lives ? 0ull - 9ull * p->weight : (VgFluenceCount) p->weight);
  vg_fluence_score_absorbed<SCORE> (
      launch, lives ? 9ull * p->weight : (guint64) (VG_FLUENCE_UNIT - p->weight),
      vg_fluence_draw (&p->random));
  p->weight = lives ? 10 * p->weight : 0;
}

/* Discards a photon that may never end, in a layer without absorption. */
template <int SCORE>
static __device__ __forceinline__ void
vg_fluence_discard (const VgFluenceLaunch &launch, VgFluencePhoton *p)
{
  atomicAdd (launch.tally + launch.layout.totals + VG_FLUENCE_TOTAL_LOST,
             (VgFluenceCount) vg_fluence_tally (p->weight, vg_fluence_draw (&p->random)));
  vg_fluence_score_absorbed<SCORE> (launch, VG_FLUENCE_UNIT - p->weight,
                                    vg_fluence_draw (&p->random));
  p->weight = 0;
}

/* Assigns a photon index to each lane of a warp that WANTs one, while there are any.  Indices after
 * the last photon stay in stock, as `last` may increase later. */
static __device__ __forceinline__ bool
vg_fluence_assign (const VgFluenceLaunch &launch, VgFluenceStockState *stock, guint32 wanting,
                   bool want, int *launched, VgFluenceCount *index)
{
  const guint32 all = 0xffffffffu;
  int lane = threadIdx.x & 31, need = __popc (wanting),
      rank = __popc (wanting & ((1u << lane) - 1u)), count;
  bool more = need > stock->left && stock->next + stock->left <= launch.last &&
              stock->next < launch.last,
       taken;
  VgFluenceCount fresh = 0;

  *index = stock->next + rank;
  if (more)
    {
      if (lane == 0)
        fresh = atomicAdd (&launch.progress->stocks, 1ull);
      fresh = (__shfl_sync (all, fresh, 0) * launch.n_devices + launch.device) * launch.stock;
      if (rank >= stock->left)
        *index = fresh + (rank - stock->left);
    }
  taken = want && rank < stock->left + (more ? launch.stock : 0) && *index < launch.last;
  count = __popc (__ballot_sync (all, taken));
  stock->next = more ? fresh + (count - stock->left) : stock->next + count;
  stock->left = more ? launch.stock - (count - stock->left) : stock->left - count;
  *launched += count;
  return taken;
}

template <bool TIMED, bool FINE>
static __device__ __forceinline__ void
vg_fluence_start (const VgFluenceLaunch &launch, VgFluencePhoton *p, VgFluenceLayerState *layer,
                  VgFluenceCount index)
{
  guint32 spare[2];

  p->random = vg_fluence_seed (launch.seed, index, spare);
  p->x = launch.start_x;
  p->y = 0.0f;
  p->z = launch.start_z;
  p->ux = p->uy = 0.0f;
  p->uz = 1.0f;
  p->time = 0.0f;
  p->events = 0;
  p->weight = VG_FLUENCE_UNIT;
  if (launch.isotropic)
    vg_fluence_turn (&p->ux, &p->uy, &p->uz, vg_fluence_uniform (spare[0]), spare[1]);
  vg_fluence_enter<TIMED, FINE> (layer, launch, launch.start_layer);
}

/* ---- One launch ---- */

/* The photon that this thread continues; warps are assigned to blocks in turn. */
static __device__ __forceinline__ VgFluencePhoton
vg_fluence_resume (const VgFluenceLaunch &launch)
{
  VgFluenceCount slot = ((threadIdx.x >> 5) * gridDim.x + blockIdx.x) * 32 + (threadIdx.x & 31);
  VgFluencePhoton p = {};

  if (slot < launch.progress->alive[launch.phase])
    p = launch.before[slot];
  return p;
}

static __device__ __forceinline__ void
vg_fluence_save (const VgFluenceLaunch &launch, const VgFluencePhoton *p,
                 const VgFluenceStockState *stock, int launched, int served)
{
  const guint32 all = 0xffffffffu, living = __ballot_sync (all, p->weight > 0);
  int lane = threadIdx.x & 31;
  VgFluenceCount first = 0;

  if (lane == 0)
    {
      launch.stocks[(blockIdx.x * blockDim.x + threadIdx.x) >> 5] = *stock;
      atomicAdd (&launch.progress->launched, (VgFluenceCount) launched);
      atomicAdd (&launch.progress->served, (VgFluenceCount) served);
      first = atomicAdd (&launch.progress->alive[1 - launch.phase],
                         (VgFluenceCount) __popc (living));
    }
  first = __shfl_sync (all, first, 0);
  if (p->weight > 0)
    launch.after[first + __popc (living & ((1u << lane) - 1u))] = *p;
}

/* TIMED: with time gates.  FINE: for layers that absorb less than 2^-13 per collision or scatter
 * nearly isotropically. */
template <int SCORE, bool TIMED, bool FINE, int THREADS, int BLOCKS>
__global__ void
__launch_bounds__ (THREADS, BLOCKS)
    vg_fluence_kernel (const __grid_constant__ VgFluenceLaunch launch)
{
  extern __shared__ guint32 tally[];
  const guint32 all = 0xffffffffu;
  VgFluencePhoton p = vg_fluence_resume (launch);
  VgFluenceStockState stock = launch.stocks[(blockIdx.x * THREADS + threadIdx.x) >> 5];
  VgFluenceLayerState layer;
  guint32 base;
  int enough = 32; /* events are handled if at most this many lanes move */
  int launched = 0, served = 0;

  /* address of this lane's copy, minus the offset from the bits of column and row */
  asm volatile("mov.u32 %0, %1;"
               : "=r"(base)
               : "r"((guint32) __cvta_generic_to_shared (
                         tally + (threadIdx.x & 31) % launch.copies * launch.stride) -
                     4 * vg_fluence_bias (launch)));
  if (SCORE == VG_FLUENCE_SCORE_SHARED)
    {
      for (int i = threadIdx.x; i < launch.copies * launch.stride; i += THREADS)
        tally[i] = 0;
      __syncthreads ();
    }
  vg_fluence_enter<TIMED, FINE> (&layer, launch, p.weight > 0 ? p.layer : launch.start_layer);

  for (int step = 0; step < launch.steps; step += VG_FLUENCE_TURNS)
    {
      bool moves;

#pragma unroll
      for (int turn = 0; turn < VG_FLUENCE_TURNS; turn++)
        moves = vg_fluence_move<SCORE, TIMED, FINE> (launch, &p, &layer, base);

      int moving = __popc (__ballot_sync (all, moves));
      if (moving > enough)
        continue;
      if (!moves && p.weight > 0 && p.events >= launch.most_events)
        vg_fluence_discard<SCORE> (launch, &p);
      else if (!moves && p.weight >= VG_FLUENCE_WEAK)
        vg_fluence_cross_boundary<SCORE, TIMED, FINE> (launch, &p, &layer);
      else if (!moves && p.weight > 0)
        vg_fluence_roulette<SCORE> (launch, &p);
      served += 32 - moving;

      guint32 gone = __ballot_sync (all, p.weight == 0);
      if (gone != 0)
        {
          VgFluenceCount index;

          if (vg_fluence_assign (launch, &stock, gone, p.weight == 0, &launched, &index))
            vg_fluence_start<TIMED, FINE> (launch, &p, &layer, index);
          gone = __ballot_sync (all, p.weight == 0);
        }
      int living = 32 - __popc (gone);
      if (living == 0)
        break;
      enough = living - max (living * launch.wait >> 5, 1);
    }

  p.layer = layer.number;
  vg_fluence_save (launch, &p, &stock, launched, served);
  if (SCORE == VG_FLUENCE_SCORE_SHARED)
    {
      __syncthreads ();
      for (int i = threadIdx.x; i < launch.shared_cells; i += THREADS)
        {
          VgFluenceCount sum = 0;

          for (int copy = 0; copy < launch.copies; copy++)
            sum += tally[copy * launch.stride + i];
          if (sum != 0)
            atomicAdd (launch.tally + i, sum);
        }
    }
}
