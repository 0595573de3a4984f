/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
#include "kernels/base/vg-scalar.h"
/* Random numbers of a photon.  They depend on the seed and the photon's index alone, so its path is
 * the same on any number of threads and devices.
 *
 * Philox 4x32-7 (Salmon et al., SC11; 7 rounds pass BigCrush) of (index,
 * seed) gives the photon's starting state.  The numbers along its path are the
 * high halves of a multiplicative congruential generator modulo 2^64, the kind
 * that MCNP's transport uses: two integer multiplications each, where a whole
 * Philox would cost as much as the rest of a step.  A multiplier of 32 bits
 * halves the work; this one's lattice is good in 2 to 6 dimensions (spectral
 * test, see VG_FLUENCE_MULTIPLIER).  The period of 2^62 makes overlaps of
 * 1e8 paths of 2000 numbers as rare as a few pairs. */
G_BEGIN_DECLS

/* Loops over photons are vectorised only if all of these are inlined. */
#ifdef __CUDACC__
#define VG_FLUENCE_SCALAR static __host__ __device__ __forceinline__
#else
#define VG_FLUENCE_SCALAR __attribute__ ((always_inline)) VG_SCALAR
#endif

/* 5 modulo 8, for the longest period, 2^62.  Figures of merit of the spectral test in 2 to 6
 * dimensions (1 is best): 0.95, 0.80, 0.87, 0.76, 0.75. */
#define VG_FLUENCE_MULTIPLIER 0xfaeda865u

VG_FLUENCE_SCALAR void
vg_fluence_philox (guint32 counter[4], guint32 key0, guint32 key1)
{
  for (int round = 0; round < 7; round++)
    {
      guint64 a = (guint64) 0xD2511F53u * counter[0], b = (guint64) 0xCD9E8D57u * counter[2];
      guint32 c1 = counter[1], c3 = counter[3];

      counter[0] = (guint32) (b >> 32) ^ c1 ^ key0;
      counter[1] = (guint32) b;
      counter[2] = (guint32) (a >> 32) ^ c3 ^ key1;
      counter[3] = (guint32) a;
      key0 += 0x9E3779B9u;
      key1 += 0xBB67AE85u;
    }
}

/* The initial state of photon INDEX, an odd number.  SPARE: two more random numbers. */
VG_FLUENCE_SCALAR guint64
vg_fluence_seed (guint32 seed, guint64 index, guint32 spare[2])
{
  guint32 counter[4] = { (guint32) index, (guint32) (index >> 32), 0, 0 };

  vg_fluence_philox (counter, seed, 0x56474d43u);
  spare[0] = counter[2];
  spare[1] = counter[3];
  return (guint64) counter[1] << 32 | counter[0] | 1u;
}

VG_FLUENCE_SCALAR guint32
vg_fluence_draw (guint64 *state)
{
  guint32 u = (guint32) (*state >> 32);

#ifdef __CUDA_ARCH__
  /* two instructions; the compiler would make one step of two with a multiplier of 64 bits */
  asm volatile(
      "{ .reg .u32 low, high, carry; .reg .u64 wide; mov.b64 {low, high}, %0; mul.wide.u32 wide, "
      "low, %1;"
      " mov.b64 {low, carry}, wide; mad.lo.u32 high, high, %1, carry; mov.b64 %0, {low, high}; }"
      : "+l"(*state)
      : "n"(VG_FLUENCE_MULTIPLIER));
#else
  *state *= VG_FLUENCE_MULTIPLIER;
#endif
  return u;
}

G_END_DECLS
