/* SPDX-License-Identifier: MIT */
#pragma once
#include <cuda_runtime.h>
#include "fluence-tally.h"
/* The photon walk on the GPU.
 *
 * Threads are persistent: each carries one photon and takes the next one when
 * it is gone, from its warp's stock, which is filled from a counter.  A launch
 * does a number of steps and saves where everybody is, so that it is as short
 * as the display wants, and no photon's tail keeps a GPU waiting.
 *
 * The tally of the busiest bins is in shared memory, 32 bits each: with a unit
 * of 2^-20 of a packet one atomic add does, and the few that wrap carry into
 * the 64-bit tally in global memory.
 *
 * A photon at a boundary waits until WAIT of its warp do: the code for it then
 * runs once for several, instead of in nearly every step for one. */

/* Photons that a warp takes at once. */
enum { VG_FLUENCE_STOCK = 128 };

typedef unsigned long long VgFluenceCount;

/* What a launch leaves behind for the host. */
typedef struct
{
  VgFluenceCount stocks;       /* given out so far, of this device */
  VgFluenceCount launched;     /* photons, so far */
  VgFluenceCount alive;        /* on their way at the end of the launch */
} VgFluenceProgress;

/* No photon, one on the move, one that waits at a boundary. */
enum { VG_FLUENCE_GONE, VG_FLUENCE_MOVES, VG_FLUENCE_WAITS };

/* One photon at rest between two launches. */
typedef struct
{
  float x, y, z, ux, uy, uz, time;
  guint32 weight, collisions;
  guint64 random;
  int layer, mode;
  VgFluenceCount absorbed;
} VgFluencePhoton;

typedef struct
{
  VgFluenceCount next;
  int left;
} VgFluenceStockState;

/* By value to the kernel. */
typedef struct
{
  VgFluenceLayout layout;
  const VgFluenceLayer *layers;
  VgFluenceCount *tally;
  VgFluenceProgress *progress;
  VgFluencePhoton *photons;
  VgFluenceStockState *stocks;
  VgFluenceCount last;         /* photons from here on are not launched */
  guint32 seed;
  int steps;
  int device, n_devices;       /* stocks are dealt out in turn */
  int n_layers, start_layer, nr, na, gates, rows;
  int shared_cells;            /* of the tally, from its beginning */
  float start_x, start_z, inverse_dr, inverse_dz, inverse_gate, bottom;
  int isotropic;
} VgFluenceLaunch;

/* What a thread keeps of its layer. */
typedef struct
{
  float step, z0, z1, one_plus, twice, square;
  guint32 lost, lost_shift;
  int row_first, row_last, row_shift;   /* less what the bits of a column put into a cell's index; no order changes */
  int number;
} VgFluenceHere;

/* Whole part of F, 0 <= F < 2^22, without the slow conversion unit, plus
 * VG_FLUENCE_BITS, which the other numbers of a cell's index take off. */
#define VG_FLUENCE_BITS 0x4b000000u
static __device__ __forceinline__ int
vg_fluence_floor_bits (float f)
{
  return __float_as_int (__fadd_rd (f, 8388608.0f));
}

template <bool FINE>
static __device__ __forceinline__ void
vg_fluence_enter (VgFluenceHere *here, const VgFluenceLaunch &launch, int number)
{
  const VgFluenceLayer *layer = &launch.layers[number];
  guint32 bias = 0u - VG_FLUENCE_BITS * (guint32) launch.rows;

  here->step = __ldg (&layer->step);
  here->z0 = __ldg (&layer->z0);
  here->z1 = __ldg (&layer->z1);
  here->one_plus = __ldg (&layer->hg_one_plus);
  here->twice = __ldg (&layer->hg_twice);
  here->square = __ldg (&layer->hg_square);
  here->lost = __ldg (FINE ? &layer->lost : &layer->lost_plain);
  here->lost_shift = FINE ? __ldg (&layer->lost_shift) : 0;
  here->row_first = (int) ((guint32) __ldg (&layer->row_first) + bias);
  here->row_last = (int) ((guint32) __ldg (&layer->row_last) + bias);
  here->row_shift = (int) ((guint32) (number - 1) - VG_FLUENCE_BITS + bias);
  here->number = number;
}

template <bool TIMED>
static __device__ void
vg_fluence_leave (const VgFluenceLaunch &launch, const VgFluencePhoton &p, guint64 *random, bool up)
{
  guint32 score = vg_fluence_tally (p.weight, vg_fluence_draw (random)), square = vg_fluence_tally_square (p.weight);
  int column = vg_fluence_column (vg_fluence_root (p.x * p.x + p.y * p.y) * launch.inverse_dr, launch.nr);
  int angle = vg_fluence_angle_bin (p.uz, launch.na);
  const VgFluenceLayout &layout = launch.layout;
  gsize exits = up ? layout.reflected : layout.transmitted;
  gsize by_column = up ? layout.reflected_square[0] : layout.transmitted_square[0];
  gsize by_angle = up ? layout.reflected_square[1] : layout.transmitted_square[1];

  atomicAdd (launch.tally + exits + (gsize) column * launch.na + angle, (VgFluenceCount) score);
  atomicAdd (launch.tally + by_column + column, (VgFluenceCount) square);
  atomicAdd (launch.tally + by_angle + angle, (VgFluenceCount) square);
  if (TIMED)
    {
      int gate = (int) fminf (p.time * launch.inverse_gate, (float) launch.gates);

      atomicAdd (launch.tally + (up ? layout.gates[0] : layout.gates[1]) + gate, (VgFluenceCount) score);
    }
}

/* To the boundary that the step would cross, and through it or back. */
template <bool TIMED, bool FINE>
static __device__ __forceinline__ int
vg_fluence_meet_boundary (const VgFluenceLaunch &launch, VgFluencePhoton *p, VgFluenceHere *here, guint64 *random)
{
  bool up = p->uz < 0.0f;
  int there = here->number + (up ? -1 : 1);
  float z = up ? here->z0 : here->z1, distance = fmaxf (vg_fluence_ratio (z - p->z, p->uz), 0.0f);

  p->x = fmaf (distance, p->ux, p->x);
  p->y = fmaf (distance, p->uy, p->y);
  p->z = z;
  if (TIMED)
    p->time = fmaf (distance, __ldg (&launch.layers[here->number].slowness), p->time);
  if (!vg_fluence_pass (__ldg (&launch.layers[here->number].n), __ldg (&launch.layers[there].n), &p->ux, &p->uy, &p->uz, random))
    return VG_FLUENCE_MOVES;
  if (there == 0 || there == launch.n_layers + 1)
    {
      vg_fluence_leave<TIMED> (launch, *p, random, up);
      return VG_FLUENCE_GONE;
    }
  vg_fluence_enter<FINE> (here, launch, there);
  return VG_FLUENCE_MOVES;
}

/* Of one that is gone, without a map: what it has left behind. */
static __device__ __forceinline__ void
vg_fluence_settle (const VgFluenceLaunch &launch, VgFluencePhoton *p, guint64 *random)
{
  if (p->absorbed != 0)
    atomicAdd (launch.tally + launch.layout.totals + VG_FLUENCE_TOTAL_ABSORBED,
               (VgFluenceCount) vg_fluence_tally_sum (p->absorbed, vg_fluence_draw (random)));
  p->absorbed = 0;
}

/* Gives the lanes of a warp that WANT one the index of a photon, while there
 * are any.  What lies behind the last photon stays in stock: there may be
 * more to do later. */
static __device__ __forceinline__ bool
vg_fluence_take (const VgFluenceLaunch &launch, VgFluenceStockState *stock, int lane, bool want, VgFluenceCount *index)
{
  const guint32 all = 0xffffffffu;
  guint32 wanting = __ballot_sync (all, want);
  int need = __popc (wanting), rank = __popc (wanting & ((1u << lane) - 1u)), count;
  bool more = need > stock->left && stock->next + stock->left <= launch.last && stock->next < launch.last, taken;
  VgFluenceCount fresh = 0;

  *index = stock->next + rank;
  if (more)
    {
      if (lane == 0)
        fresh = atomicAdd (&launch.progress->stocks, 1ull);
      fresh = (__shfl_sync (all, fresh, 0) * launch.n_devices + launch.device) * VG_FLUENCE_STOCK;
      if (rank >= stock->left)
        *index = fresh + (rank - stock->left);
    }
  taken = want && (more || rank < stock->left) && *index < launch.last;
  count = __popc (__ballot_sync (all, taken));
  stock->next = more ? fresh + (count - stock->left) : stock->next + count;
  stock->left = more ? VG_FLUENCE_STOCK - (count - stock->left) : stock->left - count;
  return taken;
}

template <bool FINE>
static __device__ __forceinline__ void
vg_fluence_start (const VgFluenceLaunch &launch, VgFluencePhoton *p, VgFluenceHere *here, guint64 *random, VgFluenceCount index)
{
  guint32 spare[2];

  *random = vg_fluence_seed (launch.seed, index, spare);
  p->x = launch.start_x;
  p->y = 0.0f;
  p->z = launch.start_z;
  p->ux = p->uy = 0.0f;
  p->uz = 1.0f;
  p->time = 0.0f;
  p->weight = VG_FLUENCE_UNIT;
  p->collisions = 0;
  p->absorbed = 0;
  if (launch.isotropic)
    vg_fluence_turn (&p->ux, &p->uy, &p->uz, 2.0f * vg_fluence_uniform (spare[0]), spare[1]);
  vg_fluence_enter<FINE> (here, launch, launch.start_layer);
}

/* One launch.  SCORE: with the tally of the tissue; TIMED: with time gates;
 * FINE: for layers that hardly absorb (below 2^-13 per collision). */
template <bool SCORE, bool TIMED, bool FINE, int THREADS, int BLOCKS, int WAIT>
__global__ void __launch_bounds__ (THREADS, BLOCKS)
vg_fluence_kernel (const __grid_constant__ VgFluenceLaunch launch)
{
  extern __shared__ guint32 tally[];
  const guint32 all = 0xffffffffu;
  const int me = blockIdx.x * THREADS + threadIdx.x, lane = threadIdx.x & 31;
  const int shared_cells = launch.shared_cells;
  guint32 base;
  VgFluencePhoton p = launch.photons[me];
  VgFluenceStockState stock = launch.stocks[me >> 5];
  guint64 random = p.random;
  int mode = p.mode;
  VgFluenceHere here;
  int born = 0, enough = 32;   /* so few photons on the move are served */
  VgFluenceCount launched = 0;

  asm volatile ("mov.u32 %0, %1;" : "=r"(base) : "r"((guint32) __cvta_generic_to_shared (tally)));   /* once, not in every step */
  if (SCORE)
    {
      for (int i = threadIdx.x; i < shared_cells; i += THREADS)
        tally[i] = 0;
      __syncthreads ();
    }
  vg_fluence_enter<FINE> (&here, launch, mode != VG_FLUENCE_GONE ? p.layer : launch.start_layer);
  if (mode != VG_FLUENCE_GONE && p.collisions > VG_FLUENCE_MAX_COLLISIONS)
    {
      atomicAdd (launch.tally + launch.layout.totals + VG_FLUENCE_TOTAL_LOST,
                 (VgFluenceCount) (p.weight >> VG_FLUENCE_TALLY_SHIFT));
      mode = VG_FLUENCE_GONE;
    }

  for (int step = 0; step < launch.steps; step++)
    {
      if (__popc (__ballot_sync (all, mode == VG_FLUENCE_MOVES)) <= enough)
        {
          if (mode == VG_FLUENCE_WAITS)
            mode = vg_fluence_meet_boundary<TIMED, FINE> (launch, &p, &here, &random);
          if (!SCORE && mode == VG_FLUENCE_GONE)
            vg_fluence_settle (launch, &p, &random);

          VgFluenceCount index;
          bool taken = vg_fluence_take (launch, &stock, lane, mode == VG_FLUENCE_GONE, &index);
          launched += taken;
          if (taken)
            {
              vg_fluence_start<FINE> (launch, &p, &here, &random, index);
              born = step;
              mode = VG_FLUENCE_MOVES;
            }
          int living = __popc (__ballot_sync (all, mode == VG_FLUENCE_MOVES));
          if (living == 0)
            break;
          enough = max (living - WAIT, 0);
        }
      if (mode != VG_FLUENCE_MOVES)
        continue;

      float s = vg_fluence_path (vg_fluence_draw (&random), here.step);
      float z = fmaf (s, p.uz, p.z);

      if (z < here.z0 || z > here.z1)
        {
          mode = VG_FLUENCE_WAITS;
          continue;
        }

      guint32 u2 = vg_fluence_draw (&random), taken;

      p.x = fmaf (s, p.ux, p.x);
      p.y = fmaf (s, p.uy, p.y);
      p.z = z;
      if (TIMED)
        p.time = fmaf (s, __ldg (&launch.layers[here.number].slowness), p.time);
      if (SCORE)
        {
          float radial = vg_fluence_root (fmaf (p.x, p.x, p.y * p.y)) * launch.inverse_dr;
          int column = vg_fluence_floor_bits (fminf (radial, (float) launch.nr));
          int row = vg_fluence_floor_bits (fminf (z * launch.inverse_dz, launch.bottom)) + here.row_shift;
          int cell = column * launch.rows + max (min (row, here.row_last), here.row_first);
          guint32 score = vg_fluence_tally (p.weight, u2);

          if (cell < shared_cells)
            {
              guint32 before;

              asm volatile ("atom.shared.add.u32 %0, [%1], %2;" : "=r"(before) : "r"(base + 4 * cell), "r"(score) : "memory");
              if (before > ~score)
                atomicAdd (launch.tally + cell, 1ull << 32);
            }
          else
            atomicAdd (launch.tally + cell, (VgFluenceCount) score);
        }
      taken = vg_fluence_absorb (p.weight, here.lost, here.lost_shift, u2);
      p.weight -= taken;
      if (!SCORE)
        p.absorbed += taken;
      vg_fluence_turn (&p.ux, &p.uy, &p.uz, vg_fluence_scatter (here.one_plus, here.twice, here.square, u2), u2);
      if (p.weight < VG_FLUENCE_WEAK)
        {
          bool lives = p.weight > 0 && vg_fluence_draw (&random) < VG_FLUENCE_LUCKY;


          atomicAdd (launch.tally + launch.layout.totals + VG_FLUENCE_TOTAL_ROULETTE,
                     lives ? 0ull - 9ull * p.weight : (VgFluenceCount) p.weight);
          p.weight *= 10;
          mode = lives ? VG_FLUENCE_MOVES : VG_FLUENCE_GONE;
        }
    }

  if (!SCORE && mode == VG_FLUENCE_GONE)
    vg_fluence_settle (launch, &p, &random);
  p.collisions += launch.steps - born;
  p.random = random;
  p.mode = mode;
  p.layer = here.number;
  launch.photons[me] = p;
  guint32 living = __ballot_sync (all, mode != VG_FLUENCE_GONE);
  atomicAdd (&launch.progress->launched, launched);
  if (lane == 0)
    {
      launch.stocks[me >> 5] = stock;
      atomicAdd (&launch.progress->alive, (VgFluenceCount) __popc (living));
    }
  if (SCORE)
    {
      __syncthreads ();
      for (int i = threadIdx.x; i < shared_cells; i += THREADS)
        if (tally[i] != 0)
          atomicAdd (launch.tally + i, (VgFluenceCount) tally[i]);
    }
}
